package train

import (
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/nn"
)

// balance scales the model's initial weights to the graphs of a batch and to the mean of the
// batch's distances.
func (t *Trainer) balance() {
	var d draw
	t.sampler.next(rand.New(rand.NewPCG(t.opt.Seed, 0x510e527fade682d1)), t.opt.Graphs, &d)
	var b nn.Batch
	b.Reset()
	for _, g := range d.graphs {
		b.Add(t.data.Graphs[g], t.rows)
	}
	t.model.Balance(&b)
	tape := nn.NewTape(t.model.Params(), t.ops, false)
	z := t.model.Encoder().Forward(tape, &b).Value
	n, dim := t.model.Norm(), t.model.Norm().Dim()
	predicted, labelled := 0.0, 0.0
	for _, p := range d.pairs {
		middle := float64(p.lower+p.upper) / 2
		if math.IsInf(middle, 0) {
			continue
		}
		predicted += n.Distance(z[int(p.q)*dim:][:dim], z[int(p.t)*dim:][:dim])
		labelled += middle
	}
	if predicted > 0 && labelled > 0 {
		t.model.Scale(float32(labelled / predicted))
	}
}
