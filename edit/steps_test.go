package edit_test

import (
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"pgregory.net/rapid"
)

// TestStepsEndAtTheTarget: one valid graph after each edit of the path, each
// unlike the one before, the last one isomorphic to the target or, for SED, as
// large as the part of it that the map keeps.
func TestStepsEndAtTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, g := drawPair(t, 5)
		m := drawMap(t, q, g)
		p := drawPricing(t, q, g)
		path := edit.Path(p, q, g, m)
		last, at := q, 0
		for op, after := range edit.Steps(p, q, g, m) {
			if op.String() != path[at].String() {
				t.Fatalf("step %d is %s, the path says %s", at, op, path[at])
			}
			if err := after.Check(); err != nil {
				t.Fatalf("after %s: %v", op, err)
			}
			nodes, edges := after.N()-last.N(), after.M()-last.M()
			want := map[edit.Kind][2]int{
				edit.EdgeDeletion: {0, -1}, edit.NodeDeletion: {-1, 0}, edit.NodeInsertion: {1, 0}, edit.EdgeInsertion: {0, 1},
			}[op.Kind]
			if want != [2]int{nodes, edges} {
				t.Fatalf("%s changed the numbers of nodes and edges by %d and %d", op, nodes, edges)
			}
			last = after
			at++
		}
		if at != len(path) {
			t.Fatalf("%d steps for a path of %d", at, len(path))
		}
		if p.Task() == edit.GED && !graph.Isomorphic(last, g) {
			t.Fatal("the last graph is not the target")
		}
	})
}
