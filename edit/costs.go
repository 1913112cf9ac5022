// Package edit defines edit distances: the task (graph or subgraph edit distance, or the
// distance of maximum common subgraphs, which has no edits), the cost of each edit, the
// edits that a node map induces, and their cost. It does not search; packages ged and
// mcs do.
package edit

import (
	"errors"
	"fmt"
	"math"
	"slices"
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

// String returns ged, sed or mcs.
func (t Task) String() string {
	if int(t) < len(taskNames) {
		return taskNames[t]
	}
	return fmt.Sprintf("Task(%d)", uint8(t))
}

// Symmetric reports whether the distance is the same both ways.
func (t Task) Symmetric() bool { return t != SED }

// MarshalText writes "ged", "sed" or "mcs".
func (t Task) MarshalText() ([]byte, error) {
	if int(t) >= len(taskNames) {
		return nil, fmt.Errorf("edit: there is no task %d", uint8(t))
	}
	return []byte(t.String()), nil
}

// UnmarshalText reads "ged", "sed" or "mcs".
func (t *Task) UnmarshalText(text []byte) error {
	i := slices.Index(taskNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("edit: unknown task %q, want ged, sed or mcs", text)
	}
	*t = Task(i)
	return nil
}

// Costs are the costs of the six edits: numbers that are 0 or from [MinCost] to
// [MaxCost]. Those that count are no further apart than [MaxRatio].
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

// The range of costs. Where costs have no common unit, the solver rounds them, to 2⁻⁴¹ of
// the largest in graphs of some hundred edges. With the ratio allowed, that is 2⁻²¹ of the
// smallest for every edit, so that sums over hundreds of edits keep it in sight.
const (
	MaxCost  = 1e9  // the largest cost
	MinCost  = 1e-9 // the smallest that is not 0
	MaxRatio = 1e6  // the largest cost by the smallest that is not 0
)

// Check returns an error that wraps [ErrCosts] if any cost is negative, infinite, not
// a number, or out of the range from [MinCost] to [MaxCost], or if weights that count are
// further apart than [MaxRatio]. What of a table counts depends on labels; see [Price].
func (c Costs) Check() error {
	for _, w := range []struct {
		name string
		cost float64
	}{
		{"node_insert", c.NodeInsert}, {"node_delete", c.NodeDelete}, {"node_substitute", c.NodeSubstitute},
		{"edge_insert", c.EdgeInsert}, {"edge_delete", c.EdgeDelete}, {"edge_substitute", c.EdgeSubstitute},
	} {
		if err := usable(w.name, w.cost); err != nil {
			return err
		}
	}
	for _, t := range []struct {
		name  string
		table *Table
	}{{"nodes", c.Nodes}, {"edges", c.Edges}} {
		if err := t.table.check(t.name); err != nil {
			return err
		}
	}
	return tooFar(c.weights())
}

// tooFar returns an error if costs are further apart than [MaxRatio].
func tooFar(costs []float64) error {
	least, most := math.Inf(1), 0.0
	for _, x := range costs {
		if most = max(most, x); x > 0 {
			least = min(least, x)
		}
	}
	if most > least*MaxRatio {
		return fmt.Errorf("%w: %v and %v are too far apart: rounding would hide the smaller. Want the largest at "+
			"most %v "+
			"times the smallest above 0, "+
			"or 0 for edits that should cost next to nothing",
			ErrCosts, most, least, float64(MaxRatio))
	}
	return nil
}

// tabled returns c with tables for its weights.
func (c Costs) tabled() Costs {
	if c.Nodes == nil {
		c.Nodes = &Table{Default: &Default{Insert: c.NodeInsert, Delete: c.NodeDelete, Substitute: c.NodeSubstitute}}
	}
	if c.Edges == nil {
		c.Edges = &Table{Default: &Default{Insert: c.EdgeInsert, Delete: c.EdgeDelete, Substitute: c.EdgeSubstitute}}
	}
	return c
}

// weights lists the weights that no table replaces.
func (c Costs) weights() []float64 {
	var list []float64
	if c.Nodes == nil {
		list = append(list, c.NodeInsert, c.NodeDelete, c.NodeSubstitute)
	}
	if c.Edges == nil {
		list = append(list, c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute)
	}
	return list
}

// Symmetric reports whether the distance of a task is surely the same both ways.
func (c Costs) Symmetric(t Task) bool {
	return t == MCS || t == GED && c.Nodes.symmetric(c.NodeInsert, c.NodeDelete) &&
		c.Edges.symmetric(c.EdgeInsert, c.EdgeDelete)
}

// Free reports whether some edits of a task may cost nothing, relabelling edges aside. Then
// graphs at distance 0 may differ.
func (c Costs) Free(t Task) bool {
	nodes, edges := []float64{c.NodeDelete, c.NodeSubstitute, c.NodeInsert}, []float64{c.EdgeDelete, c.EdgeInsert}
	if c.Nodes != nil {
		insert, remove, _, differ := c.Nodes.Least()
		nodes = []float64{remove, differ, insert}
	}
	if c.Edges != nil {
		insert, remove, _, _ := c.Edges.Least()
		edges = []float64{remove, insert}
	}
	if t == SED { // insertions are no edits
		nodes, edges = nodes[:2], edges[:1]
	}
	return slices.Contains(nodes, 0) || slices.Contains(edges, 0)
}

// Measured reports whether some costs are differences of numbers in labels. These are
// not among [Costs.Values]; see [Pricing.Values].
func (c Costs) Measured() bool { return c.Nodes.measured() || c.Edges.measured() }

// Values lists every cost that c holds and that may count, those of tables in no order.
func (c Costs) Values() []float64 {
	return append(append(c.weights(), c.Nodes.values()...), c.Edges.values()...)
}

// usable returns an error unless a cost is in range.
func usable(what string, x float64) error {
	switch {
	case !(x >= 0) || math.IsInf(x, 1):
		return fmt.Errorf("%w: %s is %v, want a finite number, at least 0", ErrCosts, what, x)
	case x > MaxCost:
		return fmt.Errorf("%w: %s is %v, want at most %v: larger costs cannot be added exactly enough", ErrCosts, what,
			x, float64(MaxCost))
	case x > 0 && x < MinCost:
		return fmt.Errorf("%w: %s is %v, want 0 or at least %v", ErrCosts, what, x, float64(MinCost))
	}
	return nil
}
