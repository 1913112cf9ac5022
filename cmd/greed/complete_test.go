package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestComplete(t *testing.T) {
	root := newParser(new(commands)).Model.Node
	for _, test := range []struct{ line, kind, want string }{
		{"sea", "words", "search"},
		{"index sn", "words", "snapshot"},
		{"index nothing sn", "words", "snapshot"},
		{"search --mo", "words", "--mode --model"},
		{"search --mode p", "words", "proven predicted"},
		{"search --mode=c", "words", "--mode=checked"},
		{"search --mode=proven --sed --ex", "words", "--explain"},
		{"search --no-pro", "words", "--no-progress"},
		{"search x --filter ", "words", ""},
		{"search ", "files", ""},
		{"search x y z ", "files", ""},
		{"search -k ", "words", ""},
		{"search -k 3 ", "files", ""},
		{"search --sed ", "files", ""},
		{"search --model ", "files", ""},
		{"search --model=", "files", ""},
		{"search --nothing=", "words", ""},
		{"search -- --mo", "files", ""},
		{"search - --mo", "words", "--mode --model"},
		{"index build mols.smi -o ", "folders", ""},
		{"--json serve --log ", "words", "json text none"},
		{"completion ", "words", "bash zsh fish"},
		{"complet", "words", "completion"},
		{"version x", "words", ""},
	} {
		got := complete(root, strings.Split(test.line, " "))
		var texts []string
		for _, w := range got.words {
			texts = append(texts, w.text)
		}
		if got.kind != test.kind || strings.Join(texts, " ") != test.want {
			t.Errorf("%q: %s %q, want %s %q", test.line, got.kind, texts, test.kind, test.want)
		}
	}
	if got := complete(root, nil); len(got.words) < 15 {
		t.Errorf("nothing: %v", got)
	}
}

// TestNamedValues: what is offered for a flag is what the flag takes.
func TestNamedValues(t *testing.T) {
	found := make(map[string]bool)
	for _, leaf := range newParser(new(commands)).Model.Leaves(false) {
		for _, f := range slices.Concat(leaf.AllFlags(false)...) {
			for _, value := range namedValues[f.PlaceHolder] {
				found[f.PlaceHolder] = true
				err := f.Value.Parse(kong.Scan(value), f.Value.Target)
				if err != nil {
					t.Errorf("%s --%s=%s: %v", leaf.FullPath(), f.Name, value, err)
				}
			}
		}
	}
	if len(found) != len(namedValues) {
		t.Errorf("values are named for %d placeholders, used by %v", len(namedValues), found)
	}
}
