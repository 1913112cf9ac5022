package bench

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// largeSets are the collections of the rows of large pairs.
var largeSets = []struct{ name, file string }{
	{"aids42k", "aids42k/aids42k.txt.gz"},
	{"aids_all2000", "aids/aids_all2000.txt"},
	{"protein", "protein/protein_all1113.txt.gz"},
}

// largePairs is how many pairs of each class are drawn unless told otherwise.
const largePairs = 45

// largeRows are random pairs of larger graphs by the size of the smaller one. Few of the
// largest are proven; their bounds are compared with the best known.
func largeRows() []row {
	var rows []row
	for _, set := range largeSets {
		for _, costs := range []struct {
			name  string
			costs edit.Costs
		}{{"unit", edit.Uniform()}, {"chem2", edit.Chem2()}} {
			for least := 21; least < 100; least += 10 {
				rows = append(rows, row{
					name: fmt.Sprintf("large/%s/%s/%d-%d", set.name, costs.name, least, least+9),
					about: fmt.Sprintf("GED with labels under %s, random pairs of %s whose smaller graph has %d to %d nodes",
						costs.name, set.name, least, least+9),
					runs:    1,
					figures: []figure{proven(), bestShare(), meanExcess(), meanShortfall(), lateShare(), millis()},
					prepare: func(_ context.Context, x *lab) (pass, error) {
						all, err := x.read(set.file)
						if err != nil {
							return nil, err
						}
						pairs, err := x.drawLarge(all[0], least)
						if err != nil {
							return nil, fmt.Errorf("%s: %w", set.file, err)
						}
						s, err := ged.NewSolver(edit.GED, costs.costs)
						return x.solveLarge(set.name+"/"+costs.name, pairs, s), err
					},
				})
			}
		}
	}
	return rows
}

// drawLarge draws different pairs of graphs whose smaller one has least to least + 9
// nodes: x.Pairs of them, scaled, or all if there are fewer. Fewer are the first of
// more. If there is none, the error wraps [fs.ErrNotExist].
func (x *lab) drawLarge(all collection, least int) ([]pair, error) {
	var fit collection
	small := 0
	for _, rec := range all {
		if n := rec.Graph.N(); n >= least {
			fit = append(fit, rec)
			if n < least+10 {
				small++
			}
		}
	}
	count := min(x.scaled(x.Pairs), small*(len(fit)-small)+small*(small-1)/2)
	if count == 0 {
		return nil, fmt.Errorf("no two graphs whose smaller one has %d to %d nodes: %w", least, least+9, fs.ErrNotExist)
	}
	rng := newRand(uint64(least))
	drawn := make(map[[2]int]bool)
	var pairs []pair
	for len(pairs) < count {
		a, b := rng.IntN(len(fit)), rng.IntN(len(fit))
		q, t := fit[a], fit[b]
		if a == b || min(q.Graph.N(), t.Graph.N()) >= least+10 || drawn[[2]int{min(a, b), max(a, b)}] {
			continue
		}
		drawn[[2]int{min(a, b), max(a, b)}] = true
		pairs = append(pairs, newPair(q, t))
	}
	return pairs, nil
}

// solveLarge returns a pass that bounds each pair within the limit of x and compares the
// bounds with the best known, which it improves.
func (x *lab) solveLarge(set string, pairs []pair, s *ged.Solver) pass {
	return func(ctx context.Context, _ int, step func(done, total int)) (outcome, error) {
		var sum outcome
		step(0, len(pairs))
		begin, used := time.Now(), processorTime()
		for i := range pairs {
			p := &pairs[i]
			limited, options := ctx, ged.Options{Time: x.Limit}
			from, spent := begin, processorTime()
			if x.Processor {
				limited, options.Time = &processorLimit{Context: ctx, end: spent + x.Limit}, 0
			} else {
				from = time.Now()
			}
			r, err := s.Distance(limited, p.q, p.t, options)
			took := time.Since(from)
			if x.Processor {
				took = processorTime() - spent
			}
			if err != nil {
				return sum, fmt.Errorf("query %s, target %s: %w", p.query, p.target, err)
			}
			if ctx.Err() != nil {
				break // the context may have cut the search short
			}
			sum.add(p, r)
			if took > x.Limit+max(5*time.Millisecond, x.Limit/20) {
				sum.late++
			}
			best, err := x.known.improve(set, p.query, p.target, r.Lower, r.Upper)
			if err != nil {
				return sum, err
			}
			if r.Upper <= best*(1+1e-9) {
				sum.best++
			}
			if best > 0 {
				sum.excess += (r.Upper - best) / best
				sum.shortfall += (best - r.Lower) / best
			}
			step(sum.pairs, len(pairs))
		}
		sum.took, sum.used = time.Since(begin), processorTime()-used
		return sum, x.known.save()
	}
}

// processorLimit is a context that ends when this process has used so much processor
// time, for machines that have other things to do.
type processorLimit struct {
	context.Context
	end  time.Duration
	look time.Time // it cannot have used it before; to ask for its processor time takes far longer than to look at the clock
}

func (c *processorLimit) Err() error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	if now := time.Now(); !now.Before(c.look) {
		left := c.end - processorTime()
		if left <= 0 {
			return context.DeadlineExceeded
		}
		c.look = now.Add(left / time.Duration(runtime.GOMAXPROCS(0)))
	}
	return nil
}

// mcesRow is distances of maximum common edge subgraphs.
func mcesRow() row {
	return row{
		name: "mces", about: "distances of maximum common edge subgraphs of random pairs of NCI molecules, 1 s", runs: 1,
		figures: []figure{proven(), meanGap(), millis()},
		prepare: func(_ context.Context, x *lab) (pass, error) {
			pairs, err := x.bundledPairs(500)
			if err != nil {
				return nil, err
			}
			solve, err := exactSolver(edit.GED, edit.MCES(), ged.Options{Time: budget})
			return solveAll(pairs, solve), err
		},
	}
}

// mcesWithin is the threshold of the row that only decides.
const mcesWithin = 10

// mcesWithinRow decides whether these distances are within a threshold. Proven are the
// decisions.
func mcesWithinRow() row {
	decided := proven()
	decided.name = "decided"
	return row{
		name:  "mces-within",
		about: fmt.Sprintf("the same pairs: whether the distance is at most %d, 1 s", mcesWithin), runs: 1,
		figures: []figure{decided, millis().to(AtMost, 5)},
		prepare: func(_ context.Context, x *lab) (pass, error) {
			pairs, err := x.bundledPairs(500)
			if err != nil {
				return nil, err
			}
			s, err := ged.NewSolver(edit.GED, edit.MCES())
			return solveAll(pairs, func(ctx context.Context, q, t *graph.Graph) (ged.Result, error) {
				r, err := s.Within(ctx, q, t, mcesWithin, ged.Options{Time: budget})
				_, r.Exact = r.Within(mcesWithin)
				return r, err
			}), err
		},
	}
}

// bundledPairs draws count random pairs of the bundled molecules, scaled.
func (x *lab) bundledPairs(count int) ([]pair, error) {
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	return x.random(records, records, count, anyPair)
}
