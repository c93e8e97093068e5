//go:build !linux

package tt

// adviseLargePages does nothing: the system has no such advice.
func adviseLargePages([]byte) {}
