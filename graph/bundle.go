package graph

import (
	"encoding/binary"
	"slices"
	"sync"
)

// firstBundle is the first number of a bundle. It lies beyond the labels of vocabularies,
// those of extensions included, and below [InRing].
const firstBundle = extension + extension/2

// Bundled reports whether l stands for several labels: whether it is one that [Bundles] gave.
func Bundled(l Label) bool { return l >= firstBundle && l < InRing }

// Bundles turn graphs with self-loops and parallel edges into simple graphs, for what works
// on simple graphs alone: all edges from one node to another become one edge whose label
// stands for the multiset of theirs, and a node with self-loops gets a label that stands for
// its own and the multiset of theirs. Equal multisets have the same label in all graphs
// that the same Bundles made. Such labels have no text. Bundles are safe for concurrent use.
type Bundles struct {
	mu      sync.RWMutex
	numbers map[string]Label
	of      []bundle
}

// bundle is what a label stands for: of a node, its own label and those of its loops.
type bundle struct {
	own   Label
	edges []Label // increasing
}

// NewBundles returns bundles that number none yet.
func NewBundles() *Bundles { return &Bundles{numbers: make(map[string]Label)} }

// Edges returns the labels that the label of an edge stands for, increasing. The slice
// must not be changed.
func (b *Bundles) Edges(l Label) []Label {
	if !Bundled(l) {
		return []Label{l}
	}
	return b.get(l).edges
}

// Node returns the label of a node and those of its self-loops, increasing, which l stands
// for. The slice must not be changed.
func (b *Bundles) Node(l Label) (own Label, loops []Label) {
	if !Bundled(l) {
		return l, nil
	}
	x := b.get(l)
	return x.own, x.edges
}

func (b *Bundles) get(l Label) bundle {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.of[l-firstBundle]
}

// number returns the label that stands for a node's own label, or for edges if there is
// none, and those of edges.
func (b *Bundles) number(node bool, own Label, arcs []Arc) Label {
	key := make([]byte, 0, 8+4*len(arcs))
	if node {
		key = binary.LittleEndian.AppendUint32(append(key, 1), uint32(own))
	}
	edges := make([]Label, len(arcs))
	for i, a := range arcs {
		edges[i] = a.Label
		key = binary.LittleEndian.AppendUint32(key, uint32(a.Label))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if l, ok := b.numbers[string(key)]; ok {
		return l
	}
	l := firstBundle + Label(len(b.of))
	if l >= InRing {
		panic("graph: too many bundles of edges")
	}
	b.numbers[string(key)] = l
	b.of = append(b.of, bundle{own, edges})
	return l
}

// Bundle returns the simple graph of g, which is g if that is simple. Its labels that are
// bundles belong to no vocabulary. Labels that are marked by [Graph.MarkRings] keep that.
func (b *Bundles) Bundle(g *Graph) *Graph {
	if !g.multi {
		return g
	}
	simple := &Builder{vocab: g.vocab, directed: g.directed, labels: slices.Clone(g.labels), simple: true,
		marked: g.marked}
	for v := range g.N() {
		arcs := g.Out(v)
		for len(arcs) > 0 {
			k := 1
			for k < len(arcs) && arcs[k].To == arcs[0].To {
				k++
			}
			between := arcs[:k]
			arcs = arcs[k:]
			w := int(between[0].To)
			switch {
			case w == v:
				simple.labels[v] = b.number(true, g.labels[v], between)
			case w < v && !g.directed:
			case k == 1:
				simple.MustAdd(v, w, between[0].Label)
			default:
				simple.MustAdd(v, w, b.number(false, 0, between))
			}
		}
	}
	return simple.MustBuild()
}
