package pivottree

import (
	"fmt"
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
)

// builder adds nodes to a [Tree].
type builder struct {
	tree  *Tree
	ruler *ruler
}

// build adds a node for the vectors at positions, which it reorders, and all
// nodes below, and returns its number.
func (b *builder) build(positions []int32) int32 {
	t := b.tree
	id := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{})
	made, parts := b.split(positions)
	if made.pivot < 0 {
		made.from = int32(len(t.positions))
		t.positions = append(t.positions, positions...)
		made.to = int32(len(t.positions))
	}
	for part, positions := range parts {
		if len(positions) > 0 {
			made.children[part] = b.build(positions)
		}
	}
	t.nodes[id] = made
	return id
}

// split takes the first vector as pivot and parts the others by their
// distances. It returns a leaf and no parts if there are few or all others
// fall into one part.
func (b *builder) split(positions []int32) (made node, parts [4][]int32) {
	if len(positions) <= leafVectors {
		return node{pivot: -1}, parts
	}
	others := positions[1:]
	made.pivot = positions[0]
	out := b.distances(made.pivot, others)
	back := out
	if b.tree.norm.Hinge {
		back = b.distancesTo(made.pivot, others)
	}
	made.out, made.back = medianOf(out), medianOf(back)
	for i, p := range others {
		part := 0
		if back[i] > made.back {
			part |= 1
		}
		if out[i] > made.out {
			part |= 2
		}
		parts[part] = append(parts[part], p)
	}
	for _, part := range parts {
		if len(part) == len(others) {
			return node{pivot: -1}, [4][]int32{}
		}
	}
	return made, parts
}

// distances returns the distances from a pivot.
func (b *builder) distances(pivot int32, others []int32) []float64 {
	d := make([]float64, 0, len(others))
	for len(others) > 0 {
		some := others[:min(len(others), kernel.Lane)]
		d = append(d, b.ruler.measure(b.tree.vector(pivot), some)...)
		others = others[len(some):]
	}
	return d
}

// distancesTo returns the distances to a pivot.
func (b *builder) distancesTo(pivot int32, others []int32) []float64 {
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
func (t *Tree) Check() error {
	seen := make([]bool, t.n)
	all, err := t.checkNode(0, seen)
	if err != nil {
		return err
	}
	if len(all) != t.n {
		return fmt.Errorf("pivottree: %d vectors in the tree of %d", len(all), t.n)
	}
	return nil
}

// checkNode returns the positions below a node.
func (t *Tree) checkNode(id int32, seen []bool) ([]int32, error) {
	n := t.nodes[id]
	var all []int32
	if n.pivot < 0 {
		all = append(all, t.positions[n.from:n.to]...)
	} else {
		all = append(all, n.pivot)
	}
	for _, p := range all {
		if seen[p] {
			return nil, fmt.Errorf("pivottree: position %d occurs twice", p)
		}
		seen[p] = true
	}
	for part, child := range n.children {
		if child == 0 {
			continue
		}
		below, err := t.checkNode(child, seen)
		if err != nil {
			return nil, err
		}
		for _, p := range below {
			out := t.norm.Distance(t.vector(n.pivot), t.vector(p))
			back := t.norm.Distance(t.vector(p), t.vector(n.pivot))
			if (out > n.out) != (part&2 != 0) || (back > n.back) != (part&1 != 0) {
				return nil, fmt.Errorf("pivottree: vector %d is in part %d of node %d", p, part, id)
			}
		}
		all = append(all, below...)
	}
	return all, nil
}
