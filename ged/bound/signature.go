package bound

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Signature is what [Filter] needs to know of a graph: how often each label
// occurs and the degrees in order. It is small, never changes, and may be used
// concurrently. Signatures compare only if their graphs share a vocabulary.
type Signature struct {
	directed   bool
	nodeLabels []labelCount
	edgeLabels []labelCount
	nodes      int
	edges      int
	out        []int32 // [n] degrees, descending; of a directed graph out-degrees
	in         []int32 // [n] in-degrees, descending; directed graphs only
}

// labelCount says how often a label occurs; lists of them are ordered by label.
type labelCount struct {
	label graph.Label
	count int32
}

// Sign returns the signature of g.
func Sign(g *graph.Graph) *Signature {
	s := &Signature{directed: g.Directed(), nodes: g.N(), edges: g.M()}
	labels := slices.Clone(g.Labels())
	s.nodeLabels = countLabels(labels)
	labels = labels[:0]
	for e := range g.Edges() {
		labels = append(labels, e.Label)
	}
	s.edgeLabels = countLabels(labels)
	s.out = degrees(g, g.Out)
	if s.directed {
		s.in = degrees(g, g.In)
	}
	return s
}

// countLabels sorts labels and counts them.
func countLabels(labels []graph.Label) []labelCount {
	slices.Sort(labels)
	var counts []labelCount
	for i, l := range labels {
		if i == 0 || l != labels[i-1] {
			counts = append(counts, labelCount{label: l})
		}
		counts[len(counts)-1].count++
	}
	return slices.Clip(counts)
}

func degrees(g *graph.Graph, arcs func(int) []graph.Arc) []int32 {
	d := make([]int32, g.N())
	for v := range d {
		d[v] = int32(len(arcs(v)))
	}
	slices.SortFunc(d, func(a, b int32) int { return cmp.Compare(b, a) })
	return d
}

// common returns the size of the intersection of two multisets of labels.
func common(a, b []labelCount) int {
	total, i, j := int32(0), 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i].label < b[j].label:
			i++
		case a[i].label > b[j].label:
			j++
		default:
			total += min(a[i].count, b[j].count)
			i++
			j++
		}
	}
	return int(total)
}

// wildcards returns how often [graph.Wildcard], the least label, occurs.
func wildcards(a []labelCount) int {
	if len(a) > 0 && a[0].label == graph.Wildcard {
		return int(a[0].count)
	}
	return 0
}

// excess returns the sums of max(0, q−t) and max(0, t−q) over two descending
// sequences of degrees, paired in order, the shorter filled up with zeros; total
// is the sum of each whole sequence. No other pairing makes either sum smaller.
func excess(q, t []int32, totalQ, totalT int) (surplus, deficit int) {
	k := min(len(q), len(t))
	for i, d := range q[:k] {
		e := int(d - t[i])
		surplus += max(e, 0)
		deficit += max(-e, 0)
		totalQ -= int(d)
		totalT -= int(t[i])
	}
	return surplus + totalQ, deficit + totalT
}
