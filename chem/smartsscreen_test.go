package chem

import (
	"bufio"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// screenPatterns test everything that a graph says of a molecule, and what it does not.
var screenPatterns = []string{
	"C", "c", "[#6]", "[C,N]=O", "[$(CO)]N", "C1CC1", "*~*", "[D{2-3}]@[!#6;R2]", "[!$(C=O)]O", "[OH]c", "[NX3;H2]",
	"[O-]", "[n+]", "[C;R0]", "[r5]", "[r6;!c]", "[x3]", "[X4]", "[v4]", "[CH3]", "C-C", "C=,#N", "c-c", "c:n", "[#7;D1]",
	"[!#6;!#1]", "[!c]", "[z2]", "[Z1]", "[d1]O", "C!@C", "[R]!@[R]", "[!R]=[!R]", "*1~*~*~*~*~*1", "[S;!$(S=O)]",
	"N(=O)~O", "[N+](=O)[O-]", "[$([#7]c)]", "[!$([#6])]", "[#6]:[#6]:[#7]", "Cl.O", "[h0]", "[H]", "[2H]", "[Na]", "->", "O->*",
}

// checkScreen compares a screen with the matcher: it must admit all molecules that match. It returns how many it
// admits, and how many match.
func checkScreen(t *testing.T, s *SMARTS, screen *SMARTSScreen, m *Molecule, g *graph.Graph) (admitted, found bool) {
	t.Helper()
	admitted = screen.Admits(g)
	_, found, err := NewSMARTSMatcher(s).Match(m)
	if err == nil && found && !admitted {
		t.Fatalf("%s: a molecule of %d atoms matches, but its graph is ruled out", s, len(m.Atoms))
	}
	return admitted, found
}

// TestScreenAdmitsMatches: over the bundled molecules and written ones of every kind, no match is ruled out, and most
// of the others are.
func TestScreenAdmitsMatches(t *testing.T) {
	f, err := os.Open("../bundle/nci5k.smi.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{
		"*C", "[2H]C", "[H][H]", "c1ccccc1-c1ccccc1", "C1=CC=C2C=CC=CC2=C1", "[CH5]", "N->[B]", "C~C", "C$C", "C1#CC=CC=C1", "[Na+].[Cl-]",
		"O=N(=O)C", "[O-][n+]1ccccc1", "c1cc[nH]c1", "C1CC2CCC1C2", "*1ccccc1", "c:c", "B1=CC=CC=C1", "[se]1cccc1", "[13CH4]",
	}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		smiles, _, _ := strings.Cut(sc.Text(), "\t")
		lines = append(lines, smiles)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	vocab := graph.NewVocabulary()
	convert := NewConverter(vocab, Options{})
	var parser Parser
	patterns := make([]*SMARTS, 0, len(screenPatterns))
	var screens []*SMARTSScreen
	for _, p := range screenPatterns {
		s, err := ParseSMARTS(p)
		if err != nil {
			continue // of another dialect
		}
		patterns, screens = append(patterns, s), append(screens, NewSMARTSScreen(s, vocab))
	}
	if len(patterns) < 40 {
		t.Fatalf("only %d patterns are read", len(patterns))
	}
	admitted, found, pairs := 0, 0, 0
	for i, smiles := range lines {
		if i > 100 && rng.IntN(8) > 0 {
			continue
		}
		m, err := parser.Parse(smiles)
		if err != nil {
			continue
		}
		g, err := convert.Graph(m)
		if err != nil {
			t.Fatal(err)
		}
		for j, s := range patterns {
			a, f := checkScreen(t, s, screens[j], m, g)
			pairs++
			if a {
				admitted++
			}
			if f {
				found++
			}
		}
	}
	t.Logf("%d of %d pairs match, %d are admitted", found, pairs, admitted)
	if found == 0 || admitted-found > (pairs-found)/4 {
		t.Errorf("of %d pairs %d match, but %d are admitted", pairs, found, admitted)
	}
}

// TestMatchesWithoutRings: a pattern that asks for no rings is decided without them, as with them.
func TestMatchesWithoutRings(t *testing.T) {
	asks := 0
	for _, p := range screenPatterns {
		s, err := ParseSMARTS(p)
		if err != nil {
			continue
		}
		for _, smiles := range []string{"C1CC2CCC1C2", "c1ccc2ccccc2c1CC(=O)O", "C12C3C4C1C5C2C3C45", "CCO", "O=C1CCC(=O)N1"} {
			m, err := ParseSMILES(smiles)
			if err != nil {
				t.Fatal(err)
			}
			quick, whole := NewSMARTSMatcher(s), NewSMARTSMatcher(s)
			if !quick.of.ringless {
				asks++
			}
			whole.of.ringless = false
			_, got, err := quick.Match(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, want, err := whole.Match(m); err != nil || got != want {
				t.Errorf("%s in %s: %v, want %v (%v)", p, smiles, got, want, err)
			}
		}
	}
	if asks == 0 {
		t.Error("no pattern asks for rings")
	}
	for p, ringless := range map[string]bool{"[R2]": false, "[r5]": false, "[!r]": false, "[$([C;R1])]N": false, "C@C": true, "[x2]": true, "[R]": false} {
		s, err := ParseSMARTS(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewSMARTSMatcher(s).of.ringless; got != ringless {
			t.Errorf("%s: ringless %v", p, got)
		}
	}
}
