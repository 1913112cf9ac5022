package greed

import (
	"math"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/search"
)

// Found is the result of a search, the same for Go programs and, as JSON, for
// all others.
type Found struct {
	Task     Task       `json:"task"`
	Model    bool       `json:"model"` // candidates were found by a model's vectors
	Costs    edit.Costs `json:"costs"`
	Warnings []string   `json:"warnings,omitempty"`
	Answers  []Answer   `json:"answers"` // nearest first
	Seconds  Seconds    `json:"seconds"`
	Solved   int        `json:"solved"` // pairs that the solver worked on
	// Certified tells that the answers are proven: no other graph is nearer, or
	// within the radius. Open lists what kept them from it.
	Certified bool         `json:"certified"`
	Open      []OpenAnswer `json:"open,omitempty"`
}

// OpenAnswer is a graph whose distance the time limit left open: it may be an answer
// in place of one given.
type OpenAnswer struct {
	ID       string  `json:"id"`
	Position int     `json:"position"`
	Lower    float64 `json:"lower"`
	// Upper is nil for a graph that was not reached.
	Upper *float64 `json:"upper,omitempty"`
}

// Seconds is how long each part of a search took.
type Seconds struct {
	Embed float64 `json:"embed"` // the query
	Scan  float64 `json:"scan"`  // for candidates
	Check float64 `json:"check"` // by the exact solver
}

// Answer is one graph found.
type Answer struct {
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	SMILES string `json:"smiles,omitempty"`
	// Position is the number of the graph in the collection.
	Position int `json:"position"`

	// Predicted is the model's prediction, nil without a model.
	Predicted *float64 `json:"predicted,omitempty"`
	// Lower and Upper bound the distance, nil if it was not checked; where
	// they meet, Exact is true and GED or SED holds it.
	Lower *float64 `json:"lower,omitempty"`
	Upper *float64 `json:"upper,omitempty"`
	Exact bool     `json:"exact"`
	GED   *float64 `json:"ged,omitempty"`
	SED   *float64 `json:"sed,omitempty"`
	// NGED is GED / ((n₁+n₂)/2) of the best estimate of the GED, nil for SED.
	NGED *float64 `json:"nged,omitempty"`
	// Similarity is exp(−NGED) or, for SED, 1 − SED/(n+m) of the query: 1 for
	// copies, 0 or little for graphs that have nothing in common.
	Similarity float64 `json:"similarity"`
	// Map gives for every query node the node of the graph found that it
	// corresponds to, or -1: the edits it implies cost Upper.
	Map edit.NodeMap `json:"map,omitempty"`
	// Edits are those edits, in an order in which they can be carried out.
	Edits []edit.Operation `json:"edits,omitempty"`
}

func newFound(c *search.Collection, q *Graph, opt Options, r *search.Result) *Found {
	f := &Found{
		Task: opt.Task, Model: r.Model, Costs: r.Costs, Warnings: r.Warnings, Solved: r.Solved,
		Answers:   make([]Answer, 0, len(r.Answers)),
		Seconds:   Seconds{r.Embed.Seconds(), r.Scan.Seconds(), r.Check.Seconds()},
		Certified: r.Certified,
	}
	if opt.Certify || !r.Model {
		for i := range r.Open {
			a := &r.Open[i]
			open := OpenAnswer{ID: c.About(a.Position).ID, Position: a.Position, Lower: a.Lower}
			if a.Map != nil {
				open.Upper = &a.Upper
			}
			f.Open = append(f.Open, open)
		}
	}
	for i := range r.Answers {
		f.Answers = append(f.Answers, newAnswer(c, q, opt, r, &r.Answers[i]))
	}
	return f
}

func newAnswer(c *search.Collection, q *Graph, opt Options, r *search.Result, a *search.Answer) Answer {
	rec := c.Record(a.Position)
	out := Answer{
		ID: rec.ID, Name: rec.Name, SMILES: rec.SMILES, Position: a.Position,
		Predicted: a.Predicted, Exact: a.Exact, Map: a.Map,
	}
	best := a.Distance()
	if a.Map != nil {
		out.Lower, out.Upper = &a.Lower, &a.Upper
		out.Edits = edit.Path(r.Pricing, q, rec.Graph, a.Map)
	}
	if opt.Task == SED {
		if a.Exact {
			out.SED = &a.Upper
		}
		out.Similarity = 1 - best/float64(q.N()+q.M())
		return out
	}
	if a.Exact {
		out.GED = &a.Upper
	}
	nged := best / (float64(q.N()+rec.Graph.N()) / 2)
	out.NGED, out.Similarity = &nged, math.Exp(-nged)
	return out
}

// Total returns how long the search took.
func (s Seconds) Total() time.Duration {
	return time.Duration((s.Embed + s.Scan + s.Check) * float64(time.Second))
}
