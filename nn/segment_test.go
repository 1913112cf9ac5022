package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/graphtest"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// input returns a tape with a matrix of random numbers.
func input(rng *rand.Rand, ps *nn.Params, rows, cols int) (*nn.Tape, *nn.Var) {
	t := nn.NewTape(ps, kernel.Best(), false)
	x := t.Input(rows, cols)
	copy(x.Value, vector(rng, rows*cols))
	return t, x
}

func near(t *testing.T, name string, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
	}
	for i, x := range got {
		if !(math.Abs(float64(x)-want[i]) < 1e-4) {
			t.Fatalf("%s: value %d is %v, want %v", name, i, x, want[i])
		}
	}
}

// TestSegmentsOneByOne computes every segment by itself, empty ones included.
func TestSegmentsOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	start := []int32{0, 3, 3, 4, 9, 9}
	const c = 5
	tape, x := input(rng, new(nn.Params), 9, c)
	var sum, mean, greatest, spread []float64
	soft := make([]float64, len(x.Value))
	for s := range len(start) - 1 {
		for j := range c {
			total, best, expTotal := 0.0, math.Inf(-1), 0.0
			n := int(start[s+1] - start[s])
			for v := start[s]; v < start[s+1]; v++ {
				a := float64(x.Value[int(v)*c+j])
				total += a
				best = max(best, a)
				expTotal += math.Exp(a)
			}
			for v := start[s]; v < start[s+1]; v++ {
				soft[int(v)*c+j] = math.Exp(float64(x.Value[int(v)*c+j])) / expTotal
			}
			if n == 0 {
				best = 0
			}
			sum = append(sum, total)
			mean = append(mean, total/float64(max(1, n)))
			greatest = append(greatest, best)
		}
		for range start[s+1] - start[s] {
			spread = append(spread, sum[s*c:]...)
		}
	}
	near(t, "SegmentSum", tape.SegmentSum(x, start).Value, sum)
	near(t, "SegmentMean", tape.SegmentMean(x, start).Value, mean)
	near(t, "SegmentMax", tape.SegmentMax(x, start).Value, greatest)
	near(t, "SegmentSoftmax", tape.SegmentSoftmax(x, start).Value, soft)
	near(t, "Spread", tape.Spread(tape.SegmentSum(x, start), start).Value, spread)
}

// TestSoftmaxOfLargeNumbers does not overflow.
func TestSoftmaxOfLargeNumbers(t *testing.T) {
	tape := nn.NewTape(new(nn.Params), kernel.Best(), false)
	x := tape.Input(3, 1)
	copy(x.Value, []float32{1e30, 1e30, -1e30})
	near(t, "SegmentSoftmax", tape.SegmentSoftmax(x, []int32{0, 3}).Value, []float64{0.5, 0.5, 0})
}

// TestAggregationIsAMatrix compares sums over neighbours with products by the
// adjacency matrix, in each direction.
func TestAggregationIsAMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, directed := range []bool{false, true} {
		for range 30 {
			vocab := graph.NewVocabulary()
			g := graphtest.Random(rng, vocab, 1+rng.IntN(9), 0.3, directed)
			var b nn.Batch
			b.Reset()
			b.Add(g, rowsOf(vocab))
			ways := []nn.Way{nn.Both}
			if directed {
				ways = []nn.Way{nn.Both, nn.Along, nn.Against}
			}
			for _, w := range ways {
				checkAggregation(t, rng, &b, w)
			}
		}
	}
}

// adjacency returns the matrix of a way: row v counts the arcs from others.
func adjacency(b *nn.Batch, w nn.Way) [][]float64 {
	arcs := b.Arcs
	a := make([][]float64, b.Nodes())
	for v := range a {
		a[v] = make([]float64, b.Nodes())
		for e := arcs.Start[v]; e < arcs.Start[v+1]; e++ {
			if w == nn.Both || (w == nn.Against) == (arcs.Edge[e]%2 == 1) {
				a[v][arcs.From[e]]++
			}
		}
	}
	return a
}

func checkAggregation(t *testing.T, rng *rand.Rand, b *nn.Batch, w nn.Way) {
	t.Helper()
	ps := new(nn.Params)
	eps := ps.Add("eps", 1, 1)
	ps.Value(eps)[0] = 0.5
	n := b.Nodes()
	tape, x := input(rng, ps, n, width)
	a := adjacency(b, w)
	in, out := make([]float64, n), make([]float64, n)
	for v := range n {
		for u := range n {
			out[v] += a[v][u]
			in[u] += a[v][u]
		}
	}
	var gin, gcn, mean []float64
	for v := range n {
		for j := range width {
			at := func(u int) float64 { return float64(x.Value[u*width+j]) }
			plain, normal := 0.0, at(v)/math.Sqrt((1+out[v])*(1+in[v]))
			for u := range n {
				plain += a[v][u] * at(u)
				normal += a[v][u] * at(u) / math.Sqrt((1+out[v])*(1+in[u]))
			}
			gin = append(gin, 1.5*at(v)+plain)
			gcn = append(gcn, normal)
			mean = append(mean, plain/max(1, out[v]))
		}
	}
	near(t, "GIN", tape.GIN(x, eps, b, w).Value, gin)
	near(t, "GCN", tape.GCN(x, b, w).Value, gcn)
	near(t, "Mean", tape.Mean(x, b, w).Value, mean)
}

func TestOneHot(t *testing.T) {
	ps := new(nn.Params)
	unknown := ps.Add("unknown", 1, 4)
	copy(ps.Value(unknown), []float32{0, 0.5, 0.25, 0.25})
	tape := nn.NewTape(ps, kernel.Best(), true)
	got := tape.OneHot(unknown, &nn.Batch{Node: []int32{2, 0, 1}})
	near(t, "OneHot", got.Value, []float64{0, 0, 1, 0, 0, 0.5, 0.25, 0.25, 0, 1, 0, 0})
}
