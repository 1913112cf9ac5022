package chem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// descriptors spells what [Molecule.Stereo] says, with the numbers of the atoms.
func descriptors(m *Molecule) string {
	s := m.Stereo()
	var atoms, bonds []string
	for v, c := range s.Atoms {
		if c != 0 {
			atoms = append(atoms, fmt.Sprintf("%d%c", v, c))
		}
	}
	for i, c := range s.Bonds {
		if b := m.Bonds[i]; c != 0 {
			bonds = append(bonds, fmt.Sprintf("%d-%d%c", min(b.From, b.To), max(b.From, b.To), c))
		}
	}
	slices.Sort(bonds)
	return strings.Join(append(atoms, bonds...), " ")
}

// TestStereo: descriptors are those that RDKit 2026.09.1 gives by rdCIPLabeler.
func TestStereo(t *testing.T) {
	for name, c := range map[string]struct{ smiles, want string }{
		"L-alanine":          {`N[C@@H](C)C(=O)O`, "1S"},
		"D-alanine":          {`N[C@H](C)C(=O)O`, "1R"},
		"L-cysteine":         {`N[C@@H](CS)C(=O)O`, "1R"},
		"L-threonine":        {`C[C@@H](O)[C@H](N)C(=O)O`, "1R 3S"},
		"ibuprofen":          {`CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O`, "10S"},
		"explicit H":         {`[H][C@](N)(C)C(=O)O`, "0S"},
		"H last":             {`OC(=O)[C@](N)(C)[H]`, "3R"},
		"ring closures":      {`C[C@H]1CCCCO1`, "1S"},
		"ring closure first": {`[C@@]1(F)(Cl)CCO1`, "0S"},
		"menthol":            {`CC(C)[C@@H]1CC[C@@H](C)C[C@H]1O`, "3S 6R 9R"},
		"nicotine":           {`CN1CCC[C@H]1c2cccnc2`, "5S"},
		"cholesterol":        {`C[C@H](CCCC(C)C)[C@H]1CC[C@@H]2[C@@]1(CC[C@H]3[C@H]2CC=C4[C@@]3(CC[C@@H](C4)O)C)C`, "1R 8R 11S 12R 15S 16S 20R 23S"},
		"glucose":            {`OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O`, "2R 4R 6R 8S 10S"},
		"penicillin G":       {`CC1(C)S[C@@H]2[C@H](NC(=O)Cc3ccccc3)C(=O)N2[C@H]1C(=O)O`, "4R 5R 19S"},
		"morphine":           {`CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5`, "4S 13R 14S 18R 19R"},
		"sulfoxide":          {`C[S@](=O)CC`, "1S"},
		"sulfoxide first":    {`[S@](=O)(C)CC`, "0R"},
		"phosphine oxide":    {`C[P@](=O)(CC)c1ccccc1`, "1S"},
		"deuterium":          {`[2H][C@H](C)O`, "1R"},
		"13C":                {`[13CH3][C@H](C)O`, "1S"},
		"ammonium":           {`C[N@+](CC)(CCC)CCCC`, "1S"},
		"no centre":          {`C[C@H](C)O`, ""},
		"TH class":           {`N[C@TH2H](C)C(=O)O`, "1S"},
		"E":                  {`F/C=C/F`, "1-2E"},
		"Z":                  {`F/C=C\F`, "1-2Z"},
		"branches":           {`C(/F)(Cl)=C/F`, "0-3E"},
		"Z by H":             {`[H]/C(C)=C/C`, "0-2Z"},
		"ring slash":         {`F/C=C/1CCCC(C)C1`, "1-2E"},
		"ring slash 2":       {`F/C=C1/CCCC(C)C1`, "1-2Z"},
		"oxime":              {`C/C(CC)=N/O`, "1-4Z"},
		"azo":                {`C/N=N/C`, "1-2E"},
		"diene":              {`C/C=C/C=C\C`, "1-2E 3-4Z"},
		"small ring":         {`C1CC/C=C\C1`, ""},
		"large ring":         {`C1CCC/C=C/CCC1`, "4-5E"},
		"tamoxifen":          {`CC/C(=C(\c1ccccc1)c2ccc(OCCN(C)C)cc2)/c3ccccc3`, "2-3Z"},
		"duplicates":         {`C[C@H](C=C)C(C)C`, "1S"},
		"1b":                 {`O=C1[C@H](CC2CC2)CCCC1`, "2S"},
		"quinoline":          {`C[C@H](c1ccnc2ccccc12)c3cccc4cccnc34`, "1R"},
	} {
		m, err := ParseSMILES(c.smiles)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := descriptors(m); got != c.want {
			t.Errorf("%s, %s: %q, want %q", name, c.smiles, got, c.want)
		}
		// The mirror image has the other descriptors at atoms and the same at bonds.
		mirror := strings.NewReplacer("@@", "@", "@TH2", "@TH1", "@", "@@").Replace(c.smiles)
		if m, err = ParseSMILES(mirror); err != nil {
			t.Fatal(name, err)
		}
		if got, want := descriptors(m), strings.NewReplacer("R", "S", "S", "R").Replace(c.want); got != want {
			t.Errorf("%s, mirrored to %s: %q, want %q", name, mirror, got, want)
		}
	}
}

// TestStereoNotKnown: what the rules do not tell has no descriptor, and hostile molecules
// take no longer than others.
func TestStereoNotKnown(t *testing.T) {
	for _, smiles := range []string{
		"O[C@H]1CC[C@@H](C)CC1", // by the configuration of others alone
		"N[p@@]1(Cl)n[p@@](N)(Cl)np(n1)(N2CC2)N3CC3",
		"C[C@AL1H]=C=CC", "[Pt@SP1](F)(Cl)(Br)I", "C/C=C(/C)C", "C[C@](F)(Cl)", "C[C@@H2]F", "F/C=C", "C[N@](CC)CCC",
		"[C@](" + strings.Repeat("C(", 200) + "C" + strings.Repeat("C)", 200) + ")(N)(O)" + strings.Repeat("C12CC1C2", 60) + "C",
	} {
		m, err := ParseSMILES(smiles)
		if err != nil {
			continue
		}
		if got := descriptors(m); got != "" && len(smiles) < 100 {
			t.Errorf("%s: %q", smiles, got)
		}
	}
}

// TestStereoOrder: whatever the order in which the neighbours of a centre are written, the
// descriptor is the same if the mark turns with them.
func TestStereoOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	branches := []string{"F", "Cl", "Br", "I"}
	for range 50 {
		order := rng.Perm(4)
		odd := false
		for i := range order {
			for j := range i {
				odd = odd != (order[j] > order[i])
			}
		}
		mark := map[bool]string{false: "@", true: "@@"}[odd]
		smiles := branches[order[0]] + "[C" + mark + "](" + branches[order[1]] + ")(" + branches[order[2]] + ")" + branches[order[3]]
		m, err := ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Stereo().Atoms[1]; got != 'S' {
			t.Errorf("%s is %c, want S", smiles, got)
		}
	}
}
