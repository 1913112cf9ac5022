package diff_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// code is a function as it is planted: blocks of some kinds and where they lead, and the functions that it calls.
type code struct {
	name   string
	blocks []string
	jumps  [][2]int
	calls  []string
}

// written returns a random function: each block leads to the next, and some to others.
func written(r *rand.Rand, name string, size int) code {
	kinds := []string{"entry", "if", "for", "switch", "call", "return", "store", "load"}
	c := code{name: name}
	for v := range size {
		c.blocks = append(c.blocks, kinds[r.IntN(len(kinds))])
		if v > 0 {
			c.jumps = append(c.jumps, [2]int{v - 1, v})
		}
		if v > 1 && r.IntN(3) == 0 {
			c.jumps = append(c.jumps, [2]int{r.IntN(v - 1), v})
		}
		if v > 2 && r.IntN(6) == 0 {
			c.jumps = append(c.jumps, [2]int{v, r.IntN(v - 1)})
		}
	}
	return c
}

// cut divides a function before a block. Jumps between the halves are gone.
func (c code) cut(at int, name string) (first, second code) {
	first, second = code{name: c.name, calls: c.calls}, code{name: name}
	first.blocks, second.blocks = slices.Clone(c.blocks[:at]), slices.Clone(c.blocks[at:])
	for _, j := range c.jumps {
		switch {
		case max(j[0], j[1]) < at:
			first.jumps = append(first.jumps, j)
		case min(j[0], j[1]) >= at:
			second.jumps = append(second.jumps, [2]int{j[0] - at, j[1] - at})
		}
	}
	first.calls = append(slices.Clone(c.calls), name)
	return first, second
}

// planted is two versions of a program and what became of the functions whose name or body changed: by new name the old
// one, of a function that was split off and of one that was merged the other function.
type planted struct {
	old, fresh             []code
	renamed, split, merged map[string]string
}

// plant makes a program of n functions and its next version.
func plant(seed uint64, n int) *planted {
	r := rand.New(rand.NewPCG(seed, 60))
	p := &planted{renamed: map[string]string{}, split: map[string]string{}, merged: map[string]string{}}
	name := func(v int) string { return fmt.Sprintf("mod%d.fn%c%c%d", v/20, 'a'+r.IntN(26), 'a'+r.IntN(26), v) }
	for v := range n {
		p.old = append(p.old, written(r, name(v), 3+r.IntN(20)))
	}
	for v := range p.old {
		for range 1 + r.IntN(3) {
			p.old[v].calls = append(p.old[v].calls, p.old[r.IntN(n)].name)
		}
	}
	into := make(map[string]string) // new names
	for v := range p.old {
		c := p.old[v]
		c.jumps, c.blocks, c.calls = slices.Clone(c.jumps), slices.Clone(c.blocks), slices.Clone(c.calls)
		size := len(c.blocks)
		switch x := r.IntN(100); {
		case x < 6 && size >= 10: // renamed, with a small edit now and then
			fresh := fmt.Sprintf("mod%d.x%c%c%d", v/20, 'a'+r.IntN(26), 'a'+r.IntN(26), r.IntN(100000))
			if r.IntN(2) == 0 {
				c.blocks[r.IntN(size)] = "changed"
			}
			p.renamed[fresh], into[c.name], c.name = c.name, fresh, fresh
		case x < 10 && size >= 14: // a part of it is a function of its own
			first, second := c.cut(size/2, fmt.Sprintf("mod%d.part%d", v/20, r.IntN(100000)))
			p.split[second.name] = c.name
			p.fresh = append(p.fresh, second)
			c = first
		case x < 14 && size >= 14: // a function that it called is a part of it
			first, second := c.cut(size/2, fmt.Sprintf("mod%d.gone%d", v/20, r.IntN(100000)))
			p.merged[second.name] = c.name
			p.old[v] = first
			p.old = append(p.old, second)
		case x < 30: // edited
			c.blocks[r.IntN(size)] = "edited"
		}
		p.fresh = append(p.fresh, c)
		if len(p.fresh) > 2*n {
			break
		}
	}
	for v := range p.fresh {
		for k, called := range p.fresh[v].calls {
			if fresh, renamed := into[called]; renamed {
				p.fresh[v].calls[k] = fresh
			}
		}
	}
	r.Shuffle(len(p.fresh), func(i, j int) { p.fresh[i], p.fresh[j] = p.fresh[j], p.fresh[i] })
	return p
}

// program makes the graphs of functions, and their calls if these are known.
func program(t testing.TB, vocab *graph.Vocabulary, list []code, calls bool) *diff.Program {
	p := &diff.Program{}
	at := make(map[string]int)
	for v, c := range list {
		at[c.name] = v
		b := graph.NewBuilder(vocab, true)
		for _, label := range c.blocks {
			b.AddNode(label)
		}
		for _, j := range c.jumps {
			if err := b.AddEdge(j[0], j[1], "0"); err != nil {
				t.Fatal(err)
			}
		}
		p.Names, p.Graphs = append(p.Names, c.name), append(p.Graphs, b.MustBuild())
	}
	if calls {
		p.Calls = make([][]int, len(list))
		for v, c := range list {
			for _, called := range c.calls {
				if w, ok := at[called]; ok {
					p.Calls[v] = append(p.Calls[v], w)
				}
			}
			slices.Sort(p.Calls[v])
			p.Calls[v] = slices.Compact(p.Calls[v])
		}
	}
	return p
}

// solved returns the distance of two functions of programs.
func solved(old, fresh *diff.Program) func(context.Context, int, int, int) (float64, error) {
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		panic(err)
	}
	return func(ctx context.Context, _, i, j int) (float64, error) {
		r, err := s.Distance(ctx, old.Graphs[i], fresh.Graphs[j], ged.Options{States: 2000})
		return r.Upper, err
	}
}

// TestMatchPlantedFunctions: of functions that were renamed, split and merged, nearly all are found, and nearly nothing
// else is said.
func TestMatchPlantedFunctions(t *testing.T) {
	for calls, least := range map[bool]int{true: 90, false: 80} { // per cent that are found
		right, said, planted := 0, 0, 0
		for seed := range uint64(6) {
			p := plant(seed, 120)
			vocab := graph.NewVocabulary()
			old, fresh := program(t, vocab, p.old, calls), program(t, vocab, p.fresh, calls)
			list, err := diff.MatchFunctions(t.Context(), old, fresh, 1, solved(old, fresh))
			if err != nil {
				t.Fatal(err)
			}
			planted += len(p.renamed) + len(p.split) + len(p.merged)
			for _, f := range list {
				got, want := "", ""
				switch f.Fate {
				case diff.FateRenamed, diff.FateMoved:
					got, want = old.Names[f.Old], p.renamed[fresh.Names[f.New]]
				case diff.FateSplit:
					got, want = fresh.Names[f.Of], p.split[fresh.Names[f.New]]
				case diff.FateMerged:
					got, want = old.Names[f.Of], p.merged[old.Names[f.Old]]
				default:
					continue
				}
				said++
				if got == want {
					right++
				} else {
					t.Logf("calls %v, seed %d: %s of %s, want %s: %s", calls, seed, f.Fate, got, want, f.Why)
				}
			}
		}
		t.Logf("calls %v: %d planted, %d right of %d", calls, planted, right, said)
		if 100*right < least*planted || 100*right < 95*said {
			t.Errorf("calls %v: %d planted, %d right of %d", calls, planted, right, said)
		}
	}
}
