package protocol

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/rs/zerolog"
)

// logLevels are the levels of zerolog, the last one silent.
var logLevels = []string{"trace", "debug", "info", "warn", "error", "fatal", "panic", "disabled"}

func (s *Server) setLogLevel(value string) error {
	level, err := zerolog.ParseLevel(value)
	if err != nil {
		return fmt.Errorf("option Log Level: %w", err)
	}
	s.openLog(s.logFile, level)
	return nil
}

// setLogFile leads the log to a file, to which it is appended, or back to
// standard error. A file that cannot be opened leaves all as it was.
func (s *Server) setLogFile(path string) error {
	var file *os.File
	if path != "" {
		var err error
		if file, err = openLogFile(path); err != nil {
			return &CouldNotError{fmt.Errorf("option Debug Log File: %w", err)}
		}
	}
	if s.logFile != nil {
		defer s.logFile.Close()
	}
	s.openLog(file, s.log.GetLevel())
	return nil
}

// openLogFile opens a regular file, or makes one. It asks before: opening a pipe
// would wait for its other end.
func openLogFile(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file or a new one", path)
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
}

func (s *Server) openLog(file *os.File, level zerolog.Level) {
	s.logFile = file
	w := s.cfg.Err
	if file != nil {
		w = file
	}
	s.log = zerolog.New(&logWriter{w: w, stderr: s.cfg.Err}).Level(level).With().Timestamp().Logger()
	s.out.setLog(s.log)
}

// logWriter switches itself off when it cannot write, and says so once.
type logWriter struct {
	w, stderr io.Writer
	off       atomic.Bool
}

func (l *logWriter) Write(p []byte) (int, error) {
	if l.off.Load() {
		return len(p), nil
	}
	if _, err := l.w.Write(p); err != nil && !l.off.Swap(true) {
		_, _ = fmt.Fprintf(l.stderr, "the log is switched off: %v\n", err)
	}
	return len(p), nil
}
