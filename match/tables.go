package match

import (
	"fmt"
	"os"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// ProgramTables stands for the endgame tables that the program brings along,
// where the name of a folder with tables may stand.
const ProgramTables = "program"

// endgames asks the endgame tables of one variant. A worker has its own.
type endgames struct {
	of     string // the folder and the variant with its switches
	prober *tablebase.Prober
}

// checkTables reports a folder that is none.
func checkTables(folder string) error {
	if folder == "" || folder == ProgramTables {
		return nil
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("tables %q: no such folder, want a folder of qirkat tb build, or %s", folder, ProgramTables)
	}
	return nil
}

// endgames gives the tables for the games of a job, nil where there are none.
// Files that cannot be used are left out.
func (l *Local) endgames(folder string, job *Job, v *movegen.Variant) Tables {
	of := folder + "\x00" + job.Variant
	if l.opened != nil && l.opened.of == of {
		return l.opened.known()
	}
	l.closeEndgames()
	l.opened = &endgames{of: of}
	path := folder
	if folder == ProgramTables {
		path = ""
	}
	if t, _, err := tablebase.Open(path, v); err == nil {
		l.opened.prober = t.NewProber()
	}
	return l.opened.known()
}

func (l *Local) closeEndgames() {
	if l.opened != nil && l.opened.prober != nil {
		_ = l.opened.prober.Close()
	}
	l.opened = nil
}

func (e *endgames) known() Tables {
	if e.prober == nil || e.prober.Empty() {
		return nil
	}
	return e
}

// Probe gives the outcome of a position by best play, and whether it is known.
func (e *endgames) Probe(g movegen.Game) (o movegen.Outcome, known bool) {
	result, _, _, ok := e.prober.Player(g, tablebase.MaxPieces+tablebase.MaxSeeds).Probe()
	switch {
	case !ok:
		return movegen.Outcome{}, false
	case result > 0:
		return movegen.Win(g.Turn(), movegen.Captured), true
	case result < 0:
		return movegen.Win(g.Turn().Other(), movegen.Captured), true
	}
	return movegen.Draw(movegen.Repetition), true
}
