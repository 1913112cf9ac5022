package train

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// mostAlone is the share of nodes, or edges, whose labels may be numbers that only one graph has.
const mostAlone = 0.1

// checkNumbers returns an error if the costs compare numbers, which are labels, and the graphs have too many different
// ones: to a model labels are alike or not, and of one that a single graph has it learns nothing.
func (p Plan) checkNumbers(graphs []*graph.Graph) error {
	for _, of := range []struct {
		table  *edit.Table
		what   string
		labels func(*graph.Graph) []graph.Label
	}{
		{p.Costs.Nodes, "nodes", (*graph.Graph).Labels},
		{p.Costs.Edges, "edges", func(g *graph.Graph) (list []graph.Label) {
			for e := range g.Edges() {
				list = append(list, e.Label)
			}
			return list
		}},
	} {
		names := of.table.Numbers()
		if names == nil {
			continue
		}
		in, times, all := make(map[graph.Label]int), make(map[graph.Label]int), 0
		alone := make(map[graph.Label]bool)
		for i, g := range graphs {
			for _, l := range of.labels(g) {
				first, seen := in[l]
				if !seen {
					in[l] = i
				}
				// Of one large graph, labels must occur twice.
				alone[l] = !seen || first == i && alone[l] && len(graphs) > 1
				times[l]++
				all++
			}
		}
		once := 0
		for l, only := range alone {
			if only {
				once += times[l]
			}
		}
		if float64(once) <= mostAlone*float64(all) {
			continue
		}
		bins := make([]any, len(names))
		for i, name := range names {
			bins[i] = dataset.Setting{Option: "bin", Value: name + "=WIDTH"}
		}
		return dataset.Errorf(fmt.Sprintf("train: the costs compare the numbers %s, which become labels: the %s "+
			"have %d "+
			"different ones, "+
			"and %.0f %%%% of them have one that no other graph has, of which a model learns nothing; group them with "+
			strings.Repeat("%%v ", len(names)-1)+"%%v, or leave them out of the costs",
			strings.ReplaceAll(strings.Join(names, ", "), "%", "%%"), of.what, len(in), 100*float64(once)/float64(all)),
			bins...)
	}
	return nil
}
