package main

import (
	"errors"
	"flag"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expectations of scripts and the tables of README.md")

// TestMain makes this program the command qirkat of the scripts.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"qirkat": main}) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"refused": refused,
		},
	})
}

// refused CODE COMMAND… runs a command that must end with the code, print
// nothing, and complain in one line, which the script then looks at.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refused CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("printed %q", out)
	}
	if complaint := ts.ReadFile("stderr"); strings.Count(complaint, "\n") != 1 || !strings.HasSuffix(complaint, "\n") {
		ts.Fatalf("complained with %q, want one line", complaint)
	}
}
