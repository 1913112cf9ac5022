package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
)

// hunt finds the candidates of a proven search in the order of their lower bounds. It
// starts with a small radius: distances found there may reduce the radius that has to
// be searched.
type hunt struct {
	in      *Collection
	opt     Options
	check   *checker
	parts   []part
	labels  *bounder // nil where branches tell more than labels
	step    float64  // least factor by which the radius grows
	looked  float64  // radius up to which counts were compared
	visited int      // graphs within it
	seen    map[int]bool

	candidates []Answer
	pending    []Answer // bounded, but beyond the present radius
	excluded   int      // by branches
	scan       time.Duration
	first      error
}

// part is a sheet of consecutive positions.
type part struct {
	query *screen.Query
	from  int
}

// newHunt returns the hunt of a search. Candidates in known come first.
func (c *Collection) newHunt(q *graph.Graph, opt Options, p *edit.Pricing, ck *checker, known []Answer) *hunt {
	h := &hunt{in: c, opt: opt, check: ck, looked: -1, candidates: known, seen: make(map[int]bool, len(known)), step: cheapest(p.Costs())}
	if c.shelf != nil {
		h.parts = append(h.parts, part{c.shelf.Sheet().Query(p, q), 0})
	}
	h.parts = append(h.parts, part{c.sheet.Query(p, q), c.shelved()})
	if !h.parts[0].query.Full() {
		h.labels = &bounder{c, bound.NewFilter(p), bound.Sign(q)}
	}
	for i := range known {
		h.seen[known[i].Position] = true
	}
	return h
}

// cheapest returns the least positive cost of an edit, or 1 if there is none.
func cheapest(c edit.Costs) float64 {
	least := math.Inf(1)
	for _, w := range []float64{c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute} {
		if w > 0 {
			least = min(least, w)
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return least
}

// growth is the least factor by which a radius grows. It matters where one edit is far
// cheaper than the others.
const growth = 1.25

// run solves what may be an answer and returns r with the answers. If the context ends
// first, run returns its error together with what is known. With any other error there
// is no result.
func (h *hunt) run(ctx context.Context, r *Result) (*Result, error) {
	begin := time.Now()
	var err error
	if h.opt.K > 0 {
		err = h.guess(ctx, r)
	}
	for solved := -1.0; err == nil && h.first == nil && !h.check.late(); {
		need := h.check.best.reach()
		all := h.visited == r.Stats.Graphs
		if solved >= need {
			break
		}
		solved = h.next(solved, need, all)
		h.look(ctx, solved, true)
		h.due(solved)
		err = h.check.run(ctx, h.candidates, solved, solved == need)
	}
	if h.first != nil {
		return nil, h.first
	}
	// Graphs that were not reached in time are open unless counts exclude them.
	reach := h.check.best.reach()
	h.look(ctx, reach, false)
	h.due(reach)
	if err == nil {
		err = h.check.run(ctx, h.candidates, math.Inf(1), true)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	h.check.fill(h.candidates)
	h.settle(r)
	r.Scan += h.scan
	r.Check = time.Since(begin) - h.scan
	if r.Proven() {
		return r, nil
	}
	return r, ctx.Err()
}

// next returns the radius to search next. A search for the nearest asks of every graph
// first whether it lies within a small radius and then, of those that do not, edit by
// edit farther. What that repeats is half again as much work as the last radius takes;
// to ask for one edit more than needed takes three times as much.
func (h *hunt) next(radius, need float64, all bool) float64 {
	if h.opt.K == 0 || all && math.IsInf(need, 1) {
		return need
	}
	return min(need, max(firstEdits*h.step, radius+h.step, radius*growth))
}

// firstEdits is the number of edits of the first radius.
const firstEdits = 4

// guess finds node maps of the candidates with the least bounds. Their costs are upper
// bounds, so that the search for the nearest begins with a small radius.
func (h *hunt) guess(ctx context.Context, r *Result) error {
	enough := guessed * h.opt.K
	need := h.check.best.reach()
	for h.looked < need && h.visited < r.Stats.Graphs && len(h.pending) < enough && h.first == nil && ctx.Err() == nil && !h.check.late() {
		h.look(ctx, min(need, h.next(h.looked+h.step, need, false)), true)
	}
	h.due(math.Inf(1))
	if over := len(h.candidates) - len(h.seen) - enough; over > 0 {
		n := len(h.candidates) - over
		h.pending = append(h.pending, h.candidates[n:]...)
		h.candidates = h.candidates[:n]
	}
	return h.check.guess(ctx, h.candidates)
}

// guessed is the number of candidates that guess prices for each answer wanted.
const guessed = 8

// look adds the graphs within a radius by their counts to pending. If branches is true
// and time allows, it leaves out those that branches exclude.
func (h *hunt) look(ctx context.Context, radius float64, branches bool) {
	if radius <= h.looked {
		return
	}
	begin := time.Now()
	defer func() { h.scan += time.Since(begin) }()
	for _, p := range h.parts {
		p.query.Range(radius, func(at int, lower float64) {
			position := p.from + at
			if position < h.opt.First || lower <= h.looked || lower > radius || h.opt.Keep != nil && !h.opt.Keep(position) {
				return
			}
			h.visited++
			if h.seen[position] {
				return
			}
			if branches && ctx.Err() == nil && !h.check.late() {
				lower = max(lower, h.bound(p.query, at, position))
			}
			if h.check.best.admits(lower, math.Inf(1)) {
				h.pending = append(h.pending, Answer{Position: position, Lower: lower, Upper: math.Inf(1)})
			} else {
				h.excluded++
			}
		})
	}
	h.looked = radius
}

// bound returns a bound of a graph that is stronger than that of its counts.
func (h *hunt) bound(q *screen.Query, at, position int) float64 {
	reach := h.check.best.reach()
	if h.labels == nil {
		return q.Branches(at, reach)
	}
	lower, err := h.labels.lower(position)
	if err != nil {
		h.first = err
	}
	if lower > reach {
		return lower
	}
	return max(lower, q.Branches(at, reach))
}

// due makes candidates of pending graphs whose bounds are within the radius, the
// nearest first.
func (h *hunt) due(radius float64) {
	slices.SortFunc(h.pending, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Lower, b.Lower), cmp.Compare(a.Position, b.Position))
	})
	n := sort.Search(len(h.pending), func(i int) bool { return h.pending[i].Lower > radius })
	h.candidates = append(h.candidates, h.pending[:n]...)
	h.pending = h.pending[n:]
}

// settle leaves in r what is known of the candidates.
func (h *hunt) settle(r *Result) {
	h.excluded += len(h.pending)
	r.Stats.exclude(byCounts, r.Stats.Graphs-h.excluded-len(h.candidates))
	r.Stats.exclude(byBranches, h.excluded)
	r.settle(h.candidates, h.check.best, byBranches)
	r.Stats.Calls = h.check.calls
	r.Stats.Candidates = r.Stats.Graphs
	r.Complete = true
}
