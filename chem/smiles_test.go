package chem

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// orders spells the orders of the bonds of a molecule, as in "1 2 ar".
func orders(m *Molecule) string {
	var s []string
	for _, b := range m.Bonds {
		s = append(s, b.Order.Label())
	}
	return strings.Join(s, " ")
}

// labels spells the atoms of a molecule, with charges.
func labels(m *Molecule) string {
	var s []string
	for i := range m.Atoms {
		a := m.Atoms[i]
		a.isotope = 0
		s = append(s, a.label(0, 0))
	}
	return strings.Join(s, " ")
}

func TestGrammar(t *testing.T) {
	for _, c := range []struct {
		smiles, atoms, bonds string
		notes                Notes
	}{
		{"C", "C", "", 0},
		{"CCl", "C Cl", "1", 0},
		{"BrB(F)I", "Br B F I", "1 1 1", 0},
		{"C=CC#N", "C C C N", "2 1 3", 0},
		{"C=C#N", "C C N", "2 3", NoteValence},
		{"C$C", "C C", "4", 0},
		{"C~C", "C C", "*", 0},
		{"C:C", "C C", "ar", 0},
		{"C(C)(=O)O", "C C O O", "1 2 1", 0},
		{"C1CC1", "C C C", "1 1 1", 0},
		{"C=1CC=1", "C C C", "1 1 2", 0},
		{"C=1CC1", "C C C", "1 1 2", 0},
		{"C%12CC%12", "C C C", "1 1 1", 0},
		{"C%(123)CC%(123)", "C C C", "1 1 1", 0},
		{"C%01CC1", "C C C", "1 1 1", 0},
		{"C1.C1", "C C", "1", 0},
		{"C(C.C)C", "C C C C", "1 1", 0},
		{"[Na+].[Cl-]", "Na+ Cl-", "", 0},
		{"[Fe++].[Ca+2].[O--]", "Fe+2 Ca+2 O-2", "", 0},
		{"[13CH4]", "C", "", NoteIsotope},
		{"[CH3:2]O", "C O", "1", NoteClass},
		{"N[C@@H](C)O", "N C C O", "1 1 1", NoteChirality},
		{"F[Po@SP1](Cl)(Br)I", "F Po Cl Br I", "1 1 1 1", NoteChirality},
		{"S[As@TB12](F)(Cl)(Br)N", "S As F Cl Br N", "1 1 1 1 1", NoteChirality},
		{"F/C=C\\F", "F C C F", "1 2 1", NoteCisTrans},
		{"F/C=C\\\\F", "F C C F", "1 2 1", NoteCisTrans}, // two backslashes
		{"c1/c[nH]cc1", "C C N C C", "ar ar ar ar ar", NoteCisTrans},
		{"c1ccccc1/c1ccccc1", "C C C C C C C C C C C C", "ar ar ar ar ar ar 1 ar ar ar ar ar ar", NoteCisTrans},
		{"N->[Pt]", "N Pt", "1", NoteDative},
		{"[Pt]<-N", "Pt N", "1", NoteDative},
		{"C[N+](C)(C)C->[Pt]", "C N+ C C C Pt", "1 1 1 1 1", NoteDative},
		{"N->1CC[Pt]1", "N C C Pt", "1 1 1 1", NoteDative},
		{"F/C=C/1.F\\1", "F C C F", "1 2 1", NoteCisTrans},
		{"[*]C*", "* C *", "1 1", 0},
		{"[U][Og][Cn]", "U Og Cn", "1 1", 0},
		{"[se]1cccc1", "Se C C C C", "ar ar ar ar ar", 0},
	} {
		m, err := ParseSMILES(c.smiles)
		if err != nil {
			t.Errorf("%s: %v", c.smiles, err)
			continue
		}
		if labels(m) != c.atoms || orders(m) != c.bonds || m.Notes != c.notes {
			t.Errorf("%s: %s; %s; %q, want %s; %s; %q", c.smiles,
				labels(m), orders(m), m.Notes.Texts(), c.atoms, c.bonds, c.notes.Texts())
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ smiles, message string }{
		{"", "column 1: found the end, expected an atom"},
		{"C1CC", "column 2: ring bond 1 is not closed"},
		{"CC%(17)C", "column 3: ring bond 17 is not closed"},
		{"C(C", "column 2: the branch that opens here is not closed"},
		{"C)C", "column 2: found ')', but no branch is open"},
		{"C()C", "column 3: found ')', expected an atom before it"},
		{"C((C))C", "column 3: found '(', expected a bond or an atom at the start of the branch"},
		{"C(1CC1)C", "column 3: found a ring bond, expected a bond or an atom at the start of the branch"},
		{"(C)C", "column 1: found '(', expected an atom before it"},
		{"=C", "column 1: found the bond '=', expected an atom before it"},
		{"C==C", "column 3: found the bond '=', expected an atom after the bond '='"},
		{"C=", "column 3: found the end, expected an atom after the bond '='"},
		{"C=(C)", "column 3: found '(', expected an atom after the bond '='"},
		{"C(=)C", "column 4: found ')', expected an atom after the bond '='"},
		{"C=.C", "column 3: found '.', expected an atom after the bond '='"},
		{"C.", "column 3: found the end, expected an atom after the dot"},
		{".C", "column 1: found '.', expected an atom before it"},
		{"C11", "column 3: ring bond 1 joins an atom to itself"},
		{"C1C1", "column 4: this bond joins two atoms that are bonded already"},
		{"C12CC12", "column 7: this bond joins two atoms that are bonded already"},
		{"C=1CC#1", "column 7: ring bond 1 is '=' where it opens, in column 3, and '#' here"},
		{"1CC1", "column 1: found a ring bond, expected an atom before it"},
		{"C%1C", "column 2: found %, expected a ring number of two digits or in parentheses after it"},
		{"C%(1C", "column 5: found 'C', expected a ring number and ')'"},
		{"C%(99999999999)", "column 2: the ring number is too large"},
		{"[C", "column 3: found the end in the bracket atom of column 1, expected ']'"},
		{"[Xx]", `column 2: no element has the symbol "Xx"`},
		{"[J]", `column 2: no element has the symbol "J"`},
		{"[99999C]", "column 2: the isotope is too large"},
		{"[C+999]", "column 3: the charge is too large"},
		{"[CH999]", "column 3: the hydrogen count is too large"},
		{"[C:]", "column 4: found ']', expected the number of an atom class"},
		{"[]", "column 2: found ']', expected the symbol of an element"},
		{"CX", "column 2: found 'X', expected an atom, a bond, a ring bond, a parenthesis or a dot"},
		{"C C", "column 2: found ' ', expected an atom, a bond, a ring bond, a parenthesis or a dot"},
		{"C\xff", "column 2: found byte 0xff, expected an atom, a bond, a ring bond, a parenthesis or a dot"},
		{"C>>C", "column 2: found '>': reactions are not supported"},
		{"N<[Fe]", `column 2: found '<', expected "<-"`},
		{"N->->[Fe]", `column 4: found the bond '-', expected an atom after the bond '>'`},
	} {
		_, err := ParseSMILES(c.smiles)
		if err == nil || err.Error() != c.message {
			t.Errorf("%q: %v, want %s", c.smiles, err, c.message)
		}
		if errors.Is(err, ErrSMARTS) {
			t.Errorf("%q is taken for SMARTS", c.smiles)
		}
	}
}

// TestNamesAreNoSMARTS: what is no pattern either is not called one, whatever letters it has.
func TestNamesAreNoSMARTS(t *testing.T) {
	for _, s := range []string{"aspirin", "ethanol", "acetic", "caffeine", "CCO,CCN", "C;C", "Aspirin, 99 %", "paracetamol", "a-pinene", "C$(N)"} {
		if _, err := ParseSMILES(s); err == nil || errors.Is(err, ErrSMARTS) {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestSMARTS(t *testing.T) {
	for _, s := range []string{
		"[#6]", "[C,N]", "[!C]", "C[O&H]", "[C;R]", "[$(CO)]", "[D2]", "[X4]C", "[R]", "[r6]1CCCCC1",
		"[CX4]", "[v3]", "C@C", "A", "aC", "[a]", "[A]C", "[c;!$(c=O)]",
	} {
		_, err := ParseSMILES(s)
		if !errors.Is(err, ErrSMARTS) {
			t.Errorf("%s: %v, want one that says it is SMARTS", s, err)
			continue
		}
		if !strings.Contains(err.Error(), "* is any atom") {
			t.Errorf("%s: %v does not say what to use instead", s, err)
		}
	}
}

func TestLengthLimit(t *testing.T) {
	p := Parser{MaxLength: 3}
	if _, err := p.Parse("CCC"); err != nil {
		t.Error(err)
	}
	const want = "column 4: the SMILES has 4 bytes, at most 3 are allowed"
	if _, err := p.Parse("CCCC"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	deep := strings.Repeat("C(", 20000) + "C" + strings.Repeat(")", 20000)
	if m, err := ParseSMILES(deep); err != nil || len(m.Atoms) != 20001 {
		t.Errorf("20000 nested branches: %v", err)
	}
}

// TestReuse checks that a Parser has no memory of what it read before.
func TestReuse(t *testing.T) {
	smiles, _ := collection(t)
	smiles = smiles[:300]
	var p Parser
	for _, s := range smiles {
		for _, disturb := range []string{"c1ccccc1", "n1cccc1", "[H]c1*cccc1", "C1CC("} {
			p.Parse(disturb)
			m, err := p.Parse(s)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := ParseSMILES(s)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Bonds, fresh.Bonds) || !slices.Equal(m.Atoms, fresh.Atoms) {
				t.Fatalf("%s after %s: %s, want %s", s, disturb, orders(m), orders(fresh))
			}
		}
	}
}

func TestNormalise(t *testing.T) {
	for _, c := range []struct{ smiles, atoms, bonds string }{
		{"CN(=O)=O", "C N+ O- O", "1 1 2"},
		{"C[N+](=O)[O-]", "C N+ O O-", "1 2 1"},
		{"CN=N#N", "C N N+ N-", "1 2 2"},
		{"O=n1ccccc1", "O- N+ C C C C C", "1 ar ar ar ar ar ar"},
		{"CP(=O)=CC", "C P+ O- C C", "1 1 2 1"},
		{"CP(=O)=C", "C P O C", "1 2 2"},
		{"OCl(=O)(=O)=O", "O Cl+3 O- O- O-", "1 1 1 1"},
		{"OCl(=O)C", "O Cl O C", "1 2 1"},
	} {
		m, err := ParseSMILES(c.smiles)
		if err != nil {
			t.Errorf("%s: %v", c.smiles, err)
			continue
		}
		if labels(m) != c.atoms || orders(m) != c.bonds {
			t.Errorf("%s: %s; %s, want %s; %s", c.smiles, labels(m), orders(m), c.atoms, c.bonds)
		}
	}
}

// TestHydrogens has RDKit's answers, but for the last two: RDKit keeps
// hydrogens that bear a cis/trans mark.
func TestHydrogens(t *testing.T) {
	for _, c := range []struct{ smiles, atoms string }{
		{"[H]C([H])([H])[H]", "C"},
		{"[H]O[H]", "O"},
		{"[H][H]", "H H"},
		{"[H+].[Cl-]", "H+ Cl-"},
		{"[H]", "H"},
		{"[2H]C", "H C"},
		{"[1H]C", "H C"},
		{"[H]O[2H]", "O H"},
		{"[H][2H]", "H H"},
		{"[H]*", "H *"},
		{"[H:1]C", "C"},
		{"[Na][H-]", "Na"},
		{"[H]=C", "C"},
		{"n1([H])cccc1", "N C C C C"},
		{"[H]/N=C/C", "N C C"},
		{"[H]/C=C/F", "C C F"},
	} {
		m, err := ParseSMILES(c.smiles)
		if err != nil {
			t.Errorf("%s: %v", c.smiles, err)
			continue
		}
		if labels(m) != c.atoms {
			t.Errorf("%s: %s, want %s", c.smiles, labels(m), c.atoms)
		}
	}
}
