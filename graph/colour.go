package graph

import (
	"cmp"
	"context"
	"slices"
)

// Colours returns a colour for every node, [n], by colour refinement (one-dimensional
// Weisfeiler-Leman): nodes of one colour have the same label and see the same colours
// over the same edges. Colours are 64-bit hashes of label numbers, which do not depend
// on the numbering of the nodes. Those of graphs with the same [Graph.Hash] can be
// compared: an isomorphism maps every node to one of equal colour.
func (g *Graph) Colours() []uint64 {
	colour, _, _ := g.refine(context.Background())
	return colour
}

// refine returns the colours and a hash of how they came about. It returns false if ctx
// ends first.
//
// A class of nodes of one colour is split by what its nodes see of the nodes whose colour is
// new. One part keeps the colour: the nodes that see nothing new, or else the largest part
// (Hopcroft 1971). So on a long path, where each round tells two more nodes apart, a round
// costs no more than these.
func (g *Graph) refine(ctx context.Context) (colour []uint64, story uint64, ok bool) {
	n := g.N()
	class := make([]int32, n)
	var size []int       // of each class
	var colours []uint64 // and its colour
	firsts := make(map[Label]int32)
	fresh := make([]int32, n) // nodes whose colour is new
	for v, l := range g.labels {
		c, known := firsts[l]
		if !known {
			c = int32(len(size))
			firsts[l], size, colours = c, append(size, 0), append(colours, mix(uint64(l)+0x9e3779b97f4a7c15))
		}
		class[v], fresh[v] = c, int32(v)
		size[c]++
		story += mix(colours[c])
	}
	sum, seeing := make([]uint64, n), make([]bool, n) // what nodes see of fresh ones, and whether they do
	at := make([]int32, 0, n)                         // those that do
	for round := uint64(1); len(fresh) > 0; round++ {
		if ctx.Err() != nil {
			return nil, 0, false
		}
		at = at[:0]
		for _, w := range fresh {
			colour := colours[class[w]]
			for side, arcs := range g.around(int(w)) {
				for _, a := range arcs {
					if !seeing[a.To] {
						seeing[a.To] = true
						at = append(at, a.To)
					}
					sum[a.To] += mix(colour ^ mix(uint64(a.Label)+1+uint64(side)<<32))
				}
			}
		}
		slices.SortFunc(at, func(u, v int32) int {
			if class[u] != class[v] {
				return cmp.Compare(class[u], class[v])
			}
			return cmp.Compare(sum[u], sum[v])
		})
		fresh = fresh[:0]
		for rest := at; len(rest) > 0; {
			c, kept := class[rest[0]], 0
			all := alike(rest, class)
			rest = rest[len(all):]
			if size[c] == len(all) {
				for parts := all; len(parts) > 0; parts = parts[len(alike(parts, sum)):] {
					kept = max(kept, len(alike(parts, sum)))
				}
			}
			for len(all) > 0 {
				part := alike(all, sum)
				all = all[len(part):]
				colour := mix(colours[c] + mix(sum[part[0]]+round))
				story += mix(colour + uint64(len(part)))
				if len(part) == kept {
					kept = 0 // the first of the largest
					continue
				}
				for _, v := range part {
					class[v] = int32(len(size))
				}
				size[c] -= len(part)
				size, colours = append(size, len(part)), append(colours, colour)
				fresh = append(fresh, part...)
			}
		}
		for _, v := range at {
			sum[v], seeing[v] = 0, false
		}
	}
	colour = make([]uint64, n)
	for v, c := range class {
		colour[v] = colours[c]
	}
	return colour, story, true
}

// alike returns the first nodes that have the same value.
func alike[T comparable](nodes []int32, value []T) []int32 {
	n := 1
	for n < len(nodes) && value[nodes[n]] == value[nodes[0]] {
		n++
	}
	return nodes[:n]
}

// Hash returns a hash of the isomorphism class: equal for isomorphic graphs
// over one vocabulary, and different for most others. Graphs that colour
// refinement cannot tell apart share a hash; [Isomorphic] decides.
func (g *Graph) Hash() uint64 {
	h := mix(uint64(g.N())<<32 | uint64(g.M()))
	if g.directed {
		h = mix(h + 1)
	}
	_, story, _ := g.refine(context.Background())
	return mix(story + h)
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, 2014): a bijection
// whose output bits each depend on all input bits.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
