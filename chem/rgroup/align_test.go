package rgroup

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
)

// whole returns the score of chosen ways.
func (a *alignment) whole(chosen []int) (s score) {
	known, used := make([]map[string]int, len(a.slots)+1), make([]bool, len(a.slots)+1)
	for i := range known {
		known[i] = make(map[string]int)
	}
	for i, k := range chosen {
		c := &a.list[i][k]
		if a.marked {
			s.beyond += c.beyond
		}
		for _, x := range c.cells {
			s.unlike -= known[x.slot][x.like]
			known[x.slot][x.like]++
			if x.slot < len(a.slots) && !used[x.slot] {
				used[x.slot] = true
				s.columns++
			}
		}
	}
	return s
}

// TestAlignment compares what is chosen with the best of all choices, for small series: it is never better, and nearly
// always as good.
func TestAlignment(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 8))
	groups := []string{"F", "Cl", "C", "OC"}
	best, trials := 0, 0
	for range 300 {
		text := []string{"c1ccccc1", "C1CCC1", "CC", "[*:1]c1ccncc1"}[rng.IntN(4)]
		frame := map[string]string{"c1ccccc1": "c1(0)c(1)c(2)c(3)c(4)c1(5)", "C1CCC1": "C1(0)(1)C(2)C(3)(4)C1(5)", "CC": "C(0)(1)(2)C(3)(4)(5)", "[*:1]c1ccncc1": "c1(0)c(1)c(2)nc(3)c1(4)"}[text]
		core, err := ParseCore(text, false)
		if err != nil {
			t.Fatal(err)
		}
		s := NewSeries(core, Options{})
		for range 2 + rng.IntN(3) {
			smiles := frame
			for k := range 6 {
				with := ""
				if rng.IntN(3) == 0 {
					with = "(" + groups[rng.IntN(len(groups))] + ")"
				}
				smiles = strings.Replace(smiles, "("+string(rune('0'+k))+")", with, 1)
			}
			m, err := chem.ParseSMILES(smiles)
			if err != nil {
				t.Fatalf("%s: %v", smiles, err)
			}
			if has, err := s.Add(m, func() bool { return false }); !has || err != nil {
				t.Fatalf("%s: %v, %v", smiles, has, err)
			}
		}
		a := &alignment{core: core}
		a.number(s.members)
		a.list = make([][]choice, len(s.members))
		all := 1
		for i := range s.members {
			a.list[i] = a.choices(&s.members[i])
			all *= len(a.list[i])
		}
		if all > 200_000 {
			continue
		}
		trials++
		chosen, stable := a.align(func() bool { return false })
		if !stable {
			t.Error("not stable")
		}
		got := a.whole(chosen)
		least := got
		tried := make([]int, len(a.list))
		for range all {
			if s := a.whole(tried); s.compare(least) < 0 {
				least = s
			}
			for i := range tried {
				if tried[i]++; tried[i] < len(a.list[i]) {
					break
				}
				tried[i] = 0
			}
		}
		if got == least {
			best++
		}
	}
	t.Logf("%d of %d are the best", best, trials)
	if trials < 100 || best < trials*9/10 {
		t.Errorf("only %d of %d are the best", best, trials)
	}
}
