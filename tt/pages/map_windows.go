package pages

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapPages asks the system for zeroed pages.
func mapPages(size int) ([]byte, error) {
	address, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_COMMIT|windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), size), nil
}

func unmapPages(memory []byte) {
	_ = windows.VirtualFree(uintptr(unsafe.Pointer(unsafe.SliceData(memory))), 0, windows.MEM_RELEASE)
}
