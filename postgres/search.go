package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
)

// Result is what a search found. Positions are those of a small collection of the graphs
// that the database did not exclude.
type Result struct {
	*search.Result
	In    *search.Collection
	Slots []int64 // of the positions
}

// Search finds the graphs nearest to q, as [search.Collection.Search] does in memory. The
// database finds candidates, and where the answers are to be proven, all graphs whose
// counts do not exclude them.
func (s *Snapshot) Search(ctx context.Context, q *graph.Graph, opt search.Options) (*Result, error) {
	begin := time.Now()
	opt, err := opt.Complete()
	if err != nil {
		return nil, err
	}
	if opt.Accept != nil || opt.First != 0 {
		panic("postgres: a search of positions")
	}
	g := &gathering{s: s, opt: opt, begin: begin, query: q, vocab: graph.NewVocabulary(), seen: make(map[int64]bool)}
	if err := g.prepare(ctx); err != nil {
		return nil, err
	}
	if err := g.first(ctx); err != nil {
		return nil, err
	}
	if opt.Mode == search.Proven || g.model == nil {
		if err := g.rest(ctx); err != nil {
			return nil, err
		}
	}
	return g.decide(ctx)
}

// gathering gathers the rows that a search is to decide.
type gathering struct {
	s         *Snapshot
	opt       search.Options
	begin     time.Time
	query     *graph.Graph
	vocab     *graph.Vocabulary
	embedding Embedding
	model     *model.Model // nil: none
	left      bool         // the model was left out: it has learnt other costs
	counted   counted
	rows      []found
	seen      map[int64]bool // slots of the rows
	bounds    search.Bounds  // of the distances to rows, whose positions are their slots
}

// prepare finds what the search goes by.
func (g *gathering) prepare(ctx context.Context) error {
	if g.s.Graphs > 0 && g.s.Directed == nil {
		return ErrNoGraphs
	}
	if d := g.s.Directed; d != nil && *d != g.query.Directed() {
		return fmt.Errorf("there is no distance between %w: one of the query and the collection is directed", ged.ErrDirection)
	}
	var err error
	if !g.opt.NoModel {
		if g.embedding, g.model, err = g.s.serving(ctx, g.opt.Task); err != nil {
			return err
		}
	}
	costs, fits := search.ChooseCosts(g.model, g.model != nil, g.opt.Costs)
	if !fits && g.opt.Mode != search.Predicted { // which the search itself refuses
		g.model, g.left = nil, true
	}
	if costs.Nodes != nil || costs.Edges != nil {
		g.counted = counted{task: g.opt.Task, costs: costs}
		return nil
	}
	p, err := edit.Price(g.opt.Task, costs)
	if err != nil {
		return err
	}
	g.counted = newCounted(p, g.query)
	return nil
}

func (g *gathering) take(rows []found) {
	for _, f := range rows {
		if !g.seen[f.slot] {
			g.seen[f.slot] = true
			g.rows = append(g.rows, f)
		}
	}
}

// vectors returns the embedding whose vectors are read with rows.
func (g *gathering) vectors() *Embedding {
	if g.model == nil {
		return nil
	}
	return &g.embedding
}

// first takes the candidates of the model, or without one the graphs with the least
// bounds.
func (g *gathering) first(ctx context.Context) error {
	if g.model == nil {
		if g.opt.K == 0 || g.opt.Mode == search.Predicted { // the search itself refuses it
			return nil
		}
		rows, _, err := g.s.read(ctx, selection{where: "true", filters: g.opt.Filters, order: g.counted.lower(), limit: bounded * g.opt.K, graphs: true}, g.vocab)
		g.take(rows)
		return err
	}
	opt := g.opt
	if opt.Mode == search.Proven {
		if opt.K == 0 {
			return nil
		}
		opt.Mode = search.Checked
	}
	k, within := opt.Wanted(g.model, int(g.s.Graphs))
	if opt.K == 0 && !math.IsInf(within, 1) {
		k = 0
	}
	z, err := g.model.Embed(ctx, []*graph.Graph{g.query}, 1)
	if err != nil {
		return err
	}
	rows, err := g.s.nearest(ctx, &g.embedding, z, k, within, opt.Filters, true, g.vocab)
	g.take(rows)
	return err
}

// bounded is how many graphs with the least bounds are solved first for each answer wanted.
const bounded = 8

// rest takes all graphs that may be answers, given the distances of those taken before.
func (g *gathering) rest(ctx context.Context) error {
	radius := math.Inf(1)
	if g.opt.Radius != nil {
		radius = *g.opt.Radius
	}
	if g.opt.K > 0 {
		in, slots, err := g.collection(ctx)
		if err != nil {
			return err
		}
		opt := g.searching(slots, 4)
		opt.Mode, opt.NoModel, opt.Costs = search.Proven, true, &g.counted.costs
		r, err := in.Search(ctx, graph.Adopt(g.vocab, g.query), opt)
		if err != nil {
			return err
		}
		g.bounds = r.Bounds.Moved(func(position int) int { return int(slots[position]) })
		if len(r.Answers) == g.opt.K {
			radius = min(radius, r.Answers[g.opt.K-1].Upper)
		}
	}
	rows, _, err := g.s.read(ctx, selection{embedding: g.vectors(), where: g.counted.within(radius), filters: g.opt.Filters, graphs: true}, g.vocab)
	g.take(rows)
	return err
}

// searching returns the options of a search in the rows taken, which all pass the filters.
// It takes the part of the time left, and goes on from the bounds that are known.
func (g *gathering) searching(slots []int64, part time.Duration) search.Options {
	opt := g.opt
	opt.Filters = nil
	if opt.Time != search.NoLimit {
		opt.Time = max((opt.Time-time.Since(g.begin))/part, time.Millisecond)
	}
	opt.Bounds = g.bounds.Moved(func(slot int) int {
		position, _ := slices.BinarySearch(slots, int64(slot))
		return position
	})
	return opt
}

// collection returns the rows taken, in the order of slots.
func (g *gathering) collection(ctx context.Context) (*search.Collection, []int64, error) {
	slices.SortFunc(g.rows, func(a, b found) int { return cmp.Compare(a.slot, b.slot) })
	records, slots := make([]dataset.Record, len(g.rows)), make([]int64, len(g.rows))
	var vectors []float32
	for i, f := range g.rows {
		if f.record.Graph == nil {
			return nil, nil, fmt.Errorf("%w: graph %q", ErrNoGraphs, f.record.ID)
		}
		records[i], slots[i] = f.record, f.slot
		vectors = append(vectors, f.vector...)
	}
	in := search.NewCollection(g.vocab, records)
	if g.model != nil {
		if vectors == nil {
			vectors = []float32{}
		}
		if err := in.Attach(ctx, g.model, vectors, nil); err != nil {
			return nil, nil, err
		}
	}
	return in, slots, nil
}

// decide searches the rows taken, and says of all graphs what is known of them.
func (g *gathering) decide(ctx context.Context) (*Result, error) {
	in, slots, err := g.collection(ctx)
	if err != nil {
		return nil, err
	}
	spent := time.Since(g.begin)
	r, err := in.Search(ctx, graph.Adopt(g.vocab, g.query), g.searching(slots, 1))
	if r == nil {
		return nil, err
	}
	r.Scan += spent
	if g.left {
		r.Warnings = append(r.Warnings, search.WithoutModel)
	}
	if r.Stats.Graphs = 0; r.Mode != search.Predicted || len(g.opt.Filters) == 0 {
		all, err := g.graphs(ctx)
		if err != nil {
			return nil, err
		}
		if r.Mode == search.Proven || g.model == nil {
			r.Stats.Candidates = all
			r.Stats.Excluded = append(r.Stats.Excluded, search.Excluded{Bound: "counts in the database", Graphs: all - len(g.rows)})
		} else if r.Mode != search.Predicted {
			r.Complete = len(g.rows) == all
		}
		r.Stats.Graphs = all
	}
	return &Result{r, in, slots}, err
}

// graphs returns the number of graphs that the search is limited to.
func (g *gathering) graphs(ctx context.Context) (int, error) {
	if len(g.opt.Filters) == 0 {
		return g.s.Len(), nil
	}
	rows, _, err := g.s.read(ctx, selection{where: "true", filters: g.opt.Filters}, g.vocab)
	return len(rows), err
}
