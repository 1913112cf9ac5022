package nn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/nn"
)

// rowsOf gives every label of vocab its own row.
func rowsOf(vocab *graph.Vocabulary) nn.Rows {
	rows := nn.Rows{}
	for l := range vocab.Nodes() {
		rows.Node = append(rows.Node, int32(l))
	}
	for l := range vocab.Edges() {
		rows.Edge = append(rows.Edge, int32(l))
	}
	return rows
}

func randomBatch(rng *rand.Rand, directed bool) (*nn.Batch, *graph.Vocabulary) {
	vocab := graph.NewVocabulary()
	for i := range 3 {
		vocab.Node(fmt.Sprint("n", i))
		vocab.Edge(fmt.Sprint("e", i%2))
	}
	b := new(nn.Batch)
	b.Reset()
	for _, n := range []int{5, 1, 9, 4} {
		b.Add(graphtest.Random(rng, vocab, n, 0.3, directed), rowsOf(vocab))
	}
	return b, vocab
}

// operation is a small network around one operation.
type operation struct {
	name string
	make func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var
}

const width = 16

func linear(ps *nn.Params, name string, in int) (w, b *nn.Param) {
	return ps.Add(name+".w", in, width), ps.Add(name+".b", 1, width)
}

var operations = []operation{
	{"Lookup", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return t.Lookup(table, b.Node) }
	}},
	{"Linear", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		w1, b1 := linear(ps, "one", width)
		w2, b2 := linear(ps, "two", width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return t.Linear(t.Linear(t.Lookup(table, b.Node), w1, b1, true), w2, b2, false)
		}
	}},
	{"GIN", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, eps := ps.Add("table", 4, width), ps.Add("eps", 1, 1)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return t.GIN(t.Lookup(table, b.Node), eps, b, nn.Both) }
	}},
	{"GINE", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, eps, edges := ps.Add("table", 4, width), ps.Add("eps", 1, 1), ps.Add("edges", 6, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return t.GINE(t.Lookup(table, b.Node), eps, edges, b, nn.Both) }
	}},
	{"AddReLU", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			x := t.Lookup(one, b.Node)
			return t.ReLU(t.Add(x, t.Add(x, t.Lookup(two, b.Node))))
		}
	}},
	{"SumPool", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return t.SumPool(b, t.Lookup(one, b.Node), t.Lookup(two, b.Node))
		}
	}},
	{"Ways", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, eps, edges := ps.Add("table", 4, width), ps.Add("eps", 1, 1), ps.Add("edges", 6, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			x := t.Lookup(table, b.Node)
			along, against := nn.Along, nn.Against
			if len(b.Along.From) == 0 { // of undirected graphs
				along, against = nn.Both, nn.Both
			}
			return t.Concat(t.GIN(x, eps, b, along), t.GINE(x, eps, edges, b, against))
		}
	}},
	{"AddLookup", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return t.ReLU(t.AddLookup(t.Lookup(one, b.Node), two, b.Node))
		}
	}},
	{"LinearWithoutBias", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, w := ps.Add("table", 4, width), ps.Add("w", width, 2*width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return t.Linear(t.Lookup(table, b.Node), w, nil, true) }
	}},
}

// TestGradients compares the derivative along random directions with central
// differences, for every operation, at every level of instructions.
func TestGradients(t *testing.T) {
	for _, op := range operations {
		for _, directed := range []bool{false, true} {
			for _, level := range kernel.Levels() {
				t.Run(fmt.Sprintf("%s/directed=%v/%v", op.name, directed, level), func(t *testing.T) {
					checkGradient(t, op, directed, level)
				})
			}
		}
	}
}

func checkGradient(t *testing.T, op operation, directed bool, level kernel.Level) {
	rng := rand.New(rand.NewPCG(7, 11))
	batch, _ := randomBatch(rng, directed)
	ps := new(nn.Params)
	forward := op.make(ps)
	for _, p := range ps.All() {
		ps.InitUniform(p, 1, rng)
	}
	ps.Prepare()
	tape := nn.NewTape(ps, kernel.At(level), true)
	out := forward(tape, batch)
	weight := make([]float32, len(out.Value))
	for i := range weight {
		weight[i] = float32(rng.NormFloat64())
	}
	loss := func() float64 {
		tape.Reset()
		sum := 0.0
		for i, x := range forward(tape, batch).Value {
			sum += float64(x) * float64(weight[i])
		}
		return sum
	}
	loss()
	tape.Reset()
	out = forward(tape, batch)
	copy(out.Grad, weight)
	tape.Backward()
	grads := append([]float32(nil), tape.Grads()...)
	flat := ps.Flat()
	start := append([]float32(nil), flat...)
	const h = 1e-3
	for _, p := range ps.All() {
		for range 10 {
			direction := make([]float32, len(flat))
			part := p.Of(direction)
			want, size := 0.0, 0.0
			for i, g := range p.Of(grads) {
				part[i] = float32(rng.NormFloat64())
				want += float64(part[i]) * float64(g)
				size += math.Abs(float64(part[i]) * float64(g))
			}
			at := func(x float32) float64 {
				for i := range flat {
					flat[i] = start[i] + x*direction[i]
				}
				return loss()
			}
			got := (at(h) - at(-h)) / (2 * h)
			copy(flat, start)
			if math.Abs(got-want) > 0.01*size+0.02 {
				t.Errorf("%s: difference quotient %g, gradient %g", p.Name, got, want)
			}
		}
	}
}

// TestNoGraphs: a batch without graphs is no error.
func TestNoGraphs(t *testing.T) {
	b := new(nn.Batch)
	b.Reset()
	for _, op := range operations {
		ps := new(nn.Params)
		forward := op.make(ps)
		ps.Prepare()
		tape := nn.NewTape(ps, kernel.Best(), true)
		if out := forward(tape, b); out.Rows != 0 {
			t.Errorf("%s: %d rows", op.name, out.Rows)
		}
		tape.Backward()
		for _, g := range tape.Grads() {
			if g != 0 {
				t.Fatalf("%s: gradient %v", op.name, g)
			}
		}
	}
}

// TestSteadyStateAllocatesNothing: after a first pass, tapes reuse memory.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	batch, _ := randomBatch(rng, true)
	for _, op := range operations {
		ps := new(nn.Params)
		forward := op.make(ps)
		ps.Prepare()
		tape := nn.NewTape(ps, kernel.Best(), true)
		if n := testing.AllocsPerRun(20, func() {
			tape.Reset()
			forward(tape, batch).Grad[0] = 1
			tape.Backward()
		}); n > 0 {
			t.Errorf("%s: %v allocations a pass", op.name, n)
		}
	}
}
