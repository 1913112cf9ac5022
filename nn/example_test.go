package nn_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/nn"
)

// A network of one's own learns how many nodes of graphs are labelled n1: one
// round of message passing, the sum over nodes and a linear map, of which column 0 is the answer.
func Example() {
	rng := rand.New(rand.NewPCG(1, 1))
	ps := new(nn.Params)
	table := ps.Add("table", 4, 16)
	weight, bias, eps := ps.Add("weight", 16, 16), ps.Add("bias", 1, 16), ps.Add("eps", 1, 1)
	last := ps.Add("last", 16, 16)
	for _, p := range ps.All() {
		ps.InitUniform(p, 16, rng)
	}
	network := func(t *nn.Tape, b *nn.Batch) *nn.Var {
		x := t.Lookup(table, b.Node)
		x = t.Linear(t.GIN(x, eps, b, nn.Both), weight, bias, true)
		return t.Linear(t.SumPool(b, x), last, nil, false)
	}

	vocab := graph.NewVocabulary()
	batch := new(nn.Batch)
	tape := nn.NewTape(ps, kernel.Best(), true)
	adam := nn.NewAdamW(len(ps.Flat()), 0)
	var first, loss float32
	for step := range 500 {
		batch.Reset()
		var counts []float32
		for range 20 {
			g := graphtest.Random(rng, vocab, 1+rng.IntN(8), 0.3, false)
			batch.Add(g, rowsOf(vocab))
			n := float32(0)
			for v := range g.N() {
				if g.LabelText(v) == "n1" {
					n++
				}
			}
			counts = append(counts, n)
		}
		ps.Prepare()
		tape.Reset()
		tape.ZeroGrad()
		out := network(tape, batch)
		loss = 0
		for i, want := range counts {
			e := out.Value[i*out.Cols] - want
			loss += e * e / 20
			out.Grad[i*out.Cols] = 2 * e / 20
		}
		tape.Backward()
		adam.Update(kernel.Best(), ps.Flat(), tape.Grads(), 0.01, 1)
		if step == 0 {
			first = loss
		}
	}
	fmt.Println("the loss fell to less than a tenth:", loss < first/10)
	// Output: the loss fell to less than a tenth: true
}
