package gedtest_test

import (
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// path returns a path with the given node labels and edge label "a".
func path(t *testing.T, vocab *graph.Vocabulary, labels ...string) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for i, l := range labels {
		b.AddNode(l)
		if i > 0 {
			if err := b.AddEdge(i-1, i, "a"); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestBruteForce compares with distances worked out by hand.
func TestBruteForce(t *testing.T) {
	vocab := graph.NewVocabulary()
	for _, c := range []struct {
		task edit.Task
		q, g []string
		want float64
	}{
		{edit.GED, nil, nil, 0},
		{edit.GED, nil, []string{"C", "O"}, 3},
		{edit.GED, []string{"C", "O"}, []string{"O", "C"}, 0},
		{edit.GED, []string{"C", "C", "O"}, []string{"C", "N", "O"}, 1},
		{edit.GED, []string{"C"}, []string{"C", "C", "C"}, 4},
		{edit.SED, []string{"C"}, []string{"C", "C", "C"}, 0},
		{edit.SED, []string{"C", "O", "N"}, []string{"C", "O"}, 2},
		{edit.SED, []string{"C", "O"}, nil, 3},
	} {
		q, g := path(t, vocab, c.q...), path(t, vocab, c.g...)
		p, err := edit.Price(c.task, edit.Uniform(), q, g)
		if err != nil {
			t.Fatal(err)
		}
		got, m := gedtest.BruteForce(p, q, g)
		if got != c.want || edit.InducedCost(p, q, g, m) != got {
			t.Errorf("%v of %v and %v is %v by %v, want %v", c.task, c.q, c.g, got, m, c.want)
		}
	}
}

func TestNodeMaps(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 1}, {0, 3, 1}, {1, 3, 4}, {2, 2, 7}, {3, 2, 13}} {
		count := 0
		for range gedtest.NodeMaps(c[0], c[1]) {
			count++
		}
		if count != c[2] {
			t.Errorf("%d node maps from %d to %d nodes, want %d", count, c[0], c[1], c[2])
		}
	}
}
