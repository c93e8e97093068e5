package eval

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"qirkat/movegen"
)

// Weights are the weights of one variant, by feature.
type Weights struct {
	family *family
	name   string
	values counts // centipieces, in the order of the family's table

	patterns *patterns // of the variant; nil: there are none
}

// Name says which file the weights come from, and whether it is embedded.
func (w *Weights) Name() string { return w.name }

const (
	maxWeight = 5000    // centipieces: 50 pieces for a count of one. Chosen
	maxFile   = 1 << 18 // bytes of a weights file; ours have a few thousand. Chosen
)

//go:embed weights/*.toml
var files embed.FS

// Default are the embedded weights of a variant: those of the file with its
// name, else the ones that its family shares (sizes of Fanorona without a file
// of their own have those of the 9×5 board).
func Default(v *movegen.Variant) *Weights {
	name := "weights/" + strings.ToLower(v.Name) + ".toml"
	text, err := files.ReadFile(name)
	if err != nil {
		name = "weights/" + familyOf(v).shared + ".toml"
		text, err = files.ReadFile(name)
	}
	if err != nil {
		panic("eval: " + err.Error())
	}
	w, err := parse(v, name, text)
	if err != nil {
		panic("eval: " + err.Error())
	}
	w.name = path.Base(name) + " (embedded)"
	return w
}

// Load reads the weights of a variant from a file of lines "feature = weight".
// Unknown and missing features, weights out of range and errors of syntax are
// errors that name them; a file that is not a regular one, or a huge one, is
// refused.
func Load(v *movegen.Variant, path string) (*Weights, error) {
	// Asked before opening: opening a pipe would wait for its other end.
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("weights: %s: want a regular file, not %s", path, kind(info.Mode()))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("weights: %w", err)
	case len(text) > maxFile:
		return nil, fmt.Errorf("weights: %s: file is longer than %d bytes", path, maxFile)
	}
	return parse(v, path, text)
}

func kind(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&os.ModeNamedPipe != 0:
		return "a pipe"
	case m&os.ModeDevice != 0:
		return "a device"
	}
	return "a special one"
}

// parse reads the text of a weights file; name says where it comes from. All
// that is wrong with its keys and weights is told at once.
func parse(v *movegen.Variant, name string, text []byte) (*Weights, error) {
	var read map[string]int64
	if err := toml.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("weights: %s: %w", name, at(err))
	}
	f := familyOf(v)
	w := &Weights{family: f, name: name, patterns: patternsOf(v)}
	var missing, outside []string
	for i, feature := range f.features {
		value, ok := read[feature.Name]
		delete(read, feature.Name)
		switch {
		case !ok:
			missing = append(missing, feature.Name)
		case value < -maxWeight || value > maxWeight:
			outside = append(outside, fmt.Sprintf("%s = %d", feature.Name, value))
		}
		w.values[i] = int32(value)
	}
	var wrong []string
	note := func(what string, keys []string) {
		if keys != nil {
			wrong = append(wrong, what+" "+strings.Join(keys, ", "))
		}
	}
	note("unknown:", slices.Sorted(maps.Keys(read)))
	note("missing:", missing)
	note(fmt.Sprintf("outside -%d to %d:", maxWeight, maxWeight), outside)
	if wrong != nil {
		return nil, fmt.Errorf("weights: %s: features of %s: %s", name, v.Name, strings.Join(wrong, "; "))
	}
	return w, nil
}

// at puts the line and column before an error of the parser.
func at(err error) error {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return err
	}
	line, column := decode.Position()
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}
