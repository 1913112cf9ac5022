package edit

import (
	"fmt"
	"iter"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Pricing has the [Costs] of one task by label, for one vocabulary. For [SED],
// insertions are free, and so is substituting [graph.Wildcard] in the query. It also prices
// labels that stand for several edges, in graphs that [Pricing.Ready] returns: parallel edges,
// and the self-loops of a node. It is safe for concurrent use.
type Pricing struct {
	task         Task
	costs        Costs
	nodes, edges prices
	bundles      *graph.Bundles
}

// prices are the prices of nodes or of edges; table is nil where only equality of labels
// matters.
type prices struct {
	ins, del, sub float64
	wild          bool // insertions are free, and a wildcard of the query matches all
	table         *Table
	text          func(graph.Label) string
	values        map[graph.Label]value // of labels that have parts
}

// Price checks the costs against the labels of the given graphs, which share
// one vocabulary, and returns the price list. The error wraps [ErrCosts] and
// names the label that a table misses, or says that costs of the labels that occur are
// further apart than [MaxRatio]. MCS has no prices.
//
// Where a graph is not simple, [Pricing.Costs] has tables instead of weights, because what
// nodes and edges cost then depends on more than whether labels are equal.
func Price(task Task, costs Costs, graphs ...*graph.Graph) (*Pricing, error) {
	if task == MCS {
		return nil, fmt.Errorf("%w: mcs is not an edit distance", ErrCosts)
	}
	if task > MCS {
		return nil, fmt.Errorf("edit: there is no task %d", task)
	}
	if err := costs.Check(); err != nil {
		return nil, err
	}
	p := &Pricing{task: task, costs: costs, bundles: graph.NewBundles()}
	p.nodes = prices{ins: costs.NodeInsert, del: costs.NodeDelete, sub: costs.NodeSubstitute, table: costs.Nodes}
	p.edges = prices{ins: costs.EdgeInsert, del: costs.EdgeDelete, sub: costs.EdgeSubstitute, table: costs.Edges}
	if task == SED {
		p.nodes.ins, p.edges.ins = 0, 0
		p.nodes.wild, p.edges.wild = true, true
	}
	if slices.ContainsFunc(graphs, func(g *graph.Graph) bool { return !g.Simple() }) {
		p.costs = costs.tabled()
	}
	if costs.Nodes == nil && costs.Edges == nil || len(graphs) == 0 {
		return p, nil
	}
	vocab := graphs[0].Vocabulary()
	for _, g := range graphs {
		vocab = graph.Common(vocab, g.Vocabulary())
		if vocab == nil {
			panic("edit: graphs of different vocabularies")
		}
	}
	p.nodes.text, p.edges.text = vocab.NodeText, vocab.EdgeText
	nodeLabels, edgeLabels := make(map[graph.Label]bool), make(map[graph.Label]bool)
	for _, g := range graphs {
		for _, l := range g.Labels() {
			nodeLabels[l] = true
		}
		for e := range g.Edges() {
			edgeLabels[e.Label&^graph.InRing] = true
		}
	}
	if err := costs.Nodes.covers("nodes", nodeLabels, vocab.NodeText); err != nil {
		return nil, err
	}
	if err := costs.Edges.covers("edges", edgeLabels, vocab.EdgeText); err != nil {
		return nil, err
	}
	if costs.Edges != nil && mostBetween(graphs) > mostMatched {
		return nil, fmt.Errorf("%w: edges: there are edges of more than %d labels between two nodes, which a table "+
			"cannot "+
			"match in time: use weights, or simplify",
			ErrCosts, mostMatched)
	}
	if err := p.nodes.readValues("nodes", nodeLabels); err != nil {
		return nil, err
	}
	if err := p.edges.readValues("edges", edgeLabels); err != nil {
		return nil, err
	}
	if tooFar(costs.Values()) != nil {
		return p, tooFar(p.occurring(nodeLabels, edgeLabels))
	}
	return p, nil
}

// occurring lists the costs that edits of the given labels can have, in no order. What
// parts of labels cost is measured, and as small as it may be.
func (p *Pricing) occurring(nodes, edges map[graph.Label]bool) []float64 {
	list := append(p.nodes.weights(), p.edges.weights()...)
	for _, of := range []struct {
		prices *prices
		labels map[graph.Label]bool
	}{{&p.nodes, nodes}, {&p.edges, edges}} {
		if of.prices.table == nil || len(of.labels) == 0 {
			continue
		}
		list = append(list, of.prices.ring())
		for a := range of.labels {
			list = append(list, of.prices.insert(p.task, a), of.prices.delete(a))
			for b := range of.labels {
				if len(of.prices.table.Parts) == 0 {
					list = append(list, of.prices.substitute(a, b))
				}
			}
		}
	}
	return list
}

// Values lists every cost that an edit of q and t can have, in no order.
func (p *Pricing) Values(q, t *graph.Graph) []float64 {
	q, t = p.Marked(q), p.Marked(t)
	var list []float64
	add := func(from, to []graph.Label, insert, remove func(graph.Label) float64,
		substitute func(a, b graph.Label) float64) {
		for _, b := range to {
			list = append(list, insert(b))
		}
		for _, a := range from {
			list = append(list, remove(a))
			for _, b := range to {
				list = append(list, substitute(a, b))
			}
		}
	}
	add(distinct(slices.Values(q.Labels())), distinct(slices.Values(t.Labels())), p.NodeInsert, p.NodeDelete,
		p.NodeSubstitute)
	labels := func(g *graph.Graph) iter.Seq[graph.Label] {
		return func(yield func(graph.Label) bool) {
			for e := range g.Edges() {
				if !yield(e.Label) {
					return
				}
			}
		}
	}
	add(distinct(labels(q)), distinct(labels(t)), p.EdgeInsert, p.EdgeDelete, p.EdgeSubstitute)
	return list
}

// distinct returns the different labels, increasing.
func distinct(labels iter.Seq[graph.Label]) []graph.Label {
	list := slices.Sorted(labels)
	return slices.Compact(list)
}

// Ready returns g as the prices need it: simple, with labels that stand for parallel edges
// and for self-loops, and with rings marked where they cost. Whoever passes labels to p takes
// them from what Ready returns.
func (p *Pricing) Ready(g *graph.Graph) *graph.Graph { return p.bundles.Bundle(p.Marked(g)) }

// Marked returns g with rings marked where they cost, and every edge by itself.
func (p *Pricing) Marked(g *graph.Graph) *graph.Graph {
	if p.edges.ring() == 0 {
		return g
	}
	return g.MarkRings()
}

// Task returns the task priced.
func (p *Pricing) Task() Task { return p.task }

// Costs returns the costs priced.
func (p *Pricing) Costs() Costs { return p.costs }

// NodeInsert returns the cost of inserting a node labelled b, with its self-loops.
func (p *Pricing) NodeInsert(b graph.Label) float64 {
	if graph.Bundled(b) {
		own, loops := p.bundles.Node(b)
		return p.nodes.insert(p.task, own) + p.insertAll(loops)
	}
	return p.nodes.insert(p.task, b)
}

// NodeDelete returns the cost of deleting a node labelled a with its self-loops, without its
// other edges.
func (p *Pricing) NodeDelete(a graph.Label) float64 {
	if graph.Bundled(a) {
		own, loops := p.bundles.Node(a)
		return p.nodes.delete(own) + p.deleteAll(loops)
	}
	return p.nodes.delete(a)
}

// NodeSubstitute returns the cost of relabelling a node from a to b, and of turning the
// self-loops of the one into those of the other.
func (p *Pricing) NodeSubstitute(a, b graph.Label) float64 {
	if graph.Bundled(a) || graph.Bundled(b) {
		own, loops := p.bundles.Node(a)
		other, others := p.bundles.Node(b)
		cost, _ := p.match(loops, others)
		return p.nodes.substitute(own, other) + cost
	}
	return p.nodes.substitute(a, b)
}

// EdgeInsert returns the cost of inserting an edge, or parallel edges, labelled b.
func (p *Pricing) EdgeInsert(b graph.Label) float64 {
	if graph.Bundled(b) {
		return p.insertAll(p.bundles.Edges(b))
	}
	return p.edges.insert(p.task, b)
}

// EdgeDelete returns the cost of deleting an edge, or parallel edges, labelled a.
func (p *Pricing) EdgeDelete(a graph.Label) float64 {
	if graph.Bundled(a) {
		return p.deleteAll(p.bundles.Edges(a))
	}
	return p.edges.delete(a)
}

// EdgeSubstitute returns the least cost of turning an edge labelled a into one labelled
// b: by changing the label, or by deleting the edge and inserting another. A node cannot
// be replaced like this, because its edges go with it; where that pays, a node map that
// deletes the node expresses it. Of parallel edges it is the cost of their cheapest matching.
func (p *Pricing) EdgeSubstitute(a, b graph.Label) float64 {
	if graph.Bundled(a) || graph.Bundled(b) {
		cost, _ := p.match(p.bundles.Edges(a), p.bundles.Edges(b))
		return cost
	}
	return min(p.edges.substitute(a, b), p.EdgeDelete(a)+p.EdgeInsert(b))
}

// replaces reports whether deleting an edge labelled a and inserting one labelled b
// costs less than changing the label.
func (p *Pricing) replaces(a, b graph.Label) bool {
	return p.edges.substitute(a, b) > p.EdgeDelete(a)+p.EdgeInsert(b)
}

func (p *prices) insert(task Task, b graph.Label) float64 {
	if task == SED || p.table == nil {
		return p.ins
	}
	return p.table.insert(p.text(b &^ graph.InRing))
}

func (p *prices) delete(a graph.Label) float64 {
	if p.table == nil {
		return p.del
	}
	return p.table.delete(p.text(a &^ graph.InRing))
}

// weights lists the weights, if no table replaces them.
func (p *prices) weights() []float64 {
	if p.table != nil {
		return nil
	}
	return []float64{p.ins, p.del, p.sub}
}

// ring returns what it costs besides to take an edge into a ring or out of one.
func (p *prices) ring() float64 {
	if p.table == nil {
		return 0
	}
	return p.table.Ring
}

func (p *prices) substitute(a, b graph.Label) float64 {
	if p.wild && a == graph.Wildcard {
		return 0
	}
	if p.table == nil {
		if a == b {
			return 0
		}
		return p.sub
	}
	extra := 0.0
	if (a^b)&graph.InRing != 0 && (!p.wild || a&graph.InRing != 0) && a != graph.Wildcard && b != graph.Wildcard {
		extra = p.table.Ring
	}
	a, b = a&^graph.InRing, b&^graph.InRing
	if len(p.table.Parts) > 0 {
		if _, named := p.table.Substitute[p.text(a)][p.text(b)]; !named {
			return p.byParts(a, b) + extra
		}
	}
	return p.table.substitute(p.text(a), p.text(b)) + extra
}
