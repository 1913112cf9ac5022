package chem

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/greedgraph/greed/lab/testing/sweep"
)

// primitives are patterns of one atom or of two and the bond between them, of every condition of
// SMARTS.
func primitives() []string {
	texts := []string{
		"*", "A", "a", "C", "c", "N", "n", "[Si]", "[se]", "[#6]", "[#7]", "[!#6]", "[+]", "[-]", "[+0]", "[13C]",
		"[2H]", "[H]", "[R]", "[r]", "[k]", "[x]", "[h]", "[z]", "[Z]", "[R;!$(*@*(@*)@*)]", "[$([R2]1@*@*@*@*@*1)]",
		"[k{10-}]", "[r{3-7}]", "*~*", "*-*", "*=*", "*#*", "*:*", "*@*", "*!@*", "*-;@*", "*=;!@*", "*->*", "*<-*",
		"[R2]@[R3]", "[r6]-[r6]", "[R1]~[R1]",
	}
	for _, letter := range "HhDdXvRrkxzZ" {
		for n := range 9 {
			texts = append(texts, fmt.Sprintf("[%c%d]", letter, n))
		}
	}
	for n := 9; n <= 30; n++ {
		texts = append(texts, fmt.Sprintf("[k%d]", n), fmt.Sprintf("[r%d]", n))
	}
	return texts
}

// ringSystems are those whose smallest rings are a choice: cyclophanes, cages, fused macrocycles.
var ringSystems = []string{
	"C1Cc2ccc(cc2)CCc2ccc(cc2)CCc2ccc1cc2",               // [2.2.2]paracyclophane
	"C1Cc2ccc(cc2)CCc2ccc1cc2",                           // [2.2]paracyclophane
	"C1Cc2ccc3cc2Cc2cc(ccc2C3)C1",                        // two bridges
	"C1Cc2cccc(c2)CCc2cccc1c2",                           // [2.2]metacyclophane
	"c1cc2ccc1-c1ccc(cc1)-c1ccc(cc1)-c1ccc-2cc1",         // cycloparaphenylene, of four
	"C1=Cc2ccc(cc2)C=Cc2ccc(cc2)C=Cc2ccc1cc2",            // conjugated all round
	"C1=Cc2ccc(nc2)C=Cc2ccc(nc2)C=Cc2ccc1nc2",            // of pyridines
	"O=c1cc2ccn1C=Cc1ccc(cc1)C=C2",                       // of a pyridone
	"C1CC2CCC1CC2",                                       // bicyclooctane
	"C1CC2CCC1C2",                                        // norbornane
	"C1C2CC3CC1CC(C2)C3",                                 // adamantane
	"C12C3C4C1C5C2C3C45",                                 // cubane
	"C12C3C4C5C1C6C7C2C8C3C9C4C%10C5C6C%11C7C8C9C%10%11", // dodecahedrane
	"C12C3C4C5C1C1C2C3C4C51",                             // pentaprismane
	"C12C3C1C1C2C31",                                     // prismane
	"C12C3C1C32",                                         // tetrahedrane
	"C1C2C3CC4C2C5C1C3C45",                               // a cage
	"C1CN2CCN1CC2",                                       // DABCO
	"C1COCCN2CCOCCOCCN(CCO1)CCOCCOCC2",                   // a cryptand
	"C1CC2CCCCC(C1)CCCC2",                                // a bridged macrocycle
	"C1CCCCC2C(CCCC1)CCCCCCCC2",                          // fused macrocycles
	"C1CCC2CCCCC3CCCCC(C1)CCCC2CCCC3",                    // more of them
	"c1cc2cc3ccc(cc4ccc(cc5ccc(cc1n2)[nH]5)n4)[nH]3",     // porphine
	"c1ccc2c(c1)c1ccccc1c1ccccc21",                       // triphenylene
	"c1cc2ccc3ccc4ccc5ccc6ccc1c1c2c3c4c5c61",             // coronene
	"[Fe]12345678([CH-]9[CH]1[CH]2[CH]3[CH]94)[CH-]1[CH]5[CH]6[CH]7[CH]18", // ferrocene, every bond drawn
	"B12B3B4B5B1B6B7B2B3B4B5B67", // part of a borane
	fullerene,
}

// fullerene is C60.
const fullerene = "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41"

// randomRings returns a molecule of carbon with some rings, bridges and spiro atoms.
func randomRings(rng *rand.Rand) *Molecule {
	m := &Molecule{}
	n := 3 + rng.IntN(10)
	bond := func(u, v int) {
		m.Bonds = append(m.Bonds, Bond{int32(u), int32(v), Single})
	}
	for v := range n {
		bond(v, (v+1)%n)
	}
	degree := func(v int) (d int) {
		for _, b := range m.Bonds {
			if int(b.From) == v || int(b.To) == v {
				d++
			}
		}
		return d
	}
	for range 1 + rng.IntN(5) {
		u, v := rng.IntN(n), rng.IntN(n)
		if u == v || degree(u) > 3 || degree(v) > 3 {
			continue
		}
		last := u
		for range 1 + rng.IntN(5) {
			bond(last, n)
			last = n
			n++
		}
		bond(last, v)
	}
	m.Atoms = make([]Atom, n)
	for v := range m.Atoms {
		m.Atoms[v].Element = carbon
	}
	return m
}

// spellingVector returns, by atom of order, which of the patterns match there.
func spellingVector(t *testing.T, patterns []*SMARTSMatcher, text string, order []int32) []string {
	m, err := ParseSMILES(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	at := make([][]byte, len(m.Atoms))
	var of subject
	if err := of.perceive(m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, x := range patterns {
		x.of = of
		x.steps = 0
		for i := range x.known {
			x.known[i] = make([]uint8, len(m.Atoms))
		}
		atoms := make([]int, len(x.s.atoms))
		for v := range m.Atoms {
			c := byte('.')
			if x.search(x.s, atoms, v) {
				c = '1'
			}
			at[order[v]] = append(at[order[v]], c)
		}
	}
	texts := make([]string, len(at))
	for v := range at {
		texts[v] = string(at[v])
	}
	return texts
}

// TestSpellings: no condition of SMARTS depends on how a molecule is written.
func TestSpellings(t *testing.T) {
	var patterns []*SMARTSMatcher
	for _, text := range primitives() {
		s, err := ParseSMARTS(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		patterns = append(patterns, NewSMARTSMatcher(s))
	}
	rng := rand.New(rand.NewPCG(61, 2))
	smiles, _ := collection(t)
	var molecules []*Molecule
	for _, text := range ringSystems {
		m, err := ParseSMILES(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		molecules = append(molecules, m)
	}
	for range sweep.Trials(500) {
		molecules = append(molecules, randomRings(rng))
	}
	n := sweep.Trials(1500)
	for i := range n {
		m, err := ParseSMILES(smiles[i*len(smiles)/n])
		if err != nil {
			t.Fatal(err)
		}
		molecules = append(molecules, m)
	}
	var w SMILESWriter
	failed := 0
	for k, m := range molecules {
		var want []string
		var first string
		for i := range 50 {
			perm := make([]int32, len(m.Atoms))
			for v, u := range rng.Perm(len(m.Atoms)) {
				perm[v] = int32(u)
			}
			text, order, err := w.Write(m.renumbered(perm))
			if err != nil {
				t.Logf("%d: %v", k, err)
				break
			}
			for v := range order {
				order[v] = perm[order[v]]
			}
			got := spellingVector(t, patterns, text, order)
			if want == nil {
				want, first = got, text
				continue
			}
			if !slices.Equal(got, want) {
				var differ []string
				for p, x := range patterns {
					for v := range got {
						if got[v][p] != want[v][p] {
							differ = append(differ, x.s.text)
							break
						}
					}
				}
				t.Errorf("%s and, spelling %d, %s: %s", first, i, text, strings.Join(differ, " "))
				failed++
				break
			}
		}
	}
	t.Logf("%d molecules, %d differ", len(molecules), failed)
}

// TestSpellingsByRDKit compares the atoms that conditions match with RDKit's, where these do not
// depend on the spelling: see testdata/spelling_counts.py, which writes the file $GREED_SPELLINGS.
func TestSpellingsByRDKit(t *testing.T) {
	path := os.Getenv("GREED_SPELLINGS")
	if path == "" {
		t.Skip("GREED_SPELLINGS names no file of testdata/spelling_counts.py")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var patterns []*SMARTSMatcher
	equal, differ, varies := 0, make(map[string]int), make(map[string]int)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		fields := strings.Split(line, "\t")
		if i == 0 {
			for _, text := range fields[1:] {
				s, err := ParseSMARTS(text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				patterns = append(patterns, NewSMARTSMatcher(s))
			}
			continue
		}
		m, err := ParseSMILES(fields[0])
		if err != nil {
			t.Errorf("%s: %v", fields[0], err)
			continue
		}
		order := make([]int32, len(m.Atoms))
		for v := range order {
			order[v] = int32(v)
		}
		at := spellingVector(t, patterns, fields[0], order)
		for p, want := range fields[1:] {
			count := 0
			for v := range at {
				count += int(at[v][p]-'.') / int('1'-'.')
			}
			text := patterns[p].s.text
			switch {
			case want == "?":
				varies[text]++
			case want == strconv.Itoa(count):
				equal++
			default:
				if differ[text]++; differ[text] < 4 {
					t.Logf("%s in %s: %d, RDKit %s", text, fields[0], count, want)
				}
			}
		}
	}
	t.Logf("%d equal; differ: %v; vary in RDKit: %v", equal, differ, varies)
}
