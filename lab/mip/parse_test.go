package mip

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// edgePairProgram is the program of the edges A-B and B-A: variables x_0_0,
// x_0_1, x_1_0, x_1_1 and y_0_0, constant 6, optimum −6.
func edgePairProgram(t *testing.T) *Program {
	t.Helper()
	vocab := graph.NewVocabulary()
	g := make([]*graph.Graph, 2)
	for i, labels := range []string{"AB", "BA"} {
		b := graph.NewBuilder(vocab, false)
		for _, l := range labels {
			b.AddNode(string(l))
		}
		if err := b.AddEdge(0, 1, "1"); err != nil {
			t.Fatal(err)
		}
		var err error
		if g[i], err = b.Build(); err != nil {
			t.Fatal(err)
		}
	}
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	return NewProgram(p, g[0], g[1])
}

func TestWriteLP(t *testing.T) {
	const want = `\ MIP-F2, ged, 2 and 2 nodes; add 6 to the objective
Minimize
 cost: - 1 x_0_0 - 2 x_0_1 - 2 x_1_0 - 1 x_1_1 - 2 y_0_0
Subject To
 query_0: + 1 x_0_0 + 1 x_0_1 <= 1
 query_1: + 1 x_1_0 + 1 x_1_1 <= 1
 target_0: + 1 x_0_0 + 1 x_1_0 <= 1
 target_1: + 1 x_0_1 + 1 x_1_1 <= 1
 edge_0_0_0: + 1 y_0_0 - 1 x_0_0 - 1 x_1_0 <= 0
 edge_0_1_0: + 1 y_0_0 - 1 x_0_1 - 1 x_1_1 <= 0
Binary
 x_0_0
 x_0_1
 x_1_0
 x_1_1
 y_0_0
End
`
	var b strings.Builder
	if err := edgePairProgram(t).WriteLP(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", b.String(), want)
	}
}

const (
	cbcOptimal = `Optimal - objective value -6.00000000
      0 x_0_0                    0                      -1
      1 x_0_1                    1                      -2
      2 x_1_0                    1                      -2
      4 y_0_0                    1                      -2
`
	glpkOptimal = `c Problem:    
c Status:     INTEGER OPTIMAL
c Objective:  cost = -6 (MINimum)
c
s mip 6 5 o -6
i 1 1
j 1 0
j 2 1
j 3 1
j 4 0
j 5 1
e o f
`
	highsOptimal = `Model status
Optimal

# Primal solution values
Feasible
Objective -6
# Columns 5
x_0_0 0
x_0_1 1
x_1_0 1
x_1_1 0
y_0_0 1
# Rows 6
query_0 1

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
`
	scipOptimal = `solution status: optimal solution found
objective value:                                   -6
x_0_1                                               1 	(obj:-2)
x_1_0                                               1 	(obj:-2)
y_0_0                                               1 	(obj:-2)
`
)

// canned is one answer of a solver: bounds after the program's constant of 6 is
// added and the map is priced, or the error.
type canned struct {
	name          string
	kind          kind
	solution, log string
	lower, upper  float64
	err           error
}

func TestAnswers(t *testing.T) {
	replace := strings.NewReplacer
	for _, c := range []canned{
		{"optimal", cbc, cbcOptimal, "", 0, 0, nil},
		{"stopped", cbc, replace("Optimal - objective value -6", "Stopped on time - objective value -6").Replace(cbcOptimal),
			"Result - Stopped on time limit\n\nObjective value:                -6.00000000\nLower bound:                    -7.000\n", 0, 0, nil},
		{"stopped short", cbc, "Stopped on time - objective value -2.00000000\n      0 x_0_0                    1                      -1\n      3 x_1_1                    1                      -1\n",
			"Lower bound:                    -5.500\n", 1, 2, nil},
		{"stopped without bound", cbc, "Stopped on iterations - objective value -2.00000000\n 0 x_0_0 1 -1\n 3 x_1_1 1 -1\n", "", 0, 2, nil},
		{"no integer solution", cbc, "Stopped on time (no integer solution - continuous used) - objective value -5.50000000\n      0 x_0_0            0.5                       0\n",
			"No feasible solution found\nLower bound:                    -5.500\n", 1, 6, nil},
		{"no time", cbc, "Integer infeasible - objective value 0.00000000\n      0 x_0_0            0.5                       0\n",
			"Lower bound:                    0.000\n", 0, 6, nil},
		{"infeasible", cbc, "Infeasible - objective value 0.00000000\n", "", 0, 0, ErrSolver},
		{"fraction", cbc, replace("x_0_1                    1", "x_0_1                    0.5").Replace(cbcOptimal), "", 0, 0, ErrNotIntegral},
		{"unknown variable", cbc, replace("x_0_1", "z_0_1").Replace(cbcOptimal), "", 0, 0, ErrSolver},
		{"two images", cbc, replace("0 x_0_0                    0", "0 x_0_0                    1").Replace(cbcOptimal), "", 0, 0, ErrWrongAnswer},
		{"wrong objective", cbc, replace("value -6", "value -5").Replace(cbcOptimal), "", 0, 0, ErrWrongAnswer},
		{"cut short", cbc, cbcOptimal[:60], "", 0, 0, ErrSolver},
		{"cut after a line", cbc, cbcOptimal[:strings.Index(cbcOptimal, "      2")], "", 0, 0, ErrWrongAnswer},
		{"out of bounds", cbc, replace("      1 x", "**    1 x").Replace(cbcOptimal), "", 0, 0, ErrSolver},
		{"bound above solution", cbc, "Stopped on time - objective value -2.00000000\n 0 x_0_0 1 -1\n 3 x_1_1 1 -1\n", "Lower bound: -3\n", 0, 0, ErrWrongAnswer},
		{"empty", cbc, "", "", 0, 0, ErrSolver},

		{"optimal", glpk, glpkOptimal, "", 0, 0, nil},
		{"stopped", glpk, replace("mip 6 5 o -6", "mip 6 5 f -2", "j 1 0", "j 1 1", "j 2 1", "j 2 0", "j 3 1", "j 3 0", "j 4 0", "j 4 1").Replace(glpkOptimal),
			"+ 13: mip =     not found yet >=              -inf        (1; 0)\n+ 83: >>>>>  -2.000000000e+00 >=  -5.500000000e+00  38.1% (82; 30)\n", 1, 2, nil},
		{"no solution yet", glpk, "c Status: UNDEFINED\ns mip 6 5 u 0\nj 1 0\nj 2 0\nj 3 0\nj 4 0\nj 5 0\ne o f\n",
			"+ 0: mip =     not found yet >=   -5.250000000e+00        (1; 0)\n", 1, 6, nil},
		{"infeasible", glpk, replace("5 o -6", "5 n 0").Replace(glpkOptimal), "", 0, 0, ErrSolver},
		{"fraction", glpk, replace("j 5 1", "j 5 0.25").Replace(glpkOptimal), "", 0, 0, ErrNotIntegral},
		{"columns", glpk, replace("mip 6 5", "mip 6 4").Replace(glpkOptimal), "", 0, 0, ErrSolver},
		{"column number", glpk, replace("j 5 1", "j 6 1").Replace(glpkOptimal), "", 0, 0, ErrSolver},
		{"cut short", glpk, glpkOptimal[:strings.Index(glpkOptimal, "e o f")], "", 0, 0, ErrSolver},
		{"number", glpk, replace("j 5 1", "j 5 one").Replace(glpkOptimal), "", 0, 0, ErrSolver},
		{"empty", glpk, "", "", 0, 0, ErrSolver},

		{"optimal", highs, highsOptimal, "", 0, 0, nil},
		{"nearly integral", highs, replace("x_0_1 1", "x_0_1 0.9999999").Replace(highsOptimal), "", 0, 0, nil},
		{"stopped", highs, replace("Optimal", "Time limit reached", "Objective -6", "Objective -4").Replace(highsOptimal),
			"  Dual bound        -7\n", 0, 0, nil},
		{"no solution yet", highs, "Model status\nTime limit reached\n\n# Primal solution values\nNone\n\n# Dual solution values\nNone\n",
			"  Dual bound        -inf\n", 0, 6, nil},
		{"infeasible", highs, replace("Optimal", "Infeasible").Replace(highsOptimal), "", 0, 0, ErrSolver},
		{"infeasible point", highs, replace("Feasible", "Infeasible").Replace(highsOptimal), "", 0, 0, ErrSolver},
		{"fraction", highs, replace("y_0_0 1", "y_0_0 0.5").Replace(highsOptimal), "", 0, 0, ErrNotIntegral},
		{"not a number", highs, replace("y_0_0 1", "y_0_0 nan").Replace(highsOptimal), "", 0, 0, ErrSolver},
		{"cut short", highs, highsOptimal[:strings.Index(highsOptimal, "x_1_0")], "", 0, 0, ErrSolver},
		{"optimal without solution", highs, "Model status\nOptimal\n", "", 0, 0, ErrSolver},
		{"empty", highs, "", "", 0, 0, ErrSolver},

		{"optimal", scip, scipOptimal, "", 0, 0, nil},
		{"stopped", scip, "solution status: time limit reached\nobjective value:  -2\nx_0_0  1 \t(obj:-1)\nx_1_1  1 \t(obj:-1)\n",
			"  Dual Bound         : -5.50000000000000e+00\n", 1, 2, nil},
		{"no solution yet", scip, "solution status: time limit reached\nno solution available\n", "Dual Bound         : -1.00000000000000e+20\n", 0, 6, nil},
		{"infeasible", scip, "solution status: infeasible\nno solution available\n", "", 0, 0, ErrSolver},
		{"fraction", scip, replace("y_0_0                                               1", "y_0_0 0.5").Replace(scipOptimal), "", 0, 0, ErrNotIntegral},
		{"cut short", scip, scipOptimal[:strings.Index(scipOptimal, "x_1_0")], "", 0, 0, ErrWrongAnswer},
		{"optimal without solution", scip, "solution status: optimal solution found\n", "", 0, 0, ErrSolver},
		{"empty", scip, "", "", 0, 0, ErrSolver},
	} {
		t.Run(c.kind.name+"/"+c.name, func(t *testing.T) {
			g := edgePairProgram(t)
			a, err := c.kind.parse(c.solution, c.log, g)
			if err == nil {
				r, resultErr := g.result(a)
				if resultErr == nil && c.err == nil && (r.Lower != c.lower || r.Upper != c.upper || r.Exact != (c.lower == c.upper)) {
					t.Errorf("bounds %v to %v, exact %v; want %v to %v", r.Lower, r.Upper, r.Exact, c.lower, c.upper)
				}
				err = resultErr
			}
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
		})
	}
}

// FuzzAnswers feeds all parsers: whatever they accept must be true.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{cbcOptimal, glpkOptimal, highsOptimal, scipOptimal} {
		f.Add(text, "Lower bound: -5.5\n  Dual bound  -5\nDual Bound : -5\n+ 1: mip = -2 >= -5.5 1%\n")
	}
	f.Fuzz(func(t *testing.T, solution, log string) {
		g := edgePairProgram(t)
		for _, k := range kinds() {
			a, err := k.parse(solution, log, g)
			if err != nil {
				continue
			}
			r, err := g.result(a)
			if err != nil {
				continue
			}
			if cost := edit.InducedCost(g.pricing, g.q, g.t, r.Map); cost != r.Upper || !(r.Lower <= r.Upper) || math.IsNaN(r.Lower) {
				t.Errorf("%s: bounds %v to %v with a map of cost %v", k.name, r.Lower, r.Upper, cost)
			}
		}
	})
}
