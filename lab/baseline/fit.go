package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// example is a pair to learn from: positions in Data.Graphs, and bounds.
type example struct {
	q, t         int32
	lower, upper float32
}

// examples lists the pairs of blocks that have bounds, each once.
func examples(blocks []train.Block) []example {
	var all []example
	for _, b := range blocks {
		for i, q := range b.Queries {
			for j, t := range b.Targets {
				if k := i*len(b.Targets) + j; b.Lower[k] == b.Lower[k] {
					all = append(all, example{q, t, b.Lower[k], b.Upper[k]})
				}
			}
		}
	}
	return all
}

// Validations is how often training is validated unless options say otherwise, and
// ValidPairs by how many pairs, drawn once.
const (
	Validations = 40
	ValidPairs  = 2000
)

const (
	// batchNodes bounds the nodes of a batch, and batchCells the pairs of nodes, where
	// graphs are large.
	batchNodes = 1 << 13
	batchCells = 1 << 20
)

// fitting is the state of a training.
type fitting struct {
	*learner
	data   train.Data
	rows   nn.Rows
	rng    *rand.Rand
	source *rand.PCG // of rng
	train  []example
	half   []example // of which half of a batch is drawn
	until  []int     // pairs of the blocks of data.Train up to each
	tape   *nn.Tape
	batch  nn.Batch
	pairs  pairs
	sized  []sized
	row    map[int32]int32 // of a graph in the batch
	adam   *nn.AdamW
	count  []int    // how often each label occurs
	mapped []mapped // pairs with their maps, for GENN-A*
	dead   bool     // the last batch had the same output for all of its pairs
}

// Fit implements [System].
func (l *learner) Fit(ctx context.Context, data train.Data, opt Options) error {
	if err := data.Check(); err != nil {
		return err
	}
	opt = opt.ready()
	begin := opt.Clock()
	f := &fitting{learner: l, data: data, source: rand.NewPCG(opt.Seed, 0x1f83d9abfb41bd6b), row: make(map[int32]int32)}
	f.rng = rand.New(f.source)
	f.learnLabels(opt.Seed)
	f.learn()
	if l.design.half != nil {
		for _, e := range f.train {
			if l.design.half(e) {
				f.half = append(f.half, e)
			}
		}
	}
	valid := f.validation(examples(data.Valid))
	if l.design.begin != nil {
		if err := l.design.begin(ctx, f); err != nil {
			l.ps, l.count = nil, 0
			return err
		}
	}
	steps := opt.Steps
	if steps == 0 {
		steps = l.design.steps
	}
	f.start()
	none := train.Metrics{RMSE: math.Inf(1), MAE: math.Inf(1)}
	best := none
	var kept []float32
	later, draws := false, 1
	last, every := 0.0, max(1, steps/opt.Validations)
	at := progress{System: l.design.Name, Seed: opt.Seed, Steps: steps}
	if opt.Checkpoint != "" {
		at.Data = data.Fingerprint()
		saved, network, err := f.resume(opt.Checkpoint, at)
		if err != nil {
			l.ps, l.count = nil, 0
			return err
		}
		if saved != nil {
			at, later, draws, kept, l.fitted = *saved, saved.Later, saved.Draws, network, saved.Fitted
			if begin -= saved.Time; kept != nil {
				best = saved.Best
			}
		}
	}
	save := func(step int) error {
		if opt.Checkpoint == "" {
			return nil
		}
		at.Step, at.Draws, at.Later, at.Best, at.Fitted, at.Time = step, draws, later, best, l.fitted, opt.Clock()-begin
		return f.save(opt.Checkpoint, at, kept)
	}
	var err error
	done := at.Step
	for step := at.Step + 1; step <= steps && ctx.Err() == nil; step++ {
		if len(f.mapped) > 0 && float64(step) > wholeShare*float64(steps) {
			if !later { // what did best on whole pairs has not learnt the rest
				later, best = true, none
			}
			f.drawMapped()
		} else {
			f.draw()
		}
		last = f.step(f.design.rate * fall(float64(step)/float64(steps)))
		if math.IsNaN(last) || math.IsInf(last, 0) {
			err = fmt.Errorf("baseline: %s: step %d: loss %v: %w", l.design.Name, step, last, train.ErrDiverged)
			break
		}
		if done = step; step%every != 0 && step != steps {
			continue
		}
		if f.dead && draws < mostDraws && float64(step) <= deadShare*float64(steps) {
			l.prepare(l.vocab, l.shape, opt.Seed+uint64(draws)<<32)
			f.start()
			best, kept = none, nil
			draws, step, done = draws+1, 0, 0
			continue
		}
		l.averageUnknown(f.count)
		m, e := f.validate(ctx, valid)
		if e != nil {
			err = e
			break
		}
		if m.RMSE < best.RMSE {
			best, kept = m, append(kept[:0], l.ps.Flat()...)
		}
		l.fitted = Fitted{Steps: step, Time: opt.Clock() - begin, Valid: best}
		opt.Progress(Progress{System: l.design.Name, Stage: "training", Done: step, Total: steps, Loss: last, Valid: m, Best: best})
		if err = save(step); err != nil {
			break
		}
	}
	if err == nil && ctx.Err() != nil {
		err = save(done)
	}
	if kept == nil {
		l.ps, l.count, l.fitted = nil, 0, Fitted{}
		return errors.Join(err, ctx.Err(), train.ErrTooEarly)
	}
	copy(l.ps.Flat(), kept)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// A network whose last layers are a few ReLUs may be dead: it says the same of all
// pairs, and does not learn any more. Of SimGNN, whose last layer has four, every third is
// in the first batches. Then training begins again with other numbers, if that shows in
// the first deadShare of the steps.
const (
	deadShare = 1. / 8
	mostDraws = 10
)

// start begins with the network as it is.
func (f *fitting) start() {
	f.tape = nn.NewTape(f.ps, f.ops, true)
	f.adam = nn.NewAdamW(len(f.ps.Flat()), 0)
}

// learnLabels makes the network for the labels that are learnt, and counts them.
func (f *fitting) learnLabels(seed uint64) {
	vocab := graph.NewVocabulary()
	for _, g := range f.data.Learnt {
		graph.In(vocab, g)
	}
	s := shape{Nodes: vocab.Nodes()}
	s.Degrees = f.design.degrees == alwaysDegrees || f.design.degrees == whereUnlabelled && vocab.Nodes() <= 2
	f.prepare(vocab, s, seed)
	f.rows = f.learner.rows(f.data.Graphs[0].Vocabulary())
	f.count = make([]int, vocab.Nodes())
	for _, g := range f.data.Learnt {
		for _, l := range g.Labels() {
			if row := f.rows.Node[l]; row > 0 {
				f.count[row]++
			}
		}
	}
}

// validation returns pairs to validate with.
func (f *fitting) validation(all []example) eval.Input {
	f.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	in := eval.Input{Task: f.task, Queries: f.data.Graphs, Targets: f.data.Graphs}
	for _, e := range all[:min(ValidPairs, len(all))] {
		in.Pairs = append(in.Pairs, truth.Pair{Query: e.q, Target: e.t, Lower: float64(e.lower), Upper: float64(e.upper)})
	}
	return in
}

func (f *fitting) validate(ctx context.Context, in eval.Input) (train.Metrics, error) {
	if _, err := f.predict(ctx, &in, Options{}, false); err != nil {
		return train.Metrics{}, err
	}
	var squares, sizes float64
	for i, p := range in.Pairs {
		e := max(in.Predicted[i]-p.Upper, 0) + max(p.Lower-in.Predicted[i], 0)
		if r, ok := f.goal.(ranker); ok {
			e = r.failure(in.Predicted[i], sized{lower: float32(p.Lower), upper: float32(p.Upper)})
		}
		squares += e * e
		sizes += e
	}
	n := float64(len(in.Pairs))
	return train.Metrics{RMSE: math.Sqrt(squares / n), MAE: sizes / n}, nil
}

// fall returns what is left of the rate where a share of training is done: it falls
// evenly to zero over the second half, so that a short training ends as one of many more
// batches would, without the noise of the last ones.
func fall(done float64) float64 { return min(1, 2*(1-done)) }

// step trains on one batch at the given rate and returns its loss.
func (f *fitting) step(rate float64) float64 {
	f.ps.Prepare()
	f.tape.Reset()
	f.tape.ZeroGrad()
	out := f.net.score(f.tape, f.net.embed(f.tape, &f.batch), &f.pairs)
	f.dead = len(f.sized) > 1
	for i := range f.sized {
		f.dead = f.dead && out.Value[i*out.Cols] == out.Value[0]
	}
	loss, scale := 0.0, float32(1)
	if f.design.mean {
		scale = 1 / float32(len(f.sized))
	}
	for i, p := range f.sized {
		v, g := f.goal.loss(out.Value[i*out.Cols], p)
		loss += float64(v)
		out.Grad[i*out.Cols] = scale * g
	}
	f.tape.Backward()
	grad := f.tape.Grads()
	f.ops.Axpy(grad, float32(f.design.decay), f.ps.Flat())
	clip := f.design.clip
	if clip == 0 {
		clip = math.Inf(1)
	}
	f.adam.Update(f.ops, f.ps.Flat(), grad, rate, clip)
	return loss / float64(len(f.sized))
}

// learn lists the pairs to learn from.
func (f *fitting) learn() {
	f.train = examples(f.data.Train)
	all := 0
	for _, b := range f.data.Train {
		all += b.Pairs()
		f.until = append(f.until, all)
	}
}

// side is how many queries, and how many targets, a batch takes of a block at a time. To
// embed graphs takes most of a step; more of a kind in a batch teaches less.
const side = 2

// draw fills the batch with pairs: those of a few queries and targets of a block drawn at
// random, then of others; each graph is there once. Systems that want half of some kind
// draw pair by pair.
func (f *fitting) draw() {
	f.clear()
	cells := 0
	room := func() bool {
		return len(f.sized) < f.design.batch && (len(f.sized) == 0 || f.batch.Nodes() < batchNodes && cells < batchCells)
	}
	add := func(e example) {
		q, t := f.data.Graphs[e.q], f.data.Graphs[e.t]
		f.pairs.q = append(f.pairs.q, f.add(e.q))
		f.pairs.t = append(f.pairs.t, f.add(e.t))
		f.sized = append(f.sized, sized{f.size(q, t), e.lower, e.upper})
		cells += q.N() * t.N()
	}
	for room() {
		if len(f.half) > 0 {
			from := f.train
			if len(f.sized)%2 == 1 {
				from = f.half
			}
			add(from[f.rng.IntN(len(from))])
			continue
		}
		at, _ := slices.BinarySearch(f.until, f.rng.IntN(len(f.train))+1)
		b := &f.data.Train[at]
		targets := f.some(len(b.Targets))
		for _, i := range f.some(len(b.Queries)) {
			for _, j := range targets {
				if k := i*len(b.Targets) + j; b.Lower[k] == b.Lower[k] && room() {
					add(example{b.Queries[i], b.Targets[j], b.Lower[k], b.Upper[k]})
				}
			}
		}
	}
}

// some draws up to side different numbers below n.
func (f *fitting) some(n int) []int {
	var drawn []int
	for len(drawn) < min(side, n) {
		if i := f.rng.IntN(n); !slices.Contains(drawn, i) {
			drawn = append(drawn, i)
		}
	}
	return drawn
}

func (f *fitting) clear() {
	f.batch.Reset()
	f.pairs.reset()
	f.sized = f.sized[:0]
	clear(f.row)
}

func (f *fitting) add(g int32) int32 {
	row, ok := f.row[g]
	if !ok {
		row = int32(f.batch.Graphs())
		f.row[g] = row
		f.batch.Add(f.data.Graphs[g], f.rows)
	}
	return row
}

// mustDo panics unless predictions are wanted for the task that was learnt.
func (l *learner) mustDo(task edit.Task) {
	if task != l.task {
		panic(fmt.Sprintf("baseline: %s was made for %v, not %v", l.design.Name, l.task, task))
	}
}
