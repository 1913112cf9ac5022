package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestGrammarOfOneCommand compares the help of every command, which names all that it reads,
// with and without the other commands.
func TestGrammarOfOneCommand(t *testing.T) {
	help := func(parser *kong.Kong, words ...string) string {
		var out bytes.Buffer
		parser.Stdout, parser.Exit = &out, func(int) {}
		_, _ = parser.Parse(append(words, "--help")) // goes on after the help, as nothing exits
		return out.String()
	}
	all := newParser(new(commands))
	for _, leaf := range all.Model.Leaves(false) {
		words := strings.Fields(leaf.FullPath())[1:]
		alone := newParser(new(commands), words...)
		if n := len(alone.Model.Leaves(false)); n != 1 {
			t.Errorf("%q: the grammar has %d commands", words, n)
		}
		want, got := help(all, words...), help(alone, words...)
		if want == "" || got != want {
			t.Errorf("%q alone: %s\nwant %s", words, got, want)
		}
	}
	if n := len(newParser(new(commands), "--json", "ged").Model.Leaves(false)); n != len(all.Model.Leaves(false)) {
		t.Errorf("a line that begins with a flag has %d commands", n)
	}
}
