package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// measure measures the rows of an arena.
func (o *CertifyOptions) measure(ctx context.Context, table *Table, a arena, c *contest) error {
	for _, method := range a.methods() {
		if method == byModel && c.collection.Model(a.task) == nil {
			if name := a.name + "/" + byModel; o.wantsAny(a, byModel) {
				table.Rows = append(table.Rows, Row{Name: name, About: a.about, Skipped: "there is no model for it; --model names one"})
			}
			continue
		}
		for _, g := range a.goals() {
			name := a.name + "/" + method + "/" + g.name
			if !o.wants(name) {
				continue
			}
			p, err := o.prove(ctx, name, a, c, method, g)
			if ctx.Err() == nil && err != nil {
				return err
			}
			if len(p.times) > 0 {
				table.Rows = append(table.Rows, Row{Name: name, About: a.about, Pairs: len(p.times), Runs: 1, Figures: p.figures()})
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

func (o *CertifyOptions) wantsAny(a arena, method string) bool {
	for _, g := range a.goals() {
		if o.wants(a.name + "/" + method + "/" + g.name) {
			return true
		}
	}
	return false
}

// proof is the outcome of the queries of a row.
type proof struct {
	modelled  bool
	certified int
	times     []time.Duration
	cores     []time.Duration // processor time
	excluded  []search.Excluded
	solved    int // calls of the solver
	pairs     int
	// Answers of proven queries, and how many of them a checked search finds.
	answers, recalled int
	quick             []time.Duration
	// Of proven searches for the nearest with a model: how many answers were asked for,
	// and how many of the graphs predicted to be nearest are as near as those proven.
	wanted, among int
	oracle        []time.Duration // processor time of proven queries where all graphs but the answers were excluded
	known         []time.Duration // of proven searches for the nearest, where the distance of the last is known
}

// without returns c with a collection that a question about one of its graphs is put to.
func (c contest) without(q question) *contest {
	if q.position >= 0 {
		c.collection = c.collection.Clone()
		c.collection.Drop([]int{q.position})
	}
	return &c
}

func (o *CertifyOptions) prove(ctx context.Context, name string, a arena, c *contest, method string, g goal) (*proof, error) {
	p := &proof{modelled: method == byModel}
	for i, q := range c.queries {
		if o.Progress != nil {
			o.Progress(Step{name, 1, i, len(c.queries)})
		}
		opt := search.Options{
			Task: a.task, K: g.k, NoModel: !p.modelled, Time: o.Time,
		}
		in := c.without(q)
		if g.k == 0 {
			opt.Radius = &g.radius
		}
		if !p.modelled {
			opt.Costs = &c.costs
			if m := c.collection.Model(a.task); m != nil {
				costs := m.Metadata().Costs
				opt.Costs = &costs
			}
		}
		begin, cores := time.Now(), processorTime()
		find := in.collection.Search
		if method == byFilter {
			find = in.filterAndVerify
		}
		r, err := find(ctx, q.graph, opt)
		if err != nil {
			return p, fmt.Errorf("query %d: %w", i, err)
		}
		p.times = append(p.times, time.Since(begin))
		p.cores = append(p.cores, processorTime()-cores)
		p.exclude(r.Stats.Excluded)
		p.solved += r.Stats.Calls
		p.pairs += in.collection.Len()
		if !r.Proven() {
			continue
		}
		p.certified++
		p.answers += len(r.Answers)
		if err := p.ask(ctx, in.collection, q, opt, r); err != nil {
			return p, fmt.Errorf("query %d: %w", i, err)
		}
		if p.modelled {
			opt.Mode, opt.Time = search.Checked, search.DefaultCheckedTime
			begin = time.Now()
			u, err := in.collection.Search(ctx, q.graph, opt)
			if err != nil {
				return p, fmt.Errorf("query %d: %w", i, err)
			}
			p.quick = append(p.quick, time.Since(begin))
			p.recall(r, u, g)
			if g.k > 0 {
				if err := p.predict(ctx, in.collection, q, opt, r); err != nil {
					return p, fmt.Errorf("query %d: %w", i, err)
				}
			}
		}
	}
	if o.Progress != nil {
		o.Progress(Step{name, 1, len(c.queries), len(c.queries)})
	}
	return p, nil
}

// predictedFirst is the number of graphs predicted to be nearest among which the nearest
// are looked for.
const predictedFirst = 200

// predict counts the graphs among the first [predictedFirst] by prediction that are as near
// as the answers proven in r, as many as these at most.
func (p *proof) predict(ctx context.Context, from *search.Collection, q question, opt search.Options, r *search.Result) error {
	opt.Mode, opt.K, opt.Time = search.Predicted, predictedFirst, 0
	first, err := from.Search(ctx, q.graph, opt)
	if err != nil {
		return err
	}
	var records []dataset.Record
	for _, a := range first.Answers {
		records = append(records, from.Record(a.Position))
	}
	farthest := math.Inf(-1)
	for _, a := range r.Answers {
		farthest = max(farthest, a.Upper)
	}
	opt = search.Options{Task: opt.Task, Radius: &farthest, NoModel: true, Costs: &r.Costs, Time: search.NoLimit}
	near, err := search.NewCollection(from.Vocabulary(), records).Search(ctx, q.graph, opt)
	if err != nil {
		return err
	}
	p.wanted += len(r.Answers)
	p.among += min(len(r.Answers), len(near.Answers))
	return nil
}

// ask searches the answers of r alone: what the search would take with an oracle in place
// of bounds, which excludes every other graph. Of the nearest it also asks who is nearer
// than the last, by bounds: what no better order of the candidates spares.
func (p *proof) ask(ctx context.Context, from *search.Collection, q question, opt search.Options, r *search.Result) error {
	var records []dataset.Record
	for _, a := range r.Answers {
		records = append(records, from.Record(a.Position))
	}
	alone := search.NewCollection(from.Vocabulary(), records)
	opt.NoModel, opt.Costs, opt.Time = true, &r.Costs, search.NoLimit
	begin := processorTime()
	if last := len(r.Answers) - 1; opt.K > 0 && last >= 0 && r.Answers[last].Upper >= 1 {
		nearer := opt
		radius := r.Answers[last].Upper - 1 // costs of these rows are 1 or 0
		nearer.K, nearer.Radius = 0, &radius
		if _, err := from.Search(ctx, q.graph, nearer); err != nil {
			return err
		}
		p.known = append(p.known, processorTime()-begin)
		begin = processorTime()
	}
	_, err := alone.Search(ctx, q.graph, opt)
	p.oracle = append(p.oracle, processorTime()-begin)
	return err
}

// exclude adds the graphs that the bounds excluded.
func (p *proof) exclude(list []search.Excluded) {
	for _, e := range list {
		i := slices.IndexFunc(p.excluded, func(x search.Excluded) bool { return x.Bound == e.Bound })
		if i < 0 {
			p.excluded = append(p.excluded, e)
		} else {
			p.excluded[i].Graphs += e.Graphs
		}
	}
}

func mean(times []time.Duration) time.Duration {
	sum := time.Duration(0)
	for _, t := range times {
		sum += t
	}
	return sum / time.Duration(max(1, len(times)))
}

// recall counts the answers of u that are as near as those proven in r. Any of several
// equally near graphs counts.
func (p *proof) recall(r, u *search.Result, g goal) {
	limit := g.radius
	if g.k > 0 {
		limit = math.Inf(-1)
		for _, a := range r.Answers {
			limit = max(limit, a.Upper)
		}
	}
	for _, a := range u.Answers {
		if a.Upper <= limit {
			p.recalled++
		}
	}
}

func (p *proof) figures() []Figure {
	n := float64(len(p.times))
	target := &Target{AtLeast, 0.95}
	certified := float64(p.certified) / n
	met := target.met(certified)
	list := []Figure{
		{Name: "certified", Unit: unitShare, Value: certified, Target: target, Met: &met},
		{Name: "median time", Unit: unitSeconds, Value: quantile(p.times, 0.5).Seconds()},
		{Name: "p95 time", Unit: unitSeconds, Value: quantile(p.times, 0.95).Seconds()},
		{Name: "mean processor time", Unit: unitSeconds, Value: mean(p.cores).Seconds()},
		{Name: "median processor time", Unit: unitSeconds, Value: quantile(p.cores, 0.5).Seconds()},
		{Name: "p95 processor time", Unit: unitSeconds, Value: quantile(p.cores, 0.95).Seconds()},
		{Name: "solver calls a query", Value: float64(p.solved) / n},
		{Name: "solver calls saved", Unit: unitShare, Value: 1 - float64(p.solved)/float64(p.pairs)},
	}
	for _, e := range p.excluded {
		list = append(list, Figure{Name: "excluded by " + e.Bound, Value: float64(e.Graphs) / n})
	}
	if len(p.oracle) > 0 {
		list = append(list,
			Figure{Name: "answers a query", Value: float64(p.answers) / float64(len(p.oracle))},
			Figure{Name: "mean processor time, answers alone", Unit: unitSeconds, Value: mean(p.oracle).Seconds()})
	}
	if len(p.known) > 0 {
		list = append(list, Figure{Name: "mean processor time, last distance known", Unit: unitSeconds, Value: mean(p.known).Seconds()})
	}
	if p.answers > 0 && len(p.quick) > 0 {
		list = append(list,
			Figure{Name: "recall without proof", Unit: unitShare, Value: float64(p.recalled) / float64(p.answers)},
			Figure{Name: "median time without proof", Unit: unitSeconds, Value: quantile(p.quick, 0.5).Seconds()})
	}
	if p.wanted > 0 {
		target := &Target{AtLeast, 0.995}
		recall := float64(p.among) / float64(p.wanted)
		met := target.met(recall)
		list = append(list, Figure{Name: fmt.Sprintf("recall of the first %d by prediction", predictedFirst), Unit: unitShare, Value: recall, Target: target, Met: &met})
	}
	return list
}
