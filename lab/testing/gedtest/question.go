package gedtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Question is a request about a pair of graphs, and the truth.
type Question struct {
	Task   edit.Task
	Costs  edit.Costs
	Kind   string // of costs
	Q, T   *graph.Graph
	Fixed  [][2]int
	Within float64 // -Inf if not requested
	Upper  float64 // 0 if not requested

	Truth float64 // the least cost of the node maps that keep what is fixed
	Scale float64 // the largest cost of an edit times the number of nodes and edges
	price *edit.Pricing
}

// Claim is what a program says to a question.
type Claim struct {
	Answer
	Stopped bool // it says that something kept it from an answer
}

// Ask returns a random question about simple graphs of a few nodes.
func Ask(r *rand.Rand) *Question { return ask(r, 0) }

// AskMulti is [Ask] of graphs with self-loops and parallel edges.
func AskMulti(r *rand.Rand) *Question { return ask(r, 0.1+0.4*r.Float64()) }

func ask(r *rand.Rand, multi float64) *Question {
	kinds := Costs()
	kinds["few"] = func(r *rand.Rand) edit.Costs {
		some := []float64{5, 0.5, 0.1, 1. / 3, 0, 1}
		if r.IntN(2) == 0 {
			some[3] = 1 / math.Pi // then there is no unit
		}
		pick := func() float64 { return some[r.IntN(len(some))] }
		return edit.Costs{NodeInsert: pick(), NodeDelete: pick(), NodeSubstitute: pick(), EdgeInsert: pick(), EdgeDelete: pick(), EdgeSubstitute: pick()}
	}
	kinds["far apart"] = func(*rand.Rand) edit.Costs {
		pick := func() float64 { return math.Exp(13.7 * r.Float64()) }
		return edit.Costs{NodeInsert: pick(), NodeDelete: pick(), NodeSubstitute: pick(), EdgeInsert: pick(), EdgeDelete: pick(), EdgeSubstitute: pick()}
	}
	kinds["measured"] = func(*rand.Rand) edit.Costs { return MeasuredCosts(r, 0) }
	names := slices.Sorted(maps.Keys(kinds))
	x := &Question{Kind: names[r.IntN(len(names))], Within: math.Inf(-1)}
	x.Costs = kinds[x.Kind](r)
	if r.IntN(2) == 0 {
		x.Task = edit.SED
	}
	shape := Shape{
		MaxNodes: 5, Density: r.Float64(), NodeLabels: 1 + r.IntN(3), EdgeLabels: 1 + r.IntN(2),
		Directed: r.IntN(3) == 0, Wildcards: max(0, r.Float64()-0.6), Multi: multi,
	}
	if multi > 0 {
		shape.MaxNodes = 4
	}
	draw := Graph
	if x.Kind == "measured" {
		draw = Measured
	}
	x.about(r, draw, shape)
	return x
}

// AskCoarse is [Ask] for costs whose profits of edges have a common divisor, which the strong
// search uses.
func AskCoarse(r *rand.Rand) *Question {
	x := &Question{Kind: "coarse edges", Within: math.Inf(-1), Task: edit.Task(r.IntN(2))}
	node := func() float64 { return float64(2 + r.IntN(7)) }
	unit := float64(2 + r.IntN(4))
	edge := func() float64 { return unit * float64(1+r.IntN(3)) }
	x.Costs = edit.Costs{NodeInsert: node(), NodeDelete: node(), NodeSubstitute: node(), EdgeInsert: edge(), EdgeDelete: edge(), EdgeSubstitute: edge()}
	x.about(r, Graph, Shape{MinNodes: 4, MaxNodes: 6, Density: 0.3 + 0.3*r.Float64(), NodeLabels: 2, EdgeLabels: 1 + r.IntN(2), Directed: r.IntN(3) == 0})
	return x
}

// about draws the graphs of x, what is fixed and the limits.
func (x *Question) about(r *rand.Rand, draw func(*rand.Rand, *graph.Vocabulary, Shape) *graph.Graph, shape Shape) {
	vocab := graph.NewVocabulary()
	x.Q, x.T = draw(r, vocab, shape), draw(r, vocab, shape)
	x.fix(r)
	x.solve()
	near := []float64{x.Truth, math.Nextafter(x.Truth, 0), x.Truth * (1 + 1e-11), x.Truth * (1 - 1e-11), x.Truth * 2 * r.Float64(), x.Truth + 1}
	switch limit := near[r.IntN(len(near))]; r.IntN(4) {
	case 0:
		x.Within = limit
	case 1:
		x.Upper = limit
	}
}

// fix fixes some nodes of one question in two.
func (x *Question) fix(r *rand.Rand) {
	if r.IntN(2) == 0 {
		return
	}
	targets := r.Perm(x.T.N())
	for i, v := range r.Perm(x.Q.N())[:r.IntN(min(x.Q.N(), x.T.N())+1)] {
		switch r.IntN(3) {
		case 0:
			x.Fixed = append(x.Fixed, [2]int{v, edit.Deleted})
		case 1:
			x.Fixed = append(x.Fixed, [2]int{edit.Deleted, targets[i]})
		default:
			x.Fixed = append(x.Fixed, [2]int{v, targets[i]})
		}
	}
}

// Plain returns the question for the distance alone: nothing is fixed, and no limit is of
// interest.
func (x *Question) Plain() *Question {
	y := *x
	y.Fixed, y.Within, y.Upper = nil, math.Inf(-1), 0
	y.solve()
	return &y
}

// respects reports whether m respects what is fixed.
func (x *Question) respects(m edit.NodeMap) bool {
	return !slices.ContainsFunc(x.Fixed, func(f [2]int) bool {
		if f[0] == edit.Deleted {
			return slices.Contains(m, f[1])
		}
		return m[f[0]] != f[1]
	})
}

// solve tries all node maps.
func (x *Question) solve() {
	p, err := edit.Price(x.Task, x.Costs, x.Q, x.T)
	if err != nil {
		panic("gedtest: " + err.Error())
	}
	x.price, x.Truth = p, math.Inf(1)
	for m := range NodeMaps(x.Q.N(), x.T.N()) {
		if x.respects(m) {
			x.Truth = min(x.Truth, leastCost(p, x.Q, x.T, m))
		}
	}
	values := p.Values(x.Q, x.T)
	if x.Costs.Nodes == nil && x.Costs.Edges == nil {
		values = x.Costs.Values()
	}
	x.Scale = slices.Max(append(values, 0)) * float64(x.Q.N()+x.T.N()+x.Q.M()+x.T.M())
}

// rounding is the relative difference of two sums of a few dozen numbers that were added
// in another order.
const rounding = 1e-13

// Judge returns what is wrong with a claim. Bounds must hold at a relative 10⁻¹³; one
// distance called exact may be off by 10⁻¹³ of the [Question.Scale], but not by more than
// 10⁻⁹ of itself. free says that nothing limited the search.
func (x *Question) Judge(c Claim, free bool) error {
	if err := c.Map.Check(x.Q, x.T); err != nil {
		return err
	}
	if !x.respects(c.Map) {
		return fmt.Errorf("the map %v does not keep %v", c.Map, x.Fixed)
	}
	differ := func(a, b float64) bool { return math.Abs(a-b) > rounding*max(a, b) }
	if cost := leastCost(x.price, x.Q, x.T, c.Map); differ(cost, c.Upper) {
		return fmt.Errorf("upper bound %v, but the map costs %v", c.Upper, cost)
	}
	exceeds := min(rounding*x.Scale, 1e-9*x.Truth)
	if !c.Exact {
		exceeds = rounding * x.Truth
	}
	switch {
	case c.Exact != (c.Lower == c.Upper):
		return fmt.Errorf("bounds [%v, %v], exact %v", c.Lower, c.Upper, c.Exact)
	case !(c.Lower <= c.Upper) || c.Lower < 0:
		return fmt.Errorf("bounds [%v, %v]", c.Lower, c.Upper)
	case c.Lower > x.Truth+exceeds:
		return fmt.Errorf("lower bound %v exceeds the distance %v by %g", c.Lower, x.Truth, c.Lower-x.Truth)
	}
	answered := c.Exact || x.Upper > 0 && c.Lower >= x.Upper-1e-12*x.Upper
	if !math.IsInf(x.Within, -1) {
		tau := x.Within + 1e-12*x.Within
		answered = c.Upper <= tau || c.Lower > tau
		if c.Lower > tau && x.Truth <= x.Within {
			return fmt.Errorf("bounds [%v, %v] say that %v is not within %v", c.Lower, c.Upper, x.Truth, x.Within)
		}
	}
	switch {
	case !answered && !c.Stopped:
		return fmt.Errorf("bounds [%v, %v] are open, and nothing says why", c.Lower, c.Upper)
	case answered && c.Stopped:
		return fmt.Errorf("bounds [%v, %v] answer the question, and it says that it was stopped", c.Lower, c.Upper)
	case !answered && free && c.Upper-c.Lower > rounding*x.Scale+1e-9*c.Upper:
		return fmt.Errorf("nothing limits the search, and the bounds [%v, %v] are open", c.Lower, c.Upper)
	}
	return nil
}

// String describes the question for messages.
func (x *Question) String() string {
	costs, err := json.Marshal(x.Costs)
	if err != nil {
		panic("gedtest: " + err.Error())
	}
	return fmt.Sprintf("%v, %s %s\nquery %s\ntarget %s\nfixed %v, within %v, upper %v: the distance is %v",
		x.Task, x.Kind, costs, Text(x.Q), Text(x.T), x.Fixed, x.Within, x.Upper, x.Truth)
}
