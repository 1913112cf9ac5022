package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// duration is a time in an output, which is another every time.
var duration = regexp.MustCompile(`\b\d+(\.\d+)?(ns|µs|ms|s)\b`)

// TestMoleculesPage runs the commands in the section of docs/molecules.md that walks through
// a series, and compares what they print.
func TestMoleculesPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "molecules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, walk, _ := strings.Cut(string(page), "\n## A series, step by step\n")
	walk, _, found := strings.Cut(walk, "\n## ")
	if !found {
		t.Fatal("the section is not there")
	}
	commands := 0
	var command, want string
	check := func() {
		if command == "" {
			return
		}
		commands++
		var args []string
		for i, part := range strings.Split(command, `"`) {
			if i%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		run := exec.CommandContext(t.Context(), args[0], args[1:]...)
		run.Dir = filepath.Join("..", "..", "examples", "molecules")
		var out bytes.Buffer
		run.Stdout = &out
		var status *exec.ExitError
		if err := run.Run(); err != nil && !(errors.As(err, &status) && status.ExitCode() == differs && args[1] == "diff") {
			t.Fatalf("%s: %v", command, err)
		}
		got, want := strings.TrimSpace(out.String()), strings.TrimSpace(want)
		if got, want := duration.ReplaceAllString(got, "TIME"), duration.ReplaceAllString(want, "TIME"); got != want {
			t.Errorf("%s prints\n%s\nand the page has\n%s", command, got, want)
		}
	}
	for line := range strings.Lines(walk + "\n.\n") {
		text, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && strings.HasPrefix(text, "greed "):
			command, want = strings.TrimSpace(text), ""
		case indented || line == "\n":
			want += text
		default:
			check()
			command = ""
		}
	}
	if commands != 4 {
		t.Errorf("the section has %d commands", commands)
	}
}
