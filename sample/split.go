package sample

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Classes returns for every graph the number of its isomorphism class, [n].
// Classes are numbered from 0 in the order of their first graphs. The graphs
// share a vocabulary.
func Classes(graphs []*graph.Graph) []int {
	class := make([]int, len(graphs))
	firsts := make(map[uint64][]int) // by hash, the first graph of every class
	classes := 0
next:
	for i, g := range graphs {
		h := g.Hash()
		for _, j := range firsts[h] {
			if graph.Isomorphic(graphs[j], g) {
				class[i] = class[j]
				continue next
			}
		}
		firsts[h] = append(firsts[h], i)
		class[i] = classes
		classes++
	}
	return class
}

// Split divides the graphs at random into parts whose sizes are in proportion
// to the fractions, as nearly as is possible with every isomorphism class in
// one part. It returns the positions of the graphs of every part, increasing.
// It panics unless the fractions are positive.
func Split(graphs []*graph.Graph, fractions []float64, seed uint64) [][]int {
	return splitClasses(Classes(graphs), fractions, seed)
}

// SplitCount divides the numbers below n in the manner of [Split], each in a
// class of its own. It serves for the centres of neighbourhoods.
func SplitCount(n int, fractions []float64, seed uint64) [][]int {
	class := make([]int, n)
	for i := range class {
		class[i] = i
	}
	return splitClasses(class, fractions, seed)
}

// splitClasses hands out the classes in random order, each to the part that
// lacks the greatest share of its due.
func splitClasses(class []int, fractions []float64, seed uint64) [][]int {
	sum := 0.0
	for _, f := range fractions {
		if !(f > 0) {
			panic(fmt.Sprintf("sample: fraction %v of a split, want more than 0", f))
		}
		sum += f
	}
	var members [][]int
	for i, c := range class {
		if c == len(members) {
			members = append(members, nil)
		}
		members[c] = append(members[c], i)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	parts := make([][]int, len(fractions))
	for _, m := range members {
		neediest, most := 0, 0.0
		for p, f := range fractions {
			due := f / sum * float64(len(class))
			if need := (due - float64(len(parts[p]))) / due; p == 0 || need > most {
				neediest, most = p, need
			}
		}
		parts[neediest] = append(parts[neediest], m...)
	}
	for _, p := range parts {
		slices.Sort(p)
	}
	return parts
}
