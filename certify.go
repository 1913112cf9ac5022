package greed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Certified is a certificate: the lines of a file that [Verify] and greed verify check without the solver.
type Certified struct {
	Text string `json:"certificate" doc:"The lines of a certificate, which greed verify checks"`
	Proof
}

// Certify proves what is known of the distance of two graphs anew, or of the least cost with the pairs that are given
// in advance, and writes the proof. The comparison is one without matrices. The error wraps
// [certificate.ErrUnit], [certificate.ErrGraphs] or [certificate.ErrOpen].
func Certify(ctx context.Context, w io.Writer, query, target *Record, costs edit.Costs, known *Comparison) error {
	q, t, err := together(query, target)
	if err != nil {
		return err
	}
	claim := certificate.Claim{ID: target.ID, QueryID: query.ID, Query: q, Target: t, Lower: known.Lower,
		Map: known.Map, Fixed: known.Fixed}
	return certificate.Write(ctx, w, known.Task, costs, []certificate.Claim{claim}, nil, 1)
}

// CertifyDiff is [Certify] of what differs between two versions. Where names matched nodes, it proves the least cost
// of the node maps with these pairs, and states the pairs.
func CertifyDiff(ctx context.Context, w io.Writer, old, new *Record, costs edit.Costs, d *Difference) error {
	known := &Comparison{Task: edit.GED, Lower: *d.Lower, Map: d.Map, Fixed: d.Fixed}
	return Certify(ctx, w, old, new, costs, known)
}

// ErrNotProven is wrapped if a search has no certificate, because nothing is proven.
var ErrNotProven = errors.New("no certificate was written")

// CertifyFound writes a certificate of the proven answers to a query: of their distances, and that
// no other graph in the scope of the search is one; of a synthon space of the distances alone. The collection
// must not have changed since. The error wraps [ErrNotProven] or [ErrChanged], or is one of [Certify].
func (c *Collection) CertifyFound(ctx context.Context, w io.Writer, query *Record, found *Found, filters []Filter,
	workers int) error {
	if len(found.Open.Unsearched) > 0 {
		return fmt.Errorf("%w: the answers are %s", ErrNotProven, found.Verdict)
	}
	if !found.Certified {
		return fmt.Errorf("%w: the answers are not proven", ErrNotProven)
	}
	if c.space != nil {
		return c.certifyProducts(ctx, w, query, found, workers)
	}
	q := graph.Adopt(c.Vocabulary(), query.Graph)
	answers := make(map[int]*Answer)
	for i := range found.Answers {
		answers[found.Answers[i].Position] = &found.Answers[i]
	}
	var claims []certificate.Claim
	for position, rec := range c.Listing() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.ContainsFunc(filters, func(f Filter) bool { return !f.Match(&rec) }) {
			continue
		}
		claim := certificate.Claim{ID: rec.ID, QueryID: query.ID, Query: q, Target: c.Record(position).Graph}
		if a := answers[position]; a != nil {
			claim.Answer, claim.Map = true, a.Map
			claim.Lower, _ = a.Bounds()
		}
		claims = append(claims, claim)
	}
	if len(claims) == 0 {
		return fmt.Errorf("%w: no graph was searched", ErrNotProven)
	}
	set := &certificate.Set{Nearest: len(answers)}
	if found.K == 0 || len(answers) < found.K && found.Radius != nil || len(answers) == 0 {
		set = &certificate.Set{Radius: math.Inf(1)}
		if found.Radius != nil {
			set.Radius = *found.Radius
		}
	}
	return certificate.Write(ctx, w, found.Task, found.Costs, claims, set, workers)
}

// certifyProducts writes a certificate of the distances of answers in a synthon space. It has no set: that no other
// product is an answer rests on bounds of synthons and of what is joined of them, which certificates cannot state.
func (c *Collection) certifyProducts(ctx context.Context, w io.Writer, query *Record, found *Found, workers int) error {
	vocab := graph.NewVocabulary()
	q := graph.In(vocab, query.Graph)
	var claims []certificate.Claim
	for i := range found.Answers {
		a := &found.Answers[i]
		rec, same := c.productAt(a.Position, a.ID)
		if !same {
			return fmt.Errorf("certify: %s: %w: search again", a.ID, ErrChanged)
		}
		claim := certificate.Claim{ID: a.ID, QueryID: query.ID, Query: q, Target: graph.In(vocab, rec.Graph),
			Map: a.Map}
		claim.Lower, _ = a.Bounds()
		claims = append(claims, claim)
	}
	if len(claims) == 0 {
		return fmt.Errorf("%w: there is no answer, and of a synthon space certificates prove the distances of answers "+
			"alone", ErrNotProven)
	}
	return certificate.Write(ctx, w, found.Task, found.Costs, claims, nil, workers)
}

// Proof is what a certificate proves.
type Proof struct {
	// Set is nil unless the certificate is of the answers to a search.
	Set   *ProvenSet   `json:"set,omitempty" doc:"What is proven of all graphs that were searched"`
	Pairs []ProvenPair `json:"pairs" doc:"What is proven of the distance of each pair"`
}

// ProvenSet is what is proven of all graphs that were searched.
type ProvenSet struct {
	Claim   string   `json:"claim" doc:"In a sentence"`
	Task    string   `json:"task" enum:"ged,sed"`
	Query   string   `json:"query"`
	Graphs  int      `json:"graphs"`
	Radius  *float64 `json:"radius,omitempty" doc:"The answers are all graphs within it"`
	Nearest int      `json:"nearest,omitempty" doc:"There are so many answers, and no other graph is nearer"`
}

// ProvenPair is what is proven of the distance of a pair.
type ProvenPair struct {
	Task   string   `json:"task" enum:"ged,sed"`
	Query  string   `json:"query"`
	Target string   `json:"target"`
	Answer bool     `json:"answer,omitempty" doc:"The target is an answer of the search"`
	Lower  float64  `json:"lower" doc:"The distance is this or more"`
	Upper  *float64 `json:"upper,omitempty" doc:"The distance is this or less"`
	Fixed  [][]int  `json:"fixed,omitempty" doc:"${proven_pair_fixed}"`
	Bound  string   `json:"bound" enum:"branches,shares,cases" doc:"What proves the lower bound"`
}

// Verify checks a certificate, without the solver, and returns what it proves. The error says where it fails, or is
// that of the context if this ends first.
func Verify(ctx context.Context, r io.Reader) (*Proof, error) {
	h, pairs, err := certificate.Read(ctx, r)
	if err != nil {
		return nil, err
	}
	cost := func(count int64) float64 {
		x, _ := new(big.Rat).Mul(big.NewRat(count, 1), big.NewRat(h.Unit, h.Scale)).Float64()
		return x
	}
	out := &Proof{Pairs: []ProvenPair{}}
	if h.Query != nil {
		set := &ProvenSet{Task: h.Task, Query: h.Query.ID, Graphs: h.Pairs, Nearest: h.Nearest}
		set.Claim = fmt.Sprintf("no other of %d graphs is nearer to %q than the %d answers", h.Pairs, h.Query.ID,
			h.Nearest)
		if h.Radius != nil {
			radius := cost(*h.Radius)
			set.Radius = &radius
			set.Claim = fmt.Sprintf("the answers are all of %d graphs within %v of %q", h.Pairs, radius, h.Query.ID)
		}
		out.Set = set
	}
	for i := range pairs {
		p := &pairs[i]
		q := h.Query
		if q == nil {
			q = p.Query
		}
		v := ProvenPair{Task: h.Task, Query: q.ID, Target: p.Target.ID, Answer: p.Answer, Lower: cost(p.Lower),
			Fixed: p.Fixed, Bound: boundOf(p)}
		if p.Map != nil {
			upper := cost(p.Upper)
			v.Upper = &upper
		}
		out.Pairs = append(out.Pairs, v)
	}
	return out, nil
}

// boundOf names the bound that proves a pair's lower bound.
func boundOf(p *verify.Pair) string {
	switch {
	case p.Proof == nil:
		return "branches"
	case len(p.Proof.Cases) == 0:
		return "shares"
	}
	return "cases"
}

// NewCertified returns a certificate that write writes, with what it proves: it is verified.
func NewCertified(ctx context.Context, write func(io.Writer) error) (*Certified, error) {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return nil, err
	}
	proven, err := Verify(ctx, strings.NewReader(text.String()))
	if err != nil {
		return nil, err
	}
	return &Certified{text.String(), *proven}, nil
}
