package rgroup_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/chem/rgroup"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// cores are taken out of the bundled molecules.
var cores = []string{
	"c1ccccc1", "[*:1]c1ccccc1", "OC(=O)c1ccccc1", "c1ccc2ncccc2c1", "C1CCCCC1", "CO", "[*:1]C([*:2])C(=O)O", "O=c1cc[nH]c(=O)[nH]1", "C1CC2CCC1C2",
	"N=N", "c1ccc(Oc2ccccc2)cc1", "S(=O)(=O)N", "[F,Cl,Br]c1ccccc1", "[n;r6]1ccccc1", "[#6;H2:3]1CCCCC1", "c1ccc2c(c1)Cc1ccccc1-2",
}

func all(t *testing.T) (smiles []string) {
	t.Helper()
	c, err := greed.Bundled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for rec := range c.All() {
		smiles = append(smiles, rec.SMILES)
	}
	return smiles
}

func parsed(t *testing.T, smiles string) *chem.Molecule {
	t.Helper()
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return m
}

func core(t *testing.T, text string) *rgroup.Core {
	t.Helper()
	c, err := rgroup.ParseCore(text, false)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}

func never() bool { return false }

// take returns the table of a series, and the molecules that it has.
func take(t *testing.T, text string, opt rgroup.Options, smiles []string) (*rgroup.Table, []*chem.Molecule) {
	t.Helper()
	s := rgroup.NewSeries(core(t, text), opt)
	var in []*chem.Molecule
	for _, one := range smiles {
		m := parsed(t, one)
		has, err := s.Add(m, never)
		if err != nil {
			t.Fatalf("%s in %s: %v", text, one, err)
		}
		if has {
			in = append(in, m)
		}
	}
	table, stable := s.Table(never)
	if !stable || len(table.Rows) != len(in) {
		t.Fatalf("%s: %d rows of %d molecules, stable %v", text, len(table.Rows), len(in), stable)
	}
	return table, in
}

// weight returns the number of atoms of each element, without the places of attachment, and hydrogens in all.
func weight(t *testing.T, smiles string, count map[string]int, sign int) {
	t.Helper()
	if smiles == "" {
		return
	}
	m := parsed(t, smiles)
	for v, h := range m.Hydrogens() {
		count["H"] += sign * h
		if e := m.Atoms[v].Element; e != chem.Any {
			count[e.Symbol()] += sign
		}
	}
}

// TestNothingIsLost: the core and the groups of a row are the atoms of the molecule, whatever the core, and the
// hydrogens of atoms beyond it.
// TestNamesAreCores: a core may be a name; what is not known says so, and what is a SMILES or a SMARTS stays one.
func TestNamesAreCores(t *testing.T) {
	acid, err := rgroup.ParseCore("Benzoic acid", false)
	if err != nil || acid.Len() != 9 || !strings.Contains(acid.Read(), "read as Benzoic acid") {
		t.Errorf("benzoic acid: %v", err)
	}
	for _, text := range []string{"c1ccccc1", "[C,N]", "NBS", "CaA"} {
		if c, err := rgroup.ParseCore(text, false); err != nil || c.Read() != "" {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err = rgroup.ParseCore("benzoic acit", false)
	if !errors.Is(err, chemname.ErrUnknown) || strings.Contains(err.Error(), "SMARTS") {
		t.Errorf("error %v", err)
	}
}

func TestNothingIsLost(t *testing.T) {
	smiles := all(t)
	rows := 0
	for _, text := range cores {
		for radius := range 2 {
			table, in := take(t, text, rgroup.Options{Radius: radius}, smiles[:sweep.Trials(len(smiles)/2)])
			for i, row := range table.Rows {
				rows++
				left := make(map[string]int)
				for v, a := range in[i].Atoms {
					if !slices.Contains(row.Atoms, v) {
						left[a.Element.Symbol()]++
						left["H"] += in[i].Hydrogens()[v]
					}
				}
				known := make(map[string]bool)
				for _, group := range append(slices.Clone(row.Groups), row.Rest) {
					if !known[group] && !strings.HasSuffix(group, "[H]") {
						weight(t, group, left, -1)
					}
					known[group] = true
				}
				for e, n := range left {
					if n != 0 && e != "*" {
						t.Errorf("%s, molecule %d: %d %s too many beyond the core: %q", text, i, n, e, row.Groups)
					}
				}
				if row.Cost > radius || (row.Cost > 0) != (len(row.Differences) > 0) {
					t.Errorf("%s, molecule %d: cost %d with %q", text, i, row.Cost, row.Differences)
				}
			}
		}
	}
	if rows < 1000 {
		t.Errorf("%d rows", rows)
	}
}

// TestNear compares with an enumeration of all maps of small cores: the cost is the least of a map that leaves what is
// there of the core in one piece.
func TestNear(t *testing.T) {
	smiles := all(t)
	rng := rand.New(rand.NewPCG(61, 6))
	counts := make(map[int]int)
	parts := []string{"CCO", "C1CC1", "NC=O", "CC(C)O", "C1CCC1", "C1CN1", "CC(=O)N", "COC", "C#CC", "C=CN", "CS(=O)C"}
	for range sweep.Trials(800) {
		text := parts[rng.IntN(len(parts))]
		c, m := parsed(t, text), parsed(t, smiles[rng.IntN(len(smiles))])
		if len(m.Atoms) > 10 {
			continue
		}
		want := leastCost(c, m)
		got := 3
		s := rgroup.NewSeries(core(t, text), rgroup.Options{Radius: 2})
		has, err := s.Add(m, never)
		if err != nil {
			t.Fatal(err)
		}
		if has {
			table, _ := s.Table(never)
			got = table.Rows[0].Cost
		}
		if got != min(want, 3) {
			t.Errorf("%s: cost %d, want %d", text, got, want)
		}
		counts[got]++
	}
	for cost := range 4 {
		if counts[cost] < 2 {
			t.Errorf("only %d of cost %d: %v", counts[cost], cost, counts)
		}
	}
}

// leastCost tries all maps of the atoms of c.
func leastCost(c, m *chem.Molecule) int {
	bond := func(of *chem.Molecule, u, v int) (chem.Order, bool) {
		for _, b := range of.Bonds {
			if int(b.From) == u && int(b.To) == v || int(b.From) == v && int(b.To) == u {
				return b.Order, true
			}
		}
		return 0, false
	}
	best := 1000
	at := make([]int, len(c.Atoms))
	var try func(i int)
	try = func(i int) {
		if i < len(at) {
			for v := -1; v < len(m.Atoms); v++ {
				if v < 0 || !slices.Contains(at[:i], v) {
					at[i] = v
					try(i + 1)
				}
			}
			return
		}
		cost := 0
		piece := make([]int, len(at))
		for i, v := range at {
			piece[i] = i
			if v < 0 || m.Atoms[v].Element != c.Atoms[i].Element {
				cost++
			}
		}
		for _, b := range c.Bonds {
			u, v := at[b.From], at[b.To]
			order, there := chem.Order(0), false
			if u >= 0 && v >= 0 {
				order, there = bond(m, u, v)
			}
			if !there || order != b.Order {
				cost++
			}
			if there {
				from, to := piece[b.From], piece[b.To]
				for i := range piece {
					if piece[i] == from {
						piece[i] = to
					}
				}
			}
		}
		root := -1
		for i, v := range at {
			if v >= 0 && root >= 0 && piece[i] != root {
				return
			} else if v >= 0 {
				root = piece[i]
			}
		}
		best = min(best, cost)
	}
	try(0)
	return best
}

// TestNearAndSED: the cost of a row is at least the subgraph edit distance that the solver finds. It is that unless the nearest map takes
// the core to several pieces.
func TestNearAndSED(t *testing.T) {
	smiles := all(t)
	rng := rand.New(rand.NewPCG(61, 9))
	solver, err := ged.NewSolver(edit.SED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	same, trials, large := 0, 0, 0
	for range sweep.Trials(1500) {
		c, m := parsed(t, smiles[rng.IntN(len(smiles))]), parsed(t, smiles[rng.IntN(len(smiles))])
		if rng.IntN(2) == 0 {
			c = parsed(t, frequent[rng.IntN(len(frequent))])
		}
		text, _, err := c.SMILES()
		if err != nil || strings.ContainsAny(text, "+-*.") || len(c.Atoms) > 25 { // charges are compared of cores
			continue
		}
		if len(c.Atoms) > 15 {
			large++
		}
		s := rgroup.NewSeries(core(t, text), rgroup.Options{Radius: 2})
		has, err := s.Add(m, never)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		vocab := graph.NewVocabulary()
		q, _ := c.Graph(vocab, chem.Options{})
		g, _ := m.Graph(vocab, chem.Options{})
		r, err := solver.Within(t.Context(), q, g, 2, ged.Options{})
		if err != nil {
			t.Fatal(err)
		}
		near := r.Upper <= 2
		if !near && !has {
			continue
		}
		trials++
		if has {
			table, _ := s.Table(never)
			cost := float64(table.Rows[0].Cost)
			if cost < r.Lower {
				t.Errorf("%s: cost %v, SED %v", text, cost, r.Lower)
			}
			if cost == r.Upper {
				same++
			}
		}
	}
	t.Logf("%d of %d near cores cost their SED", same, trials)
	if trials < 30 || large < 10 || same < trials*4/10 {
		t.Errorf("%d of %d near cores cost their SED; %d large ones", same, trials, large)
	}
}

// frequent are cores that are frequent in the bundled molecules, exactly or nearly.
var frequent = []string{"c1ccccc1", "c1ccncc1", "OC(=O)c1ccccc1", "C1CCCCC1", "CCN", "CC(=O)N", "c1ccc2ccccc2c1", "CCCO", "c1ccsc1", "Nc1ccccc1", "C1CCNCC1"}

// TestSpellingsAgree: the table depends neither on how molecules are written nor on their order.
func TestSpellingsAgree(t *testing.T) {
	smiles := all(t)
	rng := rand.New(rand.NewPCG(61, 7))
	for _, text := range cores {
		some := slices.Clone(smiles)
		rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		some = some[:sweep.Trials(400)]
		radius := rng.IntN(2)
		first, in := take(t, text, rgroup.Options{Radius: radius}, some)
		again := make([]string, len(some))
		place := rng.Perm(len(some))
		for i, one := range some {
			m := parsed(t, one)
			spelled, _, err := m.Fragment(rng.Perm(len(m.Atoms)), nil).SMILES()
			if err != nil {
				spelled = one
			}
			again[place[i]] = spelled
		}
		second, _ := take(t, text, rgroup.Options{Radius: radius}, again)
		lines := func(t *rgroup.Table) (list []string) {
			for _, row := range t.Rows {
				list = append(list, strings.Join(slices.Concat(row.Groups, row.Differences, row.Bonds, []string{row.Rest}), " "))
			}
			slices.Sort(list)
			return list
		}
		a, b := lines(first), lines(second)
		if len(in) > 0 && !slices.Equal(a, b) {
			for i := range a {
				if i < len(b) && a[i] != b[i] {
					t.Errorf("%s: %s, and written otherwise %s", text, a[i], b[i])
					break
				}
			}
		}
	}
}

// TestCores: what is read as a core, and what is not.
func TestCores(t *testing.T) {
	for _, c := range []struct {
		text   string
		smarts bool
		want   string // the pattern, or part of the error
	}{
		{"c1ccccc1", false, "[#6]:%(1):[#6]:[#6]:[#6]:[#6]:[#6]%(1)"},
		{"C1=CC=CC=C1", false, "[#6]:%(1):[#6]:[#6]:[#6]:[#6]:[#6]%(1)"},
		{"c1ccccc1", true, "c1ccccc1"},
		{"[F,Cl]C", false, "[F,Cl]C"},
		{"[*:1][N+](C)(C)C", false, "[*:1]-[#7;+1](-[#6])(-[#6])-[#6]"},
		{"[*:1]", false, "no atoms beside the positions"},
		{"[*:1]C[*:1]", false, "position 1 of the core is marked twice"},
		{"[*:1]=C", false, "position 1 of the core must be attached to an atom, by a single bond"},
		{"C.[*:2]", false, "position 2 of the core is attached to no atom"},
		{"C1CC", false, "ring bond 1 is not closed"},
	} {
		got, err := rgroup.ParseCore(c.text, c.smarts)
		switch {
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		case err == nil && got.Pattern() != c.want:
			t.Errorf("%s: %s, want %s", c.text, got.Pattern(), c.want)
		}
	}
}

// TestDrawnCore: R groups of a MOL block are positions, in both versions.
func TestDrawnCore(t *testing.T) {
	for version, block := range map[string]string{
		"V2000": "\n\n\n  3  2  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 R#  0  0\n    1.0000    0.0000    0.0000 C   0  0\n" +
			"    2.0000    0.0000    0.0000 R#  0  0\n  1  2  1  0\n  2  3  1  0\nM  RGP  2   1   2   3   1\nM  END\n",
		"V3000": "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 3 2 0 0 0\nM  V30 BEGIN ATOM\n" +
			"M  V30 1 R# 0 0 0 0 RGROUPS=(1 2)\nM  V30 2 C 1 0 0 0\nM  V30 3 R# 2 0 0 0 RGROUPS=(1 1)\nM  V30 END ATOM\n" +
			"M  V30 BEGIN BOND\nM  V30 1 1 1 2\nM  V30 2 1 2 3\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n",
	} {
		c, err := rgroup.ParseCore(block, false)
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if c.Pattern() != "[*:2]-[#6]-[*:1]" || c.Len() != 1 {
			t.Errorf("%s: %s with %d atoms", version, c.Pattern(), c.Len())
		}
	}
}
