package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/lab/testing/growth"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/part"
)

// mostArguments is how many bytes of arguments a system takes at least that has the usual stack, and
// longestArgument those of one.
const mostArguments, longestArgument = 2 << 20, 100 << 10

// usualArguments are what commands need besides the flag that grows. An argument of a command line takes the place of
// the one at its position.
var usualArguments = map[string]struct {
	positions []string
	flags     map[string]string
}{
	"search":          {[]string{"CCO", "mols.csv"}, nil},
	"ged":             {[]string{"CCO", "CCN"}, nil},
	"sed":             {[]string{"CCO", "CCN"}, nil},
	"diff":            {[]string{"CCO", "CCN"}, nil},
	"mcs":             {[]string{"CCO", "CCN"}, nil},
	"verify":          {[]string{"mols.csv"}, nil},
	"truth":           {[]string{"mols.csv", "mols.csv"}, map[string]string{"out": "t.out"}},
	"join":            {[]string{"mols.csv", "mols.csv"}, map[string]string{"radius": "1"}},
	"cliffs":          {[]string{"mols.csv"}, map[string]string{"attribute": "a"}},
	"sar":             {[]string{"CO", "mols.csv"}, nil},
	"merge":           {[]string{"mols.csv"}, map[string]string{"out": "m.out"}},
	"train":           {[]string{"mols.csv"}, map[string]string{"out": "m.st", "steps": "1", "max-pairs": "2"}},
	"index build":     {[]string{"mols.csv"}, map[string]string{"out": "i.index"}},
	"index add":       {[]string{"none.index", "mols.csv"}, nil},
	"index sync":      {[]string{"none.index", "none"}, nil},
	"index delete":    {[]string{"none.index", "x"}, nil},
	"index info":      {[]string{"none.index"}, nil},
	"index check":     {[]string{"none.index"}, nil},
	"index compact":   {[]string{"none.index"}, nil},
	"index snapshot":  {[]string{"none.index"}, map[string]string{"out": "s.index"}},
	"index export":    {[]string{"none.index"}, map[string]string{"out": "e.smi"}},
	"index reembed":   {[]string{"none.index", "bundled:ged"}, nil},
	"serve":           {[]string{"mols.csv"}, map[string]string{"listen": "256.0.0.0:1"}}, // which cannot be
	"mcp":             {[]string{"mols.csv"}, nil},
	"calibrate":       {[]string{"mols.csv"}, map[string]string{"model": "bundled:ged", "out": "c.st"}},
	"eval":            {[]string{"mols.csv"}, map[string]string{"predictions": "mols.csv"}},
	"embed":           {[]string{"bundled:ged", "mols.csv"}, map[string]string{"out": "e.npy"}},
	"predict":         {[]string{"bundled:ged", "CCO", "CCN"}, nil},
	"dataset info":    {[]string{"mols.csv"}, nil},
	"dataset convert": {[]string{"mols.csv"}, map[string]string{"to": "ndjson"}},
	"dataset sample":  {[]string{"mols.csv"}, map[string]string{"to": "ndjson"}},
	"dataset split":   {[]string{"mols.csv"}, map[string]string{"out": "split.json"}},
	"dataset check":   {[]string{"mols.csv"}, nil},
	"pipe":            {},
	"version":         {},
	"completion":      {[]string{"bash"}, nil},
	"complete":        {[]string{"search"}, nil},
	"man":             {[]string{"man"}, nil},
}

// grownValues returns what makes a value of a type grow: words of a command line, of which each has the flag before
// it if there is one.
func grownValues(t reflect.Type) map[string]func(n int) []string {
	one := func(make func(n int) string) func(n int) []string {
		return func(n int) []string { return []string{make(n)} }
	}
	list := func(item, between string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				if b.WriteString(between[:min(i, len(between))]); strings.Contains(item, "%") {
					fmt.Fprintf(&b, item, i)
				} else {
					b.WriteString(item)
				}
			}
			return b.String()
		}
	}
	many := func(item string) func(n int) []string {
		return func(n int) []string { return strings.Fields(list(item, " ")(n)) }
	}
	switch t {
	case reflect.TypeFor[operation.Costs]():
		return map[string]func(n int) []string{
			"members": one(func(n int) string { return "{" + list(`"m%d":1`, ",")(n) + "}" }), "name": one(list("a", "")),
		}
	case reflect.TypeFor[operation.Pairs]():
		return map[string]func(n int) []string{"pairs": one(list("%d:%[1]d", ",")), "length": one(list("1", ""))}
	case reflect.TypeFor[part.Share]():
		return map[string]func(n int) []string{"length": one(list("1", ""))}
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]func(n int) []string{
			"length": one(list("a", "")), "items": one(list("a%d", ",")), "alternatives": one(list("a%d", "|")),
			"brackets": one(list("(", "")),
		}
	case reflect.Map:
		return map[string]func(n int) []string{"keys": many("k%d=0.5"), "length": one(list("a", ""))}
	case reflect.Slice:
		item := "a>%d"
		if t.Elem().Kind() != reflect.String {
			item = "%d"
		}
		return map[string]func(n int) []string{"number": many(item), "length": one(list("1", "")), "items": one(list(item, ","))}
	}
	return nil // numbers and switches do not grow
}

// TestGrowth: the work of every command grows in proportion to each of its arguments and flags alone.
func TestGrowth(t *testing.T) {
	if !growth.Whole() {
		t.Skip("starting the program takes longer than what a small argument costs: README.md names the command")
	}
	t.Chdir(t.TempDir())
	table := "id,smiles,a\nx,CCO,1\ny,CCN,2\nz,CCOC,3\n"
	if err := os.WriteFile("mols.csv", []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	in, out, messages := os.Stdin, os.Stdout, os.Stderr
	os.Stdin, os.Stdout, os.Stderr = nothing, nothing, nothing
	t.Cleanup(func() {
		os.Stdin, os.Stdout, os.Stderr = in, out, messages
		_ = nothing.Close() // a command may have closed its output
	})
	var cases []growth.Case
	for _, command := range newParser(&commands{}).Model.Leaves(false) {
		name := strings.TrimPrefix(command.FullPath(), "greed ")
		usual, known := usualArguments[name]
		if !known {
			t.Errorf("%s: nothing says what it needs", name)
		}
		add := func(of string, kind reflect.Type, position int) {
			for element, make := range grownValues(kind) {
				room := mostArguments
				if len(make(64)) == 1 {
					room = longestArgument
				}
				size := len(strings.Join(make(64), " "))
				most := 64 * room / size
				if position < 0 && len(make(64)) > 1 {
					most = min(most, mostFlags)
				}
				cases = append(cases, growth.Case{Element: name + ": " + of + ": " + element, Most: most, Make: func(n int) func() {
					args := argumentsOf(name, usual.positions, usual.flags, of, position, make(n))
					return func() {
						run(t.Context(), args)
						clearFolder(t)
					}
				}})
			}
		}
		for i, p := range command.Positional {
			add(p.Summary(), p.Target.Type(), i)
		}
		for _, group := range command.AllFlags(false) {
			for _, f := range group {
				if f.Enum == "" {
					add("--"+f.Name, f.Target.Type(), -1)
				}
			}
		}
	}
	growth.Run(t, cases)
}

// argumentsOf returns the words of a command line whose flag, or argument at a position, has grown values.
func argumentsOf(command string, positions []string, flags map[string]string, flag string, position int,
	values []string) []string {
	args := append(strings.Fields(command), "--workers=1")
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if "--"+name != flag {
			args = append(args, "--"+name+"="+flags[name])
		}
	}
	if position < 0 {
		for _, v := range values {
			args = append(args, flag+"="+v)
		}
		return append(append(args, "--"), positions...)
	}
	args = append(append(args, "--"), positions[:min(position, len(positions))]...)
	args = append(args, values...)
	return append(args, positions[min(position+1, len(positions)):]...)
}

// clearFolder removes what a command wrote.
func clearFolder(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		if e.Name() != "mols.csv" {
			if err := os.RemoveAll(filepath.Join(".", e.Name())); err != nil {
				t.Error(err)
			}
		}
	}
}
