package chem

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

func FuzzSMILES(f *testing.F) {
	for _, s := range []string{
		"c1ccccc1", "C1=CC=CC=C1", "[13CH3-:7]", "C[C@@H](F)/C=C/Cl", "*1ccccc1", "C%12CC%12", "C%(123)CC%(123)",
		"[H][H]", "[2H]O[H]", "CN(=O)=O", "c1cc2ccc3cccc4ccc(c1)c2c34", "n1cccc1", "[nH]1cccc1", "C~C$C:C", "[#6]",
		"C(C)(C)(C)C.[Na+].[Cl-]", "c1ccc2*cccc2c1", "[Fe++]", "[U+4]", "F/C=C\\F", "C1CC1(C2CC2)", "C12C3C4C1C5C2C3C45",
		"c1*c*c*1", "O=c1cc[nH]cc1", "[cH-]1cccc1", "[B+15]", "[B+16]", "C1=CC2=CC=CC2=CC=C1",
	} {
		f.Add(s)
	}
	var p Parser
	f.Fuzz(func(t *testing.T, s string) {
		m, err := p.Parse(s)
		if err != nil {
			var syntax *SyntaxError
			if errors.As(err, &syntax) && (syntax.Column < 1 || syntax.Column > len(s)+1) {
				t.Errorf("%q: column %d is outside", s, syntax.Column)
			}
			return
		}
		checkMolecule(t, m)
		if len(m.Atoms) <= 10 { // larger ones take long if they cannot be written
			checkWriting(t, m)
		}
	})
}

func FuzzSDF(f *testing.F) {
	for _, s := range []string{benzeneMol, benzeneV3000, benzeneMol + ">  <ID> (1)\n7\n\n$$$$\n" + benzeneV3000} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewSDFReader(bytes.NewReader(text))
		r.MaxRecord = 1 << 16
		for range 100 {
			m, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				var format *FormatError
				if !errors.As(err, &format) || format.Line < 1 {
					t.Errorf("error without a line: %v", err)
				}
				continue
			}
			checkMolecule(t, m)
			checkSMILES(t, m)
		}
	})
}

// checkSMILES checks that the SMILES of m, if there is one, has its atoms and
// bonds.
func checkSMILES(t *testing.T, m *Molecule) {
	t.Helper()
	s, order, err := m.SMILES()
	if err != nil {
		if !errors.Is(err, ErrNotWritable) {
			t.Error(err)
		}
		return
	}
	back, err := ParseSMILES(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	if len(back.Bonds) != len(m.Bonds) {
		t.Fatalf("%s: %d bonds, want %d", s, len(back.Bonds), len(m.Bonds))
	}
	for i, v := range order {
		if a, b := m.Atoms[v], back.Atoms[i]; a.Element != b.Element || a.Charge != b.Charge {
			t.Errorf("%s: atom %d is %+v, want %+v", s, i, b, a)
		}
	}
}

// checkMolecule checks what every molecule promises.
func checkMolecule(t *testing.T, m *Molecule) {
	t.Helper()
	for _, b := range m.Bonds {
		if b.From == b.To || int(max(b.From, b.To)) >= len(m.Atoms) || b.From < 0 || b.To < 0 {
			t.Fatalf("bond %v among %d atoms", b, len(m.Atoms))
		}
		if b.Order > Aromatic {
			t.Fatalf("bond of order %d", b.Order)
		}
	}
	for _, opt := range []Options{{}, {Charge: true, LargestFragment: true}} {
		g, err := m.Graph(graph.NewVocabulary(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

// checkWriting checks that what is written of m, if it can be, reads back as
// the same graph.
func checkWriting(t *testing.T, m *Molecule) {
	t.Helper()
	for _, opt := range []Options{{}, {Charge: true}} {
		g, err := m.Graph(graph.NewVocabulary(), opt)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Spell(g)
		if err != nil {
			if !errors.Is(err, ErrNotWritable) {
				t.Error(err)
			}
			continue
		}
		if s.Notes&NoteReadsAromatic != 0 {
			continue
		}
		block, err := molOfGraph(g, "")
		if err != nil && !errors.Is(err, ErrNotWritable) {
			t.Error(err)
		}
		back, err := ParseSMILES(s.SMILES)
		if err != nil {
			t.Fatalf("%s: %v", s.SMILES, err)
		}
		checkSame(t, g, back, s.SMILES)
		if block == nil {
			continue
		}
		if back, err = ParseMol(block); err != nil {
			t.Fatalf("%s: %v", block, err)
		}
		checkSame(t, g, back, string(block))
	}
}

func checkSame(t *testing.T, g *graph.Graph, m *Molecule, text string) {
	t.Helper()
	charged := false
	for v := range g.N() {
		charged = charged || len(g.LabelText(v)) > 2 || strings.ContainsAny(g.LabelText(v), "+-")
	}
	h, err := m.Graph(g.Vocabulary(), Options{Charge: charged})
	if err != nil {
		t.Fatal(err)
	}
	if !graph.Isomorphic(g, h) {
		t.Errorf("%s: another graph", text)
	}
}
