package search_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/search"
)

// TestOpenIsTrue: wherever a search is interrupted, what it says is true of all graphs,
// by distances of all node maps.
func TestOpenIsTrue(t *testing.T) {
	odd := edit.Costs{NodeInsert: 0.5, NodeDelete: 1.5, NodeSubstitute: 0.25, EdgeInsert: 1, EdgeDelete: 0.75, EdgeSubstitute: 1.5}
	chem := edit.Chem1()
	var open, proven int
	for number, shape := range []gedtest.Shape{
		{MinNodes: 3, MaxNodes: 6, Density: 0.3, NodeLabels: 3, EdgeLabels: 2},
		{MinNodes: 3, MaxNodes: 5, Density: 0.4, NodeLabels: 1, EdgeLabels: 1},
		{MaxNodes: 5, Density: 0.3, NodeLabels: 2, EdgeLabels: 2, Directed: true},
	} {
		rng := rand.New(rand.NewPCG(37, uint64(number)))
		vocab := graph.NewVocabulary()
		var list []dataset.Record
		for i := range 70 {
			g := gedtest.Graph(rng, vocab, shape)
			if i%5 == 4 {
				g = list[rng.IntN(i)].Graph
			}
			list = append(list, dataset.Record{ID: fmt.Sprint("g", i), Graph: g})
		}
		c := search.NewCollection(vocab, list)
		c.Drop([]int{2, 9, 33})
		if !shape.Directed {
			for task := range edit.Task(2) {
				if err := c.Attach(t.Context(), untrained(task, vocab), nil, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		for trial := range max(12, sweep.Trials(24)) {
			shape.MinNodes = max(1, shape.MaxNodes-2)
			q := gedtest.Graph(rng, vocab, shape)
			opt := search.Options{Task: edit.Task(trial % 2), Workers: 1, Time: search.NoLimit, NoModel: shape.Directed || trial%3 > 0}
			if trial%3 == 1 {
				opt.Costs = &odd
			}
			if trial%6 == 2 {
				opt.Costs = &chem
			}
			if trial%4 > 0 {
				opt.K = 1 + rng.IntN(8)
			}
			if trial%4 < 2 {
				opt.Radius = new(0.5 * float64(1+rng.IntN(10)))
			}
			if trial%7 == 6 {
				opt.Mode = search.Checked
			}
			if trial%5 == 2 {
				opt.First = 20
			}
			truth := make(map[string]float64)
			for questions := int64(1); ; questions += 1 + questions/int64(sweep.Trials(4)) {
				ctx := newCountdown(questions)
				r, err := c.Search(ctx, q, opt)
				if err != nil && !ctx.Ended() {
					t.Fatal(err)
				}
				if r == nil {
					continue
				}
				if len(truth) == 0 {
					for p := range c.Live() {
						if p >= opt.First {
							truth[list[p].ID], _ = gedtest.BruteForce(r.Pricing, q, list[p].Graph)
						}
					}
				}
				if err := judge(r, c, q, opt.Radius, truth); err != nil {
					t.Fatalf("shape %d, trial %d, after %d questions, %+v: %v", number, trial, questions, opt, err)
				}
				open++
				if !ctx.Ended() {
					proven++
					break
				}
			}
			for limit := time.Duration(1); limit < 5*time.Millisecond; limit *= 3 {
				opt.Time = limit
				r, err := c.Search(t.Context(), q, opt)
				if err != nil {
					t.Fatal(err)
				}
				if err := judge(r, c, q, opt.Radius, truth); err != nil {
					t.Fatalf("shape %d, trial %d, after %v, %+v: %v", number, trial, limit, opt, err)
				}
			}
		}
	}
	if proven < 36 || open < 5*proven {
		t.Errorf("%d searches were judged, %d of them proven: the test is too easy", open, proven)
	}
}
