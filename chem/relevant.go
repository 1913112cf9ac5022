package chem

import (
	"cmp"
	"math/bits"
	"slices"
)

// relevantRings counts the relevant rings of a block: those that are no sum, modulo 2, of shorter
// ones. Unlike a minimum cycle basis, they do not depend on the numbering of the atoms.
//
// There may be exponentially many: a ring of n para-phenylenes has 2^n that pass them on either
// side. So those that differ only in the choice among shortest paths from a root to two neighbouring
// atoms are found and counted together, as a bundle (Vismara, Electron. J. Combin. 4, 1997): they
// are relevant together. The root of a ring is its last atom by the number of bonds, and by the
// numbering among atoms with equally many.
//
// Sums are compared by the bonds outside a spanning tree, which determine a ring.
type relevantRings struct {
	c     cycleFinder // its numbering of the block is used, and no more
	words int         // 64-bit words of a set of bonds outside the tree
	place []int32     // [block bonds] number outside the tree, or -1

	// Shortest paths from a root to the atoms that precede it, [block atoms].
	distance []int32
	branch   []int32 // neighbour of the root on one path
	sum      []uint64
	paths    []int // how many there are, up to unbounded
	queue    []int32

	bundles []ringBundle
	rows    []uint64 // [rank, words] echelon form of the relevant rings
	pivots  []int32

	atoms []int32 // [block atoms] in the molecule
	ends  []int   // [block atoms] paths from an atom to the end of a bundle's
}

// ringBundle is the rings through a root, the shortest paths to two atoms, and either the bond of
// these or the third atom that both are bonded to.
type ringBundle struct {
	length, root, left, right int32
	top                       int32 // the third atom, or -1
	sum                       []uint64
}

// find calls add for atoms of a block and a length, with how many relevant rings of that length
// they are in, in several calls. Numbers greater than unbounded are cut to it.
func (f *relevantRings) find(all []Bond, block []int32, atoms, total int, add func(v int32, length, count int)) {
	f.c.number(all, block, atoms, total)
	rank := len(block) - atoms + 1
	f.words = (rank + 63) / 64
	f.atoms = resize(f.atoms, atoms)
	for _, b := range block {
		for _, v := range [2]int32{all[b].From, all[b].To} {
			f.atoms[f.c.local[v]] = v
		}
	}
	f.span(atoms)
	f.bundles = f.bundles[:0]
	for root := range int32(atoms) {
		if f.c.degree(root) > 2 { // each ring of a block that has several passes such an atom
			f.collect(root, atoms)
		}
	}
	slices.SortStableFunc(f.bundles, func(a, b ringBundle) int { return cmp.Compare(a.length, b.length) })
	f.rows, f.pivots = f.rows[:0], f.pivots[:0]
	for from := 0; from < len(f.bundles) && len(f.pivots) < rank; {
		to := from
		for to < len(f.bundles) && f.bundles[to].length == f.bundles[from].length {
			to++
		}
		relevant := f.bundles[from:from]
		for _, b := range f.bundles[from:to] {
			if f.reduce(b.sum); first(b.sum) >= 0 {
				relevant = append(relevant, b)
			}
		}
		for i := range relevant {
			f.count(&relevant[i], atoms, add)
		}
		for _, b := range relevant {
			if f.reduce(b.sum); first(b.sum) >= 0 {
				f.pivots = append(f.pivots, first(b.sum))
				f.rows = append(f.rows, b.sum...)
			}
		}
		from = to
	}
}

// span numbers the bonds outside a spanning tree.
func (f *relevantRings) span(atoms int) {
	c := &f.c
	f.place = resize(f.place, len(c.ends))
	f.distance = resize(f.distance, atoms)
	for v := range f.distance {
		f.distance[v] = -1
	}
	for b := range f.place {
		f.place[b] = 0
	}
	f.distance[0] = 0
	f.queue = append(f.queue[:0], 0)
	for head := 0; head < len(f.queue); head++ {
		for _, a := range c.arcs[c.start[f.queue[head]]:c.start[f.queue[head]+1]] {
			if f.distance[a.to] < 0 {
				f.distance[a.to], f.place[a.bond] = 0, -1
				f.queue = append(f.queue, a.to)
			}
		}
	}
	next := int32(0)
	for b := range f.place {
		if f.place[b] == 0 {
			f.place[b] = next
			next++
		}
	}
}

// search finds the shortest paths from a root to the atoms that precede it.
func (f *relevantRings) search(root int32, atoms int) {
	c := &f.c
	f.distance, f.branch, f.paths = resize(f.distance, atoms), resize(f.branch, atoms), resize(f.paths, atoms)
	f.sum = resize(f.sum, atoms*f.words)
	for v := range f.distance {
		f.distance[v] = -1
	}
	clear(f.sum[int(root)*f.words : int(root+1)*f.words])
	f.distance[root], f.branch[root], f.paths[root] = 0, root, 1
	f.queue = append(f.queue[:0], root)
	precedes := func(v int32) bool {
		return cmp.Or(cmp.Compare(c.degree(v), c.degree(root)), cmp.Compare(v, root)) < 0
	}
	for head := 0; head < len(f.queue); head++ {
		x := f.queue[head]
		for _, a := range c.arcs[c.start[x]:c.start[x+1]] {
			if f.distance[a.to] == f.distance[x]+1 {
				f.paths[a.to] = min(f.paths[a.to]+f.paths[x], unbounded)
			}
			if f.distance[a.to] >= 0 || !precedes(a.to) {
				continue
			}
			f.distance[a.to], f.branch[a.to], f.paths[a.to] = f.distance[x]+1, f.branch[x], f.paths[x]
			if x == root {
				f.branch[a.to] = a.to
			}
			copy(f.sumOf(a.to), f.sumOf(x))
			f.flip(f.sumOf(a.to), a.bond)
			f.queue = append(f.queue, a.to)
		}
	}
}

func (f *relevantRings) sumOf(v int32) []uint64 {
	return f.sum[int(v)*f.words : int(v+1)*f.words]
}

func (f *relevantRings) flip(sum []uint64, bond int32) {
	if p := f.place[bond]; p >= 0 {
		sum[p>>6] ^= 1 << (p & 63)
	}
}

// collect adds the bundles of a root. Paths that share more than it give no relevant ring.
func (f *relevantRings) collect(root int32, atoms int) {
	f.search(root, atoms)
	c := &f.c
	add := func(length int32, p, q, top int32, bonds ...int32) {
		if f.branch[p] == f.branch[q] {
			return
		}
		sum := slices.Clone(f.sumOf(p))
		for k, x := range f.sumOf(q) {
			sum[k] ^= x
		}
		for _, b := range bonds {
			f.flip(sum, b)
		}
		f.bundles = append(f.bundles, ringBundle{length, root, p, q, top, sum})
	}
	for b, e := range c.ends {
		if d := f.distance[e.From]; d > 0 && d == f.distance[e.To] {
			add(2*d+1, e.From, e.To, -1, int32(b))
		}
	}
	for _, x := range f.queue {
		var before []arc
		for _, a := range c.arcs[c.start[x]:c.start[x+1]] {
			if f.distance[x] > 1 && f.distance[a.to] == f.distance[x]-1 {
				before = append(before, a)
			}
		}
		for i, p := range before {
			for _, q := range before[:i] {
				add(2*f.distance[x], p.to, q.to, x, p.bond, q.bond)
			}
		}
	}
}

// reduce subtracts the rows from a sum until it has none of their pivots.
func (f *relevantRings) reduce(sum []uint64) {
	for i, p := range f.pivots {
		if sum[p>>6]&(1<<(p&63)) == 0 {
			continue
		}
		for k, x := range f.rows[i*f.words : (i+1)*f.words] {
			sum[k] ^= x
		}
	}
}

// first returns the first element of a set, or -1.
func first(set []uint64) int32 {
	for k, x := range set {
		if x != 0 {
			return int32(64*k + bits.TrailingZeros64(x))
		}
	}
	return -1
}

// count adds the rings of a bundle.
func (f *relevantRings) count(b *ringBundle, atoms int, add func(v int32, length, count int)) {
	f.search(b.root, atoms)
	times := func(counts ...int) int {
		n := 1
		for _, c := range counts {
			n = min(n*c, unbounded)
		}
		return n
	}
	all := times(f.paths[b.left], f.paths[b.right])
	add(f.atoms[b.root], int(b.length), all)
	if b.top >= 0 {
		add(f.atoms[b.top], int(b.length), all)
	}
	f.ends = resize(f.ends, atoms)
	for _, side := range [2][2]int32{{b.left, b.right}, {b.right, b.left}} {
		clear(f.ends)
		f.ends[side[0]] = 1
		for i := len(f.queue) - 1; i > 0; i-- { // the root is first
			v := f.queue[i]
			if f.ends[v] == 0 {
				continue
			}
			add(f.atoms[v], int(b.length), times(f.paths[v], f.ends[v], f.paths[side[1]]))
			for _, a := range f.c.arcs[f.c.start[v]:f.c.start[v+1]] {
				if f.distance[a.to] == f.distance[v]-1 {
					f.ends[a.to] = min(f.ends[a.to]+f.ends[v], unbounded)
				}
			}
		}
	}
}
