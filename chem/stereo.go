package chem

import (
	"cmp"
	"slices"
)

// Configured reports whether the configuration of any atom or bond is known.
func (m *Molecule) Configured() bool { return len(m.centres)+len(m.slopes) > 0 }

// Stereo are the stereodescriptors of a molecule: 'R' or 'S' of atoms, 'E' or 'Z' of bonds, 0
// for none.
type Stereo struct {
	Atoms, Bonds []byte
	Undescribed  bool // a mark, of an atom or at both ends of a bond, gives no descriptor
}

// Stereo returns the descriptors that follow from the marks of a SMILES (@, @@, / and \), or a drawing, by
// the rules 1a, 1b and 2 of Cahn, Ingold and Prelog (IUPAC 2013, P-92): atomic numbers,
// duplicated atoms nearer to the centre, mass numbers, along the hierarchical digraph. In
// aromatic rings a duplicated atom has the mean atomic number of those that it may be.
//
// There is no descriptor if these rules do not distinguish two neighbours, so that only the
// configuration of others could (rules 3 to 5: r, s and the like); for allenes, axes, planes
// and coordination centres; for a centre with a double bond in a ring, as in
// cyclophosphazenes; and for one whose digraph has more than some 20,000 atoms.
func (m *Molecule) Stereo() Stereo {
	s := Stereo{Atoms: make([]byte, len(m.Atoms)), Bonds: make([]byte, len(m.Bonds))}
	if len(m.centres) == 0 && len(m.slopes) == 0 {
		return s
	}
	p := newPriorities(m)
	for i := range m.centres {
		c := &m.centres[i]
		s.Atoms[c.atom] = p.chirality(c)
		s.Undescribed = s.Undescribed || s.Atoms[c.atom] == 0
	}
	for i, b := range m.Bonds {
		if len(m.slopes) > 0 && b.Order == Double && p.marked(b.From, b.To) != nil && p.marked(b.To, b.From) != nil &&
			!p.cyclic(b.From, b.To, leastRing-1) {
			s.Bonds[i] = p.geometry(b)
			s.Undescribed = s.Undescribed || s.Bonds[i] == 0
		}
	}
	return s
}

// priorities ranks the neighbours of atoms.
type priorities struct {
	m         *Molecule
	bonds     [][]neighbour // [atoms]
	hydrogens []int
	mean      []float64       // [atoms] of the duplicate in an aromatic ring; 0: there is none
	slopes    map[int32][]int // of m, at each atom
	left      int             // atoms of digraphs and comparisons that a centre may still take
}

type neighbour struct {
	to, copies int32 // duplicates that the bond makes
}

// mostRanked limits the work per centre.
const mostRanked = 20_000

func newPriorities(m *Molecule) *priorities {
	p := &priorities{m: m, bonds: make([][]neighbour, len(m.Atoms)), hydrogens: m.Hydrogens(),
		mean: make([]float64, len(m.Atoms))}
	if len(m.slopes) > 0 {
		p.slopes = make(map[int32][]int, len(m.slopes))
	}
	for i, s := range m.slopes {
		p.slopes[s.at] = append(p.slopes[s.at], i)
		p.slopes[s.other] = append(p.slopes[s.other], i)
	}
	orders := m.kekuleOrders()
	takes := make([]bool, len(m.Atoms)) // a double bond in an aromatic ring
	for i, b := range m.Bonds {
		if b.Order == Aromatic && orders[i] == Double {
			takes[b.From], takes[b.To] = true, true
		}
	}
	count := make([]float64, len(m.Atoms))
	for i, b := range m.Bonds {
		copies := int32(0)
		switch {
		case b.Order != Aromatic && orders[i] != dative:
			copies = max(0, int32(halves(orders[i])/2)-1)
		case takes[b.From] && takes[b.To]:
			p.mean[b.From] += float64(m.Atoms[b.To].Element)
			p.mean[b.To] += float64(m.Atoms[b.From].Element)
			count[b.From]++
			count[b.To]++
		}
		p.bonds[b.From] = append(p.bonds[b.From], neighbour{b.To, copies})
		p.bonds[b.To] = append(p.bonds[b.To], neighbour{b.From, copies})
	}
	for v := range p.mean {
		if takes[v] && count[v] > 0 {
			p.mean[v] /= count[v]
		}
	}
	return p
}

// digraphNode is a node of the digraph of a centre: an atom, a duplicate of one, an implicit
// hydrogen, or a lone pair.
type digraphNode struct {
	atom    int32 // or noAtom
	number  float64
	mass    uint16
	depth   int  // of an atom; of a ring duplicate that of its atom
	ring    bool // a duplicate that closes a ring
	leaf    bool
	from    *digraphNode
	further []*digraphNode
	grown   bool
	sorted  int // by so many rules
}

// root returns the root of the digraph of a centre.
func (p *priorities) root(atom int32) *digraphNode {
	p.left = mostRanked
	return &digraphNode{atom: atom, number: float64(p.m.Atoms[atom].Element), grown: true}
}

// add returns the node of an atom or hydrogen next to another node.
func (p *priorities) add(from *digraphNode, atom int32) *digraphNode {
	p.left--
	x := &digraphNode{atom: atom, number: 1, depth: from.depth + 1, from: from, leaf: atom == noAtom}
	if atom != noAtom {
		x.number, x.mass = float64(p.m.Atoms[atom].Element), p.m.Atoms[atom].isotope
	}
	return x
}

// grow adds what lies behind a node.
func (p *priorities) grow(x *digraphNode) {
	if x.grown {
		return
	}
	x.grown = true
	if x.leaf || p.left <= 0 {
		return
	}
	copies := func(of int32, n int32, depth int, ring bool) {
		for range n {
			p.left--
			a := &p.m.Atoms[of]
			x.further = append(x.further, &digraphNode{atom: of, number: float64(a.Element), mass: a.isotope,
				depth: depth, ring: ring, leaf: true, grown: true, from: x})
		}
	}
	for _, b := range p.bonds[x.atom] {
		on := x.from
		for on != nil && on.atom != b.to {
			on = on.from
		}
		switch {
		case on == nil:
			x.further = append(x.further, p.add(x, b.to))
			copies(b.to, b.copies, x.depth+1, false)
		case on == x.from:
			copies(b.to, b.copies, on.depth, false)
		default:
			copies(b.to, 1+b.copies, on.depth, true)
		}
	}
	if mean := p.mean[x.atom]; mean > 0 {
		p.left--
		x.further = append(x.further, &digraphNode{atom: x.atom, number: mean, leaf: true, grown: true, from: x})
	}
	for range p.hydrogens[x.atom] {
		x.further = append(x.further, p.add(x, noAtom))
	}
}

// rules is the number of rules: 1a, 1b and 2.
const rules = 3

// differ compares two nodes by a rule, without what lies behind them; if positive, the first
// ranks higher.
func differ(a, b *digraphNode, rule int) int {
	switch rule {
	case 0:
		return cmp.Compare(a.number, b.number)
	case 1:
		switch {
		case a.ring && b.ring:
			return cmp.Compare(b.depth, a.depth)
		case a.ring:
			return 1
		case b.ring:
			return -1
		}
		return 0
	}
	return cmp.Compare(a.mass, b.mass)
}

// compare compares two branches by the first rules, each along the whole digraph before the
// next.
func (p *priorities) compare(a, b *digraphNode, upTo int) int {
	for rule := range upTo {
		if d := p.along(a, b, rule); d != 0 {
			return d
		}
	}
	return 0
}

// along compares two branches by a rule, sphere by sphere, starting with what lies behind
// nodes of higher rank.
func (p *priorities) along(a, b *digraphNode, rule int) int {
	if d := differ(a, b, rule); d != 0 {
		return d
	}
	as, bs := []*digraphNode{a}, []*digraphNode{b}
	for len(as) > 0 && p.left > 0 {
		p.left--
		x, y := p.ranked(as[0], rule), p.ranked(bs[0], rule)
		as, bs = as[1:], bs[1:]
		for i := range min(len(x), len(y)) {
			if d := differ(x[i], y[i], rule); d != 0 {
				return d
			}
		}
		if d := cmp.Compare(len(x), len(y)); d != 0 {
			return d
		}
		as, bs = append(as, x...), append(bs, y...)
	}
	return 0
}

// ranked returns what lies behind a node, in descending order by the rules up to one.
func (p *priorities) ranked(x *digraphNode, rule int) []*digraphNode {
	p.grow(x)
	if x.sorted <= rule {
		x.sorted = rule + 1
		slices.SortStableFunc(x.further, func(a, b *digraphNode) int { return p.compare(b, a, rule+1) })
	}
	return x.further
}

// order sorts branches in descending order, and reports whether all differ.
func (p *priorities) order(branches []*digraphNode) bool {
	slices.SortStableFunc(branches, func(a, b *digraphNode) int { return p.compare(b, a, rules) })
	for i := range branches[1:] {
		if p.compare(branches[i], branches[i+1], rules) == 0 {
			return false
		}
	}
	return p.left > 0
}

// chirality returns R, S or 0.
func (p *priorities) chirality(c *centre) byte {
	around := c.around
	a := &p.m.Atoms[c.atom]
	lonePair := int32(noAtom - 1)
	if len(around) == 3 && p.hydrogens[c.atom] == 0 {
		switch a.Element {
		case sulfur, selenium, tellurium, phosphorus, arsenic:
			around = append(slices.Clone(around), lonePair) // as RDKit reads it
		}
	}
	if len(around) != 4 || a.Aromatic {
		return 0
	}
	for _, n := range p.bonds[c.atom] {
		// Which of the two bonds is double depends on the Kekulé form of the ring.
		if n.copies > 0 && p.cyclic(c.atom, n.to, len(p.bonds)) {
			return 0
		}
	}
	root := p.root(c.atom)
	branches := make([]*digraphNode, len(around))
	for i, v := range around {
		if v == lonePair {
			branches[i] = &digraphNode{atom: noAtom, leaf: true, grown: true, from: root}
		} else {
			branches[i] = p.add(root, v)
		}
	}
	written := slices.Clone(branches)
	if !p.order(branches) {
		return 0
	}
	odd := false
	for i := range branches {
		for j := range i {
			odd = odd != (slices.Index(written, branches[j]) > slices.Index(written, branches[i]))
		}
	}
	if c.clockwise != odd {
		return 'R'
	}
	return 'S'
}

// geometry returns E, Z or 0 of a double bond with marks at both ends.
func (p *priorities) geometry(b Bond) byte {
	from, ok := p.side(b.From, b.To)
	if !ok {
		return 0
	}
	to, ok := p.side(b.To, b.From)
	switch {
	case !ok:
		return 0
	case from == to:
		return 'Z'
	}
	return 'E'
}

// marked returns the last mark at an atom of a double bond, or nil.
func (p *priorities) marked(atom, partner int32) (mark *slope) {
	for _, i := range p.slopes[atom] {
		if s := p.m.slopes[i]; s.at == atom && s.other != partner || s.other == atom && s.at != partner {
			mark = &p.m.slopes[i]
		}
	}
	return mark
}

// side reports whether the highest-ranked neighbour of an atom, other than its partner in the
// double bond, lies above it, and whether that is known.
func (p *priorities) side(atom, partner int32) (above, ok bool) {
	marked := p.marked(atom, partner)
	other, above := marked.other, marked.above
	if other == atom {
		other, above = marked.at, !above
	}
	root := p.root(atom)
	var branches []*digraphNode
	for _, n := range p.bonds[atom] {
		if n.to == partner {
			continue
		}
		if n.copies > 0 {
			return false, false
		}
		branches = append(branches, p.add(root, n.to))
	}
	for range p.hydrogens[atom] {
		branches = append(branches, p.add(root, noAtom))
	}
	if len(branches) == 0 || len(branches) > 2 || !p.order(branches) {
		return false, false
	}
	return above == (branches[0].atom == other), true
}

// leastRing is the size of the smallest ring whose double bonds can be E or Z.
const leastRing = 8

// cyclic reports whether two bonded atoms share a ring of at most so many atoms.
func (p *priorities) cyclic(a, b int32, most int) bool {
	seen := map[int32]bool{a: true}
	sphere := []int32{a}
	for size := 2; size <= most && len(sphere) > 0; size++ {
		var next []int32
		for _, v := range sphere {
			for _, n := range p.bonds[v] {
				switch {
				case v == a && n.to == b || seen[n.to]:
				case n.to == b:
					return true
				default:
					seen[n.to] = true
					next = append(next, n.to)
				}
			}
		}
		sphere = next
	}
	return false
}
