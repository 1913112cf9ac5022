package ged

import (
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestAssignedForgets: a level may lack rows, and what these had in the trial before is no part of its map. With this
// memory the search once proved 28 by a map that had a target node twice; the distance is 30.
func TestAssignedForgets(t *testing.T) {
	vocab := graph.NewVocabulary()
	build := func(nodes []string, edges ...[3]any) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for _, l := range nodes {
			b.AddNode(l)
		}
		for _, e := range edges {
			if err := b.AddEdge(e[0].(int), e[1].(int), e[2].(string)); err != nil {
				t.Fatal(err)
			}
		}
		return b.MustBuild()
	}
	q := build([]string{"0", "0", "0", "0", "0"}, [3]any{1, 2, "a"}, [3]any{3, 4, "b"})
	g := build([]string{"0", "1", "1", "0", "1"}, [3]any{0, 4, "a"}, [3]any{1, 2, "a"}, [3]any{2, 4, "a"}, [3]any{3, 4, "a"})
	costs, err := edit.ParseCosts([]byte(`{"node_insert":4,"node_delete":3,"node_substitute":8,"edge_insert":2,"edge_delete":6,"edge_substitute":2}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSolver(edit.GED, costs)
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(0); at < 440; at++ {
		memory := 20_000 + at/10*1000
		s.SetPatience(at % 10)
		r, err := s.Distance(t.Context(), q, g, Options{Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Map.Check(q, g); err != nil || r.Lower > 30 || r.Upper < 30 {
			t.Errorf("%d bytes: %v to %v by %v: %v", memory, r.Lower, r.Upper, r.Map, err)
		}
	}
}
