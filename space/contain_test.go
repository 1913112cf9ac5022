package space

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// fragmentOf returns a random connected piece of a graph, or two, of which some labels may be wildcards.
func fragmentOf(rng *rand.Rand, g *graph.Graph) *graph.Graph {
	var nodes []int
	for range 1 + rng.IntN(8)/7 {
		near, _ := g.Neighbourhood(rng.IntN(g.N()), 1+rng.IntN(4), 1+rng.IntN(12))
		for _, v := range near {
			known := false
			for _, w := range nodes {
				known = known || v == w
			}
			if !known {
				nodes = append(nodes, v)
			}
		}
	}
	piece := g.Induced(nodes)
	b := graph.NewBuilder(g.Vocabulary(), false)
	for _, l := range piece.Labels() {
		if rng.IntN(12) == 0 {
			l = graph.Wildcard
		}
		b.AddNodeLabel(l)
	}
	for e := range piece.Edges() {
		switch rng.IntN(12) {
		case 0:
			b.MustAdd(e.From, e.To, graph.Wildcard)
		case 1: // left out
		default:
			b.MustAdd(e.From, e.To, e.Label)
		}
	}
	return b.MustBuild()
}

// sure reports whether a search for what contains a query counts it without making products.
func sure(t *testing.T, s *Space, q *graph.Graph, opt Options) bool {
	t.Helper()
	x, err := newSearcher(t.Context(), s, q, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Reactions {
		for _, m := range x.wanted(&s.Reactions[i]) {
			list, done := x.join(i, m, 0, 0, new(Result))
			if !done {
				t.Fatal("not done")
			}
			if slices.ContainsFunc(list, func(j *joiner) bool { return !j.sure }) {
				return false
			}
		}
	}
	return true
}

// TestContainmentIsThatOfAllProducts looks for fragments of products of random spaces, in one piece and in several, with
// wildcards, and compares with an ordinary search of all products.
func TestContainmentIsThatOfAllProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 4))
	answers, counted, exact := 0, 0, 0
	for range sweep.Trials(200) {
		e := enumerate(t, randomSpace(t, rng))
		if len(e.texts) == 0 {
			continue
		}
		for range 6 {
			q := fragmentOf(rng, e.query(t, e.texts[rng.IntN(len(e.texts))]))
			for radius := range 3 {
				n := e.checkGraph(t, q, edit.SED, float64(radius))
				answers += n
				if radius > 0 {
					continue
				}
				zero := 0.0
				opt := Options{Task: edit.SED, Radius: &zero, K: rng.IntN(4)}
				r, err := e.Search(t.Context(), q, opt)
				if err != nil {
					t.Fatal(err)
				}
				if c := r.Contain; c != nil {
					if counted++; c[0] > uint64(n) || c[1] < uint64(n) {
						t.Fatalf("%d products contain the query, counted %d to %d", n, c[0], c[1])
					}
					if sure(t, e.Space, q, opt) {
						exact++
					}
				}
			}
		}
	}
	if t.Logf("%d answers, %d searches counted, %d exactly", answers, counted, exact); exact < counted*95/100 {
		t.Errorf("%d of %d searches are counted exactly", exact, counted)
	}
}

// patterns are SMARTS that look at what only the product decides, too.
var patterns = []string{
	"c1ccccc1", "C(=O)N", "[NX3;H1]", "[NX3;H0]", "[#6]~[#7]~[#6]", "[R]~[!R]", "a-A", "a-a", "[$(C=O)]", "[OX2H]", "[cH]", "[R2]", "C=C", "N=N", "[n]1cccc1", "[r5]",
	"[r6]~[r5]", "[CX4][F,Cl]", "[+]", "[O-]", "*~*~*~*", "[D3]", "c:c:n", "C1CCC1", "[!#6;!#1]~[!#6]", "[N;!$(NC=O)]", "C.N", "[#6]1~[#6]~[#6]~[#6]~[#6]~1",
	"[$(NC=O)]~c", "[N;!$(N-C=[O,S])]", "[$(*~[R])]~[!$(*=*)]", "[$([#6]~[#6]~[#7])][!$(C.N)]",
	"[$([H,Cl])]", "[D1;h0]", "[X2;D2]", "[x2]~[$([x3])]", "[v4;H0]~[$([#7,#8][CH3])]",
}

// deepPatterns look farther, so that what matches them is not counted exactly.
var deepPatterns = []string{"[z1]~*", "[$([#6]~[$(C=O)])]~*"}

// checkPattern compares a search by SMARTS with matching all products.
func checkPattern(t *testing.T, s *Space, text string) (answers int) {
	t.Helper()
	pattern, err := chem.ParseSMARTS(text)
	if err != nil {
		t.Fatal(err)
	}
	m, matcher := NewMaker(s.vocab), chem.NewSMARTSMatcher(pattern)
	want := map[string]bool{}
	ways := uint64(0)
	for i := range s.Reactions {
		for p := range products(&s.Reactions[i]) {
			mol, err := m.Molecule(p)
			if err != nil {
				continue
			}
			if _, found, err := matcher.Match(mol); err != nil {
				t.Fatal(err)
			} else if found {
				ways++
				want[m.Text(p)] = true
			}
		}
	}
	q, err := pattern.Graph(s.vocab.Extend(), true)
	if err != nil {
		t.Fatal(err)
	}
	zero := 0.0
	opt := Options{Task: edit.SED, Radius: &zero, SMARTS: pattern}
	r, err := s.Search(t.Context(), q, opt)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, a := range r.Answers {
		for _, o := range a.Origins {
			got[m.Text(o.Synthons)] = true
		}
	}
	if !r.Complete || !maps.Equal(got, want) {
		t.Fatalf("%s: %d answers, want %d: %v, %v", text, len(got), len(want), got, want)
	}
	some := opt
	some.K = 1
	few, err := s.Search(t.Context(), q, some)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Result{r, few} {
		if c := r.Contain; c == nil || c[0] != ways || c[1] != ways {
			t.Fatalf("%s: %v ways are counted, want %d", text, c, ways)
		}
	}
	if !slices.Contains(deepPatterns, text) && !sure(t, s, q, opt) {
		t.Fatalf("%s is not counted without products", text)
	}
	return len(want)
}

// TestPatternsAreThoseOfAllProducts looks for patterns in random spaces, and for all of them in public ones, of which
// it takes a few synthons of each component: 312 searches of eight spaces.
func TestPatternsAreThoseOfAllProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 5))
	all := slices.Concat(patterns, deepPatterns)
	answers := 0
	for range sweep.Trials(100) {
		s := randomSpace(t, rng)
		for range 8 {
			answers += checkPattern(t, s, all[rng.IntN(len(all))])
		}
	}
	t.Logf("%d answers in random spaces", answers)
	for _, name := range []string{"amide_space.txt", "triazole_space.txt", "urea_space.txt", "amino_acid.txt",
		"map_numbers.txt", "missing_hit.txt", "idorsia_toy_space_a.txt", "synthon_space_1M.tsv.gz"} {
		s, answers := some(t, public(t, name), 3, rng), 0
		for _, text := range all {
			answers += checkPattern(t, s, text)
		}
		_, products := s.Size()
		t.Logf("%s: %d products, %d answers", name, products, answers)
	}
}

// TestUnusualQueries compares searches for queries that are no usual molecules with ordinary ones.
func TestUnusualQueries(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 6))
	chain := func(n, pieces int, labels ...string) func(v *graph.Vocabulary) *graph.Graph {
		return func(v *graph.Vocabulary) *graph.Graph {
			b := graph.NewBuilder(v, false)
			for i := range n * pieces {
				b.AddNode(labels[i%len(labels)])
				if i%n > 0 {
					b.MustAdd(i-1, i, v.Edge("1"))
				}
			}
			return b.MustBuild()
		}
	}
	var many []string
	for i := range 40 {
		many = append(many, string(rune('A'+i)))
	}
	for name, make := range map[string]func(v *graph.Vocabulary) *graph.Graph{
		"empty": chain(0, 0), "one atom": chain(1, 1, "C"), "unknown": chain(3, 1, "Q"), "pieces": chain(1, 12, "C", "N"),
		"pairs": chain(2, 4, "C", "C", "O"), "long": chain(300, 1, "C"), "longest": chain(4096, 1, "C"),
		"labels": chain(40, 1, many...), "chain": chain(6, 1, "C", "C", "N"),
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				e := enumerate(t, randomSpace(t, rng))
				q := make(e.vocab.Extend())
				for radius := range 3 {
					e.checkGraph(t, q, edit.SED, float64(radius))
					e.checkGraph(t, q, edit.GED, float64(3*radius))
				}
			}
		})
	}
}
