package chemname

import (
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
)

// known returns all names of the table with their compounds.
func known(t *testing.T) (keys map[string]int, compounds []Compound) {
	t.Helper()
	keys = map[string]int{}
	r := open()
	for i := 0; ; i++ {
		c := compoundOr(t, i)
		if c.SMILES == "" {
			break
		}
		compounds = append(compounds, c)
	}
	for _, f := range r.File {
		if !strings.HasPrefix(f.Name, "keys/") {
			continue
		}
		last := ""
		read(r, f.Name, func(line string) bool {
			key, n, _ := strings.Cut(line, "\t")
			if key <= last {
				t.Errorf("%s: %q after %q", f.Name, key, last)
			}
			last = key
			keys[key] = number(n)
			return true
		})
	}
	return keys, compounds
}

// compoundOr returns a compound, or none behind the last.
func compoundOr(t *testing.T, i int) Compound {
	r := open()
	if _, err := r.Open(folder(i)); err != nil {
		return Compound{}
	}
	return compound(r, i)
}

// TestTable reads all structures. No name is a SMILES, since SMILES are read first, and every name finds the
// compound that lists it.
func TestTable(t *testing.T) {
	keys, compounds := known(t)
	t.Logf("%d names of %d compounds, %d bytes", len(keys), len(compounds), len(table))
	if len(compounds) < 3000 || len(keys) < 4*len(compounds) {
		t.Errorf("%d names of %d compounds: want thousands", len(keys), len(compounds))
	}
	var w chem.SMILESWriter
	forms := map[string]string{}
	for i, c := range compounds {
		m, err := chem.ParseSMILES(c.SMILES)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		form, _, err := w.Canonical(m)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		} else if other := forms[form]; other != "" && other != c.Name {
			forms[form] += ", " + c.Name
		} else {
			forms[form] = c.Name
		}
		if at, ok := keys[fold(c.Name)]; !ok || at != i {
			t.Errorf("%s does not find itself", c.Name)
		}
		if c.CAS != "" && !checked(c.CAS) {
			t.Errorf("%s: the check digit of %s is another", c.Name, c.CAS)
		}
	}
	for key, i := range keys {
		if i < 0 || i >= len(compounds) {
			t.Errorf("%s: there is no compound %d", key, i)
		}
		if _, err := chem.ParseSMILES(key); err == nil {
			t.Errorf("%s of %s is a SMILES", key, compounds[i].Name)
		}
	}
}

// checked reports whether the last digit of a CAS number is the sum of the others, each times its place from
// the right, modulo 10.
func checked(cas string) bool {
	digits := strings.ReplaceAll(cas, "-", "")
	sum := 0
	for i := range len(digits) - 1 {
		sum += int(digits[i]-'0') * (len(digits) - 1 - i)
	}
	return sum%10 == int(digits[len(digits)-1]-'0')
}

func TestFind(t *testing.T) {
	for _, test := range []struct{ text, smiles string }{
		{"aspirin", "CC(=O)Oc1ccccc1C(O)=O"}, {"Acetylsalicylic  Acid", "CC(=O)Oc1ccccc1C(O)=O"}, {"50-78-2", "CC(=O)Oc1ccccc1C(O)=O"},
		{"CAFFEINE", "Cn1cnc2n(C)c(=O)n(C)c(=O)c12"}, {"58-08-2", "Cn1cnc2n(C)c(=O)n(C)c(=O)c12"}, {"paracetamol", "CC(=O)Nc1ccc(O)cc1"},
		{"ethyl acetate", "CCOC(C)=O"}, {"THF", "C1CCOC1"}, {"N,N-Dimethylformamide", "CN(C)C=O"}, {"dmf", "CN(C)C=O"},
		{"imatinib", "CN1CCN(CC1)Cc1ccc(cc1)C(=O)Nc1ccc(C)c(c1)Nc1nccc(n1)-c1cccnc1"},
		{"Gleevec", "CN1CCN(CC1)Cc1ccc(cc1)C(=O)Nc1ccc(C)c(c1)Nc1nccc(n1)-c1cccnc1"},
	} {
		c, ok := Find(test.text)
		if !ok {
			t.Errorf("%s is not known", test.text)
			continue
		}
		if got, want := canonical(t, c.SMILES), canonical(t, test.smiles); got != want {
			t.Errorf("%s is %s, want %s", test.text, got, want)
		}
	}
	for _, text := range []string{"", " ", "-", "no such thing", "1234567-89-0", "z"} {
		if c, ok := Find(text); ok {
			t.Errorf("%q is %v", text, c)
		}
	}
}

func canonical(t *testing.T, smiles string) string {
	t.Helper()
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	var w chem.SMILESWriter
	text, _, err := w.Canonical(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestNear(t *testing.T) {
	for text, want := range map[string]string{"asprin": "aspirin", "ibuprophen": "ibuprofen", "cafeine": "caffeine", "xyzzy": "", "as": ""} {
		got := Near(text)
		c, _ := Find(got)
		w, _ := Find(want)
		if c != w {
			t.Errorf("near to %s is %q, want %q", text, got, want)
		}
	}
}

func TestPlausible(t *testing.T) {
	names := []string{"aspirin", "acetic acid", "50-78-2", "N,N-dimethylformamide", "2,4-D ester", "Benzene", "5'-adenylic acid", "THF"}
	others := []string{"", "c1ccccc1", "CC(=O)Q", "[#6]xyz", "C!@Cxyz", "C=Cxyz", "CCO", "x", "1-2-3", "ab\ncdef"}
	for _, text := range names {
		if !Plausible(text) {
			t.Errorf("%s is no name", text)
		}
	}
	for _, text := range others {
		if Plausible(text) && !slices.Contains(names, text) {
			t.Errorf("%s is a name", text)
		}
	}
}
