package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sampled are the parts of documents whose commands are run, in the order of the text.
var sampled = []struct {
	page, section string // no section: the whole page
	dir           string // where the commands are given, in a copy of examples; "": a folder of the files below
	least         int    // how many samples there are at least
}{
	{page: "README.md", section: "A first answer", least: 1},
	{page: "docs/certificates.md", least: 3},
	{page: "docs/costs.md", section: "The least cost of edits", least: 1},
	{page: "docs/design.md", least: 1},
	{page: "docs/molecules.md", section: "A series, step by step", dir: "molecules", least: 4},
	{page: "docs/molecules.md", section: "R-groups", dir: "molecules", least: 2},
	{page: "docs/molecules.md", section: "A measured series, from SDF to SDF", dir: "molecules", least: 6},
	{page: "docs/molecules.md", section: "Patterns", dir: "molecules", least: 1},
	{page: "docs/spaces.md", dir: "spaces", least: 4},
	{page: "docs/programs.md", dir: "programs", least: 4},
}

// files are those that samples name and that are no examples.
var files = map[string]string{
	"mols.smi": "CCO ethanol\nCCN ethylamine\nCC(=O)O acetic acid\nc1ccccc1O phenol\nCCCO propanol\n",
}

// notSampled are commands behind which a document shows something else than what they print.
var notSampled = map[string]string{
	"greed train pubmed.txt --task sed --max-pairs 200000 --steps 5000":   "another command",
	"greed train models/ --costs durations.json":                          "what other commands refuse",
	"greed merge pairs-1.part pairs-2.part -o pairs.parquet":              "a job of Kubernetes",
	"greed search queries.tve parts -k 10 --time-limit none -o parts.csv": "another command",
	"greed search QUERIES bundled":                                        "how to install the Python package",
}

// TestSamplesAreRun: whatever command a document shows with its output is one that TestSamples runs.
func TestSamplesAreRun(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	left := maps.Clone(notSampled)
	for _, path := range append(pages, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		run := make(map[string]bool)
		page := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
		for _, c := range sampled {
			if c.page == page {
				for _, s := range samples(sectionOf(string(text), c.section)) {
					run[s.command] = true
				}
			}
		}
		for _, s := range samples(string(text)) {
			if s.output == "" || run[s.command] {
				continue
			}
			name := "greed " + remark.ReplaceAllString(s.command, "")
			if notSampled[name] == "" {
				t.Errorf("%s: the output of %s is compared with nothing: add its section to sampled", page, name)
			}
			delete(left, name)
		}
	}
	for name := range left {
		t.Errorf("no document has %s", name)
	}
}

// remark matches what stands behind a command.
var remark = regexp.MustCompile(`\s{2,}.*`)

// sectionOf returns a section of a page, or all of it.
func sectionOf(text, section string) string {
	if section == "" {
		return text
	}
	_, part, _ := strings.Cut(text, "\n## "+section+"\n")
	part, _, _ = strings.Cut(part, "\n## ")
	return part
}

// TestSamples runs the commands of documents that show what is printed, and compares it but
// for times.
func TestSamples(t *testing.T) {
	for _, c := range sampled {
		t.Run(c.page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", c.page))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir() // commands write files
			if c.dir != "" {
				if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples"))); err != nil {
					t.Fatal(err)
				}
				dir = filepath.Join(dir, c.dir)
			} else {
				for name, content := range files {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			compared := 0
			for _, s := range samples(sectionOf(string(text), c.section)) {
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
	for _, word := range argument.FindAllStringSubmatch(command, -1) {
		args = append(args, strings.Join(word[1:], "")) // one of them is not empty
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

// argument is an argument of a command, which quotes may surround.
var argument = regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`)

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
