//go:build race

package protocol

// raceDetector slows all down and maps memory of its own.
const raceDetector = true
