package dataset

import (
	"slices"
	"strings"
	"testing"
)

// TestNamed: Options.Named makes labels of names where there is nothing better, and the
// first graph with nodes decides for all.
func TestNamed(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rules      Rules
		labels     []string
		chosen     string
	}{
		{"names", "digraph { main -> parse }", Rules{}, []string{"main", "parse"}, NodeName},
		{"names and colours", "digraph { main [color=red]; main -> parse }", Rules{}, []string{"main", "parse"}, NodeName},
		{"stripped", "digraph { v1_main -> v1_parse }", Rules{StripNames: "^v1_"}, []string{"main", "parse"}, NodeName},
		{"labels", "digraph { main [label=x]; parse [label=y]; main -> parse }", Rules{}, []string{"x", "y"}, "label"},
		{"numbers", "digraph { 3 -> 4 }", Rules{}, []string{Unlabelled, Unlabelled}, ""},
		{"no labels asked for", "digraph { main -> parse }", Rules{NodeLabel: NoLabel}, []string{Unlabelled, Unlabelled}, NoLabel},
		{"no names", "t # 1\nv 0 C\nv 1 N\ne 0 1 1\n", Rules{}, []string{"C", "N"}, ""},
		{"decided before", "digraph { 1 -> 2 } digraph { main -> parse }", Rules{}, []string{Unlabelled, Unlabelled, Unlabelled, Unlabelled}, ""},
		{"nothing before", "digraph { } digraph { main -> parse }", Rules{}, []string{"main", "parse"}, NodeName},
	} {
		r, err := NewReader(strings.NewReader(c.text), "", Options{Named: true, Rules: c.rules})
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for rec, err := range r.All() {
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for v := range rec.Graph.N() {
				labels = append(labels, r.Vocabulary().NodeText(rec.Graph.Label(v)))
			}
		}
		if got := r.Rules().NodeLabel; !slices.Equal(labels, c.labels) || got != c.chosen {
			t.Errorf("%s: labels %q by %q, want %q by %q", c.name, labels, got, c.labels, c.chosen)
		}
	}
}
