package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// TestEliminatePairs checks, against every node map, that no pair of nodes or of
// half-edges is excluded that a map of the profit needed contains, and that the bound
// holds afterwards. It covers both tasks, all kinds of costs, directed graphs and several
// states on the way down.
func TestEliminatePairs(t *testing.T) {
	gone, byTree := 0, 0
	for name, costs := range gedtest.Costs() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(6, 18))
			for i := range 20 * len(lpShapes) {
				vocab := graph.NewVocabulary()
				shape := lpShapes[i%len(lpShapes)]
				shape.MaxNodes = 5
				shape.MinNodes = min(shape.MinNodes, 4)
				q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
				s, err := NewSolver(edit.Task(i%2), costs(r))
				if err != nil {
					t.Fatal(err)
				}
				s.SetPatience(math.MaxInt32)
				if _, err := s.Distance(context.Background(), q, g, Options{}); err != nil {
					t.Fatal(err)
				}
				p := &s.problem
				need := s.search.bestProfit - r.IntN(3)
				maps := mapsOf(p, need)
				var root level
				var x relaxation
				var d dual
				var l linear
				var up ascent
				root.root(p, false)
				x.setup(p, &root, &d)
				up.setup(&x, nil, true)
				l.setup(&x, &d, &up)
				for range 6 {
					if !l.shrink(&l, &d, &up) {
						t.Fatal("no time")
					}
					l.steps(1+r.IntN(60), &up)
					l.share(&d)
					up.touchAll()
					up.flush(&d)
					if !up.assign.solve(&d.level, need*grain) {
						if len(maps) > 0 {
							t.Fatalf("the bound %d excludes a map of profit %d\n%s\n%s", d.bound, need, gedtest.Text(q), gedtest.Text(g))
						}
						break
					}
					up.eliminate(&d, need*grain)
					before := alive(&d)
					for range 1 + r.IntN(2) {
						up.eliminateByTree(&d, need*grain)
					}
					byTree += before - alive(&d)
					before = alive(&d)
					up.eliminatePairs(&d, &l, need*grain)
					gone += before - alive(&d)
					for _, f := range maps {
						for at, h := range f {
							if a, b := indexOf(d.rowID, int32(at)), indexOf(d.colID, h); h >= 0 && excluded(d.profit[a*d.m+b]) {
								t.Fatalf("pair (%d, %d) of a map of profit %d is excluded\n%s\n%s", at, h, need, gedtest.Text(q), gedtest.Text(g))
							}
						}
						checkPairs(t, &x, &d, f)
					}
					if len(maps) == 0 || r.IntN(2) == 0 {
						continue
					}
					// Decide a row as one of the maps does, and keep the maps that agree.
					f := maps[r.IntN(len(maps))]
					at := r.IntN(len(f))
					if f[at] < 0 {
						continue
					}
					up.fix(&d, indexOf(d.rowID, int32(at)), indexOf(d.colID, f[at]))
					var left [][]int32
					for _, h := range maps {
						if h[at] == f[at] {
							left = append(left, h)
						}
					}
					maps = left
				}
			}
		})
	}
	if gone == 0 || byTree == 0 {
		t.Errorf("%d pairs of half-edges were excluded alone and %d by trees", gone, byTree)
	}
}

// checkPairs checks that d excludes no pair of half-edges of f.
func checkPairs(t *testing.T, x *relaxation, d *dual, f []int32) {
	t.Helper()
	for e, row := range x.row.list {
		for h, col := range x.col.list {
			if f[d.rowID[row.from]] == d.colID[col.from] && f[d.rowID[row.to]] == d.colID[col.to] && d.share[e*x.col.len()+h] == dead {
				t.Fatalf("half-edges %d and %d of a map of the profit needed are excluded", e, h)
			}
		}
	}
}

// alive counts the pairs of half-edges that d does not exclude.
func alive(d *dual) int {
	count := 0
	for _, share := range d.share {
		if share != dead {
			count++
		}
	}
	return count
}

func indexOf(ids []int32, id int32) int {
	for at, x := range ids {
		if x == id {
			return at
		}
	}
	return -1
}

// mapsOf lists the maps of p of at least the given profit.
func mapsOf(p *problem, least int) [][]int32 {
	var list [][]int32
	f := make([]int32, p.row.n)
	taken := make([]bool, p.col.n)
	var extend func(i int)
	extend = func(i int) {
		if i == len(f) {
			if p.profit(f) >= least {
				list = append(list, append([]int32(nil), f...))
			}
			return
		}
		f[i] = -1
		extend(i + 1)
		for j := range taken {
			if !taken[j] {
				taken[j], f[i] = true, int32(j)
				extend(i + 1)
				taken[j] = false
			}
		}
	}
	extend(0)
	return list
}

// TestEliminateByTreeDense checks that no pair of the best node map is excluded where columns have
// more neighbours than there are columns tried for the other end of an edge.
func TestEliminateByTreeDense(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 5))
	gone := 0
	for trial := range 60 {
		vocab := graph.NewVocabulary()
		s, err := NewSolver(edit.Task(trial%2), edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		s.SetPatience(math.MaxInt32)
		q, g := graphtest.Random(r, vocab, 8, 0.8, false), graphtest.Random(r, vocab, 13, 0.9, false)
		if _, err := s.Distance(context.Background(), q, g, Options{}); err != nil {
			t.Fatal(err)
		}
		var root level
		var x relaxation
		var d dual
		var l linear
		var up ascent
		root.root(&s.problem, false)
		x.setup(&s.problem, &root, &d)
		up.setup(&x, nil, true)
		l.setup(&x, &d, &up)
		l.steps(r.IntN(100), &up)
		l.share(&d)
		up.touchAll()
		up.flush(&d)
		up.assign.solve(&d.level, math.MinInt/4)
		before := alive(&d)
		for range 1 + r.IntN(2) {
			up.eliminateByTree(&d, s.search.bestProfit*grain)
		}
		gone += before - alive(&d)
		for at, h := range s.search.best {
			if a, b := indexOf(d.rowID, int32(at)), indexOf(d.colID, h); h >= 0 && excluded(d.profit[a*d.m+b]) {
				t.Fatalf("trial %d: pair (%d, %d) of the best map is excluded", trial, at, h)
			}
		}
		checkPairs(t, &x, &d, s.search.best)
		checkPass(t, r, &x, &d, &up)
	}
	if gone == 0 {
		t.Error("no pair of half-edges was excluded")
	}
}

// TestEliminateFarFromGoal checks that nothing is excluded where a dual value, and so the bound, exceeds the goal by more
// than any loss that is counted.
func TestEliminateFarFromGoal(t *testing.T) {
	r, vocab := rand.New(rand.NewPCG(58, 59)), graph.NewVocabulary()
	p := solveLinear(t, edit.GED, edit.Uniform(), gedtest.Graph(r, vocab, lpShapes[1]), gedtest.Graph(r, vocab, lpShapes[1]))
	p.d.u[0] += 2 * never
	p.d.bound += 2 * never
	before := alive(&p.d)
	p.up.eliminate(&p.d, p.exact)
	for range 2 {
		p.up.eliminateByTree(&p.d, p.exact)
	}
	p.up.eliminatePairs(&p.d, &p.l, p.exact)
	if left := alive(&p.d); left < before {
		t.Errorf("%d of %d pairs of half-edges are left", left, before)
	}
}

// checkPass compares pass, from random losses, with all columns tried one by one.
func checkPass(t *testing.T, r *rand.Rand, x *relaxation, d *dual, up *ascent) {
	t.Helper()
	e := r.IntN(x.row.len())
	back, cols := int(x.row.list[e].rev), x.col.len()
	from, own, to := make([]int, d.m+1), make([]int, d.m+1), make([]int, d.m+1)
	for b := range from {
		from[b] = r.IntN(1000)
	}
	from[d.m] = 2000
	o := across{d, &x.row, &x.col, d.u, d.v, d.m, 1, cols, 1, up.rowEnds, &up.rowForest}
	up.pass(&o, e, from, own, to, never)
	for b, got := range to[:d.m] {
		least := from[d.m] + up.rowEnds[back*d.m+b]
		for c := range d.m {
			l := from[c] + up.rowEnds[e*d.m+c] + up.rowEnds[back*d.m+b]
			for f := x.col.start[b]; f < x.col.start[b+1]; f++ {
				if at := back*cols + int(f); int(x.col.list[f].to) == c && d.share[at] == dead {
					l = never
				} else if int(x.col.list[f].to) == c {
					l = from[c] + up.slack[at] + up.slack[e*cols+int(x.col.list[f].rev)]
				}
			}
			if c != b {
				least = min(least, l)
			}
		}
		if got > least {
			t.Fatalf("half-edge %d and column %d: loss %d, should be at most %d", e, b, got, least)
		}
	}
}

// Where there is no memory for programs, there is none for the dual values of half-edges either, of
// which a dense graph beside a large sparse one has very many.
func TestTreesMemory(t *testing.T) {
	r, vocab := rand.New(rand.NewPCG(3, 41)), graph.NewVocabulary()
	q, g := graphtest.Random(r, vocab, 12, 0.3, false), graphtest.Random(r, vocab, 14, 0.3, false)
	held := func(memory int64) (int, *strongSearch) {
		s, err := NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		s.SetPatience(0)
		if _, err := s.Distance(context.Background(), q, g, Options{Memory: memory, States: 3}); err != nil {
			t.Fatal(err)
		}
		strong := &s.search.strong
		return cap(strong.ascent.rowEnds) + cap(strong.ascent.colEnds), strong
	}
	n, strong := held(1 << 30)
	if n == 0 || !strong.linear {
		t.Fatalf("%d values are held, with a program: %v", n, strong.linear)
	}
	if n, strong = held(4 * strongBytes(strong.p)); n > 0 || strong.linear || len(strong.duals) == 0 {
		t.Errorf("%d values are held, with a program: %v", n, strong.linear)
	}
}
