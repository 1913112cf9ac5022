package mces

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// solverMemory is what the solver of distances may use: enough for two graphs of some 500 nodes. Larger ones get
// its bounds.
const solverMemory = 64 << 20

// byDistance looks for the largest map that need not be connected as an edit distance: an edge that is not kept
// costs 1. What it proves lowers the upper bound, and its map is the best one if it keeps more than that. Where the
// solver has too little memory, the search is not stopped.
func (s *growth) byDistance(ctx context.Context) {
	var graphs [2]*graph.Graph
	var nodes [2][]int
	vocab := graph.NewVocabulary()
	for i, w := range []*web{&s.q, &s.t} {
		graphs[i], nodes[i] = w.graph(vocab, s.directed)
	}
	q, t := graphs[0], graphs[1]
	// A node with another label costs more than its edges can save.
	costs := edit.Costs{NodeSubstitute: float64(1 + q.M()), EdgeDelete: 1, EdgeSubstitute: 1}
	solver, err := ged.NewSolver(edit.GED, costs)
	if err != nil {
		panic("mces: " + err.Error()) // these costs have no tables
	}
	opt := ged.Options{Memory: s.memory}
	if s.most > 0 {
		opt.States = max(1, s.most-s.states)
	}
	if end := s.clock.Deadline(); !end.IsZero() {
		opt.Time = max(1, time.Until(end))
	}
	if least := max(s.best, s.least); least > 0 {
		opt.Upper = float64(q.M() - least) // maps that keep as few are of no interest; the bound is more than least
	}
	r, err := solver.Distance(ctx, q, t, opt)
	if err != nil {
		panic("mces: " + err.Error()) // both graphs are of one vocabulary and kind
	}
	s.states += r.States
	s.upper = min(s.upper, max(s.best, s.least, q.M()-int(math.Ceil(r.Lower-1e-6))))
	m := make(edit.NodeMap, len(s.q.image))
	for v := range m {
		m[v] = edit.Deleted
	}
	for v, w := range r.Map {
		if w != edit.Deleted {
			m[nodes[0][v]] = nodes[1][w]
		}
	}
	s.offer(m, s.opt.Connected)
	s.clock.Look()
	s.stopped = r.Stopped != "" && r.Stopped != ged.StopMemory
}

// graph returns the edges that may be kept, each labelled by its class, and their nodes as a graph, and of each of its
// nodes the number in w.
func (w *web) graph(vocab *graph.Vocabulary, directed bool) (*graph.Graph, []int) {
	var nodes []int
	place := make([]int, len(w.arcs))
	b := graph.NewBuilder(vocab, directed)
	for v, arcs := range w.arcs {
		if len(arcs) > 0 {
			place[v] = len(nodes)
			nodes = append(nodes, v)
			b.AddNode(strconv.FormatInt(w.label[v], 10))
		}
	}
	for e, ends := range w.ends {
		b.MustAdd(place[ends[0]], place[ends[1]], vocab.Edge(strconv.Itoa(int(w.class[e]))))
	}
	return b.MustBuild(), nodes
}
