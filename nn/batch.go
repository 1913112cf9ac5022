package nn

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Batch is the disjoint union of a list of graphs, in the form that the layers read.
// Dimensions: G graphs, V nodes and A arcs in all.
//
// The nodes of each graph, and the arcs of each node, are put into an order that does not
// depend on how the nodes were numbered (up to nodes that no layer can distinguish). Every
// sum over nodes or arcs runs in that order, so all numberings of a graph give the same bits.
type Batch struct {
	Segment []int32 // [G+1] nodes of graph g are Segment[g]:Segment[g+1]
	Node    []int32 // [V] row of the node's label in the node table
	Origin  []int32 // [V] number of the node in its graph
	// Local has the rows of the nodes' features, [V] each, if Rows.Features is set.
	Local [features][]int32
	// Counted has the counts of the graphs, [G, width], if Rows.Counts is set.
	Counted []float32
	Arcs    // all arcs
	// Along are the arcs of directed graphs that are followed in their direction, Against
	// those that are followed backwards. They are recorded if the rows distinguish
	// directions.
	Along, Against Arcs

	order    orderer
	observer observer
	width    int // of Counted
}

// Graphs returns G.
func (b *Batch) Graphs() int { return len(b.Segment) - 1 }

// Nodes returns V.
func (b *Batch) Nodes() int { return len(b.Node) }

// Rows maps labels to rows of a model's tables. Row 0 is for every label that the tables do
// not have.
type Rows struct {
	Node []int32 // by node label of a vocabulary
	// Edge is indexed by edge label. If it is nil, neither edge labels nor directions are
	// seen; if it is empty, only directions are.
	Edge []int32
	// Features says whether features are computed.
	Features bool
	// Counts says what is counted; nil means nothing.
	Counts *Counts
	// Alone says that only Counts are computed.
	Alone bool
}

func rowOf(rows []int32, l graph.Label) int32 {
	if int(l) < len(rows) {
		return rows[l]
	}
	return 0
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Segment = append(b.Segment[:0], 0)
	b.Node, b.Origin = b.Node[:0], b.Origin[:0]
	b.Counted = b.Counted[:0]
	for f := range b.Local {
		b.Local[f] = b.Local[f][:0]
	}
	for _, arcs := range []*Arcs{&b.Arcs, &b.Along, &b.Against} {
		arcs.reset()
	}
}

// Add appends a graph. In a directed graph, the row of an arc is twice the row of its label,
// plus one if the edge is followed backwards.
func (b *Batch) Add(g *graph.Graph, rows Rows) {
	o := &b.order
	if rows.Alone {
		o.read(g, rows)
		b.Segment = append(b.Segment, 0)
		rows.Counts.read(b.counts(rows.Counts.width), &b.observer, o, g.Directed(), rows)
		return
	}
	o.load(g, rows)
	base := int32(len(b.Node))
	apart := g.Directed() && rows.Edge != nil
	for _, v := range o.nodes {
		b.Node = append(b.Node, o.label[v])
		b.Origin = append(b.Origin, v)
		if rows.Features {
			for f, row := range o.local[v] {
				b.Local[f] = append(b.Local[f], row)
			}
		}
		for _, a := range o.arcsOf(int(v)) {
			b.add(base+o.rank[a.from], a.edge, a.back)
			switch {
			case apart && a.edge%2 == 0:
				b.Along.add(base+o.rank[a.from], a.edge, a.back)
			case apart:
				b.Against.add(base+o.rank[a.from], a.edge, a.back)
			}
		}
		b.end()
		if apart {
			b.Along.end()
			b.Against.end()
		}
	}
	b.Segment = append(b.Segment, int32(len(b.Node)))
	if c := rows.Counts; c != nil {
		c.read(b.counts(c.width), &b.observer, o, g.Directed(), rows)
	}
}

// counts returns zeroed memory for the counts of a graph.
func (b *Batch) counts(width int) []float32 {
	at := len(b.Counted)
	b.width = width
	b.Counted = slices.Grow(b.Counted, width)[:at+width]
	clear(b.Counted[at:])
	return b.Counted[at:]
}

// Sparse holds the non-zero counts of a graph.
type Sparse []struct{ at, count int32 }

// Last returns the counts of the last graph added.
func (b *Batch) Last() Sparse {
	s := Sparse{}
	for at, x := range b.Counted[len(b.Counted)-b.width:] {
		if x > 0 {
			s = append(s, struct{ at, count int32 }{int32(at), int32(x)})
		}
	}
	return s
}

// AddCounted appends a graph with the counts that [Batch.Last] returned for it.
func (b *Batch) AddCounted(g *graph.Graph, s Sparse, rows Rows) {
	dst := b.counts(rows.Counts.width)
	if rows.Counts = nil; rows.Alone {
		b.Segment = append(b.Segment, 0)
	} else {
		b.Add(g, rows)
	}
	for _, x := range s {
		dst[x.at] = float32(x.count)
	}
}

// Order returns the nodes of the last graph added, in the batch's order. The slice is valid
// until the next Add.
func (b *Batch) Order() []int32 { return b.order.nodes }

// orderer orders the nodes of one graph by colour refinement over the rows of its labels.
// Nodes of the same colour in a stable partition have equal states in every message-passing
// layer, so their order does not matter.
type orderer struct {
	label  []int32
	local  [][features]int32 // where features are seen
	cycles cycles
	start  []int32
	arcs   []orderArc
	colour []uint64
	next   []uint64
	sorted []uint64
	nodes  []int32 // in order
	rank   []int32 // position in nodes
}

type orderArc struct {
	from, edge, back int32
	key              uint64
}

func (o *orderer) arcsOf(v int) []orderArc { return o.arcs[o.start[v]:o.start[v+1]] }

// read lists a graph's labels and arcs by their rows.
func (o *orderer) read(g *graph.Graph, rows Rows) {
	n := g.N()
	o.label, o.arcs = o.label[:0], o.arcs[:0]
	o.start = append(o.start[:0], 0)
	for v := range n {
		o.label = append(o.label, rowOf(rows.Node, g.Label(v)))
		for _, a := range g.Out(v) {
			o.add(rows, a, g.Directed(), 0)
		}
		if g.Directed() {
			for _, a := range g.In(v) {
				o.add(rows, a, true, 1)
			}
		}
		o.start = append(o.start, int32(len(o.arcs)))
	}
}

// load computes the order of a graph's nodes and arcs.
func (o *orderer) load(g *graph.Graph, rows Rows) {
	n := g.N()
	o.read(g, rows)
	o.colour = slices.Grow(o.colour[:0], n)[:n]
	o.next = slices.Grow(o.next[:0], n)[:n]
	for v := range n {
		o.colour[v] = scramble(uint64(o.label[v]) + 1)
	}
	if rows.Features {
		o.lookAround(n)
	}
	for classes := o.classes(); classes < n; {
		o.refine()
		after := o.classes()
		if after == classes {
			break
		}
		classes = after
	}
	o.sortNodes(n)
	for v := range n {
		arcs := o.arcsOf(v)
		for i := range arcs {
			arcs[i].key = o.colour[arcs[i].from]
		}
		slices.SortFunc(arcs, func(a, b orderArc) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			return int(a.edge - b.edge)
		})
	}
}

// lookAround computes the nodes' features and makes them part of the colours.
func (o *orderer) lookAround(n int) {
	o.cycles.load(o, n)
	o.local = slices.Grow(o.local[:0], n)[:n]
	for v := range n {
		l := &o.local[v]
		l[Degree] = degreeRow(o.start[v+1] - o.start[v])
		l[ShortestCycle] = max(0, o.cycles.shortest(int32(v), cycleArcs)-2)
		l[CycleEdges] = min(o.cycles.edges(int32(v)), cycleEdgeRows-1)
		o.colour[v] = scramble(o.colour[v] + uint64(l[ShortestCycle]*cycleEdgeRows+l[CycleEdges]))
	}
}

func (o *orderer) add(rows Rows, a graph.Arc, directed bool, against int32) {
	arc := orderArc{from: a.To}
	if rows.Edge != nil {
		arc.edge = rowOf(rows.Edge, a.Label)
		arc.back = arc.edge
		if directed {
			arc.edge, arc.back = 2*arc.edge+against, 2*arc.edge+1-against
		}
	}
	o.arcs = append(o.arcs, arc)
}

func (o *orderer) refine() {
	for v := range o.next {
		sum := uint64(0)
		for _, a := range o.arcsOf(v) {
			sum += scramble(o.colour[a.from] + uint64(a.edge)*0x9e3779b97f4a7c15)
		}
		o.next[v] = scramble(o.colour[v] + scramble(sum))
	}
	o.colour, o.next = o.next, o.colour
}

// classes returns the number of distinct colours.
func (o *orderer) classes() int {
	o.sorted = append(o.sorted[:0], o.colour...)
	slices.Sort(o.sorted)
	return len(slices.Compact(o.sorted))
}

func (o *orderer) sortNodes(n int) {
	o.nodes = o.nodes[:0]
	for v := range n {
		o.nodes = append(o.nodes, int32(v))
	}
	slices.SortFunc(o.nodes, func(a, b int32) int { return cmp.Compare(o.colour[a], o.colour[b]) })
	o.rank = slices.Grow(o.rank[:0], n)[:n]
	for i, v := range o.nodes {
		o.rank[v] = int32(i)
	}
}

// scramble is the finaliser of splitmix64 (Steele, Lea and Flood, 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
