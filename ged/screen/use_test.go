package screen

import (
	"fmt"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestUse pins which differences of counts cost something, and the least cost among them: with less of it, screening
// looks at more graphs and answers the same. The groups are nodes, labels of nodes, labels of edges and ends of
// edges, first those that the query has too many of, and then those that it lacks.
func TestUse(t *testing.T) {
	const on = 255
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNode("A")
	g := b.MustBuild()
	for _, c := range []struct {
		task  edit.Task
		costs edit.Costs
		use   [8]uint8
		least float64
	}{
		{edit.GED, edit.Uniform(), [8]uint8{on, on, on, on, on, on, on, on}, 1},
		{edit.SED, edit.Uniform(), [8]uint8{on, on, on, on}, 1},
		{
			edit.GED, edit.Costs{NodeInsert: 3, NodeDelete: 4, NodeSubstitute: 5, EdgeInsert: 2, EdgeDelete: 6, EdgeSubstitute: 7},
			[8]uint8{on, on, on, on, on, on, on, on}, 2,
		},
		{edit.GED, edit.Costs{NodeInsert: 3}, [8]uint8{0, 0, 0, 0, on}, 3},
		{edit.GED, edit.Costs{NodeDelete: 4, NodeSubstitute: 5}, [8]uint8{on, on}, 4},
		{edit.SED, edit.Costs{EdgeInsert: 1, EdgeDelete: 6, EdgeSubstitute: 7}, [8]uint8{0, 0, on, on}, 6},
	} {
		p, err := edit.Price(c.task, c.costs, g)
		if err != nil {
			t.Fatal(err)
		}
		x := new(Sheet).Query(p, g)
		if x.use != c.use || fmt.Sprint(x.unit.Cost(x.cheapest)) != fmt.Sprint(c.least) {
			t.Errorf("%v, %+v: %v and %v, want %v and %v", c.task, c.costs, x.use, x.unit.Cost(x.cheapest), c.use, c.least)
		}
	}
}
