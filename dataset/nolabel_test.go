package dataset_test

import (
	"errors"
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

// TestLabelChoiceRefused: formats with one label each refuse attributes that they cannot have,
// molecules [NoLabel], and undirected formats a direction, by name. Rules of a collection do not
// have to fit.
func TestLabelChoiceRefused(t *testing.T) {
	texts := map[string]string{
		"g.smi": "C=C a\n", "g.sdf": "\n\n\n  1  0  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n",
		"g.tve": "t # 1\nv 0 C\nv 1 N\ne 0 1 2\n",
	}
	for name, text := range texts {
		molecular := name == "g.smi" || name == "g.sdf"
		for _, c := range []struct {
			rules   dataset.Rules
			adopted bool
			want    bool
		}{
			{dataset.Rules{NodeLabel: "foo"}, false, false},
			{dataset.Rules{EdgeLabel: "foo"}, false, false},
			{dataset.Rules{NodeLabel: "id"}, true, false},
			{dataset.Rules{NodeLabel: "foo", EdgeLabel: "foo"}, true, true},
			{dataset.Rules{NodeLabel: "foo", NodeChosen: true}, false, true},
			{dataset.Rules{NodeLabel: "label", EdgeLabel: "label"}, false, true},
			{dataset.Rules{NodeLabel: dataset.NoLabel}, true, !molecular},
			{dataset.Rules{EdgeLabel: dataset.NoLabel}, true, !molecular},
			{dataset.Rules{Directed: true}, false, false},
			{dataset.Rules{Directed: true}, true, true},
		} {
			_, _, err := readText(text, name, dataset.Options{Rules: c.rules, Adopted: c.adopted})
			if c.want && err != nil || !c.want && !errors.Is(err, dataset.ErrLabelChoice) {
				t.Errorf("%s by %+v (adopted: %v): error %v, wanted success: %v", name, c.rules, c.adopted, err, c.want)
			}
		}
	}
}

// TestNoLabelsFound: a collection without labels leaves open what the labels of the next graph
// are, and so do stored rules of earlier readers, which said that there are none.
func TestNoLabelsFound(t *testing.T) {
	const unlabelled, labelled = `{"nodes":[{"id":0},{"id":1}],"edges":[{"source":0,"target":1}]}`,
		`{"nodes":[{"id":0,"label":"C"},{"id":1,"label":"O"}],"edges":[{"source":0,"target":1,"label":"1"}]}`
	for text, name := range map[string]string{unlabelled: "g.json", "1 2\n": "g.edges", "graph {a [weight=1.5]; b; a -- b [weight=0.5]}": "g.dot"} {
		r, err := dataset.NewReader(strings.NewReader(text), name, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if rules := r.Rules(); !rules.Equal(dataset.Rules{}) {
			t.Errorf("%s: rules %+v", name, rules)
		}
	}
	if nodes, edges := (dataset.Rules{NodeLabel: "-"}).Unlabelled(); !nodes || edges {
		t.Errorf("unlabelled: nodes %v, edges %v", nodes, edges)
	}
}
