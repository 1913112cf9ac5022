package greed

import (
	"math"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/search"
)

// Answer is one graph found.
type Answer struct {
	ID     string
	Name   string
	SMILES string
	// Position is the number of the graph in the collection.
	Position int
	// Attributes has the attributes of the record that [Options.Show] names.
	Attributes map[string]any
	// Similarity is exp(−GED / ((n₁+n₂)/2)) or, for SED, 1 − SED/(n+m) of the
	// query: 1 for copies, 0 or little for graphs that have nothing in common.
	// It uses the upper bound or, where there are no bounds, the prediction.
	Similarity float64
	// Map gives for every query node its node in the graph found, or -1. The
	// edits that it implies cost the upper bound. It is nil where only a
	// prediction is known.
	Map edit.NodeMap
	// Nodes are the names of the nodes of the graph found, or nil where they have none.
	Nodes []string
	// Edits are those edits, in an order in which they can be carried out. Edits and Nodes
	// are nil unless [Options.Explain] asks for them.
	Edits []edit.Operation
	// Transformations says the same of two molecules, charges and all, by the fragments that
	// are exchanged. It is nil unless [Options.SMILES] is given, too.
	Transformations []transform.Transformation

	task         Task
	predicted    *float64
	bounded      bool
	lower, upper float64
	nged         float64
}

// Predicted returns the model's prediction, and whether there is one.
func (a Answer) Predicted() (prediction float64, ok bool) { return value(a.predicted) }

// Bounds returns bounds of the distance: lower ≤ distance ≤ upper. An answer
// that was only predicted has 0 and +Inf.
func (a Answer) Bounds() (lower, upper float64) {
	if !a.bounded {
		return 0, math.Inf(1)
	}
	return a.lower, a.upper
}

// Distance returns the distance, and whether it is known exactly. Where it is not,
// it returns the upper bound.
func (a Answer) Distance() (distance float64, exact bool) {
	lower, upper := a.Bounds()
	return upper, lower == upper
}

func value(x *float64) (float64, bool) {
	if x == nil {
		return 0, false
	}
	return *x, true
}

// newAnswer returns an answer without its edits.
func newAnswer(c *search.Collection, q *Graph, opt Options, a *search.Answer) Answer {
	rec := c.About(a.Position)
	out := Answer{
		ID: rec.ID, Name: rec.Name, SMILES: rec.SMILES, Position: a.Position, Map: a.Map,
		task: opt.Task, predicted: a.Predicted,
	}
	out.Attributes = shown(rec, opt.Show)
	best := 0.0
	if a.Map != nil {
		out.bounded, out.lower, out.upper = true, a.Lower, a.Upper
		best = a.Upper
	} else if a.Predicted != nil {
		best = *a.Predicted
	}
	if opt.Task == SED {
		out.Similarity = 1 - share(best, float64(q.N()+q.M()))
		return out
	}
	out.nged = share(best, float64(q.N()+c.Signature(a.Position).Nodes())/2)
	out.Similarity = math.Exp(-out.nged)
	return out
}

// explain adds the edits and transformations of an answer and the names of its nodes, unless
// only a prediction is known.
func (a *Answer) explain(c *search.Collection, q *Graph, opt Options, r *search.Result, found *search.Answer) {
	if found.Map == nil {
		return
	}
	rec := c.Record(found.Position)
	// Not nil: where none are needed, that is known.
	a.Edits = edit.WithNames(edit.Edits(r.Pricing, q, rec.Graph, found.Map), opt.Names, rec.NodeIDs, q.Directed())
	a.Nodes = rec.NodeIDs
	a.Transformations = transform.Of(opt.SMILES, q, rec.SMILES, rec.Graph, found.Map)
}

// share returns distance / size, and 0 of graphs without nodes.
func share(distance, size float64) float64 {
	if size == 0 {
		return 0
	}
	return distance / size
}

// shown returns the attributes with some names that a record has.
func shown(rec Record, names []string) (attributes map[string]any) {
	for _, name := range names {
		if v, ok := rec.Attributes[name]; ok {
			if attributes == nil {
				attributes = make(map[string]any)
			}
			attributes[name] = v
		}
	}
	return attributes
}
