package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
)

// Measured is what is known of a distance.
type Measured struct {
	// Where Lower and Upper meet, Exact is true; else Stopped says why not.
	Lower float64 `json:"lower" doc:"The distance is this or more"`
	Upper float64 `json:"upper" doc:"The distance is this or less"`
	Exact bool    `json:"exact" doc:"The bounds meet"`
	// Within is written if it was requested.
	Within  string   `json:"within,omitempty" enum:"yes,no,unknown" doc:"Whether the distance is within the limit of the request"`
	Stopped ged.Stop `json:"stopped,omitempty" enum:"time,memory,size,interrupted,rounding" doc:"Why the bounds do not meet"`
	// What the graphs may differ in, and how they were read.
	NotCompared []string       `json:"not_compared,omitempty" doc:"What does not count, such as the charges of molecules"`
	Notes       []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading the graphs of the request"`
	// Common is what the graphs share under the map, and Johnson's similarity of them by that.
	Common          mcs.Common                 `json:"common"`
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"What differs between two molecules, as fragments that are exchanged"`
	Seconds         float64                    `json:"seconds"`
}

// Distance is what is known of the distance of two graphs.
type Distance struct {
	Task  greed.Task `json:"task" enum:"ged,sed"`
	Costs edit.Costs `json:"costs"`
	Measured
	// Fixed is written if it was requested.
	Fixed [][2]int `json:"fixed,omitempty" doc:"Pairs of nodes given in advance, -1 where there is no node: the bounds are those of the least cost with them"`
	// Map gives for every query node its target node, or -1; Edits are the
	// edits that it implies, which cost Upper.
	Map    edit.NodeMap     `json:"map"`
	Edits  []edit.Operation `json:"edits"`
	Query  *GraphJSON       `json:"query"`
	Target *GraphJSON       `json:"target"`
}

// Diff is what differs between two graphs.
type Diff struct {
	Lower  float64      `json:"lower" doc:"The edits of least cost cost this or more"`
	Upper  float64      `json:"upper" doc:"The edits that were found cost this"`
	Exact  bool         `json:"exact" doc:"Both are the same"`
	Map    edit.NodeMap `json:"map" doc:"For every query node its target node, or -1"`
	Groups []diff.Group `json:"groups" doc:"Connected changes, the dearest first"`

	NotCompared []string       `json:"not_compared,omitempty" doc:"What does not count, such as the charges of molecules"`
	Notes       []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading the graphs of the request"`
}

// Pair is two graphs.
type Pair struct {
	Query  Query `json:"query"`
	Target Query `json:"target"`
}

// DistanceRequest is the body of a request for the distance of two graphs.
type DistanceRequest struct {
	Pair
	Among
	operation.Distance
}

// Among names the collection by whose rules two graphs are read; they need not be in it.
type Among struct {
	Collection string `json:"collection,omitempty" minLength:"1" doc:"Graphs are read as those of this collection, which has those with ids, and measured with the costs of its model"`
}

// in returns the collection, nil if none is named, and its costs.
func (a Among) in(s *Server) (sh *hosted, costs func(edit.Task) edit.Costs, err error) {
	if sh, err = s.readFor(a.Collection); sh != nil {
		costs = sh.Collection.Costs
	}
	return sh, costs, err
}

// DiffRequest is the body of a request for what differs between two graphs.
type DiffRequest struct {
	Pair
	Among
	operation.Differences
}

func (s *Server) registerDistance(api huma.API) {
	common := huma.Operation{Method: http.MethodPost, Tags: []string{"distance"}}
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
		s.accountOf(ctx).limit(m.Time)
		query, target, err := s.readPair(ctx, &in.Body.Pair, sh, m.Costs)
		if err != nil {
			return nil, err
		}
		d, err := s.compare(ctx, m, sh, query, target)
		return &d.Distance, err
	})
	differ := common
	differ.OperationID, differ.Path, differ.Summary = "diff", "/v1/diff", "What was removed, renamed, moved and added between two graphs"
	differ.Description = "In groups of connected changes. Nodes without labels are compared by their names."
	answers(s, api, differ, toRead, func(ctx context.Context, in *body[DiffRequest]) (*Diff, error) {
		sh, costs, err := in.Body.in(s)
		if err != nil {
			return nil, err
		}
		m, err := in.Body.Resolve(s.limits(), costs)
		if err != nil {
			return nil, err
		}
		s.accountOf(ctx).limit(m.Time)
		in.Body.Query.named, in.Body.Target.named = true, true
		query, target, err := s.readPair(ctx, &in.Body.Pair, sh, m.Costs)
		if err != nil {
			return nil, err
		}
		d, err := s.compare(ctx, m, sh, query, target)
		if err != nil {
			return nil, err
		}
		return &Diff{d.Lower, d.Upper, d.Exact, d.Map, append([]diff.Group{}, diff.Groups(d.Edits, d.a, d.b, d.Map)...), d.NotCompared, d.Notes}, nil
	})
}

// readPair reads two graphs for a collection, which may be nil.
func (s *Server) readPair(ctx context.Context, p *Pair, sh *hosted, costs ...edit.Costs) (query, target dataset.Record, err error) {
	if query, err = s.read(ctx, &p.Query, sh, costs...); err == nil {
		target, err = s.read(ctx, &p.Target, sh, costs...)
	}
	return query, target, err
}

// oneKind returns an error unless both graphs are directed or neither is.
func oneKind(query, target dataset.Record) error {
	if query.Graph.Directed() != target.Graph.Directed() {
		return problem(http.StatusUnprocessableEntity, "one graph is directed and the other is not")
	}
	return nil
}

// compare waits for a permit at the exact solver and computes a distance of graphs that were read
// for sh, which may be nil. It returns a measurement in any case.
func (s *Server) compare(ctx context.Context, want operation.Measure, sh *hosted, query, target dataset.Record) (*measurement, error) {
	if err := oneKind(query, target); err != nil {
		return &measurement{}, err
	}
	out, err := withPermit(ctx, s, func(ctx context.Context) (*measurement, error) {
		account := s.accountOf(ctx)
		want.Time = account.rest(want.Time)
		m, err := s.solve(ctx, want, sh, query, target)
		if err != nil {
			return nil, err
		}
		if account.end = (time.Time{}); !account.affords(m.size()) { // an answer has them
			return nil, problem(http.StatusUnprocessableEntity, "the edits of graphs of this size take more memory than a request may have; ask for distances without edits")
		}
		m.Edits, m.Transformations = m.edits(), m.transformations()
		if m.Query, err = show(query); err == nil {
			m.Target, err = show(target)
		}
		return m, err
	})
	if err != nil {
		return &measurement{}, explain(err)
	}
	return out, nil
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

// solve computes a distance of graphs that were read for sh, which may be nil.
func (s *Server) solve(ctx context.Context, want operation.Measure, sh *hosted, query, target dataset.Record) (*measurement, error) {
	rules := sh.rules()
	if err := rules.CheckCosts(want.Costs); err != nil {
		return nil, err
	}
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
		Distance: Distance{Task: want.Task, Costs: want.Costs, Fixed: want.Fixed, Map: r.Map, Measured: Measured{
			Lower: r.Lower, Upper: r.Upper, Exact: r.Lower == r.Upper, Within: want.Decision(r), Stopped: r.Stopped, Common: mcs.CommonOf(a, b, r.Map),
			Notes: dataset.NotesOf(query, target),
		}},
		a: a, b: b, names: [2][]string{query.NodeIDs, target.NodeIDs}, smiles: [2]string{query.SMILES, target.SMILES},
	}
	_, out.NotCompared = greed.Compared(rules, query.SMILES != "" && target.SMILES != "", want.Costs, &query, &target)
	if out.pricing, err = edit.Price(out.Task, out.Costs, a, b); err != nil {
		return nil, err
	}
	out.Seconds = time.Since(begin).Seconds()
	return out, nil
}
