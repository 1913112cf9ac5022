package ged

import (
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// problem is a pair of graphs as the search sees it. Rows are the nodes of the smaller
// graph, columns those of the other. The search maximises, over partial injections f
// from rows to columns, the profit
//
//	Σ_i node[i, f(i)] + Σ_{i<k} edge[type(i,k), type(f(i), f(k))],
//
// and cost = worst − scale·profit. A type stands for everything between two nodes: the
// label of their edge or, in directed graphs, the labels in both directions. Type 0 is
// "no edge" and has no profit.
//
// The profit of a node or an edge is the cost of deleting it and inserting its image,
// less the cost of the substitution. If costs break the triangle inequality, that of a
// node may be negative, and it can pay to leave rows out.
type problem struct {
	clock    *clock.Clock // nil if the problem is small
	swapped  bool         // rows are the target's nodes
	directed bool
	row, col side
	node     []int            // [row.n, col.n] profits
	types    int              // number of types, with type 0
	edge     []int            // [types, types] profits, row type first
	reverse  []int32          // [types] the type seen from the other end
	keys     []uint64         // [types] the labels; see intern
	number   map[uint64]int32 // types by key, once there are more than fewTypes
	edges    []rowEdge        // edges of the rows, each once

	// Edges are plain if their profit depends only on whether their types are
	// equal (match) or not (miss), and uniform if there is one type only.
	plain, uniform bool
	match, miss    int
	wild           int32 // type of a wildcard edge of the query; 0: none

	full     bool      // no node profit is negative, so some best map leaves no row out
	unit     edit.Unit // of worst and scale
	worst    int       // cost of profit 0
	replaced int       // cost of deleting and inserting everything
	scale    int       // cost of one unit of profit
	off      int       // by how much less than this the cost of a node map exceeds what is counted
}

// side is one graph: the half-edges of every node, sorted by end.
type side struct {
	n     int
	start []int32
	arcs  []halfEdge
	dense []uint16 // [n, n] types; nil for large graphs

	labels []graph.Label
	symmetries
}

type halfEdge struct {
	to, typ int32
}

type rowEdge struct {
	from, to, typ int32
}

// denseNodes is the greatest number of nodes with a matrix of types, of 128 KiB.
const denseNodes = 256

func (s *side) of(v int) []halfEdge { return s.arcs[s.start[v]:s.start[v+1]] }

func (s *side) degree(v int) int { return int(s.start[v+1] - s.start[v]) }

// typ returns the type between v and w.
func (s *side) typ(v, w int) int {
	if s.dense != nil {
		return int(s.dense[v*s.n+w])
	}
	arcs := s.of(v)
	i, ok := slices.BinarySearchFunc(arcs, int32(w), func(h halfEdge, w int32) int { return int(h.to) - int(w) })
	if !ok {
		return 0
	}
	return int(arcs[i].typ)
}

// cost returns what is counted for a node map of the given profit: its cost, or a little
// less where costs are rounded. An upper bound of the profit so gives a lower bound of the
// cost.
func (p *problem) cost(profit int) float64 {
	return p.unit.Cost(float64(p.worst - profit*p.scale))
}

// profitWithin returns the least profit of the node maps that may cost at most cost, and
// the least of those that surely do.
func (p *problem) profitWithin(cost float64) (perhaps, surely int) {
	most := p.unit.Within(cost)
	return p.profitOf(most), p.profitOf(most - p.off)
}

// profitBelow returns the least profit of the node maps that may cost less than cost.
func (p *problem) profitBelow(cost float64) int { return p.profitOf(p.unit.Below(cost)) }

// profitOf returns the least profit of the node maps for which at most so much is counted.
func (p *problem) profitOf(count int) int {
	spare := p.worst - count
	profit := spare / p.scale
	if profit*p.scale < spare {
		profit++
	}
	return profit
}

// profit returns the profit of f, which has the column of every row or -1.
func (p *problem) profit(f []int32) int {
	total := 0
	m := p.col.n
	for i, j := range f {
		if j >= 0 {
			total += p.node[i*m+int(j)]
		}
	}
	dense := p.col.dense
	for _, e := range p.edges {
		j, l := int(f[e.from]), int(f[e.to])
		if j < 0 || l < 0 {
			continue
		}
		if dense != nil {
			total += p.edge[int(e.typ)*p.types+int(dense[j*m+l])]
		} else {
			total += p.edge[int(e.typ)*p.types+p.col.typ(j, l)]
		}
	}
	return total
}

// columns is the reverse of nodeMap: the column of every row, or -1. It reuses dst. A map of
// no nodes has no pairs.
func (p *problem) columns(dst []int32, m edit.NodeMap) []int32 {
	dst = resize(dst, p.row.n)
	for i := range dst {
		dst[i] = -1
	}
	for v, w := range m {
		switch {
		case w == edit.Deleted:
		case p.swapped:
			dst[w] = int32(v)
		default:
			dst[v] = int32(w)
		}
	}
	return dst
}

// nodeMap turns f into a node map from query to target.
func (p *problem) nodeMap(f []int32) edit.NodeMap {
	if !p.swapped {
		m := make(edit.NodeMap, len(f))
		for i, j := range f {
			m[i] = int(j)
		}
		return m
	}
	m := make(edit.NodeMap, p.col.n)
	for j := range m {
		m[j] = edit.Deleted
	}
	for i, j := range f {
		if j >= 0 {
			m[j] = i
		}
	}
	return m
}
