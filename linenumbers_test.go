package greed_test

import (
	"context"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
)

// TestShiftedLines: where only line numbers differ, the note says so, and following it ends the difference.
func TestShiftedLines(t *testing.T) {
	read := func(text, strip string) *greed.Record {
		rec, err := dataset.ReadOne(text, dataset.Options{Rules: dataset.Rules{StripNames: strip}})
		if err != nil {
			t.Fatal(err)
		}
		return &rec
	}
	compare := func(old, new, strip string) *greed.Difference {
		c, err := greed.NewComparer(edit.GED, greed.DistanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Diff(context.Background(), read(old, strip), read(new, strip), diff.ByCost)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const old, new = `graph { a [label="f main.c:12"]; b [label="g main.c:30:2"]; a -- b }`, `graph { a [label="f main.c:14"]; b [label="g main.c:32:2"]; a -- b }`
	d := compare(old, new, "")
	if d.Same || len(d.Notes) != 1 || !strings.Contains(d.Notes[0].Text, "2 labels of the old version are not in the new one, but 2 are") {
		t.Errorf("notes %q", dataset.Texts(d.Notes))
	}
	if again := compare(old, new, d.Notes[0].Value); !again.Same || len(again.Notes) != 0 {
		t.Errorf("after %s the versions differ; notes %q", d.Notes[0].Value, dataset.Texts(again.Notes))
	}
	for _, other := range []string{old, `graph { a [label="h main.c:12"]; b [label="i main.c:30:2"]; a -- b }`} {
		if d := compare(old, other, ""); len(d.Notes) != 0 {
			t.Errorf("%s: notes %q", other, dataset.Texts(d.Notes))
		}
	}
}
