// Package certificate writes certificates, which prove edit distances, lower bounds of them
// and sets of nearest graphs. Package verify checks them without the solver.
package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
)

// ErrUnit means that costs have no unit in which a certificate could count them.
var ErrUnit = errors.New("no certificate can be written: the costs have no common unit, or one that is too small")

// ErrGraphs means that no certificate may state the graphs: one is too large, or two of a
// set have the same id.
var ErrGraphs = errors.New("no certificate can be written")

// ErrOpen means that the time was up before a bound was proven.
var ErrOpen = errors.New("the time ran out before the bound was proven")

// ErrFalse means that a node map costs less than the bound that is claimed.
var ErrFalse = errors.New("the bound does not hold")

// Claim is what is known of a pair.
type Claim struct {
	ID           string // of the target
	Query        *graph.Graph
	Target       *graph.Graph
	Lower        float64      // 0 if nothing is claimed
	Map          edit.NodeMap // nil if no upper bound is claimed
	Fixed        [][2]int     // pairs of nodes that maps must have, as ged.Options has them; not of a set
	Answer       bool         // of a set
	QueryID      string
	stated, must *verify.Graph
}

// Set says what the answers among all pairs are; nil that there are none. Either Radius or
// Nearest counts. Of the others it is proven that they are none, whatever Lower they have.
type Set struct {
	Radius  float64
	Nearest int
}

// Write proves all claims, so many at a time, and writes them to w. The graphs share a
// vocabulary, and those of a set the query. The error wraps [ErrUnit], [ErrGraphs], [ErrOpen]
// or, where a table misses a label, [edit.ErrCosts].
func Write(ctx context.Context, w io.Writer, task edit.Task, costs edit.Costs, claims []Claim, set *Set,
	workers int) error {
	if len(claims) == 0 {
		return fmt.Errorf("%w: nothing is claimed", ErrGraphs)
	}
	h, err := header(ctx, task, costs, claims)
	if err != nil {
		return err
	}
	h.Pairs = len(claims)
	ids := make(map[string]bool)
	for i := range claims {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%w: %w", ErrOpen, err)
		}
		c := &claims[i]
		if err := h.CheckGraphs(c.must, c.stated); err != nil {
			return fmt.Errorf("%w: %w", ErrGraphs, err)
		}
		if set != nil && ids[c.stated.ID] {
			return fmt.Errorf("%w: two graphs have the id %q", ErrGraphs, c.stated.ID)
		}
		ids[c.stated.ID] = true
	}
	if set != nil {
		h.Query = claims[0].must
		if h.Nearest = set.Nearest; h.Nearest == 0 {
			radius := h.floor(set.Radius)
			h.Radius = &radius
		}
	}
	h.Stop = until(ctx)
	var far int64
	err = guard(ctx, func() (err error) {
		far, err = h.far(claims)
		return err
	})
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrOpen, ctx.Err())
	}
	if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	if err := out.Encode(&h.Header); err != nil {
		return err
	}
	err = ordered.Map(ctx, len(claims), workers,
		func(ctx context.Context, _, i int) (pair *verify.Pair, err error) {
			err = guard(ctx, func() error {
				pair, err = h.pair(ctx, &claims[i], set != nil, far)
				return err
			})
			return pair, err
		},
		func(_ int, p *verify.Pair) error { return out.Encode(p) })
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrOpen, ctx.Err())
	}
	return err
}

// far returns what graphs of a set that are not answers cost at least.
func (h *counted) far(claims []Claim) (far int64, err error) {
	if h.Radius != nil {
		return *h.Radius + 1, nil
	}
	for i := range claims {
		if c := &claims[i]; c.Answer {
			cost, err := verify.NewProblem(&h.Header, c.must, c.stated, 1).Cost(c.Map)
			if err != nil {
				return 0, fmt.Errorf("certificate: %w", err)
			}
			far = max(far, cost)
		}
	}
	return far, nil
}

// pair proves a claim.
func (h *counted) pair(ctx context.Context, c *Claim, ofSet bool, far int64) (pair *verify.Pair, err error) {
	pair = &verify.Pair{Target: *c.stated, Answer: c.Answer, Lower: h.ceil(c.Lower), Map: c.Map, Grain: grain}
	if !ofSet {
		pair.Query = c.must
	} else if !c.Answer {
		pair.Lower = far
	}
	p := verify.NewProblem(&h.Header, c.must, c.stated, grain)
	for _, x := range c.Fixed {
		pair.Fixed = append(pair.Fixed, x[:])
	}
	slices.SortFunc(pair.Fixed, slices.Compare)
	start, err := p.Start(pair.Fixed)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	if c.Map != nil {
		if pair.Upper, err = p.Cost(c.Map); err != nil {
			return nil, fmt.Errorf("certificate: %w", err)
		}
	}
	if pair.Lower > 0 {
		if pair.Proof, err = prove(ctx, p, pair.Lower, start); err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	return pair, nil
}

// counted is a header that is being made.
type counted struct {
	verify.Header
	unit   edit.Unit              // of costs; those in the header may be multiples of more
	number [2]map[graph.Label]int // of labels of nodes and of edges
}

// header states the costs and the graphs, whose rings are marked where they cost.
func header(ctx context.Context, task edit.Task, costs edit.Costs, claims []Claim) (*counted, error) {
	h := &counted{Header: verify.Header{Version: 1, Task: task.String(), Unit: 1, Scale: 1}}
	var graphs []*graph.Graph
	for i := range claims {
		graphs = append(graphs, claims[i].Query, claims[i].Target)
	}
	p, err := edit.Price(task, costs, graphs...)
	if err != nil {
		return nil, err
	}
	h.number = [2]map[graph.Label]int{{}, {}}
	var labels [2][]graph.Label
	see := func(kind int, l graph.Label) int {
		k, ok := h.number[kind][l]
		if !ok {
			k = len(labels[kind])
			h.number[kind][l], labels[kind] = k, append(labels[kind], l)
		}
		return k
	}
	made := make(map[*graph.Graph]*verify.Graph)
	state := func(g *graph.Graph, id string) *verify.Graph {
		id = valid(id)
		if x := made[g]; x != nil && x.ID == id {
			return x
		}
		h.Directed = h.Directed || g.Directed()
		marked, x := p.Marked(g), &verify.Graph{ID: id, Nodes: []int{}, Edges: [][]int{}}
		for _, l := range marked.Labels() {
			x.Nodes = append(x.Nodes, see(0, l))
		}
		for e := range marked.Edges() {
			x.Edges = append(x.Edges, []int{e.From, e.To, see(1, e.Label)})
		}
		made[g] = x
		return x
	}
	for i := range claims {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrOpen, err)
		}
		claims[i].must, claims[i].stated = state(claims[i].Query, claims[i].QueryID),
			state(claims[i].Target, claims[i].ID)
	}
	vocab := claims[0].Query.Vocabulary()
	var real [2]table
	real[0] = tableOf(labels[0], vocab.NodeText, p.NodeDelete, p.NodeInsert, p.NodeSubstitute)
	real[1] = tableOf(labels[1], edgeText(vocab), p.EdgeDelete, p.EdgeInsert, p.EdgeSubstitute)
	var all []float64
	for _, t := range real {
		for _, row := range t.costs {
			all = append(all, row...)
		}
	}
	if h.unit = edit.UnitOf(all, 0); !h.unit.Exact() {
		return nil, ErrUnit
	}
	h.Scale = int64(h.unit.PerOne())
	h.Nodes, h.Edges = real[0].count(h.unit), real[1].count(h.unit)
	h.coarsen()
	return h, nil
}

// coarsen counts costs in the largest unit: a bound then rises by as much as distances may
// differ.
func (h *counted) coarsen() {
	var lists [][]int64
	for _, p := range []*verify.Prices{&h.Nodes, &h.Edges} {
		lists = append(append(lists, p.Delete, p.Insert), p.Substitute...)
	}
	unit := int64(0)
	for _, list := range lists {
		for _, c := range list {
			for unit, c = c, unit; c != 0; unit, c = c, unit%c {
			}
		}
	}
	if unit == 0 {
		return
	}
	h.Unit = unit
	for _, list := range lists {
		for i := range list {
			list[i] /= unit
		}
	}
}

// edgeText names the labels of edges, of which those in rings may cost something else.
func edgeText(vocab *graph.Vocabulary) func(graph.Label) string {
	return func(l graph.Label) string {
		if l&graph.InRing != 0 {
			return vocab.EdgeText(l&^graph.InRing) + " in a ring"
		}
		return vocab.EdgeText(l)
	}
}

// valid returns a text that JSON gives back as it is.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// distinct returns the name of a label, with a number if another label has it: as * is a wildcard's,
// or where bytes that are no text were replaced.
func distinct(text string, named map[string]bool) string {
	name := text
	for i := 2; named[name]; i++ {
		name = fmt.Sprintf("%s (%d)", text, i)
	}
	named[name] = true
	return name
}

// table has the costs of nodes or edges by the numbers of their labels.
type table struct {
	labels []string
	costs  [][]float64 // deletions, insertions, and substitutions from each label
}

func tableOf(labels []graph.Label, text func(graph.Label) string, remove, insert func(graph.Label) float64,
	substitute func(a, b graph.Label) float64) table {
	t := table{labels: []string{}, costs: make([][]float64, 2)}
	named := make(map[string]bool)
	for _, a := range labels {
		t.labels = append(t.labels, distinct(valid(text(a)), named))
		t.costs[0], t.costs[1] = append(t.costs[0], remove(a)), append(t.costs[1], insert(a))
		var row []float64
		for _, b := range labels {
			row = append(row, substitute(a, b))
		}
		t.costs = append(t.costs, row)
	}
	return t
}

// count returns the costs in units.
func (t *table) count(u edit.Unit) verify.Prices {
	rows := make([][]int64, len(t.costs))
	for i, row := range t.costs {
		rows[i] = make([]int64, len(row))
		for j, c := range row {
			rows[i][j] = int64(u.Count(c))
		}
	}
	return verify.Prices{Labels: t.labels, Delete: rows[0], Insert: rows[1], Substitute: rows[2:]}
}

// ceil returns the least count of a cost of at least lower.
func (h *counted) ceil(lower float64) int64 {
	return (int64(h.unit.Below(lower)) + h.Unit) / h.Unit
}

// floor returns the greatest count of a cost of at most radius.
func (h *counted) floor(radius float64) int64 { return int64(h.unit.Within(radius)) / h.Unit }
