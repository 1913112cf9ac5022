package chem

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fixture returns the lines of what RDKit said of nci5k, split at tabs: those
// of molecules and those of queries. See testdata/rdkit_counts.py.
func fixture(t *testing.T) (molecules, queries [][]string) {
	t.Helper()
	f, err := os.Open("testdata/nci5k_rdkit.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(z)
	for sc.Scan() {
		fields := strings.Split(sc.Text(), "\t")
		if fields[0] == "query" {
			queries = append(queries, fields[1:])
		} else {
			molecules = append(molecules, fields)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return molecules, queries
}

// describe returns the fields of a line of the fixture but for the bonds, and
// the bonds.
func describe(m *Molecule, id string) (fields []string, bonds string) {
	count := make(map[string]int)
	heavy := 0
	for _, a := range m.Atoms {
		count[a.Element.Symbol()]++
		if a.Element != hydrogen {
			heavy++
		}
	}
	var formula []string
	for _, symbol := range slices.Sorted(maps.Keys(count)) {
		formula = append(formula, fmt.Sprint(symbol, count[symbol]))
	}
	piece := make([]int, len(m.Atoms))
	for v := range piece {
		piece[v] = v
	}
	pieces := len(m.Atoms)
	for _, b := range m.Bonds {
		if from, to := piece[b.From], piece[b.To]; from != to {
			pieces--
			for v := range piece {
				if piece[v] == from {
					piece[v] = to
				}
			}
		}
	}
	sorted := slices.Clone(m.Bonds)
	slices.SortFunc(sorted, func(a, b Bond) int {
		if d := min(a.From, a.To) - min(b.From, b.To); d != 0 {
			return int(d)
		}
		return int(max(a.From, a.To) - max(b.From, b.To))
	})
	var letters strings.Builder
	for _, b := range sorted {
		letters.WriteByte(b.Order.Label()[0])
	}
	return []string{id, strconv.Itoa(heavy), strconv.Itoa(len(m.Bonds)), strconv.Itoa(pieces), strings.Join(formula, " ")}, letters.String()
}

// TestAgainstRDKit compares every molecule of the collection with RDKit's.
// Molecules whose bonds differ are listed in testdata/rdkit_exceptions.txt.
func TestAgainstRDKit(t *testing.T) {
	smiles, ids := collection(t)
	want, _ := fixture(t)
	if len(want) != len(smiles) {
		t.Fatalf("the fixture has %d molecules, the collection %d", len(want), len(smiles))
	}
	exceptions := exceptions(t)
	var p Parser
	differ := 0
	for i, s := range smiles {
		m, err := p.Parse(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		fields, bonds := describe(m, ids[i])
		if !slices.Equal(fields, want[i][:5]) {
			t.Errorf("%s: %q, RDKit has %q", s, fields, want[i][:5])
		}
		rejected := len(want[i]) > 6
		if noted := m.Notes&NoteValence != 0; noted != rejected {
			t.Errorf("%s: valences noted %v, refused by RDKit %v", s, noted, rejected)
		}
		if bonds != want[i][5] {
			differ++
			if !exceptions[ids[i]] {
				t.Errorf("%s: bonds %s, RDKit has %s", s, bonds, want[i][5])
			}
		}
	}
	if differ != len(exceptions) {
		t.Errorf("%d molecules differ in their bonds, %d exceptions are listed", differ, len(exceptions))
	}
	if differ*1000 > 2*len(smiles) {
		t.Errorf("%d of %d molecules differ in their bonds, more than 0.2 %%", differ, len(smiles))
	}
}

// exceptions returns the identifiers of the molecules whose bonds are known to
// differ. Each line has one, and then the reason.
func exceptions(t *testing.T) map[string]bool {
	t.Helper()
	data, err := os.ReadFile("testdata/rdkit_exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		if id, _, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			ids[id] = true
		}
	}
	return ids
}
