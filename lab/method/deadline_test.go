package method

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestDeadlines: every method ends in time on large graphs, with bounds that hold.
func TestDeadlines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	r := rand.New(rand.NewPCG(6, 6))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 900, MaxNodes: 1000, Density: 0.004, NodeLabels: 3, EdgeLabels: 2}
	q := gedtest.Graph(r, vocab, shape)
	// A copy with little changed, so that the distance is known to be small.
	near := q.Induced(r.Perm(q.N())[:q.N()-5])
	for _, g := range []*graph.Graph{gedtest.Graph(r, vocab, shape), near} {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			p, err := edit.Price(task, edit.Uniform(), q, g)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range Methods() {
				for _, cancelled := range []bool{false, true} {
					limit := 10 * time.Millisecond
					if cancelled { // which is noticed where a limit is
						limit = 80 * time.Millisecond
					}
					t.Run(fmt.Sprintf("%v %s %v", task, m.Name, limit), func(t *testing.T) {
						var res ged.Result
						late := gedtest.Late(t, limit, lateness, func() {
							ctx, cancel := context.WithCancel(context.Background())
							defer cancel()
							opt := ged.Options{Time: limit}
							if cancelled {
								opt.Time = 0
								time.AfterFunc(limit, cancel)
							}
							res, err = m.Compute(ctx, p, q, g, opt)
						})
						if err != nil {
							t.Fatal(err)
						}
						t.Logf("cancelled %v: [%v, %v], %v late", cancelled, res.Lower, res.Upper, late)
						if late > lateness {
							t.Errorf("cancelled %v: %v late", cancelled, late)
						}
						if g == near && task == edit.GED && res.Lower > 5+float64(q.M()-g.M()) {
							t.Errorf("lower bound %v, but %d edits suffice", res.Lower, 5+q.M()-g.M())
						}
						if cost := edit.InducedCost(p, q, g, res.Map); cost != res.Upper || res.Lower > res.Upper {
							t.Errorf("bounds [%v, %v], the map costs %v", res.Lower, res.Upper, cost)
						}
					})
				}
			}
		}
	}
}

// lateness is the processor time that a method may use after its deadline.
const lateness = 60 * time.Millisecond
