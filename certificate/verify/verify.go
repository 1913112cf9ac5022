// Package verify checks certificates of edit distances and shares no code with the solver.
// Whoever trusts these lines, and knows that a certificate states the graphs and costs that
// are meant, need not trust the solver. docs/certificates.md describes the format and says
// why the checks prove the claim. Integers stay in a range in which no sum overflows.
package verify

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ErrRefused is wrapped by errors about certificates that do not prove what they claim.
var ErrRefused = errors.New("the certificate is refused")

// Header comes first: what all pairs have in common, and the claim about all of them.
type Header struct {
	Version  int    `json:"greed_certificate"`
	Task     string `json:"task"` // ged or sed
	Directed bool   `json:"directed"`
	Unit     int64  `json:"unit"` // costs, bounds and radius are counted in Unit/Scale
	Scale    int64  `json:"scale"`
	Nodes    Prices `json:"nodes"`
	Edges    Prices `json:"edges"`
	Query    *Graph `json:"query,omitempty"`   // of a set; else every pair has its own
	Pairs    int    `json:"pairs"`             // how many follow
	Radius   *int64 `json:"radius,omitempty"`  // of a set: the answers are all graphs within it
	Nearest  int    `json:"nearest,omitempty"` // of a set: so many answers, and no other graph is nearer
	Stop     func() `json:"-"`                 // is called again and again, and may end long work by a panic
}

// Prices are the costs of nodes, or of edges, by the numbers of their labels.
type Prices struct {
	Labels     []string  `json:"labels"`
	Delete     []int64   `json:"delete"`
	Insert     []int64   `json:"insert"`
	Substitute [][]int64 `json:"substitute"` // from, then to
}

// Graph has the number of each node's label, and two nodes and a label of each edge. Edges may
// be parallel, and the two nodes the same.
type Graph struct {
	ID    string  `json:"id"`
	Nodes []int   `json:"nodes"`
	Edges [][]int `json:"edges"`
}

// Pair has bounds of a distance and their proofs. Without a Map there is no upper bound.
type Pair struct {
	Query  *Graph `json:"query,omitempty"`
	Target Graph  `json:"target"`
	Answer bool   `json:"answer,omitempty"` // of a set
	// Fixed are pairs of a query and a target node, -1 for none: the bounds are of the maps that have these pairs.
	Fixed [][]int `json:"fixed,omitempty"`
	Lower int64   `json:"lower"`
	Upper int64   `json:"upper,omitempty"`
	Map   []int   `json:"map"`   // the target node of every query node, or -1
	Grain int64   `json:"grain"` // shares are multiples of 1/Grain
	Proof *Case   `json:"proof,omitempty"`
}

// Case is a case of a proof. If its bound is not enough, it is divided by what becomes of
// query node Row; what Cases does not list has no shares of its own and is not divided.
type Case struct {
	Shares []int64       `json:"shares,omitempty"`
	Row    int           `json:"row,omitempty"`
	Cases  map[int]*Case `json:"cases,omitempty"`
}

// The greatest numbers allowed. Sums have less than 2¹⁴ terms, of at most 2⁴³ each.
const (
	mostNodes = 1 << 10
	mostEdges = 1 << 12
	mostPairs = 1 << 22 // of edges of two graphs, whose shares take 40 bytes each
	mostCost  = 1 << 30
	mostGrain = 1 << 10
	mostShare = 1 << 42
	mostLower = 1 << 50
)

// Read checks a certificate and returns its header and its pairs, or an error that wraps
// [ErrRefused] and says which pair is wrong. All that r holds has then been checked.
func Read(r io.Reader, stop func()) (*Header, []Pair, error) {
	in, h := bufio.NewReader(r), Header{Stop: stop}
	if err := cmp.Or(line(in, &h), h.check()); err != nil {
		return nil, nil, fmt.Errorf("%w: header: %w", ErrRefused, err)
	}
	var pairs []Pair
	for len(pairs) < h.Pairs {
		var p Pair
		if err := cmp.Or(line(in, &p), h.checkPair(&p)); err != nil {
			return nil, nil, fmt.Errorf("%w: pair %d: %w", ErrRefused, len(pairs), err)
		}
		pairs = append(pairs, p)
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return nil, nil, fmt.Errorf("%w: something follows the last of %d pairs", ErrRefused, h.Pairs)
	}
	if err := h.checkSet(pairs); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return &h, pairs, nil
}

// line reads a line that holds what encoding/json writes of a value. So no member is missing,
// misspelt, or given twice, of which one would not be checked.
func line(in *bufio.Reader, v any) error {
	text, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the line is missing or does not end: %w", err)
	}
	err = json.Unmarshal(text, v)
	if again, _ := json.Marshal(v); err == nil && string(again)+"\n" != string(text) {
		err = errors.New("members are missing, unknown, given twice, or not in the order and form of the format")
	}
	return err
}

func (h *Header) check() error {
	if h.Version != 1 || h.Task != "ged" && h.Task != "sed" || h.Unit < 1 || h.Scale < 1 || h.Pairs < 1 {
		return fmt.Errorf("bad version %d, task %q, unit %d/%d, %d pairs", h.Version, h.Task, h.Unit, h.Scale, h.Pairs)
	}
	if set := h.Radius != nil || h.Nearest != 0; set != (h.Query != nil) || h.Nearest < 0 ||
		h.Radius != nil && (h.Nearest != 0 || *h.Radius < 0) {
		return errors.New("a set needs a query, and either a radius or a number of nearest graphs")
	}
	for _, p := range []*Prices{&h.Nodes, &h.Edges} {
		n := len(p.Labels)
		if len(slices.Compact(slices.Sorted(slices.Values(p.Labels)))) != n {
			return errors.New("two labels have the same text")
		}
		for i, row := range append([][]int64{p.Delete, p.Insert}, p.Substitute...) {
			if p.Labels == nil || p.Substitute == nil || row == nil || len(row) != n || len(p.Substitute) != n {
				return errors.New("the number of costs is not the number of labels")
			}
			for _, c := range row {
				if c < 0 || c > mostCost || i == 1 && h.Task == "sed" && c != 0 {
					return fmt.Errorf("the cost %d is out of range", c)
				}
			}
		}
	}
	return nil
}

// CheckGraphs returns an error unless two graphs are a pair that certificates may state.
func (h *Header) CheckGraphs(q, t *Graph) error {
	err := cmp.Or(h.checkGraph(q), h.checkGraph(t))
	if err == nil && len(q.Edges)*len(t.Edges) > mostPairs {
		err = fmt.Errorf("graphs %q and %q have more than %d pairs of edges", q.ID, t.ID, mostPairs)
	}
	return err
}

func (h *Header) checkGraph(g *Graph) error {
	if g == nil || g.Nodes == nil || g.Edges == nil {
		return errors.New("a graph is missing, or its nodes or edges are")
	}
	if len(g.Nodes) > mostNodes || len(g.Edges) > mostEdges {
		return fmt.Errorf("graph %q has %d nodes and %d edges, want at most %d and %d", g.ID, len(g.Nodes),
			len(g.Edges), mostNodes, mostEdges)
	}
	for _, l := range g.Nodes {
		if l < 0 || l >= len(h.Nodes.Labels) {
			return fmt.Errorf("graph %q has a node with the unknown label %d", g.ID, l)
		}
	}
	for _, e := range g.Edges {
		if len(e) != 3 || min(e[0], e[1], e[2]) < 0 || max(e[0], e[1]) >= len(g.Nodes) || e[2] >= len(h.Edges.Labels) {
			return fmt.Errorf("graph %q: the edge %v is invalid", g.ID, e)
		}
	}
	return nil
}

// checkSet checks the claim about all pairs.
func (h *Header) checkSet(pairs []Pair) error {
	answers, farthest, ids := 0, int64(0), make(map[string]bool)
	for _, p := range pairs {
		if p.Answer {
			answers++
			farthest = max(farthest, p.Upper)
		}
		if ids[p.Target.ID] && h.Query != nil {
			return fmt.Errorf("two graphs have the id %q", p.Target.ID)
		}
		ids[p.Target.ID] = true
	}
	limit := farthest - 1 // others cost more
	if h.Radius != nil {
		limit = *h.Radius
	} else if answers != h.Nearest {
		return fmt.Errorf("found %d answers, expected %d", answers, h.Nearest)
	}
	for _, p := range pairs {
		if p.Answer && (p.Map == nil || h.Radius != nil && p.Upper > limit) ||
			!p.Answer && h.Query != nil && p.Lower <= limit {
			return fmt.Errorf("nothing proves whether graph %q is an answer", p.Target.ID)
		}
	}
	return nil
}

// checkPair checks the bounds of a pair.
func (h *Header) checkPair(c *Pair) error {
	q := cmp.Or(h.Query, c.Query)
	if err := h.CheckGraphs(q, &c.Target); err != nil {
		return err
	}
	switch {
	case h.Query != nil && (c.Query != nil || c.Fixed != nil):
		return errors.New("a pair of a set has a query of its own, or fixed pairs")
	case c.Grain < 1 || c.Grain > mostGrain:
		return fmt.Errorf("the grain %d is out of range", c.Grain)
	case c.Map == nil && c.Upper != 0:
		return errors.New("no map attains the upper bound")
	case c.Lower < 0 || c.Lower > mostLower || c.Lower == 0 && c.Proof != nil:
		return fmt.Errorf("the lower bound %d has no proof, or is out of range", c.Lower)
	}
	p := NewProblem(h, q, &c.Target, c.Grain)
	s, err := p.Start(c.Fixed)
	if err != nil {
		return err
	}
	if c.Map != nil {
		if cost, err := p.Cost(c.Map); err != nil || cost != c.Upper {
			return errors.Join(err, fmt.Errorf("the cost of the map is not %d", c.Upper))
		}
	}
	for i, j := range c.Map {
		if s.Of[i] != j && !s.open(i, j) {
			return fmt.Errorf("the map sends node %d to %d in spite of fixed pairs", i, j)
		}
	}
	if c.Lower == 0 { // which needs no proof
		return nil
	}
	// Unless the certificate says more, each end has half of the weight.
	return p.closed(c.Proof, s, p.Divide(func(_, _ int, w int64) int64 { return w / 2 }), p.Need(c.Lower))
}
