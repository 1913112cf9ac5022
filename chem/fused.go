package chem

// MaxRings is the greatest number of independent rings, and maxBlock of atoms, in a block of
// fused rings for which aromaticity is perceived. In larger blocks no ring becomes aromatic,
// and [NoteLargeRings] says so. C60 has 31 independent rings.
const MaxRings = 256

const maxBlock = 2048

const (
	// maxFused is the greatest number of fused rings that are tried together, and
	// maxFusedRing the greatest length of a ring that is tried with others. Both are RDKit's.
	maxFused     = 6
	maxFusedRing = 24
	// maxSubsets is the greatest number of sets of fused rings that are tried in a molecule.
	// RDKit takes very long for molecules that exceed it.
	maxSubsets = 1 << 18
)

// fusedRings holds the rings of a block all of whose atoms can be aromatic.
type fusedRings struct {
	rings   []int32 // places in the cycleFinder
	touches []bool  // [rings, rings] are fused
	atoms   []int32 // atoms of all rings, end to end
	start   []int32 // [rings+1] offsets into atoms and into bonds
	bonds   []int32

	count  []int32 // [atoms] of a set of rings that an atom is in
	uses   []int32 // [bonds] the same for bonds
	chosen []int32 // the set of rings being tried
	near   []int32 // [rings] rings of the set that are this one or fused with it
	open   []int32 // stack of the rings that may join each set
	budget int     // sets left to try in the molecule
}

// perceiveFused processes a block of several rings.
func (w *workspace) perceiveFused(block []int32, atoms int) {
	if !w.mayClose(block) {
		return
	}
	if len(block)-atoms+1 > MaxRings || atoms > maxBlock {
		w.m.Notes |= NoteLargeRings
		return
	}
	c, f := &w.cycles, &w.fused
	c.find(w.m.Bonds, block, atoms, len(w.m.Atoms))
	w.excludeBridges(block)
	f.start = append(f.start[:0], 0)
	f.atoms, f.bonds, f.rings = f.atoms[:0], f.bonds[:0], f.rings[:0]
	for i := range len(c.length) {
		w.addRing(block, i)
	}
	f.link(len(w.m.Bonds))
	f.count = resize(f.count, len(w.m.Atoms))
	clear(f.count)
	for size := 1; size <= min(maxFused, len(f.rings)); size++ {
		if w.trySets(size) {
			return
		}
	}
	if f.budget <= 0 {
		w.m.Notes |= NoteLargeRings
	}
}

// excludeBridges excludes bridges all of whose rings are macrocycles. RDKit only examines the
// first of its rings, which is a small one if there is one.
func (w *workspace) excludeBridges(block []int32) {
	for _, b := range block {
		w.seen[w.m.Bonds[b].From], w.seen[w.m.Bonds[b].To] = 0, 0
	}
	ends := func(ring int, do func(v int32)) {
		for _, local := range w.cycles.bonds(ring) {
			do(w.m.Bonds[block[local]].From)
			do(w.m.Bonds[block[local]].To)
		}
	}
	for i, length := range w.cycles.length {
		if length < macrocycle {
			ends(i, func(v int32) { w.seen[v] = 1 })
		}
	}
	for i, length := range w.cycles.length {
		if length >= macrocycle {
			ends(i, func(v int32) {
				if w.seen[v] == 0 && w.bridges(v) {
					w.donors[v] = excluded
				}
			})
		}
	}
}

// mayClose reports whether the atoms of the block that can be aromatic form any ring: it
// repeatedly removes those with fewer than two neighbours.
func (w *workspace) mayClose(block []int32) bool {
	const out = -1
	for _, b := range block {
		for _, v := range [2]int32{w.m.Bonds[b].From, w.m.Bonds[b].To} {
			w.seen[v] = 0
			if w.donors[v] == excluded {
				w.seen[v] = out
			}
		}
	}
	bonds := append(w.fused.bonds[:0], block...)
	w.fused.bonds = bonds
	left := bonds[:0]
	for _, b := range bonds {
		u, v := w.m.Bonds[b].From, w.m.Bonds[b].To
		if w.seen[u] != out && w.seen[v] != out {
			w.seen[u]++
			w.seen[v]++
			left = append(left, b)
		}
	}
	for {
		kept := left[:0]
		for _, b := range left {
			u, v := w.m.Bonds[b].From, w.m.Bonds[b].To
			if w.seen[u] < 2 || w.seen[v] < 2 {
				w.seen[u]--
				w.seen[v]--
				continue
			}
			kept = append(kept, b)
		}
		if len(kept) == len(left) {
			return len(left) > 0
		}
		left = kept
	}
}

// addRing adds ring i if all its atoms can be aromatic and not all are
// wildcards.
func (w *workspace) addRing(block []int32, i int) {
	f := &w.fused
	usable, named := true, false
	from := len(f.bonds)
	for _, local := range w.cycles.bonds(i) {
		b := block[local]
		u, v := w.m.Bonds[b].From, w.m.Bonds[b].To
		usable = usable && w.donors[u] != excluded && w.donors[v] != excluded
		named = named || w.m.Atoms[u].Element != Any || w.m.Atoms[v].Element != Any
		f.bonds = append(f.bonds, b)
		f.atoms = append(f.atoms, 0)
	}
	if !usable || !named {
		f.bonds, f.atoms = f.bonds[:from], f.atoms[:from]
		return
	}
	// Each atom of the ring is on two of its bonds.
	n := from
	for _, b := range f.bonds[from:] {
		for _, v := range [2]int32{w.m.Bonds[b].From, w.m.Bonds[b].To} {
			w.seen[v] = -2
		}
	}
	for _, b := range f.bonds[from:] {
		for _, v := range [2]int32{w.m.Bonds[b].From, w.m.Bonds[b].To} {
			if w.seen[v] == -2 {
				w.seen[v] = 0
				f.atoms[n] = v
				n++
			}
		}
	}
	f.start = append(f.start, int32(len(f.bonds)))
	f.rings = append(f.rings, int32(i))
}

func (f *fusedRings) bondsOf(r int32) []int32 { return f.bonds[f.start[r]:f.start[r+1]] }
func (f *fusedRings) atomsOf(r int32) []int32 { return f.atoms[f.start[r]:f.start[r+1]] }

// link finds the pairs of fused rings, which share exactly one bond. bonds is the number of
// bonds in the molecule.
func (f *fusedRings) link(bonds int) {
	n := len(f.rings)
	f.touches = resize(f.touches, n*n)
	clear(f.touches)
	f.uses = resize(f.uses, bonds)
	clear(f.uses)
	for r := range int32(n) {
		if len(f.bondsOf(r)) > maxFusedRing {
			continue
		}
		for _, b := range f.bondsOf(r) {
			f.uses[b] = 1
		}
		for s := r + 1; s < int32(n); s++ {
			if len(f.bondsOf(s)) > maxFusedRing {
				continue
			}
			shared := int32(0)
			for _, b := range f.bondsOf(s) {
				shared += f.uses[b]
			}
			if shared == 1 {
				f.touches[int(r)*n+int(s)], f.touches[int(s)*n+int(r)] = true, true
			}
		}
		for _, b := range f.bondsOf(r) {
			f.uses[b] = 0
		}
	}
}
