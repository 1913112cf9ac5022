package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
)

// ErrDiverged is wrapped where the loss stops being a number.
var ErrDiverged = errors.New("training diverged; lower the learning rate")

// parts is how many parts a batch is split into. It is fixed, so that sums
// are added up in the same order whatever the number of workers.
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
	parts   [parts]part
	heads   [parts]head
	z       []float32 // [G, dim] embeddings of the batch
	grad    []float32

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

// state is what a checkpoint holds beside the numbers of the model.
type state struct {
	step    int
	adam    *nn.AdamW
	average []float32
	best    []float32
	metrics Metrics // of best
	since   int     // validations since best
}

// Metrics are errors over intervals: none inside [lower, upper], outside the
// distance to the nearer end.
type Metrics struct {
	RMSE float64 `json:"rmse"`
	MAE  float64 `json:"mae"`
}

// Progress tells how far training is.
type Progress struct {
	Step, Steps int
	Done        int     // steps of this run, since it began or was resumed
	Loss        float64 // mean squared interval error of the last batch
	Rate        float64
	Valid, Best Metrics
	Elapsed     time.Duration
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
	t.sampler = newSampler(m.Metadata().Task, data.Train)
	t.rows = m.Rows(data.Graphs[0].Vocabulary())
	flat := m.Params().Flat()
	for i := range t.parts {
		t.parts[i].tape = nn.NewTape(m.Params(), t.ops, true)
	}
	t.grad = make([]float32, len(flat))
	t.state = state{
		adam:    nn.NewAdamW(len(flat), opt.Decay),
		average: append([]float32(nil), flat...),
		metrics: Metrics{RMSE: math.Inf(1), MAE: math.Inf(1)},
	}
	return t, nil
}

// Run trains until the steps are done, patience is lost or the context ends,
// which is not an error, and leaves in the model the numbers that did best in
// validation. It calls progress after every validation.
func (t *Trainer) Run(ctx context.Context, progress func(Progress) error) (Metrics, error) {
	begin, first := time.Now(), t.state.step
	for t.state.step < t.opt.Steps && t.state.since < t.opt.Patience && ctx.Err() == nil {
		rate := t.opt.rate(t.state.step)
		loss, err := t.Step()
		if err != nil {
			return t.state.metrics, err
		}
		if t.state.step%t.opt.Validate != 0 && t.state.step != t.opt.Steps {
			continue
		}
		valid, err := t.validate(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return t.state.metrics, err
		}
		if err := progress(Progress{t.state.step, t.opt.Steps, t.state.step - first, loss, rate, valid, t.state.metrics, time.Since(begin)}); err != nil {
			return t.state.metrics, err
		}
	}
	if t.state.best != nil {
		copy(t.model.Params().Flat(), t.state.best)
	}
	return t.state.metrics, nil
}

// Step trains on one batch and returns its loss: the mean over pairs of
// max(0, lower − ŷ)² + max(0, ŷ − upper)².
func (t *Trainer) Step() (float64, error) {
	t.sampler.next(t.rng, t.opt.Graphs, &t.draw)
	ps := t.model.Params()
	ps.Prepare()
	dim := t.model.Norm().Dim()
	graphs := t.draw.graphs
	t.z = grow(t.z, len(graphs)*dim)

	t.each(func(i int) {
		p := &t.parts[i]
		p.begin, p.end = len(graphs)*i/parts, len(graphs)*(i+1)/parts
		p.batch.Reset()
		for _, g := range graphs[p.begin:p.end] {
			p.batch.Add(t.data.Graphs[g], t.rows)
		}
		p.tape.Reset()
		p.tape.ZeroGrad()
		p.out = t.model.Encoder(model.Query).Forward(p.tape, &p.batch)
		copy(t.z[p.begin*dim:p.end*dim], p.out.Value)
	})
	t.each(t.pairGradients)
	t.each(func(i int) {
		p := &t.parts[i]
		for h := range t.heads {
			dz := t.heads[h].dz[p.begin*dim : p.end*dim]
			for k, g := range dz {
				p.out.Grad[k] += g
			}
		}
		p.tape.Backward()
	})

	loss := 0.0
	for i := range t.heads {
		loss += t.heads[i].loss
	}
	loss /= float64(max(1, len(t.draw.pairs)))
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss, fmt.Errorf("step %d: loss %v: %w", t.state.step, loss, ErrDiverged)
	}
	copy(t.grad, t.parts[0].tape.Grads())
	for i := 1; i < parts; i++ {
		t.ops.Add(t.grad, t.parts[i].tape.Grads())
	}
	t.state.adam.Update(t.ops, ps.Flat(), t.grad, t.opt.rate(t.state.step), t.opt.Clip)
	t.state.step++
	t.updateAverage()
	return loss, nil
}

// pairGradients adds the gradients of share i of the pairs to its own dz.
func (t *Trainer) pairGradients(i int) {
	h := &t.heads[i]
	n := t.model.Norm()
	dim := n.Dim()
	h.dz = grow(h.dz, len(t.draw.graphs)*dim)
	clear(h.dz)
	h.loss = 0
	all := t.draw.pairs
	scale := 2 / float32(max(1, len(all)))
	for _, p := range all[len(all)*i/parts : len(all)*(i+1)/parts] {
		q, x := int(p.q)*dim, int(p.t)*dim
		nn.DistanceGrad(&n, t.z[q:q+dim], t.z[x:x+dim], h.dz[q:q+dim], h.dz[x:x+dim], func(d float32) float32 {
			e := intervalError(d, p.lower, p.upper)
			h.loss += float64(e) * float64(e)
			return scale * e
		})
	}
}

// intervalError returns how far d lies above (positive) or below (negative)
// the interval, zero inside.
func intervalError(d, lower, upper float32) float32 {
	return max(d-upper, 0) - max(lower-d, 0)
}

// updateAverage moves the running average of the weights. Early on it forgets
// faster, so that the start does not weigh in.
func (t *Trainer) updateAverage() {
	keep := float32(min(t.opt.Average, float64(t.state.step)/float64(t.state.step+10)))
	avg := t.state.average
	for i, w := range t.model.Params().Flat() {
		avg[i] += (1 - keep) * (w - avg[i])
	}
}

// each runs f for every part on the workers.
func (t *Trainer) each(f func(part int)) {
	if t.opt.Workers == 1 {
		for i := range parts {
			f(i)
		}
		return
	}
	var next sync.WaitGroup
	for w := range min(t.opt.Workers, parts) {
		next.Go(func() {
			for i := w; i < parts; i += min(t.opt.Workers, parts) {
				f(i)
			}
		})
	}
	next.Wait()
}

func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
