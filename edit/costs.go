// Package edit defines edit distances: the task (graph or subgraph edit distance, or the
// distance of maximum common subgraphs, which has no edits), the cost of each edit, the
// edits that a node map induces, and their cost. It does not search; packages ged and
// mcs do.
package edit

import (
	"errors"
	"fmt"
	"math"
)

// Task says which distance is meant.
type Task uint8

const (
	// GED is graph edit distance: the least cost of edits that turn the query
	// into a graph isomorphic to the target.
	GED Task = iota
	// SED is subgraph edit distance: the least cost of edits that turn the
	// query into a subgraph of the target (not necessarily induced). By
	// Theorem 1 of the paper it is GED with free insertions.
	SED
	// MCS has no edits: it is the number of nodes of the larger graph that are not
	// in the maximum common induced subgraph. It is the metric of Bunke and Shearer
	// (1998) without their division by size. Costs do not matter, except that edge
	// labels are ignored where changing them is free.
	MCS
)

var taskNames = [...]string{"ged", "sed", "mcs"}

func (t Task) String() string { return taskNames[t] }

// Symmetric reports whether the distance is the same both ways.
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
// A Table, if present, replaces the weights of nodes or of edges by costs that depend on
// labels. It must then have every label that occurs, unless it has a default.
//
// A distance is the least cost of edits. So an edge is deleted and another inserted
// where that costs less than changing the label; see [Pricing.EdgeSubstitute].
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

// Values lists every cost that c holds, those of tables in no order.
func (c Costs) Values() []float64 {
	list := []float64{c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute}
	return append(append(list, c.Nodes.values()...), c.Edges.values()...)
}

func usable(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
