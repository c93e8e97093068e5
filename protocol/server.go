// Package protocol turns lines of text into calls of the engine, and results
// into lines of text. It owns the commands, the options, the game on the board
// and, while it runs, standard output. It leaves rules to movegen, the search
// to engine, and what words stand on the command line to cmd.
//
// The one idea behind it: what can be said is tables. A command, an option, a
// query and a limit of `go` are a row each ([commands.go], [options.go],
// [query.go], [limits.go]), and help, parser, handshake and PROTOCOL.md are
// made of those rows.
//
// One goroutine reads (the caller of [Server.Run]); a search, a perft and a
// bench run on another, as a [job], so that the reader is never blocked by one. A
// third writes, see [output], so that nobody is blocked by a peer that does not
// read.
package protocol

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/rs/zerolog"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
)

// Config is what a server is made of.
type Config struct {
	Name, Version string // for `id name`
	In            io.Reader
	Out, Err      io.Writer
	// Variant is the value of UCI_Variant that is in force at first, perhaps
	// with rule switches; empty: the first variant.
	Variant string
	// Bench is the command `bench`; without it the command is refused.
	Bench func(out, err io.Writer, args []string) error
}

// Server serves one person or program.
type Server struct {
	cfg      Config
	out      *output
	commands []command
	options  []option

	engine    *engine.Engine
	board     board
	row       *movegen.Variant  // as the table of variants has it
	switches  map[string]string // rule switches that were set, by name
	weights   *eval.Weights
	own       bool // the weights are those of an EvalFile
	hash      int  // MiB
	threads   int
	overhead  int  // milliseconds
	slowMover int  // percent
	contempt  int  // centipieces
	lines     int  // best lines that are looked for
	ponder    bool // bestmove names the answer expected
	wdl       bool // reports have the chances of a win, a draw and a loss
	play      play
	endgames  endgames

	log     zerolog.Logger
	logFile *os.File // nil: standard error

	strict  bool // words that cannot be read are an error, also those of `go`
	uci     bool // the handshake was `uci`; else all is done in the UGI manner
	debug   bool
	leaving bool
	job     *job // the last one begun, or nil
	exit    func(code int)
}

// CouldNotError is of a line that was right, for which something cannot be had:
// memory, a file, the output. All other errors are about the words.
type CouldNotError struct{ error }

// Unwrap gives the cause.
func (e *CouldNotError) Unwrap() error { return e.error }

// New is a server with the start position of a variant on the board. The error
// says that the memory for the transposition table cannot be had, or what is
// wrong with the variant.
func New(cfg Config) (*Server, error) {
	s := &Server{
		cfg: cfg, out: newOutput(cfg.Out), commands: commandTable(), options: optionTable(),
		hash: defaultHash, threads: 1, play: newPlay(), overhead: defaultOverhead, slowMover: 100, endgames: newEndgames(), lines: 1, log: zerolog.Nop(), exit: os.Exit,
	}
	var err error
	if s.engine, err = engine.New(defaultHash); err != nil {
		return nil, err
	}
	s.row, s.switches = &movegen.Variants[0], map[string]string{}
	s.board, s.weights = newBoard(s.row), eval.Default(s.row)
	s.changeTables()
	if cfg.Variant != "" {
		if err := s.setVariant(cfg.Variant); err != nil {
			return nil, err
		}
		s.declareInForce()
	}
	return s, nil
}

// Run serves line by line until `quit` or the end of the input, then stops
// what is running and leaves. Only a bench, which cannot be stopped, is waited
// for at the end of the input. The error is one of reading or writing; output
// that nobody reads is given up.
func (s *Server) Run() error {
	err := s.read()
	if !s.leaving && s.running() && s.job.stop == nil {
		<-s.job.done
	}
	s.leave()
	if unwritten := s.out.flush(grace); err == nil {
		err = unwritten
	}
	return err
}

// read serves lines until `quit`, the end of the input, or an error. An error
// of writing ends it too, which is found in the output.
func (s *Server) read() error {
	in := newLines(s.cfg.In)
	for !s.leaving {
		line, err := in.next()
		s.leaving = !s.out.waitForRoom()
		switch {
		case s.leaving, errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLongLine):
			s.note("%v", err)
		case err != nil:
			return err
		default:
			if err := s.serve(line); err != nil {
				s.note("%v", err)
			}
		}
	}
	return nil
}

// Command serves one line and waits for what it may have begun. The error is
// what [Server.Run] would have printed as an `info string`, or one of writing.
// Here what cannot be read of a `go` is an error, and nothing is searched.
func (s *Server) Command(line string) error {
	s.strict = true
	err := s.serve(line)
	if s.running() {
		<-s.job.done
	}
	s.leave()
	if unwritten := s.out.flush(forever); err == nil && unwritten != nil {
		err = &CouldNotError{unwritten}
	}
	return err
}

// serve carries out one line.
func (s *Server) serve(line string) error {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return nil
	}
	defer s.crashed(line)
	s.log.Debug().Str("in", movegen.Shorten(line)).Send()
	word, args := cut(line)
	for i := range s.commands {
		c := &s.commands[i]
		if c.name != word {
			continue
		}
		if c.alone {
			if err := s.idle(word); err != nil {
				return err
			}
		}
		return c.run(s, args)
	}
	return fmt.Errorf("unknown command %s", didYouMean(word, names(s.commands)))
}

// leave stops what is running. A search still gives its best move.
func (s *Server) leave() {
	s.leaving = true
	if s.running() && s.job.stop != nil {
		s.askToStop()
		<-s.job.done
	}
	s.endgames.close()
	if s.logFile != nil {
		s.log = zerolog.Nop()
		s.out.setLog(s.log)
		s.logFile.Close()
		s.logFile = nil
	}
}

// note prints a remark.
func (s *Server) note(format string, args ...any) { s.out.line(remark(format, args...)) }

func remark(format string, args ...any) string {
	return "info string " + clean(fmt.Sprintf(format, args...))
}

// job is what runs beside the reader: a search, a perft or a bench.
type job struct {
	what  string
	stop  func() // nil: it cannot be stopped
	asked bool   // `stop` was read; the reader's own
	ended bool   // guarded by the lock of the output
	done  chan struct{}
}

// begin notes that something runs from now on.
func (s *Server) begin(what string, stop func()) *job {
	s.job = &job{what: what, stop: stop, done: make(chan struct{})}
	return s.job
}

// end prints the last lines of a job. Who has read them finds the server idle:
// the job ends under the same lock.
func (s *Server) end(j *job, lines ...string) {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	for _, l := range lines {
		s.out.write(l)
	}
	j.ended = true
	close(j.done)
}

func (s *Server) running() bool {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	return s.job != nil && !s.job.ended
}

// idle refuses a command while a job runs. If it was asked to stop already,
// the command waits for its end instead, which is due in milliseconds.
func (s *Server) idle(word string) error {
	if s.running() {
		switch {
		case s.job.stop == nil:
			return fmt.Errorf("%s: a %s is running, which ends by itself", word, s.job.what)
		case !s.job.asked:
			return fmt.Errorf("%s: a %s is running, send stop first", word, s.job.what)
		}
		<-s.job.done
	}
	s.engine.Wait()
	return nil
}

// stop asks the job to end; without one there is nothing to do.
func (s *Server) stop(string) error {
	s.askToStop()
	return nil
}

func (s *Server) askToStop() {
	if s.running() && s.job.stop != nil && !s.job.asked {
		s.job.asked = true
		s.job.stop()
	}
}

// crashed is deferred at the top of each goroutine: it says what a panic was
// about and ends the process.
func (s *Server) crashed(doing string) {
	if why := recover(); why != nil {
		s.crash(doing, why)
	}
}

// crash says what a panic was about and ends the process.
func (s *Server) crash(doing string, why any) {
	_ = s.out.flush(grace)
	fmt.Fprintf(s.cfg.Err, "%s: panic: %v\nat: %s\ngame: %s %s\n%s", s.cfg.Name, why,
		clean(doing), s.row.Name, clean(s.board.given), debug.Stack())
	s.exit(1)
}
