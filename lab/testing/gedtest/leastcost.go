package gedtest

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// leastCost returns the least cost of edits that turn q into t and its nodes
// into those that m says. Edges between two mapped nodes may be kept, and
// relabelled if need be, or deleted and inserted; of parallel edges any may become any. It reads the costs by itself,
// so that it tests [edit.Pricing], too.
func leastCost(p *edit.Pricing, q, t *graph.Graph, m edit.NodeMap) float64 {
	c, vocab := p.Costs(), q.Vocabulary()
	free := p.Task() == edit.SED
	nodes := kind{c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.Nodes, free, vocab.NodeText}
	edges := kind{c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute, c.Edges, free, vocab.EdgeText}
	ring := 0.0
	if c.Edges != nil {
		ring = c.Edges.Ring
	}
	total := 0.0
	inverse := slices.Repeat([]int{edit.Deleted}, t.N())
	for v, w := range m {
		if w == edit.Deleted {
			total += nodes.remove(q.Label(v))
			continue
		}
		inverse[w] = v
		total += nodes.change(q.Label(v), t.Label(w))
	}
	for w, v := range inverse {
		if v == edit.Deleted {
			total += nodes.add(t.Label(w))
		}
	}
	images := make(map[[2]int]bool) // pairs of nodes of t whose edges are dealt with
	last := [2]int{-1, -1}
	for e := range q.Edges() {
		if last == [2]int{e.From, e.To} {
			continue // with the edge that it is parallel to
		}
		last = [2]int{e.From, e.To}
		var others []graph.Arc
		x, y := m[e.From], m[e.To]
		if x != edit.Deleted && y != edit.Deleted {
			others = t.Between(x, y)
			images[[2]int{x, y}] = true
			if !t.Directed() {
				images[[2]int{y, x}] = true
			}
		}
		change := func(a, b graph.Label) float64 {
			cost := edges.change(a, b)
			if ring > 0 && a != graph.Wildcard && b != graph.Wildcard {
				if from, to := inRing(q, e.From, e.To), inRing(t, x, y); from && !to || to && !from && !free {
					cost += ring
				}
			}
			return cost
		}
		total += edges.cheapest(q.Between(e.From, e.To), others, 0, change)
	}
	for e := range t.Edges() {
		if !images[[2]int{e.From, e.To}] {
			total += edges.add(e.Label)
		}
	}
	return total
}

// cheapest returns the least cost of turning some edges into others, of which those in used
// have a partner, by trying all matchings.
func (k kind) cheapest(from, to []graph.Arc, used uint, change func(a, b graph.Label) float64) float64 {
	if len(from) == 0 {
		total := 0.0
		for j, b := range to {
			if used>>j&1 == 0 {
				total += k.add(b.Label)
			}
		}
		return total
	}
	a := from[0].Label
	best := k.remove(a) + k.cheapest(from[1:], to, used, change)
	for j, b := range to {
		if used>>j&1 == 0 {
			best = min(best, change(a, b.Label)+k.cheapest(from[1:], to, used|1<<j, change))
		}
	}
	return best
}

// kind holds the costs of nodes or of edges.
type kind struct {
	ins, del, sub float64
	table         *edit.Table
	subgraph      bool // insertions are free and wildcards match
	text          func(graph.Label) string
}

func (k kind) add(b graph.Label) float64 {
	switch {
	case k.subgraph:
		return 0
	case k.table == nil:
		return k.ins
	}
	return k.addText(k.text(b))
}

func (k kind) addText(b string) float64 {
	if x, ok := k.table.Insert[b]; ok {
		return x
	}
	return k.table.Default.Insert
}

func (k kind) remove(a graph.Label) float64 {
	if k.table == nil {
		return k.del
	}
	return k.removeText(k.text(a))
}

func (k kind) removeText(a string) float64 {
	if x, ok := k.table.Delete[a]; ok {
		return x
	}
	return k.table.Default.Delete
}

func (k kind) change(a, b graph.Label) float64 {
	switch {
	case k.subgraph && a == graph.Wildcard, k.table == nil && a == b:
		return 0
	case k.table == nil:
		return k.sub
	}
	if x, ok := k.table.Substitute[k.text(a)][k.text(b)]; ok {
		return x
	}
	if len(k.table.Parts) > 0 {
		return k.byParts(k.text(a), k.text(b))
	}
	switch {
	case k.table.Default == nil: // only a label and itself may be left out
		return 0
	case a == b:
		return k.table.Default.Equal
	}
	return k.table.Default.Substitute
}

// byParts prices labels whose parts are a text and two numbers, or one number that goes
// round, as [Costs] makes them.
func (k kind) byParts(a, b string) float64 {
	x, y := strings.Split(a, "|"), strings.Split(b, "|")
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic("gedtest: " + err.Error())
		}
		return v
	}
	cost := 0.0
	if len(x) == 3 {
		if x[0] != y[0] {
			cost = k.table.Parts[0].Differ
		}
		cost += k.table.Parts[1].Weight * math.Sqrt(math.Pow(number(x[1])-number(y[1]), 2)+math.Pow(number(x[2])-number(y[2]), 2))
	} else {
		p := k.table.Parts[0]
		d := math.Abs(number(x[0]) - number(y[0]))
		for d > p.Period {
			d -= p.Period
		}
		cost = p.Weight * math.Min(d, p.Period-d)
	}
	if k.table.Most > 0 {
		return math.Min(cost, k.table.Most)
	}
	free := kind{k.ins, k.del, k.sub, k.table, false, k.text}
	return math.Min(cost, free.addText(b)+free.removeText(a))
}

// inRing reports whether there is a way between the ends of an edge through other nodes,
// whatever the directions.
func inRing(g *graph.Graph, u, v int) bool {
	if u == v {
		return false
	}
	seen := map[int]bool{u: true}
	for queue := []int{u}; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		for y := range g.N() {
			_, out := g.Edge(x, y)
			_, in := g.Edge(y, x)
			if (out || in) && !seen[y] && (x != u || y != v) {
				seen[y] = true
				queue = append(queue, y)
			}
		}
	}
	return seen[v]
}
