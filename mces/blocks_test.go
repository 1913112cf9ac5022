package mces

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// treelike draws a graph of chains, branches, rings of three to six and, rarely, fused ones, with few labels: so that
// chains of one wind round rings of the other.
func treelike(r *rand.Rand, vocab *graph.Vocabulary, nodes int, directed bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	label := func() string { return string(rune('A' + r.IntN(3)*r.IntN(2))) }
	edge := func(u, v int) { b.AddEdge(u, v, string(rune('x'+r.IntN(2)*r.IntN(2)))) }
	n := 1
	b.AddNode(label())
	for n < nodes {
		at, size := r.IntN(n), 1
		if r.IntN(3) == 0 {
			size = 2 + r.IntN(4)
		}
		first, last := at, at
		for range size {
			b.AddNode(label())
			edge(last, n)
			last = n
			n++
		}
		if size > 1 {
			edge(first, last)
			if r.IntN(4) == 0 && size > 3 {
				edge(n-size, last-1) // a ring across
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// TestBlocks: what byBlocks proves is what a search of all maps finds; and in some cases it has to branch.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(56, 5))
	trials := 300
	if testing.Short() {
		trials = 60
	}
	proven, branched := 0, 0
	for trial := range trials {
		vocab := graph.NewVocabulary()
		directed := r.IntN(4) == 0
		g := [2]*graph.Graph{treelike(r, vocab, 5+r.IntN(8), directed), treelike(r, vocab, 5+r.IntN(8), directed)}
		opt := Options{Connected: true, IgnoreEdgeLabels: r.IntN(3) == 0, Rings: r.IntN(4) == 0}
		search := func(blocks bool) *growth {
			s := newGrowth(g[0], g[1], opt, clock.New(t.Context(), time.Now(), 0))
			s.upper = s.bound()
			if blocks {
				s.byBlocks()
			} else {
				s.search()
			}
			return s
		}
		want, got := search(false).best, search(true)
		if got.best > want || got.upper < want {
			t.Fatalf("trial %d: %d to %d, want %d\n%v\n%v", trial, got.best, got.upper, want, g[0], g[1])
		}
		if got.best == got.upper && got.states > 0 {
			proven++
		}
		if got.states > 1 {
			branched++
		}
	}
	t.Logf("%d of %d proven, %d with branches", proven, trials, branched)
	if proven < trials*9/10 || branched < trials/20 {
		t.Errorf("%d of %d proven, %d with branches", proven, trials, branched)
	}
}

// families are molecules of chains and rings other than peptides.
var families = map[string]func(r *rand.Rand) string{
	"sugars": func(r *rand.Rand) string {
		units := []string{
			"OCC1OC(%s)C(O)C(O)C1O", "OCC1OC(%s)C(NC(C)=O)C(O)C1O", "CC1OC(%s)C(O)C(O)C1O", "O1CC(O)C(O)C(O)C1%s",
			"OC1C(O)C(O)C(%s)OC1CO",
		}
		s := "O"
		for i := range 4 + r.IntN(6) {
			s = fmt.Sprintf(strings.ReplaceAll(units[r.IntN(len(units))], "1", fmt.Sprintf("%%%%%d", 10+i)), "O"+s)
		}
		return s
	},
	"lipids": func(r *rand.Rand) string {
		chain := func() string {
			s := "OC(=O)"
			for range 5 + r.IntN(6) {
				s += []string{"CC", "CC", "C=C", "CC(C)"}[r.IntN(4)]
			}
			return s
		}
		ends := []string{chain(), "OP(=O)(O)OCC[N+](C)(C)C", "OP(=O)(O)OCCN"}
		return "C(" + chain() + ")C(" + chain() + ")C" + ends[r.IntN(3)]
	},
	"sterols": func(r *rand.Rand) string {
		return "CC(" + strings.Repeat("C", 1+r.IntN(8)) + "O)C1CCC2C1(C)CCC1C2C" + []string{"C", "=C"}[r.IntN(2)] +
			"CC2CC(OC(=O)" + strings.Repeat("C", 1+r.IntN(12)) + ")CCC12C"
	},
}

// TestFamilies: most connected common subgraphs of sugars, lipids and sterols are proven by a limit of states,
// those of sterols, whose rings are too many for byBlocks, by the search and the easier question.
func TestFamilies(t *testing.T) {
	for name, draw := range families {
		r := rand.New(rand.NewPCG(56, 6))
		proven, pairs := 0, 20
		if testing.Short() {
			pairs = 5
		}
		start := time.Now()
		for range pairs {
			g := readPair(t, [2]string{draw(r), draw(r)})
			got, err := Largest(t.Context(), g[0], g[1], Options{Connected: true, States: 2_000})
			if err != nil {
				t.Fatal(err)
			}
			if got.Exact {
				proven++
			} else {
				t.Logf("%s: %d and %d atoms, %d to %d edges", name, g[0].N(), g[1].N(), got.Size, got.Upper)
			}
		}
		t.Logf("%s: %d of %d pairs proven, %v", name, proven, pairs, time.Since(start))
		if proven < pairs*9/10 {
			t.Errorf("%s: %d of %d pairs are proven", name, proven, pairs)
		}
	}
}
