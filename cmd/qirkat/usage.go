package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qirkat/movegen"
)

// usageError is wrong use: bad words, flags or values.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// usage makes a usageError: what is wrong, and what would be right.
func usage(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// flagError says in one line which flag is wrong and what would be right.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown) && isDigits(unknown.GetSpecifiedName()):
		return usage("-%s: a negative number has no place here", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return usage("unknown flag %s, did you mean --%s?", dashed(unknown), nearestFlag(cmd, unknown.GetSpecifiedName()))
	case errors.As(err, &missing):
		return usage("flag --%s: a value is missing, want %s", missing.GetFlag().Name, wanted(missing.GetFlag()))
	case errors.As(err, &invalid):
		return usage("flag --%s %q: want %s", invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid.GetFlag()))
	}
	return &usageError{err}
}

// dashed is an unknown flag as it was typed.
func dashed(e *pflag.NotExistError) string {
	if e.GetSpecifiedShortnames() != "" {
		return "-" + e.GetSpecifiedName()
	}
	return "--" + e.GetSpecifiedName()
}

// nearestFlag is the flag that begins like a name, or else the one with the
// fewest edits from it.
func nearestFlag(cmd *cobra.Command, name string) string {
	var names, alike []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names = append(names, f.Name)
		if strings.HasPrefix(f.Name, name) {
			alike = append(alike, f.Name)
		}
	})
	if alike != nil {
		return alike[0]
	}
	return movegen.Nearest(name, names)
}

// wanted says what a flag takes.
func wanted(f *pflag.Flag) string {
	if v, ok := f.Value.(interface{ Wants() string }); ok {
		return v.Wants()
	}
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "uint64":
		return "a whole number from 0"
	}
	return "a text"
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// arguments checks the number of arguments, by the names in the usage line.
func arguments(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return usage("%s is missing", names[len(args)])
		}
		if len(args) > len(names) {
			return usage("unexpected argument %q, want %s", args[len(names)], argumentList(names))
		}
		return nil
	}
}

func argumentList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// number is a flag, or an argument, that takes a whole number of a range.
type number struct {
	value       *int
	least, most int
}

func (n number) String() string {
	if n.value == nil || *n.value == 0 {
		return ""
	}
	return strconv.Itoa(*n.value)
}

// Set reads the number.
func (n number) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < n.least || v > n.most {
		return fmt.Errorf("%q: want %s", text, n.Wants())
	}
	*n.value = v
	return nil
}

// Type is the word for the value in help.
func (number) Type() string { return "N" }

// Wants says what would be right.
func (n number) Wants() string { return fmt.Sprintf("a whole number from %d to %d", n.least, n.most) }

// thinkingTime is a flag that takes a time: milliseconds, or a number with a unit.
type thinkingTime struct{ value *time.Duration }

func (t thinkingTime) String() string {
	if t.value == nil || *t.value == 0 {
		return ""
	}
	return t.value.String()
}

// Set reads the time.
func (t thinkingTime) Set(text string) error {
	v, err := time.ParseDuration(text)
	if ms, notNumber := strconv.ParseUint(text, 10, 31); notNumber == nil {
		v, err = time.Duration(ms)*time.Millisecond, nil
	}
	if err != nil || v <= 0 {
		return fmt.Errorf("%q: want %s", text, t.Wants())
	}
	*t.value = v
	return nil
}

// Type is the word for the value in help.
func (thinkingTime) Type() string { return "TIME" }

// Wants says what would be right.
func (thinkingTime) Wants() string { return "milliseconds or a time with a unit, such as 500 or 2s" }

// text is a flag that takes a text which is not empty.
type text struct {
	value *string
	wants string
}

func (t text) String() string {
	if t.value == nil {
		return ""
	}
	return *t.value
}

// Set takes the text.
func (t text) Set(value string) error {
	if value == "" {
		return fmt.Errorf("%q: want %s", value, t.wants)
	}
	*t.value = value
	return nil
}

// Type is the word for the value in help.
func (text) Type() string { return "TEXT" }

// Wants says what would be right.
func (t text) Wants() string { return t.wants }

// oneOf is a flag that takes one word of a list.
type oneOf struct {
	value *string
	words []string
}

func (o oneOf) String() string {
	if o.value == nil {
		return ""
	}
	return *o.value
}

// Set reads the word.
func (o oneOf) Set(text string) error {
	for _, w := range o.words {
		if w == text {
			*o.value = w
			return nil
		}
	}
	return fmt.Errorf("%q: want %s", text, o.Wants())
}

// Type is the word for the value in help.
func (oneOf) Type() string { return "WORD" }

// Wants says what would be right.
func (o oneOf) Wants() string { return strings.Join(o.words, ", ") }

// changedFlags are the names of the flags that were typed.
func changedFlags(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
