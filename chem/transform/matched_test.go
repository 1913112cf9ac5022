package transform_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/graph"
)

// bundled returns the SMILES of molecules that come with the program.
func bundled(t *testing.T) (list []string) {
	t.Helper()
	f, err := os.Open("../../bundle/nci5k.smi.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "\t")
		list = append(list, text)
	}
	return list
}

// cutting cuts a molecule in all ways, without hashes: by what stays, as canonical SMILES, the size of the least
// fragment. A molecule with a hydrogen in place of the fragment is there as a fragment of size 0.
func cutting(t *testing.T, smiles string, most int) (ways map[string]int, whole string, capped map[string]int) {
	t.Helper()
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	var w chem.SMILESWriter
	n := len(m.Atoms)
	reach := func(v int, without []int) []int {
		seen := map[int]bool{v: true}
		atoms := []int{v}
		for i := 0; i < len(atoms); i++ {
			for k, b := range m.Bonds {
				if slices.Contains(without, k) {
					continue
				}
				for _, to := range [][2]int32{{b.From, b.To}, {b.To, b.From}} {
					if int(to[0]) == atoms[i] && !seen[int(to[1])] {
						seen[int(to[1])] = true
						atoms = append(atoms, int(to[1]))
					}
				}
			}
		}
		return atoms
	}
	write := func(atoms []int, at int, capped bool) string {
		if len(atoms) == 0 {
			return ""
		}
		text, _, err := w.Canonical(m.Part(atoms, at, capped))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	whole = write(every, -1, false)
	ways, capped = make(map[string]int), make(map[string]int)
	ring := m.RingBonds()
	plain := func(v int32) bool {
		a := m.Atoms[v]
		if a.Element.Symbol() != "C" || a.Charge != 0 {
			return false
		}
		for _, b := range m.Bonds {
			if b.From != v && b.To != v || b.Order != chem.Double && b.Order != chem.Triple {
				continue
			}
			if m.Atoms[b.From+b.To-v].Element.Symbol() != "C" {
				return false
			}
		}
		return true
	}
	var bonds []int
	for i, b := range m.Bonds {
		if b.Order == chem.Single && !ring[i] && (plain(b.From) || plain(b.To)) {
			bonds = append(bonds, i)
		}
	}
	least := func(in map[string]int, key string, size int) {
		if known, ok := in[key]; !ok || size < known {
			in[key] = size
		}
	}
	try := func(cuts ...int) {
		middle := make(map[int]bool) // atoms that touch every cut
		for v := range every {
			atoms := reach(v, cuts)
			touches := true
			for _, k := range cuts {
				touches = touches && (slices.Contains(atoms, int(m.Bonds[k].From)) != slices.Contains(atoms, int(m.Bonds[k].To)))
			}
			if !touches || middle[v] {
				continue
			}
			for _, u := range atoms {
				middle[u] = true
			}
			var keys []string
			var stays []int
			for _, k := range cuts {
				end := int(m.Bonds[k].From)
				if slices.Contains(atoms, end) {
					end = int(m.Bonds[k].To)
				}
				side := reach(end, cuts)
				keys, stays = append(keys, write(side, 0, false)), append(stays, side...)
			}
			var rest []int
			for _, u := range every {
				if !slices.Contains(atoms, u) && !slices.Contains(stays, u) {
					rest = append(rest, u)
				}
			}
			if len(atoms) > most || len(atoms) > len(stays) {
				continue
			}
			slices.Sort(keys)
			least(ways, fmt.Sprint(keys, write(rest, -1, false)), len(atoms))
			if len(cuts) == 1 {
				least(capped, write(slices.Concat(stays, rest), 0, true), len(atoms))
			}
		}
	}
	for i, a := range bonds {
		try(a)
		for j, b := range bonds[i+1:] {
			try(a, b)
			for _, c := range bonds[i+1:][j+1:] {
				try(a, b, c)
			}
		}
	}
	return ways, whole, capped
}

// TestMatcher compares the pairs of bundled molecules with those that enumeration finds, and checks that each is by one
// fragment of the least size.
func TestMatcher(t *testing.T) {
	const most = 8
	list := bundled(t)
	count := 100
	if testing.Short() {
		count = 40
	}
	list = append(list[:count:count], "c1ccccc1", "C1CCCCC1-c1ccccc1", "C1CCC2CCCCC2C1CCO", "C1CCCC1C1CCCC1CO", "C[C@H](N)C(=O)O.Cl", "CC[C@H](N)C(=O)O.Cl",
		"C(N)C(=O)O.Cl", "O=C(Nc1ccccc1)c1ccccc1", "c1ccccc1NS(=O)(=O)c1ccccc1", "[13CH3]c1ccccc1", "CC(C)(c1ccncc1)OCCC", "CC(O)(c1ccncc1)CCC")
	vocab := graph.NewVocabulary()
	x := transform.NewMatcher(most)
	var ways, capped []map[string]int
	var wholes []string
	var molecules []molecule
	for _, smiles := range list {
		m, err := chem.ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		if !x.Add(m) {
			t.Fatalf("%s is not cut", smiles)
		}
		a, whole, b := cutting(t, smiles, most)
		ways, wholes, capped = append(ways, a), append(wholes, whole), append(capped, b)
		molecules = append(molecules, read(t, vocab, smiles))
	}
	want := make(map[[2]int]int)
	for i := range list {
		for j := range i {
			at := [2]int{j, i}
			best := func(size int) {
				if known, ok := want[at]; !ok || size < known {
					want[at] = size
				}
			}
			if wholes[i] == wholes[j] {
				best(0)
			}
			if size, ok := capped[i][wholes[j]]; ok {
				best(size)
			}
			if size, ok := capped[j][wholes[i]]; ok {
				best(size)
			}
			for key, size := range ways[i] {
				if other, ok := ways[j][key]; ok {
					best(size + other)
				}
			}
		}
	}
	found, all := x.Pairs(0, func() bool { return false })
	if !all {
		t.Fatal("stopped")
	}
	hydrogens, several := 0, 0
	for _, p := range found {
		at := [2]int{p.Query, p.Target}
		size, ok := want[at]
		if !ok {
			t.Fatalf("%s and %s do not match", list[at[0]], list[at[1]])
		}
		delete(want, at)
		q, x := molecules[at[0]], molecules[at[1]]
		m := p.Map(q.read, x.read)
		if m == nil {
			t.Fatalf("%s and %s: nothing stays", list[at[0]], list[at[1]])
		}
		changes, err := transform.Between(q.read, x.read, m)
		if err != nil {
			t.Fatal(err)
		}
		if size == 0 && len(changes) == 0 {
			continue
		}
		if len(changes) != 1 || len(changes[0].Query)+len(changes[0].Target) != size {
			t.Errorf("%s and %s: %v, want one fragment of %d atoms", list[at[0]], list[at[1]], changes, size)
			continue
		}
		if changes[0].From == "[*:1][H]" || changes[0].To == "[*:1][H]" {
			hydrogens++
		}
		if len(changes[0].At) > 1 {
			several++
		}
	}
	for at, size := range want {
		t.Errorf("%s and %s are not found: %d atoms", list[at[0]], list[at[1]], size)
	}
	t.Logf("%d pairs, %d with a hydrogen, %d with several cuts", len(found), hydrogens, several)
	if !testing.Short() && (hydrogens < 10 || several < 50) {
		t.Errorf("of %d pairs %d have a hydrogen, and %d several cuts", len(found), hydrogens, several)
	}
	// Of two collections, pairs are of one molecule of each.
	y := transform.NewMatcher(most)
	half := len(list) / 2
	for i, smiles := range list {
		if i == half {
			y.Others()
		}
		m, _ := chem.ParseSMILES(smiles)
		y.Add(m)
	}
	across, _ := y.Pairs(0, func() bool { return false })
	n := 0
	for _, p := range found {
		if p.Query < half && p.Target >= half {
			if n >= len(across) || across[n].Query != p.Query || across[n].Target != p.Target-half {
				t.Fatalf("the pair of %d and %d is not among those of two collections", p.Query, p.Target)
			}
			n++
		}
	}
	if n != len(across) {
		t.Errorf("%d pairs of two collections, want %d", len(across), n)
	}
	if few, all := x.Pairs(3, func() bool { return false }); all || len(few) != 3 {
		t.Errorf("%d pairs of at most 3", len(few))
	}
	if none, all := x.Pairs(0, func() bool { return true }); all || len(none) > 0 {
		t.Errorf("%d pairs when time is over", len(none))
	}
}
