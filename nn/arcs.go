package nn

import (
	"fmt"

	"github.com/greedgraph/greed/internal/kernel"
)

// Arcs are the A arcs of a [Batch], grouped by the node that they enter.
type Arcs struct {
	Start []int32 // [V+1] arcs into node v are Start[v]:Start[v+1]
	From  []int32 // [A] node at the other end
	Edge  []int32 // [A] row of the arc's label in the edge table
	Back  []int32 // [A] row of the label of the opposite arc
}

func (a *Arcs) reset() {
	a.Start = append(a.Start[:0], 0)
	a.From, a.Edge, a.Back = a.From[:0], a.Edge[:0], a.Back[:0]
}

func (a *Arcs) add(from, edge, back int32) {
	a.From = append(a.From, from)
	a.Edge = append(a.Edge, edge)
	a.Back = append(a.Back, back)
}

// end completes the arcs of a node.
func (a *Arcs) end() { a.Start = append(a.Start, int32(len(a.From))) }

func (a *Arcs) lists() kernel.Lists { return kernel.Lists{Start: a.Start, Index: a.From} }

// Way is the direction in which a layer follows arcs from a node to its neighbours.
type Way uint8

// The ways. The last two are for directed graphs.
const (
	Both    Way = iota
	Along       // from a node to where its edges lead
	Against     // from a node to where edges lead to it from
)

// arcs returns the arcs of a way and their opposites. It panics if the batch does not record
// directions.
func (b *Batch) arcs(w Way) (arcs, opposite *Arcs) {
	arcs, opposite = &b.Arcs, &b.Arcs
	switch w {
	case Along:
		arcs, opposite = &b.Along, &b.Against
	case Against:
		arcs, opposite = &b.Against, &b.Along
	}
	if len(arcs.Start) != b.Nodes()+1 {
		panic(fmt.Sprintf("nn: direction %d in a batch of undirected graphs", w))
	}
	return arcs, opposite
}
