package diff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestMatchFunctionsReference compares the evidence of what is matched with that of the best of all matchings, for
// programs of a few functions, half of which have new names.
func TestMatchFunctionsReference(t *testing.T) {
	got, most, equal, trials := 0.0, 0.0, 0, 300
	for trial := range trials {
		r := rand.New(rand.NewPCG(uint64(trial), 605))
		vocab := graph.NewVocabulary()
		n := 2 + r.IntN(4)
		old, fresh := &Program{}, &Program{}
		for v := range n {
			build := func(changed bool) *graph.Graph {
				b, s := graph.NewBuilder(vocab, true), rand.New(rand.NewPCG(uint64(trial), uint64(v/2)))
				size := 6 + s.IntN(4)
				for u := range size {
					label := string(rune('A' + s.IntN(4)))
					if changed && u == 3 {
						label = "Z"
					}
					b.AddNode(label)
					if u > 0 {
						b.MustAdd(s.IntN(u), u, vocab.Edge("0"))
					}
				}
				return b.MustBuild()
			}
			name := fmt.Sprintf("f%d", v)
			old.Names, old.Graphs = append(old.Names, name), append(old.Graphs, build(false))
			if r.IntN(2) == 0 {
				name = fmt.Sprintf("renamed%c", 'a'+v)
			}
			fresh.Names, fresh.Graphs = append(fresh.Names, name), append(fresh.Graphs, build(r.IntN(3) == 0))
		}
		old.Calls, fresh.Calls = make([][]int, n), make([][]int, n)
		for v := range n {
			for w := range n {
				if r.IntN(3) == 0 {
					old.Calls[v] = append(old.Calls[v], w)
					if r.IntN(5) > 0 {
						fresh.Calls[v] = append(fresh.Calls[v], w)
					}
				}
			}
		}
		m := &programs{old: newFunctions(old), fresh: newFunctions(fresh), alike: make(map[[2]int]float64)}
		list, err := MatchFunctions(t.Context(), old, fresh, 1, func(_ context.Context, _, i, j int) (float64, error) {
			all := max(old.Graphs[i].N()+old.Graphs[i].M(), fresh.Graphs[j].N()+fresh.Graphs[j].M())
			return (1 - m.old.features[i].alike(m.fresh.features[j])) * float64(all), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				if old.Names[i] == fresh.Names[j] {
					m.match(i, j)
				}
				m.alike[[2]int{i, j}] = m.old.features[i].alike(m.fresh.features[j])
			}
		}
		named := slices.Clone(m.old.partner)
		total := func() (sum float64) {
			for i, j := range m.old.partner {
				if j >= 0 && named[i] < 0 {
					e, _, _ := m.evidence(i, j)
					sum += e - leastEvidence
				}
			}
			return sum
		}
		best := 0.0
		var try func(i int)
		try = func(i int) {
			if i == n {
				best = max(best, total())
				return
			}
			try(i + 1)
			if m.old.partner[i] >= 0 {
				return
			}
			for j := range n {
				if m.fresh.partner[j] < 0 && m.alike[[2]int{i, j}] >= leastAlike {
					m.match(i, j)
					try(i + 1)
					m.old.partner[i], m.fresh.partner[j] = -1, -1
				}
			}
		}
		try(0)
		for _, f := range list {
			if f.Old >= 0 && f.New >= 0 && m.old.partner[f.Old] < 0 {
				m.match(f.Old, f.New)
			}
		}
		sum := total()
		if sum > best+1e-9 {
			t.Fatalf("trial %d: evidence %v, more than the best, %v", trial, sum, best)
		}
		if sum > best-1e-9 {
			equal++
		}
		got, most = got+sum, most+best
	}
	t.Logf("%.1f of %.1f, the best in %d of %d", got, most, equal, trials)
	if got < .9*most {
		t.Errorf("the evidence of all is %.1f, the most %.1f", got, most)
	}
}
