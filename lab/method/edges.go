package method

import (
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/assign"
)

// mostLabels is the greatest number of distinct edge labels of a pair. Their table of
// prices then takes 128 MiB.
const mostLabels = 1 << 12

// edgeChanges prices edges kept between mapped nodes, by labels numbered from 0
// within one pair. Labels that no cost tells apart share a number.
type edgeChanges struct {
	labels int
	change []float64 // [labels, labels] row's label first

	// Prices are plain if only equality of labels matters. same and diff are then
	// the changes of edges of equal and of different label, otherwise the least
	// of each. Neither is positive, since no edge has to be kept, and same ≤ diff.
	plain      bool
	same, diff float64

	wild     int // number of the query's wildcard, −1: none
	wildRows bool

	solver assign.Solver // for stars
	cells  []float64
	zeros  []float64
}

// compile sets e to the prices of the labels of q and t and returns the
// numbering of those labels, nil if there are too many for a table.
func (e *edgeChanges) compile(p *edit.Pricing, q, t *graph.Graph, swapped bool) func(graph.Label) int32 {
	costs := p.Costs()
	e.plain, e.wild = costs.Edges == nil, -1
	var seen []graph.Label
	for _, g := range []*graph.Graph{q, t} {
		for edge := range g.Edges() {
			seen = append(seen, edge.Label)
		}
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	if len(seen) > mostLabels {
		return nil
	}
	if e.plain && costs.EdgeSubstitute == 0 && len(seen) > 1 {
		seen = seen[:1]
	}
	e.labels = len(seen)
	e.change = make([]float64, len(seen)*len(seen))
	e.same, e.diff = 0, 0
	for i, a := range seen {
		for j, b := range seen {
			if swapped {
				a, b = seen[j], seen[i]
			}
			x := min(0, p.EdgeSubstitute(a, b)-p.EdgeDelete(a)-p.EdgeInsert(b))
			e.change[i*len(seen)+j] = x
			if a == b || p.Task() == edit.SED && a == graph.Wildcard {
				e.same = min(e.same, x)
			} else {
				e.diff = min(e.diff, x)
			}
		}
	}
	e.same = min(e.same, e.diff)
	if p.Task() == edit.SED && e.labels > 1 && seen[0] == graph.Wildcard {
		e.wild, e.wildRows = 0, !swapped
	}
	return func(l graph.Label) int32 {
		if len(seen) == 1 {
			return 0
		}
		i, _ := slices.BinarySearch(seen, l)
		return int32(i)
	}
}

// of returns the change of keeping an edge, its labels given.
func (e *edgeChanges) of(row, column int32) float64 {
	return e.change[int(row)*e.labels+int(column)]
}

// multiset returns a lower bound of the change of matching edges at a row with
// edges at a column, given how many of each label there are, [labels]. It is the
// least change itself if plain.
func (e *edgeChanges) multiset(row, column []int32) float64 {
	equal, r, c := int32(0), int32(0), int32(0)
	for l, x := range row {
		y := column[l]
		equal += min(x, y)
		r += x
		c += y
	}
	kept := min(r, c)
	if e.wild >= 0 {
		x, y := row[e.wild], column[e.wild]
		if !e.wildRows {
			x, y = y, x
		}
		equal = min(equal+x-min(x, y), kept)
	}
	return float64(equal)*e.same + float64(kept-equal)*e.diff
}

// star returns the least change of matching edges at a row with edges at a
// column, given how many of each label there are, [labels].
func (e *edgeChanges) star(row, column []int32) float64 {
	if e.plain {
		return e.multiset(row, column)
	}
	e.cells = e.cells[:0]
	r, c := 0, 0
	for a, x := range row {
		for range x {
			r++
			for b, y := range column {
				for range y {
					e.cells = append(e.cells, e.change[a*e.labels+b])
				}
			}
		}
	}
	for _, y := range column {
		c += int(y)
	}
	for len(e.zeros) < max(r, c) {
		e.zeros = append(e.zeros, 0)
	}
	return e.solver.Solve(e.cells, e.zeros[:r], e.zeros[:c])
}
