package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// inTerminal returns what a line of a shell shows in a terminal once it has ended.
func inTerminal(t *testing.T, columns uint16, bin, dir string, env []string, line string) string {
	t.Helper()
	x := openTerminal(t, columns, bin, dir, env, "sh", "-c", line+"; echo the end")
	return strings.ReplaceAll(x.shows("the end\r\n"), "\r\n", "\n")
}

// large is a molecule whose nearest in the bundled collection take minutes to prove.
const large = "CCC1C(C(C(N(CC(CC(C(C(C(C(C(=O)O1)C)OC2CC(C(C(O2)C)O)(C)OC)C)OC3C(C(CC(O3)C)N(C)C)O)(C)O)C)C)C)O)(C)O"

// TestCtrlC: a search that is interrupted in a terminal prints what it knows, and exits with 1.
func TestCtrlC(t *testing.T) {
	t.Parallel()
	x := openTerminal(t, 100, onPath(t), t.TempDir(), nil,
		"sh", "-c", "trap : INT; greed search '"+large+"' --time-limit 1h; echo the code is $?")
	x.shows("of 80 candidates checked")
	x.press("\x03", "nearest found", "open: stopped before all was proven", "the code is 1\r\n")
}

// TestPipesEnd: a reader that has enough ends a command without a word.
func TestPipesEnd(t *testing.T) {
	t.Parallel()
	bin := onPath(t)
	for _, line := range []string{
		"greed --help", "greed search CCO -k 2000", "greed search CCO -k 2000 --json",
		"greed dataset convert bundled --to smiles",
		"greed dataset convert bundled --to ndjson", "greed join bundled --radius 1 --json", "greed completion bash",
	} {
		command := exec.CommandContext(t.Context(), "sh", "-c", line+" | head -n 1")
		command.Dir = t.TempDir()
		command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		var said strings.Builder
		command.Stderr = &said
		out, err := command.Output()
		if err != nil || strings.Count(string(out), "\n") != 1 || said.Len() > 0 {
			t.Errorf("%s | head -n 1: %q, error %v, and %q on standard error", line, out, err, said.String())
		}
	}
}

// TestNarrowHelp: in 60 columns no line of any help is longer, its commands can be copied, and no word is lost.
func TestNarrowHelp(t *testing.T) {
	bin, dir := onPath(t), t.TempDir()
	continued := regexp.MustCompile(` \\\n +`)
	model := newParser(new(commands)).Model
	for _, n := range append(model.Leaves(true), model.Node) {
		t.Run(n.FullPath(), func(t *testing.T) {
			t.Parallel()
			text := inTerminal(t, 60, bin, dir, nil, n.FullPath()+" --help")
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); utf8.RuneCountInString(line) > 60 && strings.Contains(line, " ") {
					t.Errorf("%q has %d columns", line, utf8.RuneCountInString(line))
				}
			}
			text = strings.Join(strings.Fields(continued.ReplaceAllString(text, " ")), " ")
			for word := range strings.FieldsSeq(n.Detail) {
				_, rest, found := strings.Cut(text, word)
				if !found {
					t.Fatalf("%q is missing in the rest, %.100q", word, text)
				}
				text = rest
			}
		})
	}
}

// TestNarrowAnswers: in 60 columns sentences are broken between words, and a table that is too wide is written cell
// by cell.
func TestNarrowAnswers(t *testing.T) {
	bin, dir := onPath(t), t.TempDir()
	text := inTerminal(t, 60, bin, dir, nil, "greed search aspirin -k 3 --no-progress 2>notes")
	table := regexp.MustCompile(`^ +(\d+ +[\d.]+ +[\d.]+ +\w+  \S+|GED .*)$`)
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 60 && !table.MatchString(line) {
			t.Errorf("%q has %d columns", line, utf8.RuneCountInString(line))
		}
	}
	if !strings.Contains(text, "\nevery edit costs 1; charges, isotopes, hydrogens and\n  stereochemistry are not ") {
		t.Errorf("the terms are not broken in %s", text)
	}
	chain := strings.Repeat("C", 60)
	series := "Cc1ccc(" + chain + ")cc1 a\nOc1ccc(" + chain + ")cc1 b\nCc1cc(O)ccc1 c\n"
	if err := os.WriteFile(filepath.Join(dir, "series.smi"), []byte(series), 0o600); err != nil {
		t.Fatal(err)
	}
	sar := "greed sar c1ccccc1 series.smi"
	cells := regexp.MustCompile(`\n  id a\n    R1  .*\n    R2  .*\n`)
	if text := inTerminal(t, 60, bin, dir, nil, sar); !cells.MatchString(text) {
		t.Errorf("the groups of a molecule are not one below the other in %s", text)
	}
	if text := inTerminal(t, 400, bin, dir, nil, sar); !regexp.MustCompile(`\n +id +R1 .* SMILES\n`).MatchString(text) {
		t.Errorf("no table in a wide terminal: %s", text)
	}
}

// TestColours: a terminal that can show colours gets them, and nothing else does.
func TestColours(t *testing.T) {
	bin, dir := onPath(t), t.TempDir()
	for name, text := range map[string]string{
		"old.json": `{"id": "a", "nodes": [{"label": "x"}], "edges": []}`,
		"new.json": `{"id": "a", "nodes": [{"label": "y"}], "edges": []}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	diff := "greed diff old.json new.json"
	for _, c := range []struct {
		env      []string
		line     string
		coloured bool
	}{
		{nil, diff, true},
		{nil, diff + " | cat", false},
		{nil, diff + " >file; cat file", false},
		{[]string{"NO_COLOR=1"}, diff, false},
		{[]string{"TERM=dumb"}, diff, false},
		// What takes longer than a moment shows its progress, which TERM=dumb could not replace.
		{nil, "greed search '" + large + "' --time-limit 1s", true},
		{[]string{"TERM=dumb"}, "greed search '" + large + "' --time-limit 1s", false},
		{nil, "greed search '" + large + "' --time-limit 1s 2>&1 | cat", false},
	} {
		if text := inTerminal(t, 100, bin, dir, c.env, c.line); strings.Contains(text, "\x1b") != c.coloured {
			t.Errorf("%v %s shows %q", c.env, c.line, text)
		}
	}
}
