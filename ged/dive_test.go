package ged

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestDivesBelow checks that the strong search dives below its root, that a dive keeps
// what was decided above it, and that it ends early where it cannot improve the best map.
func TestDivesBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	dived, kept := 0, 0
	for trial := range 3 {
		vocab := graph.NewVocabulary()
		q, to := sparseGraph(r, vocab, largeRows+4), sparseGraph(r, vocab, largeRows+8)
		s, err := NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Distance(context.Background(), q, to, Options{States: 30}); err != nil {
			t.Fatal(err)
		}
		g := &s.search.strong
		if g.diving < 0 {
			dived++
		}
		g.budget.states = 0
		if !g.inherit(1) {
			t.Fatal("no time")
		}
		// The last column is rarely the one that the program prefers.
		d := g.duals[1]
		row, col := -1, -1
		for a := 0; a < d.n && row < 0; a++ {
			if _, left := d.inRow(a); left > 2 {
				row = a
				col, _ = d.inRow(a)
			}
		}
		if row < 0 {
			continue
		}
		g.decide(d, row, col)
		if !g.inheritProgram(1) {
			t.Fatal("no time")
		}
		g.bestProfit -= 1000
		g.dive(1)
		kept++
		if got := g.below.decided[row]; int(got) != col {
			t.Errorf("trial %d: row %d is decided to be %d and not %d", trial, row, got, col)
		}
		whole := undecided(&g.below)
		g.bestProfit += 1000
		g.dive(1)
		if hopeless := undecided(&g.below); hopeless <= whole {
			t.Errorf("trial %d: a dive leaves %d rows undecided, one that cannot improve anything %d", trial, whole, hopeless)
		}
	}
	if dived == 0 || kept == 0 {
		t.Errorf("%d searches dived below the root, %d decisions were kept", dived, kept)
	}
}

func undecided(d *dual) (count int) {
	for _, b := range d.decided {
		if b < 0 {
			count++
		}
	}
	return count
}
