package chem

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// shuffled returns m with its atoms and bonds in another order.
func shuffled(rng *rand.Rand, m *Molecule) *Molecule {
	order := make([]int32, len(m.Atoms))
	for i, v := range rng.Perm(len(m.Atoms)) {
		order[i] = int32(v)
	}
	s := m.renumbered(order)
	rng.Shuffle(len(s.Bonds), func(i, j int) {
		s.Bonds[i], s.Bonds[j] = s.Bonds[j], s.Bonds[i]
		if s.kekule != nil {
			s.kekule[i], s.kekule[j] = s.kekule[j], s.kekule[i]
		}
	})
	return s
}

// TestCanonical: the text does not depend on the numbering of atoms, and reads as the
// same molecule.
func TestCanonical(t *testing.T) {
	smiles, _ := collection(t)
	rng := rand.New(rand.NewPCG(34, 3))
	var w SMILESWriter
	texts := []string{
		"C1CC2CCCCC2CC1.C1CCC(CC1)C1CCCCC1", "FC(F)(F)C(F)(F)C(F)(F)F", "C12C3C4C1C5C2C3C45", "[2H]C", "N->[Pt](Cl)(Cl)<-N", "*C*", "[OH-].[Na+]",
	}
	for i := range 500 {
		texts = append(texts, smiles[i*len(smiles)/500])
	}
	for _, text := range texts {
		m, err := ParseSMILES(text)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := w.Canonical(m)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for range 3 {
			if got, order, err := w.Canonical(shuffled(rng, m)); got != want || err != nil || len(order) != len(m.Atoms) {
				t.Fatalf("%s: %s and, renumbered, %s (%v)", text, want, got, err)
			}
		}
		read, err := ParseSMILES(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := w.Canonical(read); got != want {
			t.Errorf("%s: %s reads as %s", text, want, got)
		}
	}
}

// TestCanonicalEnds: many atoms that are alike are ranked in a bounded time.
func TestCanonicalEnds(t *testing.T) {
	m, err := ParseSMILES(strings.Repeat("C1CCC1.", 62) + "C1CCCC1C1CCC1")
	if err != nil {
		t.Fatal(err)
	}
	r := newRanking(m)
	r.order()
	if most := 10 * maxRefined; r.refined > most {
		t.Errorf("%d atoms looked at, more than %d", r.refined, most)
	}
}

// TestFragment cuts anisole: attachments have a class, atoms keep their hydrogens.
func TestFragment(t *testing.T) {
	m, err := ParseSMILES("COc1ccccc1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		atoms, at []int
		want      string
	}{
		{[]int{0, 1}, []int{1}, "[*:1]OC"},
		{[]int{1}, []int{0, 0}, "[*:1]O[*:2]"},
		{[]int{2, 3, 4, 5, 6, 7}, []int{0}, "[*:1]c1ccccc1"},
		{nil, []int{-1}, "[*:1][H]"},
		{[]int{0}, []int{0, -1}, "[*:1]C.[*:2][H]"},
	} {
		got, _, err := new(SMILESWriter).Canonical(m.Fragment(c.atoms, c.at))
		if got != c.want || err != nil {
			t.Errorf("atoms %v at %v: %s, %v, want %s", c.atoms, c.at, got, err, c.want)
		}
	}
}
