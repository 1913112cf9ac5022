package diff

import (
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// features are what a graph has around each node and at each edge, as hashes, ascending: with labels, and by numbers of
// neighbours alone.
type features []uint64

func featuresOf(g *graph.Graph) (f features) {
	degrees := func(v int) uint64 { return uint64(len(g.Out(v)))<<20 | uint64(len(g.In(v))) }
	for v := range g.N() {
		f = append(f, mix(1, uint64(g.Label(v))), mix(2, degrees(v)))
	}
	for e := range g.Edges() {
		a, b := uint64(g.Label(e.From)), uint64(g.Label(e.To))
		c, d := degrees(e.From), degrees(e.To)
		if !g.Directed() {
			a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
		}
		f = append(f, mix(3, a, b, uint64(e.Label)), mix(4, c, d))
	}
	slices.Sort(f)
	return f
}

// mix hashes some numbers (the finaliser of MurmurHash3 after each).
func mix(numbers ...uint64) (h uint64) {
	for _, x := range numbers {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 33
		h *= 0xff51afd7ed558ccd
		h ^= h >> 33
	}
	return h
}

// pairsOf are the pairs of adjacent characters of a name, in lower case.
func pairsOf(name string) (f features) {
	name = strings.ToLower(name)
	for i := range len(name) - 1 {
		f = append(f, uint64(name[i])<<8|uint64(name[i+1]))
	}
	slices.Sort(f)
	return f
}

// common counts what two graphs have in common.
func (f features) common(g features) (n int) {
	for i, j := 0, 0; i < len(f) && j < len(g); {
		switch {
		case f[i] == g[j]:
			n, i, j = n+1, i+1, j+1
		case f[i] < g[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// without returns what g lacks of f.
func (f features) without(g features) (left features) {
	j := 0
	for _, x := range f {
		for j < len(g) && g[j] < x {
			j++
		}
		if j < len(g) && g[j] == x {
			j++
			continue
		}
		left = append(left, x)
	}
	return left
}

// alike returns which share of their features two graphs have in common: 1 for the same ones.
func (f features) alike(g features) float64 {
	n := f.common(g)
	if all := len(f) + len(g) - n; all > 0 {
		return float64(n) / float64(all)
	}
	return 1
}
