package chem

import (
	"bufio"
	"compress/gzip"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// skeleton returns what an InChI tells for sure: the elements and the bonds between
// them, without orders.
func skeleton(m *Molecule, v *graph.Vocabulary) *graph.Graph {
	b := graph.NewBuilder(v, false)
	for i := range m.Atoms {
		b.AddNode(m.Atoms[i].Element.Symbol())
	}
	for _, bond := range m.Bonds {
		if err := b.AddEdge(int(bond.From), int(bond.To), "-"); err != nil {
			panic(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// hydrogensIn returns how many hydrogens a molecule has beside those that are atoms.
func hydrogensIn(m *Molecule) (n int) {
	used := m.usedValences(m.kekuleOrders())
	for v := range m.Atoms {
		n += m.hydrogensOf(v, used[v])
	}
	return n
}

// TestInChIOfMolecules reads what RDKit wrote as InChI of 500 molecules: elements, bonds
// and the number of hydrogens are always right. Most have the bond orders that were
// written, and fewer have where RDKit reads its InChI: where mobile hydrogens are, no
// InChI tells. See testdata/rdkit_inchi.py.
func TestInChIOfMolecules(t *testing.T) {
	f, err := os.Open("testdata/inchi.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	total, same, rdkit := 0, 0, 0
	for sc := bufio.NewScanner(z); sc.Scan(); {
		fields := strings.Split(sc.Text(), "\t")
		written, err := ParseSMILES(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseInChI(fields[1])
		if err != nil {
			t.Errorf("%s: %v", fields[1], err)
			continue
		}
		total++
		v := graph.NewVocabulary()
		if !graph.Isomorphic(skeleton(written, v), skeleton(m, v)) {
			t.Errorf("%s has other bonds than %s", fields[1], fields[0])
		}
		if got, want := hydrogensIn(m), hydrogensIn(written); got != want {
			t.Errorf("%s has %d hydrogens, %s has %d", fields[1], got, fields[0], want)
		}
		graphOf := func(m *Molecule) *graph.Graph {
			g, err := m.Graph(v, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
		if graph.Isomorphic(graphOf(written), graphOf(m)) {
			same++
		}
		if again, err := ParseSMILES(fields[2]); err == nil && graph.Isomorphic(graphOf(written), graphOf(again)) {
			rdkit++
		}
		text, _, err := m.SMILES()
		if err != nil {
			t.Errorf("%s: %v", fields[1], err)
		} else if again, err := ParseSMILES(text); err != nil || !graph.Isomorphic(graphOf(again), graphOf(m)) {
			t.Errorf("%s is written as %s, which reads otherwise (%v)", fields[1], text, err)
		}
	}
	t.Logf("%d InChIs, %d read as written, %d by RDKit", total, same, rdkit)
	if total != 500 || same < 450 || same < rdkit {
		t.Errorf("%d of %d are read as they were written, %d by RDKit", same, total, rdkit)
	}
}

// TestInChI: what the smallest cases are.
func TestInChI(t *testing.T) {
	for inchi, smiles := range map[string]string{
		"InChI=1S/CH4/h1H4":                                           "C",
		"InChI=1/C2H6O/c1-2-3/h3H,2H2,1H3":                            "CCO",
		"InChI=1S/C2H2/c1-2/h1-2H":                                    "C#C",
		"InChI=1S/CO2/c2-1-3":                                         "O=C=O",
		"InChI=1S/C2H4O2/c1-2(3)4/h1H3,(H,3,4)":                       "CC(=O)O",
		"InChI=1S/C2H4O2/c1-2(3)4/h1H3,(H,3,4)/p-1":                   "CC(=O)[O-]",
		"InChI=1S/C2H5NO/c1-2(3)4/h1H3,(H2,3,4)":                      "CC(=O)N",
		"InChI=1S/CH3NO2/c1-2(3)4/h1H3":                               "C[N+](=O)[O-]",
		"InChI=1S/C5H5NO/c7-6-4-2-1-3-5-6/h1-5H":                      "[O-][n+]1ccccc1",
		"InChI=1S/C6H8N/c1-7-5-3-2-4-6-7/h2-6H,1H3/q+1":               "C[n+]1ccccc1",
		"InChI=1S/C4H12N/c1-5(2,3)4/h1-4H3/q+1":                       "C[N+](C)(C)C",
		"InChI=1S/C2H6O2S/c1-5(2,3)4/h1-2H3":                          "CS(C)(=O)=O",
		"InChI=1S/ClHO4/c2-1(3,4)5/h(H,2,3,4,5)":                      "OCl(=O)(=O)=O",
		"InChI=1S/CN/c1-2/q-1":                                        "[C-]#N",
		"InChI=1S/2CH4.ClH/h2*1H4;1H":                                 "C.C.Cl",
		"InChI=1S/ClH.Na/h1H;/q;+1/p-1":                               "[Cl-].[Na+]",
		"InChI=1S/C4H4O4/c5-3(6)1-2-4(7)8/h1-2H,(H,5,6)(H,7,8)/b2-1+": "OC(=O)C=CC(=O)O",
		"InChI=1S/C3H7NO2/c1-2(4)3(5)6/h2H,4H2,1H3,(H,5,6)/t2-/m0/s1": "CC(N)C(=O)O",
	} {
		v := graph.NewVocabulary()
		m, err := ParseInChI(inchi)
		if err != nil {
			t.Errorf("%s: %v", inchi, err)
			continue
		}
		want, err := ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		for _, charge := range []bool{false, true} {
			got, err := m.Graph(v, Options{Charge: charge})
			if err != nil {
				t.Fatal(err)
			}
			if other, err := want.Graph(v, Options{Charge: charge}); err != nil || !graph.Isomorphic(got, other) {
				text, _, _ := m.SMILES()
				t.Errorf("%s reads as %s, want %s (charges %v, %v)", inchi, text, smiles, charge, err)
			}
		}
		if hydrogensIn(m) != hydrogensIn(want) {
			t.Errorf("%s: %d hydrogens, want %d", inchi, hydrogensIn(m), hydrogensIn(want))
		}
	}
	m, err := ParseInChI("InChI=1S/C3H7NO2/c1-2(4)3(5)6/h2H,4H2,1H3,(H,5,6)/t2-/m0/s1/i1D")
	if err != nil || m.Notes&(NoteChirality|NoteIsotope|NoteMobile) != NoteChirality|NoteIsotope|NoteMobile {
		t.Errorf("notes %v (%v)", m.Notes.Texts(), err)
	}
	for _, bad := range []string{
		"", "CCO", "InChI=1S", "InChI=1S/", "InChI=1S/p+1", "InChI=2/CH4/h1H4", "InChI=1S/Xq", "InChI=1S/C999999H4/h1H4", "InChI=1S/999999CH4/h999999*1H4", "InChI=1S/C2H6/c1-3/h1-2H3", "InChI=1S/C2H6/c1-2-1/h1-2H3",
		"InChI=1S/C2H6/c1-2", "InChI=1S/C2H6/c1(2/h1-2H3", "InChI=1S/C2H6/c1-2)/h1-2H3", "InChI=1S/C2H6/c1-2/h1-2H3/h1-2H3", "InChI=1S/C2H6/c1-2/h1H3,1H3", "InChI=1S/C2H6/c1-2/h1-2", "InChI=1S/C2H6/c1-2/h(H)", "InChI=1S/C2H6/c1-2/h1-2H3/q1",
		"InChI=1S/C2H6/c1-2;1-2/h1-2H3", "InChI=1S/C2H6/c1-2/h1-2H3/x", "InChI=1S/C2H6/c1-2/h1-2H3//", "InChI=1S/C2H6/c1-1/h1-2H3", "InChI=1S/C2H7/c1-2/h1-2H3", "InChI=1S/CH4/h0H4", "InChI=1S/CH4/h1H400",
		"InChI=1S/H90N90/h(H90" + strings.Repeat(",1,2,3,4,5", 18) + ")",
	} {
		if m, err := ParseInChI(bad); !errors.Is(err, ErrInChI) {
			t.Errorf("%q reads as %+v (%v)", bad, m, err)
		}
	}
}

func FuzzInChI(f *testing.F) {
	for _, s := range []string{
		"InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)", "InChI=1S/C5H5N5O/c6-5-9-3-2(4(11)10-5)7-1-8-3/h1H,(H4,6,7,8,9,10,11)",
		"InChI=1S/C60/c1-2-3(1)60-1", "InChI=1/B9H8B7/h2-5H,1H3(H,)", "InChI=1S/N9/c1-2-3-4-5-6-7-8-9/q-3/p+2", "InChI=1S/C4H2S2/c1-2-3-4-5-6/h(H2-,1,2,3,4,5,6)/q+2",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseInChI(s)
		if err != nil {
			if !errors.Is(err, ErrInChI) {
				t.Errorf("error %v", err)
			}
			return
		}
		if len(m.Atoms) > mostInChI || slices.ContainsFunc(m.Bonds, func(b Bond) bool { return b.Order == AnyOrder }) {
			t.Errorf("%d atoms, bonds %v", len(m.Atoms), m.Bonds)
		}
		if _, err := m.Graph(graph.NewVocabulary(), Options{}); err != nil {
			t.Error(err)
		}
	})
}
