package dataset

import (
	"slices"
	"strings"
)

// What Simplify writes into labels, chosen so that t/v/e text can hold them.
const (
	loopSign     = "@"
	parallelSign = "+"
)

// fold makes a simple graph: the labels of the self-loops of a node are sorted
// and appended to its label, and those of parallel edges are sorted and joined
// into the label of one edge, at the place of the first. Any of them being a
// wildcard makes the folded edge one.
func (e *env) fold(labels *rawLabels, directed bool) {
	loops := make(map[int][]string)
	parallel := make(map[[2]int][]string)
	at := make(map[[2]int]int)
	kept := labels.edges[:0]
	folded, looped := 0, 0
	for _, edge := range labels.edges {
		if edge.from == edge.to {
			loops[edge.from] = append(loops[edge.from], edge.text)
			looped++
			continue
		}
		ends := edge.pair(directed)
		if i, ok := at[ends]; ok {
			if len(parallel[ends]) == 0 {
				parallel[ends] = []string{kept[i].text}
			}
			parallel[ends] = append(parallel[ends], edge.text)
			kept[i].wild = kept[i].wild || edge.wild
			folded++
			continue
		}
		at[ends] = len(kept)
		kept = append(kept, edge)
	}
	labels.edges = kept
	for v, texts := range loops {
		slices.Sort(texts)
		if !labels.nodes[v].wild {
			labels.nodes[v].text += loopSign + strings.Join(texts, parallelSign)
		}
	}
	for ends, texts := range parallel {
		slices.Sort(texts)
		labels.edges[at[ends]].text = strings.Join(texts, parallelSign)
	}
	e.notes.count("self-loops were folded into node labels", looped)
	e.notes.count("parallel edges were folded into the labels of others", folded)
}
