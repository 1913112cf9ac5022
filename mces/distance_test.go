package mces

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/mcs"
)

// TestByDistance: the solver of distances agrees with all that grows along edges, whatever must be kept, and proves
// nothing of connected maps but bounds that hold. Limits of states leave true bounds.
func TestByDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 4))
	answered := 0
	trials := sweep.Trials(8000)
	for trial := range trials {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{
			MinNodes: 2, MaxNodes: 9, Density: 0.1 + 0.3*r.Float64(), NodeLabels: 1 + r.IntN(3), EdgeLabels: 1 + r.IntN(2),
			Directed: r.IntN(2) == 0, Wildcards: 0.1,
		}
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		opt := Options{Connected: r.IntN(2) == 0, IgnoreEdgeLabels: r.IntN(4) == 0, Rings: r.IntN(2) == 0}
		opt.AtLeast = r.IntN(2) * r.IntN(6)
		begin := func() *growth {
			s := newGrowth(q, g, opt, clock.New(t.Context(), time.Now(), 0))
			s.upper = s.bound()
			return s
		}
		slow := begin()
		slow.upper = max(q.M(), g.M()) + 1 // it does not stop at the bound
		slow.search()
		fast := begin()
		if fast.upper <= fast.least {
			continue
		}
		fast.most = int64(r.IntN(2) * r.IntN(20))
		fast.byDistance(t.Context())
		if got := keptEdges(q, g, toNodeMap(fast.bestMap), opt); got != fast.best {
			t.Fatalf("trial %d: the map keeps %d edges, not %d", trial, got, fast.best)
		}
		if fast.best > slow.best || fast.upper < slow.best || fast.upper > slow.upper ||
			!opt.Connected && fast.most == 0 && fast.upper > max(slow.best, fast.least) ||
			!opt.Connected && !fast.stopped && slow.best > fast.least && fast.best < slow.best {
			t.Fatalf("trial %d: %d to %d edges, want %d; %+v, states %d\nquery %v\ntarget %v", trial, fast.best, fast.upper,
				slow.best, opt, fast.most, gedtest.Text(q), gedtest.Text(g))
		}
		if fast.best == fast.upper {
			answered++
		}
		poor := begin()
		poor.memory = 1
		if poor.byDistance(t.Context()); !opt.Connected {
			poor.most = 0
			poor.lower()
		}
		poor.upper = max(poor.best, poor.upper) // as the result does
		if poor.upper < slow.best || !opt.Connected && poor.upper > max(slow.best, poor.least) {
			t.Fatalf("trial %d: without memory %d to %d edges, want %d; %+v\nquery %v\ntarget %v", trial, poor.best,
				poor.upper, slow.best, opt, gedtest.Text(q), gedtest.Text(g))
		}
	}
	if 4*answered < trials {
		t.Errorf("only %d of %d pairs are answered", answered, trials)
	}
}

func toNodeMap(image []int32) (m []int) {
	for _, w := range image {
		m = append(m, int(w))
	}
	return m
}

// TestLargePairs shows how many pairs of molecules of 40 to 60 and of 60 to 100 atoms of aids42k are proven, each in
// GREED_LIMIT (3 s), bonds kept by their orders. GREED_PAIRS says how many pairs. `python3 python/benchmarks.py large`
// has the same pairs, and RASCAL's answers.
func TestLargePairs(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "data", "aids42k", "aids42k.txt.gz")
	if _, err := os.Stat(path); err != nil || testing.Short() {
		t.Skipf("no data, or short: %v", err)
	}
	pairs, limit := 5, 3*time.Second
	if n, err := strconv.Atoi(os.Getenv("GREED_PAIRS")); err == nil {
		pairs = n
	}
	if d, err := time.ParseDuration(os.Getenv("GREED_LIMIT")); err == nil {
		limit = d
	}
	records, err := dataset.ReadAll(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{40, 60}, {60, 100}} {
		fit := slices.DeleteFunc(slices.Clone(records), func(r dataset.Record) bool {
			return r.Graph.N() < size[0] || r.Graph.N() > size[1]
		})
		// Graphs go by the hashes of their ids, which any program can compute, and are paired as they follow each other.
		key := func(r dataset.Record) string { return fmt.Sprintf("%x", sha256.Sum256([]byte("59 "+r.ID))) }
		slices.SortFunc(fit, func(a, b dataset.Record) int { return cmp.Compare(key(a), key(b)) })
		proven, edges := 0, 0
		var longest time.Duration
		for i := range pairs {
			q, g := fit[2*i].Graph, fit[2*i+1].Graph
			got, err := Largest(t.Context(), q, g, Options{Time: limit})
			if err != nil {
				t.Fatal(err)
			}
			if kept := mcs.CommonOf(q, g, got.Map).Edges; kept != got.Size {
				t.Errorf("pair %d of %v: %d edges, the map keeps %d", i, size, got.Size, kept)
			}
			if got.Exact {
				proven++
			}
			edges += got.Size
			longest = max(longest, got.Elapsed)
		}
		t.Logf("%d pairs of %d to %d atoms: %d proven in %v, %d edges in all, %v at most", pairs, size[0], size[1], proven,
			limit, edges, longest)
	}
}
