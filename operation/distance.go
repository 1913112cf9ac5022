package operation

import (
	"context"
	"strconv"
	"strings"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/truth"
)

// Distance asks for the distance of two graphs.
type Distance struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"Distance: ged turns the query into the target, sed into a part of the target"`
	Paired
}

// Paired says how the distance of a pair is computed.
type Paired struct {
	Fix Pairs `json:"fix,omitempty" minLength:"1" placeholder:"PAIRS" doc:"Pairs of nodes of one query and one target given in advance, as 0:3,1:- (query node 0 is target node 3, query node 1 is deleted; -:2 inserts target node 2). The bounds are those of the least cost with these pairs"`
	Measuring
}

// Measuring says how distances are computed, of however many pairs.
type Measuring struct {
	Decided
	Priced
	Timed
}

// Decided asks whether a distance is small, which is sooner known than the distance.
type Decided struct {
	Within *float64 `json:"within,omitempty" minimum:"0" placeholder:"R" doc:"Only decide whether the distance is at most R"`
}

// Distances asks for the distances of many pairs, of which no nodes are given in advance.
type Distances struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"Distance: ged turns the query into the target, sed into a part of the target"`
	Measuring
	Mapped
}

// Mapped says what is given of a pair beside its distance.
type Mapped struct {
	Map     bool `json:"map,omitempty" doc:"Give the node maps"`
	Explain bool `json:"explain,omitempty" doc:"Give the node maps, the edits and, of molecules, the transformations"`
}

// Resolve is [Distance.Resolve] for many pairs.
func (r *Distances) Resolve(allowed Limits, usual func(greed.Task) edit.Costs, usualTime time.Duration) (Measure, error) {
	one := Distance{Task: r.Task, Paired: Paired{Measuring: r.Measuring}}
	return one.Resolve(allowed, usual, usualTime)
}

// Timed limits the time of work on a pair of graphs.
type Timed struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Time for each pair, such as 500ms or 10s, or none; if it runs out, the answer has bounds. By default a service allows one second for a pair and ten for many, and a command takes as long as it needs"`
}

// Limit returns the time as solvers take it: 0 is none.
func (t *Timed) Limit(usual time.Duration, allowed Limits) (time.Duration, error) {
	d, err := limit(t.TimeLimit, usual, allowed.Time)
	if d == greed.NoLimit {
		d = 0
	}
	return d, err
}

// Measure is a distance that was understood. A time of 0 is none.
type Measure struct {
	Task   greed.Task
	Costs  edit.Costs
	Time   time.Duration
	Within *float64 // whether the distance is at most this; nil if that was not requested
	Fixed  [][2]int // pairs of nodes given in advance, [edit.Deleted] where there is no node
}

// Compute finds the distance of two graphs with a solver of the task and the costs, or
// whether it is within the limit of the request. Pairs given in advance that the costs rule out are
// an error that wraps [ged.ErrFixed].
func (m *Measure) Compute(ctx context.Context, s truth.Solver, q, t *graph.Graph, opt ged.Options) (r ged.Result, err error) {
	opt.Fixed = m.Fixed
	if decides, ok := s.(*ged.Solver); ok && m.Within != nil {
		return decides.Within(ctx, q, t, *m.Within, opt)
	}
	return s.Distance(ctx, q, t, opt)
}

// Decision says whether a distance is within the limit of the request: yes, no or unknown. It is
// empty if there was none.
func (m *Measure) Decision(r ged.Result) string {
	if m.Within == nil {
		return ""
	}
	switch within, known := r.Within(*m.Within); {
	case !known:
		return "unknown"
	case within:
		return "yes"
	}
	return "no"
}

// Pairs are pairs of nodes in a text such as 0:3,1:-,-:2: query node 0 is target node 3,
// query node 1 is deleted, target node 2 is inserted.
type Pairs string

func (p Pairs) read() (pairs [][2]int, err error) {
	if p == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(string(p), ",") {
		query, target, ok := strings.Cut(strings.TrimSpace(part), ":")
		v, errQuery := nodeOrNone(query)
		w, errTarget := nodeOrNone(target)
		if !ok || errQuery != nil || errTarget != nil || v == edit.Deleted && w == edit.Deleted {
			return nil, wrong("fix", "%s: %q is not a pair of nodes: want 0:3 (query node 0 is target node 3), 1:- (deleted) or -:2 (inserted)", p, part)
		}
		pairs = append(pairs, [2]int{v, w})
	}
	return pairs, nil
}

func nodeOrNone(text string) (int, error) {
	if text == "-" {
		return edit.Deleted, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err
}

// Resolve returns what is to be computed, or an [Error] that names a field. usual are the
// costs where the request names none, by task; usualTime is the time.
func (r *Distance) Resolve(allowed Limits, usual func(greed.Task) edit.Costs, usualTime time.Duration) (m Measure, err error) {
	if m.Task, err = Task(r.Task); err != nil {
		return m, err
	}
	costs := edit.Uniform()
	if usual != nil {
		costs = usual(m.Task)
	}
	if m.Costs, err = r.Or(costs); err != nil {
		return m, err
	}
	m.Within = r.Within
	if err = checkDistance("within", m.Within); err != nil {
		return m, err
	}
	if m.Fixed, err = r.Fix.read(); err != nil {
		return m, err
	}
	m.Time, err = r.Limit(usualTime, allowed)
	return m, err
}

// Differences ask what differs between graphs, by the edits of least cost.
type Differences struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Stop after this time per pair, such as 1m, with the best node map found; none for no limit; by default 10s"`
	Priced
}

// Resolve returns what is to be computed, or an [Error] that names a field.
func (r *Differences) Resolve(allowed Limits, usual func(greed.Task) edit.Costs) (Measure, error) {
	return (&Distance{Paired: Paired{Measuring: Measuring{Priced: r.Priced, Timed: Timed{r.TimeLimit}}}}).Resolve(allowed, usual, greed.DefaultTime)
}

// MCS asks for the largest subgraph that two graphs have in common.
type MCS struct {
	Edges            bool `json:"edges,omitempty" doc:"Count edges, not nodes; the common subgraph need not be induced"`
	Connected        bool `json:"connected,omitempty" doc:"Require the common subgraph to be connected"`
	Rings            bool `json:"rings,omitempty" doc:"With edges: map ring nodes and edges only to ring nodes and edges, and others only to others"`
	AtLeast          int  `json:"at_least,omitempty" minimum:"0" placeholder:"N" doc:"With edges: only decide whether N edges are in common and, if so, how many"`
	IgnoreEdgeLabels bool `json:"ignore_edge_labels,omitempty" doc:"Ignore edge labels when matching"`
	Timed
}

// Overlap is what is known of the largest common subgraph: it has at least Size nodes, or
// edges, and at most Upper.
type Overlap struct {
	Size    int          `json:"size" doc:"Nodes, or edges if these are counted, of the subgraph that was found"`
	Upper   int          `json:"upper" doc:"Upper bound: no common subgraph is larger"`
	Exact   bool         `json:"exact" doc:"Both are the same"`
	Map     edit.NodeMap `json:"map" doc:"For every query node its target node, or -1"`
	Seconds float64      `json:"seconds"`

	NotCompared []string `json:"not_compared,omitempty" doc:"What does not count, such as the charges of molecules"`
}

// Finder finds the largest common subgraph of two graphs that were read by these rules. If the
// context ends first, it returns bounds, which is not an error.
type Finder func(ctx context.Context, rules dataset.Rules, query, target *dataset.Record) (Overlap, error)

// Resolve returns what finds the subgraph, or an [Error] that names a field.
func (r *MCS) Resolve(allowed Limits, usualTime time.Duration) (Finder, error) {
	most, err := r.Limit(usualTime, allowed)
	switch {
	case err != nil:
		return nil, err
	case !r.Edges && r.Rings:
		return nil, wrong("rings", "needs edges")
	case !r.Edges && r.AtLeast != 0:
		return nil, wrong("at_least", "needs edges")
	case r.AtLeast < 0:
		return nil, wrong("at_least", "%d: want a number of edges", r.AtLeast)
	}
	costs := edit.Uniform() // which compare what the search does
	if r.IgnoreEdgeLabels {
		costs = costs.IgnoreEdgeLabels()
	}
	return func(ctx context.Context, rules dataset.Rules, query, target *dataset.Record) (Overlap, error) {
		q, t := query.Graph, target.Graph
		var found mcs.Result
		var err error
		if r.Edges {
			found, err = mcs.LargestEdges(ctx, q, t, mcs.EdgeOptions{
				Connected: r.Connected, IgnoreEdgeLabels: r.IgnoreEdgeLabels, Rings: r.Rings, AtLeast: r.AtLeast, Time: most,
			})
		} else {
			found, err = mcs.Largest(ctx, q, t, mcs.Options{Connected: r.Connected, IgnoreEdgeLabels: r.IgnoreEdgeLabels, Time: most})
		}
		return Overlap{found.Size, found.Upper, found.Exact, found.Map, found.Elapsed.Seconds(), NotCompared(rules, costs, query, target)}, err
	}, nil
}

// NotCompared returns what is not compared of two graphs that were read by these rules.
func NotCompared(rules dataset.Rules, costs edit.Costs, q, t *dataset.Record) []string {
	rules.Unread = dataset.Unread{} // of other graphs, too
	_, not := greed.Compared(rules, q.SMILES != "" && t.SMILES != "", costs, q, t)
	return not
}
