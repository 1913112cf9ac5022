package bound

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/gedtest"
	"github.com/greedgraph/greed/graph"
)

// instance is a random pair of graphs with costs.
type instance struct {
	p    *edit.Pricing
	q, t *graph.Graph
}

func (x instance) String() string {
	return fmt.Sprintf("%v %+v, directed %v\nquery %v\ntarget %v", x.p.Task(), x.p.Costs(), x.q.Directed(), gedtest.Text(x.q), gedtest.Text(x.t))
}

// randomInstance draws a task, costs of any kind and two graphs of at most
// maxNodes nodes. Unlike those of gedtest, tables may price the substitution of
// a label by itself.
func randomInstance(r *rand.Rand, maxNodes int) instance {
	kinds := gedtest.Costs()
	names := slices.Sorted(maps.Keys(kinds))
	costs := kinds[names[r.IntN(len(names))]](r)
	for _, table := range []*edit.Table{costs.Nodes, costs.Edges} {
		if table != nil && r.IntN(2) == 0 {
			for _, a := range slices.Sorted(maps.Keys(table.Substitute)) {
				table.Substitute[a][a] = float64(r.IntN(3))
			}
		}
	}
	shape := gedtest.Shape{
		MaxNodes: maxNodes, Density: r.Float64(),
		NodeLabels: 1 + r.IntN(3), EdgeLabels: 1 + r.IntN(2),
		Directed: r.IntN(3) == 0, Wildcards: 0.2 * float64(r.IntN(2)),
	}
	vocab := graph.NewVocabulary()
	x := instance{q: gedtest.Graph(r, vocab, shape), t: gedtest.Graph(r, vocab, shape)}
	p, err := edit.Price(edit.Task(r.IntN(2)), costs, x.q, x.t)
	if err != nil {
		panic(err)
	}
	x.p = p
	return x
}

// compute runs m without a context that ends.
func (x instance) compute(t *testing.T, m Method, opt ged.Options) ged.Result {
	t.Helper()
	r, err := m.Compute(context.Background(), x.p, x.q, x.t, opt)
	if err != nil {
		t.Fatalf("%s: %v\n%v", m.Name, err, x)
	}
	return r
}

// check fails unless r is a truthful answer for x, given the exact distance.
func (x instance) check(t *testing.T, m Method, r ged.Result, exact float64) {
	t.Helper()
	if err := judge(x, r, exact); err != nil {
		t.Fatalf("%s: %v\n%v", m.Name, err, x)
	}
}

func judge(x instance, r ged.Result, exact float64) error {
	if cost := edit.InducedCost(x.p, x.q, x.t, r.Map); cost != r.Upper {
		return fmt.Errorf("the map costs %v, the upper bound is %v", cost, r.Upper)
	}
	if r.Exact != (r.Lower == r.Upper) {
		return fmt.Errorf("exact is %v with bounds %v to %v", r.Exact, r.Lower, r.Upper)
	}
	return gedtest.Judge(x.p, x.q, x.t, gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, exact)
}
