package planted

import (
	"math/rand/v2"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestPlanted: of large call graphs the edits found are within 2 % of those planted where labels are names, and within
// a tenth where they are kinds, for every seed. The orders of nodes and edges in files, and of the labels in a
// vocabulary, change nothing that matters.
func TestPlanted(t *testing.T) {
	for seed := range uint64(6) {
		for _, kinds := range []bool{false, true} {
			p := New(seed, Shape{Nodes: 3000, Degree: 1.4, Kinds: kinds})
			most := 1.02
			if kinds {
				most = 1.1
			}
			c, err := greed.NewComparer(edit.GED, greed.DistanceOptions{Memory: 1 << 20}) // for no search
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(seed, 1))
			for order := range 3 {
				vocab := graph.NewVocabulary()
				old, fresh := p.Old, p.New
				if order > 0 {
					fresh, old = again(r, vocab, p.New), again(r, vocab, p.Old)
				}
				found, err := c.Bounds(t.Context(), old, fresh)
				if err != nil {
					t.Fatal(err)
				}
				if found.Upper > most*float64(p.Edits) || found.Lower > float64(p.Edits) {
					t.Errorf("seed %d, kinds %v, order %d: [%v, %v] of %d planted", seed, kinds, order, found.Lower, found.Upper, p.Edits)
				}
				if kinds {
					continue
				}
				d, err := c.Diff(t.Context(), &greed.Record{Graph: old}, &greed.Record{Graph: fresh}, diff.Auto)
				if err != nil {
					t.Fatal(err)
				}
				if d.Match != diff.ByNames || !d.Exact || *d.Upper > most*float64(p.Edits) {
					t.Errorf("seed %d, order %d: by %s [%v, %v] of %d planted", seed, order, d.Match, *d.Lower, *d.Upper, p.Edits)
				}
			}
		}
	}
}

// again returns g in another vocabulary with nodes and edges in another order.
func again(r *rand.Rand, vocab *graph.Vocabulary, g *graph.Graph) *graph.Graph {
	b := graph.NewBuilder(vocab, g.Directed())
	at := make([]int, g.N())
	for _, v := range r.Perm(g.N()) {
		at[v] = b.AddNode(g.LabelText(v))
	}
	for e := range g.Edges() {
		b.MustAdd(at[e.From], at[e.To], vocab.Edge(g.Vocabulary().EdgeText(e.Label)))
	}
	return b.MustBuild()
}
