package greed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/search"
)

// ErrWildcard is wrapped if a graph must not have wildcards.
var ErrWildcard = errors.New("the graph has wildcards")

// PartsOptions say which parts [Collection.Parts] looks for.
type PartsOptions struct {
	K       int           // how many are returned at most; 0 means 10
	Filters []Filter      // limit the search to the graphs whose records pass all of them
	Show    []string      // the attributes that parts carry
	Time    time.Duration // 0 means 10 s, and [NoLimit] is none
}

// Parts are the graphs of a collection that a query contains.
type Parts struct {
	Parts    []Part  `json:"parts" doc:"Largest first"`
	Total    int     `json:"total" doc:"How many graphs the query contains, as far as is known"`
	Open     int     `json:"open" doc:"Graphs that were not decided before time ended"`
	Searched int     `json:"searched" doc:"Graphs that pass the filters"`
	Seconds  float64 `json:"seconds"`

	Notes []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading the query"`
}

// Part is a graph that is a subgraph of the query.
type Part struct {
	ID         string         `json:"id"`
	Name       string         `json:"name,omitempty"`
	SMILES     string         `json:"smiles,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty" doc:"The attributes that the request names"`
	Nodes      int            `json:"nodes"`
	Edges      int            `json:"edges"`
	Map        edit.NodeMap   `json:"map" doc:"For every query node the node of the part, or -1"`
}

// partStates is how many search states decide whether the query contains a graph: a
// few milliseconds. Nearly all take a few dozen.
const partStates = 100_000

// Parts finds the graphs of the collection that are subgraphs of q, not necessarily
// induced: those whose SED to q is 0. Labels of edges count unless the costs of the
// collection's SED ignore them. It returns the K largest and how many there are. If time
// ends first, Open is not 0. The error wraps [ErrNoGraph], [ErrDirection] or
// [ErrWildcard], or is the context's.
func (c *Collection) Parts(ctx context.Context, q *Graph, opt PartsOptions) (*Parts, error) {
	if q == nil {
		return nil, fmt.Errorf("parts: the query: %w", ErrNoGraph)
	}
	if opt.K < 0 || opt.Time < 0 {
		return nil, fmt.Errorf("parts: k is %d and the time %v: neither can be below 0", opt.K, opt.Time)
	}
	in := c.live.Acquire()
	defer in.Release()
	if err := in.Whole(); err != nil {
		return nil, err
	}
	if direction := in.Direction(); direction.Known() && direction.Directed() != q.Directed() {
		return nil, fmt.Errorf("parts: %w", ErrDirection)
	}
	q = graph.Adopt(in.Vocabulary(), q)
	if wild(q) {
		return nil, fmt.Errorf("parts: %w: it is not known what it contains", ErrWildcard)
	}
	costs := c.Costs(SED)
	s := &partSearch{
		q: q, k: cmp.Or(opt.K, 10), filters: opt.Filters,
		kind:  mcs.Kind{IgnoreEdgeLabels: costs.EdgeSubstitute == 0 && costs.Edges == nil},
		found: &Parts{},
	}
	begin := time.Now()
	if limit := cmp.Or(opt.Time, search.DefaultTime); limit != NoLimit {
		s.deadline = begin.Add(limit)
	}
	err := in.Read(func() error { return s.run(ctx, in.Collection, opt.Show) })
	if err != nil {
		return nil, err
	}
	s.found.Parts = make([]Part, 0, len(s.best))
	for _, b := range s.best {
		rec := in.Record(b.position)
		s.found.Parts = append(s.found.Parts, Part{
			ID: rec.ID, Name: rec.Name, SMILES: rec.SMILES, Attributes: shown(&rec, opt.Show),
			Nodes: rec.Graph.N(), Edges: rec.Graph.M(), Map: b.nodes.Inverse(q),
		})
	}
	s.found.Seconds = time.Since(begin).Seconds()
	return s.found, nil
}

// partSearch looks for the parts of q.
type partSearch struct {
	q        *Graph
	k        int
	filters  []Filter
	kind     mcs.Kind
	deadline time.Time // the zero time is none
	found    *Parts
	best     []foundPart // largest first
}

type foundPart struct {
	position, size int
	nodes          edit.NodeMap // from the part to q
}

func (s *partSearch) run(ctx context.Context, in *search.Collection, show []string) error {
	if err := checkAttributes(in, s.filters, show); err != nil {
		return err
	}
	var m mcs.Matcher
	for p := range in.Live() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !in.Passes(p, s.filters) {
			continue
		}
		s.found.Searched++
		if !s.deadline.IsZero() && time.Now().After(s.deadline) {
			s.found.Open++
			continue
		}
		g := in.Record(p).Graph
		nodes, ok, err := s.find(ctx, &m, g)
		switch {
		case errors.Is(err, mcs.ErrUndecided):
			s.found.Open++
		case err != nil:
			return err
		case ok:
			s.found.Total++
			s.offer(foundPart{p, g.N() + g.M(), nodes})
		}
	}
	return nil
}

// find returns a node map of g into the query, and whether there is one.
func (s *partSearch) find(ctx context.Context, m *mcs.Matcher, g *Graph) (edit.NodeMap, bool, error) {
	if g.Simple() && s.q.Simple() {
		return m.Find(ctx, g, s.q, s.kind, partStates)
	}
	costs := edit.Uniform()
	if s.kind.IgnoreEdgeLabels {
		costs = costs.IgnoreEdgeLabels()
	}
	solver, err := ged.NewSolver(edit.SED, costs)
	if err != nil {
		return nil, false, err
	}
	r, err := solver.Within(ctx, g, s.q, 0, ged.Options{States: partStates})
	if err == nil && r.Lower == 0 && r.Upper > 0 {
		err = cmp.Or(ctx.Err(), mcs.ErrUndecided)
	}
	return r.Map, r.Upper == 0, err
}

// offer takes a part up if it is among the k largest. Of equals the first stays.
func (s *partSearch) offer(part foundPart) {
	at, _ := slices.BinarySearchFunc(s.best, part, func(a, b foundPart) int {
		return cmp.Or(cmp.Compare(b.size, a.size), -1)
	})
	if at == s.k {
		return
	}
	s.best = slices.Insert(s.best, at, part)
	s.best = s.best[:min(len(s.best), s.k)]
}

// wild reports whether a graph has wildcards.
func wild(g *Graph) bool {
	for v := range g.N() {
		if g.Label(v) == graph.Wildcard {
			return true
		}
	}
	for e := range g.Edges() {
		if e.Label == graph.Wildcard {
			return true
		}
	}
	return false
}
