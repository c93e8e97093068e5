package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/tablebase"
)

const (
	defaultHash     = 16 // MiB
	maxHash         = 65536
	defaultOverhead = 10 // milliseconds, for the way of an answer to the manager
	maxThreads      = 256
	maxLines        = 256
	maxContempt     = 1000 // centipieces
	emptyValue      = "<empty>"
	variantOption   = "UCI_Variant"
)

// kind is the type of an option, in the words of UCI.
type kind string

const (
	button kind = "button"
	check  kind = "check"
	spin   kind = "spin"
	combo  kind = "combo"
	text   kind = "string"
)

// option is a row of the table of options.
type option struct {
	name     string
	kind     kind
	initial  string
	min, max int      // of a spin
	choices  []string // of a combo
	help     string
	// canonical spells a value of a combo as the choices do; nil: letters in
	// any case.
	canonical func(value string) (string, error)
	set       func(s *Server, value string) error
}

func (o option) rowName() string { return o.name }

// optionTable lists the options in the order of the handshake. The rule
// switches come from the table that movegen keeps.
func optionTable() []option {
	list := []option{
		{name: "Hash", kind: spin, initial: strconv.Itoa(defaultHash), min: 1, max: maxHash, set: (*Server).setHash,
			help: "size of the transposition table in MiB"},
		{name: "Clear Hash", kind: button, set: (*Server).clearHash,
			help: "empties the transposition table"},
		{name: "Threads", kind: spin, initial: "1", min: 1, max: maxThreads, set: (*Server).setThreads,
			help: "how many threads search; one alone searches the same nodes every time"},
		{name: "MultiPV", kind: spin, initial: "1", min: 1, max: maxLines, set: (*Server).setLines,
			help: "how many best lines are looked for, each with another first move"},
		{name: "Ponder", kind: check, initial: "false", set: (*Server).setPonder,
			help: "with it, in UCI, bestmove names the answer that is expected"},
		{name: "Slow Mover", kind: spin, initial: "100", min: 10, max: 1000, set: (*Server).setSlowMover,
			help: "percent of the planned time of a clock that is taken for a move"},
		{name: "Contempt", kind: spin, initial: "0", min: -maxContempt, max: maxContempt, set: (*Server).setContempt,
			help: "centipieces that a draw by repetition or quiet play is worth less than nothing to the engine"},
		{name: "Move Overhead", kind: spin, initial: strconv.Itoa(defaultOverhead), min: 0, max: 5000, set: (*Server).setOverhead,
			help: "milliseconds of the clock kept back for the way of the answer; movetime is used whole"},
		{name: variantOption, kind: combo, initial: movegen.Variants[0].Name, choices: movegen.VariantNames(), set: (*Server).setVariant,
			canonical: anyText, help: "the game that is played; another one sets its rule switches and EvalFile back"},
	}
	for i := range movegen.Switches {
		w := &movegen.Switches[i]
		list = append(list, option{
			name: w.Name, kind: combo, initial: movegen.DefaultValue, choices: w.Choices(),
			canonical: func(value string) (string, error) { return w.Canonical(movegen.Shorten(value)) },
			set:       func(s *Server, value string) error { return s.setSwitch(w, value) },
			help:      fmt.Sprintf("rule of the %s family: %s", w.Family, w.Help),
		})
	}
	list = append(list, strengthOptions()...)
	return append(list,
		option{name: "UCI_ShowWDL", kind: check, initial: "false", set: (*Server).setWDL,
			help: "reports have wdl W D L behind the score: the chances of a win, a draw and a loss in permille"},
		option{name: "TablePath", kind: text, set: (*Server).setTablePath,
			help: "folder with endgame tables that `qirkat tb build` wrote, besides those that the program has"},
		option{name: "TableProbeDepth", kind: spin, initial: strconv.Itoa(defaultProbeDepth), min: 1, max: 100, set: (*Server).setProbeDepth,
			help: "plies that must be left to search for the tables to be asked"},
		option{name: "TableProbeLimit", kind: spin, initial: strconv.Itoa(defaultProbeLimit), min: 0, max: tablebase.MaxSeeds, set: (*Server).setProbeLimit,
			help: "pieces, or seeds, of a position up to which the tables are asked"},
		option{name: "EvalFile", kind: text, set: (*Server).setEvalFile,
			help: "TOML file with the weights of the variant; empty: the embedded ones"},
		option{name: "Debug Log File", kind: text, set: (*Server).setLogFile,
			help: "file that the log is appended to; empty: standard error"},
		option{name: "Log Level", kind: combo, initial: logLevels[len(logLevels)-1], choices: logLevels, set: (*Server).setLogLevel,
			help: "how much is logged; debug has every line read and written"},
	)
}

// declaration is the line of the handshake.
func (o *option) declaration() string {
	line := fmt.Sprintf("option name %s type %s", o.name, o.kind)
	switch o.kind {
	case spin:
		line += fmt.Sprintf(" default %s min %d max %d", o.initial, o.min, o.max)
	case check:
		line += " default " + o.initial
	case combo:
		line += " default " + o.initial
		for _, c := range o.choices {
			line += " var " + c
		}
	case text:
		line += " default " + emptyValue
	}
	return line
}

// summary is what the tables of a person say of the type.
func (o *option) summary() string {
	switch {
	case o.kind == button:
		return ""
	case o.kind == spin:
		return fmt.Sprintf(" %d…%d, default %s", o.min, o.max, o.initial)
	case o.kind == text:
		return " TEXT"
	case o.kind == check:
		return " true|false, default " + o.initial
	case len(o.choices) > 10:
		return " NAME, default " + o.initial
	}
	return " " + strings.Join(o.choices, "|") + map[bool]string{true: ", default " + o.initial}[o.initial != movegen.DefaultValue]
}

// wanted says what values are right.
func (o *option) wanted() string {
	switch o.kind {
	case spin:
		return fmt.Sprintf("want a whole number from %d to %d", o.min, o.max)
	case check:
		return "want true or false"
	case combo:
		return "want " + strings.Join(o.choices, ", ")
	}
	return "want value and a text"
}

// read checks a value and spells it as the setter expects it.
func (o *option) read(value string, given bool) (string, error) {
	switch {
	case o.kind == button:
		return "", nil
	case !given || value == "" && o.kind != text:
		return "", fmt.Errorf("option %s: no value, %s", o.name, o.wanted())
	case o.kind == text && value == emptyValue:
		return "", nil
	case o.kind == spin:
		if n, err := strconv.Atoi(value); err != nil || n < o.min || n > o.max {
			return "", fmt.Errorf("option %s: %q: %s", o.name, movegen.Shorten(value), o.wanted())
		}
	case o.kind == check:
		value = strings.ToLower(value)
		if value != "true" && value != "false" {
			return "", fmt.Errorf("option %s: %q: %s", o.name, movegen.Shorten(value), o.wanted())
		}
	case o.kind == combo && o.canonical != nil:
		return o.canonical(value)
	case o.kind == combo:
		i := slices.IndexFunc(o.choices, func(c string) bool { return strings.EqualFold(c, value) })
		if i < 0 {
			return "", fmt.Errorf("option %s: unknown value %s %s", o.name, didYouMean(value, o.choices), o.wanted())
		}
		return o.choices[i], nil
	}
	return value, nil
}

// setOption carries out `setoption name NAME [value VALUE]`. Blanks inside the
// value are kept; those inside the name count as one each.
func (s *Server) setOption(args string) error {
	first, rest := cut(args)
	name, value, given := cutAt(rest, "value")
	name = strings.Join(strings.Fields(name), " ")
	if first != "name" || name == "" {
		return errors.New("setoption: want name NAME [value VALUE]")
	}
	for i := range s.options {
		o := &s.options[i]
		if !strings.EqualFold(o.name, name) {
			continue
		}
		value, err := o.read(value, given)
		if err != nil {
			return err
		}
		return o.set(s, value)
	}
	return fmt.Errorf("setoption: no option %s", didYouMean(name, names(s.options)))
}

func (s *Server) setHash(value string) error {
	n, _ := strconv.Atoi(value)
	if err := s.engine.SetHash(n); err != nil {
		return &CouldNotError{err}
	}
	s.hash = n
	return nil
}

func (s *Server) clearHash(string) error {
	s.engine.Clear()
	return nil
}

func (s *Server) setOverhead(value string) error {
	s.overhead, _ = strconv.Atoi(value)
	return nil
}

func (s *Server) setThreads(value string) error {
	s.threads, _ = strconv.Atoi(value)
	s.engine.SetThreads(s.threads)
	return nil
}

func (s *Server) setLines(value string) error {
	s.lines, _ = strconv.Atoi(value)
	return nil
}

func (s *Server) setPonder(value string) error {
	s.ponder = value == "true"
	return nil
}

func (s *Server) setWDL(value string) error {
	s.wdl = value == "true"
	return nil
}

func (s *Server) setSlowMover(value string) error {
	s.slowMover, _ = strconv.Atoi(value)
	return nil
}

// setContempt empties the table: its scores have the old value of a draw.
func (s *Server) setContempt(value string) error {
	n, _ := strconv.Atoi(value)
	if n != s.contempt {
		s.contempt = n
		s.engine.Clear()
	}
	return nil
}

// anyText leaves a value to its setter.
func anyText(value string) (string, error) { return value, nil }

// setVariant chooses a variant, and the rule switches that stand behind its name
// as Name=Value, all at once. Another variant sets the others back, which is
// said: whoever sends options in no order must know. The one in force changes
// nothing else.
func (s *Server) setVariant(value string) error {
	words := strings.Fields(value)
	v, err := movegen.FindVariant(movegen.Shorten(words[0]))
	if err != nil {
		return err
	}
	given := map[string]string{}
	for _, word := range words[1:] {
		w, value, err := readSwitch(v, word)
		if err != nil {
			return fmt.Errorf("option UCI_Variant: %w", err)
		}
		given[w.Name] = value
	}
	if v.Name != s.row.Name {
		if lost := s.lost(given); lost != nil {
			s.note("option UCI_Variant: %s set back, as another variant was chosen: %s", strings.Join(lost, ", "), v.Name)
		}
		s.choose(v)
	}
	maps.Copy(s.switches, given)
	s.follow()
	return nil
}

// readSwitch reads Name=Value, for a variant that has such a rule.
func readSwitch(v *movegen.Variant, word string) (*movegen.Switch, string, error) {
	name, value, found := strings.Cut(word, "=")
	w, known := movegen.FindSwitch(name)
	switch {
	case !found:
		return nil, "", fmt.Errorf("%q: want NAME=VALUE behind the variant, such as Huffing=off", movegen.Shorten(word))
	case !known:
		var all []string
		for i := range movegen.Switches {
			all = append(all, movegen.Switches[i].Name)
		}
		return nil, "", fmt.Errorf("no rule switch %s", didYouMean(name, all))
	case w.Family != v.Family:
		return nil, "", noSuchRule(w, v)
	}
	value, err := w.Canonical(movegen.Shorten(value))
	return w, value, err
}

func noSuchRule(w *movegen.Switch, v *movegen.Variant) error {
	return fmt.Errorf("option %s: variant %s has no such rule, it belongs to the %s family; nothing changed", w.Name, v.Name, w.Family)
}

// lost names what another variant sets back: the switches that were set and
// are not given anew, and the weights of an EvalFile.
func (s *Server) lost(given map[string]string) []string {
	var list []string
	for i := range movegen.Switches {
		name := movegen.Switches[i].Name
		value, set := s.switches[name]
		if _, again := given[name]; set && !again && value != movegen.DefaultValue {
			list = append(list, name)
		}
	}
	if s.own {
		list = append(list, "EvalFile")
	}
	return list
}

// declareInForce makes what is in force the default of the handshake: a front
// end may send every default.
func (s *Server) declareInForce() {
	for i := range s.options {
		o := &s.options[i]
		if value, ok := s.switches[o.name]; ok {
			o.initial = value
		}
		if o.name == variantOption {
			o.initial = s.row.Name
		}
	}
}

// choose puts the start position of a variant on the board, with all its rule
// switches and weights as the variant has them.
func (s *Server) choose(v *movegen.Variant) {
	s.row, s.switches, s.weights, s.own = v, map[string]string{}, eval.Default(v), false
	s.setRules(v)
}

// setRules puts the start position on the board. The table is emptied: a key
// does not say under which rules its position was searched.
func (s *Server) setRules(v *movegen.Variant) {
	s.board = newBoard(v)
	s.changeTables()
	s.engine.Clear()
}

// setSwitch changes a rule. A variant of another family has no such rule: there
// only its default is accepted, as front ends send it for every option.
func (s *Server) setSwitch(w *movegen.Switch, value string) error {
	if w.Family != s.row.Family {
		if value == movegen.DefaultValue {
			return nil
		}
		return noSuchRule(w, s.row)
	}
	s.switches[w.Name] = value
	s.follow()
	return nil
}

// follow makes the rules those of the switches; if they are others than before,
// the start position is put on the board.
func (s *Server) follow() {
	rules := s.row
	for i := range movegen.Switches {
		if value, ok := s.switches[movegen.Switches[i].Name]; ok {
			rules = rules.With(&movegen.Switches[i], value)
		}
	}
	if rules.Rules != s.board.game.Variant().Rules {
		s.setRules(rules)
	}
}

func (s *Server) setEvalFile(path string) error {
	weights := eval.Default(s.row)
	if path != "" {
		var err error
		if weights, err = eval.Load(s.row, path); err != nil {
			return &CouldNotError{fmt.Errorf("option EvalFile: %w", err)}
		}
	}
	s.weights, s.own = weights, path != ""
	s.engine.Clear()
	return nil
}
