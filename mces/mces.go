// Package mces finds the largest subgraph that two graphs have in common by edges, or proven bounds of its size.
package mces

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/assign"
	"github.com/greedgraph/greed/internal/clock"
	"github.com/greedgraph/greed/mcs"
)

// Options say which common subgraphs count for [Largest], and limit the search.
type Options struct {
	Connected        bool // the common subgraph must be connected
	IgnoreEdgeLabels bool
	Rings            bool // nodes and edges in rings map to such in rings only, others to others
	// AtLeast is the least number of edges of interest: whether there is a subgraph with as
	// many is decided faster than how many the largest has.
	AtLeast int
	Time    time.Duration // limit of wall-clock time; 0: none
	States  int64         // search states; 0: none
}

// Largest finds the graph with most edges that is a subgraph of both q and t, not
// necessarily induced, with labels and directions; a wildcard equals only itself. Size
// and Upper of the result count edges; Map takes the nodes at them to those of t. If the
// context ends or a limit is reached first, it returns bounds, which is not an error.
// A larger AtLeast than there is leaves Upper at AtLeast − 1. The error wraps
// [mcs.ErrIncomparable] or is [mcs.ErrNotSimple].
//
// Whether the subgraph need be connected or not, a search for some hundred states comes first. The question without
// connection is then one of an edit distance, for which package ged has the tighter bounds and local search; that of
// a connected one goes block by block where blocks are small, as in most molecules.
//
// The search grows node maps along edges. A state maps one more query node, at an edge to mapped
// ones, to every target node at the image of such an edge; then it excludes these edges
// and goes on. Where no edge is at a mapped node, an edge apart begins a new part. So
// every common subgraph is in one branch only. A branch is bounded by the edges that are
// left, class by class: no node can keep more edges of a class than its image has, and
// nodes without an image are paired by their numbers of edges, the largest with the
// largest.
func Largest(ctx context.Context, q, t *graph.Graph, opt Options) (mcs.Result, error) {
	start := time.Now()
	if err := mcs.Comparable(q, t); err != nil {
		return mcs.Result{}, err
	}
	if !q.Simple() || !t.Simple() {
		return mcs.Result{}, mcs.ErrNotSimple
	}
	s := newGrowth(q, t, opt, clock.New(ctx, start, opt.Time))
	s.begin(q, t)
	s.solve(ctx)
	r := mcs.Result{Map: make(edit.NodeMap, q.N()), Size: s.best, Upper: max(s.best, s.upper), States: s.states}
	r.Exact = r.Size == r.Upper
	for v, w := range s.bestMap {
		r.Map[v] = int(w)
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// growth is the search of [Largest].
type growth struct {
	opt      Options
	clock    clock.Clock
	q, t     web
	directed bool
	same     []bool // [classes] of edges: whether nothing tells the ends apart
	least    int    // maps with as few edges are of no interest

	size    int // edges kept by the present map
	best    int
	bestMap []int32
	upper   int // no map keeps more
	goal    int // maps that keep as few or fewer are not looked for at present
	states  int64
	most    int64 // states after which the present search ends; 0: none
	stopped bool
	memory  int64 // what the solver of distances may use, in bytes
	hard    bool  // the bound by assignments is worth its time

	excluded []int32 // edges, a stack
	free     []int32 // scratch of seed: per class
	offered  []bool  // scratch of grow: target nodes; all false between calls
	trimmed  []bool  // scratch of trim: nodes whose part was looked at
	// Scratch of bound.
	total, degree []int32    // per half class
	start         []int32    // of each half class in counts
	counts        [2][]int32 // see web.count
	// Scratch of assigned.
	rows, columns []int32
	cost, none    []float64
	halves        []int32
	solver        assign.Solver
}

func newGrowth(q, t *graph.Graph, opt Options, c clock.Clock) *growth {
	s := &growth{opt: opt, clock: c, least: max(0, opt.AtLeast-1), memory: solverMemory}
	s.compile(q, t)
	s.bestMap = slices.Clone(s.q.image)
	return s
}

func (s *growth) compile(q, t *graph.Graph) {
	classes := make(map[kind]int32)
	s.directed = q.Directed()
	s.q.read(q, s.opt, classes)
	s.t.read(t, s.opt, classes)
	s.offered = make([]bool, t.N())
	s.same, s.free = make([]bool, len(classes)), make([]int32, len(classes))
	for k, c := range classes {
		s.same[c] = k.from == k.to && !q.Directed()
	}
	s.q.join(&s.t, s.same)
	s.t.join(&s.q, s.same)
	s.total, s.degree = make([]int32, 2*len(classes)), make([]int32, 2*len(classes))
	most := make([]int32, 2*len(classes))
	for _, w := range []*web{&s.q, &s.t} {
		for _, arcs := range w.arcs {
			for _, a := range arcs {
				s.degree[a.half]++
				most[a.half] = max(most[a.half], s.degree[a.half])
			}
			for _, a := range arcs {
				s.degree[a.half] = 0
			}
		}
	}
	s.start = make([]int32, 1, len(most)+1)
	for h, n := range most {
		s.start = append(s.start, s.start[h]+n)
	}
	for i := range s.counts {
		s.counts[i] = make([]int32, s.start[len(most)])
	}
}

// solve looks for the largest map. Most pairs of small graphs take few states; others are for the solver of distances.
func (s *growth) solve(ctx context.Context) {
	s.upper, s.goal = s.bound(), s.least
	switch {
	case s.upper <= max(s.best, s.least) || s.plainly(s.plainStates()):
	case s.opt.Connected:
		s.solveConnected(ctx)
	default:
		s.most = s.opt.States
		s.byDistance(ctx)
		s.lower()
	}
}

// lower asks whether a map attains the upper bound and, where none does, lowers the bound by one: what that cuts off is
// far more than what it repeats.
func (s *growth) lower() {
	for s.most = s.opt.States; !s.stopped && s.upper > max(s.best, s.least); s.upper-- {
		s.goal = s.upper - 1
		if s.search(); s.stopped {
			return
		}
	}
}

// plainly searches some states. It reports whether that was the end: the largest map is found, or a limit reached.
func (s *growth) plainly(states int64) (over bool) {
	s.most = s.states + states
	if s.opt.States > 0 {
		s.most = min(s.most, s.opt.States)
	}
	s.search()
	if !s.stopped {
		s.upper = max(s.best, min(s.least, s.upper))
		return true
	}
	s.stopped = s.most == s.opt.States || s.clock.Ended()
	return s.stopped
}

// assignedNodes is the size of graphs up to which an assignment takes some milliseconds at most,
// so that it need not look at the clock.
const assignedNodes = 256

// How many states a search takes before all else, at least, and before a connected map goes by what is not its own
// bound.
const (
	fewStates      = 100
	plainConnected = 1000
)

// plainStates returns how many states a search takes before all else. Most pairs of small graphs need no more. For
// connected maps it is some 10 ms: a state takes the longer, the larger the graphs are.
func (s *growth) plainStates() int64 {
	if !s.opt.Connected {
		return fewStates
	}
	nodes := int64(len(s.q.arcs) + len(s.t.arcs))
	return max(fewStates, 8_000_000/(nodes*nodes+400))
}

// search extends the present map in all ways that can beat best, and excludes edges until
// none is left. It restores what it excluded.
func (s *growth) search() {
	if s.stop() {
		return
	}
	s.states++
	if s.size > s.best {
		s.best = s.size
		copy(s.bestMap, s.q.image)
	}
	begin := len(s.excluded)
	for !s.late() {
		if goal := max(s.best, s.goal); s.best == s.upper || s.bound() <= goal || s.hard && s.assigned() <= goal {
			break
		}
		mark := len(s.excluded)
		if s.opt.Connected && s.size == 0 {
			s.trim()
		}
		if v := s.next(); v >= 0 {
			s.grow(v)
			for _, a := range s.q.arcs[v] {
				if s.q.image[a.to] >= 0 && !s.q.out[a.edge] {
					s.exclude(a.edge)
				}
			}
		} else if !s.opt.Connected || s.size == 0 {
			if e := s.seed(); e >= 0 {
				s.plant(e)
				s.exclude(e)
			}
		}
		if s.stopped || len(s.excluded) == mark {
			break
		}
	}
	for _, e := range s.excluded[begin:] {
		s.q.out[e] = false
	}
	s.excluded = s.excluded[:begin]
}

// trim excludes the edges of the parts of the query that keep too few to beat best: a
// connected map lies in one part.
func (s *growth) trim() {
	w := &s.q
	s.t.reach(false)
	s.trimmed = slices.Grow(s.trimmed[:0], len(w.image))[:len(w.image)]
	clear(s.trimmed)
	for v := range w.image {
		if s.trimmed[v] {
			continue
		}
		if len(w.arcs[v]) == 0 {
			continue // nothing to exclude
		}
		if s.late() {
			return
		}
		clear(w.near)
		w.near[v], w.queue = true, append(w.queue[:0], int32(v))
		w.spread()
		hopeless := s.tally() <= max(s.best, s.goal)
		for _, u := range w.queue {
			s.trimmed[u] = true
			for _, a := range w.arcs[u] {
				if hopeless && !w.out[a.edge] {
					s.exclude(a.edge)
				}
			}
		}
	}
}

func (s *growth) exclude(e int32) {
	s.q.out[e] = true
	s.excluded = append(s.excluded, e)
}

func (s *growth) stop() bool {
	if !s.stopped {
		s.stopped = s.most > 0 && s.states >= s.most || s.clock.Ended()
	}
	return s.stopped
}

// late reports whether the search has to end, now that the bound, or what takes as long, is computed once more.
func (s *growth) late() bool {
	s.stopped = s.stopped || s.clock.Spend(100+8*(len(s.q.ends)+len(s.t.ends)))
	return s.stopped
}

// next returns the unmapped query node with the most edges to mapped ones that are not
// excluded, or −1.
func (s *growth) next() int32 {
	best, most := int32(-1), 0
	for v, image := range s.q.image {
		if image >= 0 {
			continue
		}
		n := 0
		for _, a := range s.q.arcs[v] {
			if s.q.image[a.to] >= 0 && !s.q.out[a.edge] {
				n++
			}
		}
		if n > 0 {
			if n = 16*n + len(s.q.arcs[v]); n > most {
				best, most = int32(v), n
			}
		}
	}
	return best
}

// seed returns an edge that is neither excluded nor at a mapped node, one of the class that
// the target has fewest of, or −1.
func (s *growth) seed() int32 {
	free := s.free
	clear(free)
	for e, ends := range s.t.ends {
		if s.t.image[ends[0]] < 0 && s.t.image[ends[1]] < 0 {
			free[s.t.class[e]]++
		}
	}
	best := int32(-1)
	for e, ends := range s.q.ends {
		if c := s.q.class[e]; !s.q.out[e] && free[c] > 0 && s.q.image[ends[0]] < 0 && s.q.image[ends[1]] < 0 &&
			(best < 0 || free[c] < free[s.q.class[best]]) {
			best = int32(e)
		}
	}
	return best
}

// choice is an image and the edges that it keeps.
type choice struct {
	w    int32
	gain int
}

// grow maps v in all ways that keep an edge to a mapped node.
func (s *growth) grow(v int32) {
	var tried [16]choice
	choices := tried[:0]
	for _, a := range s.q.arcs[v] {
		u := s.q.image[a.to]
		if u < 0 || s.q.out[a.edge] {
			continue
		}
		for _, b := range s.t.arcs[u] {
			if s.t.image[b.to] >= 0 || s.q.label[v] != s.t.label[b.to] || !s.firstTwin(b.to) || s.offered[b.to] {
				continue
			}
			s.offered[b.to] = true
			if gain := s.gain(v, b.to); gain > 0 {
				choices = append(choices, choice{b.to, gain})
			}
		}
	}
	for _, a := range s.q.arcs[v] {
		if u := s.q.image[a.to]; u >= 0 {
			for _, b := range s.t.arcs[u] {
				s.offered[b.to] = false
			}
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(len(s.t.arcs[b.w]), len(s.t.arcs[a.w])))
	})
	for _, c := range choices {
		s.put(v, c.w, c.gain)
		s.search()
		s.remove(v, c.w, c.gain)
		if s.stopped {
			return
		}
	}
}

// firstTwin reports whether the leaf like w before it is mapped, if there is one. Of such
// leaves, the first that is not mapped will do.
func (s *growth) firstTwin(w int32) bool {
	u := s.t.twin[w]
	return u < 0 || s.t.image[u] >= 0
}

// plant maps edge e to all edges like it that are not at mapped nodes.
func (s *growth) plant(e int32) {
	u, v := s.q.ends[e][0], s.q.ends[e][1]
	for f, ends := range s.t.ends {
		if s.t.class[f] != s.q.class[e] || s.t.image[ends[0]] >= 0 || s.t.image[ends[1]] >= 0 {
			continue
		}
		for turn := 0; turn == 0 || turn == 1 && s.same[s.q.class[e]]; turn++ {
			if g := s.gain(u, ends[0]); g >= 0 {
				s.put(u, ends[0], g)
				if h := s.gain(v, ends[1]); h > 0 {
					s.put(v, ends[1], h)
					s.search()
					s.remove(v, ends[1], h)
				}
				s.remove(u, ends[0], g)
			}
			if s.stopped = s.stopped || s.clock.Ended(); s.stopped {
				return
			}
			ends[0], ends[1] = ends[1], ends[0]
		}
	}
}

func (s *growth) put(v, w int32, gain int) {
	s.q.image[v], s.t.image[w] = w, v
	s.size += gain
}

func (s *growth) remove(v, w int32, gain int) {
	s.q.image[v], s.t.image[w] = edit.Deleted, edit.Deleted
	s.size -= gain
}

// gain returns how many edges are kept if v is mapped to w; −1 if an excluded one is: that
// map is in another branch.
func (s *growth) gain(v, w int32) int {
	n := 0
	s.clock.Spend(20*len(s.q.arcs[v]) + 10)
	for _, a := range s.q.arcs[v] {
		u := s.q.image[a.to]
		if u < 0 {
			continue
		}
		if s.keeps(w, u, a.half) {
			if s.q.out[a.edge] {
				return -1
			}
			n++
		}
	}
	return n
}
