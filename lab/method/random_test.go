package method

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// instance is a pair of graphs with costs, which methods are tried on.
type instance struct{ gedtest.Instance }

func pairOf(p *edit.Pricing, q, t *graph.Graph) instance {
	return instance{gedtest.Instance{Pricing: p, Q: q, T: t}}
}

func random(r *rand.Rand, maxNodes int) instance {
	return instance{gedtest.RandomInstance(r, maxNodes)}
}

// compute runs m without a context that ends.
func (x instance) compute(t *testing.T, m Method, opt ged.Options) ged.Result {
	t.Helper()
	r, err := m.Compute(context.Background(), x.Pricing, x.Q, x.T, opt)
	if err != nil {
		t.Fatalf("%s: %v\n%v", m.Name, err, x)
	}
	return r
}

// check fails unless r is a truthful answer for x, given the exact distance.
func (x instance) check(t *testing.T, m Method, r ged.Result, exact float64) {
	t.Helper()
	if err := check(x, r, exact); err != nil {
		t.Fatalf("%s: %v\n%v", m.Name, err, x)
	}
}

func check(x instance, r ged.Result, exact float64) error {
	if cost := edit.InducedCost(x.Pricing, x.Q, x.T, r.Map); cost != r.Upper {
		return fmt.Errorf("the map costs %v, the upper bound is %v", cost, r.Upper)
	}
	if r.Exact != (r.Lower == r.Upper) {
		return fmt.Errorf("exact is %v with bounds %v to %v", r.Exact, r.Lower, r.Upper)
	}
	return gedtest.Judge(x.Pricing, x.Q, x.T, gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, exact)
}
