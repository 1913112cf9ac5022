package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
)

// generator finds candidates in the order of lower bounds, which exist for all graphs. It looks
// within a radius that grows; best says how far an answer may lie.
type generator struct {
	in     *Collection
	skips  func(position int) bool
	best   *topK
	over   func() bool // time is up
	all    bool        // graphs that time does not reach are candidates, too
	sheets []sheet
	labels *bounder // nil where branches are stronger than labels
	// matched says that a matcher decides whether a distance is 0.
	matched bool

	looked   float64      // radius up to which counts were compared
	visited  int          // graphs within it
	given    map[int]bool // positions of candidates that others have found
	pending  []bounded    // those not yet taken
	excluded int          // by branches
	nearest  []Answer     // of the graphs counted, those with the least bounds, in their order
	counted  int
	least    float64 // distance that any of those excluded may have
	spent    time.Duration
}

// bounded is a graph with a lower bound of its distance.
type bounded struct {
	position int
	lower    float64
}

// answer returns what is known of it.
func (b bounded) answer() Answer {
	return Answer{Position: b.position, Lower: b.lower, Upper: math.Inf(1)}
}

// sheet has the counts of a run.
type sheet struct {
	query *screen.Query
	from  int
}

// newGenerator returns the generator of a search. It leaves out the candidates given, and
// gives them the bounds that it has.
func newGenerator(c *Collection, q *graph.Graph, opt Options, v *verifier, given []candidate) *generator {
	g := &generator{in: c, skips: opt.skips, best: v.best, over: v.late, all: opt.AllMissing, looked: -1,
		least: math.Inf(1), matched: matches(v.pricing), given: make(map[int]bool, len(given))}
	for i := range c.runs {
		r := &c.runs[i]
		g.sheets = append(g.sheets, sheet{r.counts().Query(v.pricing, v.numbered.queries[i]), r.from})
	}
	if !g.sheets[0].query.Full() {
		g.labels = &bounder{v.numbered, bound.NewFilter(v.pricing)}
	}
	for i := range given {
		k := &given[i]
		g.given[k.Position] = true
		k.Lower = max(k.Lower, g.lower(k.Position))
	}
	return g
}

// look adds the graphs within a radius by their counts to pending. If branches is true
// and time allows, it leaves out those that branches exclude. When time is up, it counts the rest of those
// within the radius of the search.
func (g *generator) look(ctx context.Context, radius float64, branches bool) {
	if radius <= g.looked {
		return
	}
	begin, before := time.Now(), g.visited
	defer func() {
		g.spent += time.Since(begin)
		g.in.Rest(g.visited - before)
	}()
	late := false
	for _, s := range g.sheets {
		s.query.Range(radius, func(at int, lower float64) {
			position := s.from + at
			if lower <= g.looked || lower > radius || g.skips(position) {
				return
			}
			g.visited++
			if g.given[position] {
				return
			}
			if !g.admits(position, lower) {
				g.least = min(g.least, lower)
				return
			}
			if late = late || ctx.Err() != nil || g.over(); late && g.best.k == 0 && !g.all {
				g.countOne(bounded{position, lower})
				return
			}
			if branches && !late {
				lower = max(lower, g.bound(s.query, at, position))
			}
			if !g.admits(position, lower) {
				g.excluded++
				g.least = min(g.least, lower)
				return
			}
			g.pending = append(g.pending, bounded{position, lower})
		})
	}
	g.looked = radius
}

// admits reports whether the graph at a position, whose distance is lower or more, may be an answer.
func (g *generator) admits(position int, lower float64) bool {
	return g.best.nearer(lower) || g.best.level(lower) && g.best.leads(g.best.ranks.rank(position))
}

// lower returns the bound of the graph at a position.
func (g *generator) lower(position int) float64 {
	s := g.sheets[g.in.runOf(position)]
	return g.bound(s.query, position-s.from, position)
}

// bound returns a bound of a graph that is stronger than that of its counts.
func (g *generator) bound(q *screen.Query, at, position int) float64 {
	reach := g.best.reach()
	switch {
	case g.labels == nil && g.matched && reach == 0: // to match what is left is cheaper than to assign branches
		return q.Missing(at)
	case g.labels == nil:
		return q.Branches(at, reach)
	}
	lower := g.labels.lower(position)
	if lower > reach {
		return lower
	}
	return max(lower, q.Branches(at, reach))
}

// take returns the pending graphs whose bounds are within the radius, at most so many, the
// nearest first; of those with equal bounds, those that rank first.
func (g *generator) take(radius float64, most int) []candidate {
	if len(g.pending) == 0 {
		return nil
	}
	ranks := g.best.k > 0
	ties := most               // that are taken, where they do not rank
	if most < len(g.pending) { // only those that may be taken are sorted
		lowers := make([]float64, len(g.pending))
		for i := range g.pending {
			lowers[i] = g.pending[i].lower
		}
		slices.Sort(lowers)
		if last := lowers[most-1]; last <= radius {
			nearer, _ := slices.BinarySearch(lowers, last)
			radius, ties = last, most-nearer
		}
	}
	type ranked struct {
		bounded
		rank rank
	}
	var due []ranked
	rest := g.pending[:0]
	for _, b := range g.pending {
		if tied := b.lower == radius && !ranks; b.lower > radius || tied && ties == 0 {
			rest = append(rest, b)
			continue
		} else if tied {
			ties--
		}
		k := ranked{bounded: b}
		if ranks { // the memory of each rank lies somewhere else
			k.rank = g.best.ranks.rank(b.position)
		}
		due = append(due, k)
	}
	g.in.Rest(len(due))
	slices.SortFunc(due, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.lower, b.lower), a.rank.compare(b.rank), cmp.Compare(a.position, b.position))
	})
	n := min(most, len(due))
	for _, k := range due[n:] {
		rest = append(rest, k.bounded)
	}
	g.pending = rest
	taken := make([]candidate, n)
	for i, k := range due[:n] {
		taken[i] = candidate{Answer: k.answer(), rank: k.rank}
	}
	return taken
}

// count counts the graphs that are not yet taken and may be nearer than the k-th, or within the radius,
// and keeps those of them with the least bounds. When time is up there may be millions, too many to make
// candidates of.
func (g *generator) count() {
	for i := range g.pending {
		g.countOne(g.pending[i])
	}
	g.pending = nil
	if g.looked >= g.best.reach() {
		return
	}
	defer g.in.Rest(g.in.Positions())
	for _, s := range g.sheets {
		s.query.Range(g.best.reach(), func(at int, lower float64) {
			position := s.from + at
			if lower <= g.looked || g.skips(position) {
				return
			}
			g.visited++
			if !g.given[position] {
				g.countOne(bounded{position, lower})
			}
		})
	}
	g.looked = g.best.reach()
}

// countOne counts one graph.
func (g *generator) countOne(b bounded) {
	g.least = min(g.least, b.lower)
	if !g.best.nearer(b.lower) {
		g.excluded++
		return
	}
	g.counted++
	if n := len(g.nearest); n == mostUnreached { // most are farther
		if last := &g.nearest[n-1]; b.lower > last.Lower || b.lower == last.Lower && b.position > last.Position {
			return
		}
	}
	a := b.answer()
	i, _ := slices.BinarySearchFunc(g.nearest, a, byLower)
	g.nearest = slices.Insert(g.nearest, i, a)
	g.nearest = g.nearest[:min(len(g.nearest), mostUnreached)]
}

// mostUnreached is how many graphs that time did not reach are listed one by one.
const mostUnreached = 100

// cheapest returns the least positive cost of an edit, or 1 if there is none.
func cheapest(c edit.Costs) float64 {
	least := math.Inf(1)
	for _, w := range []float64{c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.EdgeInsert, c.EdgeDelete,
		c.EdgeSubstitute} {
		if w > 0 {
			least = min(least, w)
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return least
}
