package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
)

// Distance is what is known of the distance of two graphs.
type Distance struct {
	Task  greed.Task `json:"task" enum:"ged,sed"`
	Costs edit.Costs `json:"costs"`
	// Where Lower and Upper meet, Exact is true.
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	Exact bool    `json:"exact"`
	// Within and Fixed are written where they were asked for.
	Within string   `json:"within,omitempty" enum:"yes,no,unknown" doc:"Whether the distance is within what was asked for"`
	Fixed  [][2]int `json:"fixed,omitempty" doc:"Pairs of nodes given in advance, -1 where there is no node: the bounds are those of the least cost with them"`
	// Stopped says why not.
	Stopped ged.Stop `json:"stopped,omitempty" enum:"time,memory,size,interrupted,rounding"`
	// Map gives for every query node its target node, or -1; Edits are the
	// edits that it implies, which cost Upper.
	Map   edit.NodeMap     `json:"map"`
	Edits []edit.Operation `json:"edits"`
	// Transformations says the same of two molecules.
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"What differs between two molecules, as fragments that are exchanged"`
	// Common is what the graphs share under Map, and Johnson's similarity of them by that.
	Common      mcs.Common `json:"common"`
	NotCompared []string   `json:"not_compared,omitempty" doc:"What does not count, such as the charges of molecules"`
	Query       *GraphJSON `json:"query"`
	Target      *GraphJSON `json:"target"`
	Seconds     float64    `json:"seconds"`
}

// DistanceRequest is the body of a request for the distance of two graphs.
type DistanceRequest struct {
	Query  Query `json:"query"`
	Target Query `json:"target"`
	Among
	operation.Distance
}

// Among names the collection of which two graphs, neither of which need be there, are like.
type Among struct {
	Collection string `json:"collection,omitempty" doc:"Graphs are read as those of this collection, which has those with ids, and measured with the costs of its model"`
}

// in returns the collection, nil if none is named, and its costs.
func (a Among) in(s *Server) (sh *hosted, costs func(edit.Task) edit.Costs, err error) {
	if sh, err = s.readFor(a.Collection); sh != nil {
		costs = sh.Collection.Costs
	}
	return sh, costs, err
}

// DistanceToRequest is the body of a request for the distance to a graph of a
// collection.
type DistanceToRequest struct {
	Query Query  `json:"query"`
	ID    string `json:"id" doc:"The target, a graph of the collection"`
	operation.Distance
}

func (s *Server) registerDistance(api huma.API) {
	common := huma.Operation{
		Method: http.MethodPost, Tags: []string{"distance"},
		Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
	}
	two := common
	two.OperationID, two.Path, two.Summary = "distance", "/v1/distance", "Distance of two graphs, with unit costs, those of a collection's model, or others"
	answers(s, api, two, toRead, func(ctx context.Context, in *body[DistanceRequest]) (*Distance, error) {
		sh, costs, err := in.Body.in(s)
		if err != nil {
			return nil, err
		}
		m, err := in.Body.Resolve(s.limits(), costs, greed.DefaultCheckedTime)
		if err != nil {
			return nil, err
		}
		target, err := s.read(ctx, &in.Body.Target, sh, m.Costs)
		if err != nil {
			return nil, err
		}
		return s.measure(ctx, sh, m, &in.Body.Query, target)
	})
	one := common
	one.OperationID, one.Path = "distanceTo", "/v1/collections/{name}/distance"
	one.Summary = "Distance of a graph to one of the collection, with the costs of its model"
	ofCollection(s, api, one, func(ctx context.Context, sh *hosted, in *DistanceToRequest) (*Distance, error) {
		m, err := in.Resolve(s.limits(), sh.Collection.Costs, greed.DefaultCheckedTime)
		if err != nil {
			return nil, err
		}
		target, err := sh.get(in.ID)
		if err != nil {
			return nil, err
		}
		return s.measure(ctx, sh, m, &in.Query, target)
	})
}

// measure computes the distance to a target. sh, which may be nil, is the collection that
// the query is read for.
func (s *Server) measure(ctx context.Context, sh *hosted, m operation.Measure, q *Query, target dataset.Record) (*Distance, error) {
	query, err := s.read(ctx, q, sh, m.Costs)
	if err != nil {
		return nil, err
	}
	out, err := s.compare(ctx, m, sh, query, target)
	if err != nil {
		return nil, err
	}
	return &out.Distance, nil
}

// oneKind returns an error unless both graphs are directed or neither is.
func oneKind(query, target dataset.Record) error {
	if query.Graph.Directed() != target.Graph.Directed() {
		return problem(http.StatusUnprocessableEntity, "one graph is directed and the other is not")
	}
	return nil
}

// compare waits for a permit at the exact solver and computes a distance of graphs that were read
// for sh, which may be nil.
func (s *Server) compare(ctx context.Context, want operation.Measure, sh *hosted, query, target dataset.Record) (*measurement, error) {
	if err := oneKind(query, target); err != nil {
		return nil, err
	}
	understood(ctx)
	out, err := withPermit(ctx, s, func(ctx context.Context) (*measurement, error) {
		account := s.account(want.Time)
		m, err := s.solve(ctx, want, query, target)
		if err != nil {
			return nil, err
		}
		if account.end = (time.Time{}); !account.affords(m.size()) { // an answer has them
			return nil, problem(http.StatusUnprocessableEntity, "the edits of graphs of this size take more memory than a request may have; ask for distances, which come without")
		}
		m.Edits, m.Transformations = m.edits(), m.transformations()
		_, m.NotCompared = greed.Compared(sh.rules(), query.SMILES != "" && target.SMILES != "", want.Costs)
		if m.Query, err = show(query); err == nil {
			m.Target, err = show(target)
		}
		return m, err
	})
	return out, explain(err)
}

// measurement is a distance and what its edits follow from.
type measurement struct {
	Distance
	pricing *edit.Pricing
	a, b    *graph.Graph
	names   [2][]string // of their nodes
	smiles  [2]string
}

// size returns the greatest number of edits there may be.
func (m *measurement) size() int { return m.a.N() + m.a.M() + m.b.N() + m.b.M() }

func (m *measurement) edits() []edit.Operation {
	return append([]edit.Operation{}, edit.WithNames(edit.Edits(m.pricing, m.a, m.b, m.Map), m.names[0], m.names[1], m.a.Directed())...)
}

func (m *measurement) transformations() []transform.Transformation {
	return transform.Of(m.smiles[0], m.a, m.smiles[1], m.b, m.Map)
}

// solve computes a distance.
func (s *Server) solve(ctx context.Context, want operation.Measure, query, target dataset.Record) (*measurement, error) {
	vocab := graph.NewVocabulary()
	a, b := graph.In(vocab, query.Graph), graph.In(vocab, target.Graph)
	solver, err := ged.NewSolver(want.Task, want.Costs)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	r, err := want.Compute(ctx, solver, a, b, ged.Options{Time: want.Time, Memory: s.opt.Limits.Memory})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	s.metrics.stage("check", time.Since(begin))
	out := &measurement{
		Distance: Distance{Task: want.Task, Costs: want.Costs, Within: want.Decision(r), Fixed: want.Fixed},
		a:        a, b: b, names: [2][]string{query.NodeIDs, target.NodeIDs}, smiles: [2]string{query.SMILES, target.SMILES},
	}
	if out.pricing, err = edit.Price(out.Task, out.Costs, a, b); err != nil {
		return nil, err
	}
	out.Lower, out.Upper, out.Exact, out.Stopped, out.Map = r.Lower, r.Upper, r.Lower == r.Upper, r.Stopped, r.Map
	out.Common = mcs.CommonOf(a, b, r.Map)
	out.Seconds = time.Since(begin).Seconds()
	return out, nil
}
