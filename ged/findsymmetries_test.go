package ged

import (
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestFindSymmetries counts symmetries of known graphs, and checks that each keeps labels and
// edges.
func TestFindSymmetries(t *testing.T) {
	for _, c := range []struct {
		name     string
		directed bool
		labels   string // of the nodes, a byte each
		edges    [][2]int
		count    int
	}{
		{"path", false, "aaaa", [][2]int{{0, 1}, {1, 2}, {2, 3}}, 1},
		{"path with one end marked", false, "aaab", [][2]int{{0, 1}, {1, 2}, {2, 3}}, 0},
		{"directed path", true, "aaaa", [][2]int{{0, 1}, {1, 2}, {2, 3}}, 0},
		{"path to its middle", true, "aaaaa", [][2]int{{0, 1}, {1, 2}, {4, 3}, {3, 2}}, 1},
		{"ring of six and a tail", false, "aaaaaab", [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {0, 6}}, 1},
		{"triangle of twins", false, "aaa", [][2]int{{0, 1}, {1, 2}, {2, 0}}, 0},
		{"three equal arms", false, "abababa", [][2]int{{0, 1}, {1, 2}, {0, 3}, {3, 4}, {0, 5}, {5, 6}}, 3},
		{"two rings of three", false, "aaaaaa", [][2]int{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}, 5},
		// What exchanging 0 and 1 entails leads to no automorphism: node 2 stays at first, and moves later.
		{"halves crossed", false, "aaaaaaaaaa", [][2]int{{0, 2}, {1, 2}, {0, 3}, {1, 4}, {3, 2}, {4, 7}, {5, 7}, {6, 7}, {5, 8}, {6, 9}, {8, 7}, {9, 2}}, 4},
	} {
		b := graph.NewBuilder(graph.NewVocabulary(), c.directed)
		for _, l := range c.labels {
			b.AddNode(string(l))
		}
		for _, e := range c.edges {
			if err := b.AddEdge(e[0], e[1], ""); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Distance(t.Context(), g, g, Options{}); err != nil {
			t.Fatal(err)
		}
		s.problem.findSymmetries(true)
		row := &s.problem.row
		if len(row.ends) != c.count {
			t.Errorf("%s: %d symmetries, not %d: %v", c.name, len(row.ends), c.count, row.exchanges)
		}
		from := int32(0)
		for _, end := range row.ends {
			image := make([]int, g.N())
			for v := range image {
				image[v] = v
			}
			for _, x := range row.exchanges[from:end] {
				image[x[0]], image[x[1]] = int(x[1]), int(x[0])
			}
			from = end
			for v := range g.N() {
				if g.Label(v) != g.Label(image[v]) {
					t.Errorf("%s: label of %d changes", c.name, v)
				}
				for w := range g.N() {
					if row.typ(v, w) != row.typ(image[v], image[w]) {
						t.Errorf("%s: edge %d, %d changes", c.name, v, w)
					}
				}
			}
		}
	}
}
