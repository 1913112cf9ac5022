package ged

import (
	"math"
	"testing"
)

// TestNextGoal checks which gaps are closed in short steps, which are halved, and which are closed at once.
func TestNextGoal(t *testing.T) {
	all, far, near := unlimited, 1000, 8000
	for _, c := range []struct {
		rows   int
		lim    limits
		best   int // of profits up to 10,000, which cost 0
		halved bool
		goal   int
	}{
		{32, all, far, false, 9000 - 250},
		{32, all, far, true, 9000 - 250},
		{31, all, far, false, 5000},
		{31, all, far, true, far + 1},
		{32, limits{all.atLeast, 8000}, far, true, far + 1},
		{32, limits{6001, math.MaxInt}, far, false, 7500},
		{32, all, 8995, false, 9000},
		{32, all, near, false, 8500},
	} {
		p := &problem{row: side{n: c.rows}, worst: 10000, scale: 1}
		g := &strongSearch{climber: &climber{bounds: &bounds{p: p, bestProfit: c.best, bound: 9000}}}
		if c.best == near {
			p.worst = 20000
		}
		g.sift.vain = true
		if goal, _ := g.nextGoal(c.lim, max(c.best, c.lim.atLeast-1), c.halved); goal != c.goal {
			t.Errorf("%+v: %d", c, goal)
		}
	}
}
