package baseline

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

const (
	embedNodes  = 512  // of the graphs that are embedded at a time, about
	scorePairs  = 512  // that are scored at a time
	reportPairs = 8192 // between two reports
)

// store holds what is kept of graphs: of each matrix all rows, and where the rows of
// each graph begin.
type store struct {
	cols  []int
	rows  [][]float32
	start [][]int32 // [G+1]
}

// Predict implements [System].
func (l *learner) Predict(ctx context.Context, in *eval.Input, opt Options) (Work, error) {
	return l.predict(ctx, in, opt, l.design.search)
}

// predict predicts by the network alone, or by a search that it guides.
func (l *learner) predict(ctx context.Context, in *eval.Input, opt Options, search bool) (Work, error) {
	if l.ps == nil {
		return Work{}, fmt.Errorf("baseline: %s: %w", l.design.Name, ErrNothingLearnt)
	}
	l.mustDo(in.Task)
	opt = opt.ready()
	begin := opt.Clock()
	// Queries and targets are often the same graphs.
	at := make(map[*graph.Graph]int32)
	var graphs []*graph.Graph
	number := func(list []*graph.Graph, i int32) int32 {
		g := list[i]
		n, ok := at[g]
		if !ok {
			n = int32(len(graphs))
			at[g] = n
			graphs = append(graphs, g)
		}
		return n
	}
	q, t := make([]int32, len(in.Pairs)), make([]int32, len(in.Pairs))
	for i, p := range in.Pairs {
		q[i], t[i] = number(in.Queries, p.Query), number(in.Targets, p.Target)
	}
	s, err := l.embedAll(ctx, graphs)
	if err != nil {
		return Work{}, err
	}
	w := Work{Graphs: len(graphs), Pairs: len(in.Pairs), Embed: opt.Clock() - begin}
	begin = opt.Clock()
	in.Predicted = make([]float64, len(in.Pairs))
	reported := 0
	report := func(done int) {
		if done-reported >= reportPairs || done == len(q) {
			reported = done
			opt.Progress(Progress{System: l.design.Name, Stage: "pairs", Done: done, Total: len(q)})
		}
	}
	if search && len(q) > 0 {
		w.Exact, err = l.searchAll(ctx, s, graphs, q, t, in.Predicted, opt, report)
		w.Score = opt.Clock() - begin
		return w, err
	}
	if err := l.scoreAll(ctx, s, graphs, q, t, in.Predicted, opt.Workers, report); err != nil {
		return Work{}, err
	}
	w.Score = opt.Clock() - begin
	return w, nil
}

// embedAll embeds graphs, which share a vocabulary.
func (l *learner) embedAll(ctx context.Context, graphs []*graph.Graph) (*store, error) {
	s := new(store)
	if len(graphs) == 0 {
		return s, nil
	}
	rows := l.rows(graphs[0].Vocabulary())
	tape := nn.NewTape(l.ps, l.ops, false)
	var batch nn.Batch
	for from := 0; from < len(graphs); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		batch.Reset()
		to := from
		for ; to < len(graphs) && (to == from || batch.Nodes() < embedNodes); to++ {
			batch.Add(graphs[to], rows)
		}
		tape.Reset()
		s.add(l.net.embed(tape, &batch))
		from = to
	}
	return s, nil
}

// add appends what is kept of the next graphs.
func (s *store) add(list []kept) {
	if s.cols == nil {
		s.cols, s.rows, s.start = make([]int, len(list)), make([][]float32, len(list)), make([][]int32, len(list))
		for i, k := range list {
			s.cols[i], s.start[i] = k.x.Cols, []int32{0}
		}
	}
	for i, k := range list {
		s.rows[i] = append(s.rows[i], k.x.Value...)
		base := s.start[i][len(s.start[i])-1]
		for _, end := range k.start[1:] {
			s.start[i] = append(s.start[i], base+end)
		}
	}
}

// scorer scores runs of pairs; each goroutine has one.
type scorer struct {
	*learner
	store *store
	tape  *nn.Tape
	pairs pairs
	row   map[int32]int32
	list  []int32 // graphs of the run
	start [][]int32
}

// scoreAll predicts the pairs of graphs q[i] and t[i].
func (l *learner) scoreAll(ctx context.Context, s *store, graphs []*graph.Graph, q, t []int32, dst []float64, workers int, report func(done int)) error {
	group, ctx := errgroup.WithContext(ctx)
	runs := make(chan [2]int)
	done := make(chan int, workers)
	group.Go(func() error {
		defer close(runs)
		for from := 0; from < len(q); {
			to, nodes, cells := from, 0, 0
			for ; to < len(q) && to-from < scorePairs && (to == from || nodes < batchNodes && cells < batchCells); to++ {
				nodes += graphs[q[to]].N() + graphs[t[to]].N()
				cells += graphs[q[to]].N() * graphs[t[to]].N()
			}
			select {
			case runs <- [2]int{from, to}:
			case <-ctx.Done():
				return ctx.Err()
			}
			from = to
		}
		return nil
	})
	var scoring errgroup.Group
	for range workers {
		scoring.Go(func() error {
			w := &scorer{learner: l, store: s, tape: nn.NewTape(l.ps, l.ops, false), row: make(map[int32]int32)}
			for r := range runs {
				w.score(graphs, q[r[0]:r[1]], t[r[0]:r[1]], dst[r[0]:r[1]])
				done <- r[1] - r[0]
			}
			return nil
		})
	}
	group.Go(func() error {
		err := scoring.Wait()
		close(done)
		return err
	})
	total := 0
	for n := range done {
		total += n
		report(total)
	}
	return group.Wait()
}

// score predicts one run of pairs.
func (w *scorer) score(graphs []*graph.Graph, q, t []int32, dst []float64) {
	w.pairs.reset()
	w.tape.Reset()
	clear(w.row)
	w.list = w.list[:0]
	for i := range q {
		w.pairs.q = append(w.pairs.q, w.add(q[i]))
		w.pairs.t = append(w.pairs.t, w.add(t[i]))
	}
	out := w.net.score(w.tape, w.load(), &w.pairs)
	for i := range q {
		dst[i] = w.goal.distance(out.Value[i*out.Cols], sized{size: w.size(graphs[q[i]], graphs[t[i]])})
	}
}

func (w *scorer) add(g int32) int32 {
	row, ok := w.row[g]
	if !ok {
		row = int32(len(w.list))
		w.row[g] = row
		w.list = append(w.list, g)
	}
	return row
}

// load returns what is kept of the graphs of the run.
func (w *scorer) load() []kept {
	s := w.store
	z := make([]kept, len(s.cols))
	if w.start == nil {
		w.start = make([][]int32, len(s.cols))
	}
	for i, c := range s.cols {
		start := append(w.start[i][:0], 0)
		for _, g := range w.list {
			start = append(start, start[len(start)-1]+s.start[i][g+1]-s.start[i][g])
		}
		w.start[i] = start
		x := w.tape.Input(int(start[len(w.list)]), c)
		for k, g := range w.list {
			copy(x.Value[int(start[k])*c:], s.rows[i][int(s.start[i][g])*c:int(s.start[i][g+1])*c])
		}
		z[i] = kept{x, start}
	}
	return z
}
