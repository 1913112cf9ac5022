package chem

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// matches returns whether a molecule contains a pattern, and the map.
func matches(t testing.TB, pattern, smiles string) ([]int, bool) {
	t.Helper()
	s, err := ParseSMARTS(pattern)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	m, err := ParseSMILES(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	atoms, found, err := NewSMARTSMatcher(s).Match(m)
	if err != nil {
		t.Fatalf("%s in %s: %v", pattern, smiles, err)
	}
	return atoms, found
}

func TestSMARTSMatches(t *testing.T) {
	for _, c := range []struct {
		pattern  string
		yes, not string // SMILES, split at blanks
	}{
		{"[C,N]=O", "CC=O O=NC", "CO C#N"},
		{"[!C]=O", "O=NC", "CC=O"},
		{"[!#6;!#7]", "CO CS", "CN c1ccccc1"},
		{"cc", "c1ccccc1", "C1CCCCC1 C=C"},
		{"CC", "CC CCc1ccccc1", "c1ccccc1 C=C"},
		{"C~C", "CC C=C C#C", "CO"},
		{"c:c", "c1ccccc1", "CC"},
		{"c-c", "c1ccccc1-c1ccccc1", "c1ccccc1"},
		{"C!-C", "C=C", "CC"},
		{"*!@*", "CC", "C1CC1"},
		{"*-;@*", "C1CC1", "CC c1ccccc1"},
		{"A", "CC", "c1ccccc1"},
		{"[R2]", "C1CC2CCC1C2 c1ccc2ccccc2c1", "C1CC1"},
		{"[r5]", "C1CCCC1 c1ccc2[nH]ccc2c1", "C1CCCCC1"},
		{"[R0]", "CC1CC1", "C1CC1"},
		{"[x3]", "c1ccc2ccccc2c1", "C1CC1"},
		{"[D3]", "CC(C)C", "CCC"},
		{"[D{3-}]", "CC(C)C CC(C)(C)C", "CCC"},
		{"[X4]", "C", "C=C"},
		{"[v3]", "N", "C"},
		{"[nH]", "c1cc[nH]c1", "c1ccncc1"},
		{"[H]", "[2H]C", "C"},
		{"[2H]", "[2H]C", "[3H]C"},
		{"[OH]", "CO", "COC"},
		{"[CH2]", "CCC", "CC C(C)(C)C"},
		{"[#6H3]", "CC", "C"},
		{"[h]", "C", "C(F)(F)(F)F"},
		{"[+]", "C[NH3+]", "CN CC(=O)[O-]"},
		{"[--]", "[O-2]", "[OH-]"},
		{"[13C]", "[13CH4]", "C"},
		{"[$(CO)]N", "NCO", "NCC"},
		{"[N;$(NC=O);!$(N(C=O)C=O)]", "NC=O", "O=CNC=O CN"},
		{"[C;$([C;$(CO)]N)]", "OCN", "OCC"},
		{"C(F)(F)F", "CC(F)(F)F", "CC(F)F"},
		{"C1CC1", "C1CC1", "CCC C1CCC1"},
		{"C1CC=1", "C1C=C1", "C1CC1"},
		{"O.N", "OCCN", "OCCO"},
		{"O.O", "OCCO", "O"},
		{"C[C@H](N)O", "CC(N)O", "CCN"},
		{"F/C=C/F", "FC=CF", "FCCF"},
		{"[Cl,Br;D1]", "CCl", "CF"},
		{"[C&!R]", "CC1CC1", "C1CC1"},
		{"[#6:1]", "C", "O"},
		{"[Na+].[Cl-]", "[Na+].[Cl-]", "NCl"},
		{"[se]", "c1cc[se]c1", "c1ccsc1"},
		{"[Se]", "C[SeH]", "c1cc[se]c1"}, // RDKit matches both
		{"[z2]", "OCO", "CO"},
		{"[Z1;z2]", "Nc1ccco1", "OCO"},
		{"[d1]", "[2H]CC", "C"},
		{"[!12C+]", "[NH4+]", "C"},
		{"N->[#30]", "N->[Zn]", "N[Zn]"},
		{"C1P->[Zr+3]<-1", "C1P->[Zr+3]<-1 C->1P->[Zr+3]1", "C1P->[Zr+3]->1 C<-1P->[Zr+3]1 C1P->[Zr+3]1"},
		{"C1P->[Zr+3]!->1", "C1P->[Zr+3]<-1", "C1P->[Zr+3]->1"},
		{"C->1P->[Zr+3]1", "C1P->[Zr+3]<-1 C->1P->[Zr+3]1", "C1P->[Zr+3]->1 C<-1P->[Zr+3]1"},
		{"C=1CC=1", "C1C=C1", "C1CC1"},
		{"C=1CC-1", "", "C1C=C1 C1CC1"},
		{"C%(100)CC=%(100)", "C1C=C1", "C1CC1 CCC"},
		{"[R8]C", "C1Cc2ccc(cc2)CCc2ccc(cc2)CCc2ccc1cc2", "C1CCCC2CCCCC12"},
	} {
		for _, smiles := range strings.Fields(c.yes) {
			if _, found := matches(t, c.pattern, smiles); !found {
				t.Errorf("%s is not found in %s", c.pattern, smiles)
			}
			// The graph that a pattern stands for is in every molecule that it is in.
			inGraph(t, c.pattern, smiles)
		}
		for _, smiles := range strings.Fields(c.not) {
			if atoms, found := matches(t, c.pattern, smiles); found {
				t.Errorf("%s is found in %s: %v", c.pattern, smiles, atoms)
			}
		}
	}
	if atoms, _ := matches(t, "OC(N)=O", "NC(O)=O"); len(atoms) != 4 || atoms[0] != 2 || atoms[1] != 1 || atoms[2] != 0 || atoms[3] != 3 {
		t.Errorf("atoms %v", atoms)
	}
}

// inGraph fails unless the labels of a pattern's graph are those of the atoms of a match.
func inGraph(t testing.TB, pattern, smiles string) {
	t.Helper()
	s, _ := ParseSMARTS(pattern)
	m, _ := ParseSMILES(smiles)
	vocab := graph.NewVocabulary()
	g, err := m.Graph(vocab, Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Graph(vocab, true)
	if err != nil {
		t.Fatal(err)
	}
	atoms, found, _ := NewSMARTSMatcher(s).Match(m)
	if !found {
		return
	}
	for v, w := range atoms {
		if l := q.Label(v); l != graph.Wildcard && l != g.Label(w) {
			t.Errorf("%s in %s: label %q of atom %d, the graph has %q", pattern, smiles, g.LabelText(w), v, q.LabelText(v))
		}
	}
	for e := range q.Edges() {
		if l, ok := g.Edge(atoms[e.From], atoms[e.To]); !ok || e.Label != graph.Wildcard && l != e.Label {
			t.Errorf("%s in %s: bond %d-%d", pattern, smiles, e.From, e.To)
		}
	}
}

func TestSMARTSThatAreNone(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                          "expected an atom",
		"C(":                        "not closed",
		"C)":                        "without a branch",
		"C1CC":                      "ring bond is not closed",
		"C11":                       "the same or bonded already",
		"C-":                        "no atom follows",
		"[C":                        "expected ']'",
		"[]":                        "expected a condition",
		"[C,]":                      "expected a condition",
		"[$(C":                      "expected the end of the recursive",
		"[$C]":                      "expected ( after $",
		"[#]":                       "atomic number",
		"[D{}]":                     "range",
		"(C.C)":                     "groups of components are not supported",
		"C>>N":                      "reactions are not supported",
		"[^2]":                      "hybridisation, is not supported",
		"C.":                        "expected an atom",
		".C":                        "expected an atom",
		"C%1":                       "two digits",
		"C%(1":                      "expected a ring number and ')'",
		"C%()":                      "expected a ring number and ')'",
		"C-(C)":                     "expected the atom",
		"[C]\x00":                   "expected an atom",
		strings.Repeat("[$(", 1000): "nest deeper",
	} {
		_, err := ParseSMARTS(pattern)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", pattern, err, want)
		}
	}
}

func FuzzSMARTS(f *testing.F) {
	for _, s := range []string{"[C,N]=O", "[$(CO)]N", "C1CC1", "*~*", "[D{2-3}]@[!#6;R2]", "O.O"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		s, err := ParseSMARTS(pattern)
		if err != nil || s.Len() > 50 {
			return
		}
		for _, smiles := range []string{"CC(=O)Oc1ccccc1C(=O)O", "C1CC2CCC1C2.[Na+]"} {
			m, err := ParseSMILES(smiles)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := NewSMARTSMatcher(s).Match(m); err != nil && !errors.Is(err, ErrSMARTSLimit) {
				t.Fatal(err)
			}
			vocab := graph.NewVocabulary()
			g, err := m.Graph(vocab, Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkScreen(t, s, NewSMARTSScreen(s, vocab), m, g)
			inGraph(t, pattern, smiles)
		}
	})
}

// TestSMARTSByRDKit counts the patterns of the file $GREED_SMARTS, which
// testdata/smarts_counts.py writes, that find the same molecules as in RDKit. It says which do not.
func TestSMARTSByRDKit(t *testing.T) {
	path := os.Getenv("GREED_SMARTS")
	if path == "" {
		t.Skip("GREED_SMARTS names no file of testdata/smarts_counts.py")
	}
	molecules := make(map[string]*Molecule)
	read := make(map[string]bool) // by RDKit
	var ids []string
	each := func(path string, line func([]string)) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		text := io.Reader(f)
		if strings.HasSuffix(path, ".gz") {
			if text, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		sc := bufio.NewScanner(text)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			line(strings.Split(sc.Text(), "\t"))
		}
	}
	each("../bundle/nci5k.smi.gz", func(fields []string) {
		m, err := ParseSMILES(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, fields[1])
		molecules[fields[1]] = m
	})
	equal, refused, sets := 0, 0, 0
	each(path, func(fields []string) {
		if fields[0] == "molecules" {
			for _, id := range strings.Fields(fields[1]) {
				read[id] = true
			}
			return
		}
		sets++
		s, err := ParseSMARTS(fields[0])
		if err != nil {
			refused++
			t.Logf("refused: %s: %v", fields[0], err)
			return
		}
		theirs := make(map[string]bool)
		for _, id := range strings.Fields(fields[1]) {
			theirs[id] = true
		}
		x := NewSMARTSMatcher(s)
		more, fewer := []string(nil), []string(nil)
		for _, id := range ids {
			if !read[id] {
				continue
			}
			_, found, err := x.Match(molecules[id])
			if err != nil {
				t.Fatalf("%s in %s: %v", fields[0], id, err)
			}
			if found && !theirs[id] {
				more = append(more, id)
			} else if !found && theirs[id] {
				fewer = append(fewer, id)
			}
		}
		if len(more)+len(fewer) == 0 {
			equal++
			return
		}
		t.Logf("%s: %d more %.5v, %d fewer %.5v", fields[0], len(more), more[:min(5, len(more))], len(fewer), fewer[:min(5, len(fewer))])
	})
	t.Logf("%d molecules, %d patterns: %d find the same molecules, %d are refused, %d differ", len(read), sets, equal, refused, sets-equal-refused)
}
