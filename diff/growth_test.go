package diff_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/growth"
)

// TestGrowth: finding what names identify, and grouping the changes, is linear in what two versions have in common
// and in what differs.
func TestGrowth(t *testing.T) {
	versions := func(element string, join func(b *graph.Builder, side, n int)) growth.Case {
		return growth.Case{Element: element, Make: func(n int) func() {
			vocab := graph.NewVocabulary()
			var pair [2]*graph.Graph
			for side := range pair {
				b := graph.NewBuilder(vocab, true)
				join(b, side, n)
				pair[side] = b.MustBuild()
			}
			q, g := pair[0], pair[1]
			return func() {
				s := diff.Identify(q, g, [2][]string{}, true)
				s.FixLone()
				m := slices.Repeat(edit.NodeMap{edit.Deleted}, q.N())
				for _, pair := range s.Fixed {
					if pair[0] >= 0 {
						m[pair[0]] = pair[1]
					}
				}
				s.DropUnsupported(m)
				p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
				if err != nil {
					panic(err)
				}
				groups := diff.Groups(edit.Path(p, q, g, m), q, g, m)
				diff.Reason(groups, q, g, m)
				diff.Summarise(groups)
			}
		}}
	}
	nodes := func(b *graph.Builder, n int, name string) {
		for v := range n {
			b.AddNode(fmt.Sprint(name, v))
		}
	}
	tag := [2]string{"old", "new"}
	growth.Run(t, []growth.Case{
		versions("a chain that was added", func(b *graph.Builder, side, n int) {
			nodes(b, 10+side*n, "f")
			for v := 1; v < 10+side*n; v++ {
				b.MustAdd(v-1, v, b.Vocabulary().Edge("x"))
			}
		}),
		versions("renamed neighbours of a hub", func(b *graph.Builder, side, n int) {
			nodes(b, n+1, "f")
			nodes(b, n, tag[side])
			for v := 1; v <= 2*n; v++ {
				b.MustAdd(0, v, b.Vocabulary().Edge("x"))
			}
			for v := range n {
				b.MustAdd(n+1+v, 1+v, b.Vocabulary().Edge("x"))
			}
		}),
		versions("names that did not change", func(b *graph.Builder, side, n int) {
			nodes(b, n, "f")
			for v := 1; v < n; v++ {
				b.MustAdd(v/2, v, b.Vocabulary().Edge("x"))
			}
		}),
	})
}
