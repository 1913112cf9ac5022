package gedtest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Instance is a pair of graphs with a task and costs.
type Instance struct {
	Pricing *edit.Pricing
	Q, T    *graph.Graph
}

// String shows all that repeats the instance.
func (x Instance) String() string {
	return fmt.Sprintf("%v %+v, directed %v\nquery %v\ntarget %v", x.Pricing.Task(), x.Pricing.Costs(), x.Q.Directed(), Text(x.Q), Text(x.T))
}

// RandomInstance draws a task, costs of any kind of [Costs] and two graphs of at most
// maxNodes nodes. Tables may price the substitution of a label by itself, too.
func RandomInstance(r *rand.Rand, maxNodes int) Instance {
	kinds := Costs()
	names := slices.Sorted(maps.Keys(kinds))
	costs := kinds[names[r.IntN(len(names))]](r)
	for _, table := range []*edit.Table{costs.Nodes, costs.Edges} {
		if table != nil && r.IntN(2) == 0 {
			for _, a := range slices.Sorted(maps.Keys(table.Substitute)) {
				table.Substitute[a][a] = float64(r.IntN(3))
			}
		}
	}
	shape := Shape{
		MaxNodes: maxNodes, Density: r.Float64(),
		NodeLabels: 1 + r.IntN(3), EdgeLabels: 1 + r.IntN(2),
		Directed: r.IntN(3) == 0, Wildcards: 0.2 * float64(r.IntN(2)),
	}
	vocab := graph.NewVocabulary()
	x := Instance{Q: Graph(r, vocab, shape), T: Graph(r, vocab, shape)}
	p, err := edit.Price(edit.Task(r.IntN(2)), costs, x.Q, x.T)
	if err != nil {
		panic(err)
	}
	x.Pricing = p
	return x
}
