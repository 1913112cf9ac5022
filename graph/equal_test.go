package graph_test

import (
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestEqual: graphs are equal if and only if all that they consist of is.
func TestEqual(t *testing.T) {
	vocab := graph.NewVocabulary()
	build := func(directed bool, labels []string, edges ...[3]any) *graph.Graph {
		b := graph.NewBuilder(vocab, directed)
		for _, l := range labels {
			b.AddNode(l)
		}
		for _, e := range edges {
			if err := b.AddEdge(e[0].(int), e[1].(int), e[2].(string)); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	all := []*graph.Graph{
		build(false, nil),
		build(true, nil),
		build(false, []string{"C"}),
		build(false, []string{"C", "N", "C"}, [3]any{0, 1, "1"}),
		build(true, []string{"C", "N", "C"}, [3]any{0, 1, "1"}),
		build(true, []string{"C", "N", "C"}, [3]any{1, 0, "1"}),
		build(false, []string{"C", "N", "C"}, [3]any{0, 1, "2"}),
		build(false, []string{"C", "N", "C"}, [3]any{1, 2, "1"}),
		build(false, []string{"C", "C", "N"}, [3]any{0, 2, "1"}),
		build(false, []string{"C", "N", "C"}, [3]any{0, 1, "1"}, [3]any{0, 2, "1"}),
	}
	for i, a := range all {
		for j, b := range all {
			if got := graph.Equal(a, b); got != (i == j) {
				t.Errorf("graphs %d and %d: equal: %v", i, j, got)
			}
		}
		whole := make([]int, a.N())
		for v := range whole {
			whole[v] = v
		}
		if b := a.Permute(whole); !graph.Equal(a, b) {
			t.Errorf("graph %d does not equal its copy", i)
		}
	}
}
