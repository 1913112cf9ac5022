package space

import (
	"fmt"
	"slices"
	"strings"

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
	w.finder.q = x.q
	if x.opt.SMARTS != nil {
		w.pattern = chem.NewSMARTSMatcher(x.opt.SMARTS)
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

// distance returns the distance from the query to a product if it is within the radius, and a greater number if it
// is not. It reports false if time was up before.
func (w *worker) distance(synthons []*Synthon, g *graph.Graph, radius int) (d int, decided bool, err error) {
	if w.pattern != nil {
		mol, err := w.maker.Molecule(synthons)
		if err != nil {
			return 0, false, err
		}
		_, found, err := w.pattern.Match(mol)
		if found {
			return 0, true, nil
		}
		return radius + 1, err == nil, nil
	}
	limit := float64(radius)
	r, ok := w.pair.decider.Decide(w.q, g, limit, within.Limits{States: decidingStates, Stop: w.late})
	switch {
	case ok && r.Exact:
		return int(r.Upper), true, nil
	case ok && r.Lower > limit:
		return radius + 1, true, nil
	}
	r, err = w.pair.solver.Distance(w.ctx, w.q, g, ged.Options{Upper: limit + 1, Time: w.left()})
	switch {
	case err != nil:
		return 0, false, err
	case r.Exact:
		return int(r.Upper), true, nil
	}
	return radius + 1, r.Lower > limit, nil
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
		for i, port := range p.ports {
			at := from + int(p.beside[i])
			switch {
			case p.joins[i] == none:
				ends[port.number] = -1
			case ends[port.number] == 0:
				ends[port.number] = at + 1
			case ends[port.number] > 0:
				w.builder.MustAdd(ends[port.number]-1, at, p.joins[i])
			}
		}
		from += p.graph.N()
	}
	return w.builder.Build()
}

// synthons returns the synthons of a product.
func (w *worker) synthons(o origin) []*Synthon {
	r := &w.space.Reactions[o.reaction]
	list := make([]*Synthon, len(r.Components))
	for i := range list {
		list[i] = &r.Components[i].Synthons[o.synthons[i]]
	}
	return list
}

// key returns a text that is the same for equal products: the canonical SMILES and, where the synthons state any
// stereochemistry, a blank and the descriptors of its atoms and bonds. What has no canonical SMILES is equal to nothing
// else.
func (w *worker) key(synthons []*Synthon) string {
	m, err := w.maker.Molecule(synthons)
	if err != nil {
		return w.maker.Text(synthons) + " "
	}
	text, order, err := w.maker.writer.Canonical(m)
	if err != nil {
		return w.maker.Text(synthons) + " "
	}
	if m.Notes&(chem.NoteChirality|chem.NoteCisTrans) == 0 {
		return text
	}
	stereo := m.Stereo()
	place := make([]int, len(m.Atoms))
	key := []byte(text + " ")
	for i, v := range order {
		place[v] = i
		key = append(key, stereo.Atoms[v]+' ')
	}
	var bonds []string
	for i, b := range m.Bonds {
		if d := stereo.Bonds[i]; d != 0 {
			bonds = append(bonds, fmt.Sprintf("%d-%d%c", min(place[b.From], place[b.To]), max(place[b.From], place[b.To]), d))
		}
	}
	slices.Sort(bonds)
	return string(key) + strings.Join(bonds, " ")
}
