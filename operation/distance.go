package operation

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
)

// Distance asks for the distance of two graphs.
type Distance struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"${distance_task}"`
	Paired
	Mapped
	Explained
}

// Paired says how the distance of a pair is computed.
type Paired struct {
	Given
	Measuring
}

// Given are pairs of nodes of one query and one target that are given in advance.
type Given struct {
	Fix Pairs `json:"fix,omitempty" minLength:"1" placeholder:"PAIRS" doc:"${given_fix}"`
}

// Measuring says how distances are computed, of however many pairs.
type Measuring struct {
	Decided
	Priced
	Timed
}

// Decided asks whether a distance is small, which is sooner known than the distance.
type Decided struct {
	Within *float64 `json:"within,omitempty" minimum:"0" placeholder:"R" doc:"${decided_within}"`
}

// Distances asks for the distances of many pairs, of which no nodes are given in advance.
type Distances struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"${distances_task}"`
	Measuring
	Explained
}

// Mapped asks for more node maps than one.
type Mapped struct {
	Maps int `json:"maps,omitempty" minimum:"0" placeholder:"N" doc:"${mapped_maps}"`
}

// Explained asks for what follows from a node map.
type Explained struct {
	Explain bool `json:"explain,omitempty" doc:"${explained_explain}"`
}

// Resolve is [Distance.Resolve] for many pairs.
func (r *Distances) Resolve(allowed Limits, usual Usual) (Measure, error) {
	one := Distance{Task: r.Task, Paired: Paired{Measuring: r.Measuring}, Explained: r.Explained}
	return one.resolve(allowed, usual, greed.DefaultTime)
}

// Plan implements [Operation.Plan]. It runs for each pair in turn.
func (r *Distances) Plan(allowed Limits, usual Usual) (*Planned, error) {
	m, err := r.Resolve(allowed, usual)
	return m.plan(), err
}

// Timed limits the time of work on a pair of graphs.
type Timed struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${timed_time_limit}"`
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
	Task    greed.Task
	Costs   edit.Costs
	Time    time.Duration
	Within  *float64 // whether the distance is at most this; nil if that was not requested
	Fixed   [][2]int // pairs of nodes given in advance, [edit.Deleted] where there is no node
	Maps    int      // how many node maps of least cost are given at most
	Explain bool
	Memory  int64 // bytes of the solver; 0: the usual ones
}

// Options returns the options of what computes the distance of graphs that were read by these rules.
func (m *Measure) Options(rules dataset.Rules) greed.DistanceOptions {
	return greed.DistanceOptions{
		Costs: &m.Costs, Within: m.Within, Fixed: m.Fixed, Maps: m.Maps, Explain: m.Explain, Rules: rules,
		Time: cmp.Or(m.Time, greed.NoLimit), Memory: m.Memory,
	}
}

// comparing plans work on pairs by comparers, which keep their memory from one pair to the next.
func (m *Measure) comparing(compare func(context.Context, *greed.Comparer, *Inputs) (any, error)) *Planned {
	var idle sync.Pool
	run := func(ctx context.Context, in *Inputs) (_ any, err error) {
		opt := m.Options(in.Rules)
		opt.Affords, opt.Time = in.Affords, cmp.Or(in.Time, opt.Time)
		c, _ := idle.Get().(*greed.Comparer)
		if c != nil {
			c.Set(opt)
		} else if c, err = greed.NewComparer(m.Task, opt); err != nil {
			return nil, err
		}
		defer idle.Put(c)
		return compare(ctx, c, in)
	}
	return &Planned{Costs: []edit.Costs{m.Costs}, Time: cmp.Or(m.Time, greed.NoLimit), Run: run}
}

func (m *Measure) plan() *Planned {
	return m.comparing(func(ctx context.Context, c *greed.Comparer, in *Inputs) (any, error) {
		return c.Compare(ctx, in.Query, in.Target)
	})
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
			return nil, wrong("fix", "%s: %q is not a pair of nodes: want 0:3 (query node 0 is target node 3), 1:- "+
				"(deleted) "+
				"or -:2 (inserted)", p, part)
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

// Resolve returns what is to be computed, or an [Error] that names a field. usual are the costs where
// the request names none.
func (r *Distance) Resolve(allowed Limits, usual Usual) (Measure, error) {
	return r.resolve(allowed, usual, greed.DefaultCheckedTime)
}

// resolve is Resolve with the time that a service takes where the request names none.
func (r *Distance) resolve(allowed Limits, usual Usual, usualTime time.Duration) (m Measure, err error) {
	m = Measure{Within: r.Within, Maps: r.Maps, Explain: r.Explain, Memory: allowed.Memory}
	switch {
	case m.Maps < 0:
		return m, wrong("maps", "%d: want a number of node maps", m.Maps)
	case m.Maps > 0 && m.Within != nil:
		return m, wrong("maps", "needs the distance: leave out within")
	case allowed.Answers > 0 && m.Maps > allowed.Answers:
		return m, wrong("maps", "%d: want at most %d", m.Maps, allowed.Answers)
	}
	if m.Task, err = Task(r.Task); err != nil {
		return m, err
	}
	if m.Costs, err = r.Or(usual.of(m.Task)); err != nil {
		return m, err
	}
	if err = checkDistance("within", m.Within); err != nil {
		return m, err
	}
	if m.Fixed, err = r.Fix.read(); err != nil {
		return m, err
	}
	m.Time, err = r.Limit(allowed.usual(usualTime), allowed)
	return m, err
}

// Plan implements [Operation.Plan].
func (r *Distance) Plan(allowed Limits, usual Usual) (*Planned, error) {
	m, err := r.Resolve(allowed, usual)
	return m.plan(), err
}

// Differences ask what differs between graphs, by the edits of least cost.
type Differences struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${differences_time_limit}"`
	Match     string `json:"match,omitempty" enum:"auto,names,cost" default:"auto" doc:"${differences_match}"`
	Priced
}

// Matched returns how nodes are matched, or an [Error].
func (r *Differences) Matched() (diff.Match, error) {
	switch m := diff.Match(r.Match); m {
	case "":
		return diff.Auto, nil
	case diff.Auto, diff.ByNames, diff.ByCost:
		return m, nil
	}
	return "", wrong("match", "%q: want auto, names or cost", r.Match)
}

// Resolve returns what is to be computed, or an [Error] that names a field.
func (r *Differences) Resolve(allowed Limits, usual Usual) (Measure, error) {
	limit := r.TimeLimit
	if limit == "" { // what differs is of use without a proof, too
		limit = min(greed.DefaultTime, cmp.Or(allowed.Time, greed.DefaultTime)).String()
	}
	one := Distance{Paired: Paired{Measuring: Measuring{Priced: r.Priced, Timed: Timed{limit}}}}
	return one.Resolve(allowed, usual)
}

// Plan implements [Operation.Plan].
func (r *Differences) Plan(allowed Limits, usual Usual) (*Planned, error) {
	m, err := r.Resolve(allowed, usual)
	match, wrong := r.Matched()
	plan := m.comparing(func(ctx context.Context, c *greed.Comparer, in *Inputs) (any, error) {
		return c.Diff(ctx, in.Query, in.Target, match)
	})
	plan.Named = true
	return plan, cmp.Or(err, wrong)
}

// MCS asks for the largest subgraph that two graphs have in common.
type MCS struct {
	Edges            bool `json:"edges,omitempty" doc:"Count edges, not nodes; the common subgraph need not be induced"`
	Connected        bool `json:"connected,omitempty" doc:"Require the common subgraph to be connected"`
	Rings            bool `json:"rings,omitempty" doc:"${mcs_rings}"`
	AtLeast          int  `json:"at_least,omitempty" minimum:"0" placeholder:"N" doc:"${mcs_at_least}"`
	IgnoreEdgeLabels bool `json:"ignore_edge_labels,omitempty" doc:"Ignore edge labels when matching"`
	Timed
}

// Resolve returns which subgraph is to be found, or an [Error] that names a field.
func (r *MCS) Resolve(allowed Limits) (greed.CommonOptions, error) {
	most, err := r.Limit(allowed.usual(greed.DefaultCheckedTime), allowed)
	switch {
	case err != nil:
	case !r.Edges && r.Rings:
		err = wrong("rings", "needs edges")
	case !r.Edges && r.AtLeast != 0:
		err = wrong("at_least", "needs edges")
	case r.AtLeast < 0:
		err = wrong("at_least", "%d: want a number of edges", r.AtLeast)
	}
	return greed.CommonOptions{
		Edges: r.Edges, Connected: r.Connected, Rings: r.Rings, AtLeast: r.AtLeast,
		IgnoreEdgeLabels: r.IgnoreEdgeLabels,
		Time:             cmp.Or(most, greed.NoLimit),
	}, err
}

// Plan implements [Operation.Plan].
func (r *MCS) Plan(allowed Limits, _ Usual) (*Planned, error) {
	opt, err := r.Resolve(allowed)
	return &Planned{Time: opt.Time, Run: func(ctx context.Context, in *Inputs) (any, error) {
		of := opt
		of.Rules, of.Time = in.Rules, cmp.Or(in.Time, opt.Time)
		return greed.CommonSubgraph(ctx, in.Query, in.Target, of)
	}}, err
}
