// Package search finds the graphs of a collection that are nearest to a query graph, or
// most nearly contain it. The vectors of a model find candidates, the exact solver checks
// them, and the edits explain them. Without a model, proven lower bounds and the solver
// suffice.
//
// A search has three phases, which a proof goes through again with a larger radius:
//
//	generator   candidates, those with the least lower bounds first
//	    │           ▲
//	    ▼           │ how far an answer may lie
//	verifier ──▶ topK           stages of a candidate: matching, deciding, solving
//	                │
//	                ▼
//	             Result         the answers
package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/vectorindex"
)

// Search finds the graphs nearest to q, whose labels are numbered by the collection's
// vocabulary or an extension of it. If the context ends before the answers are proven,
// Search returns its error together with what is known; the result is nil if that is
// nothing.
func (c *Collection) Search(ctx context.Context, q *graph.Graph, opt Options) (*Result, error) {
	if q == nil {
		panic("search: there is no query")
	}
	if graph.Common(c.vocab, q.Vocabulary()) == nil {
		panic("search: query and collection of different vocabularies")
	}
	opt, err := opt.Complete()
	if err != nil {
		return nil, err
	}
	if err := c.checkQuery(q); err != nil {
		return nil, err
	}
	e, modelled := c.engines[opt.Task]
	modelled = modelled && !opt.NoModel
	costs, fits := ChooseCosts(e.model, modelled, opt.Costs)
	if err := c.Rules.CheckCosts(costs); err != nil {
		return nil, err
	}
	switch {
	case opt.Mode == Predicted && !modelled:
		return nil, fmt.Errorf("search: %w for %v is attached, so nothing can be predicted: train one with greed "+
			"train, or "+
			"ask for proven answers", ErrNoModel, opt.Task)
	case opt.Mode == Predicted && !fits:
		return nil, fmt.Errorf("search: %w, so nothing can be predicted: train one for these costs with greed "+
			"train, or ask "+
			"for proven answers", ErrCosts)
	}
	if opt.Mode == Proven && opt.K == 0 && opt.radius() == 0 { // every distance is known before it is predicted
		modelled = false
	}
	modelled = modelled && fits
	var recall *Recall
	if opt.Recall > 0 {
		switch {
		case !modelled:
			return nil, fmt.Errorf("search: %w for %v and these costs is attached, and a recall is that of a model",
				ErrNoModel, opt.Task)
		default:
			if recall, err = c.recallOf(e.model, q, opt); err != nil {
				return nil, err
			}
		}
		opt.within = recall.Cut
	}
	var vectors *embedded
	unread := false
	switch {
	case !modelled:
	case opt.Mode == Proven && opt.K <= few && (opt.K == 0 || e.cell.stored == nil):
		vectors = e.have() // a proof does without them
	case opt.Mode == Proven && opt.K <= few:
		// Stored vectors are read the first time, not once they pay: which node map is found would
		// depend on the searches before.
		if vectors, err = c.embedded(ctx, e); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		unread = err != nil
	default:
		if vectors, err = c.embedded(ctx, e); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	accept := c.accepted(opt, modelled)
	r := &Result{Mode: opt.Mode, K: opt.K, Costs: costs, Model: modelled, Recall: recall, Unsearched: c.Unsearched}
	if !fits {
		r.Warnings = append(r.Warnings, WithoutModel)
	}
	if unread {
		r.Warnings = append(r.Warnings, withoutVectors)
	}
	// No more than all graphs can be answers. Multiples of K must not overflow.
	opt.K = min(opt.K, max(1, c.Positions()))
	r.Stats.Graphs = c.inScope(opt, accept)
	opt.Accept = accept
	if r.Stats.Graphs == 0 { // a typing error is more likely than a wish for no answers
		if err := c.CheckFilters(opt.Filters); err != nil {
			return nil, err
		}
		if opt.Mode != Predicted { // else they are not counted
			r.Warnings = append(r.Warnings, c.unmet(opt.Filters)...)
		}
	}
	var priced []*graph.Graph
	if costs.Nodes != nil || costs.Edges != nil { // cost tables must know all labels
		priced = append(priced, q)
		w, err := c.witness()
		if err != nil {
			return nil, err
		}
		if w != nil {
			priced = append(priced, w)
		}
	}
	if r.Pricing, err = edit.Price(opt.Task, costs, priced...); err != nil {
		return nil, err
	}
	v := newVerifier(r.Pricing, q, c, opt, begin)
	defer v.release()
	if opt.Mode == Proven || !modelled {
		return c.prove(ctx, q, opt, e, vectors, v, r)
	}
	said := make(map[int]float64)
	list, _, err := c.byModel(ctx, q, opt, e, vectors, v, r, said)
	if err != nil {
		return nil, err
	}
	r.Stats.Candidates = len(list)
	r.Complete = len(list) == r.Stats.Graphs
	if opt.Mode == Predicted {
		for i := range list {
			r.Answers = append(r.Answers, list[i].Answer)
			r.Raw = append(r.Raw, said[list[i].Position])
		}
		r.Complete = false
		return r, nil
	}
	return v.check(ctx, list, r)
}

// prove answers by bounds and the solver. If there are vectors, it starts with the
// graphs that the model predicts to be nearest, so that the radius is small from the start.
// It returns what Search does; r becomes the result.
func (c *Collection) prove(ctx context.Context, q *graph.Graph, opt Options, e engine, vectors *embedded, v *verifier,
	r *Result) (*Result, error) {
	var given []candidate
	var z []float32
	var err error
	switch {
	case !r.Model:
	case opt.K == 0 || vectors == nil:
		z, err = c.embedQuery(ctx, e, q, r) // for the predictions of the answers
	default:
		first := opt
		first.Mode = Checked
		given, z, err = c.byModel(ctx, q, first, e, vectors, v, r, nil)
	}
	if err != nil {
		return nil, err // no graph was looked at
	}
	r, err = newProof(c, q, opt, v, given, vectors != nil).run(ctx, r)
	if r != nil && r.Model {
		missing := r.Missing
		if vectors == nil {
			missing = missing[:min(few, len(missing))] // time is up, if there are any
		}
		failed := c.predict(ctx, e, vectors, z, r.Answers, missing)
		if err == nil && failed != nil && ctx.Err() == nil {
			return nil, failed
		}
	}
	return r, err
}

// ChooseCosts returns the costs to search with, and whether the model, if there is one,
// was trained with them.
func ChooseCosts(m *model.Model, modelled bool, wanted *edit.Costs) (costs edit.Costs, fits bool) {
	switch {
	case modelled && wanted == nil:
		return m.Metadata().Costs, true
	case wanted == nil:
		return edit.Uniform(), true
	}
	return *wanted, !modelled || reflect.DeepEqual(*wanted, m.Metadata().Costs)
}

// candidatesPer is how many candidates are checked for each answer wanted. One would
// not do, because predictions order graphs only roughly.
const candidatesPer = 20

// withoutVectors warns that stored vectors are damaged, where a proof does without them.
const withoutVectors = "the vectors of the model cannot be read, so the answers were proven without them"

// few is how many graphs are embedded for a search rather than all of the collection.
const few = 256

// predict adds predictions to answers that lack them. Without vectors it embeds their graphs;
// if the context ends meanwhile, some keep lacking them.
func (c *Collection) predict(ctx context.Context, e engine, vectors *embedded, z []float32, lists ...[]Answer) error {
	n := e.model.Norm()
	for _, answers := range lists {
		for batch := range slices.Chunk(answers, embedBatch) {
			var graphs []*graph.Graph
			var lacking []*Answer
			for i := range batch {
				if a := &batch[i]; a.Predicted == nil {
					lacking = append(lacking, a)
					if vectors == nil {
						graphs = append(graphs, c.Record(a.Position).Graph)
					}
				}
			}
			embedded, err := e.model.Embed(ctx, graphs, 0)
			if err != nil {
				return err
			}
			for i, a := range lacking {
				var own []float32
				if vectors != nil {
					own = vectors.row(a.Position)
				} else {
					own = embedded[i*n.Dim() : (i+1)*n.Dim()]
				}
				d := n.Distance(z, own)
				a.Predicted = &d
			}
		}
	}
	return nil
}

// byModel returns candidates in the order of their predicted distance, and the
// query's vector. Where predictions are the answers they are kept within bounds, and said gets what the model says.
func (c *Collection) byModel(ctx context.Context, q *graph.Graph, opt Options, e engine, vectors *embedded, v *verifier,
	r *Result, said map[int]float64) ([]candidate, []float32, error) {
	z, err := c.embedQuery(ctx, e, q, r)
	if err != nil {
		return nil, nil, err
	}
	begin := time.Now()
	hits, err := vectors.find(ctx, e.model, z, opt)
	if err != nil {
		return nil, nil, err
	}
	list := make([]candidate, len(hits))
	for i, h := range hits {
		d := h.Distance
		list[i].Answer = Answer{Position: h.Position, Predicted: &d, Upper: math.Inf(1)}
	}
	b := bounder{v.numbered, bound.NewFilter(r.Pricing)}
	for i := range list {
		a := &list[i].Answer
		if opt.Mode == Predicted {
			said[a.Position] = *a.Predicted
			*a.Predicted = b.clip(a.Position, *a.Predicted)
		} else {
			a.Lower = b.lower(a.Position)
		}
	}
	switch {
	case r.Recall != nil: // as a rule, what lies at the radius is predicted beyond it
		list = slices.DeleteFunc(list, func(x candidate) bool { return b.lower(x.Position) > opt.radius() })
	case opt.Mode == Predicted:
		list = slices.DeleteFunc(list, func(x candidate) bool { return *x.Predicted > opt.radius() })
	}
	if opt.Mode == Predicted || opt.K > 0 {
		for i := range list {
			list[i].rank = v.best.ranks.rank(list[i].Position)
		}
	}
	if opt.Mode == Predicted {
		slices.SortFunc(list, func(x, y candidate) int {
			return cmp.Or(cmp.Compare(*x.Predicted, *y.Predicted), x.rank.compare(y.rank))
		})
	}
	r.Scan = time.Since(begin)
	return list, z, nil
}

// embedQuery returns the vector of the query.
func (c *Collection) embedQuery(ctx context.Context, e engine, q *graph.Graph, r *Result) ([]float32, error) {
	r.Warnings = append(r.Warnings, e.model.Warnings(q)...)
	if text := c.strange(e); text != "" {
		r.Warnings = append(r.Warnings, text)
	}
	begin := time.Now()
	z, err := e.model.Embed(ctx, []*graph.Graph{q}, 1)
	r.Embed = time.Since(begin)
	return z, err
}

// strange says which labels of the collection the model does not know, if about one graph in a hundred or more has
// some.
func (c *Collection) strange(e engine) string {
	e.cell.looked.Do(func() {
		own := e.model.Metadata().Vocabulary
		knows := true
		for l := 1; l < c.vocab.Nodes() && knows; l++ {
			_, knows = own.FindNode(c.vocab.NodeText(graph.Label(l)))
		}
		for l := 1; l < c.vocab.Edges() && knows; l++ {
			_, knows = own.FindEdge(c.vocab.EdgeText(graph.Label(l)))
		}
		if knows { // as a rule
			return
		}
		seen := 0
		var strange []*graph.Graph
		for p := 0; p < c.Positions(); p += 1 + c.Positions()/strangeSample {
			if c.Deleted(p) {
				continue
			}
			seen++
			if g := c.Record(p).Graph; e.model.LabelWarnings(g) != nil {
				strange = append(strange, g)
			}
		}
		if n := len(strange); n > 0 && n*strangeShare >= seen {
			e.cell.strange = fmt.Sprintf("of %d graphs of the collection, %d have other labels than those that the "+
				"model was "+
				"trained on: %s",
				seen, n, strings.Join(e.model.LabelWarnings(strange...), ", and "))
		}
	})
	return e.cell.strange
}

const (
	strangeSample = 1000 // graphs that are looked at for labels, about
	strangeShare  = 100  // one in so many is worth a word
)

// Wanted returns how many candidates of n a search by model m takes, and within which
// predicted distance.
func (o Options) Wanted(m *model.Model, n int) (most int, within float64) {
	most, within = n, math.Inf(1)
	if o.Recall > 0 {
		return most, o.within
	}
	switch o.Mode {
	case Predicted:
		if o.K > 0 {
			most = o.K
		}
		within = o.radius()
	case Checked:
		if o.K > 0 {
			most = candidatesPer * o.K
		}
		// Predictions err to both sides: a graph predicted to be a little beyond the radius
		// may be within it.
		within = o.radius() + 4*m.Metadata().Metrics[model.MetricRMSE]
	}
	return most, within
}

// find returns the candidates, those predicted to be nearest first.
func (v *embedded) find(ctx context.Context, m *model.Model, z []float32, opt Options) ([]vectorindex.Hit, error) {
	most, within := opt.Wanted(m, v.index.Len())
	query := []vectorindex.Query{{Vector: z, Accept: opt.Accept}}
	if opt.K == 0 && !math.IsInf(within, 1) {
		found, err := v.index.Range(ctx, query, within)
		if err != nil {
			return nil, err
		}
		return found[0].Hits, nil
	}
	found, err := v.index.KNN(ctx, query, most)
	if err != nil {
		return nil, err
	}
	hits := found[0].Hits
	for len(hits) > 0 && hits[len(hits)-1].Distance > within {
		hits = hits[:len(hits)-1]
	}
	return hits, nil
}

// accepted returns which graphs are in the scope of a search, or nil for all from opt.First
// on.
func (c *Collection) accepted(opt Options, modelled bool) func(position int) bool {
	if c.deleted == 0 && len(opt.Filters) == 0 && (opt.First == 0 || opt.Accept == nil && !modelled) {
		return opt.Accept
	}
	return func(position int) bool {
		return position >= opt.First && !c.Deleted(position) && (opt.Accept == nil || opt.Accept(position)) &&
			c.Passes(position, opt.Filters)
	}
}

// Passes reports whether the record of a graph passes all filters.
func (c *Collection) Passes(position int, filters []Filter) bool {
	for _, f := range filters {
		if f.ofRecord() {
			about := c.About(position)
			if !f.Match(&about) {
				return false
			}
		} else if value := c.Attribute(position, f.Attribute); value == nil || f.test == nil || !f.test(value) {
			return false
		}
	}
	return true
}

// inScope returns the number of graphs in the scope of a search, those accepted, or 0 in mode
// [Predicted] if they have to be counted one by one.
func (c *Collection) inScope(opt Options, accept func(position int) bool) int {
	n := 0
	switch {
	case accept == nil:
		return max(0, c.Positions()-opt.First)
	case opt.Accept == nil && opt.First == 0 && len(opt.Filters) == 0:
		return c.Len()
	case opt.Mode == Predicted:
		return 0
	}
	for i := range c.Positions() {
		if accept(i) {
			n++
		}
	}
	return n
}
