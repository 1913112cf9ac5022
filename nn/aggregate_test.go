package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/graphtest"
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
	var gin []float64
	for v := range n {
		for j := range width {
			at := func(u int) float64 { return float64(x.Value[u*width+j]) }
			plain := 0.0
			for u := range n {
				plain += a[v][u] * at(u)
			}
			gin = append(gin, 1.5*at(v)+plain)
		}
	}
	near(t, "GIN", tape.GIN(x, eps, b, w).Value, gin)
}
