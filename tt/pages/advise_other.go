//go:build !linux

package pages

// adviseLarge does nothing: the system has no such advice.
func adviseLarge([]byte) {}
