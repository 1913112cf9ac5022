package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Calibrating says how the model of a collection is calibrated.
type Calibrating struct {
	Task edit.Task
	Of   string // what the collection is called
	// Queries share the vocabulary of the collection or an extension of it. The model must not have learnt from
	// them. Without, if not nil, has for each the position of a graph that is no answer to it, such as itself, or -1.
	Queries []*graph.Graph
	Without []int
	Radius  float64       // how far away near graphs are at most
	Seed    uint64        // of the pairs that are drawn
	Time    time.Duration // for each query; one that takes longer is left out
	Workers int           // 0: one per core
	// Progress, if not nil, is called by several goroutines with how many queries are done.
	Progress func(done int)
}

// Calibrate finds what is near the queries, proven, and keeps for each what the model predicts of some. late is the
// number of queries that took too long; the others stand for them, too, so there should be few.
func (c *Collection) Calibrate(ctx context.Context, o Calibrating) (by *model.Calibration, late int, err error) {
	e, ok := c.engines[o.Task]
	switch {
	case !ok:
		return nil, 0, fmt.Errorf("search: %w for %v to calibrate", ErrNoModel, o.Task)
	case len(o.Queries) == 0:
		return nil, 0, errors.New("search: there are no queries to calibrate with")
	case !FiniteRadius(o.Radius):
		return nil, 0, fmt.Errorf("search: the radius is %v: ask for a finite distance of at least 0", o.Radius)
	}
	vectors, err := c.embedded(ctx, e)
	if err != nil {
		return nil, 0, err
	}
	near := make([][]model.NearPair, len(o.Queries))
	decided := make([]bool, len(o.Queries))
	var done, next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range workers {
		group.Go(func() error {
			for {
				i := int(next.Add(1) - 1)
				if i >= len(o.Queries) {
					return nil
				}
				var err error
				if near[i], decided[i], err = c.nearPairs(ctx, e, vectors, o, i); err != nil {
					return err
				}
				if n := done.Add(1); o.Progress != nil {
					o.Progress(int(n))
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, 0, err
	}
	by = &model.Calibration{Of: o.Of, Radius: o.Radius}
	by.Graphs, by.Nodes, by.Edges = c.sizes()
	nodes, edges := make(map[string]bool), make(map[string]bool)
	for i, q := range o.Queries {
		if !decided[i] {
			late++
			continue
		}
		if by.Queries++; by.Queries == 1 {
			by.MinNodes = q.N()
		}
		by.MinNodes, by.MaxNodes = min(by.MinNodes, q.N()), max(by.MaxNodes, q.N())
		for _, l := range q.Labels() {
			nodes[q.Vocabulary().NodeText(l)] = true
		}
		for edge := range q.Edges() {
			edges[q.Vocabulary().EdgeText(edge.Label)] = true
		}
		if near[i] != nil {
			by.Near = append(by.Near, near[i])
		}
	}
	by.NodeLabels, by.EdgeLabels = slices.Sorted(maps.Keys(nodes)), slices.Sorted(maps.Keys(edges))
	return by, late, nil
}

// nearPairs returns what [model.Calibration.Near] says of query i. decided is false if time ended first.
func (c *Collection) nearPairs(ctx context.Context, e engine, vectors *embedded, o Calibrating,
	i int) (near []model.NearPair, decided bool, err error) {
	q := o.Queries[i]
	costs := e.model.Metadata().Costs
	r, err := c.Search(ctx, q, Options{
		Task: o.Task, Radius: &o.Radius, Costs: &costs, NoModel: true, Time: o.Time, Workers: 1,
	})
	if err != nil {
		return nil, false, err
	}
	if !r.Proven() {
		return nil, false, nil
	}
	z, err := e.model.Embed(ctx, []*graph.Graph{q}, 1)
	if err != nil {
		return nil, false, err
	}
	n := e.model.Norm()
	// Each graph gets a random number. The least among those within a radius is the one drawn for it.
	rng, least := rand.New(rand.NewPCG(o.Seed, uint64(i))), 1.0
	for k := range r.Answers {
		a := &r.Answers[k]
		if o.Without != nil && a.Position == o.Without[i] {
			continue
		}
		number := rng.Float64()
		if number >= least {
			continue
		}
		least = number
		pair := model.NearPair{a.Upper, roundUp(n.Distance(z, vectors.row(a.Position)))}
		if last := len(near) - 1; last >= 0 && near[last][0] == pair[0] {
			near[last] = pair
		} else {
			near = append(near, pair)
		}
	}
	return near, true, nil
}

// roundUp rounds a prediction up to few digits, which also allows for the rounding of other machines.
func roundUp(x float64) float64 { return math.Ceil(x*1e4) / 1e4 }
