package truth

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

func TestMain(m *testing.M) {
	sweep.LazyGC()
	goleak.VerifyTestMain(m)
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// collection returns small random graphs over one vocabulary.
func collection(vocab *graph.Vocabulary, seed uint64, count int) []*graph.Graph {
	rng := newRand(seed)
	graphs := make([]*graph.Graph, count)
	for i := range graphs {
		b := graph.NewBuilder(vocab, false)
		n := 1 + rng.IntN(6)
		for v := range n {
			b.AddNode(string(rune('A' + rng.IntN(3))))
			for u := range v {
				if rng.IntN(2) == 0 {
					if err := b.AddEdge(u, v, "e"); err != nil {
						panic(err)
					}
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			panic(err)
		}
		graphs[i] = g
	}
	return graphs
}

// fake is a solver whose labels are a function of the pair, some exact and some
// not. It calls before, if not nil, ahead of every pair.
type fake struct {
	before func() error
	sleep  time.Duration
}

func (f fake) Distance(ctx context.Context, q, t *graph.Graph, _ ged.Options) (ged.Result, error) {
	if f.before != nil {
		if err := f.before(); err != nil {
			return ged.Result{}, err
		}
	}
	select {
	case <-ctx.Done():
		return ged.Result{Lower: 0, Upper: 1e6, Map: make(edit.NodeMap, q.N())}, nil
	case <-time.After(f.sleep):
	}
	h := q.Hash() ^ t.Hash()*31
	m := make(edit.NodeMap, q.N())
	for v := range m {
		m[v] = int((h>>v)%uint64(t.N()+1)) - 1
	}
	lower := float64(h % 20)
	upper := lower + float64((h>>8)%3)/3
	return ged.Result{Lower: lower, Upper: upper, Map: m, Exact: lower == upper}, nil
}

func (f fake) new(edit.Task, edit.Costs) (Solver, error) { return f, nil }

// stopAfter returns a context that ends when count calls of the function have
// been made.
func stopAfter(count int64) (context.Context, func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	return ctx, func() error {
		if calls.Add(1) == count {
			cancel()
		}
		return nil
	}
}

func TestAllPairs(t *testing.T) {
	pairs := AllPairs(2, 3)
	for i, p := range pairs {
		if int(p.Query) != i/3 || int(p.Target) != i%3 || p.Exact() {
			t.Errorf("pair %d is %v", i, p)
		}
	}
	if len(pairs) != 6 {
		t.Errorf("%d pairs", len(pairs))
	}
}

func TestPairsOnce(t *testing.T) {
	seen := make(map[[2]int32]bool)
	for _, p := range PairsOnce(7, 7) {
		if p.Query >= p.Target {
			t.Errorf("pair %v", p)
		}
		seen[[2]int32{p.Query, p.Target}] = true
	}
	if len(seen) != 21 {
		t.Errorf("%d pairs", len(seen))
	}
}

func TestRandomPairs(t *testing.T) {
	count := make([]int, 12)
	for _, p := range RandomPairs(newRand(1), 3, 4, 12000) {
		count[p.Query*4+p.Target]++
	}
	for i, c := range count {
		if c < 850 || c > 1150 {
			t.Errorf("pair %d drawn %d times of 12000, want about 1000", i, c)
		}
	}
}
