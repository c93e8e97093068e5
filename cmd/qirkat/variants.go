package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"qirkat/movegen"
)

func newVariants() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "variants",
		Short: "List the variants with their rules and where those come from",
		Args:  arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), variantList())
			}
			_, err := io.WriteString(cmd.OutOrStdout(), variantTables())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with start positions and switches")
	return cmd
}

// writeJSON prints a value for machines.
func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// variantEntry is a variant as JSON tells it.
type variantEntry struct {
	Name       string            `json:"name"`
	Family     string            `json:"family"`
	Width      int               `json:"width"`
	Height     int               `json:"height"`
	Start      string            `json:"start"`
	Source     string            `json:"source"`
	Parameters map[string]string `json:"parameters"`
	Switches   []switchEntry     `json:"switches"`
}

type switchEntry struct {
	Name    string   `json:"name"`
	Default string   `json:"default"`
	Values  []string `json:"values"`
	Help    string   `json:"help"`
}

func variantList() []variantEntry {
	var list []variantEntry
	for _, v := range movegen.Variants {
		e := variantEntry{
			Name: v.Name, Family: string(v.Family), Width: v.Size.W, Height: v.Size.H,
			Start: v.Start, Source: v.Source, Parameters: map[string]string{},
		}
		for _, p := range v.Parameters() {
			e.Parameters[p.Name] = p.Value
		}
		for _, s := range movegen.Switches {
			if s.Family == v.Family {
				e.Switches = append(e.Switches, switchEntry{s.Name, s.InForce(&v.Rules), s.Values, s.Help})
			}
		}
		list = append(list, e)
	}
	return list
}

// variantTables is a Markdown table per family. README.md holds the same text.
func variantTables() string {
	var families []movegen.Family
	rows := map[movegen.Family][][]string{}
	for _, v := range movegen.Variants {
		titles, row := []string{"variant", "board"}, []string{v.Name, v.Size.String()}
		for _, p := range v.Parameters() {
			titles, row = append(titles, p.Name), append(row, p.Value)
		}
		titles, row = append(titles, "source"), append(row, v.Source)
		if !slices.Contains(families, v.Family) {
			families = append(families, v.Family)
			rows[v.Family] = [][]string{titles}
		}
		rows[v.Family] = append(rows[v.Family], row)
	}
	var tables []string
	for _, f := range families {
		table := rows[f]
		if len(table) < len(table[0]) { // more rules than variants: a row per rule
			table = turned(table)
		}
		tables = append(tables, markdown(table))
	}
	return strings.Join(tables, "\n")
}

// turned swaps rows and columns.
func turned(table [][]string) [][]string {
	t := make([][]string, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			t[i] = append(t[i], cell)
		}
	}
	return t
}

// markdown draws a table, its first row the titles.
func markdown(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rule := make([]string, len(widths))
	for i, w := range widths {
		rule[i] = strings.Repeat("-", w)
	}
	var text strings.Builder
	for _, row := range slices.Insert(slices.Clone(table), 1, rule) {
		for i, cell := range row {
			fmt.Fprintf(&text, "| %-*s ", widths[i], cell)
		}
		text.WriteString("|\n")
	}
	return text.String()
}
