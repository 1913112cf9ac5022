package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

// Plan determines how ground truth is made from a collection of graphs: which pairs are
// drawn, and how hard the solver tries on each. Start from [DefaultPlan].
//
// Graphs are split by isomorphism class into a part for training and a part for validation.
// Pairs come in blocks; the distances of all pairs of a block are computed. For GED a block
// holds graphs of the collection and families: a graph with randomly edited copies. Families
// add short distances, and more graphs than the collection has. All pairs of a small
// collection form one more block. For SED a block holds queries, drawn from targets of the
// same part, and targets, half of them edited copies. Neighbourhoods replace large graphs.
type Plan struct {
	Task  edit.Task
	Costs edit.Costs
	Seed  uint64

	Validation float64 // share of the graphs
	Pairs      int     // for training, at most
	Valid      int     // pairs for validation, at most; 0: 10,000
	// Work is a rough limit of the search states spent on those pairs, in states of pairs of
	// small graphs. If graphs are hard to compare, there are fewer pairs. The number is
	// estimated from a sample of pairs, not from time, so that it is the same on every
	// machine. 0 means no limit.
	Work  int64
	Edits int // most edits of an edited copy; 0: no copies

	// Sampler samples SED queries. If it is nil, they are sampled by a breadth-first search,
	// which follows as many edges as it can while at least half of the queries stay within
	// Limits.
	Sampler        sample.Sampler
	Limits         sample.Limits
	Rooted         bool // queries begin at node 0, not at a random node
	Neighbourhoods Neighbourhoods
	// Learn and Check are the centres, in the only graph, of the neighbourhoods for training
	// and for validation. If they are nil, centres are drawn.
	Learn, Check []int

	// Solver limits the search for each pair; large pairs get fewer states. The limit is in
	// states and not in time, so that ground truth is reproducible.
	Solver  ged.Options
	Workers int // 0: one per core
	// Progress, if not nil, is called with the progress of a stage's distances, and Note with
	// decisions that users should know of.
	Progress func(stage string, p truth.Progress)
	Note     func(text string)
	// Journals is a folder that holds distances as they are computed, so that a run that was
	// killed can resume. If it is empty, nothing is kept.
	Journals string
}

// DefaultPlan returns a plan whose ground truth takes minutes on two cores:
// exact for graphs of about ten nodes, bounds for larger ones.
func DefaultPlan(task edit.Task, costs edit.Costs) Plan {
	return Plan{
		Task: task, Costs: costs, Seed: 1,
		Validation: 0.1, Pairs: 2_000_000, Work: 200_000_000, Edits: 8,
		Limits: sample.PaperLimits(), Neighbourhoods: DefaultNeighbourhoods(),
		Solver: ged.Options{States: 2000},
	}
}

// heard returns the plan with callbacks, and defaults for what is left open.
func (p Plan) heard() Plan {
	if p.Progress == nil {
		p.Progress = func(string, truth.Progress) {}
	}
	if p.Note == nil {
		p.Note = func(string) {}
	}
	if p.Valid == 0 {
		p.Valid = validPairs
	}
	return p
}

const (
	blockGraphs = 32     // of a GED block
	blockSide   = 16     // queries, and as many targets, of a SED block
	family      = 5      // a graph and its edited copies, in blocks
	validPairs  = 10_000 // to validate with, unless a plan says otherwise
	samplePairs = 200    // show how hard pairs are
	leastPairs  = 20_000 // worth training on
	graphPairs  = 4000   // for each graph: more pairs would be of copies of copies
)

// Prepare draws pairs of graphs of learn for training and pairs of graphs of check for
// validation, and computes their distances. If check is nil, learn is split. All graphs share
// a vocabulary.
func (p Plan) Prepare(ctx context.Context, learn, check []*graph.Graph) (Data, error) {
	p = p.heard()
	if err := p.checkNumbers(learn); err != nil {
		return Data{}, err
	}
	b := &planner{
		plan: p, rng: rand.New(rand.NewPCG(p.Seed, 0xbb67ae8584caa73b)),
		centred: make(map[*graph.Graph]bool),
	}
	given := len(learn)
	if p.Learn != nil {
		learn, check = b.centre(learn[0], p.Learn), b.centre(learn[0], p.Check)
	} else {
		learn = b.resize(learn)
	}
	if given == 1 && p.Task != edit.SED {
		return Data{}, dataset.Errorf("train: there is only one graph, and a distance needs two: %v learns one "+
			"large graph "+
			"by the neighbourhoods of its nodes", dataset.Setting{Option: "task", Value: "sed"})
	}
	if len(learn) < 2 {
		return Data{}, fmt.Errorf("train: to learn a distance, at least 2 graphs are needed, not %d", len(learn))
	}
	held := HeldGraphs
	if check == nil {
		learn, check, held = b.split(learn)
	} else if p.Learn == nil {
		check = b.resize(check)
	}
	draw := b.ged
	if p.Task == edit.SED {
		draw = b.sed
	}
	if err := draw(ctx, learn, check); err != nil {
		return Data{}, err
	}
	data := Data{Graphs: b.graphs, Train: b.train, Valid: b.valid, Held: held, Learnt: learn, Hops: b.hops,
		Sampler: b.plan.Sampler}
	if held == HeldGraphs {
		data.Unseen = check
	}
	if err := p.label(ctx, validation, data.Graphs, data.Valid); err != nil {
		return Data{}, err
	}
	return data, p.label(ctx, training, data.Graphs, data.Train)
}

// The stages of ground truth.
const (
	validation = "validation"
	training   = "training"
	longer     = "open pairs" // some of those to learn from, searched for longer
)

// planner collects graphs, and blocks whose distances are still to be computed.
type planner struct {
	plan         Plan
	rng          *rand.Rand
	graphs       []*graph.Graph
	train, valid []Block
	centred      map[*graph.Graph]bool // neighbourhoods, whose node 0 is the centre
	hops         int                   // of the neighbourhoods, if there are any
}

// split returns the graphs for training and those for validation. If there are too few for
// two parts, both are all graphs.
func (b *planner) split(graphs []*graph.Graph) (learn, check []*graph.Graph, held Held) {
	pick := func(at []int) (list []*graph.Graph) {
		for _, i := range at {
			list = append(list, graphs[i])
		}
		return list
	}
	parts := b.parts(graphs)
	if len(parts[0]) < 2 || len(parts[1]) < 2 {
		return graphs, graphs, HeldNothing
	}
	return pick(parts[0]), pick(parts[1]), HeldGraphs
}

// parts returns the positions of the graphs for training and for validation.
func (b *planner) parts(graphs []*graph.Graph) [][]int {
	return sample.Split(graphs, []float64{1 - b.plan.Validation, b.plan.Validation}, b.plan.Seed)
}

// add appends graphs and returns their positions.
func (b *planner) add(graphs ...*graph.Graph) []int32 {
	ids := make([]int32, len(graphs))
	for i, g := range graphs {
		ids[i] = int32(len(b.graphs))
		b.graphs = append(b.graphs, g)
	}
	return ids
}

// afford lowers the number of pairs to what the targets, graphs for training, are worth and
// to what Work pays for, estimated from a sample of pairs of the given graphs.
func (b *planner) afford(ctx context.Context, queries, targets []*graph.Graph) error {
	b.plan.Pairs = min(b.plan.Pairs, graphPairs*len(targets))
	if b.plan.Work == 0 {
		return nil
	}
	solver, err := newSolver(b.plan.Task, b.plan.Costs)
	if err != nil {
		return err
	}
	work := int64(0)
	for range samplePairs {
		q, t := queries[b.rng.IntN(len(queries))], targets[b.rng.IntN(len(targets))]
		r, err := solver.Distance(ctx, q, t, b.plan.Solver)
		if err != nil {
			return err
		}
		work += workOf(q, t, r)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	afforded := float64(b.plan.Work) * samplePairs / float64(work)
	b.plan.Pairs = int(math.Min(float64(b.plan.Pairs), math.Max(afforded, leastPairs)))
	return nil
}

// originals returns how many of count graphs are not edited copies.
func (b *planner) originals(count int) int {
	if b.plan.Edits == 0 || count < 4 {
		return count
	}
	return count / 2
}

// editor returns a function that makes a randomly edited copy of a graph.
func (b *planner) editor(collection []*graph.Graph) func(*graph.Graph) *graph.Graph {
	e := sample.NewEditor(collection, 0)
	return func(g *graph.Graph) *graph.Graph {
		h, _ := e.Edit(b.rng, g, 1+b.rng.IntN(b.plan.Edits))
		return h
	}
}

func (b *planner) ged(ctx context.Context, learn, check []*graph.Graph) error {
	if err := b.afford(ctx, learn, learn); err != nil {
		return err
	}
	edited := b.editor(learn)
	learnt := b.add(learn...)
	n, pairs := len(learn), b.plan.Pairs
	if all := n * (n - 1) / 2; all <= pairs/2 {
		b.train = append(b.train, square(learnt))
		pairs -= all
	}
	side := blockGraphs
	for side*(side-1)/2 > max(1, pairs) {
		side--
	}
	family := min(family, side/2)
	for range max(1, pairs/(side*(side-1)/2)) {
		ids := b.draw(learnt, b.originals(side))
		for b.plan.Edits > 0 && len(ids)+family <= side {
			i := b.rng.IntN(n)
			ids = append(ids, learnt[i])
			if learn[i].N() > largeGraph {
				continue // its copies would crowd out all other graphs
			}
			for range family - 1 {
				ids = append(ids, b.add(edited(learn[i]))...)
			}
		}
		b.train = append(b.train, square(ids))
	}
	b.validate(b.add(check...), learnt)
	return nil
}

func (b *planner) sed(ctx context.Context, learn, check []*graph.Graph) error {
	if b.plan.Sampler == nil {
		b.plan.Sampler = b.chooseSampler(learn)
	}
	queries := func(from []*graph.Graph, count int) ([]int32, error) {
		drawn, err := sample.Queries(b.rng, source{b, from}, b.plan.Sampler, b.plan.Limits, count)
		var ids []int32
		for _, q := range drawn {
			ids = append(ids, b.add(q.Graph)...)
		}
		return ids, err
	}
	edited := b.editor(learn)
	learnt, checked := b.add(learn...), b.add(check...)
	probe, err := queries(learn, blockSide)
	if err != nil {
		return err
	}
	if err := b.afford(ctx, b.graphs[probe[0]:], learn); err != nil {
		return err
	}
	side := blockSide
	for side*side > max(1, b.plan.Pairs) {
		side--
	}
	for range max(1, b.plan.Pairs/(side*side)) {
		ids, err := queries(learn, side)
		if err != nil {
			return err
		}
		targets := b.draw(learnt, b.originals(side))
		for b.plan.Edits > 0 && len(targets) < side {
			targets = append(targets, b.add(edited(learn[b.rng.IntN(len(learn))]))...)
		}
		b.train = append(b.train, Block{Queries: ids, Targets: targets})
	}
	ids, err := queries(check, min(20*len(check), max(1, b.plan.Valid/10)))
	if err != nil {
		return err
	}
	b.validate(ids, checked)
	return nil
}

// validate adds validation blocks of queries and targets drawn from the lists.
func (b *planner) validate(queries, targets []int32) {
	const side = 32
	count := min(b.plan.Valid, len(queries)*len(targets))
	for count > 0 {
		block := Block{Queries: b.draw(queries, side), Targets: b.draw(targets, side)}
		b.valid = append(b.valid, block)
		count -= len(block.Queries) * len(block.Targets)
	}
}

// draw returns count different members of list.
func (b *planner) draw(list []int32, count int) []int32 {
	var drawn []int32
	for _, i := range subset(b.rng, nil, len(list), min(count, len(list))) {
		drawn = append(drawn, list[i])
	}
	return drawn
}

func square(ids []int32) Block { return Block{Queries: ids, Targets: ids} }

// label computes the bounds of all pairs of the blocks. If a block has bounds, it computes
// those that are NaN alone. If a GED block pairs a set with itself, each pair is solved once.
func (p Plan) label(ctx context.Context, stage string, graphs []*graph.Graph, blocks []Block) error {
	type origin struct{ block, pair, mirror int }
	var pairs []truth.Pair
	var origins []origin
	for k := range blocks {
		b := &blocks[k]
		n := len(b.Targets)
		chosen := b.Lower != nil
		if !chosen {
			b.Lower = make([]float32, len(b.Queries)*n)
			b.Upper = make([]float32, len(b.Queries)*n)
		}
		same := p.Task.Symmetric() && &b.Queries[0] == &b.Targets[0]
		for i, q := range b.Queries {
			for j, t := range b.Targets {
				switch {
				case chosen && b.Lower[i*n+j] != b.Lower[i*n+j]:
				case same && i == j: // distance 0
				case same && i > j:
				case same:
					origins = append(origins, origin{k, i*n + j, j*n + i})
					pairs = append(pairs, truth.NewPair(int(q), int(t)))
				default:
					origins = append(origins, origin{k, i*n + j, i*n + j})
					pairs = append(pairs, truth.NewPair(int(q), int(t)))
				}
			}
		}
	}
	bounder := truth.Bounder{
		Task: p.Task, Costs: p.Costs, Limits: p.Solver, Workers: p.Workers,
		Method: solverName, NewSolver: newSolver,
		Progress: func(t truth.Progress) { p.Progress(stage, t) },
	}
	if err := p.bound(ctx, stage, bounder, graphs, pairs); err != nil {
		return err
	}
	if stage == training {
		if err := p.expect(ctx, bounder, graphs, pairs); err != nil {
			return err
		}
	}
	for i, at := range origins {
		b := &blocks[at.block]
		for _, k := range []int{at.pair, at.mirror} {
			b.Lower[k], b.Upper[k] = float32(pairs[i].Lower), float32(pairs[i].Upper)
		}
	}
	return nil
}

// bound computes bounds of the pairs, in place, or takes them from the journal of the stage.
func (p Plan) bound(ctx context.Context, stage string, bounder truth.Bounder, graphs []*graph.Graph,
	pairs []truth.Pair) error {
	if p.Journals == "" {
		return bounder.BoundAll(ctx, graphs, graphs, pairs)
	}
	job := truth.Job{
		Bounder: bounder, Queries: graphs, Targets: graphs, Pairs: pairs,
		Journal: filepath.Join(p.Journals, stage+".journal"),
	}
	_, err := job.Run(ctx)
	return err
}
