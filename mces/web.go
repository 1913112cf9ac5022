package mces

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// web is one of the two graphs.
type web struct {
	label []int64    // with Rings it also marks the nodes in rings
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

func byEnd(a, b strand) int { return cmp.Compare(a.to, b.to) }

// to returns the arcs of v from the first to u on.
func (w *web) to(v, u int32) []strand {
	arcs := w.arcs[v]
	i := 0
	if len(arcs) > fewArcs {
		i, _ = slices.BinarySearchFunc(arcs, u, func(a strand, u int32) int { return cmp.Compare(a.to, u) })
	}
	for i < len(arcs) && arcs[i].to < u {
		i++
	}
	return arcs[i:]
}

// fewArcs is the number of arcs of a node up to which going through them is faster than to divide them.
const fewArcs = 8

// kind tells edges apart that cannot be mapped to each other.
type kind struct {
	label    graph.Label
	from, to int64
	ring     bool
}

func (w *web) read(g *graph.Graph, opt Options, classes map[kind]int32) {
	n := g.N()
	w.label, w.arcs = make([]int64, n), make([][]strand, n)
	w.image, w.twin, w.near = make([]int32, n), make([]int32, n), make([]bool, n)
	for v := range n {
		w.label[v], w.image[v] = 2*int64(g.Label(v)), edit.Deleted
	}
	ring := func(u, v int) bool { return false }
	if opt.Rings {
		ring = g.Ringed()
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
// others. same says of every class whether its ends are alike.
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
		if !slices.IsSortedFunc(arcs, byEnd) {
			slices.SortStableFunc(arcs, byEnd)
		}
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

// left reports whether an edge of a node may still be kept.
func (w *web) left(a strand) bool { return w.near[a.to] && !w.out[a.edge] }

// loose appends to dst the unmapped nodes with edges that may still be kept.
func (w *web) loose(dst []int32) []int32 {
	for v, arcs := range w.arcs {
		if w.near[v] && slices.ContainsFunc(arcs, func(a strand) bool {
			return !w.out[a.edge] &&
				(w.near[a.to] || w.image[a.to] >= 0)
		}) {
			dst = append(dst, int32(v))
		}
	}
	return dst
}

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
