package chem

import "slices"

// workspace is the memory in which a molecule is perceived. It is reused from
// one molecule to the next. Slices marked [atoms] and [bonds] are indexed as
// those of the molecule.
type workspace struct {
	m *Molecule

	sum   []int32 // [atoms] twice the orders of an atom's bonds
	start []int32 // [atoms+1] arcs of atom v are arcs[start[v]:start[v+1]]
	arcs  []arc
	seen  []int32 // [atoms] scratch

	order    []Order // [bonds] Kekulé orders, if there may be rings
	implicit []int32 // [atoms] hydrogens not stated; set if aromatic
	aromatic bool    // some atom or bond is written as aromatic

	rings   ringFinder
	blocks  []bool // [blocks] scratch
	between []bool // [bonds] double between aromatic rings, which those written as aromatic need not be
	written []Bond // before aromaticity was perceived
	kekule  matcher
	cycles  cycleFinder
	donors  []donor // [atoms]
	fused   fusedRings
}

// arc is a bond as seen from one of its atoms.
type arc struct {
	to, bond int32
}

// source is where the atoms and bonds of a molecule stand in its text.
type source struct {
	atoms []int32 // [atoms]
	bonds []int32 // [bonds]
}

// repeatedBond is the error for a bond between atoms that are bonded already.
type repeatedBond struct{ bond int }

func (e *repeatedBond) Error() string { return "chem: two atoms are bonded twice" }

// perceive turns a molecule as written into one as meant: see [Molecule].
// cyclic reports that it may have rings, aromatic that an atom or a bond may be
// written as aromatic.
func (w *workspace) perceive(m *Molecule, cyclic, aromatic bool) error {
	w.m = m
	w.aromatic = aromatic
	w.link()
	if cyclic {
		if err := w.checkRepeats(); err != nil {
			return err
		}
	}
	w.normalise()
	w.checkValences()
	if !cyclic && !aromatic {
		w.order = w.order[:0]
		if slices.ContainsFunc(m.Bonds, func(b Bond) bool { return b.Order == dative }) {
			for _, b := range m.Bonds {
				w.order = append(w.order, b.Order)
			}
			m.kekule = w.order
		}
		w.settle()
		return nil
	}
	w.rings.find(w.start, w.arcs, len(m.Bonds))
	w.order = resize(w.order, len(m.Bonds))
	if !aromatic {
		for i, b := range m.Bonds {
			w.order[i] = b.Order
		}
		w.perceiveAromaticity()
	} else if err := w.kekulise(); err != nil {
		return err
	}
	m.kekule = w.order
	w.settle()
	return nil
}

// link builds the adjacency.
func (w *workspace) link() {
	w.start, w.arcs = adjacency(w.start, w.arcs, len(w.m.Atoms), w.m.Bonds)
}

// adjacency returns the arcs of n atoms, those of atom v at start[v] to start[v+1], in the memory
// of the slices given.
func adjacency(start []int32, arcs []arc, n int, bonds []Bond) ([]int32, []arc) {
	start = resize(start, n+2)
	clear(start)
	next := start[1:] // shifted by one, so that filling leaves the offsets
	for i := range bonds {
		next[bonds[i].From+1]++
		next[bonds[i].To+1]++
	}
	for v := range n {
		next[v+1] += next[v]
	}
	arcs = resize(arcs, 2*len(bonds))
	for i := range bonds {
		u, v := bonds[i].From, bonds[i].To
		arcs[next[u]] = arc{v, int32(i)}
		next[u]++
		arcs[next[v]] = arc{u, int32(i)}
		next[v]++
	}
	return start[:n+1], arcs
}

// at returns the bonds of atom v.
func (w *workspace) at(v int32) []arc { return w.arcs[w.start[v]:w.start[v+1]] }

// checkRepeats returns a [*repeatedBond] if two atoms are bonded twice.
func (w *workspace) checkRepeats() error {
	w.seen = resize(w.seen, len(w.m.Atoms))
	for v := range w.seen {
		w.seen[v] = -1
	}
	for v := range int32(len(w.m.Atoms)) {
		for _, a := range w.at(v) {
			if w.seen[a.to] == v {
				return &repeatedBond{int(a.bond)}
			}
			w.seen[a.to] = v
		}
	}
	return nil
}

// settle makes dative bonds single.
func (w *workspace) settle() {
	for i := range w.m.Bonds {
		if w.m.Bonds[i].Order == dative {
			w.m.Bonds[i].Order = Single
		}
	}
}

// resize returns a slice of length n, with s's memory if it is large enough.
// Its elements are arbitrary.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2+8)
	}
	return s[:n]
}
