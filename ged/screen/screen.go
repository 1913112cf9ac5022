// Package screen computes lower bounds of the edit distances from a query to all graphs of a
// collection, and excludes most graphs without reading them.
//
// It stores data for two kinds of bounds. Counts (of nodes, of node and edge labels, of
// degrees; rare labels share a counter) are small vectors of bytes, one per graph. If a
// counter of the query is greater, nodes or edges must be deleted or substituted; if that of
// the target is greater, inserted or substituted. Under unit costs the bound is half an ℓ1
// distance, and for SED its hinge. Vectors are in blocks of 64 under a tree of boxes, and a
// query descends only into boxes whose bound allows an answer.
//
// A branch is a node with the labels of its edges. Branches are numbered, and a graph is
// represented by the list of its branches. Branches that query and target have in common cost
// nothing, which leaves a small assignment problem: BRANCH-FAST of Blumenthal and Gamper
// (2018). If costs depend on labels, on rings or on attributes, or if a substitution costs
// more than a deletion and an insertion, the bound uses the cheapest edits.
package screen

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// Sheet holds the counts and branches of graphs that share a vocabulary. A copy is a separate
// sheet, which does not change when graphs are appended to the original. The zero value is
// empty.
type Sheet struct {
	tree     *tree
	tail     [][]uint8 // blocks of counts behind those of the tree
	n        int
	branches lists
}

// Len returns the number of graphs.
func (s *Sheet) Len() int { return s.n }

const (
	leastTail = 4096 // graphs behind the tree before it is built anew
	tailShare = 8    // or one in so many, if that is more
)

// Append adds graphs, and moves them into the tree once there are many outside it. Of sheets
// that are copies of each other, only the one last appended to may be appended to.
func (s *Sheet) Append(graphs ...*graph.Graph) {
	s.Extend(graphs...)
	if first := s.tree.len(); s.n-first > max(leastTail, first/tailShare) {
		s.Build()
	}
}

// Extend is [Sheet.Append] without a change of the tree, for sheets that are extended in many
// steps and built after the last.
func (s *Sheet) Extend(graphs ...*graph.Graph) {
	if len(graphs) == 0 {
		return
	}
	tail := append([][]uint8(nil), s.tail...)
	first := s.tree.len()
	if lane := (s.n - first) % kernel.CountLane; lane > 0 {
		tail[len(tail)-1] = append([]uint8(nil), tail[len(tail)-1]...) // a copy may hold it
	}
	counts := make([]uint8, width)
	for _, g := range graphs {
		lane := (s.n - first) % kernel.CountLane
		if lane == 0 {
			tail = append(tail, make([]uint8, width*kernel.CountLane))
		}
		count(counts, g, false)
		block := tail[len(tail)-1]
		for i, c := range counts {
			block[i*kernel.CountLane+lane] = c
		}
		s.branches.append(g)
		s.n++
	}
	s.tail = tail
}

// Build moves all graphs into the tree.
func (s *Sheet) Build() {
	if s.tree.len() == s.n {
		return
	}
	rows := make([]uint8, s.n*width)
	if s.tree != nil {
		for b, block := range s.tree.leaves() {
			for lane := range min(kernel.CountLane, s.tree.len()-b*kernel.CountLane) {
				row := rows[int(s.tree.order[b*kernel.CountLane+lane])*width:]
				for i := range width {
					row[i] = block[i*kernel.CountLane+lane]
				}
			}
		}
	}
	first := s.tree.len()
	for p := first; p < s.n; p++ {
		block, lane := s.tail[(p-first)/kernel.CountLane], (p-first)%kernel.CountLane
		for i := range width {
			rows[p*width+i] = block[i*kernel.CountLane+lane]
		}
	}
	s.tree, s.tail = newTree(rows), nil
}
