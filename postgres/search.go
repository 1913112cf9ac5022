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
	if opt.Keep != nil || opt.First != 0 {
		panic("postgres: a search of positions")
	}
	h := &hunt{s: s, opt: opt, query: q, vocab: graph.NewVocabulary(), seen: make(map[int64]bool)}
	if err := h.prepare(ctx); err != nil {
		return nil, err
	}
	if err := h.first(ctx); err != nil {
		return nil, err
	}
	if opt.Mode == search.Proven || h.model == nil {
		if err := h.rest(ctx); err != nil {
			return nil, err
		}
	}
	return h.decide(ctx, begin)
}

// hunt gathers the rows that a search is to decide.
type hunt struct {
	s         *Snapshot
	opt       search.Options
	query     *graph.Graph
	vocab     *graph.Vocabulary
	embedding Embedding
	model     *model.Model // nil: none
	counted   counted
	rows      []found
	seen      map[int64]bool // slots of the rows
}

// prepare finds what the search goes by.
func (h *hunt) prepare(ctx context.Context) error {
	if h.s.Graphs > 0 && h.s.Directed == nil {
		return ErrNoGraphs
	}
	if d := h.s.Directed; d != nil && *d != h.query.Directed() {
		return fmt.Errorf("there is no distance between %w: one of the query and the collection is directed", ged.ErrDirection)
	}
	var err error
	if !h.opt.NoModel {
		if h.embedding, h.model, err = h.s.serving(ctx, h.opt.Task); err != nil {
			return err
		}
	}
	costs := edit.Uniform()
	switch {
	case h.model != nil:
		costs = h.model.Metadata().Costs
	case h.opt.Costs != nil:
		costs = *h.opt.Costs
	}
	if costs.Nodes != nil || costs.Edges != nil {
		h.counted = counted{task: h.opt.Task, costs: costs}
		return nil
	}
	p, err := edit.Price(h.opt.Task, costs)
	if err != nil {
		return err
	}
	h.counted = newCounted(p, h.query)
	return nil
}

func (h *hunt) take(rows []found) {
	for _, f := range rows {
		if !h.seen[f.slot] {
			h.seen[f.slot] = true
			h.rows = append(h.rows, f)
		}
	}
}

// vectors returns the embedding whose vectors are read with rows.
func (h *hunt) vectors() *Embedding {
	if h.model == nil {
		return nil
	}
	return &h.embedding
}

// first takes the candidates of the model, or without one the graphs with the least
// bounds.
func (h *hunt) first(ctx context.Context) error {
	if h.model == nil {
		if h.opt.K == 0 || h.opt.Mode == search.Predicted { // the search itself refuses it
			return nil
		}
		rows, _, err := h.s.read(ctx, selection{where: "true", filters: h.opt.Filters, order: h.counted.lower(), limit: bounded * h.opt.K, graphs: true}, h.vocab)
		h.take(rows)
		return err
	}
	opt := h.opt
	if opt.Mode == search.Proven {
		if opt.K == 0 {
			return nil
		}
		opt.Mode = search.Checked
	}
	k, within := opt.Wanted(h.model, int(h.s.Graphs))
	if opt.K == 0 && !math.IsInf(within, 1) {
		k = 0
	}
	z, err := h.model.Embed(ctx, []*graph.Graph{h.query}, 1)
	if err != nil {
		return err
	}
	rows, err := h.s.nearest(ctx, &h.embedding, z, k, within, opt.Filters, true, h.vocab)
	h.take(rows)
	return err
}

// bounded is how many graphs with the least bounds are solved first for each answer wanted.
const bounded = 8

// rest takes all graphs that may be answers, given the distances of those taken before.
func (h *hunt) rest(ctx context.Context) error {
	radius := math.Inf(1)
	if h.opt.Radius != nil {
		radius = *h.opt.Radius
	}
	if h.opt.K > 0 {
		in, _, err := h.collection(ctx)
		if err != nil {
			return err
		}
		opt := h.searching()
		opt.Mode, opt.NoModel, opt.Costs = search.Proven, true, &h.counted.costs
		if opt.Time != search.NoLimit {
			opt.Time /= 4
		}
		r, err := in.Search(ctx, graph.Adopt(h.vocab, h.query), opt)
		if err != nil {
			return err
		}
		if len(r.Answers) == h.opt.K {
			radius = min(radius, r.Answers[h.opt.K-1].Upper)
		}
	}
	rows, _, err := h.s.read(ctx, selection{embedding: h.vectors(), where: h.counted.within(radius), filters: h.opt.Filters, graphs: true}, h.vocab)
	h.take(rows)
	return err
}

// searching returns the options of a search in the rows taken, which all pass the filters.
func (h *hunt) searching() search.Options {
	opt := h.opt
	opt.Filters = nil
	return opt
}

// collection returns the rows taken, in the order of slots.
func (h *hunt) collection(ctx context.Context) (*search.Collection, []int64, error) {
	slices.SortFunc(h.rows, func(a, b found) int { return cmp.Compare(a.slot, b.slot) })
	records, slots := make([]dataset.Record, len(h.rows)), make([]int64, len(h.rows))
	var vectors []float32
	for i, f := range h.rows {
		if f.record.Graph == nil {
			return nil, nil, fmt.Errorf("%w: graph %q", ErrNoGraphs, f.record.ID)
		}
		records[i], slots[i] = f.record, f.slot
		vectors = append(vectors, f.vector...)
	}
	in := search.NewCollection(h.vocab, records)
	if h.model != nil {
		if vectors == nil {
			vectors = []float32{}
		}
		if err := in.Attach(ctx, h.model, vectors, nil); err != nil {
			return nil, nil, err
		}
	}
	return in, slots, nil
}

// decide searches the rows taken, and says of all graphs what is known of them.
func (h *hunt) decide(ctx context.Context, begin time.Time) (*Result, error) {
	in, slots, err := h.collection(ctx)
	if err != nil {
		return nil, err
	}
	opt := h.searching()
	spent := time.Since(begin)
	if opt.Time != search.NoLimit {
		opt.Time = max(opt.Time-spent, time.Millisecond)
	}
	r, err := in.Search(ctx, graph.Adopt(h.vocab, h.query), opt)
	if r == nil {
		return nil, err
	}
	r.Scan += spent
	if r.Stats.Graphs = 0; r.Mode != search.Predicted || len(h.opt.Filters) == 0 {
		all, err := h.graphs(ctx)
		if err != nil {
			return nil, err
		}
		if r.Mode == search.Proven || h.model == nil {
			r.Stats.Candidates = all
			r.Stats.Excluded = append(r.Stats.Excluded, search.Excluded{Bound: "counts in the database", Graphs: all - len(h.rows)})
		} else if r.Mode != search.Predicted {
			r.Complete = len(h.rows) == all
		}
		r.Stats.Graphs = all
	}
	return &Result{r, in, slots}, err
}

// graphs returns the number of graphs that the search is limited to.
func (h *hunt) graphs(ctx context.Context) (int, error) {
	if len(h.opt.Filters) == 0 {
		return h.s.Len(), nil
	}
	rows, _, err := h.s.read(ctx, selection{where: "true", filters: h.opt.Filters}, h.vocab)
	return len(rows), err
}
