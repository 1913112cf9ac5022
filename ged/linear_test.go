package ged

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// lpShapes are the pairs whose linear programs are solved: sparse and dense, labelled
// or not, directed or not.
var lpShapes = []gedtest.Shape{
	{MinNodes: 5, MaxNodes: 10, Density: 0.3, NodeLabels: 2, EdgeLabels: 2},
	{MinNodes: 4, MaxNodes: 7, Density: 0.7, NodeLabels: 1, EdgeLabels: 1},
	{MinNodes: 3, MaxNodes: 7, Density: 0.3, NodeLabels: 2, EdgeLabels: 2, Directed: true},
}

// solved is a linear program after many steps.
type solved struct {
	problem *problem
	x       relaxation
	d       dual
	l       linear
	up      ascent
	best    int // the least bound of the blocks of steps, in grains
	exact   int // the greatest profit of a node map, in grains
}

func solveLinear(t *testing.T, task edit.Task, costs edit.Costs, q, g *graph.Graph) *solved {
	t.Helper()
	s, err := NewSolver(task, costs)
	if err != nil {
		t.Fatal(err)
	}
	s.SetPatience(math.MaxInt32)
	r, err := s.Distance(context.Background(), q, g, Options{})
	if err != nil || !r.Exact {
		t.Fatal(r, err)
	}
	p := &solved{problem: &s.problem, best: math.MaxInt, exact: s.search.bestProfit * grain}
	var root level
	root.root(&s.problem, false)
	p.x.setup(&s.problem, &root, &p.d)
	p.up.setup(&p.x, nil, true)
	p.l.setup(&p.x, &p.d, &p.up)
	p.run()
	return p
}

// run makes many steps.
func (p *solved) run() {
	for range 40 {
		p.l.steps(100, &p.up)
		p.l.share(&p.d)
		p.up.touchAll()
		p.up.flush(&p.d)
		p.up.assign.solve(&p.d.level, math.MinInt/4)
		p.best = min(p.best, p.d.bound)
	}
}

// TestLinearStaysNormal checks that no value of a program comes near to 0 without being 0: steps
// with subnormal numbers, or with values whose squares are, take several times as long.
func TestLinearStaysNormal(t *testing.T) {
	const least = 1e-19 // its square is about the least normal number
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(3, seed))
		vocab := graph.NewVocabulary()
		q, g := gedtest.Graph(r, vocab, lpShapes[0]), gedtest.Graph(r, vocab, lpShapes[0])
		p := solveLinear(t, edit.GED, edit.Uniform(), q, g)
		p.x.halve(&p.d, nil)
		p.l.setup(&p.x, &p.d, &p.up)
		for range 200 {
			p.l.steps(8, &p.up)
			p.l.anchor()
			for name, values := range map[string][]float32{"X": p.l.point.X, "Y": p.l.point.Y, "Dual": p.l.point.Dual} {
				for _, x := range values {
					if x != 0 && math.Abs(float64(x)) < least {
						t.Fatalf("seed %d: %s has the value %g", seed, name, x)
					}
				}
			}
		}
	}
}

// TestLinearConverges checks that the bound and the value of the point meet, as they do
// at the optimum only, and that the bound is at least the best profit. It covers both
// tasks, programs of which pairs were excluded since, directed graphs, labels of edges, and costs that break the triangle inequality.
func TestLinearConverges(t *testing.T) {
	for name, costs := range gedtest.Costs() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 18))
			for i := range sweep.Trials(4) * len(lpShapes) {
				vocab := graph.NewVocabulary()
				shape := lpShapes[i%len(lpShapes)]
				q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
				p := solveLinear(t, edit.Task(i%2), costs(r), q, g)
				if p.best < p.exact {
					t.Fatalf("bound %d, best profit %d\n%s\n%s", p.best, p.exact, gedtest.Text(q), gedtest.Text(g))
				}
				for _, oneIn := range []int{20, 3, 3} {
					if value := p.l.value(); math.Abs(float64(p.best)-value) > 0.02*math.Abs(value)+2*grain {
						t.Errorf("bound %d, value of the point %.0f\n%s\n%s", p.best, value, gedtest.Text(q), gedtest.Text(g))
					}
					for at, profit := range p.d.profit {
						if !excluded(profit) && r.IntN(oneIn) == 0 {
							p.up.kill(&p.d, at/p.d.m, at%p.d.m)
						}
					}
					p.l.shrink(&p.l, &p.d, &p.up)
					p.best = math.MaxInt
					p.run()
				}
			}
		})
	}
}

// TestLinearProgram compares the bound after many steps with the optimum of the same
// program by HiGHS: the program highs, or the Python package highspy.
func TestLinearProgram(t *testing.T) {
	solve := findLP()
	if solve == nil {
		t.Skip("there is neither the program highs nor the Python package highspy")
	}
	r := rand.New(rand.NewPCG(7, 18))
	worst := 0.0
	for i := range 4 * len(lpShapes) {
		vocab := graph.NewVocabulary()
		shape := lpShapes[i%len(lpShapes)]
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		costs := edit.Uniform()
		if i%2 == 1 {
			costs = edit.Chem2()
		}
		p := solveLinear(t, edit.Task(i/2%2), costs, q, g)
		want, err := solve(t.TempDir(), p.l.text())
		if err != nil {
			t.Fatal(err)
		}
		optimum := want * grain
		if float64(p.best) < optimum-1e-5*math.Abs(optimum) {
			t.Fatalf("bound %d below the optimum %.2f\n%s\n%s", p.best, optimum, gedtest.Text(q), gedtest.Text(g))
		}
		off := (float64(p.best) - optimum) / max(optimum, grain)
		worst = max(worst, off)
		if off > 0.01 {
			t.Errorf("bound %d, optimum %.2f\n%s\n%s", p.best, optimum, gedtest.Text(q), gedtest.Text(g))
		}
	}
	t.Logf("the bound exceeds the optimum by %.3f %% at most", 100*worst)
}

// text writes the program in CPLEX's LP format, from the relaxation alone.
func (l *linear) text() string {
	x := l.x
	var rows, profit strings.Builder
	sums := make(map[string][]string)
	limit := make(map[string]string)
	var order []string
	add := func(name, term, most string) {
		if _, ok := limit[name]; !ok {
			order = append(order, name)
			limit[name] = most
		}
		sums[name] = append(sums[name], term)
	}
	cell := func(a, b int32) string { return fmt.Sprintf("x_%d_%d", a, b) }
	for a := range x.n {
		for b := range x.m {
			v := cell(int32(a), int32(b))
			fmt.Fprintf(&profit, " %+d %s\n", x.node[a*x.m+b]/grain, v)
			add(fmt.Sprint("row", a), v, "")
			add(fmt.Sprint("col", b), v, "")
		}
	}
	for e, row := range x.row.list {
		for f, col := range x.col.list {
			if row.from > row.to {
				continue
			}
			y := fmt.Sprintf("y_%d_%d", e, f)
			fmt.Fprintf(&profit, " %+d %s\n", x.gain[int(row.typ)*x.types+int(col.typ)]/grain, y)
			add(fmt.Sprintf("r_%d_%d", e, col.from), y, cell(row.from, col.from))
			add(fmt.Sprintf("r_%d_%d", row.rev, col.to), y, cell(row.to, col.to))
			add(fmt.Sprintf("c_%d_%d", f, row.from), y, cell(row.from, col.from))
			add(fmt.Sprintf("c_%d_%d", col.rev, row.to), y, cell(row.to, col.to))
		}
	}
	for _, name := range order {
		fmt.Fprintf(&rows, " %s: %s", name, strings.Join(sums[name], "\n + "))
		if v := limit[name]; v != "" {
			fmt.Fprintf(&rows, " - %s <= 0\n", v)
		} else {
			rows.WriteString(" <= 1\n")
		}
	}
	return "maximize\n profit:\n" + profit.String() + "subject to\n" + rows.String() + "end\n"
}

// findLP returns what solves a linear program in CPLEX's LP format, nil if nothing does.
func findLP() func(dir, text string) (optimum float64, err error) {
	const script = `import highspy, sys
h = highspy.Highs()
h.setOptionValue("output_flag", False)
h.readModel(sys.argv[1])
h.run()
print("Objective", h.getObjectiveValue())`
	var command []string
	if path, err := exec.LookPath("highs"); err == nil {
		command = []string{path, "--solution_file", "solution.txt"}
	} else if exec.Command("python3", "-c", "import highspy").Run() == nil {
		command = []string{"python3", "-c", script}
	} else {
		return nil
	}
	return func(dir, text string) (float64, error) {
		file := filepath.Join(dir, "program.lp")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return 0, err
		}
		run := exec.Command(command[0], append(command[1:], file)...)
		run.Dir = dir
		out, err := run.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%w: %s", err, out)
		}
		if solution, err := os.ReadFile(filepath.Join(dir, "solution.txt")); err == nil {
			out = solution
		}
		_, rest, ok := bytes.Cut(out, []byte("Objective "))
		if !ok {
			return 0, fmt.Errorf("no objective in %q", out)
		}
		return strconv.ParseFloat(string(bytes.Fields(rest)[0]), 64)
	}
}
