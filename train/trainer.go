package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
)

// parts is the number of parts of a batch. It is fixed, so that sums do not depend on the
// number of workers.
const parts = 4

// Trainer fits one model. It is not safe for concurrent use.
type Trainer struct {
	model *model.Model
	data  Data
	opt   Options
	ops   kernel.Ops

	sampler *sampler
	rng     *rand.Rand
	source  *rand.PCG
	draw    draw
	rows    nn.Rows
	counted []nn.Sparse // by graph; nil: not known yet
	z       []float32   // [G, dim] embeddings of the batch
	parts   [parts]part
	heads   [parts]head
	grad    []float32
	crew    crew
	start   []float32 // the numbers at first
	strange bool      // validation has labels that the model does not know
	// fingerprint is that of the data, computed once: hashing millions of pairs for each
	// checkpoint would take longer than writing it.
	fingerprint func() string

	state state
}

// part is a worker's share of the graphs of a batch.
type part struct {
	tape       *nn.Tape
	batch      nn.Batch
	out        *nn.Var
	begin, end int
}

// head is a worker's share of the pairs of a batch.
type head struct {
	dz   []float32 // [G, dim]
	loss float64
}

// state is what a checkpoint holds besides the model's weights.
type state struct {
	step    int
	adam    *nn.AdamW
	muon    *nn.Muon
	average []float32
	best    []float32
	metrics Metrics // of best
	since   int     // validations since best
	slow    bool    // training has diverged once
}

// Metrics are errors relative to intervals: zero inside [lower, upper], outside the distance
// to the nearer end.
type Metrics struct {
	RMSE float64 `json:"rmse"`
	MAE  float64 `json:"mae"`
	// Score is the mean of the errors weighed as in the loss ([Near.Goal]), by which checkpoints and
	// norms are chosen. Without weights it is MAE.
	Score float64 `json:"score"`
}

// Progress is the progress of training.
type Progress struct {
	Trial       string // the norm that is being tried; empty in training proper
	Step, Steps int
	Done        int     // steps of this run, since it began or was resumed
	Loss        float64 // mean squared interval error of the last batch
	Rate        float64
	Valid, Best Metrics
	Elapsed     time.Duration
	// Diverged reports that the loss became infinite or NaN, and that training continues from
	// Best at a lower rate. Loss is that loss; Valid is not set.
	Diverged bool
}

// New returns a trainer of m on data.
func New(m *model.Model, data Data, opt Options) (*Trainer, error) {
	if err := errors.Join(opt.Check(), data.Check()); err != nil {
		return nil, err
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	t := &Trainer{model: m, data: data, opt: opt, ops: kernel.Best(), source: rand.NewPCG(opt.Seed, 0x6a09e667f3bcc908)}
	t.rng = rand.New(t.source)
	t.sampler = newSampler(m.Metadata().Task, data.Graphs, data.Train, NewNear(m.Metadata().Costs, opt.Near))
	t.rows = m.Rows(data.Graphs[0].Vocabulary())
	if t.rows.Counts != nil {
		t.counted = make([]nn.Sparse, len(data.Graphs))
	}
	t.strange = t.hasStrange()
	t.fingerprint = sync.OnceValue(data.Fingerprint)
	t.balance()
	flat := m.Params().Flat()
	for i := range parts {
		t.parts[i].tape = nn.NewTape(m.Params(), t.ops, true)
	}
	t.crew.hire(t, min(opt.Workers, parts))
	t.grad = make([]float32, len(flat))
	t.start = append([]float32(nil), flat...)
	t.state = state{
		adam:    nn.NewAdamW(len(flat), opt.Decay),
		muon:    nn.NewMuon(m.Params(), t.matrices()),
		average: append([]float32(nil), flat...),
		metrics: Metrics{RMSE: math.Inf(1), MAE: math.Inf(1), Score: math.Inf(1)},
	}
	return t, nil
}

// Run trains until the steps are done, patience runs out or the context ends, which is not an
// error. It leaves the weights with the best validation error in the model, and calls
// progress after every validation. When the loss first becomes infinite or NaN, training
// continues from the best weights so far at a tenth of the rate. The second time, Run keeps
// these weights and returns an error that wraps [ErrDiverged].
func (t *Trainer) Run(ctx context.Context, progress func(Progress) error) (Metrics, error) {
	begin, first := time.Now(), t.state.step
	var failed error
	for t.state.step < t.opt.Steps && t.state.since < t.opt.Patience && ctx.Err() == nil {
		p := Progress{Steps: t.opt.Steps, Rate: t.rate()}
		p.Loss, failed = t.Step()
		if failed == nil {
			if t.state.step%t.opt.Validate != 0 && t.state.step != t.opt.Steps {
				continue
			}
			p.Valid, failed = t.validate(ctx)
			if ctx.Err() != nil {
				failed = nil
				break
			}
		}
		if p.Diverged = errors.Is(failed, ErrDiverged) && t.recover(); p.Diverged {
			failed = nil
		}
		if failed != nil {
			break
		}
		p.Step, p.Done, p.Best, p.Elapsed = t.state.step, t.state.step-first, t.state.metrics, time.Since(begin)
		if failed = progress(p); failed != nil {
			break
		}
	}
	if t.state.best != nil {
		copy(t.model.Params().Flat(), t.state.best)
	}
	return t.state.metrics, failed
}

// Step trains on one batch and returns its loss: the mean over pairs, weighed by
// [Options].Near, of max(0, lower − ŷ)² + max(0, ŷ − upper)².
func (t *Trainer) Step() (float64, error) {
	t.sampler.next(t.rng, t.opt.Graphs, &t.draw)
	loss := t.gradient()
	if err := t.sane(loss); err != nil {
		return loss, err
	}
	t.update()
	return loss, nil
}

// gradient returns the loss of the current batch and sets grad to its gradient.
func (t *Trainer) gradient() (loss float64) {
	t.z = grow(t.z, len(t.draw.graphs)*t.model.Norm().Dim())
	t.crew.each(parts+1, t.crew.embed)
	t.crew.each(parts, t.crew.pairs)
	t.crew.each(parts, t.crew.back)
	t.crew.each(parts, t.crew.sum)
	for i := range t.heads {
		loss += t.heads[i].loss
	}
	return loss / max(t.draw.weight, leastWeight)
}

// embed writes the embeddings of share i of the graphs to z. The last share also prepares the
// backward pass.
func (t *Trainer) embed(i int) {
	if i == parts {
		t.model.Params().Prepare()
		return
	}
	p, n := &t.parts[i], len(t.draw.graphs)
	dim := t.model.Norm().Dim()
	p.begin, p.end = n*i/parts, n*(i+1)/parts
	p.batch.Reset()
	for _, g := range t.draw.graphs[p.begin:p.end] {
		t.add(&p.batch, g)
	}
	p.tape.Reset()
	p.tape.ZeroGrad()
	p.out = t.model.Encoder().Forward(p.tape, &p.batch)
	copy(t.z[p.begin*dim:p.end*dim], p.out.Value)
}

// add appends graph g to a batch. Its counts are cached: counting takes longer than the rest
// of a step on counts alone. The graphs of a batch are distinct, so workers do not write the
// same entry.
func (t *Trainer) add(b *nn.Batch, g int32) {
	if t.counted != nil && t.counted[g] != nil {
		b.AddCounted(t.data.Graphs[g], t.counted[g], t.rows)
		return
	}
	b.Add(t.data.Graphs[g], t.rows)
	if t.counted != nil {
		t.counted[g] = b.Last()
	}
}

// pairGradients adds the gradients of share i of the pairs to its own dz.
func (t *Trainer) pairGradients(i int) {
	h, n := &t.heads[i], t.model.Norm()
	dim := n.Dim()
	h.dz = grow(h.dz, len(t.draw.graphs)*dim)
	clear(h.dz)
	h.loss = 0
	all := t.draw.pairs
	scale := 2 / float32(max(t.draw.weight, leastWeight))
	for _, p := range all[len(all)*i/parts : len(all)*(i+1)/parts] {
		q, x := int(p.q)*dim, int(p.t)*dim
		nn.DistanceGrad(&n, t.z[q:q+dim], t.z[x:x+dim], h.dz[q:q+dim], h.dz[x:x+dim], func(d float32) float32 {
			e := intervalError(d, p.lower, p.upper)
			h.loss += float64(p.weight) * float64(e) * float64(e)
			return scale * p.weight * e
		})
	}
}

// leastWeight keeps the loss of a batch without pairs from being NaN.
const leastWeight = 1e-30

// back runs the backward pass of share i of the graphs.
func (t *Trainer) back(i int) {
	p := &t.parts[i]
	dim := t.model.Norm().Dim()
	for h := range t.heads {
		t.ops.Add(p.out.Grad, t.heads[h].dz[p.begin*dim:p.end*dim])
	}
	p.tape.Backward()
}

// intervalError returns how far d is above (positive) or below (negative) the interval, zero
// inside.
func intervalError(d, lower, upper float32) float32 {
	return max(d-upper, 0) - max(lower-d, 0)
}

func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
