package main

import (
	"slices"
	"strings"
	"testing"
)

// TestManyWords: words behind -- are parsed as those before it where they cannot be flags, and refused if they are many
// and may be.
func TestManyWords(t *testing.T) {
	many := slices.Repeat([]string{"a"}, mostFlags+1)
	for _, x := range []struct {
		args, want []string
		refused    string
	}{
		{args: []string{"diff", "--", "a", "b"}, want: []string{"diff", "--", "a", "b"}},
		{args: slices.Concat([]string{"diff", "--"}, many), want: slices.Concat([]string{"diff"}, many)},
		{args: slices.Concat([]string{"diff"}, many), want: slices.Concat([]string{"diff"}, many)},
		{args: slices.Concat([]string{"diff", "--", "-x"}, many), refused: "1002 words follow --"},
	} {
		got, err := withoutEnd(x.args)
		if !slices.Equal(got, x.want) || (err == nil) != (x.refused == "") || err != nil && !strings.Contains(err.Error(), x.refused) {
			t.Errorf("%d words: %d, %v", len(x.args), len(got), err)
		}
	}
	lost := usageError("this")
	if err := takenApart(slices.Concat([]string{"search", "acetic", "acid"}, many), lost); err != error(lost) {
		t.Error(err)
	}
	if err := takenApart([]string{"search", "acetic", "acid"}, lost); !strings.Contains(err.Error(), "name of 2 words") {
		t.Error(err)
	}
}
