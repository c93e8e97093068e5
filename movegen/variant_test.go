package movegen

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// bookTables are the tables of the rule book, README.md: the cells of each row,
// by the heading of the first column. The ticks of code are left out.
func bookTables(t *testing.T) map[string][][]string {
	t.Helper()
	book, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	tables := make(map[string][][]string)
	heading := ""
	for line := range strings.Lines(string(book)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), "`", "")
		switch {
		case !strings.HasPrefix(line, "|"):
			heading = ""
		case strings.HasPrefix(line, "|---"):
		default:
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			if heading == "" {
				heading = cells[0]
			}
			tables[heading] = append(tables[heading], cells)
		}
	}
	return tables
}

// ourWords leads from the words of the rule book's table of parameters to ours,
// by row: the name of a parameter, and its values where they differ.
var ourWords = map[string]struct {
	name   string
	values map[string]string
}{
	"first":               {"first", nil},
	"directions of steps": {"steps", nil},
	"directions of jumps": {"jumps", nil},
	"piece on the far row": {"far row", map[string]string{
		// What jumps are left there follows from the directions.
		"never steps, jumps sideways only":     "no steps",
		"never steps, jumps in its directions": "no steps",
	}},
	"capture compulsory":      {"capture", map[string]string{"yes": "compulsory", "yes, by huffing": "by huffing"}},
	"most pieces (*maximum*)": {"maximum", nil},
	// In brackets: which piece goes if huffing is turned on.
	"huffed piece":           {"huffed piece", map[string]string{"(one that could capture)": "one that could capture"}},
	"no return":              {"no return", nil},
	"multi-piece":            {"multi-piece", nil},
	"draw at the repetition": {"repetition", map[string]string{"3rd": "3"}},
	"draw at quiet plies":    {"quiet plies", nil},
	"double block":           {"double block", nil},
}

func TestParametersAreInTheBook(t *testing.T) {
	rows := bookTables(t)["parameter"]
	if len(rows) != 1+len(ourWords) || len(rows[0]) != 6 {
		t.Fatalf("the table of parameters has %d rows: %v", len(rows), rows)
	}
	for column, name := range rows[0][1:] {
		v := mustFind(t, name)
		given := make(map[string]string)
		for _, p := range v.Parameters() {
			given[p.Name] = p.Value
		}
		if given["no backward"] != "no" {
			t.Errorf("%s: the switch NoBackward is %s", name, given["no backward"])
		}
		delete(given, "no backward") // a switch only
		for _, row := range rows[1:] {
			want := strings.TrimSuffix(row[column+1], " (**choice**)")
			ours := ourWords[row[0]]
			if word, ok := ours.values[want]; ok {
				want = word
			}
			if given[ours.name] != want {
				t.Errorf("%s: %s is %q, the book has %q", name, row[0], given[ours.name], want)
			}
			delete(given, ours.name)
		}
		if len(given) > 0 {
			t.Errorf("%s has parameters that the table does not have: %v", name, given)
		}
	}
}

func TestStartsAreInTheBook(t *testing.T) {
	rows := bookTables(t)["variant"]
	if len(rows) != 7 {
		t.Errorf("the table of start positions has %d rows: %v", len(rows), rows)
	}
	for _, row := range rows[1:] {
		for name := range strings.SplitSeq(row[0], ", ") {
			if v := mustFind(t, name); v.Start != row[1] {
				t.Errorf("%s: Start = %q, the book has %q", name, v.Start, row[1])
			}
		}
	}
}

func TestSourcesAreInTheBook(t *testing.T) {
	known := make(map[string]bool)
	for _, row := range bookTables(t)["name"][1:] {
		known[row[0]] = true
	}
	for _, v := range Variants {
		if page, _, _ := strings.Cut(v.Source, ","); !known[page] {
			t.Errorf("%s: the book does not have the source %q", v.Name, page)
		}
	}
}

func TestReasonsAreInTheBook(t *testing.T) {
	var ours, book []string
	for reason := Captured; reason <= Illegal; reason++ {
		ours = append(ours, reason.String())
	}
	for _, row := range bookTables(t)["reason"][1:] {
		book = append(book, row[0])
	}
	if !slices.Equal(ours, book) {
		t.Errorf("the reasons are %v, the book has %v", ours, book)
	}
}

func mustFind(t *testing.T, name string) *Variant {
	t.Helper()
	v, err := FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The parameters of the other families, as sections 3 and 4 have them.
func TestOtherParameters(t *testing.T) {
	for name, want := range map[string]string{
		"fanorona":      "first White, first capture single, vela no, repetition 3, quiet plies 100",
		"fanorona-vela": "first White, first capture single, vela yes, repetition 3, quiet plies 100",
		"fanorona-dimy": "first White, first capture free, vela no, repetition 3, quiet plies 100",
		"fanorona-5x9":  "first White, first capture free, vela no, repetition 3, quiet plies 100",
		"al-manqala":    "first White, skip origin no, repetition 3, quiet plies 100",
	} {
		var words []string
		for _, p := range mustFind(t, name).Parameters() {
			words = append(words, p.Name+" "+p.Value)
		}
		if got := strings.Join(words, ", "); got != want {
			t.Errorf("%s: Parameters = %s, want %s", name, got, want)
		}
	}
}

// The pieces of a side, and boards that the book has no start position of: the
// middle row alternates from the left.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		name, start  string
		white, black int
	}{
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1", 12, 12},
		{"quirkat", "bbbbb/bbbbb/bb1ww/wwwww/wwwww b - 0 1", 12, 12},
		{"fanorona", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1", 22, 22},
		{"fanorona-vela", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1", 22, 22},
		{"fanorona-dimy", "bbbbb/bbbbb/bw1bw/wwwww/wwwww w - 0 1", 12, 12},
		{"fanorona-telo", "bbb/b1w/www w - 0 1", 4, 4},
		{"fanorona-7x3", "bbbbbbb/bwb1wbw/wwwwwww w - 0 1", 10, 10},
		{"fanorona-7x9", "bbbbbbb/bbbbbbb/bbbbbbb/bbbbbbb/bwb1wbw/wwwwwww/wwwwwww/wwwwwww/wwwwwww w - 0 1", 31, 31},
	} {
		v := mustFind(t, c.name)
		if v.Start != c.start {
			t.Errorf("%s: Start = %q, want %q", c.name, v.Start, c.start)
		}
		if got := v.StartPieces(); got != [2]int{c.white, c.black} {
			t.Errorf("%s: StartPieces() = %v, want %d and %d", c.name, got, c.white, c.black)
		}
	}
	if got, want := mustFind(t, "al-manqala").Start, "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1"; got != want {
		t.Errorf("al-manqala: Start = %q, want %q", got, want)
	}
}

// Odd width and height, 3 to 9 each, at most 63 points.
func TestFanoronaSizes(t *testing.T) {
	for w := 1; w <= 11; w++ {
		for h := 1; h <= 11; h++ {
			name := "fanorona-" + Size{w, h}.String()
			v, err := FindVariant(name)
			odd := w%2 == 1 && h%2 == 1 && w >= 3 && h >= 3 && w <= 9 && h <= 9 && w*h <= 63
			if (err == nil) != odd {
				t.Errorf("FindVariant(%q) = %v, %v", name, v, err)
			}
			if err == nil && v.Size != (Size{w, h}) {
				t.Errorf("%s has the size %s", name, v.Size)
			}
		}
	}
}

func TestFindVariant(t *testing.T) {
	for typed, want := range map[string]string{
		"alquerque":     "alquerque",
		"Quirkat":       "quirkat",
		"AL-MANQALA":    "al-manqala",
		"fanorona-9x5":  "fanorona",
		"fanorona-5x5":  "fanorona-dimy",
		"fanorona-3x3":  "fanorona-telo",
		"Fanorona-3X3":  "fanorona-telo",
		"fanorona-5x9":  "fanorona-5x9",
		"fanorona-vela": "fanorona-vela",
	} {
		if got := mustFind(t, typed).Name; got != want {
			t.Errorf("FindVariant(%q) = %s, want %s", typed, got, want)
		}
	}
	for typed, want := range map[string]string{
		"":           `unknown variant "": did you mean `,
		"quircat":    `unknown variant "quircat": did you mean "quirkat"? Known are alquerque, alquerque-bell, `,
		"fanorona-9": `unknown variant "fanorona-9": did you mean "fanorona"? Known are `,
		"al-mancala": `unknown variant "al-mancala": did you mean "al-manqala"? Known are `,
	} {
		if v, err := FindVariant(typed); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("FindVariant(%q) = %v, %v, want the error %s…", typed, v, err, want)
		}
	}
}

// What FindVariant gives is a copy: the table stays.
func TestFindVariantCopies(t *testing.T) {
	mustFind(t, "alquerque").Huffing = true
	if mustFind(t, "alquerque").Huffing {
		t.Error("a change of the copy changed the table")
	}
}

func TestVariantNamesAreUnique(t *testing.T) {
	names := VariantNames()
	slices.Sort(names)
	if once := slices.Compact(slices.Clone(names)); len(once) != len(names) {
		t.Errorf("VariantNames() = %v", names)
	}
}

func TestNearest(t *testing.T) {
	for typed, want := range map[string]string{
		"benhc":  "bench",
		"PERFT":  "perft",
		"perf":   "perft",
		"varian": "variants",
		"q":      "d", // of equally near ones the first
	} {
		if got := Nearest(typed, []string{"bench", "perft", "variants", "d"}); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, typed, want string }{
		{"Huffing", "on", "on"},
		{"huffing", "OFF", "off"},
		{"NoReturn", "Default", "default"},
		{"NoBackward", "true", "on"},
		{"MultiPiece", "False", "off"},
		{"FirstMove", "Single", "single"},
		{"FIRSTMOVE", "free", "free"},
		{"SkipOrigin", "true", "on"},
	} {
		s, ok := FindSwitch(c.name)
		if !ok {
			t.Fatalf("no switch %s", c.name)
		}
		if got, err := s.Canonical(c.typed); got != c.want || err != nil {
			t.Errorf("%s: Canonical(%q) = %q, %v, want %q", c.name, c.typed, got, err, c.want)
		}
	}
	for _, c := range []struct{ name, typed, want string }{
		{"Huffing", "", `switch Huffing: unknown value "", want default, on, off`},
		{"Huffing", "yes", `switch Huffing: unknown value "yes", want default, on, off`},
		{"Huffing", "on ", `switch Huffing: unknown value "on ", want default, on, off`},
		{"FirstMove", "on", `switch FirstMove: unknown value "on", want default, single, free`},
		{"FirstMove", "true", `switch FirstMove: unknown value "true", want default, single, free`},
	} {
		s, _ := FindSwitch(c.name)
		if got, err := s.Canonical(c.typed); err == nil || err.Error() != c.want {
			t.Errorf("%s: Canonical(%q) = %q, %v, want the error %s", c.name, c.typed, got, err, c.want)
		}
	}
	if _, ok := FindSwitch("Huffin"); ok {
		t.Error("FindSwitch knows Huffin")
	}
}

// A switch turns one rule of its family on or off; default leaves it.
func TestWith(t *testing.T) {
	for _, c := range []struct{ variant, name, value, inForce string }{
		{"alquerque", "Huffing", "default", "off"},
		{"alquerque", "Huffing", "on", "on"},
		{"quirkat", "Huffing", "default", "on"},
		{"quirkat", "Huffing", "off", "off"},
		{"alquerque-bell", "NoReturn", "off", "off"},
		{"alquerque-bell", "NoBackward", "on", "on"},
		{"alquerque-bell", "MultiPiece", "on", "on"},
		{"fanorona", "FirstMove", "default", "single"},
		{"fanorona", "FirstMove", "free", "free"},
		{"fanorona-dimy", "FirstMove", "default", "free"},
		{"fanorona-dimy", "FirstMove", "single", "single"},
		{"al-manqala", "SkipOrigin", "on", "on"},
		{"fanorona", "Huffing", "on", "off"}, // of another family
	} {
		v := mustFind(t, c.variant)
		before := v.Rules
		s, _ := FindSwitch(c.name)
		changed := v.With(s, c.value)
		if got := s.InForce(&changed.Rules); got != c.inForce {
			t.Errorf("%s with %s=%s: in force is %s, want %s", c.variant, c.name, c.value, got, c.inForce)
		}
		if v.Rules != before {
			t.Errorf("%s: With changed the variant itself", c.variant)
		}
	}
}

// No backward closes the directions, and only those.
func TestNoBackward(t *testing.T) {
	s, _ := FindSwitch("NoBackward")
	for _, c := range []struct{ variant, value, steps, jumps string }{
		{"alquerque", "on", "forward, sideways", "forward, sideways"},
		{"alquerque", "off", "all", "all"},
		{"alquerque-pritchard", "on", "forward, sideways", "forward, sideways"},
		{"alquerque-pritchard", "off", "forward, sideways", "all"},
		{"alquerque-bell", "off", "forward, sideways", "forward, sideways"},
	} {
		v := mustFind(t, c.variant).With(s, c.value)
		if steps, jumps := v.StepDirections().String(), v.JumpDirections().String(); steps != c.steps || jumps != c.jumps {
			t.Errorf("%s with NoBackward=%s: steps %s, jumps %s, want %s, %s", c.variant, c.value, steps, jumps, c.steps, c.jumps)
		}
	}
}
