package space

import (
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
)

// worker makes and compares products in one goroutine.
type worker struct {
	*searcher
	maker   *Maker
	builder *graph.Builder
	pair    comparer // of the query and products
	parts   comparer // of synthons and the query
	finder  finder
	inner   []finder            // of the patterns within
	pattern *chem.SMARTSMatcher // nil: the query is a graph
}

// comparer decides pairs of graphs.
type comparer struct {
	decider *within.Decider
	solver  *ged.Solver
}

func newComparer(task edit.Task) (comparer, error) {
	p, err := edit.Price(task, edit.Uniform())
	if err != nil {
		return comparer{}, err
	}
	s, err := ged.NewSolver(task, edit.Uniform())
	return comparer{within.New(p, nil), s}, err
}

func newWorker(x *searcher) (*worker, error) {
	w := &worker{searcher: x, maker: NewMaker(x.space.vocab), builder: graph.NewBuilder(x.space.vocab, false)}
	w.finder = finder{profile: x.profile, q: x.q}
	if x.opt.SMARTS != nil {
		w.pattern = chem.NewSMARTSMatcher(x.opt.SMARTS)
		for _, in := range x.inner {
			at := place{pattern: chem.NewSMARTSMatcher(in.pattern)}
			w.inner = append(w.inner, finder{profile: in.profile, q: in.q, in: at})
		}
	}
	var err error
	if w.pair, err = newComparer(x.opt.Task); err != nil {
		return nil, err
	}
	w.parts, err = newComparer(edit.SED)
	return w, err
}

// decidingStates is the number of states after which the solver takes over from a decider.
const decidingStates = 128

// apart returns the subgraph edit distance from a part to the query if it is within the radius. Otherwise exact is
// false, and it is at least d.
func (w *worker) apart(part *graph.Graph, radius int) (d int, exact bool) {
	r, ok := w.parts.decider.Decide(part, w.q, float64(radius), within.Limits{States: decidingStates, Stop: w.late})
	if !ok {
		return 0, false
	}
	return int(r.Lower), r.Exact
}

// distance returns the distance from the query to a product, with the node map, if it is within the radius, and a
// greater number if it is not. The error may be [errOpen].
func (w *worker) distance(synthons []*Synthon, g *graph.Graph, radius int) (d int, m edit.NodeMap, err error) {
	if w.pattern != nil {
		mol, err := w.maker.Molecule(synthons)
		if err != nil {
			return 0, nil, err
		}
		atoms, found, err := w.pattern.Match(mol)
		switch {
		case found:
			return 0, atoms, nil
		case err != nil:
			return 0, nil, errOpen
		}
		return radius + 1, nil, nil
	}
	if w.task == edit.SED {
		if found, sure := w.finder.whole(g); found && sure {
			return 0, w.finder.nodeMap(), nil
		} else if sure && radius == 0 {
			return 1, nil, nil
		}
	}
	limit := float64(radius)
	r, ok := w.pair.decider.Decide(w.q, g, limit, within.Limits{States: decidingStates, Stop: w.late})
	if !ok || !r.Exact && r.Lower <= limit {
		opt := ged.Options{Upper: limit + 1, Time: w.left(), Memory: w.opt.Memory}
		r, err = w.pair.solver.Distance(w.ctx, w.q, g, opt)
		if err != nil {
			return 0, nil, err
		}
	}
	switch {
	case r.Exact && r.Upper <= limit:
		return int(r.Upper), r.Map, nil
	case r.Exact || r.Lower > limit:
		return radius + 1, nil, nil
	}
	return 0, nil, errOpen
}

// graph returns the graph of a product. It is put together of those of the synthons unless some bond depends on more.
func (w *worker) graph(synthons []*Synthon) (*graph.Graph, error) {
	for _, s := range synthons {
		if s.part.loose {
			return w.maker.Graph(synthons)
		}
	}
	var ends [maxPort + 1]int // the atom beside an attachment point that was seen, and one more
	from := 0
	for _, s := range synthons {
		p := s.part
		for _, l := range p.graph.Labels() {
			w.builder.AddNodeLabel(l)
		}
		for e := range p.graph.Edges() {
			w.builder.MustAdd(from+e.From, from+e.To, e.Label)
		}
		for _, port := range p.ports {
			at := from + int(port.beside)
			switch {
			case port.folds:
				ends[port.number] = -1
			case ends[port.number] == 0:
				ends[port.number] = at + 1
			case ends[port.number] > 0:
				w.builder.MustAdd(ends[port.number]-1, at, port.label)
			}
		}
		from += p.graph.N()
	}
	return w.builder.Build()
}
