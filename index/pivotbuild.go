package index

import (
	"fmt"
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
)

// pivotBuilder adds nodes to a [PivotTree].
type pivotBuilder struct {
	tree  *PivotTree
	ruler ruler
}

// build adds a node for the vectors at positions, which it reorders, and all
// nodes below, and returns its number.
func (b *pivotBuilder) build(positions []int32) int32 {
	t := b.tree
	id := int32(len(t.nodes))
	t.nodes = append(t.nodes, pivotNode{})
	node, parts := b.split(positions)
	if node.pivot < 0 {
		node.from = int32(len(t.positions))
		t.positions = append(t.positions, positions...)
		node.to = int32(len(t.positions))
	}
	for part, positions := range parts {
		if len(positions) > 0 {
			node.children[part] = b.build(positions)
		}
	}
	t.nodes[id] = node
	return id
}

// split takes the first vector as pivot and parts the others by their
// distances. It returns a leaf and no parts if there are few or all others
// fall into one part.
func (b *pivotBuilder) split(positions []int32) (node pivotNode, parts [4][]int32) {
	if len(positions) <= leafVectors {
		return pivotNode{pivot: -1}, parts
	}
	others := positions[1:]
	node.pivot = positions[0]
	out := b.distances(node.pivot, others)
	back := out
	if b.tree.norm.Hinge {
		back = b.distancesTo(node.pivot, others)
	}
	node.out, node.back = medianOf(out), medianOf(back)
	for i, p := range others {
		part := 0
		if back[i] > node.back {
			part |= 1
		}
		if out[i] > node.out {
			part |= 2
		}
		parts[part] = append(parts[part], p)
	}
	for _, part := range parts {
		if len(part) == len(others) {
			return pivotNode{pivot: -1}, [4][]int32{}
		}
	}
	return node, parts
}

// distances returns the distances from a pivot.
func (b *pivotBuilder) distances(pivot int32, others []int32) []float64 {
	d := make([]float64, 0, len(others))
	for len(others) > 0 {
		some := others[:min(len(others), kernel.Lane)]
		d = append(d, b.ruler.measure(b.tree.vector(pivot), some)...)
		others = others[len(some):]
	}
	return d
}

// distancesTo returns the distances to a pivot.
func (b *pivotBuilder) distancesTo(pivot int32, others []int32) []float64 {
	d := make([]float64, len(others))
	for i, p := range others {
		d[i] = b.tree.norm.Distance(b.tree.vector(p), b.tree.vector(pivot))
	}
	return d
}

func medianOf(d []float64) float64 {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[(len(sorted)-1)/2]
}

// Check returns an error unless every vector occurs once and no part holds a
// vector on the wrong side of a median.
func (t *PivotTree) Check() error {
	seen := make([]bool, t.n)
	all, err := t.checkNode(0, seen)
	if err != nil {
		return err
	}
	if len(all) != t.n {
		return fmt.Errorf("index: %d vectors in the tree of %d", len(all), t.n)
	}
	return nil
}

// checkNode returns the positions below a node.
func (t *PivotTree) checkNode(id int32, seen []bool) ([]int32, error) {
	node := t.nodes[id]
	var all []int32
	if node.pivot < 0 {
		all = append(all, t.positions[node.from:node.to]...)
	} else {
		all = append(all, node.pivot)
	}
	for _, p := range all {
		if seen[p] {
			return nil, fmt.Errorf("index: position %d occurs twice", p)
		}
		seen[p] = true
	}
	for part, child := range node.children {
		if child == 0 {
			continue
		}
		below, err := t.checkNode(child, seen)
		if err != nil {
			return nil, err
		}
		for _, p := range below {
			out := t.norm.Distance(t.vector(node.pivot), t.vector(p))
			back := t.norm.Distance(t.vector(p), t.vector(node.pivot))
			if (out > node.out) != (part&2 != 0) || (back > node.back) != (part&1 != 0) {
				return nil, fmt.Errorf("index: vector %d is in part %d of node %d", p, part, id)
			}
		}
		all = append(all, below...)
	}
	return all, nil
}
