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

// TestSamples runs the commands of documents that show what is printed, and compares it but
// for times.
func TestSamples(t *testing.T) {
	examples := filepath.Join("..", "..", "examples")
	for _, c := range []struct {
		page, section string // no section: the whole page
		dir           string // where the commands are given; "": an empty folder
		least         int    // how many samples there are at least
	}{
		{page: "README.md", section: "A first answer", least: 1},
		{page: "docs/certificates.md", least: 3},
		{page: "docs/costs.md", section: "The least cost of edits", least: 1},
		{page: "docs/molecules.md", section: "A series, step by step", dir: filepath.Join(examples, "molecules"), least: 4},
		{page: "docs/molecules.md", section: "R-groups", dir: filepath.Join(examples, "molecules"), least: 2},
		{page: "docs/spaces.md", dir: filepath.Join(examples, "spaces"), least: 4},
		{page: "docs/programs.md", dir: filepath.Join(examples, "programs"), least: 4},
	} {
		t.Run(c.page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", c.page))
			if err != nil {
				t.Fatal(err)
			}
			part := string(text)
			if c.section != "" {
				_, part, _ = strings.Cut(part, "\n## "+c.section+"\n")
				part, _, _ = strings.Cut(part, "\n## ")
			}
			dir := c.dir
			if dir == "" {
				dir = t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, "dear.json"), []byte(`{"edge_substitute": 3}`), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			compared := 0
			for _, s := range samples(part) {
				got := outputOf(t, dir, s.command)
				if s.output == "" {
					continue
				}
				compared++
				// Three dots stand for anything.
				left := got
				for piece := range strings.SplitSeq(s.output, "\n...\n") {
					_, rest, found := strings.Cut(left, tidy(piece))
					if !found {
						t.Fatalf("%s prints\n%s\nand the page has\n%s", s.command, got, s.output)
					}
					left = rest
				}
				if !strings.Contains(s.output, "\n...\n") && got != tidy(s.output) {
					t.Errorf("%s prints\n%s\nand the page has\n%s", s.command, got, s.output)
				}
			}
			if compared < c.least {
				t.Errorf("%d samples, want at least %d", compared, c.least)
			}
		})
	}
}

// shown is a command of a document and what it prints; "" if the document does not show it.
type shown struct{ command, output string }

// samples returns the commands of a text, and what is shown after each: the rest of its
// block or, where it has none, the next block, be it behind a sentence.
func samples(text string) []shown {
	var list []shown
	open := false // for output of the last command
	for line := range strings.Lines(text) {
		indented, is := strings.CutPrefix(line, "    ")
		command, commanded := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(indented, "$ "), "go run ./cmd/"), "greed ")
		switch {
		case is && commanded:
			command, _, _ = strings.Cut(command, "  #")
			if open = !strings.HasPrefix(command, "serve"); open { // that does not end
				list = append(list, shown{command: strings.TrimSpace(command)})
			}
		case open && (is || line == "\n"):
			list[len(list)-1].output += strings.TrimPrefix(line, "    ")
		case open && strings.TrimSpace(list[len(list)-1].output) != "":
			open = false
		}
	}
	for i := range list {
		list[i].output = strings.TrimSpace(list[i].output)
	}
	return list
}

// outputOf returns what a command prints, tidied.
func outputOf(t *testing.T, dir, command string) string {
	t.Helper()
	var args []string
	for i, part := range strings.Split(command, `"`) {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	run := exec.CommandContext(t.Context(), "greed", args...)
	run.Dir = dir
	var out bytes.Buffer
	run.Stdout = &out
	var status *exec.ExitError
	if err := run.Run(); err != nil && !(errors.As(err, &status) && status.ExitCode() == differs && args[0] == "diff") {
		t.Fatalf("%s: %v", command, err)
	}
	return tidy(out.String())
}

var (
	// chance is what of an output may differ from run to run: times, and what depends on
	// which of two workers was first.
	chance = regexp.MustCompile(`\b\d+(\.\d+)?(ns|µs|ms|s)\b|\b\d+ pairs\b|at least \d+ more`)
	blanks = regexp.MustCompile(`(?m) +$`)
)

// tidy returns a text without what differs by chance, and without blanks at the ends of
// lines.
func tidy(text string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(chance.ReplaceAllString(text, "N"), ""))
}
