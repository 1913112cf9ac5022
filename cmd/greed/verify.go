package main

import (
	"bufio"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/certificate/verify"
)

type verifyCommand struct {
	File string `arg:"" help:"A certificate."`
}

// claimed is what is printed as JSON of a claim about all pairs, before the answers.
type claimed struct {
	Claim   string   `json:"claim"`
	Task    string   `json:"task"`
	Query   string   `json:"query"`
	Graphs  int      `json:"graphs"`
	Radius  *float64 `json:"radius,omitempty"`  // the answers are all graphs within it
	Nearest int      `json:"nearest,omitempty"` // so many answers, and no other graph is nearer
}

// verified is what is printed of a pair as JSON.
type verified struct {
	Task   string   `json:"task"`
	Query  string   `json:"query"`
	Target string   `json:"target"`
	Answer bool     `json:"answer,omitempty"`
	Lower  float64  `json:"lower"`
	Upper  *float64 `json:"upper,omitempty"`
	Bound  string   `json:"bound"` // by which Lower is proven
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

// Run checks a certificate and says what it proves.
func (c *verifyCommand) Run(s *session) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	h, pairs, err := verify.Read(bufio.NewReader(f))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	cost := func(count int64) float64 {
		x, _ := new(big.Rat).Mul(big.NewRat(count, 1), big.NewRat(h.Unit, h.Scale)).Float64()
		return x
	}
	if h.Query != nil {
		claim := claimed{Task: h.Task, Query: h.Query.ID, Graphs: h.Pairs, Nearest: h.Nearest}
		what := fmt.Sprintf("no other of %d graphs is nearer to %s than the %d answers", h.Pairs, strconv.Quote(h.Query.ID), h.Nearest)
		if h.Radius != nil {
			radius := cost(*h.Radius)
			claim.Radius = &radius
			what = fmt.Sprintf("the answers are all of %d graphs within %s of %s", h.Pairs, number(radius), strconv.Quote(h.Query.ID))
		}
		var err error
		if claim.Claim = what; s.json {
			err = s.out.printJSON(claim)
		} else {
			_, err = fmt.Fprintf(s.out, "proven: %s\n", what)
		}
		if err != nil {
			return err
		}
	}
	others := make(map[string]int)
	for i := range pairs {
		p := &pairs[i]
		q := h.Query
		if q == nil {
			q = p.Query
		}
		v := verified{Task: h.Task, Query: q.ID, Target: p.Target.ID, Answer: p.Answer, Lower: cost(p.Lower), Bound: boundOf(p)}
		if p.Map != nil {
			upper := cost(p.Upper)
			v.Upper = &upper
		}
		if s.json {
			if err := s.out.printJSON(v); err != nil {
				return err
			}
			continue
		}
		if h.Query != nil && !p.Answer {
			others[v.Bound]++
			continue
		}
		value := fmt.Sprintf("at least %s", number(v.Lower))
		if v.Upper != nil {
			value = between(v.Lower, *v.Upper)
		}
		if _, err := fmt.Fprintf(s.out, "proven: %s of %s and %s is %s\n", strings.ToUpper(h.Task), strconv.Quote(v.Query), strconv.Quote(v.Target), value); err != nil {
			return err
		}
	}
	for _, bound := range slices.Sorted(maps.Keys(others)) {
		if _, err := fmt.Fprintf(s.out, "proven: %d others are farther, or as far, by %s\n", others[bound], bound); err != nil {
			return err
		}
	}
	return nil
}
