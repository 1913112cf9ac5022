package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// Distance is what is known of the distance of two graphs.
type Distance struct {
	Task  greed.Task `json:"task" enum:"ged,sed"`
	Costs edit.Costs `json:"costs"`
	// Where Lower and Upper meet, Exact is true.
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	Exact bool    `json:"exact"`
	// Stopped says why not.
	Stopped ged.Stop `json:"stopped,omitempty" enum:"time,memory,size,interrupted,rounding"`
	// Map gives for every query node its target node, or -1; Edits are the
	// edits that it implies, which cost Upper.
	Map   edit.NodeMap     `json:"map"`
	Edits []edit.Operation `json:"edits"`
	// Common is what the graphs share under Map, as greed mces prints it.
	Common  InCommon   `json:"common"`
	Query   *GraphJSON `json:"query"`
	Target  *GraphJSON `json:"target"`
	Seconds float64    `json:"seconds"`
}

// InCommon counts the nodes and edges that two graphs share, labels included, and gives
// Johnson's similarity of the graphs by them.
type InCommon struct {
	Nodes   int     `json:"nodes"`
	Edges   int     `json:"edges"`
	Johnson float64 `json:"johnson"`
}

// Measured holds the options of a distance.
type Measured struct {
	Task   string `json:"task,omitempty" enum:"ged,sed" default:"ged"`
	Budget string `json:"budget,omitempty" minLength:"1" doc:"Time for the exact solver, such as 500ms; 1s"`
}

// DistanceRequest is the body of a request for the distance of two graphs.
type DistanceRequest struct {
	Query  Query `json:"query"`
	Target Query `json:"target"`
	Measured
	Costs *CostsJSON `json:"costs,omitempty"`
}

// DistanceToRequest is the body of a request for the distance to a graph of a
// collection.
type DistanceToRequest struct {
	Query Query  `json:"query"`
	ID    string `json:"id" doc:"The target, a graph of the collection"`
	Measured
}

type distanceInput struct{ Body DistanceRequest }

type distanceToInput struct {
	Name string `path:"name" doc:"The collection"`
	Body DistanceToRequest
}

type distanceOutput struct{ Body *Distance }

func (s *Server) registerDistance(api huma.API) {
	operation := huma.Operation{
		Method: http.MethodPost, Tags: []string{"distance"},
		Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
	}
	two := operation
	two.OperationID, two.Path, two.Summary = "distance", "/v1/distance", "Distance of two graphs, with unit costs or others"
	operate(s, api, two, toRead, func(ctx context.Context, in *distanceInput) (*distanceOutput, error) {
		costs, err := in.Body.Costs.read()
		if err != nil {
			return nil, err
		}
		target, err := s.read(ctx, &in.Body.Target, nil, costs)
		if err != nil {
			return nil, err
		}
		return s.measure(ctx, nil, costs, &in.Body.Query, target, &in.Body.Measured)
	})
	one := operation
	one.OperationID, one.Path = "distanceTo", "/v1/collections/{name}/distance"
	one.Summary = "Distance of a graph to one of the collection, with the costs of its model"
	operate(s, api, one, toRead, func(ctx context.Context, in *distanceToInput) (*distanceOutput, error) {
		sh, err := s.find(in.Name)
		if err != nil {
			return nil, err
		}
		target, err := sh.get(in.Body.ID)
		if err != nil {
			return nil, err
		}
		return s.measure(ctx, sh, edit.Uniform(), &in.Body.Query, target, &in.Body.Measured)
	})
}

// measure computes a distance. If sh is not nil, it uses the costs of that collection's
// model.
func (s *Server) measure(ctx context.Context, sh *hosted, costs edit.Costs, q *Query, target dataset.Record, want *Measured) (*distanceOutput, error) {
	query, err := s.read(ctx, q, sh, costs)
	if err != nil {
		return nil, err
	}
	task, err := taskOf(want.Task)
	if err != nil {
		return nil, err
	}
	if sh != nil {
		costs = sh.Collection.Costs(task)
	}
	out, err := s.compare(ctx, costs, query, target, want)
	return &distanceOutput{out}, err
}

func taskOf(name string) (task greed.Task, err error) {
	if err := task.UnmarshalText([]byte(orElse(name, "ged"))); err != nil {
		return task, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	return task, nil
}

// oneKind returns an error unless both graphs are directed or neither is.
func oneKind(query, target dataset.Record) error {
	if query.Graph.Directed() != target.Graph.Directed() {
		return problem(http.StatusUnprocessableEntity, "one graph is directed and the other is not")
	}
	return nil
}

// compare waits for a place at the exact solver and computes a distance.
func (s *Server) compare(ctx context.Context, costs edit.Costs, query, target dataset.Record, want *Measured) (*Distance, error) {
	task, err := taskOf(want.Task)
	if err != nil {
		return nil, err
	}
	budget, err := s.budget(want.Budget, checkedBudget)
	if err != nil {
		return nil, err
	}
	if err := oneKind(query, target); err != nil {
		return nil, err
	}
	understood(ctx)
	out, err := withPlace(ctx, s, func(ctx context.Context) (*Distance, error) {
		account := s.account(budget)
		m := &measurement{Distance: Distance{Task: task, Costs: costs}}
		err := s.solve(ctx, m, query, target, budget)
		if err != nil {
			return nil, err
		}
		if account.end = (time.Time{}); !account.affords(m.size()) { // an answer has them
			return nil, problem(http.StatusUnprocessableEntity, "the edits of graphs of this size take more memory than a request may have; ask for distances, which come without")
		}
		m.Edits = m.edits()
		if m.Query, err = show(query); err == nil {
			m.Target, err = show(target)
		}
		return &m.Distance, err
	})
	return out, explain(err)
}

// measurement is a distance and what its edits follow from.
type measurement struct {
	Distance
	pricing *edit.Pricing
	a, b    *graph.Graph
	names   [2][]string // of their nodes
}

// size returns the greatest number of edits there may be.
func (m *measurement) size() int { return m.a.N() + m.a.M() + m.b.N() + m.b.M() }

func (m *measurement) edits() []edit.Operation {
	return append([]edit.Operation{}, edit.WithNames(edit.Path(m.pricing, m.a, m.b, m.Map), m.names[0], m.names[1], m.a.Directed())...)
}

// solve computes the distance and stores it in out.
func (s *Server) solve(ctx context.Context, out *measurement, query, target dataset.Record, budget time.Duration) error {
	vocab := graph.NewVocabulary()
	a, b := graph.In(vocab, query.Graph), graph.In(vocab, target.Graph)
	solver, err := ged.NewSolver(out.Task, out.Costs)
	if err != nil {
		return err
	}
	begin := time.Now()
	r, err := solver.Distance(ctx, a, b, ged.Options{Time: budget, Memory: s.opt.Limits.Memory})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	s.metrics.stage("check", time.Since(begin))
	out.a, out.b, out.names = a, b, [2][]string{query.NodeIDs, target.NodeIDs}
	if out.pricing, err = edit.Price(out.Task, out.Costs, a, b); err != nil {
		return err
	}
	out.Lower, out.Upper, out.Exact, out.Stopped, out.Map = r.Lower, r.Upper, r.Lower == r.Upper, r.Stopped, r.Map
	shared := mcs.CommonOf(a, b, r.Map)
	out.Common = InCommon{shared.Nodes, shared.Edges, shared.Johnson(a, b)}
	out.Seconds = time.Since(begin).Seconds()
	return nil
}
