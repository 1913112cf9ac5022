package transform

import (
	"slices"

	"github.com/greedgraph/greed/chem"
)

// mostCut is how many atoms a molecule may have that is cut: [chem.SMILESWriter.Canonical] ranks no larger ones.
const mostCut = 256

// cut is a bond that is cut, and the side of it that stays: twice the number of the bond, and 1 if it is that of its
// second atom.
type cut int16

const noCut cut = -1

// cutter cuts one molecule. Its hashes are equal for the same part of any molecule, however it is written, and for
// others hardly ever: they are those of colour refinement that starts from elements, charges, isotopes, hydrogens,
// aromaticity and the sizes of rings.
type cutter struct {
	m     *Molecule
	piece []int          // [atoms] the connected piece
	sizes []int          // [pieces]
	bonds []int          // those that can be cut
	sides [][2]side      // of each of these
	base  []uint64       // [atoms] colours at the start
	was   []uint64       // scratch
	is    []uint64       // scratch
	in    []bool         // scratch: [atoms] of the part
	sums  []uint64       // scratch
	rests map[int]uint64 // by piece: the hash of all others
}

// side is the atoms on one side of a bond, with its end first.
type side struct {
	atoms []int
	in    []bool
	hash  uint64 // 0: not known yet
}

func newCutter(mol *chem.Molecule) *cutter {
	n := len(mol.Atoms)
	c := &cutter{
		m: newMolecule(mol), piece: slices.Repeat([]int{-1}, n), base: make([]uint64, n), was: make([]uint64, n),
		is: make([]uint64, n), in: make([]bool, n), rests: make(map[int]uint64),
	}
	for v := range mol.Atoms {
		if c.piece[v] < 0 {
			atoms := c.reach(v, -1)
			for _, w := range atoms {
				c.piece[w] = len(c.sizes)
			}
			c.sizes = append(c.sizes, len(atoms))
		}
		c.base[v] = c.colour(v, 0)
	}
	for i, b := range mol.Bonds {
		if !c.m.cuttable(i) {
			continue
		}
		c.bonds = append(c.bonds, i)
		var both [2]side
		for k, v := range []int32{b.From, b.To} {
			both[k] = side{atoms: c.reach(int(v), i), in: make([]bool, n)}
			for _, w := range both[k].atoms {
				both[k].in[w] = true
			}
		}
		c.sides = append(c.sides, both)
	}
	return c
}

// reach returns the atoms that are connected with one, itself first, without a bond.
func (c *cutter) reach(v, without int) []int {
	return c.m.reach(v, without)
}

func (m *Molecule) reach(v, without int) []int {
	seen := make([]bool, len(m.near))
	seen[v] = true
	atoms := []int{v}
	for i := 0; i < len(atoms); i++ {
		for _, x := range m.near[atoms[i]] {
			if !seen[x.to] && int(x.bond) != without {
				seen[x.to] = true
				atoms = append(atoms, int(x.to))
			}
		}
	}
	return atoms
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	return h ^ h>>29
}

// colour returns the colour of an atom at the start, with more hydrogens than it has.
func (c *cutter) colour(v, hydrogens int) uint64 {
	a := &c.m.mol.Atoms[v]
	ring := 0
	for _, x := range c.m.near[v] {
		if c.m.ring[x.bond] {
			if size := c.m.ringSize(int(x.bond)); ring == 0 || size < ring {
				ring = size
			}
		}
	}
	h := mix(mix(mix(1, uint64(a.Element)), uint64(uint8(a.Charge))), uint64(a.Isotope()))
	h = mix(mix(h, uint64(c.m.hydrogens[v]+hydrogens)), uint64(ring))
	if a.Aromatic {
		h = mix(h, 3)
	}
	return h
}

// hash returns the hash of a part with the given colour of its first atom.
func (c *cutter) hash(atoms []int, first uint64) uint64 {
	for i, v := range atoms {
		c.in[v], c.was[v] = true, c.base[v]
		if i == 0 {
			c.was[v] = first
		}
	}
	defer func() {
		for _, v := range atoms {
			c.in[v] = false
		}
	}()
	for classes := 0; ; {
		c.sums = c.sums[:0]
		for _, v := range atoms {
			sum := uint64(0)
			for _, x := range c.m.near[v] {
				if c.in[x.to] {
					sum += mix(mix(7, uint64(c.m.order(int(x.bond)))), c.was[x.to])
				}
			}
			c.is[v] = mix(c.was[v], sum)
			c.sums = append(c.sums, c.is[v])
		}
		c.was, c.is = c.is, c.was
		slices.Sort(c.sums)
		sum := uint64(len(atoms))
		count := 0
		for i, x := range c.sums {
			sum = mix(sum, x)
			if i == 0 || x != c.sums[i-1] {
				count++
			}
		}
		if count <= classes {
			return sum | 1 // never 0
		}
		classes = count
	}
}

// whole returns the hash of the molecule.
func (c *cutter) whole() uint64 {
	sum := uint64(0)
	for p := range c.sizes {
		atoms := c.reach(slices.Index(c.piece, p), -1)
		sum += c.hash(atoms, c.base[atoms[0]])
	}
	return sum
}

// rest returns the hash of all pieces but one.
func (c *cutter) rest(piece int) uint64 {
	if len(c.sizes) == 1 {
		return 0
	}
	sum, ok := c.rests[piece]
	if !ok {
		for p := range c.sizes {
			if p != piece {
				atoms := c.reach(slices.Index(c.piece, p), -1)
				sum += c.hash(atoms, c.base[atoms[0]])
			}
		}
		c.rests[piece] = sum
	}
	return sum
}

// kept returns the hash of a side with the place where it was cut.
func (c *cutter) kept(i, k int) uint64 {
	s := &c.sides[i][k]
	if s.hash == 0 {
		s.hash = c.hash(s.atoms, mix(c.base[s.atoms[0]], 5))
	}
	return s.hash
}

// capped returns the hash of a side with a hydrogen in place of the other.
func (c *cutter) capped(i, k int) uint64 {
	s := &c.sides[i][k]
	return c.hash(s.atoms, c.colour(s.atoms[0], 1))
}

// cuts calls emit with all ways to cut a fragment of at most so many atoms off by one to three cuts, what stays having
// at least as many atoms: the hash of what stays, the cuts, the size of the fragment and, of one cut, the hash of the
// molecule with a hydrogen in its place.
func (c *cutter) cuts(most int, emit func(key uint64, at [3]cut, size int, capped uint64)) {
	n := len(c.bonds)
	all := func(i int) int { return c.sizes[c.piece[c.m.mol.Bonds[c.bonds[i]].From]] }
	restOf := func(i int) uint64 { return c.rest(c.piece[c.m.mol.Bonds[c.bonds[i]].From]) }
	end := func(i, k int) cut { return cut(2*c.bonds[i] + k) }
	// away[i*n+j] is the side of i that does not have j.
	away := make([]int8, n*n)
	for i := range n {
		for j := range n {
			if c.sides[i][0].in[c.m.mol.Bonds[c.bonds[j]].From] && i != j {
				away[i*n+j] = 1
			}
		}
	}
	for i := range n {
		for k := range 2 {
			stays, goes := len(c.sides[i][k].atoms), len(c.sides[i][1-k].atoms)
			if goes > most || goes > stays {
				continue
			}
			capped := c.capped(i, k) + restOf(i)
			emit(mix(c.kept(i, k), restOf(i)), [3]cut{end(i, k), noCut, noCut}, goes, capped)
		}
	}
	key := func(hashes []uint64, rest uint64) uint64 {
		slices.Sort(hashes)
		sum := mix(uint64(len(hashes)), rest)
		for _, h := range hashes {
			sum = mix(sum, h)
		}
		return sum
	}
	for i := range n {
		near := c.within(i, most)
		for x, j := range near {
			ki, kj := int(away[i*n+j]), int(away[j*n+i])
			stays := len(c.sides[i][ki].atoms) + len(c.sides[j][kj].atoms)
			if goes := all(i) - stays; goes <= most && goes <= stays {
				hashes := []uint64{c.kept(i, ki), c.kept(j, kj)}
				emit(key(hashes, restOf(i)), [3]cut{end(i, ki), end(j, kj), noCut}, goes, 0)
			}
			for _, l := range near[x+1:] {
				kl := int(away[l*n+i])
				if int(away[i*n+l]) != ki || int(away[j*n+l]) != kj || int(away[l*n+j]) != kl {
					continue // one is behind another
				}
				stays := stays + len(c.sides[l][kl].atoms)
				if goes := all(i) - stays; goes <= most && goes <= stays {
					hashes := []uint64{c.kept(i, ki), c.kept(j, kj), c.kept(l, kl)}
					emit(key(hashes, restOf(i)), [3]cut{end(i, ki), end(j, kj), end(l, kl)}, goes, 0)
				}
			}
		}
	}
}

// within returns the later cuts that have at most so many atoms between them and one.
func (c *cutter) within(i, most int) (list []int) {
	bond := c.m.mol.Bonds[c.bonds[i]]
	distance := slices.Repeat([]int{-1}, len(c.m.near))
	distance[bond.From], distance[bond.To] = 1, 1
	queue := []int32{bond.From, bond.To}
	for k := 0; k < len(queue); k++ {
		for _, x := range c.m.near[queue[k]] {
			if distance[x.to] < 0 {
				distance[x.to] = distance[queue[k]] + 1
				queue = append(queue, x.to)
			}
		}
	}
	for j := i + 1; j < len(c.bonds); j++ {
		b := c.m.mol.Bonds[c.bonds[j]]
		if from, to := distance[b.From], distance[b.To]; from > 0 && min(from, to) <= most {
			list = append(list, j)
		}
	}
	return list
}
