package baseline

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// astarDesign is GENN-A*: A* in which GENN predicts what the rest of a partial map costs,
// from the states of the nodes that are not mapped. It is trained on whole pairs first,
// then on beginnings of cheapest maps. The distance it predicts is the cost of the map
// that it finds, which is never too low.
func astarDesign() design {
	d := gennDesign()
	d.Info = Info{
		Name: "genn-astar", Title: "GENN-A*", Paper: "Wang et al. 2021",
		About:  "A* whose heuristic is GENN on the nodes that are left; finds the node map",
		Tasks:  []edit.Task{edit.GED},
		Cached: "states of nodes",
	}
	d.build = func(b *builder, s shape) network { return partial{newGENN(b, s)} }
	d.begin = whereMapped
	d.search, d.ties = true, true
	return d
}

const (
	// astarStates is how many states a search expands unless options say otherwise.
	astarStates = 10_000
	// mappedPairs is how many pairs are solved for their maps, and mapStates the search
	// states for each.
	mappedPairs = 20_000
	mapStates   = 10_000
	// wholeShare is the share of training that is on whole pairs.
	wholeShare = 0.5
)

// mapped are pairs with a cheapest map.
type mapped struct {
	example
	m edit.NodeMap // in canonical order on both sides
	// q and t are the graphs in canonical order.
	q, t *graph.Graph
}

// whereMapped prepares the second part of training.
func whereMapped(ctx context.Context, f *fitting) error {
	solver, err := ged.NewSolver(f.task, f.costs)
	if err != nil {
		return err
	}
	order := make(map[int32]*graph.Graph)
	canonical := func(i int32) *graph.Graph {
		if order[i] == nil {
			order[i] = inOrder(f.data.Graphs[i], f.rows)
		}
		return order[i]
	}
	for range min(mappedPairs, len(f.train)) {
		e := f.train[f.rng.IntN(len(f.train))]
		m := mapped{example: e, q: canonical(e.q), t: canonical(e.t)}
		if m.q.N() == 0 {
			continue
		}
		r, err := solver.Distance(ctx, m.q, m.t, ged.Options{States: mapStates})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.Exact {
			m.m = r.Map
			f.mapped = append(f.mapped, m)
		}
	}
	return nil
}

// inOrder returns the graph with its nodes in the order of a batch.
func inOrder(g *graph.Graph, rows nn.Rows) *graph.Graph {
	var b nn.Batch
	b.Reset()
	b.Add(g, rows)
	perm := make([]int, g.N())
	for i, v := range b.Origin {
		perm[v] = i
	}
	return g.Permute(perm)
}

// drawMapped fills the batch with beginnings of cheapest maps.
func (f *fitting) drawMapped() {
	f.clear()
	for len(f.sized) < f.design.batch && (len(f.sized) == 0 || f.batch.Nodes() < batchNodes) {
		m := f.mapped[f.rng.IntN(len(f.mapped))]
		price, err := edit.Price(f.task, f.costs, m.q, m.t)
		if err != nil {
			panic("baseline: " + err.Error()) // it was solved under these costs
		}
		p := newPaths(price, m.q, m.t)
		depth := f.rng.IntN(m.q.N())
		paid := 0.0
		taken := make([]bool, m.t.N())
		for u := range depth {
			paid += p.step(m.m[:u], m.m[u])
			if m.m[u] != edit.Deleted {
				taken[m.m[u]] = true
			}
		}
		left := float32(max(0, p.costOf(m.m)-paid))
		f.pairs.q = append(f.pairs.q, f.add(m.example.q))
		f.pairs.t = append(f.pairs.t, f.add(m.example.t))
		q, t := span(depth, m.q.N()), free(taken, edit.Deleted)
		f.pairs.leftQ, f.pairs.leftT = append(f.pairs.leftQ, q), append(f.pairs.leftT, t)
		f.sized = append(f.sized, sized{len(q) + len(t), left, left})
	}
}

func span(from, to int) []int32 {
	list := make([]int32, 0, to-from)
	for v := from; v < to; v++ {
		list = append(list, int32(v))
	}
	return list
}

// free lists the nodes that are not taken, without one more.
func free(taken []bool, but int) []int32 {
	var list []int32
	for v, is := range taken {
		if !is && v != but {
			list = append(list, int32(v))
		}
	}
	return list
}

// searchAll predicts the pairs of graphs q[i] and t[i] by searching, and returns how many
// searches ended by themselves.
func (l *learner) searchAll(ctx context.Context, s *store, graphs []*graph.Graph, q, t []int32, dst []float64, opt Options, report func(done int)) (int, error) {
	limit := opt.States
	if limit == 0 {
		limit = astarStates
	}
	rows := l.rows(graphs[0].Vocabulary())
	ordered := make([]*graph.Graph, len(graphs))
	for i, g := range graphs {
		ordered[i] = inOrder(g, rows)
	}
	var done, whole, next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range opt.Workers {
		group.Go(func() error {
			w := &scorer{learner: l, store: s, tape: nn.NewTape(l.ps, l.ops, false), row: make(map[int32]int32)}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(q) {
					return nil
				}
				price, err := edit.Price(l.task, l.costs, ordered[q[i]], ordered[t[i]])
				if err != nil {
					return err
				}
				p := newPaths(price, ordered[q[i]], ordered[t[i]])
				cost, _, ended := p.search(ctx, limit, w.heuristic(q[i], t[i], p))
				if ctx.Err() != nil {
					return ctx.Err()
				}
				dst[i] = cost
				if ended {
					whole.Add(1)
				}
				done.Add(1)
			}
		})
	}
	err := group.Wait()
	report(int(done.Load()))
	return int(whole.Load()), err
}

// heuristic returns the predictor of one pair.
func (w *scorer) heuristic(q, t int32, p *paths) predictor {
	return func(depth int, taken []bool, children []int) []float64 {
		w.pairs.reset()
		w.tape.Reset()
		clear(w.row)
		w.list = w.list[:0]
		a, b := w.add(q), w.add(t)
		left := span(depth, p.q.N())
		for _, v := range children {
			w.pairs.q, w.pairs.t = append(w.pairs.q, a), append(w.pairs.t, b)
			w.pairs.leftQ = append(w.pairs.leftQ, left)
			w.pairs.leftT = append(w.pairs.leftT, free(taken, v))
		}
		out := w.net.score(w.tape, w.load(), &w.pairs)
		h := make([]float64, len(children))
		for i := range h {
			h[i] = w.goal.distance(out.Value[i*out.Cols], sized{size: len(left) + len(w.pairs.leftT[i])})
		}
		return h
	}
}
