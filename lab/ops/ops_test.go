package ops_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/ops"
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

var operations = []operation{
	{"GCN", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.GCN(t, t.Lookup(table, b.Node), b) }
	}},
	{"Mean", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Mean(t, t.Lookup(table, b.Node), b) }
	}},
	{"Attention", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, to, from, bias := ps.Add("table", 4, width), ps.Add("to", 1, width), ps.Add("from", 1, width), ps.Add("bias", 1, 1)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			x := t.Lookup(table, b.Node)
			start, index := b.Start, b.From
			score := t.Add(ops.Spread(t, ops.Dot(t, x, to, bias), start), ops.Gather(t, ops.Dot(t, x, from, nil), index))
			weight := ops.SegmentSoftmax(t, ops.LeakyReLU(t, score, 0.2), start)
			return ops.SegmentSum(t, ops.MulColumn(t, ops.Gather(t, x, index), weight), start)
		}
	}},
	{"SegmentSoftmax", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return ops.SegmentSoftmax(t, t.Lookup(table, b.Node), b.Segment)
		}
	}},
	{"SegmentMean", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.SegmentMean(t, t.Lookup(table, b.Node), b.Segment) }
	}},
	{"SegmentMax", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.SegmentMax(t, t.Lookup(table, b.Node), b.Segment) }
	}},
	{"Length", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Length(t, t.Lookup(table, b.Node)) }
	}},
	{"Mul", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Mul(t, t.Lookup(one, b.Node), t.Lookup(two, b.Node)) }
	}},
	{"LayerNorm", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, scale, bias := ps.Add("table", 4, width), ps.Add("scale", 1, width), ps.Add("bias", 1, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.LayerNorm(t, t.Lookup(table, b.Node), scale, bias) }
	}},
	{"Sigmoid", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Sigmoid(t, t.Lookup(table, b.Node)) }
	}},
	{"Tanh", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Tanh(t, t.Lookup(table, b.Node)) }
	}},
	{"Bias", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table, one, two := ps.Add("table", 4, width), ps.Add("one", 1, width), ps.Add("two", 1, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return ops.Bias(t, ops.Bias(t, t.Lookup(table, b.Node), one, true), two, false)
		}
	}},
	{"Sub", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Sub(t, t.Lookup(one, b.Node), t.Lookup(two, b.Node)) }
	}},
	{"Match", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two, blocks := ps.Add("one", 4, width), ps.Add("two", 4, width), new(ops.Blocks)
		del, ins := ps.Add("del", 1, width), ps.Add("ins", 1, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			pairBlocks(blocks, b)
			x, y := t.Lookup(one, b.Node), t.Lookup(two, b.Node)
			return ops.Match(t, ops.CellDots(t, x, y, blocks), ops.Dot(t, ops.BlockRows(t, x, blocks), del, nil), ops.Dot(t, ops.BlockCols(t, y, blocks), ins, nil), blocks)
		}
	}},
	{"Perspectives", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two, w := ps.Add("one", 4, width), ps.Add("two", 4, width), ps.Add("w", width, 2*width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return ops.Perspectives(t, t.Lookup(one, b.Node), t.Lookup(two, b.Node), w)
		}
	}},
	{"RowDot", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return ops.RowDot(t, t.Lookup(one, b.Node), t.Lookup(two, b.Node))
		}
	}},
	{"PartDot", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two := ps.Add("one", 4, 3*width), ps.Add("two", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			return ops.PartDot(t, t.Lookup(one, b.Node), t.Lookup(two, b.Node))
		}
	}},
	{"Unit", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		table := ps.Add("table", 4, width)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var { return ops.Unit(t, t.Lookup(table, b.Node)) }
	}},
	{"BlockRows", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two, blocks := ps.Add("one", 4, width), ps.Add("two", 4, width), new(ops.Blocks)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			pairBlocks(blocks, b)
			x, y := t.Lookup(one, b.Node), t.Lookup(two, b.Node)
			return t.Add(ops.SegmentSum(t, ops.BlockRows(t, x, blocks), blocks.Of), ops.SegmentSum(t, ops.BlockCols(t, y, blocks), blocks.Col))
		}
	}},
	{"CellDots", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two, blocks := ps.Add("one", 4, width), ps.Add("two", 4, width), new(ops.Blocks)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			pairBlocks(blocks, b)
			return ops.CellDots(t, t.Lookup(one, b.Node), t.Lookup(two, b.Node), blocks)
		}
	}},
	{"CellSums", func(ps *nn.Params) func(*nn.Tape, *nn.Batch) *nn.Var {
		one, two, blocks := ps.Add("one", 4, width), ps.Add("two", 4, width), new(ops.Blocks)
		return func(t *nn.Tape, b *nn.Batch) *nn.Var {
			pairBlocks(blocks, b)
			x, y := t.Lookup(one, b.Node), t.Lookup(two, b.Node)
			return ops.CellSums(t, ops.SegmentSoftmax(t, ops.CellDots(t, x, y, blocks), blocks.Row), y, blocks)
		}
	}},
}

// pairBlocks pairs every graph with the next, and the last with the first.
func pairBlocks(blocks *ops.Blocks, b *nn.Batch) {
	blocks.Reset()
	for g := range b.Graphs() {
		h := (g + 1) % b.Graphs()
		blocks.Add(b.Segment[g], b.Segment[g+1], b.Segment[h], b.Segment[h+1])
	}
}

// TestGradients compares the derivative along random directions with central
// differences, for every operation, at every level of instructions.
func TestGradients(t *testing.T) {
	for _, op := range operations {
		for _, level := range kernel.Levels() {
			t.Run(fmt.Sprintf("%s/%v", op.name, level), func(t *testing.T) { checkGradient(t, op, false, level) })
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

// TestMatchIsLeast compares with the assignments of all permutations.
func TestMatchIsLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n, m := int32(rng.IntN(4)), int32(rng.IntN(4))
		blocks := new(ops.Blocks)
		blocks.Reset()
		blocks.Add(0, n, 0, m)
		tape := nn.NewTape(new(nn.Params), kernel.Best(), false)
		fill := func(rows int32) *nn.Var {
			v := tape.Input(int(rows), 1)
			for i := range v.Value {
				v.Value[i] = float32(rng.NormFloat64())
			}
			return v
		}
		cost, del, ins := fill(n*m), fill(n), fill(m)
		least := math.Inf(1)
		var try func(i int32, used int, sum float64)
		try = func(i int32, used int, sum float64) {
			if i == n {
				for j := range m {
					if used>>j&1 == 0 {
						sum += float64(ins.Value[j])
					}
				}
				least = min(least, sum)
				return
			}
			try(i+1, used, sum+float64(del.Value[i]))
			for j := range m {
				if used>>j&1 == 0 {
					try(i+1, used|1<<j, sum+float64(cost.Value[i*m+j]))
				}
			}
		}
		try(0, 0, 0)
		if got := float64(ops.Match(tape, cost, del, ins, blocks).Value[0]); math.Abs(got-least) > 1e-5 {
			t.Fatalf("%d × %d: %v, least is %v", n, m, got, least)
		}
	}
}
