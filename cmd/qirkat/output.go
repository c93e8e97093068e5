package main

import (
	"fmt"
	"io"
	"sync"
)

// checkedWriter keeps the first error of writing, for whoever prints and does
// not look: help, and all that a person reads.
type checkedWriter struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.err == nil {
			w.err = fmt.Errorf("standard output: %w", err)
		}
	}
	return n, err
}

// failed is the error that was kept.
func (w *checkedWriter) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
