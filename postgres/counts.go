package postgres

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// A graph's counts are those of its nodes by label, of its edges by label, and of both
// altogether. Labels share counters by a hash of their text.
//
// A node of the query without a partner of the same label costs an edit, and so does one of
// the target. So at least max(n_q, n_t) − Σ min(c_q, c_t) = ½(Σ|c_q − c_t| + |n_q − n_t|)
// nodes and as many edges are edited: half the ℓ1 distance of the counts. For SED it is
// Σ max(0, c_q − c_t). Counters that labels share make the bound weaker and leave it true.
const (
	nodeCounters = 20
	edgeCounters = 6
	counters     = nodeCounters + edgeCounters + 2
)

// countsOf returns the counts of a graph, nil if a wildcard, which equals every label, is
// in it.
func countsOf(g *graph.Graph) []float32 {
	c := make([]float32, counters)
	for v := range g.N() {
		if g.Label(v) == graph.Wildcard {
			return nil
		}
		c[shared(g.LabelText(v), nodeCounters)]++
	}
	for e := range g.Edges() {
		if e.Label == graph.Wildcard {
			return nil
		}
		c[nodeCounters+shared(g.Vocabulary().EdgeText(e.Label), edgeCounters)]++
	}
	c[counters-2], c[counters-1] = float32(g.N()), float32(g.M())
	return c
}

func shared(label string, of uint32) int {
	h := fnv.New32a()
	h.Write([]byte(label))
	return int(h.Sum32() % of)
}

// counted bounds distances by counts in SQL. What the database adds are whole numbers of units,
// and halves of them, which it has exactly.
type counted struct {
	task   edit.Task
	costs  edit.Costs
	unit   edit.Unit
	query  []float32
	weight int // of an edit, in units; 0: sizes alone bound distances
	n, m   int
}

func newCounted(p *edit.Pricing, q *graph.Graph) counted {
	c := counted{task: p.Task(), costs: p.Costs(), unit: p.Unit(edit.MostElements), query: countsOf(q), n: q.N(), m: q.M()}
	costs := []float64{c.costs.NodeDelete, c.costs.NodeSubstitute, c.costs.EdgeDelete, c.costs.EdgeSubstitute}
	if c.task == edit.GED {
		costs = append(costs, c.costs.NodeInsert, c.costs.EdgeInsert)
	}
	if c.query != nil && c.costs.Nodes == nil && c.costs.Edges == nil {
		c.weight = c.unit.Count(slices.Min(costs))
	}
	return c
}

// boxed returns a box around the counts of the query that has the given radius.
func (c counted) boxed(radius float64) string {
	low, high := make([]float64, counters), make([]float64, counters)
	for i, x := range c.query {
		low[i], high[i] = float64(x)-radius, float64(x)+radius
		if c.task == edit.SED {
			high[i] = far
			if i >= counters-2 {
				low[i] = -far
			}
		}
	}
	return box(low, high) + "::cube"
}

// lower returns the SQL of a lower bound of the distance to a row, in units.
func (c counted) lower() string {
	switch {
	case c.weight > 0 && c.task == edit.GED:
		return fmt.Sprintf("coalesce(%s * (counts <#> %s), 0)", number(float64(c.weight)/2), c.boxed(0))
	case c.weight > 0:
		return fmt.Sprintf("coalesce(%s * (counts <#> %s), 0)", number(float64(c.weight)), c.boxed(0))
	case c.costs.Nodes != nil || c.costs.Edges != nil:
		return "0::float8"
	}
	price := func(cost float64) string { return number(c.unit.Counted(cost)) + "::float8" }
	less := fmt.Sprintf("%s * greatest(0, %d - nodes) + %s * greatest(0, %d - edges)", price(c.costs.NodeDelete), c.n, price(c.costs.EdgeDelete), c.m)
	if c.task == edit.SED {
		return "(" + less + ")::float8"
	}
	return fmt.Sprintf("(%s + %s * greatest(0, nodes - %d) + %s * greatest(0, edges - %d))::float8", less, price(c.costs.NodeInsert), c.n, price(c.costs.EdgeInsert), c.m)
}

// within returns a condition that holds for all rows whose distance may be within a
// radius.
func (c counted) within(radius float64) string {
	if math.IsInf(radius, 1) {
		return "true"
	}
	most := c.unit.Within(radius)
	bound := fmt.Sprintf("%s <= %d", c.lower(), most)
	if c.weight == 0 {
		return bound
	}
	reach := math.Ceil(float64(most) / float64(c.weight)) // counts are whole
	if c.task == edit.GED {
		reach *= 2
	}
	return fmt.Sprintf("(counts is null or counts <@ %s and %s)", c.boxed(reach), bound)
}
