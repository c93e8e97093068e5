package main

import (
	"io"

	"github.com/spf13/cobra"

	"qirkat/movegen"
)

// shells leads from a shell to the writer of its completion script.
var shells = map[string]func(*cobra.Command, io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
}

var shellNames = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for bash, zsh, fish or powershell",
		Long: `Print a script that teaches a shell to complete commands, flags and variants.
For bash, in the running shell: source <(qirkat completion bash)`,
		ValidArgs: shellNames,
		Args:      arguments("SHELL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := shells[args[0]]
			if !ok {
				return usage("unknown shell %q, did you mean %q?", args[0], movegen.Nearest(args[0], shellNames))
			}
			return write(cmd.Root(), cmd.OutOrStdout())
		},
	}
}
