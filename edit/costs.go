// Package edit says what an edit distance is: which task (graph or subgraph
// edit distance, or that of maximum common subgraphs, which has no edits), what
// each edit costs, which node map stands for which edits, and what a node map
// costs. It searches for nothing; packages ged and mcs do.
package edit

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/greedgraph/greed/graph"
)

// Task is the distance that is meant.
type Task uint8

const (
	// GED is graph edit distance: the least cost of edits that turn the query
	// into a graph isomorphic to the target.
	GED Task = iota
	// SED is subgraph edit distance: the least cost of edits that turn the
	// query into a subgraph of the target (not necessarily induced). By
	// Theorem 1 of the paper it is GED with free insertions.
	SED
	// MCS is not of edits: it is the number of nodes of the larger graph that are
	// not in the maximum common induced subgraph, so that the subgraph's size is
	// the larger graph's less the distance. It is a metric, that of Bunke and
	// Shearer (1998) without their division by size. Costs have no part in it but
	// that edge labels are not seen where changing them is free.
	MCS
)

var taskNames = [...]string{"ged", "sed", "mcs"}

func (t Task) String() string { return taskNames[t] }

// Symmetric tells whether the distance is the same both ways.
func (t Task) Symmetric() bool { return t != SED }

// MarshalText writes "ged", "sed" or "mcs".
func (t Task) MarshalText() ([]byte, error) { return []byte(taskNames[t]), nil }

// UnmarshalText reads "ged", "sed" or "mcs".
func (t *Task) UnmarshalText(text []byte) error {
	for i, name := range taskNames {
		if string(text) == name {
			*t = Task(i)
			return nil
		}
	}
	return fmt.Errorf("edit: unknown task %q, want ged, sed or mcs", text)
}

// Costs are the costs of the six edits. Weights are finite and not negative.
// The JSON form travels with models and indexes.
//
// A Table, where present, replaces the weights of its kind of element by costs
// that depend on the labels; every label that occurs must then be in it.
type Costs struct {
	NodeInsert     float64 `json:"node_insert"`
	NodeDelete     float64 `json:"node_delete"`
	NodeSubstitute float64 `json:"node_substitute"`
	EdgeInsert     float64 `json:"edge_insert"`
	EdgeDelete     float64 `json:"edge_delete"`
	EdgeSubstitute float64 `json:"edge_substitute"`

	Nodes *Table `json:"nodes,omitempty"`
	Edges *Table `json:"edges,omitempty"`
}

// Table gives the costs of editing nodes, or edges, by label text.
// Substitute[a][b] is the cost of a becoming b; a label becomes itself at no
// cost unless the table says otherwise.
type Table struct {
	Insert     map[string]float64            `json:"insert"`
	Delete     map[string]float64            `json:"delete"`
	Substitute map[string]map[string]float64 `json:"substitute"`
}

// Uniform returns the unit costs of the paper: every edit costs 1.
func Uniform() Costs { return Costs{1, 1, 1, 1, 1, 1, nil, nil} }

// Chem1 returns the costs that GEDLIB calls CHEM_1: nodes are inserted and
// deleted for 4, edges for 1; a substitution costs 2 for a node, 1 for an edge.
func Chem1() Costs { return Costs{4, 4, 2, 1, 1, 1, nil, nil} }

// IgnoreEdgeLabels returns the costs with edge substitution free, the paper's
// setting.
func (c Costs) IgnoreEdgeLabels() Costs {
	c.EdgeSubstitute = 0
	if c.Edges != nil {
		t := *c.Edges
		t.Substitute = make(map[string]map[string]float64)
		for a := range c.Edges.Delete {
			t.Substitute[a] = make(map[string]float64)
			for b := range c.Edges.Insert {
				t.Substitute[a][b] = 0
			}
		}
		c.Edges = &t
	}
	return c
}

// ErrCosts is wrapped by every error about costs that cannot be used.
var ErrCosts = errors.New("unusable edit costs")

// Check returns an error that wraps [ErrCosts] if any cost is negative,
// infinite or not a number.
func (c Costs) Check() error {
	for _, w := range []struct {
		name string
		cost float64
	}{
		{"node_insert", c.NodeInsert}, {"node_delete", c.NodeDelete}, {"node_substitute", c.NodeSubstitute},
		{"edge_insert", c.EdgeInsert}, {"edge_delete", c.EdgeDelete}, {"edge_substitute", c.EdgeSubstitute},
	} {
		if !usable(w.cost) {
			return fmt.Errorf("%w: %s is %v, want a finite number, at least 0", ErrCosts, w.name, w.cost)
		}
	}
	for name, t := range map[string]*Table{"nodes": c.Nodes, "edges": c.Edges} {
		if err := t.check(name); err != nil {
			return err
		}
	}
	return nil
}

func usable(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

func (t *Table) check(name string) error {
	if t == nil {
		return nil
	}
	one := func(op string, m map[string]float64) error {
		for _, label := range sortedKeys(m) {
			if !usable(m[label]) {
				return fmt.Errorf("%w: %s.%s of label %q is %v, want a finite number, at least 0", ErrCosts, name, op, label, m[label])
			}
		}
		return nil
	}
	if err := one("insert", t.Insert); err != nil {
		return err
	}
	if err := one("delete", t.Delete); err != nil {
		return err
	}
	for _, a := range sortedKeys(t.Substitute) {
		if err := one("substitute of "+a, t.Substitute[a]); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// Pricing is the price list of one task and one vocabulary: [Costs] looked up
// by label number. For [SED] insertions are free and [graph.Wildcard] in the
// query is substituted for nothing. It is safe for concurrent use.
type Pricing struct {
	task         Task
	costs        Costs
	nodes, edges prices
}

// prices are those of one kind of element; table is nil where the labels do
// not matter beyond being equal.
type prices struct {
	ins, del, sub float64
	wild          bool
	table         *Table
	text          func(graph.Label) string
}

// Price checks the costs against the labels of the given graphs, which share
// one vocabulary, and returns the price list. The error wraps [ErrCosts] and
// names the label that a table misses. MCS has no prices.
func Price(task Task, costs Costs, graphs ...*graph.Graph) (*Pricing, error) {
	if task == MCS {
		return nil, fmt.Errorf("%w: mcs is no distance of edits", ErrCosts)
	}
	if err := costs.Check(); err != nil {
		return nil, err
	}
	p := &Pricing{task: task, costs: costs}
	p.nodes = prices{ins: costs.NodeInsert, del: costs.NodeDelete, sub: costs.NodeSubstitute, table: costs.Nodes}
	p.edges = prices{ins: costs.EdgeInsert, del: costs.EdgeDelete, sub: costs.EdgeSubstitute, table: costs.Edges}
	if task == SED {
		p.nodes.ins, p.edges.ins = 0, 0
		p.nodes.wild, p.edges.wild = true, true
	}
	if costs.Nodes == nil && costs.Edges == nil || len(graphs) == 0 {
		return p, nil
	}
	vocab := graphs[0].Vocabulary()
	p.nodes.text, p.edges.text = vocab.NodeText, vocab.EdgeText
	nodeLabels, edgeLabels := make(map[graph.Label]bool), make(map[graph.Label]bool)
	for _, g := range graphs {
		for _, l := range g.Labels() {
			nodeLabels[l] = true
		}
		for e := range g.Edges() {
			edgeLabels[e.Label] = true
		}
	}
	if err := costs.Nodes.covers("nodes", nodeLabels, vocab.NodeText); err != nil {
		return nil, err
	}
	if err := costs.Edges.covers("edges", edgeLabels, vocab.EdgeText); err != nil {
		return nil, err
	}
	return p, nil
}

func (t *Table) covers(name string, labels map[graph.Label]bool, text func(graph.Label) string) error {
	if t == nil {
		return nil
	}
	var texts []string
	for l := range labels {
		texts = append(texts, text(l))
	}
	sort.Strings(texts)
	for _, a := range texts {
		if _, ok := t.Insert[a]; !ok {
			return fmt.Errorf("%w: %s.insert has no label %q", ErrCosts, name, a)
		}
		if _, ok := t.Delete[a]; !ok {
			return fmt.Errorf("%w: %s.delete has no label %q", ErrCosts, name, a)
		}
		for _, b := range texts {
			if _, ok := t.Substitute[a][b]; !ok && a != b {
				return fmt.Errorf("%w: %s.substitute has no pair %q to %q", ErrCosts, name, a, b)
			}
		}
	}
	return nil
}

// Task returns the task priced.
func (p *Pricing) Task() Task { return p.task }

// Costs returns the costs priced.
func (p *Pricing) Costs() Costs { return p.costs }

// NodeInsert returns the cost of inserting a node labelled b.
func (p *Pricing) NodeInsert(b graph.Label) float64 { return p.nodes.insert(p.task, b) }

// NodeDelete returns the cost of deleting a node labelled a, without its edges.
func (p *Pricing) NodeDelete(a graph.Label) float64 { return p.nodes.delete(a) }

// NodeSubstitute returns the cost of relabelling a node from a to b.
func (p *Pricing) NodeSubstitute(a, b graph.Label) float64 { return p.nodes.substitute(a, b) }

// EdgeInsert returns the cost of inserting an edge labelled b.
func (p *Pricing) EdgeInsert(b graph.Label) float64 { return p.edges.insert(p.task, b) }

// EdgeDelete returns the cost of deleting an edge labelled a.
func (p *Pricing) EdgeDelete(a graph.Label) float64 { return p.edges.delete(a) }

// EdgeSubstitute returns the cost of relabelling an edge from a to b.
func (p *Pricing) EdgeSubstitute(a, b graph.Label) float64 { return p.edges.substitute(a, b) }

func (p *prices) insert(task Task, b graph.Label) float64 {
	if task == SED || p.table == nil {
		return p.ins
	}
	return p.table.Insert[p.text(b)]
}

func (p *prices) delete(a graph.Label) float64 {
	if p.table == nil {
		return p.del
	}
	return p.table.Delete[p.text(a)]
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
	return p.table.Substitute[p.text(a)][p.text(b)]
}
