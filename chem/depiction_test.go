package chem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestDepictions: a molecule that is drawn, written as a MOL block and read back has the configurations that it had,
// and so has its SMILES. `chem/testdata/sdf_counts.py` lets RDKit read such blocks.
func TestDepictions(t *testing.T) {
	texts := []string{
		`C[C@H](N)C(=O)O`, `C[C@@H](N)C(=O)O`, `CC(N)C(=O)O`, `C/C=C/Cl`, `C/C=C\Cl`, `CC=CCl`,
		`CC(/F)=C(\Cl)C`, `[H]/N=C(/C)N`, `[H]\N=C(/C)N`,
		`F/C=C/C=C\C=C/F`, `C1CCC/C=C/CCC1`, `C1CCC/C=C\CCC1`, `C[C@H]1CC[C@H](C)CC1`,
		`C[C@H]1CC[C@@H](C)CC1`, `CC(=N\O)/C(C)=N/O`,
		`C1CC[C@H]2CCCC[C@@H]2C1`, `CN1[C@H]2CC[C@@H]1C[C@@H](C2)OC(=O)[C@H](CO)c3ccccc3`,
		`C[S@](=O)c1ccccc1`, `C[P@@](CC)c1ccccc1`,
		`C[N@+](CC)(CCC)c1ccccc1`, `O/N=c1/cc(-c2ccccc2)oc2ccccc12`, `[2H][C@H](C)O`,
		`C[C@@](N)(F)Cl`, `[Na+].[O-]C(=O)[C@@H](O)C.C/C=C/C`,
		`C1[C@@]23CCC[C@@H](C2)[C@H]1C3`,
		`OC[C@H]1O[C@@H](O[C@H]2O[C@H](CO)[C@@H](O)[C@@H]2O)[C@H](O)[C@@H](O)[C@@H]1O`,
		`C/C=C/C=C/C=C\C`, `C/C=C/C=CC=CC`, "N->[Pt](Cl)(Cl)<-N", strings.Repeat("C[C@H](O)",
			400) + "C", "C%(10)" + strings.Repeat("C", 998) + "%(10)",
	}
	bundled, _ := collection(t)
	rng := rand.New(rand.NewPCG(1, 2))
	given := len(texts)
	for i := range sweep.Trials(4000) {
		texts = append(texts, bundled[i*7%len(bundled)])
	}
	centres, sides, written := 0, 0, 0
	for i, text := range texts {
		m, err := ParseSMILES(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if i >= given {
			m.configureAtRandom(rng)
		}
		centres += len(m.centres)
		sides += len(m.doubleBonds())
		d := m.depict()
		for i, b := range d.Bonds {
			if far := d.at[b.From].far(d.at[b.To]); far < 0.2 || far > 3 && len(d.Bonds) < mostRingBonds {
				t.Errorf("%s: bond %d is %.2f long", text, i, far)
			}
		}
		block, err := m.AppendMol(nil, "x")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		back, err := ParseMol(block)
		switch {
		case err != nil:
			t.Errorf("%s: %v", text, err)
			continue
		case !back.Same(m):
			t.Errorf("%s is another molecule:\n%s", text, block)
			continue
		case !back.Drawn(m):
			t.Errorf("%s reads back with %s, want %s:\n%s", text, descriptors(back), descriptors(m), block)
			continue
		}
		smiles, order, err := back.SMILES()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		again, err := ParseSMILES(smiles)
		if err != nil {
			t.Errorf("%s: %v", smiles, err)
			continue
		}
		number := make([]int32, len(order)) // of m's atoms
		copy(number, order)
		again.renumber(number)
		ordered := &Molecule{Atoms: slices.Clone(again.Atoms), Bonds: slices.Clone(again.Bonds),
			centres: again.centres, slopes: again.slopes}
		for i, v := range number {
			ordered.Atoms[v] = again.Atoms[i]
		}
		for i, b := range again.Bonds {
			ordered.Bonds[i] = Bond{number[b.From], number[b.To], b.Order}
		}
		slices.SortFunc(ordered.centres, func(a, b centre) int { return int(a.atom - b.atom) })
		if !ordered.Drawn(m) {
			t.Errorf("%s is written as %s, with %s", text, smiles, descriptors(again))
		}
		written++
	}
	t.Logf("%d centres and %d double bonds of %d molecules", centres, sides, written)
	if centres < 500 || sides < 20 {
		t.Error("few configurations")
	}
}

// configureAtRandom states a configuration of what may have one.
func (m *Molecule) configureAtRandom(rng *rand.Rand) {
	p := newPriorities(m)
	m.centres, m.slopes = nil, nil
	for v := range int32(len(m.Atoms)) {
		c := centre{atom: v, clockwise: rng.IntN(2) > 0}
		for _, n := range p.bonds[v] {
			c.around = append(c.around, n.to)
		}
		for range p.hydrogens[v] {
			c.around = append(c.around, noAtom)
		}
		if len(c.around) == 4 && p.chirality(&c) != 0 && rng.IntN(4) > 0 {
			m.centres = append(m.centres, c)
		}
	}
	var list []doubleBond
	for i, b := range m.Bonds {
		if b.Order != Double || p.cyclic(b.From, b.To, leastRing-1) || !p.twoSided(b.From, b.To) ||
			!p.twoSided(b.To, b.From) || rng.IntN(4) == 0 {
			continue
		}
		d := doubleBond{bond: int32(i), same: rng.IntN(2) > 0}
		for k, end := range [2][2]int32{{b.From, b.To}, {b.To, b.From}} {
			d.beside[k] = noAtom
			for _, n := range p.bonds[end[0]] {
				if n.to != end[1] {
					d.beside[k] = n.to
				}
			}
		}
		list = append(list, d)
	}
	m.slope(list, p)
}

// TestWedgesThatContradict: two wedges up at opposite bonds of four say the same, one up and one down do not.
func TestWedgesThatContradict(t *testing.T) {
	block := func(second int) string {
		atoms := ""
		for _, a := range []string{"0.0000    0.0000    0.0000 C ", "0.0000    1.0000    0.0000 Br",
			"1.0000    0.0000    0.0000 Cl", "0.0000   -1.0000    0.0000 F ", "-1.000    0.0000    0.0000 N "} {
			atoms += "    " + a + "  0  0\n"
		}
		return fmt.Sprintf("\n\n\n  5  4  0  0  1  0  0  0  0  0999 V2000\n%s"+
			"  1  2  1  1\n  1  3  1  0\n  1  4  1%3d\n  1  5  1  0\nM  END\n", atoms, second)
	}
	for code, want := range map[int]string{0: "0R", 1: "0R", 6: ""} {
		m, err := ParseMol([]byte(block(code)))
		if err != nil || descriptors(m) != want || (m.Notes&NoteWedges != 0) != (want == "") {
			t.Errorf("second wedge %d: %q, %q, %v", code, descriptors(m), m.Notes.Texts(), err)
		}
	}
}
