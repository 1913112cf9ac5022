package ged

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestArrange: after pairs were excluded, every pair that is left has two places of its own,
// cells are sorted by shape, and their shapes are those of the pairs that are left.
func TestArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 37))
	for i := range 5 * len(lpShapes) {
		vocab := graph.NewVocabulary()
		shape := lpShapes[i%len(lpShapes)]
		p := solveLinear(t, edit.Task(i%2), edit.Uniform(), gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape))
		for at, profit := range p.d.profit {
			if !excluded(profit) && r.IntN(3) == 0 {
				p.up.kill(&p.d, at/p.d.m, at%p.d.m)
			}
		}
		var l linear
		l.shrink(&p.l, &p.d, &p.up)
		type end struct{ cell, edge int32 }
		rows, cols := make(map[end]bool), make(map[end]bool)
		count := make(map[int32]int32) // half-edges of rows, less 65,536 for each of columns, by cell
		taken := make(map[int32]bool)
		for _, k := range l.pairs {
			row, col := l.x.row.list[k.e], l.x.col.list[k.f]
			for _, o := range []struct{ c, e, f, at int32 }{{k.c1, k.e, k.f, k.at1}, {k.c2, row.rev, col.rev, k.at2}} {
				if taken[o.at] || l.point.Weight[o.at] == kernel.Unused {
					t.Fatalf("pair %v is where another is, or nowhere", k)
				}
				taken[o.at] = true
				if c := l.cells[o.c]; c.a != l.x.row.list[o.e].from || c.b != l.x.col.list[o.f].from {
					t.Fatalf("pair %v is at another cell", k)
				}
				if e := (end{o.c, o.e}); !rows[e] {
					rows[e] = true
					count[o.c]++
				}
				if f := (end{o.c, o.f}); !cols[f] {
					cols[f] = true
					count[o.c] -= 1 << 16
				}
			}
		}
		for c, k := range l.cells {
			if k.rows-k.cols<<16 != count[int32(c)] {
				t.Fatalf("cell %d: shape %d by %d", c, k.rows, k.cols)
			}
			g := l.point.Groups[c/kernel.CellLane]
			if k.rows > g.Rows || k.cols > g.Cols {
				t.Fatalf("cell %d: %d by %d in a group of %d by %d", c, k.rows, k.cols, g.Rows, g.Cols)
			}
		}
		if most := linearBytes(p.problem); 28*int64(len(l.point.Y)) > most {
			t.Fatalf("%d places of pairs, %d bytes were reckoned with", len(l.point.Y), most)
		}
	}
}

// TestDrop: after pairs were dropped from the groups, every constraint has the length of steps of the
// variables that are left.
func TestDrop(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 37))
	for i := range 5 * len(lpShapes) {
		vocab := graph.NewVocabulary()
		shape := lpShapes[i%len(lpShapes)]
		p := solveLinear(t, edit.GED, edit.Uniform(), gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape))
		l := &p.l
		p.x.halve(&p.d, nil)
		l.setup(&p.x, &p.d, &p.up)
		for range 3 {
			for at, profit := range p.d.profit {
				if !excluded(profit) && r.IntN(8) == 0 {
					p.up.kill(&p.d, at/p.d.m, at%p.d.m)
				}
			}
			l.drop(&p.d)
		}
		variables := make(map[*float32]float32) // of constraints, by their lengths of steps
		for c, k := range l.cells {
			row, col := l.duals(c)
			for j := range int(k.rows) {
				variables[&l.point.Width[row+j*kernel.CellLane]]++
			}
			for j := range int(k.cols) {
				variables[&l.point.Width[col+j*kernel.CellLane]]++
			}
			if l.point.Node[c] != kernel.Unused {
				variables[&l.point.Width[l.slots[k.a]]]++
				variables[&l.point.Width[l.slots[l.x.n+int(k.b)]]]++
			}
		}
		for _, k := range l.pairs {
			_, row1, col1 := l.place(k.c1, k.e, k.f)
			_, row2, col2 := l.place(k.c2, l.x.row.list[k.e].rev, l.x.col.list[k.f].rev)
			for _, width := range []*float32{row1, col1, row2, col2} {
				variables[width]++
			}
		}
		for width, n := range variables {
			if *width != 1/n {
				t.Fatalf("a constraint of %v variables has steps of %v", n, *width)
			}
		}
	}
}

// TestFailures: a row weighs more the oftener and the later states failed on it, and less than one
// never tried if its pairs close nothing.
func TestFailures(t *testing.T) {
	var f failures
	f.forget(4)
	for i := range 5001 { // until scores are divided
		f.learn(int32(i%3), float64(min(1, i%3)))
	}
	if w := f.weight; w(0) <= 0 || w(3) <= 10*w(0) || w(1) <= w(3) || w(2) <= w(1) {
		t.Errorf("weights %g, %g, %g, %g", w(0), w(1), w(2), w(3))
	}
	for range 200 {
		f.learn(0, 0)
	}
	if f.weight(2) > 1.04 {
		t.Errorf("weight %g long after", f.weight(2))
	}
}
