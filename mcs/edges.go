package mcs

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// EdgeOptions say which common subgraphs count for [LargestEdges], and limit the search.
type EdgeOptions struct {
	Connected        bool // the common subgraph must be connected
	IgnoreEdgeLabels bool
	Rings            bool // nodes and edges in rings map to such in rings only, others to others
	// AtLeast is the least number of edges of interest: whether there is a subgraph with as
	// many is decided faster than how many the largest has.
	AtLeast int
	Time    time.Duration // wall-clock budget; 0: none
	States  int64         // search states; 0: none
}

// LargestEdges finds the graph with most edges that is a subgraph of both q and t, not
// necessarily induced, with labels and directions; a wildcard equals only itself. Size
// and Upper of the result count edges; Map takes the nodes at them to those of t. If the
// context ends or a limit is reached first, it returns bounds, which is not an error.
// A larger AtLeast than there is leaves Upper at AtLeast − 1. The error wraps
// [ErrIncomparable].
//
// It grows node maps along edges. A state maps one more query node, at an edge to mapped
// ones, to every target node at the image of such an edge; then it excludes these edges
// and goes on. Where no edge is at a mapped node, an edge apart begins a new part. So
// every common subgraph is in one branch only. A branch is bounded by the edges that are
// left, class by class: no node can keep more edges of a class than its image has, and
// nodes without an image are paired by their numbers of edges, the largest with the
// largest.
func LargestEdges(ctx context.Context, q, t *graph.Graph, opt EdgeOptions) (Result, error) {
	start := time.Now()
	if err := checkPair(q, t); err != nil {
		return Result{}, err
	}
	s := growth{opt: opt, clock: clock.New(ctx, start, opt.Time), least: max(0, opt.AtLeast-1)}
	s.compile(q, t)
	s.bestMap = slices.Clone(s.q.image)
	s.solve()
	r := Result{Map: make(edit.NodeMap, q.N()), Size: s.best, Upper: max(s.best, s.upper), States: s.states}
	r.Exact = r.Size == r.Upper
	for v, w := range s.bestMap {
		r.Map[v] = int(w)
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// growth is the search of [LargestEdges].
type growth struct {
	opt   EdgeOptions
	clock clock.Clock
	q, t  web
	same  []bool // [classes] of edges: whether nothing tells the ends apart
	least int    // maps with as few edges are of no interest

	size    int // edges kept by the present map
	best    int
	bestMap []int32
	upper   int // no map keeps more
	goal    int // maps that keep as few or fewer are not looked for at present
	states  int64
	most    int64 // states after which the present search ends; 0: none
	stopped bool

	excluded []int32 // edges, a stack
	free     []int32 // scratch of seed: per class
	trimmed  []bool  // scratch of trim: nodes whose part was looked at
	// Scratch of bound.
	total, degree []int32    // per half class
	start         []int32    // of each half class in counts
	counts        [2][]int32 // see web.count
}

// web is one of the two graphs.
type web struct {
	label []int64    // with Rings it also tells the nodes in rings
	arcs  [][]strand // [n]
	image []int32    // [n] of mapped nodes, or −1
	out   []bool     // [m] excluded edges
	twin  []int32    // [n] of leaves: the one before that could be swapped with it, or −1
	ends  [][2]int32 // [m]
	class []int32    // [m]
	near  []bool     // see reach
	queue []int32
}

// strand is an edge seen from a node. Half is 2·class, plus 1 at the second of two
// different ends. Two strands are alike if their halves are and the labels of their ends.
type strand struct{ to, edge, half int32 }

// kind tells edges apart that cannot be mapped to each other.
type kind struct {
	label    graph.Label
	from, to int64
	ring     bool
}

func (s *growth) compile(q, t *graph.Graph) {
	classes := make(map[kind]int32)
	s.q.read(q, s.opt, classes)
	s.t.read(t, s.opt, classes)
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

func (w *web) read(g *graph.Graph, opt EdgeOptions, classes map[kind]int32) {
	n := g.N()
	w.label, w.arcs = make([]int64, n), make([][]strand, n)
	w.image, w.twin, w.near = make([]int32, n), make([]int32, n), make([]bool, n)
	for v := range n {
		w.label[v], w.image[v] = 2*int64(g.Label(v)), edit.Deleted
	}
	ring := func(u, v int) bool { return false }
	if opt.Rings {
		ring = bridgeless(g)
		for e := range g.Edges() {
			if ring(e.From, e.To) {
				w.label[e.From] |= 1
				w.label[e.To] |= 1
			}
		}
	}
	for e := range g.Edges() {
		k := kind{label: e.Label, from: w.label[e.From], to: w.label[e.To]}
		if !g.Directed() && k.from > k.to {
			e.From, e.To, k.from, k.to = e.To, e.From, k.to, k.from
		}
		if opt.IgnoreEdgeLabels {
			k.label = 0
		}
		k.ring = ring(e.From, e.To)
		c, ok := classes[k]
		if !ok {
			c = int32(len(classes))
			classes[k] = c
		}
		w.ends, w.class = append(w.ends, [2]int32{int32(e.From), int32(e.To)}), append(w.class, c)
	}
}

// join makes the arcs of the edges whose class the other graph has, too, and leaves out the
// others. same tells of every class whether its ends are alike.
func (w *web) join(other *web, same []bool) {
	has := make([]bool, len(same))
	for _, c := range other.class {
		has[c] = true
	}
	ends, class := w.ends, w.class
	w.ends, w.class = nil, nil
	last := make(map[leaf]int32)
	for e, c := range class {
		if !has[c] {
			continue
		}
		from, to, id, second := ends[e][0], ends[e][1], int32(len(w.ends)), int32(1)
		if same[c] {
			second = 0
		}
		w.ends, w.class = append(w.ends, ends[e]), append(w.class, c)
		w.arcs[from] = append(w.arcs[from], strand{to, id, 2 * c})
		w.arcs[to] = append(w.arcs[to], strand{from, id, 2*c + second})
	}
	w.out = make([]bool, len(w.ends))
	for v, arcs := range w.arcs {
		w.twin[v] = -1
		if len(arcs) == 1 {
			key := leaf{arcs[0].to, arcs[0].half, w.label[v]}
			if u, ok := last[key]; ok {
				w.twin[v] = u
			}
			last[key] = int32(v)
		}
	}
}

// leaf is what two nodes with one edge each have in common if they can be swapped.
type leaf struct {
	to, half int32
	label    int64
}

// bridgeless returns a function that reports whether an edge is in a ring, directions aside.
func bridgeless(g *graph.Graph) func(u, v int) bool {
	n := g.N()
	depth, low, bridge := make([]int, n), make([]int, n), make(map[[2]int]bool)
	var visit func(v, parent, d int)
	visit = func(v, parent, d int) {
		depth[v], low[v] = d, d
		step := func(arcs []graph.Arc) {
			for _, a := range arcs {
				switch u := int(a.To); {
				case u == parent || u == v:
				case depth[u] > 0:
					low[v] = min(low[v], depth[u])
				default:
					visit(u, v, d+1)
					low[v] = min(low[v], low[u])
					if low[u] > d {
						bridge[[2]int{v, u}], bridge[[2]int{u, v}] = true, true
					}
				}
			}
		}
		step(g.Out(v))
		if g.Directed() {
			step(g.In(v))
		}
	}
	for v := range n {
		if depth[v] == 0 {
			visit(v, -1, 1)
		}
	}
	return func(u, v int) bool { return !bridge[[2]int{u, v}] }
}

// solve looks for the largest map. Most pairs take few states. For others it asks whether a
// map attains the upper bound and, where none does, lowers the bound by one: what that cuts
// off is far more than what it repeats. The bound of connected maps is too weak for that.
func (s *growth) solve() {
	s.upper = s.bound()
	s.goal, s.most = s.least, s.opt.States
	if !s.opt.Connected && (s.most == 0 || s.most > plainStates) {
		s.most = plainStates
	}
	s.search()
	if !s.stopped {
		s.upper = max(s.best, min(s.least, s.upper))
		return
	}
	s.stopped = s.opt.Connected || s.most == s.opt.States || s.clock.Ended()
	for s.most = s.opt.States; !s.stopped && s.upper > max(s.best, s.least); s.upper-- {
		s.goal = s.upper - 1
		if s.search(); s.stopped {
			return
		}
	}
}

// plainStates is how many states a search takes before it goes by the upper bound.
const plainStates = 1000

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
	for {
		if s.best == s.upper || s.bound() <= max(s.best, s.goal) {
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
		s.stopped = s.most > 0 && s.states >= s.most || s.clock.Spend(100+8*(len(s.q.ends)+len(s.t.ends)))
	}
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
		if c := s.q.class[e]; !s.q.out[e] && free[c] > 0 && s.q.image[ends[0]] < 0 && s.q.image[ends[1]] < 0 && (best < 0 || free[c] < free[s.q.class[best]]) {
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
			if s.t.image[b.to] >= 0 || s.q.label[v] != s.t.label[b.to] || !s.firstTwin(b.to) ||
				slices.ContainsFunc(choices, func(c choice) bool { return c.w == b.to }) {
				continue
			}
			if gain := s.gain(v, b.to); gain > 0 {
				choices = append(choices, choice{b.to, gain})
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
			if s.stopped {
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
	s.clock.Spend(len(s.q.arcs[v]) + len(s.t.arcs[w]))
	for _, a := range s.q.arcs[v] {
		u := s.q.image[a.to]
		if u < 0 {
			continue
		}
		for _, b := range s.t.arcs[w] {
			if b.to == u && b.half == a.half {
				if s.q.out[a.edge] {
					return -1
				}
				n++
				break
			}
		}
	}
	return n
}

// bound returns the most edges that a map may keep in this branch.
func (s *growth) bound() int {
	rooted := s.opt.Connected && s.size > 0
	s.q.reach(rooted)
	s.t.reach(rooted)
	return s.tally()
}

// tally bounds the edges that a map may keep at the nodes that are near.
func (s *growth) tally() int {
	clear(s.total)
	for v, w := range s.q.image {
		if w >= 0 {
			s.pair(int32(v), w)
		}
	}
	s.q.count(s.counts[0], s.start, s.degree)
	s.t.count(s.counts[1], s.start, s.degree)
	for h := range s.total {
		for i := s.start[h]; i < s.start[h+1]; i++ {
			s.total[h] += min(s.counts[0][i], s.counts[1][i])
		}
	}
	size := int32(s.size)
	for c, same := range s.same {
		if same {
			size += s.total[2*c] / 2 // which has both ends
		} else {
			size += min(s.total[2*c], s.total[2*c+1])
		}
	}
	return int(size)
}

// pair adds to total what v and its image w can keep both.
func (s *growth) pair(v, w int32) {
	for _, a := range s.q.arcs[v] {
		if s.q.left(a) {
			s.degree[a.half]++
		}
	}
	for _, b := range s.t.arcs[w] {
		if s.degree[b.half] > 0 && s.t.left(b) {
			s.degree[b.half]--
			s.total[b.half]++
		}
	}
	for _, a := range s.q.arcs[v] {
		s.degree[a.half] = 0
	}
}

// left reports whether an edge of a node may still be kept.
func (w *web) left(a strand) bool { return w.near[a.to] && !w.out[a.edge] }

// reach sets near: unmapped nodes that may still be mapped, all or those that edges lead to
// from mapped ones.
func (w *web) reach(rooted bool) {
	w.queue = w.queue[:0]
	for v, image := range w.image {
		w.near[v] = !rooted && image < 0
		if rooted && image >= 0 {
			w.queue = append(w.queue, int32(v))
		}
	}
	w.spread()
}

// spread adds to near the unmapped nodes that edges lead to from those in the queue.
func (w *web) spread() {
	for i := 0; i < len(w.queue); i++ {
		for _, a := range w.arcs[w.queue[i]] {
			if w.image[a.to] < 0 && !w.near[a.to] && !w.out[a.edge] {
				w.near[a.to] = true
				w.queue = append(w.queue, a.to)
			}
		}
	}
}

// count sets counts[start[h]+d] to the number of unmapped nodes with more than d edges left of
// half class h. degree is scratch, and zero.
func (w *web) count(counts, start, degree []int32) {
	clear(counts)
	for v, arcs := range w.arcs {
		if !w.near[v] {
			continue
		}
		for _, a := range arcs {
			if !w.out[a.edge] && (w.near[a.to] || w.image[a.to] >= 0) {
				counts[start[a.half]+degree[a.half]]++
				degree[a.half]++
			}
		}
		for _, a := range arcs {
			degree[a.half] = 0
		}
	}
}
