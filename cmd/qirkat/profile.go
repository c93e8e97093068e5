package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/pkg/profile"
	"github.com/spf13/cobra"
)

// profileKinds leads from a word of --profile to what is recorded.
var profileKinds = map[string]func(*profile.Profile){
	"cpu":   profile.CPUProfile,
	"mem":   profile.MemProfile,
	"mutex": profile.MutexProfile,
	"block": profile.BlockProfile,
	"trace": profile.TraceProfile,
}

// profiler records a profile of a command into a folder.
type profiler struct{ kind, folder string }

func (p *profiler) flags(cmd *cobra.Command) {
	words := []string{"cpu", "mem", "mutex", "block", "trace"}
	kind := oneOf{&p.kind, words}
	cmd.Flags().Var(kind, "profile", "record a profile: "+kind.Wants())
	p.folder = "profiles"
	cmd.Flags().Var(text{&p.folder, "the name of a folder"}, "profile-dir", "write the profile into `FOLDER`")
}

// start begins to record, if that is asked for; stop ends it. So does a signal
// that ends the program, whose exit code tells of it as a shell's would.
func (p *profiler) start(cmd *cobra.Command) (stop func(), err error) {
	if p.kind == "" {
		if cmd.Flags().Changed("profile-dir") {
			return nil, usage("flag --profile-dir: needs --profile cpu, mem, mutex, block or trace")
		}
		return func() {}, nil
	}
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return nil, fmt.Errorf("folder for the profile: %w", err)
	}
	running := profile.Start(profileKinds[p.kind], profile.ProfilePath(p.folder), profile.Quiet, profile.NoShutdownHook)
	finish := func() {
		running.Stop()
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s profile written to the folder %s\n", p.kind, p.folder)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if s, ok := (<-signals).(syscall.Signal); ok {
			finish()
			os.Exit(killed + int(s))
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		finish()
	}, nil
}
