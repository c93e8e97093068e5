package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qirkat/movegen"
	"qirkat/protocol"
)

// Exit codes.
const (
	done     = 0
	couldNot = 1
	wrongUse = 2
	killed   = 128 // plus the number of the signal
)

// run carries out a command line and gives its exit code. An error is one line
// on err.
func run(args []string, in io.Reader, out, err io.Writer) int {
	checked := &checkedWriter{Writer: out}
	root := newRoot()
	root.SetArgs(append([]string{}, args...)) // of nil cobra would make os.Args
	root.SetIn(in)
	root.SetOut(checked)
	root.SetErr(err)
	root.SetContext(context.Background())
	command, failure := root.ExecuteC()
	if failure == nil {
		failure = checked.failed()
	}
	if failure == nil {
		return done
	}
	if s := (*signalError)(nil); errors.As(failure, &s) {
		return killed + int(s.signal)
	}
	_, _ = fmt.Fprintf(err, "%s: %v\n", command.CommandPath(), failure)
	var use *usageError
	if errors.As(failure, &use) {
		return wrongUse
	}
	return couldNot
}

func newRoot() *cobra.Command {
	f := new(protocolFlags)
	root := &cobra.Command{
		Use:                   "qirkat [FLAGS] [PROTOCOL COMMAND]",
		Version:               version,
		DisableFlagsInUseLine: true,
		Short:                 "Play Alquerque, Quirkat, Fanorona and Al-manqala",
		Long: `Qirkat plays Alquerque, Quirkat, Fanorona and Al-manqala.

Without a command it is an engine for the protocols UGI and UCI: it reads
commands from its standard input until "quit". A protocol command can also be
given as words, and is carried out: qirkat go depth 12, qirkat d.`,
		Args:          cobra.ArbitraryArgs,
		RunE:          f.run,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetVersionTemplate(versionText())
	flags := root.Flags()
	flags.Var(text{&f.variant, "the name of a variant"}, "variant", "begin with the variant `NAME`")
	flags.StringArrayVar(&f.options, "option", nil, optionHelp)
	_ = root.RegisterFlagCompletionFunc("variant", completeVariant)
	flags.SetInterspersed(false) // a protocol command may hold a word such as -5
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		newAnalyse(), newBench(), newCheck(), newCompletion(), newMatch(), newOpenings(), newPGN(), newPerft(),
		newPlay(), newSolve(), newTb(), newVariants(), newVersion(),
	)
	return root
}

// protocolFlags are what is in force before the first command of the protocol.
type protocolFlags struct {
	variant string
	options []string
}

// value is what UCI_Variant has to be for them; empty where they say nothing.
func (f *protocolFlags) value() (string, error) {
	if f.variant == "" && f.options == nil {
		return "", nil
	}
	name := f.variant
	if name == "" {
		name = movegen.Variants[0].Name
	}
	if _, err := (&start{options: f.options}).rules(name); err != nil {
		return "", err
	}
	return strings.Join(append([]string{name}, f.options...), " "), nil
}

// run serves the protocol, or carries out the one command that the words of the
// command line make.
func (f *protocolFlags) run(cmd *cobra.Command, words []string) error {
	line := strings.Join(words, " ")
	if len(words) > 0 {
		if err := checkWord(cmd, line); err != nil {
			return err
		}
	}
	variant, err := f.value()
	if err != nil {
		return err
	}
	server, err := newServer(cmd, variant)
	switch {
	case err != nil:
		return err
	case len(words) == 0:
		return server.Run()
	}
	err = server.Command(line)
	var couldNot *protocol.CouldNotError
	if err == nil || errors.As(err, &couldNot) {
		return err
	}
	return &usageError{err}
}

// newServer is a server with the value of UCI_Variant in force.
func newServer(cmd *cobra.Command, variant string) (*protocol.Server, error) {
	return protocol.New(protocol.Config{
		Name: "Qirkat", Version: version, Variant: variant,
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(),
		Bench: protocolBench,
	})
}

// checkWord tells a protocol command from a misspelt word.
func checkWord(cmd *cobra.Command, line string) error {
	known := protocol.CommandNames()
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	if slices.Contains(known, first) {
		return nil
	}
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	return usage("unknown command %q, did you mean %q?", movegen.Shorten(first), movegen.Nearest(first, known))
}

// newHelp prints the help of a command, and knows when there is none.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND]",
		Short:                 "Print the help of a command",
		DisableFlagsInUseLine: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("unexpected argument %q, want one COMMAND", args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			var names []string
			for _, c := range cmd.Root().Commands() {
				if c.Name() == args[0] {
					c.InitDefaultHelpFlag()
					return c.Help()
				}
				names = append(names, c.Name())
			}
			return usage("no command %q, did you mean %q?", args[0], movegen.Nearest(args[0], names))
		},
	}
}
