package transform_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

type molecule struct {
	graph *graph.Graph
	read  *transform.Molecule
}

func read(t *testing.T, vocab *graph.Vocabulary, smiles string) molecule {
	t.Helper()
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Graph(vocab, chem.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, ok := transform.Read(smiles, g)
	if !ok {
		t.Fatalf("%s is not read", smiles)
	}
	return molecule{g, r}
}

// between returns the transformations by a node map of least cost.
func between(t *testing.T, s *ged.Solver, q, x molecule) []transform.Transformation {
	t.Helper()
	r, err := s.Distance(t.Context(), q.graph, x.graph, ged.Options{States: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	list, err := transform.Between(q.read, x.read, r.Map)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestWords(t *testing.T) {
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	for _, c := range []struct{ query, target, want string }{
		{"Clc1ccccc1", "COc1ccccc1", "Cl → OMe [*:1]Cl>>[*:1]OC"},
		{"c1ccccc1", "Cc1ccccc1", "methyl added [*:1][H]>>[*:1]C"},
		{"CCc1ccccc1", "Cc1ccccc1", "methyl removed [*:1]C>>[*:1][H]"},
		{"FC(F)(F)c1ccccc1", "Cc1ccccc1", "CF3 → Me [*:1]C(F)(F)F>>[*:1]C"},
		{"O=[N+]([O-])c1ccccc1", "Nc1ccccc1", "NO2 → NH2 [*:1][N+](=O)[O-]>>[*:1]N"},
		{"OC(=O)c1ccccc1", "NC(=O)c1ccccc1", "CO2H → CONH2 [*:1]C(=O)O>>[*:1]C(=O)N"},
		{"c1ccccc1CCO", "c1ccncc1CCO", "C → N in an aromatic ring [*:1]c1ccccc1>>[*:1]c1cnccc1"},
		{"C1CCCCC1O", "CCCCCCO", "6-ring opened [*:1]C1CCCCC1>>[*:1]CCCCCC"},
		{"CCCCCCO", "C1CCCCC1O", "6-ring closed [*:1]CCCCCC>>[*:1]C1CCCCC1"},
		{"C1CCCC1O", "C1CCCCC1O", "5-ring → 6-ring [*:1]C1CCCC1>>[*:1]C1CCCCC1"},
		{"Clc1ccccc1C(=O)O", "Clc1cccc(C(=O)O)c1", "CO2H moved [*:1]c1ccccc1C(=O)O>>[*:1]c1cccc(c1)C(=O)O"},
		{"CC(=O)CC", "CC(O)CC", "C=O → C–O"},
		{"c1ccccc1C", "C1CCCCC1C", "Ph → Cy [*:1]c1ccccc1>>[*:1]C1CCCCC1"},
		{"c1ccncc1C", "C1CCNCC1C", "aromatic ring reduced"},
		{"Oc1ccc(Cl)cc1", "COc1ccc(F)cc1", "methyl added [*:1][H]>>[*:1]C; Cl → F [*:1]Cl>>[*:1]F"},
		{"CCO", "CCO", ""},
		{"CCO", "CCO.Cl", "Cl added >>Cl"},
		{"C", "N", "C → N"},
		{"NCCc1ccccc1", "NCCCc1ccccc1", "NH2 → [*:1]CN [*:1]N>>[*:1]CN"},
		{"c1ccccc1Cc1ccccc1", "c1ccccc1CCc1ccccc1", "CH2 inserted"},
		{"c1ccc(OCCN)cc1", "c1ccc(SCCN)cc1", "ether → thioether [*:1]O[*:2]>>[*:1]S[*:2]"},
		{"c1ccc(CCCN)cc1", "c1ccc(CSCN)cc1", "C → S in a chain [*:1]C[*:2]>>[*:1]S[*:2]"},
		{"CC(=O)Oc1ccccc1", "CC(=O)Nc1ccccc1", "ester → amide"},
	} {
		var got []string
		for _, x := range between(t, s, read(t, vocab, c.query), read(t, vocab, c.target)) {
			got = append(got, x.Text+" "+x.SMIRKS())
		}
		if text := strings.Join(got, "; "); text != c.want && !(strings.HasPrefix(text, c.want+" ") && len(got) == 1) {
			t.Errorf("%s to %s: %q, want %q", c.query, c.target, text, c.want)
		}
	}
}

var attachment = regexp.MustCompile(`\[\*:(\d+)\]`)

// attached reads a fragment whose places of attachment are made atoms of rare elements, which
// say nothing of how this package writes and numbers. It returns the graph of the fragment,
// and for every attachment the node that stands for it.
func attached(t *testing.T, vocab *graph.Vocabulary, smiles string) (g *graph.Graph, at map[string]int) {
	t.Helper()
	stand := map[string]string{"1": "Cf", "2": "Es", "3": "Fm", "4": "Md", "5": "No", "6": "Lr", "7": "Rf", "8": "Db", "9": "Sg", "10": "Bh", "11": "Hs", "12": "Mt"}
	number := make(map[string]string)
	text := attachment.ReplaceAllStringFunc(smiles, func(s string) string {
		k := attachment.FindStringSubmatch(s)[1]
		if stand[k] == "" {
			t.Skipf("%s has too many attachments for this test", smiles)
		}
		number[stand[k]] = k
		return "[" + stand[k] + "]"
	})
	m, err := chem.ParseSMILES(text)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	if g, err = m.Graph(vocab, chem.Options{}); err != nil {
		t.Fatal(err)
	}
	at = make(map[string]int)
	for v := range g.N() {
		if k, ok := number[g.LabelText(v)]; ok {
			at[k] = v
		}
	}
	return g, at
}

// exchange takes the fragments out of q and attaches those of the target. It knows of the
// transformations only what they say.
func exchange(t *testing.T, vocab *graph.Vocabulary, q *graph.Graph, list []transform.Transformation) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, false)
	gone := make([]bool, q.N())
	for _, x := range list {
		for _, v := range x.Query {
			gone[v] = true
		}
	}
	node := make([]int, q.N())
	for v := range q.N() {
		if !gone[v] {
			node[v] = b.AddNodeLabel(q.Label(v))
		}
	}
	join := func(u, v int, l graph.Label) {
		if err := b.AddEdgeLabel(u, v, l); err != nil {
			t.Fatal(err)
		}
	}
	for e := range q.Edges() {
		if !gone[e.From] && !gone[e.To] {
			join(node[e.From], node[e.To], e.Label)
		}
	}
	for _, x := range list {
		if x.To == "" {
			continue
		}
		f, at := attached(t, vocab, x.To)
		if len(at) != len(x.At) {
			t.Fatalf("%s has %d attachments, want %d", x.To, len(at), len(x.At))
		}
		place := make(map[int]int) // by node of the fragment
		for k, v := range at {
			var i int
			if _, err := fmt.Sscan(k, &i); err != nil {
				t.Fatal(err)
			}
			place[v] = x.At[i-1][0]
		}
		mine := make([]int, f.N())
		atoms := 0
		for v := range f.N() {
			switch anchor, ok := place[v]; {
			case ok:
				mine[v] = node[anchor]
			case f.LabelText(v) == "H": // of an attachment that holds nothing
				mine[v] = -1
			default:
				mine[v] = b.AddNodeLabel(f.Label(v))
				atoms++
			}
		}
		if atoms != len(x.Target) {
			t.Fatalf("%s has %d atoms, want %d", x.To, atoms, len(x.Target))
		}
		for e := range f.Edges() {
			if mine[e.From] >= 0 && mine[e.To] >= 0 {
				join(mine[e.From], mine[e.To], e.Label)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestExchange: fragments that are taken out of the query and replaced make the target, for
// near pairs of the bundled molecules and for any two, by maps of least cost and by others.
func TestExchange(t *testing.T) {
	f, err := os.Open("../../bundle/nci5k.smi.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	var list []molecule
	var smiles []string
	for lines := bufio.NewScanner(z); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "\t")
		smiles, list = append(smiles, text), append(list, read(t, vocab, text))
	}
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(34, 3))
	single, alike := 0, 0
	check := func(i, j int, m edit.NodeMap) {
		q, x := list[i], list[j]
		got, err := transform.Between(q.read, x.read, m)
		if err != nil {
			t.Fatalf("%s to %s: %v", smiles[i], smiles[j], err)
		}
		if len(got) == 1 && len(got[0].At) == 1 {
			single++
		}
		if g := exchange(t, vocab, q.graph, got); !graph.Isomorphic(g, x.graph) {
			t.Fatalf("%s to %s by %v: %+v do not make the target", smiles[i], smiles[j], m, got)
		}
		// The way back is the same transformations, turned round.
		back, err := transform.Between(x.read, q.read, m.Inverse(x.graph))
		if err != nil {
			t.Fatal(err)
		}
		forth := make(map[string]int)
		for k := range got {
			forth[got[k].From+">>"+got[k].To]++
		}
		for k := range back {
			forth[back[k].To+">>"+back[k].From]--
		}
		for k, n := range forth {
			if n != 0 && strings.Count(k, "*") <= 8 {
				t.Fatalf("%s to %s: %s is not among what leads back, %+v", smiles[i], smiles[j], k, back)
			}
		}
		alike++
	}
	for i := range list {
		j := (i + 1) % len(list) // neighbours in the file are often of one series
		if i%4 > 0 && testing.Short() {
			continue
		}
		r, err := s.Within(t.Context(), list[i].graph, list[j].graph, 6, ged.Options{States: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		if within, known := r.Within(6); within && known {
			check(i, j, r.Map)
		}
	}
	least := 200
	if testing.Short() {
		least /= 4
	}
	if single < least {
		t.Errorf("only %d pairs differ by one fragment", single)
	}
	for range 300 { // maps of no merit
		i, j := rng.IntN(len(list)), rng.IntN(len(list))
		m := make(edit.NodeMap, list[i].graph.N())
		free := rng.Perm(list[j].graph.N())
		for v := range m {
			if m[v] = edit.Deleted; len(free) > 0 && rng.IntN(4) > 0 {
				m[v], free = free[0], free[1:]
			}
		}
		check(i, j, m)
	}
	t.Logf("%d pairs, %d of them differ by one fragment with one attachment", alike, single)
}

// TestGroups: what has a name is written as such fragments are.
func TestGroups(t *testing.T) {
	text, err := os.ReadFile("words.go")
	if err != nil {
		t.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	names := regexp.MustCompile(`"(\[\*:1\][^"]*)": *\{"([^"]*)"`).FindAllStringSubmatch(string(text), -1)
	if len(names) < 50 {
		t.Fatalf("%d names", len(names))
	}
	for _, n := range names {
		smiles, symbol := n[1], n[2]
		if symbol == "H" {
			continue
		}
		// The fragment on one or two carbons that stay, and bromines in its place.
		query := strings.NewReplacer("[*:1]", "C(C(C)(Br)F)", "[*:2]", "C(C(C)(I)Cl)").Replace(smiles)
		want := read(t, vocab, query)
		other := "C(C(C)(Br)F)C(Br)(Br)Br"
		if strings.Contains(smiles, "[*:2]") {
			other = "C(C(C)(Br)F)C(Br)(Br)C(C(C)(I)Cl)"
		}
		to := read(t, vocab, other)
		m := make(edit.NodeMap, want.graph.N())
		for v := range m {
			m[v] = edit.Deleted
		}
		copy(m, []int{0, 1, 2, 3, 4})
		if strings.Contains(smiles, "[*:2]") {
			for i := 1; i <= 5; i++ {
				m[len(m)-i] = to.graph.N() - i
			}
			if !strings.HasSuffix(smiles, "[*:2]") {
				t.Fatalf("%s: the test wants [*:2] at the end", smiles)
			}
		}
		list, err := transform.Between(want.read, to.read, m)
		if err != nil || len(list) != 1 || list[0].From != smiles {
			t.Errorf("%s is written %+v, %v", smiles, list, err)
		}
	}
}
