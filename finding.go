package greed

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/space"
)

// Finding is what a search found, with answers that are made on demand, so
// that only those which are wanted take memory, one at a time. It keeps the state of the
// collection that was searched; close it. It belongs to one goroutine.
type Finding struct {
	// Found has no answers.
	Found *Found

	state    *live.State
	query    *Graph
	opt      Options
	result   *search.Result
	products []space.Answer // of a synthon space; nil otherwise
}

// Find is [Collection.Search] for a caller who takes the answers one by one. If the
// context ends before the answers are proven, it returns the context's error together
// with what it has found, which is nil if that is nothing.
func (c *Collection) Find(ctx context.Context, q *Graph, opt Options) (f *Finding, err error) {
	if q == nil && opt.SMARTS == nil {
		return nil, fmt.Errorf("search: the query: %w", ErrNoGraph)
	}
	if opt.SMARTS == nil && opt.Unread.Asks {
		return nil, fmt.Errorf("search: %w", ErrConditions)
	}
	in := c.live.Acquire()
	wanted := opt.K
	opt.Notes = dataset.Merge(c.notes, opt.Notes)
	if opt.SMARTS != nil {
		if q, opt, err = bySMARTS(in, opt); err != nil {
			_ = in.Release()
			return nil, err
		}
	}
	q = graph.Adopt(in.Vocabulary(), q)
	if c.space != nil {
		opt.K = wanted
		if f, err = c.findProducts(ctx, in, q, opt); f == nil {
			_ = in.Release()
			return nil, err
		}
		f.understood(true)
		return f, err
	}
	// What a search that was cut short knows comes with the context's error; what
	// damaged memory gave does not count.
	var cut error
	err = in.Read(func() error {
		if err := checkAttributes(in.Collection, nil, opt.Show); err != nil {
			return err
		}
		if opt.Names != nil && len(opt.Names) != q.N() {
			return fmt.Errorf("search: there are %d names of the query's %d nodes", len(opt.Names), q.N())
		}
		begin := time.Now()
		r, err := in.Search(ctx, q, opt)
		if r == nil {
			return err
		}
		undecidable := 0
		if opt.SMARTS != nil {
			limit := cmp.Or(opt.Time, DefaultTime)
			over := func() bool { return ctx.Err() != nil || time.Since(begin) > limit }
			var failed error
			if undecidable, failed = filterMatches(over, in, opt.SMARTS, wanted, r); failed != nil {
				return failed
			}
			err = cmp.Or(err, ctx.Err())
		}
		f, cut = &Finding{newFound(in.Collection, opt, r, undecidable), in, q, opt, r, nil}, err
		f.understood(false)
		f.Found.Notes = dataset.Merge(f.Found.Notes, c.repeatedNote(f.Len(), func(i int) string {
			return in.ID(r.Answers[i].Position)
		}))
		return nil
	})
	if err != nil || f == nil {
		_ = in.Release()
		return nil, err
	}
	return f, cut
}

// understood says how the search was understood. A collection without graphs has no labels that a query may lack,
// except for the products of a space.
func (f *Finding) understood(products bool) {
	in := f.state
	f.Found.Question = understood(f.Found, f.opt, in)
	if products {
		f.Found.Question.ofMolecules(*in.Rules, f.Found.Costs, f.opt.SMARTS != nil)
		f.Found.Question.Text = f.Found.Question.sentence(f.Found)
	}
	if in.Len() > 0 || products {
		nodes, edges := graph.Label(in.Vocabulary().Nodes()), graph.Label(in.Vocabulary().Edges())
		f.Found.Unmatched = unmatched(f.query, func(l graph.Label) bool { return l >= nodes },
			func(l graph.Label) bool { return l >= edges })
	}
}

// Close releases the state that was searched.
func (f *Finding) Close() error { return f.state.Release() }

// Len returns the number of answers.
func (f *Finding) Len() int { return len(f.result.Answers) }

// At returns the upper bound of the distance of answer i, by which answers are sorted, or
// the prediction where nothing else is known.
func (f *Finding) At(i int) float64 {
	a := &f.result.Answers[i]
	if a.Map == nil && a.Predicted != nil {
		return *a.Predicted
	}
	return a.Upper
}

// Answer returns answer i without what [Finding.Explain] adds. It does not read its graph.
func (f *Finding) Answer(i int) (a Answer, err error) {
	if f.products != nil {
		return f.madeAnswer(i), nil
	}
	err = f.state.Read(func() error {
		found := &f.result.Answers[i]
		rec := f.state.About(found.Position)
		a = newAnswer(&rec, f.state.Signature(found.Position).Nodes(), f.query, f.opt, found)
		return nil
	})
	return a, err
}

// Order is what orders answers of several collections at one distance, in this order.
type Order struct {
	// Size is that of the graph in nodes and edges, where that counts: of two that contain the query the smaller is
	// first.
	Size  int
	Apart float64 // 1 minus the share of labels that the graph has in common with the query
	Index int     // the number of its index among those of the collection, as [Collection.Indexes] has them
	At    int     // the number of the graph in that
	// Raw is what the model says before bounds correct it, by which the K predicted are chosen; 0 in other modes.
	Raw float64
}

// Orders returns the order of each answer, of a collection that is no synthon space. Who merges answers of several
// collections that are parts of one needs it.
func (f *Finding) Orders() (orders []Order, err error) {
	err = f.state.Read(func() error {
		of := f.state.Order(f.query, f.opt.Task)
		for i := range f.result.Answers {
			p := f.result.Answers[i].Position
			var o Order
			o.Size, o.Apart = of(p)
			o.Index, o.At = f.state.Place(p)
			if i < len(f.result.Raw) {
				o.Raw = f.result.Raw[i]
			}
			orders = append(orders, o)
		}
		return nil
	})
	return orders, err
}

// Size returns the number of nodes and edges of the query and of the graph of answer i
// together, which is the greatest number of edits there may be.
func (f *Finding) Size(i int) int {
	if f.products != nil {
		return f.query.N() + f.query.M() + f.products[i].Nodes + f.products[i].Edges
	}
	s := f.state.Signature(f.result.Answers[i].Position)
	return f.query.N() + f.query.M() + s.Nodes() + s.Edges()
}

// Explain adds to answer i its edits and the names of its nodes, for which it reads its
// graph. Where only a prediction is known, there are none.
func (f *Finding) Explain(i int, a *Answer) error {
	if f.products != nil {
		rec, err := product(f.products[i].Origins[0])
		if err == nil {
			a.explain(&rec, graph.Adopt(rec.Graph.Vocabulary(), f.query), f.opt, f.result.Pricing)
		}
		return err
	}
	return f.state.Read(func() error {
		rec := f.state.Record(a.Position)
		a.explain(&rec, f.query, f.opt, f.result.Pricing)
		return nil
	})
}

// Explain adds to answers of a search, which have their maps, what [Options].Explain would have added: edits,
// transformations and the names of nodes. The query and the options are those of the search. The error wraps
// [ErrChanged] if a graph was replaced or deleted since.
func (c *Collection) Explain(ctx context.Context, q *Graph, opt Options, answers []Answer) (err error) {
	in := c.live.Acquire()
	defer in.Release()
	if opt.SMARTS != nil {
		if q, opt, err = bySMARTS(in, opt); err != nil {
			return err
		}
	}
	if q == nil {
		return fmt.Errorf("explain: the query: %w", ErrNoGraph)
	}
	q = graph.Adopt(in.Vocabulary(), q)
	m := in.Model(opt.Task)
	costs, _ := search.ChooseCosts(m, m != nil && !opt.NoModel, opt.Costs)
	read, recordOf := in.Read, func(position int, id string) (rec Record, same bool) {
		if position < 0 || position >= in.Positions() || in.ID(position) != id {
			return rec, false
		}
		return in.Record(position), true
	}
	if c.space != nil {
		read, recordOf = func(do func() error) error { return do() }, c.productAt
	}
	return read(func() error {
		for i := range answers {
			if err := ctx.Err(); err != nil {
				return err
			}
			a := &answers[i]
			if a.Map == nil {
				continue // only a prediction is known
			}
			rec, same := recordOf(a.Position, a.ID)
			if !same {
				return fmt.Errorf("explain: %s: %w: search again", a.ID, ErrChanged)
			}
			t := rec.Graph
			q := graph.Adopt(t.Vocabulary(), q)
			prices, err := edit.Price(opt.Task, costs, q, t)
			if err != nil {
				return err
			}
			if a.Map.Check(q, t) != nil || a.Upper != nil &&
				math.Abs(edit.InducedCost(prices, q, t, a.Map)-*a.Upper) > 1e-6*max(1, *a.Upper) {
				return fmt.Errorf("explain: %s: %w: search again", a.ID, ErrChanged)
			}
			a.explain(&rec, q, opt, prices)
		}
		return nil
	})
}

// checkAttributes returns an error that wraps [ErrAttribute] for a filter on, or the name of, an
// attribute that no graph has.
func checkAttributes(in *search.Collection, filters []Filter, show []string) error {
	for _, name := range show {
		if err := in.CheckAttribute(name); err != nil {
			return fmt.Errorf("show: %w", err)
		}
	}
	return in.CheckFilters(filters)
}
