package diff

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Reason says of every renamed node of the groups, which belong to node map m between q and t, why it is the same:
// the neighbours that it kept.
func Reason(groups []Group, q, t *graph.Graph, m edit.NodeMap) {
	inverse := m.Inverse(t)
	for _, g := range groups {
		for i := range g.Changes {
			if c := &g.Changes[i]; c.Kind == Renamed && !c.Edge {
				c.Why = kept(q, t, inverse, c.Edits[0].Query[0], c.Edits[0].Target[0])
			}
		}
	}
}

// kept says which neighbours old node v and new node w have in common.
func kept(q, t *graph.Graph, inverse edit.NodeMap, v, w int) string {
	var parts []string
	for _, end := range []struct {
		in   bool
		noun string
	}{{true, "predecessor"}, {false, "successor"}} {
		if !q.Directed() {
			if end.in {
				continue
			}
			end.noun = "neighbour"
		}
		image := make(map[int]bool)
		fresh := 0
		for x := range neighbours(t, w, end.in) {
			fresh++
			if inverse[x] != edit.Deleted {
				image[inverse[x]] = true
			}
		}
		old, kept := 0, 0
		for u := range neighbours(q, v, end.in) {
			old++
			if image[u] {
				kept++
			}
		}
		noun := end.noun
		if kept != 1 {
			noun += "s"
		}
		switch {
		case kept == 0:
		case kept == old && kept == fresh:
			parts = append(parts, fmt.Sprintf("same %d %s", kept, noun))
		case old == fresh:
			parts = append(parts, fmt.Sprintf("%d %s of %d in common", kept, noun, old))
		default:
			parts = append(parts, fmt.Sprintf("%d %s in common, of %d and %d", kept, noun, old, fresh))
		}
	}
	return strings.Join(parts, ", ")
}
