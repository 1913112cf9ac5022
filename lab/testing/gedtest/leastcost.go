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
// into those that m says. An edge between two mapped nodes may be kept, and
// relabelled if need be, or deleted and inserted. It reads the costs by itself,
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
	for e := range q.Edges() {
		x, y := m[e.From], m[e.To]
		dearest := edges.remove(e.Label)
		if x != edit.Deleted && y != edit.Deleted {
			if l, ok := t.Edge(x, y); ok {
				change := edges.change(e.Label, l)
				if ring > 0 && e.Label != graph.Wildcard && l != graph.Wildcard {
					if from, to := inRing(q, e.From, e.To), inRing(t, x, y); from && !to || to && !from && !free {
						change += ring
					}
				}
				total += min(change, dearest+edges.add(l))
				continue
			}
		}
		total += dearest
	}
	for e := range t.Edges() {
		if u, v := inverse[e.From], inverse[e.To]; u != edit.Deleted && v != edit.Deleted {
			if _, ok := q.Edge(u, v); ok {
				continue // with the edge of q
			}
		}
		total += edges.add(e.Label)
	}
	return total
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

// inRing reports whether there is another way between the ends of an edge, whatever the
// directions.
func inRing(g *graph.Graph, u, v int) bool {
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
