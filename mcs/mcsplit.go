package mcs

import (
	"context"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// Options say which common subgraphs count, and limit the search for the largest.
type Options struct {
	Connected        bool // the common subgraph must be connected
	IgnoreEdgeLabels bool
	Time             time.Duration // limit of wall-clock time; 0: none
	States           int64         // search states; 0: none
}

// Result is what is known of a maximum common induced subgraph. Map takes Size
// nodes of the query to the nodes of the target that correspond to them and the
// rest to [edit.Deleted]; the true size is at least Size and at most Upper.
type Result struct {
	Map         edit.NodeMap
	Size, Upper int
	Exact       bool // Size and Upper meet
	States      int64
	Elapsed     time.Duration
}

// Largest finds the graph with most nodes that is an induced subgraph of both q and t,
// with labels and directions; a wildcard equals only itself. If the context ends or a
// limit is reached first, it returns bounds, which is not an error. The error wraps
// [ErrIncomparable].
//
// The method is McSplit (McCreesh, Prosser and Trimble, IJCAI 2017). Nodes with the same
// label and the same edges to all mapped pairs form a class, which has query nodes and
// target nodes. The smaller number of the two bounds the pairs that the class can add.
// Mapping a pair splits every class by the edges of its nodes to that pair.
func Largest(ctx context.Context, q, t *graph.Graph, opt Options) (Result, error) {
	start := time.Now()
	if err := Comparable(q, t); err != nil {
		return Result{}, err
	}
	q, t, opt = simple(q, t, opt)
	s := split{opt: opt, clock: clock.New(ctx, start, opt.Time), query: newSide(q, opt), target: newSide(t, opt)}
	s.classes = labelClasses(&s.query, &s.target)
	s.upper = s.bound(0)
	s.begin(q, t)
	s.search(0)
	r := Result{Map: make(edit.NodeMap, q.N()), Size: len(s.best), Upper: len(s.best), States: s.states}
	if s.stopped {
		r.Upper = max(s.upper, r.Size)
	}
	r.Exact = r.Size == r.Upper
	for v := range r.Map {
		r.Map[v] = edit.Deleted
	}
	for _, p := range s.best {
		r.Map[s.query.order[p.v]] = int(s.target.order[p.w])
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// simple returns simple graphs in which labels stand for parallel edges and self-loops, and
// options that look at labels if these count edges.
func simple(q, t *graph.Graph, opt Options) (*graph.Graph, *graph.Graph, Options) {
	if q.Simple() && t.Simple() {
		return q, t, opt
	}
	bundles := graph.NewBundles()
	bundle := func(g *graph.Graph) *graph.Graph {
		if opt.IgnoreEdgeLabels {
			g = g.Relabel(g.Vocabulary(), func(l graph.Label) graph.Label { return l },
				func(graph.Label) graph.Label { return graph.Wildcard })
		}
		return bundles.Bundle(g)
	}
	q, t = bundle(q), bundle(t)
	opt.IgnoreEdgeLabels = false
	return q, t, opt
}

// split is the search for the largest map.
type split struct {
	opt   Options
	clock clock.Clock

	query, target side
	classes       []class // a stack: those of each level of the search follow those of the level above
	mapped, best  []pairing
	upper         int // bound of what the first level has not searched yet
	states        int64
	stopped       bool
}

// pairing is a query node and its image.
type pairing struct{ v, w int32 }

// search extends mapped by nodes of classes[from:] in all ways that can beat best. Each
// turn maps one query node in all ways, and then leaves it out for good.
func (s *split) search(from int) {
	if s.stop() {
		return
	}
	s.states++
	if len(s.mapped) > len(s.best) {
		s.best = append(s.best[:0], s.mapped...)
	}
	for {
		bound := s.bound(from)
		if len(s.mapped) == 0 {
			s.upper = bound
		}
		if bound <= len(s.best) {
			return
		}
		c := s.choose(from)
		if c < 0 {
			return
		}
		v := s.query.take(&s.classes[c].q, -1)
		s.mapTo(from, c, v)
		if s.stopped {
			return
		}
		if last := len(s.classes) - 1; s.classes[c].q.len == 0 {
			s.classes[c] = s.classes[last]
			s.classes = s.classes[:last]
		}
	}
}

// bound returns the largest size that extending mapped by nodes of
// classes[from:] could reach.
func (s *split) bound(from int) int {
	size := len(s.mapped)
	for _, c := range s.classes[from:] {
		size += min(c.q.len, c.t.len)
	}
	return size
}

// mapTo tries every target node of class c as the image of v, which was removed from the
// class.
func (s *split) mapTo(from, c int, v int32) {
	whole := s.classes[c].t
	for w := int32(-1); ; {
		s.classes[c].t = whole
		if w = s.target.take(&s.classes[c].t, w); w < 0 {
			return
		}
		s.mapped = append(s.mapped, pairing{v, w})
		level := len(s.classes)
		s.divide(from, v, w)
		s.search(level)
		s.classes = s.classes[:level]
		s.mapped = s.mapped[:len(s.mapped)-1]
		if s.stopped {
			return
		}
	}
}

func (s *split) stop() bool {
	// A state of large graphs takes long, so nodes count and not states.
	s.stopped = s.stopped || s.opt.States > 0 && s.states == s.opt.States || s.clock.Spend(16+s.query.n+s.target.n)
	return s.stopped
}

// choose returns the class to map from, or −1 if there is none. It takes the class whose
// larger side is smallest, since that makes the fewest branches, and among equal ones
// the one with the query node of the highest degree.
func (s *split) choose(from int) int {
	best, bestSize, bestNode := -1, 0, int32(0)
	for c := from; c < len(s.classes); c++ {
		x := &s.classes[c]
		if s.opt.Connected && len(s.mapped) > 0 && !x.adjacent {
			continue
		}
		size := max(x.q.len, x.t.len)
		if best >= 0 && size > bestSize {
			continue
		}
		if node := s.query.least(x.q); best < 0 || size < bestSize || node < bestNode {
			best, bestSize, bestNode = c, size, node
		}
	}
	return best
}

// divide splits classes[from:] by the edges to the pair v, w and appends the parts.
func (s *split) divide(from int, v, w int32) {
	s.query.relate(v)
	s.target.relate(w)
	for c, end := from, len(s.classes); c < end; c++ {
		old := s.classes[c]
		s.query.arrange(old.q)
		s.target.arrange(old.t)
		for old.q.len > 0 && old.t.len > 0 {
			a, relation := s.query.first(old.q)
			b, other := s.target.first(old.t)
			if relation == other {
				s.classes = append(s.classes, class{a, b, old.adjacent || relation != 0})
			}
			if relation <= other {
				old.q = old.q.after(a)
			}
			if other <= relation {
				old.t = old.t.after(b)
			}
		}
	}
	s.query.unrelate(v)
	s.target.unrelate(w)
}
