package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestInputsPage holds docs/inputs.md to the code: its table of formats and its
// examples of errors.
// asFlag spells a setting as the command line does.
func asFlag(s dataset.Setting) string {
	return strings.TrimSpace(strings.TrimSuffix("--"+strings.ReplaceAll(s.Option, "_", "-")+" "+s.Value, " true"))
}

func TestInputsPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]string)
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 {
			rows[strings.Trim(cells[1], " `")] = strings.TrimSpace(cells[3]) + "," + strings.TrimSpace(cells[4])
		}
	}
	for _, f := range dataset.Formats() {
		want := map[bool]string{true: "yes"}[f.Reads] + "," + map[bool]string{true: "yes"}[f.Writes]
		if rows[f.Name] != want {
			t.Errorf("format %s: the page says %q, the code %q", f.Name, rows[f.Name], want)
		}
	}
	known := make(map[string]bool)
	for _, c := range badInputs() {
		_, _, err := readText(c.text, c.name, c.opt)
		known[dataset.Spell(err, asFlag)] = true // as the command line has it
	}
	examples := 0
	for line := range bytes.Lines(page) {
		if text := strings.TrimSpace(string(line)); strings.Contains(text, ": record ") {
			examples++
			if !known[text] {
				t.Errorf("no test gives the error %s", text)
			}
		}
	}
	if examples == 0 {
		t.Error("the page has no examples of errors")
	}
}
