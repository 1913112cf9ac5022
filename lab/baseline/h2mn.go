package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// h2mnDesigns are H²MN: Zhang, Bu, Ester, Li, Yao, Yu and Wang, "H2MN: Graph Similarity
// Learning with Hierarchical Hypergraph Matching Networks", KDD 2021, with hyperedges
// from random walks (RW) and from neighbourhoods (NE).
func h2mnDesigns(width int) []design {
	var all []design
	for _, of := range []struct {
		name, title, about string
		walks              bool
	}{
		{"h2mn-rw", "H2MN-RW", "hypergraphs by random walks, hyperedges pooled and matched in three layers", true},
		{"h2mn-ne", "H2MN-NE", "hypergraphs by neighbourhoods, hyperedges pooled and matched in three layers", false},
	} {
		all = append(all, design{
			Info: Info{
				Name: of.name, Title: of.title, Paper: "Zhang et al. 2021", About: of.about,
				Tasks:  []edit.Task{edit.GED, edit.SED},
				Cached: "the first of three layers: hyperedges and a pooled vector",
			},
			build: func(b *builder, s shape) network { return newH2MN(b, s, of.walks, width) },
			goal:  similarity{},
			steps: 10_000, batch: 32, rate: 1e-3, decay: 3e-5,
			degrees: alwaysDegrees, ties: of.walks,
		})
	}
	return all
}

const (
	h2mnWidth  = 100
	h2mnLayers = 3
	h2mnWalk   = 5 // steps of a walk
	h2mnSlope  = 0.2
	// Of the hyperedges of the last layer a share goes on; of the others all.
	h2mnShare = 0.8
	// PageRank spreads the scores of nodes.
	h2mnRounds = 10
	h2mnAlpha  = 0.1
)

type h2mn struct {
	walks   bool
	conv    *gcn
	layers  []hyperlayer
	readout []attention // of the graph, then of each layer
	fc      tower
}

// hyperlayer is one of the layers of hyperedges.
type hyperlayer struct {
	conv     dense
	rank, b  *nn.Param // of the scores that pooling begins with
	matching *nn.Param // [100, 100], perspectives
}

func newH2MN(b *builder, s shape, walks bool, width int) network {
	n := &h2mn{walks: walks, conv: b.gcn("conv", s, width)}
	for i := range h2mnLayers {
		name := fmt.Sprintf("layer.%d.", i)
		l := hyperlayer{conv: b.dense(name+"conv", glorot, width, width)}
		l.rank, l.b = b.row(name+"rank", width), b.number(name+"rank.b")
		l.matching = b.matrix(name+"match", glorot, width, width).w
		n.layers = append(n.layers, l)
	}
	var in []int
	for i := range h2mnLayers + 1 {
		n.readout = append(n.readout, b.attention(fmt.Sprintf("readout.%d", i), width))
		in = append(in, width, width)
	}
	n.fc = b.tower("fc", glorot, []int{2 * width, width, width / 2}, in...)
	return n
}

// hypergraph says which nodes are on which hyperedges: hyperedge v is that of node v, so
// that there are as many. Lists are runs of rows, as segments.
type hypergraph struct {
	nodes, nodeStart []int32 // of each hyperedge
	edges, edgeStart []int32 // of each node
}

// invert sets the edges of each of n nodes.
func (h *hypergraph) invert(n int) {
	h.edgeStart = make([]int32, n+1)
	for _, v := range h.nodes {
		h.edgeStart[v+1]++
	}
	for v := range n {
		h.edgeStart[v+1] += h.edgeStart[v]
	}
	h.edges = make([]int32, len(h.nodes))
	at := slices.Clone(h.edgeStart)
	for e := range n {
		for _, v := range h.nodes[h.nodeStart[e]:h.nodeStart[e+1]] {
			h.edges[at[v]] = int32(e)
			at[v]++
		}
	}
}

// hypergraphOf makes the hypergraph of a batch. The hyperedge of a node is the nodes that
// a random walk from it visits, or the node and its neighbours. Walks are drawn once for
// a graph, by what the graph is, not anew in every batch.
func (n *h2mn) hypergraphOf(b *nn.Batch) hypergraph {
	h := hypergraph{nodeStart: []int32{0}}
	for g := range b.Graphs() {
		begin, end := b.Segment[g], b.Segment[g+1]
		rng := rand.New(rand.NewPCG(uint64(end-begin), uint64(b.Start[end]-b.Start[begin])))
		for v := begin; v < end; v++ {
			on := []int32{v}
			if n.walks {
				for at, k := v, 0; k < h2mnWalk; k++ {
					near := b.From[b.Start[at]:b.Start[at+1]]
					if len(near) == 0 {
						break
					}
					at = near[rng.IntN(len(near))]
					on = append(on, at)
				}
			} else {
				on = append(on, b.From[b.Start[v]:b.Start[v+1]]...)
			}
			slices.Sort(on)
			h.nodes = append(h.nodes, slices.Compact(on)...)
			h.nodeStart = append(h.nodeStart, int32(len(h.nodes)))
		}
	}
	h.invert(b.Nodes())
	return h
}

// toEdges returns the mean over the nodes of every hyperedge, toNodes the mean over the
// hyperedges of every node.
func (h *hypergraph) toEdges(t *nn.Tape, x *nn.Var) *nn.Var {
	return ops.SegmentMean(t, ops.Gather(t, x, h.nodes), h.nodeStart)
}

func (h *hypergraph) toNodes(t *nn.Tape, x *nn.Var) *nn.Var {
	return ops.SegmentMean(t, ops.Gather(t, x, h.edges), h.edgeStart)
}

func (n *h2mn) embed(t *nn.Tape, b *nn.Batch) []kept {
	x := ops.LeakyReLU(t, n.conv.last(t, b), h2mnSlope)
	whole := n.readout[0].pool(t, x, b.Segment)
	h := n.hypergraphOf(b)
	l := &n.layers[0]
	x = ops.LeakyReLU(t, l.conv.apply(t, h.toNodes(t, h.toEdges(t, x)), false), h2mnSlope)
	edges, _ := l.pool(t, x, &h)
	// What is on what is kept as numbers, two in a row: the hyperedge and the node, counted
	// in the graph.
	on := t.Input(len(h.nodes), 2)
	start := []int32{0}
	for g := range b.Graphs() {
		for e := b.Segment[g]; e < b.Segment[g+1]; e++ {
			for i := h.nodeStart[e]; i < h.nodeStart[e+1]; i++ {
				on.Value[2*i], on.Value[2*i+1] = float32(e-b.Segment[g]), float32(h.nodes[i]-b.Segment[g])
			}
		}
		start = append(start, h.nodeStart[b.Segment[g+1]])
	}
	return []kept{{whole, upTo(b.Graphs())}, {edges, b.Segment}, {on, start}}
}

// pool returns states of hyperedges and their scores. The score of a node spreads to
// those that share hyperedges with it.
func (l *hyperlayer) pool(t *nn.Tape, x *nn.Var, h *hypergraph) (edges, scores *nn.Var) {
	first := ops.Sigmoid(t, ops.Dot(t, h.toNodes(t, h.toEdges(t, x)), l.rank, l.b))
	stay, leave := t.Input(first.Rows, 1), t.Input(first.Rows, 1)
	for i := range first.Rows {
		stay.Value[i], leave.Value[i] = h2mnAlpha, 1-h2mnAlpha
	}
	rank, back := first, ops.MulColumn(t, first, stay)
	for range h2mnRounds {
		rank = t.Add(back, ops.MulColumn(t, h.toNodes(t, h.toEdges(t, rank)), leave))
	}
	scores = h.toEdges(t, rank)
	on := ops.Gather(t, x, h.nodes)
	middle := ops.Spread(t, ops.SegmentMean(t, on, h.nodeStart), h.nodeStart)
	share := ops.SegmentSoftmax(t, ops.RowDot(t, on, middle), h.nodeStart)
	return ops.MulColumn(t, ops.SegmentSum(t, ops.MulColumn(t, on, share), h.nodeStart), scores), scores
}

func (n *h2mn) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	// Graph 2i is the query of pair i, 2i+1 its target.
	var rows []int32
	h := hypergraph{nodeStart: []int32{0}}
	segment := []int32{0}
	for i := range p.q {
		for _, g := range []int32{p.q[i], p.t[i]} {
			begin, end := z[1].of(g)
			base := int32(len(rows))
			for v := begin; v < end; v++ {
				rows = append(rows, v)
			}
			ib, ie := z[2].of(g)
			at := ib
			for e := range end - begin {
				for ; at < ie && int32(z[2].x.Value[2*at]) == e; at++ {
					h.nodes = append(h.nodes, base+int32(z[2].x.Value[2*at+1]))
				}
				h.nodeStart = append(h.nodeStart, int32(len(h.nodes)))
			}
			segment = append(segment, int32(len(rows)))
		}
	}
	h.invert(len(rows))
	perEdge := t.Input(len(rows), 1)
	for e := range rows {
		perEdge.Value[e] = 1 / float32(max(1, h.nodeStart[e+1]-h.nodeStart[e]))
	}
	parts := []*nn.Var{ops.Gather(t, z[0].x, p.q), ops.Gather(t, z[0].x, p.t)}
	edges := ops.Gather(t, z[1].x, rows)
	for k := range n.layers {
		if k > 0 {
			x := h.toNodes(t, ops.MulColumn(t, edges, perEdge))
			x = ops.LeakyReLU(t, n.layers[k].conv.apply(t, x, false), h2mnSlope)
			var scores *nn.Var
			edges, scores = n.layers[k].pool(t, x, &h)
			if k == len(n.layers)-1 {
				edges, segment = best(t, edges, scores, segment)
			}
		}
		edges = n.layers[k].match(t, edges, segment, p)
		both := n.readout[k+1].pool(t, edges, segment)
		even, odd := make([]int32, len(p.q)), make([]int32, len(p.q))
		for i := range p.q {
			even[i], odd[i] = int32(2*i), int32(2*i+1)
		}
		parts = append(parts, ops.Gather(t, both, even), ops.Gather(t, both, odd))
	}
	return n.fc.apply(t, t.Concat(parts...))
}

// match compares every hyperedge with the hyperedges of the other graph, each weighted
// by how alike they are. The weights need not add up to one, because cosines ignore
// lengths.
func (l *hyperlayer) match(t *nn.Tape, x *nn.Var, segment []int32, p *pairs) *nn.Var {
	blocks := p.spare()
	for i := range p.q {
		for _, side := range []int{2 * i, 2*i + 1} {
			blocks.Add(segment[side], segment[side+1], segment[side^1], segment[(side^1)+1])
		}
	}
	unit := ops.Unit(t, x)
	return ops.Perspectives(t, x, ops.CellSums(t, t.ReLU(ops.CellDots(t, unit, unit, blocks)), x, blocks), l.matching)
}

// best keeps the hyperedges of the highest scores of every graph, earlier ones of equal
// scores.
func best(t *nn.Tape, edges, scores *nn.Var, segment []int32) (*nn.Var, []int32) {
	var rows []int32
	start := []int32{0}
	for g := range len(segment) - 1 {
		order := make([]int32, 0, segment[g+1]-segment[g])
		for v := segment[g]; v < segment[g+1]; v++ {
			order = append(order, v)
		}
		slices.SortStableFunc(order, func(a, b int32) int {
			switch x, y := scores.Value[a], scores.Value[b]; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		order = order[:int(math.Ceil(h2mnShare*float64(len(order))))]
		slices.Sort(order)
		rows = append(rows, order...)
		start = append(start, int32(len(rows)))
	}
	return ops.Gather(t, edges, rows), start
}
