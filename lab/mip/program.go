// Package mip computes graph and subgraph edit distance by MIP-F2, the integer
// program F2 of Lerouge, Abu-Aisheh, Raveaux, Héroux and Adam, "New binary
// linear programming formulation to compute the graph edit distance", Pattern
// Recognition 2017. The program is written in CPLEX's LP format and solved by a
// solver that the user has installed: HiGHS, CBC, GLPK or SCIP.
//
// It is the main baseline of the GREED paper. Package ged is much faster.
package mip

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Program is F2 for one pair of graphs:
//
//	minimise   constant + Σ x[i,k]·node(i,k) + Σ y[e,f]·edge(e,f)
//
// where x[i,k] = 1 maps query node i to target node k, y[e,f] = 1 turns query
// edge e into target edge f, and both coefficients are what the substitution
// costs less the deletion and the insertion that it saves. The constant is the
// cost of deleting all of the query and inserting all of the target.
type Program struct {
	pricing  *edit.Pricing
	q, t     *graph.Graph
	queryE   []graph.Edge
	targetE  []graph.Edge
	constant float64
	node     []float64 // [n_q, n_t]
	pairs    []edgePair
	integral bool // every cost is an integer
}

// edgePair is a variable y.
type edgePair struct {
	e, f int
	cost float64
}

// NewProgram returns the program of the distance from q to t under the prices p.
// Variables y that cannot change the cost are left out.
func NewProgram(p *edit.Pricing, q, t *graph.Graph) *Program {
	q, t = p.Ready(q), p.Ready(t)
	g := &Program{pricing: p, q: q, t: t, integral: true}
	sum := func(x float64) { g.constant += g.see(x) }
	for _, a := range q.Labels() {
		sum(p.NodeDelete(a))
	}
	for _, b := range t.Labels() {
		sum(p.NodeInsert(b))
	}
	for e := range q.Edges() {
		g.queryE = append(g.queryE, e)
		sum(p.EdgeDelete(e.Label))
	}
	for f := range t.Edges() {
		g.targetE = append(g.targetE, f)
		sum(p.EdgeInsert(f.Label))
	}
	for _, a := range q.Labels() {
		for _, b := range t.Labels() {
			g.node = append(g.node, g.see(p.NodeSubstitute(a, b))-p.NodeDelete(a)-p.NodeInsert(b))
		}
	}
	for e, x := range g.queryE {
		for f, y := range g.targetE {
			if c := g.see(p.EdgeSubstitute(x.Label, y.Label)) - p.EdgeDelete(x.Label) - p.EdgeInsert(y.Label); c < 0 {
				g.pairs = append(g.pairs, edgePair{e, f, c})
			}
		}
	}
	return g
}

// see notes whether a cost is an integer and returns it.
func (g *Program) see(cost float64) float64 {
	g.integral = g.integral && cost == math.Trunc(cost) && cost < 1<<30
	return cost
}

// trivial reports whether there is nothing to decide.
func (g *Program) trivial() bool { return len(g.node) == 0 }

// lpWriter writes rows of terms, a few to a line.
type lpWriter struct {
	*bufio.Writer
	terms int
}

func (w *lpWriter) row(name string) {
	fmt.Fprintf(w, " %s:", name)
	w.terms = 0
}

func (w *lpWriter) term(coefficient float64, variable string) {
	if w.terms > 0 && w.terms%8 == 0 {
		w.WriteString("\n ")
	}
	w.terms++
	sign := '+'
	if coefficient < 0 {
		sign, coefficient = '-', -coefficient
	}
	fmt.Fprintf(w, " %c %s %s", sign, strconv.FormatFloat(coefficient, 'g', -1, 64), variable)
}

func (w *lpWriter) end(relation string, right int) { fmt.Fprintf(w, " %s %d\n", relation, right) }

func xName(i, k int) string { return fmt.Sprintf("x_%d_%d", i, k) }

func (y edgePair) String() string { return fmt.Sprintf("y_%d_%d", y.e, y.f) }

// WriteLP writes the program, without its constant, in CPLEX's LP format.
// Variable x_i_k maps query node i to target node k; y_e_f is named after the
// positions of the edges in the order of [graph.Graph.Edges]. Every variable
// occurs in the objective, x before y, each in increasing order.
func (g *Program) WriteLP(dst io.Writer) error {
	w := &lpWriter{Writer: bufio.NewWriter(dst)}
	fmt.Fprintf(w, "\\ MIP-F2, %v, %d and %d nodes; add %v to the objective\nMinimize\n", g.pricing.Task(), g.q.N(), g.t.N(), g.constant)
	w.row("cost")
	for v, c := range g.node {
		w.term(c, xName(v/g.t.N(), v%g.t.N()))
	}
	for _, y := range g.pairs {
		w.term(y.cost, y.String())
	}
	w.WriteString("\nSubject To\n")
	g.writeAssignment(w)
	g.writeTopology(w)
	w.WriteString("Binary\n")
	for v := range g.node {
		fmt.Fprintf(w, " %s\n", xName(v/g.t.N(), v%g.t.N()))
	}
	for _, y := range g.pairs {
		fmt.Fprintf(w, " %s\n", y)
	}
	w.WriteString("End\n")
	return w.Flush()
}

// writeAssignment lets every node be mapped once at most: Σ_k x[i,k] ≤ 1 and
// Σ_i x[i,k] ≤ 1.
func (g *Program) writeAssignment(w *lpWriter) {
	for i := range g.q.N() {
		w.row(fmt.Sprintf("query_%d", i))
		for k := range g.t.N() {
			w.term(1, xName(i, k))
		}
		w.end("<=", 1)
	}
	for k := range g.t.N() {
		w.row(fmt.Sprintf("target_%d", k))
		for i := range g.q.N() {
			w.term(1, xName(i, k))
		}
		w.end("<=", 1)
	}
}

// writeTopology lets edge e = (i,j) become an edge at node k only if one of its
// ends is mapped to k: Σ_{f at k} y[e,f] ≤ x[i,k] + x[j,k]; in directed graphs,
// the first end for edges that leave k and the second for those that enter it.
func (g *Program) writeTopology(w *lpWriter) {
	type at struct{ e, k, end int }
	members := make(map[at][]edgePair)
	second := 0
	if g.q.Directed() {
		second = 1
	}
	for _, y := range g.pairs {
		f := g.targetE[y.f]
		for end, k := range [2]int{f.From, f.To} {
			key := at{y.e, k, end * second}
			members[key] = append(members[key], y)
		}
	}
	for e, x := range g.queryE {
		for k := range g.t.N() {
			for end := range 1 + second {
				ys := members[at{e, k, end}]
				if len(ys) == 0 {
					continue
				}
				w.row(fmt.Sprintf("edge_%d_%d_%d", e, k, end))
				for _, y := range ys {
					w.term(1, y.String())
				}
				if end == 0 {
					w.term(-1, xName(x.From, k))
				}
				if end == second {
					w.term(-1, xName(x.To, k))
				}
				w.end("<=", 0)
			}
		}
	}
}
