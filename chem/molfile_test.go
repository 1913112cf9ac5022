package chem

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/greedgraph/greed/graph"
)

const benzeneMol = `benzene
  test

  6  6  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 C   0  0
  1  2  2  0
  2  3  1  0
  3  4  2  0
  4  5  1  0
  5  6  2  0
  6  1  1  0
M  END
`

const benzeneV3000 = `benzene

  
  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 6 6 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0 0 0 0
M  V30 2 C 0 0 0 0
M  V30 3 C 0 0 0 0
M  V30 4 C 0 0 0 -
M  V30 0
M  V30 5 C 0 0 0 0
M  V30 17 C 0 0 0 0 CHG=0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 4 1 2
M  V30 2 4 2 3
M  V30 3 4 3 4
M  V30 4 4 4 5
M  V30 5 4 5 17
M  V30 6 4 17 1
M  V30 END BOND
M  V30 END CTAB
M  END
`

// molOf returns a V2000 block from its atom lines' ends, bonds and properties.
func molOf(atoms []string, rest ...string) string {
	bonds := 0
	for _, line := range rest {
		if line[0] == ' ' {
			bonds++
		}
	}
	b := fmt.Sprintf("name\n\n\n%3d%3d  0  0  0  0  0  0  0  0999 V2000\n", len(atoms), bonds)
	for _, a := range atoms {
		b += "    1.0000   -2.5000    0.0000 " + a + "\n"
	}
	return b + strings.Join(append(rest, "M  END"), "\n") + "\n"
}

func TestParseMol(t *testing.T) {
	for _, c := range []struct {
		name, block, atoms, bonds string
		notes                     Notes
	}{
		{"benzene", benzeneMol, "C C C C C C", "ar ar ar ar ar ar", 0},
		{"V3000", benzeneV3000, "C C C C C C", "ar ar ar ar ar ar", 0},
		{"CRLF", strings.ReplaceAll(benzeneMol, "\n", "\r\n"), "C C C C C C", "ar ar ar ar ar ar", 0},
		{"charge codes", molOf([]string{"N   0  3", "O   0  5"}), "N+ O-", "", 0},
		{"charge lines replace codes", molOf([]string{"N   0  3", "O   0  5"}, "M  CHG  1   1   2"), "N+2 O", "", 0},
		{"several charges", molOf([]string{"N  ", "O  "}, "M  CHG  2   1   1   2  -1"), "N+ O-", "", 0},
		{"nitro", molOf([]string{"C  ", "N  ", "O  ", "O  "}, "  1  2  1  0", "  2  3  2  0", "  2  4  2  0"), "C N+ O- O", "1 1 2", NoteNormalised},
		{"hydrogens", molOf([]string{"H  ", "O  ", "D  "}, "  1  2  1  0", "  2  3  1  0"), "O H", "1", NoteIsotope},
		{"wildcards", molOf([]string{"*  ", "A  ", "R# "}, "  1  2  8  0"), "* * *", "*", NoteRGroup},
		{"wedge", molOf([]string{"C  ", "F  "}, "  1  2  1  1"), "C F", "1", NoteChirality},
		{"dative", molOf([]string{"N  ", "Fe "}, "  1  2  9  0"), "N Fe", "1", NoteDative},
		{"zero order", molOf([]string{"N  ", "Fe "}, "  1  2  1  0", "M  ZBO  1   1   0", "M  ZCH  1   2   2", "M  HYD  1   1   3"), "N Fe+2", "1", NoteDative},
		{"capitals", molOf([]string{"CL ", "C  ", "BR "}, "  1  2  1  0", "  2  3  1  0"), "Cl C Br", "1 1", NoteCapitals},
		{"query atoms", molOf([]string{"Q  ", "X  ", "L  ", "AH "}, "  1  2  5  0", "  2  3  6  0", "  3  4  7  0"), "* * * *", "* * *", NoteQuery},
		{"atom list", molOf([]string{"C  ", "C  "}, "  1  2  1  0", "M  ALS   2  2 F N   O   "), "C *", "1", NoteQuery},
		{"query atoms V3000", "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 BEGIN ATOM\nM  V30 1 [N,O] 0 0 0 0\nM  V30 2 \"NOT [C,N]\" 0 0 0 0\nM  V30 END ATOM\nM  V30 END CTAB\nM  END\n", "* *", "", NoteQuery},
		{"S-group", molOf([]string{"C  "}, "M  STY  1   1 SRU", "M  SLB  1   1   1"), "C", "", NoteFeatures},
		{"radical", molOf([]string{"C  "}, "M  RAD  1   1   2"), "C", "", NoteRadical},
		{"isotope", molOf([]string{"C  "}, "M  ISO  1   1  13"), "C", "", NoteIsotope},
		{"alias", molOf([]string{"C  "}, "A    1", "M  CHG, so to speak"), "C", "", NoteAlias},
		{"lines of their own", molOf([]string{"C  "}, "V    1 x", "S  SKP  2", "M  CHG  1   1   1", "x", "M  RAD  1   1   2"), "C", "", NoteUnread | NoteRadical},
		{"R groups", molOf([]string{"C  "}, "M  RGP  1   1   1"), "C", "", NoteRGroup},
		{"haptic", v3000("M  V30 BEGIN CTAB", "M  V30 BEGIN ATOM", "M  V30 1 * 0 0 0 0", "M  V30 2 C 0 0 0 0", "M  V30 3 Fe 0 0 0 0 STBOX=1",
			"M  V30 END ATOM", "M  V30 BEGIN BOND", "M  V30 1 9 1 3 ENDPTS=(1 2) ATTACH=ANY", "M  V30 END BOND", "M  V30 END CTAB", "M  END"), "* C Fe", "1", NoteDative | NoteHaptic},
		{"link and collection", v3000("M  V30 BEGIN CTAB", "M  V30 BEGIN ATOM", "M  V30 1 C 0 0 0 0", "M  V30 END ATOM", "M  V30 LINKNODE 1 2 2 1 2",
			"M  V30 BEGIN COLLECTION", "M  V30 x", "M  V30 END COLLECTION", "M  V30 END CTAB", "M  END"), "C", "", NoteFeatures | NoteUnread},
	} {
		m, err := ParseMol([]byte(c.block))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if labels(m) != c.atoms || orders(m) != c.bonds || m.Notes != c.notes {
			t.Errorf("%s: %s; %s; %q, want %s; %s; %q", c.name,
				labels(m), orders(m), m.Notes.Texts(), c.atoms, c.bonds, c.notes.Texts())
		}
	}
}

// v3000 returns a V3000 block from its lines after the header.
func v3000(lines ...string) string {
	return "\n\n\n  0  0  0     0  0            999 V3000\n" + strings.Join(lines, "\n") + "\n"
}

func TestMolErrors(t *testing.T) {
	v3 := v3000
	for _, c := range []struct{ block, message string }{
		{"", "line 1: found the end, expected the name of the molecule"},
		{"a\nb\nc\n", "line 4: found the end, expected the counts line"},
		{"$RXN\n\n\n\n  1  1\n$MOL\n", "line 1: found a reaction (RXN): reactions are not supported"},
		{"a\nb\nc\n\n  1  0\nM  END\n", "line 4: the fourth line is blank, expected the numbers of atoms and bonds"},
		{"a\nb\nc\n  x  0\n", `line 4: columns 1 to 3: found "x", expected the number of atoms`},
		{"a\nb\nc\n  1  0  0  0  0  0  0  0  0  0999 V4000\n", `line 4: found the version "V4000", expected V2000 or V3000`},
		{"a\nb\nc\n  1  0\n", "line 5: found the end, expected an atom line"},
		{molOf([]string{"Xx "}), `line 5: no element has the symbol "Xx"`},
		{molOf([]string{"LP "}), `line 5: no element has the symbol "LP"`},
		{molOf([]string{"C  "}, "M  ZBO  1   1   0"), "line 6: found bond 1, but the bonds are 1 to 0"},
		{molOf([]string{"C  "}, "M  ALS   2  2 F N   O   "), "line 6: found atom 2, but the atoms are 1 to 1"},
		{molOf([]string{"C   0  9"}), "line 5: columns 37 to 39: found 9, expected a charge code of 0 to 7"},
		{molOf([]string{"C  "}, "  1  2  1  0"), "line 6: found atom 2, but the atoms are 1 to 1"},
		{molOf([]string{"C  "}, "  1  1  1  0"), "line 6: the bond joins an atom to itself"},
		{molOf([]string{"C  ", "C  "}, "  1  2 11  0"), "line 7: found the bond type 11, expected 1 to 10"},
		{molOf([]string{"C  ", "C  "}, "  1  2  1  0", "  2  1  1  0"), "line 8: this bond joins two atoms that are bonded already"},
		{molOf([]string{"C  "}, "M  CHG  1   2   1"), "line 6: found atom 2, but the atoms are 1 to 1"},
		{molOf([]string{"C  "}, "M  CHG  2   1   1"), "line 6: found 1 entries, expected 2"},
		{molOf([]string{"C  "}, "M  CHG  1   1  77"), "line 6: found the charge 77, expected -15 to 15"},
		{strings.TrimSuffix(benzeneMol, "M  END\n"), `line 17: found the end, expected a property line or "M  END"`},
		{v3("M  END"), `line 5: found "M  END", expected a line "M  V30 BEGIN ATOM"`},
		{v3("nonsense"), `line 5: found "nonsense", expected a line that begins with "M  V30 "`},
		{v3("M  V30 BEGIN ATOM", "M  V30 1 C 0 0 0 0", "M  V30 1 C 0 0 0 0"), "line 7: atom 1 is given twice"},
		{v3("M  V30 BEGIN ATOM", "M  V30 1 C"), "line 6: found 2 fields, expected an atom: index, type, x, y, z and map"},
		{v3("M  V30 BEGIN ATOM", `M  V30 1 "" 0 0 0 0`), "line 6: the atom has no symbol"},
		{v3("M  V30 BEGIN BOND", "M  V30 1 1 1 2"), "line 6: found atom 1, which is not in the atom block"},
		{v3("M  V30 BEGIN ATOM", "M  V30 1 C 0 0 0 0 CHG=x"), `line 6: found "CHG=x", expected CHG= and a number`},
	} {
		_, err := ParseMol([]byte(c.block))
		if err == nil || err.Error() != c.message {
			t.Errorf("%q:\n%v, want\n%s", c.block, err, c.message)
		}
	}
	pyrrole := molOf([]string{"N  ", "C  ", "C  ", "C  ", "C  "},
		"  1  2  4  0", "  2  3  4  0", "  3  4  4  0", "  4  5  4  0", "  1  5  4  0")
	_, err := ParseMol([]byte(pyrrole))
	var kekule *KekuleError
	if !errors.As(err, &kekule) || !strings.HasPrefix(err.Error(), "line 5: atoms in lines 5, 6, 7, 8, 9: no alternation") {
		t.Errorf("pyrrole without its hydrogen: %v", err)
	}
}

func TestSDFReader(t *testing.T) {
	data := ">  <NSC> (1)\n17\n\n> <NOTE>\ntwo\nlines\n\n$$$$\n"
	text := benzeneMol + data + "bad\n\n\nnonsense\n$$$$\n" + benzeneV3000 + "$$$$\n\n"
	r := NewSDFReader(strings.NewReader(text))
	m, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	want := []Property{{"NSC", "17"}, {"NOTE", "two\nlines"}}
	if m.Name != "benzene" || !slices.Equal(m.Properties, want) || string(r.Record()) != strings.TrimSuffix(benzeneMol+data, "$$$$\n") {
		t.Errorf("name %q, properties %q", m.Name, m.Properties)
	}
	_, err = r.Next()
	if want := fmt.Sprintf("line %d: columns 1 to 3: found \"non\", expected the number of atoms", r.Line()+3); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if r.Line() != 26 {
		t.Errorf("the bad record begins in line %d, want 26", r.Line())
	}
	if m, err = r.Next(); err != nil || len(m.Atoms) != 6 || len(m.Properties) != 0 {
		t.Errorf("after a bad record: %v, %v", m, err)
	}
	for range 2 {
		if _, err = r.Next(); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
}

func TestSDFRecordLimit(t *testing.T) {
	long := "long\n" + strings.Repeat("x", 1<<17) + "\n$$$$\n"
	r := NewSDFReader(strings.NewReader(long + benzeneMol))
	r.MaxRecord = 1000
	if _, err := r.Next(); err == nil || err.Error() != "line 1: the record is longer than 1000 bytes" {
		t.Error(err)
	}
	if m, err := r.Next(); err != nil || m.Name != "benzene" || r.Line() != 4 {
		t.Errorf("after a long record: line %d, %v", r.Line(), err)
	}
}

func TestSDFReadError(t *testing.T) {
	broken := errors.New("broken")
	r := NewSDFReader(io.MultiReader(strings.NewReader(benzeneMol), iotest.ErrReader(broken)))
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
}

// TestMolWithoutAtoms: a block that counts none is a molecule all the same.
func TestMolWithoutAtoms(t *testing.T) {
	for _, block := range []string{
		molOf(nil),
		"\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 0 0 0 0 0\nM  V30 BEGIN ATOM\nM  V30 END ATOM\nM  V30 END CTAB\nM  END\n",
	} {
		m, err := ParseMol([]byte(block))
		if err != nil {
			t.Errorf("%q: %v", block, err)
			continue
		}
		if g, err := m.Graph(graph.NewVocabulary(), Options{LargestFragment: true}); err != nil || g.N() != 0 {
			t.Errorf("%q: %v, %v", block, g, err)
		}
	}
}

// TestStatedValences: a total valence counts a dative bond at its acceptor.
func TestStatedValences(t *testing.T) {
	m, err := ParseMol([]byte(molOf([]string{"N  ", "Fe  0  0  0  0  0  1"}, "  1  2  9  0")))
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err := m.SMILES(); err != nil || s != "N->[Fe]" {
		t.Errorf("%s, %v", s, err)
	}
}
