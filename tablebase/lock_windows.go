package tablebase

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lock makes a file that keeps other builds away until unlock is called, or this
// program ends; either removes it.
func lock(path string) (unlock func(), err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const alone = 0 // nobody else can open it
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE|windows.DELETE, alone, nil,
		windows.OPEN_ALWAYS, windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = windows.CloseHandle(h) }, nil
}
