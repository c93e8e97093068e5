package match

import (
	"fmt"
	"strings"

	"qirkat/movegen"
)

// ParseRules reads a variant with rule switches behind its name, as in
// "quirkat Huffing=off". The text it gives has the switches as they are spelled
// in the rule book.
func ParseRules(text string) (v *movegen.Variant, canonical string, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, "", fmt.Errorf("variant %q: want the name of a variant", text)
	}
	if v, err = movegen.FindVariant(words[0]); err != nil {
		return nil, "", err
	}
	canonical = v.Name
	var known []string
	for _, s := range movegen.Switches {
		if s.Family == v.Family {
			known = append(known, s.Name)
		}
	}
	for _, word := range words[1:] {
		name, value, found := strings.Cut(word, "=")
		s, ok := movegen.FindSwitch(name)
		switch {
		case !found || !ok:
			return nil, "", fmt.Errorf("variant %q: no rule switch %q, want Name=value with %s", text, word, strings.Join(known, ", "))
		case s.Family != v.Family:
			return nil, "", fmt.Errorf("variant %q: %s is not a switch of %s, which has %s", text, s.Name, v.Name, strings.Join(known, ", "))
		}
		if value, err = s.Canonical(value); err != nil {
			return nil, "", fmt.Errorf("variant %q: %w", text, err)
		}
		v = v.With(s, value)
		canonical += " " + s.Name + "=" + value
	}
	return v, canonical, nil
}

// RuleOptions are the options of an engine that lead from one set of rules to
// another, as names and values in the order in which they are to be sent: the
// variant, then its switches, those of the old rules set back. The old rules
// are those that RuleOptions was last asked for, or empty.
func RuleOptions(old, rules string) [][2]string {
	words := strings.Fields(rules)
	list := [][2]string{{variantOption, words[0]}}
	set := map[string]bool{}
	for _, word := range words[1:] {
		name, _, _ := strings.Cut(word, "=")
		set[name] = true
	}
	if before := strings.Fields(old); len(before) > 1 {
		for _, word := range before[1:] {
			if name, _, _ := strings.Cut(word, "="); !set[name] {
				list = append(list, [2]string{name, movegen.DefaultValue})
			}
		}
	}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		list = append(list, [2]string{name, value})
	}
	return list
}
