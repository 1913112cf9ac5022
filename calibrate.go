package greed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/search"
)

// CalibrateOptions say how [Collection.Calibrate] draws queries and what is near them.
type CalibrateOptions struct {
	Task Task
	Of   string // what the collection is called
	// Queries stand for those of later searches. The model must not have learnt from them. Nil: graphs of the
	// collection from which it has not, or for SED subgraphs of them, that are drawn as for training.
	Queries []*Graph
	Count   int           // of queries that are drawn, at most; 0: 2,000
	Radius  float64       // the greatest that recalls will be known for
	Seed    uint64        // of what is drawn
	Time    time.Duration // for each query; 0: 10 s
	Workers int           // 0: one per core
	// Progress, if not nil, is called by several goroutines with how many of all queries are done.
	Progress func(done, all int)
}

// CalibratedModel is a model that knows for some radii how far predictions must reach to find what lies within them.
type CalibratedModel struct {
	Model *model.Model
	// Late counts queries that took too long to be decided, and were left out.
	Late int
	// Unsure reports that the model does not say what it learnt from, so that it may have learnt from the queries.
	// Recalls are then less than they seem.
	Unsure bool
}

// calibrationQueries is how many queries are drawn where the options do not say.
const calibrationQueries = 2000

// Calibrate makes [Options].Recall known for the model of a task: it finds, proven, what is near some queries, and
// how far from them the model predicts it. Searches use the calibration at once; an index keeps it. The error wraps
// [ErrNoModel] if the collection has no model for the task, or is the context's.
func (c *Collection) Calibrate(ctx context.Context, opt CalibrateOptions) (*CalibratedModel, error) {
	in := c.live.Acquire()
	defer in.Release()
	done := new(CalibratedModel)
	var by *model.Calibration
	err := in.Read(func() (err error) {
		if err := in.Whole(); err != nil {
			return err
		}
		m := in.Model(opt.Task)
		if m == nil {
			return fmt.Errorf("calibrate: %w for %v is attached", ErrNoModel, opt.Task)
		}
		o := search.Calibrating{
			Task: opt.Task, Of: opt.Of, Radius: opt.Radius, Seed: opt.Seed, Time: opt.Time, Workers: opt.Workers,
		}
		for _, q := range opt.Queries {
			o.Queries = append(o.Queries, graph.Adopt(in.Vocabulary(), q))
		}
		if opt.Queries == nil {
			var known bool
			if o.Queries, o.Without, known, err = drawn(ctx, in, m, opt); err != nil {
				return err
			}
			done.Unsure = !known
		}
		if opt.Progress != nil {
			o.Progress = func(n int) { opt.Progress(n, len(o.Queries)) }
		}
		by, done.Late, err = in.Calibrate(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	done.Model, err = c.live.Calibrate(ctx, opt.Task, by)
	return done, err
}

// drawn returns graphs of the collection as queries, or subgraphs of them for SED, with the positions that they are
// of. known is false if the model may have learnt from them.
func drawn(ctx context.Context, in *live.State, m *model.Model,
	opt CalibrateOptions) (queries []*Graph, of []int, known bool, err error) {
	var graphs []*Graph
	var at []int
	for p := range in.Live() {
		if err := ctx.Err(); err != nil {
			return nil, nil, false, err
		}
		graphs, at = append(graphs, in.Record(p).Graph), append(at, p)
	}
	unseen, known := m.Unseen(graphs)
	rng := rand.New(rand.NewPCG(opt.Seed, 0x1f83d9abfb41bd6b))
	count := opt.Count
	if count == 0 {
		count = calibrationQueries
	}
	if opt.Task == edit.SED {
		meta := m.Metadata().Training
		pool := make([]*Graph, len(unseen))
		for i, k := range unseen {
			pool[i] = graphs[k]
		}
		var from sample.Source = sample.Whole(pool)
		if meta.Hops > 0 { // neighbourhoods, whose queries begin at the centre
			from = sample.Rooted(pool)
		}
		drawn, err := sample.Queries(rng, from, sample.BFS{Depth: meta.QueryDepth, Keep: meta.QueryKeep},
			sample.Limits{MinNodes: meta.MinQueryNodes, MaxNodes: meta.MaxQueryNodes, MinEdges: 1}, count)
		for _, q := range drawn {
			queries, of = append(queries, q.Graph), append(of, at[unseen[q.Target]])
		}
		return queries, of, known, err
	}
	rng.Shuffle(len(unseen), func(i, j int) { unseen[i], unseen[j] = unseen[j], unseen[i] })
	for _, k := range unseen[:min(count, len(unseen))] {
		queries, of = append(queries, graphs[k]), append(of, at[k])
	}
	return queries, of, known, nil
}
