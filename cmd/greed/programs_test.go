package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestProgramsPage runs the commands of docs/programs.md and compares what they print. A
// command and its output are indented, with an empty line between.
func TestProgramsPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs(filepath.Join("..", "..", "examples", "programs"))
	if err != nil {
		t.Fatal(err)
	}
	var script, files strings.Builder
	commands, inside := 0, false
	script.WriteString("cd $PROGRAMS\n")
	for line := range strings.Lines(string(page)) {
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && strings.HasPrefix(text, "greed "):
			if commands, inside = commands+1, true; strings.Contains(text, "truth-1.dot truth-1.dot") {
				script.WriteString("exec " + text)
			} else {
				script.WriteString("! exec " + text) // exit code 1: they differ
			}
			fmt.Fprintf(&script, "cmp stdout $WORK/%d\n! stderr .\n", commands)
			fmt.Fprintf(&files, "-- %d --", commands)
		case inside && indented:
			files.WriteString(text)
		case inside && line == "\n":
			files.WriteString(line)
		default:
			inside = false
		}
	}
	if commands < 4 {
		t.Fatalf("the page has %d commands", commands)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.txtar"), []byte(script.String()+tidy(files.String())), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(env *testscript.Env) error {
		env.Setenv("PROGRAMS", data)
		return nil
	}})
}

// tidy drops the empty lines around each output.
func tidy(files string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(files, "-- ") {
		if name, text, ok := strings.Cut(part, " --"); ok {
			out.WriteString("-- " + name + " --\n" + strings.Trim(text, "\n") + "\n")
		}
	}
	return out.String()
}
