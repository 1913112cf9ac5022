package ops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// input returns a tape with a matrix of random numbers.
func input(rng *rand.Rand, rows, cols int) (*nn.Tape, *nn.Var) {
	t := nn.NewTape(new(nn.Params), kernel.Best(), false)
	x := t.Input(rows, cols)
	for i := range x.Value {
		x.Value[i] = float32(rng.NormFloat64())
	}
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
	tape, x := input(rng, 9, c)
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
	near(t, "SegmentSum", ops.SegmentSum(tape, x, start).Value, sum)
	near(t, "SegmentMean", ops.SegmentMean(tape, x, start).Value, mean)
	near(t, "SegmentMax", ops.SegmentMax(tape, x, start).Value, greatest)
	near(t, "SegmentSoftmax", ops.SegmentSoftmax(tape, x, start).Value, soft)
	near(t, "Spread", ops.Spread(tape, ops.SegmentSum(tape, x, start), start).Value, spread)
}

// TestSoftmaxOfLargeNumbers does not overflow.
func TestSoftmaxOfLargeNumbers(t *testing.T) {
	tape := nn.NewTape(new(nn.Params), kernel.Best(), false)
	x := tape.Input(3, 1)
	copy(x.Value, []float32{1e30, 1e30, -1e30})
	near(t, "SegmentSoftmax", ops.SegmentSoftmax(tape, x, []int32{0, 3}).Value, []float64{0.5, 0.5, 0})
}

// TestAggregationIsAMatrix compares sums over neighbours with products by the adjacency matrix.
func TestAggregationIsAMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, directed := range []bool{false, true} {
		b, _ := randomBatch(rng, directed)
		n := b.Nodes()
		tape, x := input(rng, n, width)
		var gcn, mean []float64
		for v := range n {
			from := b.From[b.Start[v]:b.Start[v+1]]
			degree := func(u int32) float64 { return 1 + float64(b.Start[u+1]-b.Start[u]) }
			for j := range width {
				at := func(u int32) float64 { return float64(x.Value[int(u)*width+j]) }
				plain, normal := 0.0, at(int32(v))/degree(int32(v))
				for _, u := range from {
					plain += at(u)
					normal += at(u) / math.Sqrt(degree(int32(v))*degree(u))
				}
				gcn = append(gcn, normal)
				mean = append(mean, plain/max(1, float64(len(from))))
			}
		}
		near(t, "GCN", ops.GCN(tape, x, b).Value, gcn)
		near(t, "Mean", ops.Mean(tape, x, b).Value, mean)
	}
}
