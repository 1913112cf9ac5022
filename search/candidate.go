package search

import "github.com/greedgraph/greed/ged"

// candidate is a graph that may be an answer. Its bounds are all that was proven of its
// distance in any phase: they only improve.
type candidate struct {
	Answer
	rank rank  // in searches for the nearest and in predictions
	next stage // of the verification: those before have said what they can
	by   stage // the last that looked at it
}

// stage is a way to bound distances. Each takes longer than those before.
type stage uint8

const (
	screening stage = iota // by counts and branches, which bound all graphs
	matching               // looks for the query in the graph
	deciding               // by dual ascent
	copying                // from an equal graph
	solving                // by the solver
)

// seen records that a stage has looked at k.
func (k *candidate) seen(by stage) { k.by = max(k.by, by) }

// improve takes bounds that are better than the present ones.
func (a *Answer) improve(r ged.Result) {
	a.Lower = max(a.Lower, r.Lower)
	if r.Map != nil && (a.Map == nil || r.Upper < a.Upper) {
		a.Upper, a.Map = r.Upper, r.Map
	}
	a.Lower = min(a.Lower, a.Upper)
	a.Exact = a.Lower == a.Upper
}

// bounds returns what is known of a.
func (a *Answer) bounds() ged.Result {
	return ged.Result{Lower: a.Lower, Upper: a.Upper, Map: a.Map, Exact: a.Exact}
}
