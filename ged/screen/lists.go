package screen

import (
	"encoding/binary"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// lists holds the branches of graphs, by number. Numbers in many graphs were assigned early,
// so they are small: a branch beyond the last number is rare.
type lists struct {
	starts []int64  // of each graph's list in ids, and the end of the last
	ids    []uint16 // by node
	kinds  []branch
	// number is for the sheet that is being appended to; searches do not use it.
	number map[string]uint16
}

// branch is a node's label and the labels of its edges, ascending.
type branch struct {
	label   graph.Label
	out, in []graph.Label
}

// rare is the number for branches without their own.
const rare = 1<<16 - 1

func (l *lists) append(g *graph.Graph) {
	if l.starts == nil {
		l.starts = append(l.starts, 0)
	}
	var key []byte
	var b branch
	if l.number == nil {
		l.number = make(map[string]uint16)
		for i := range l.kinds {
			key = l.kinds[i].key(key[:0])
			l.number[string(key)] = uint16(i)
		}
	}
	for v := range g.N() {
		b.read(g, v)
		key = b.key(key[:0])
		id, ok := l.number[string(key)]
		if !ok {
			id = rare
			if len(l.kinds) < rare {
				id = uint16(len(l.kinds))
				l.kinds = append(l.kinds, branch{b.label, slices.Clone(b.out), slices.Clone(b.in)})
				l.number[string(key)] = id
			}
		}
		l.ids = append(l.ids, id)
	}
	l.starts = append(l.starts, int64(len(l.ids)))
}

// of returns the branches of a graph.
func (l *lists) of(position int) []uint16 { return l.ids[l.starts[position]:l.starts[position+1]] }

// read sets b to the branch of node v.
func (b *branch) read(g *graph.Graph, v int) {
	b.label = g.Label(v)
	b.out = labels(b.out[:0], g.Out(v))
	b.in = b.in[:0]
	if g.Directed() {
		b.in = labels(b.in, g.In(v))
	}
}

func labels(dst []graph.Label, arcs []graph.Arc) []graph.Label {
	for _, a := range arcs {
		dst = append(dst, a.Label&^graph.InRing)
	}
	slices.Sort(dst)
	return dst
}

// key writes b so that equal branches, and no others, have equal keys.
func (b *branch) key(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(b.label))
	dst = binary.AppendUvarint(dst, uint64(len(b.out)))
	dst = binary.AppendUvarint(dst, uint64(len(b.in)))
	for _, side := range [][]graph.Label{b.out, b.in} {
		for _, l := range side {
			dst = binary.AppendUvarint(dst, uint64(l))
		}
	}
	return dst
}
