package chem

import (
	"fmt"
	"strings"
	"testing"
)

// mol2Of returns a MOL2 record of the given atom types and bonds "FROM TO TYPE".
func mol2Of(types []string, bonds ...string) string {
	b := fmt.Sprintf("@<TRIPOS>MOLECULE\nname\n %d %d\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n", len(types), len(bonds))
	for i, kind := range types {
		b += fmt.Sprintf("  %d X%d 0.0 0.0 0.0 %s 1 UNL -0.1\n", i+1, i+1, kind)
	}
	b += "@<TRIPOS>BOND\n"
	for i, bond := range bonds {
		b += fmt.Sprintf("  %d %s\n", i+1, bond)
	}
	return b
}

func TestMol2(t *testing.T) {
	six := func(more ...string) []string {
		return append([]string{"1 2 ar", "2 3 ar", "3 4 ar", "4 5 ar", "5 6 ar", "6 1 ar"}, more...)
	}
	for _, c := range []struct {
		name, block, atoms, bonds string
		notes                     Notes
	}{
		{"benzene", mol2Of(strings.Fields("C.ar C.ar C.ar C.ar C.ar C.ar"), six()...), "C C C C C C", "ar ar ar ar ar ar", 0},
		{"acetate", mol2Of(strings.Fields("C.3 C.2 O.co2 O.co2 H H H"), "1 2 1", "2 3 ar", "2 4 ar", "1 5 1", "1 6 1", "1 7 1"), "C C O O-", "1 2 1", 0},
		{"sulfonate", mol2Of(strings.Fields("C.3 S.o2 O.co2 O.co2 O.co2"), "1 2 1", "2 3 ar", "2 4 ar", "2 5 ar"), "C S O O O-", "1 2 2 1", 0},
		{"guanidinium", mol2Of(strings.Fields("C.cat N.pl3 N.pl3 N.pl3"), "1 2 ar", "1 3 ar", "1 4 ar"), "C N+ N N", "2 1 1", 0},
		{"ammonium", mol2Of(strings.Fields("N.4 H H H H"), "1 2 1", "1 3 1", "1 4 1", "1 5 1"), "N+", "", 0},
		{"amide", mol2Of(strings.Fields("C.2 N.am O.2"), "1 2 am", "1 3 2"), "C N O", "1 2", 0},
		{"pyridinium", mol2Of(strings.Fields("N.ar C.ar C.ar C.ar C.ar C.ar C.3"), six("1 7 1")...), "N+ C C C C C C", "ar ar ar ar ar ar 1", 0},
		{"pyrylium", mol2Of(strings.Fields("O.2 C.ar C.ar C.ar C.ar C.ar H H H H H"), six("2 7 1", "3 8 1", "4 9 1", "5 10 1", "6 11 1")...), "O+ C C C C C", "ar ar ar ar ar ar", 0},
		{"salt", mol2Of(strings.Fields("Na Cl Ca")), "Na+ Cl- Ca+2", "", 0},
		{"any", mol2Of(strings.Fields("Du C.3 Hal"), "1 2 un", "2 3 1"), "* C *", "* 1", NoteQuery},
		{"not bonded", mol2Of(strings.Fields("C.3 C.3"), "1 2 nc"), "C C", "", 0},
		{"capitals", mol2Of(strings.Fields("C.3 CL"), "1 2 1"), "C Cl", "1", NoteCapitals},
		{"comments", "# by hand\n" + strings.Replace(mol2Of([]string{"C.3"}), "@<TRIPOS>BOND", "# none\n\n@<TRIPOS>BOND", 1) + "@<TRIPOS>SUBSTRUCTURE\n 1 X 1\n", "C", "", 0},
	} {
		var p Mol2Parser
		for range 2 { // the second time with what the first left
			m, err := p.Parse([]byte(c.block), 1)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if labels(m) != c.atoms || orders(m) != c.bonds || m.Notes != c.notes || m.Name != "name" {
				t.Errorf("%s: %s; %s; %q, want %s; %s; %q", c.name, labels(m), orders(m), m.Notes.Texts(), c.atoms, c.bonds, c.notes.Texts())
			}
		}
	}
	for block, want := range map[string]string{
		mol2Of([]string{"C.3"}, "1 2 1"):                 "line 10: found atom 2, which is not in the section of atoms",
		mol2Of([]string{"C.3", "C.3"}, "1 2 9"):          `line 11: found the bond type "9", expected 1, 2, 3, am, ar, du, un or nc`,
		mol2Of([]string{"Xx"}):                           `line 8: no element has the symbol "Xx"`,
		mol2Of([]string{"C.3", "C.3"}, "1 2"):            "line 11: found 3 fields, expected a bond: number, two atoms and type",
		"@<TRIPOS>MOLECULE\nx\n@<TRIPOS>ATOM\n1 C 0 0\n": "line 4: found 4 fields, expected an atom: number, name, x, y, z and type",
		"@<TRIPOS>MOLECULE\nx\n":                         "line 2: the molecule has no atoms",
	} {
		var p Mol2Parser
		if _, err := p.Parse([]byte(block), 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func FuzzMol2(f *testing.F) {
	f.Add(mol2Of(strings.Fields("C.3 C.2 O.co2 O.co2"), "1 2 1", "2 3 ar", "2 4 ar"))
	f.Add(mol2Of(strings.Fields("N.ar C.ar C.ar C.ar C.ar C.ar C.3"), "1 2 ar", "2 3 ar", "3 4 ar", "4 5 ar", "5 6 ar", "6 1 ar", "1 7 1"))
	var p Mol2Parser
	f.Fuzz(func(t *testing.T, text string) {
		m, err := p.Parse([]byte(text), 1)
		if err != nil {
			return
		}
		checkMolecule(t, m)
		checkSMILES(t, m)
	})
}
