package chem

import (
	"cmp"
	"slices"
)

// Canonical is [SMILESWriter.Write] with a canonical order of atoms, which does not depend on
// how those of m are numbered. The first attachment of every piece of a [Molecule.Fragment]
// comes first. Molecules of more than maxRanked atoms are written in their own order, and if
// hundreds of atoms are equivalent, it may affect the result, too.
func (w *SMILESWriter) Canonical(m *Molecule) (text string, order []int32, err error) {
	if len(m.Atoms) > maxRanked {
		return w.Write(m)
	}
	ranked := newRanking(m).order()
	text, order, err = w.Write(m.renumbered(ranked))
	for i, v := range order {
		order[i] = ranked[v]
	}
	return text, order, err
}

// maxRanked and maxRefined limit the time of a ranking to some 0.2 s: the number of atoms,
// and how often they are examined before ties are no longer broken by trying every atom.
const (
	maxRanked  = 256
	maxRefined = 500_000
)

// renumbered returns m with its atoms in another order, and its bonds in the order of their
// atoms.
func (m *Molecule) renumbered(order []int32) *Molecule {
	number := make([]int32, len(order))
	out := &Molecule{Atoms: make([]Atom, len(order)), Bonds: make([]Bond, len(m.Bonds))}
	for i, v := range order {
		number[v] = int32(i)
		out.Atoms[i] = m.Atoms[v]
	}
	ends := func(b Bond) (int32, int32) {
		from, to := number[b.From], number[b.To]
		return min(from, to), max(from, to)
	}
	at := make([]int, len(m.Bonds))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int {
		a, b := ends(m.Bonds[i])
		c, d := ends(m.Bonds[j])
		return cmp.Or(cmp.Compare(a, c), cmp.Compare(b, d))
	})
	for i, j := range at {
		b := m.Bonds[j]
		out.Bonds[i] = Bond{number[b.From], number[b.To], b.Order}
		if m.kekule != nil {
			out.kekule = append(out.kekule, m.kekule[j])
		}
	}
	return out
}

// ranking orders the atoms of a molecule by their properties and surroundings. The rank of an
// atom is the number of atoms that precede it and its ties.
type ranking struct {
	start []int32
	arcs  []arc
	kind  []int32 // [bonds] what a bond is
	keys  [][]int32
	least []int32 // ranks by the atoms alone
	by    []int32 // scratch: atoms in order

	refined int // atoms that refinement has looked at
}

func newRanking(m *Molecule) *ranking {
	w := workspace{m: m}
	w.link()
	r := &ranking{start: w.start, arcs: w.arcs, kind: make([]int32, len(m.Bonds))}
	orders := m.kekuleOrders()
	for i, b := range m.Bonds {
		r.kind[i] = int32(b.Order)
		if orders[i] == dative {
			r.kind[i] = int32(dative)
		}
	}
	hydrogens := m.Hydrogens()
	r.keys, r.by = make([][]int32, len(m.Atoms)), make([]int32, len(m.Atoms))
	for v := range m.Atoms {
		a := &m.Atoms[v]
		sum := 0
		for _, x := range w.at(int32(v)) {
			sum += halves(m.Bonds[x.bond].Order)
			if orders[x.bond] == dative && m.Bonds[x.bond].From == int32(v) {
				sum-- // the donor
			}
		}
		class := a.class
		if class != w.leastClass(int32(v)) {
			class += 1 << 30 // it reads better if one is first and the others end chains
		}
		r.by[v] = int32(v)
		r.keys[v] = []int32{class, int32(len(w.at(int32(v)))), int32(-sum), int32(hydrogens[v]), int32(a.Element),
			int32(a.Charge), int32(a.isotope)}
	}
	r.least = make([]int32, len(m.Atoms))
	r.rank(r.least)
	return r
}

// leastClass returns the least class of an atom in the piece of v, if v has a class, and
// otherwise a number that is no class.
func (w *workspace) leastClass(v int32) int32 {
	least := w.m.Atoms[v].class
	if least == 0 {
		return -1
	}
	seen, queue := map[int32]bool{v: true}, []int32{v}
	for i := 0; i < len(queue); i++ {
		if class := w.m.Atoms[queue[i]].class; class > 0 {
			least = min(least, class)
		}
		for _, a := range w.at(queue[i]) {
			if !seen[a.to] {
				seen[a.to] = true
				queue = append(queue, a.to)
			}
		}
	}
	return least
}

func (r *ranking) at(v int32) []arc { return r.arcs[r.start[v]:r.start[v+1]] }

// rank sets ranks by the keys and returns how many there are.
func (r *ranking) rank(ranks []int32) (classes int) {
	slices.SortFunc(r.by, func(u, v int32) int { return slices.Compare(r.keys[u], r.keys[v]) })
	for i, v := range r.by {
		if i > 0 && slices.Equal(r.keys[v], r.keys[r.by[i-1]]) {
			ranks[v] = ranks[r.by[i-1]]
			continue
		}
		ranks[v] = int32(i)
		classes++
	}
	return classes
}

// refine ranks atoms of equal rank by their neighbours, until nothing changes.
func (r *ranking) refine(ranks []int32) {
	const kinds = int32(dative) + 1
	for before := -1; ; {
		r.refined += len(ranks)
		for v := range ranks {
			key := append(r.keys[v][:0], ranks[v])
			for _, a := range r.at(int32(v)) {
				key = append(key, ranks[a.to]*kinds+r.kind[a.bond])
			}
			slices.Sort(key[1:])
			r.keys[v] = key
		}
		classes := r.rank(ranks)
		if classes == before || classes == len(ranks) {
			return
		}
		before = classes
	}
}

// order returns the atoms in canonical order. To break ties that refinement leaves, it tries
// each atom and takes the one that gives the least list of bonds.
func (r *ranking) order() []int32 {
	ranks := slices.Clone(r.least)
	r.refine(ranks)
	for {
		cell := r.tied(ranks)
		if cell == nil {
			break
		}
		best := cell[0]
		if !r.twins(cell) {
			var least [][3]int32
			for _, v := range cell {
				if r.refined > maxRefined {
					break
				}
				tried := slices.Clone(ranks)
				r.put(tried, cell, v)
				for rest := r.tied(tried); rest != nil; rest = r.tied(tried) {
					r.put(tried, rest, rest[0])
				}
				if list := r.bonds(tried); least == nil || slices.CompareFunc(list, least, compareBonds) < 0 {
					best, least = v, list
				}
			}
		}
		r.put(ranks, cell, best)
	}
	order := make([]int32, len(ranks))
	for v, i := range ranks {
		order[i] = int32(v)
	}
	return order
}

// tied returns the first atoms of equal rank, or nil.
func (r *ranking) tied(ranks []int32) (cell []int32) {
	first, count := int32(len(ranks)), make([]int32, len(ranks))
	for _, rank := range ranks {
		if count[rank]++; count[rank] == 2 {
			first = min(first, rank)
		}
	}
	for v, rank := range ranks {
		if rank == first {
			cell = append(cell, int32(v))
		}
	}
	return cell
}

// twins reports whether tied atoms are terminal and bonded to the same atom, so that their
// order does not matter.
func (r *ranking) twins(cell []int32) bool {
	return !slices.ContainsFunc(cell, func(v int32) bool {
		return len(r.at(v)) != 1 || r.at(v)[0].to != r.at(cell[0])[0].to
	})
}

// put ranks v before the other atoms of its cell.
func (r *ranking) put(ranks, cell []int32, v int32) {
	for _, u := range cell {
		if u != v {
			ranks[u]++
		}
	}
	r.refine(ranks)
}

// bonds lists the bonds by the ranks of their atoms.
func (r *ranking) bonds(ranks []int32) [][3]int32 {
	var list [][3]int32
	for v := range ranks {
		for _, a := range r.at(int32(v)) {
			if ranks[v] < ranks[a.to] {
				list = append(list, [3]int32{ranks[v], ranks[a.to], r.kind[a.bond]})
			}
		}
	}
	slices.SortFunc(list, compareBonds)
	return list
}

func compareBonds(a, b [3]int32) int { return slices.Compare(a[:], b[:]) }
