package chem

import (
	"cmp"
	"slices"
)

// cycleFinder finds the smallest rings of a block of ring bonds: a minimum cycle
// basis, and the further rings that could replace one of the same length in it.
//
// The candidates are those of Horton (SIAM J. Comput. 16, 1987): for a root r
// and a bond xy, the shortest paths from r to x and to y and the bond. Every
// ring of a block that has several passes through an atom with three or more
// ring bonds, so these suffice as roots where shortest paths are unique, which is
// the usual case. Candidates enter the basis by length if they are independent,
// modulo 2, of those before.
type cycleFinder struct {
	local []int32 // [atoms] number of an atom in the block
	ends  []Bond  // [block bonds] the same by local numbers; Order is not used
	start []int32 // [block atoms+1]
	arcs  []arc

	distance   []int32 // [roots, block atoms]
	parent     []int32 // [roots, block atoms] bond towards the root
	parentAtom []int32 // [roots, block atoms]
	branch     []int32 // [block atoms] neighbour of the root towards the atom
	queue      []int32

	candidates []cycleCandidate
	words      int      // 64-bit words of a bond set
	set        []uint64 // [words] scratch
	reduced    []uint64 // [basis, words] echelon form
	pivots     []int32  // [basis] leading bit of each row
	found      []uint64 // [rings, words] bond sets of the rings
	length     []int32  // [rings]
	basis      int      // the first rings that are the basis, before extras
	extras     []uint64
	uses       []int32 // [block bonds]
}

// maxAllRoots is the greatest number of atoms of a block for which all serve as roots if
// shortest paths are not unique. It limits time and memory.
const maxAllRoots = 512

type cycleCandidate struct {
	length, root, bond int32
}

// find computes found and length for a block with the given number of atoms.
func (c *cycleFinder) find(all []Bond, block []int32, atoms, total int) {
	c.number(all, block, atoms, total)
	c.words = (len(block) + 63) / 64
	c.branch = resize(c.branch, atoms)
	if c.searchFrom(atoms, 3) && atoms <= maxAllRoots {
		c.searchFrom(atoms, 0)
	}
	slices.SortFunc(c.candidates, func(a, b cycleCandidate) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.root, b.root), cmp.Compare(a.bond, b.bond))
	})
	c.choose(atoms, len(block)-atoms+1)
	c.keepExtras()
}

// number gives the atoms of the block local numbers and links them.
func (c *cycleFinder) number(all []Bond, block []int32, atoms, total int) {
	c.local = resize(c.local, total)
	for _, b := range block {
		c.local[all[b].From], c.local[all[b].To] = -1, -1
	}
	c.ends = c.ends[:0]
	next := int32(0)
	of := func(v int32) int32 {
		if c.local[v] < 0 {
			c.local[v] = next
			next++
		}
		return c.local[v]
	}
	for _, b := range block {
		c.ends = append(c.ends, Bond{From: of(all[b].From), To: of(all[b].To)})
	}
	c.start, c.arcs = adjacency(c.start, c.arcs, atoms, c.ends)
}

// searchFrom collects the candidates of all roots with at least the given number of bonds. It
// reports whether two shortest paths lead to some branching atom, because other rings may
// then pass through the path that was not taken.
func (c *cycleFinder) searchFrom(atoms, least int) (ambiguous bool) {
	c.candidates = c.candidates[:0]
	roots := 0
	for v := range int32(atoms) {
		if c.degree(v) >= least {
			roots++
		}
	}
	c.distance = resize(c.distance, roots*atoms)
	c.parent = resize(c.parent, roots*atoms)
	c.parentAtom = resize(c.parentAtom, roots*atoms)
	root := int32(0)
	for v := range int32(atoms) {
		if c.degree(v) >= least {
			ambiguous = c.search(root, v, atoms) || ambiguous
			root++
		}
	}
	return ambiguous
}

func (c *cycleFinder) degree(v int32) int { return int(c.start[v+1] - c.start[v]) }

// search finds the shortest paths from a root and the resulting candidates. It reports
// whether a path was ambiguous; see searchFrom.
func (c *cycleFinder) search(root, v int32, atoms int) (ambiguous bool) {
	row := int(root) * atoms
	distance, parent := c.distance[row:row+atoms], c.parent[row:row+atoms]
	parentAtom := c.parentAtom[row : row+atoms]
	for x := range distance {
		distance[x] = -1
	}
	distance[v], parent[v], c.branch[v] = 0, -1, v
	c.queue = append(c.queue[:0], v)
	for head := 0; head < len(c.queue); head++ {
		x := c.queue[head]
		for _, a := range c.arcs[c.start[x]:c.start[x+1]] {
			if distance[a.to] >= 0 {
				if distance[a.to] > distance[x] && c.degree(a.to) > 2 && parent[a.to] != a.bond {
					ambiguous = true
				}
				continue
			}
			distance[a.to], parent[a.to], parentAtom[a.to] = distance[x]+1, a.bond, x
			c.branch[a.to] = c.branch[x]
			if x == v {
				c.branch[a.to] = a.to
			}
			c.queue = append(c.queue, a.to)
		}
	}
	for i, e := range c.ends {
		if c.branch[e.From] == c.branch[e.To] || parent[e.From] == int32(i) || parent[e.To] == int32(i) {
			continue
		}
		c.candidates = append(c.candidates, cycleCandidate{distance[e.From] + distance[e.To] + 1, root, int32(i)})
	}
	return ambiguous
}
