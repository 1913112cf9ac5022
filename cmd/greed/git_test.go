package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigurationOfGit: the lines that docs/programs.md gives for git are those that testdata/git.txtar runs.
func TestConfigurationOfGit(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "git.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(script), "-- configure.sh --\n")
	lines, _, _ = strings.Cut(lines, "-- ")
	if strings.Count(lines, "\n") != 3 || !strings.Contains(string(page), "```sh\n"+lines+"```") {
		t.Errorf("the page does not have\n%s", lines)
	}
}
