package main

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/operation"
)

// TestFlagsAreTheOperations: every field of a search is a flag of its name, with its help.
func TestFlagsAreTheOperations(t *testing.T) {
	var cli commands
	parser := newParser(&cli)
	flags := make(map[string]string)
	for _, node := range parser.Model.Children {
		if node.Name != "search" {
			continue
		}
		for _, f := range node.Flags {
			flags[f.Name] = f.Help
		}
	}
	for _, f := range operation.Fields(operation.Search{}) {
		help, is := flags[f.Flag]
		if !is || !strings.HasPrefix(strings.ToLower(help), strings.ToLower(f.Doc)) {
			t.Errorf("--%s: %q, want %q", f.Flag, help, f.Doc)
		}
	}
}
