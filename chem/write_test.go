package chem

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// roundTrip writes g, reads it back, and checks that it is the same graph.
func roundTrip(t *testing.T, g *graph.Graph, opt Options) {
	t.Helper()
	s, err := WriteSMILES(g)
	if err != nil {
		t.Error(err)
		return
	}
	m, err := ParseSMILES(s)
	if err != nil {
		t.Errorf("%s: %v", s, err)
		return
	}
	h, err := m.Graph(g.Vocabulary(), opt)
	if err != nil {
		t.Errorf("%s: %v", s, err)
		return
	}
	if !graph.Isomorphic(g, h) {
		t.Errorf("%s: another graph", s)
	}
}

func TestWriteSMILESCollection(t *testing.T) {
	smiles, _ := collection(t)
	vocab := graph.NewVocabulary()
	for i, s := range smiles {
		opt := Options{Charge: i%2 == 0} // TestAppendMolCollection has the others
		m, err := ParseSMILES(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		g, err := m.Graph(vocab, opt)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		roundTrip(t, g, opt)
	}
}

func TestAppendMolCollection(t *testing.T) {
	smiles, _ := collection(t)
	vocab := graph.NewVocabulary()
	for i, s := range smiles {
		opt := Options{Charge: i%2 == 1}
		m, err := ParseSMILES(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		g, err := m.Graph(vocab, opt)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		block, err := molOfGraph(g, s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if m, err = ParseMol(block); err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		h, err := m.Graph(vocab, opt)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if !graph.Isomorphic(g, h) || m.Name != s {
			t.Errorf("%s: another graph\n%s", s, block)
		}
	}
}

// molOfGraph returns a graph as a MOL block.
func molOfGraph(g *graph.Graph, name string) ([]byte, error) {
	s, err := Spell(g)
	if err != nil {
		return nil, err
	}
	return s.Molecule.AppendMol(nil, name)
}

// parsed returns the graph of a SMILES.
func parsed(t *testing.T, s string, opt Options) *graph.Graph {
	t.Helper()
	m, err := ParseSMILES(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	g, err := m.Graph(graph.NewVocabulary(), opt)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return g
}

func TestWriteSMILES(t *testing.T) {
	for _, c := range []struct {
		smiles, want string
		opt          Options
	}{
		{"C1=CC=CC=C1", "c1ccccc1", Options{}},
		{"C1=CNC=C1", "c1c[nH]cc1", Options{}},
		{"CN(=O)=O", "C[N+]([O-])=O", Options{}},
		{"OCl(=O)(=O)=O", "[O-][Cl+3]([O-])([O-])O", Options{}},
		{"C[N+](C)(C)C", "C[N+](C)(C)C", Options{}},
		{"F[B-](F)(F)F", "F[B-](F)(F)F", Options{}},
		{"[O-][n+]1ccccc1", "[O-][n+]1ccccc1", Options{}},
		{"CN(=O)=O", "C[N+]([O-])=O", Options{Charge: true}},
		{"[Ca+2].[S--]", "[Ca+2].[S-2]", Options{Charge: true}},
		{"[CH-]1C=CC=C1", "c1ccc[cH-]1", Options{}},
		{"[CH+]1C=CC=CC=C1", "c1ccccc[cH+]1", Options{}},
		{"C[n+]1ccccc1", "C[n+]1ccccc1", Options{}},
		{"c1ccccc1c1ccccc1", "c1ccccc1-c1ccccc1", Options{}},
		{"C1=CC2=CC=CC2=CC=C1", "c1cc-2cccc2ccc1", Options{}},
		{"[H][H]", "[H][H]", Options{}},
		{"[2H]O", "[1H]O", Options{}},
		{"*C~C$C#C", "*C~C$C#C", Options{}},
		{"*1ccccc1", "*1ccccc1", Options{}},
		{"C:C:C", "C:C:C", Options{}},
		{"CC.O", "CC.O", Options{}},
		{"[Co](Cl)Cl", "[Co](Cl)Cl", Options{}},
		{"C1CC12CC2", "C1CC12CC2", Options{}},
	} {
		g := parsed(t, c.smiles, c.opt)
		got, err := WriteSMILES(g)
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.smiles, got, err, c.want)
		}
		roundTrip(t, g, c.opt)
	}
}

// TestManyRings checks ring numbers of two and three digits.
func TestManyRings(t *testing.T) {
	const n = 120
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	for range 2 * n {
		b.AddNode("C")
	}
	for v := range 2*n - 1 {
		if err := b.AddEdge(v, v+1, "1"); err != nil {
			t.Fatal(err)
		}
	}
	for v := range n - 1 {
		if err := b.AddEdge(v, 2*n-1-v, "1"); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := WriteSMILES(g)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s, "%99") || !strings.Contains(s, "%(100)") {
		t.Error(s)
	}
	roundTrip(t, g, Options{})
}

func TestNotWritable(t *testing.T) {
	build := func(directed bool, nodes []string, edges ...string) *graph.Graph {
		b := graph.NewBuilder(graph.NewVocabulary(), directed)
		for _, l := range nodes {
			b.AddNode(l)
		}
		for v, l := range edges {
			if err := b.AddEdge(v, v+1, l); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	triangle := graph.NewBuilder(graph.NewVocabulary(), false)
	for range 3 {
		triangle.AddNode("F")
	}
	for v := range 3 {
		if err := triangle.AddEdge(v, (v+1)%3, "ar"); err != nil {
			t.Fatal(err)
		}
	}
	aromatic, err := triangle.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g    *graph.Graph
		want error
	}{
		{build(false, nil), ErrNotMolecule},
		{build(true, []string{"C"}), ErrNotMolecule},
		{build(false, []string{"carbon"}), ErrNotMolecule},
		{build(false, []string{"C+0"}), ErrNotMolecule},
		{build(false, []string{"C", "C"}, "single"), ErrNotMolecule},
		{build(false, []string{"C+16"}), ErrNotWritable},
		{build(false, []string{"C", "N+", "O", "O"}, "1", "2", "2"), nil},
		{aromatic, ErrNotWritable},
	} {
		s, err := WriteSMILES(c.g)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", s, err, c.want)
		}
	}
	if _, err := molOfGraph(parsed(t, "C$C", Options{}), ""); !errors.Is(err, ErrNotWritable) {
		t.Errorf("a quadruple bond in a MOL block: %v", err)
	}
}

func TestAppendSDF(t *testing.T) {
	large := parsed(t, strings.Repeat("C1CCC(O)C1", 200)+"[C-]#[O+]", Options{})
	small := parsed(t, "[nH]1cccc1.[CH3].[2H]O.[Fe+3]*", Options{Charge: true})
	properties := []Property{{"ID", "17"}, {"NOTE", "two\nlines"}, {"EMPTY", ""}}
	var data []byte
	for i, g := range []*graph.Graph{large, small} {
		s, err := Spell(g)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = s.Molecule.AppendSDF(data, string(rune('a'+i)), properties); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(data, []byte("V3000")) || !bytes.Contains(data, []byte("V2000")) {
		t.Error("not one record of each version")
	}
	r := NewSDFReader(bytes.NewReader(data))
	for i, g := range []*graph.Graph{large, small} {
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if m.Name != string(rune('a'+i)) || !slices.Equal(m.Properties, properties) {
			t.Errorf("record %d: name %q, properties %q", i, m.Name, m.Properties)
		}
		h, err := m.Graph(g.Vocabulary(), Options{Charge: i == 1})
		if err != nil {
			t.Fatal(err)
		}
		if !graph.Isomorphic(g, h) {
			t.Errorf("record %d: another graph", i)
		}
	}
	for _, c := range []struct {
		name string
		p    Property
	}{
		{"two\nlines", Property{"A", "1"}},
		{"a", Property{"", "1"}},
		{"a", Property{"A>", "1"}},
		{"a", Property{"A", "one\n\ntwo"}},
		{"a", Property{"A", "$$$$"}},
	} {
		s, err := Spell(small)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Molecule.AppendSDF(nil, c.name, []Property{c.p}); err == nil {
			t.Errorf("the name %q and the property %q are written", c.name, c.p)
		}
	}
}
