package chem

import (
	"iter"
	"math/bits"
	"slices"
)

// choose adds candidates to the basis by length, until it has the given rank, and keeps as
// extras the dependent ones that are no longer than its longest.
func (c *cycleFinder) choose(atoms, rank int) {
	c.found, c.length = c.found[:0], c.length[:0]
	c.reduced, c.pivots = c.reduced[:0], c.pivots[:0]
	c.extras = c.extras[:0]
	c.set = resize(c.set, c.words)
	for _, cand := range c.candidates {
		if n := len(c.length); n == rank && cand.length > c.length[n-1] {
			break
		}
		c.bondSet(cand, atoms)
		if c.known(c.found) || c.known(c.extras) {
			continue
		}
		from := len(c.reduced)
		c.reduced = append(c.reduced, c.set...)
		if c.reduce(c.reduced[from:]) {
			c.found = append(c.found, c.set...)
			c.length = append(c.length, cand.length)
		} else {
			c.reduced = c.reduced[:from]
			c.extras = append(c.extras, c.set...)
		}
	}
	c.basis = len(c.length)
}

// bondSet sets c.set to the bonds of a candidate.
func (c *cycleFinder) bondSet(cand cycleCandidate, atoms int) {
	clear(c.set)
	row := int(cand.root) * atoms
	put := func(bond int32) { c.set[bond>>6] |= 1 << (bond & 63) }
	put(cand.bond)
	e := c.ends[cand.bond]
	for _, x := range [2]int32{e.From, e.To} {
		for c.parent[row+int(x)] >= 0 {
			put(c.parent[row+int(x)])
			x = c.parentAtom[row+int(x)]
		}
	}
}

// known reports whether c.set is one of the sets.
func (c *cycleFinder) known(sets []uint64) bool {
	for i := 0; i < len(sets); i += c.words {
		if slices.Equal(sets[i:i+c.words], c.set) {
			return true
		}
	}
	return false
}

// reduce subtracts the basis from the set row and adds the remainder, if any, to the pivots.
// It reports whether there is one.
func (c *cycleFinder) reduce(row []uint64) bool {
	for i, p := range c.pivots {
		if row[p>>6]&(1<<(p&63)) == 0 {
			continue
		}
		for k, x := range c.reduced[i*c.words : (i+1)*c.words] {
			row[k] ^= x
		}
	}
	for k, x := range row {
		if x != 0 {
			c.pivots = append(c.pivots, int32(64*k+bits.TrailingZeros64(x)))
			return true
		}
	}
	return false
}

// keepExtras adds the extras that could replace a ring of the basis: one of the same length
// that shares a bond with it and has every bond that no other ring of the basis has.
func (c *cycleFinder) keepExtras() {
	c.uses = resize(c.uses, len(c.ends))
	clear(c.uses)
	for i := range c.basis {
		for _, b := range c.bonds(i) {
			c.uses[b]++
		}
	}
	for i := 0; i < len(c.extras); i += c.words {
		extra := c.extras[i : i+c.words]
		size := int32(0)
		for _, x := range extra {
			size += int32(bits.OnesCount64(x))
		}
		for r := range c.basis {
			if c.length[r] == size && c.replaces(extra, r) {
				c.found = append(c.found, extra...)
				c.length = append(c.length, size)
				break
			}
		}
	}
}

func (c *cycleFinder) replaces(extra []uint64, ring int) bool {
	shares := false
	for _, b := range c.bonds(ring) {
		has := extra[b>>6]&(1<<(b&63)) != 0
		if !has && c.uses[b] == 1 {
			return false
		}
		shares = shares || has
	}
	return shares
}

// bonds yields the bonds of ring i, numbered, by their places in the block.
func (c *cycleFinder) bonds(i int) iter.Seq2[int, int32] {
	return func(yield func(int, int32) bool) {
		n := 0
		for k, x := range c.found[i*c.words : (i+1)*c.words] {
			for ; x != 0; x &= x - 1 {
				if !yield(n, int32(64*k+bits.TrailingZeros64(x))) {
					return
				}
				n++
			}
		}
	}
}
