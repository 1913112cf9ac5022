package chem

import (
	"maps"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// randomMolecule returns a workspace that is linked over up to 9 atoms.
func randomMolecule(r *rapid.T) *workspace {
	n := rapid.IntRange(2, 9).Draw(r, "atoms")
	density := rapid.IntRange(1, 4).Draw(r, "density")
	w := &workspace{m: &Molecule{Atoms: make([]Atom, n)}}
	for v := range int32(n) {
		for u := range v {
			if len(w.m.Bonds) < 20 && rapid.IntRange(0, density).Draw(r, "bond") == 0 {
				w.m.Bonds = append(w.m.Bonds, Bond{u, v, Single})
			}
		}
	}
	w.link()
	return w
}

// allRings returns the bond sets of all rings: the sets of bonds that are
// connected and give each of their atoms two bonds.
func allRings(m *Molecule) []uint32 {
	var rings []uint32
	var walk func(first, at int32, seen []bool, used uint32)
	walk = func(first, at int32, seen []bool, used uint32) {
		for i, b := range m.Bonds {
			if used&(1<<i) != 0 {
				continue
			}
			to := b.To
			if b.To == at {
				to = b.From
			} else if b.From != at {
				continue
			}
			switch {
			case to == first && bits.OnesCount32(used) >= 2:
				rings = append(rings, used|1<<i)
			case to > first && !seen[to]:
				seen[to] = true
				walk(first, to, seen, used|1<<i)
				seen[to] = false
			}
		}
	}
	for v := range int32(len(m.Atoms)) {
		walk(v, v, make([]bool, len(m.Atoms)), 0)
	}
	slices.Sort(rings)
	return slices.Compact(rings) // each was walked both ways
}

// minimumBasis returns the lengths of a minimum cycle basis, by the greedy
// algorithm over all rings.
func minimumBasis(rings []uint32) []int {
	slices.SortStableFunc(rings, func(a, b uint32) int { return bits.OnesCount32(a) - bits.OnesCount32(b) })
	var basis []uint32
	var lengths []int
	for _, ring := range rings {
		rest := ring
		for _, b := range basis {
			rest = min(rest, rest^b)
		}
		if rest != 0 {
			basis = append(basis, rest)
			slices.SortFunc(basis, func(a, b uint32) int { return bits.LeadingZeros32(a) - bits.LeadingZeros32(b) })
			lengths = append(lengths, bits.OnesCount32(ring))
		}
	}
	return lengths
}

func TestRings(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := randomMolecule(r)
		m := w.m
		rings := allRings(m)
		w.rings.find(w.start, w.arcs, len(m.Bonds))
		for i := range m.Bonds {
			for k := range m.Bonds {
				together := false
				for _, ring := range rings {
					together = together || ring&(1<<i) != 0 && ring&(1<<k) != 0
				}
				if got := w.rings.of[i] >= 0 && w.rings.of[i] == w.rings.of[k]; got != together {
					r.Fatalf("bonds %d and %d: in a block %v, in a ring %v", i, k, got, together)
				}
			}
		}
		var got []int
		for i := range w.rings.count() {
			block := w.rings.block(i)
			atoms := make(map[int32]bool)
			for _, b := range block {
				atoms[m.Bonds[b].From], atoms[m.Bonds[b].To] = true, true
			}
			if len(atoms) == len(block) {
				got = append(got, len(block))
				continue
			}
			w.cycles.find(m.Bonds, block, len(atoms), len(m.Atoms))
			for k, length := range w.cycles.length {
				var set uint32
				for _, b := range w.cycles.bonds(k) {
					set |= 1 << block[b]
				}
				if bits.OnesCount32(set) != int(length) || !slices.Contains(rings, set) {
					r.Fatalf("bonds %b are no ring of length %d", set, length)
				}
				if k < w.cycles.basis {
					got = append(got, int(length))
				}
			}
		}
		slices.Sort(got)
		if want := minimumBasis(rings); !slices.Equal(got, want) {
			r.Errorf("rings of lengths %v, want %v", got, want)
		}
	})
}

// TestRelevantRings compares the counts with those over all rings, by the definition.
func TestRelevantRings(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := randomMolecule(r)
		m := w.m
		type at struct {
			atom   int32
			length int
		}
		want, got := make(map[at]int), make(map[at]int)
		rings := allRings(m)
		for _, ring := range rings {
			length := bits.OnesCount32(ring)
			var shorter []uint32
			for _, other := range rings {
				if bits.OnesCount32(other) < length {
					shorter = append(shorter, other)
				}
			}
			if len(minimumBasis(shorter)) == len(minimumBasis(append(shorter, ring))) {
				continue
			}
			atoms := make(map[int32]bool)
			for i, b := range m.Bonds {
				if ring&(1<<i) != 0 {
					atoms[b.From], atoms[b.To] = true, true
				}
			}
			for v := range atoms {
				want[at{v, length}]++
			}
		}
		w.rings.find(w.start, w.arcs, len(m.Bonds))
		var relevant relevantRings
		for i := range w.rings.count() {
			block := w.rings.block(i)
			atoms := make(map[int32]bool)
			for _, b := range block {
				atoms[m.Bonds[b].From], atoms[m.Bonds[b].To] = true, true
			}
			if len(atoms) == len(block) {
				for v := range atoms {
					got[at{v, len(block)}]++
				}
				continue
			}
			relevant.find(m.Bonds, block, len(atoms), len(m.Atoms), func(v int32, length, count int) {
				got[at{v, length}] += count
			})
		}
		if !maps.Equal(got, want) {
			r.Errorf("relevant rings by atom and length %v, want %v", got, want)
		}
	})
}
