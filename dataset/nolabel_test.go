package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestNoLabelInLinesOfTVE: a format with one label each can do without, too.
func TestNoLabelInLinesOfTVE(t *testing.T) {
	r, err := dataset.NewReader(strings.NewReader("t # 1\nv 0 C\nv 1 N\ne 0 1 2\n"), "g.txt",
		dataset.Options{Rules: dataset.Rules{NodeLabel: dataset.NoLabel, EdgeLabel: dataset.NoLabel}})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	l, _ := rec.Graph.Edge(0, 1)
	if a, b := rec.Graph.LabelText(0), rec.Graph.Vocabulary().EdgeText(l); a != dataset.Unlabelled || b != dataset.Unlabelled {
		t.Errorf("labels %q and %q", a, b)
	}
}
