package chem

// Tautomers here are structures with the same atoms, bonds, hydrogens on carbon and number of mobile hydrogens, which
// differ in where the latter are and, by that, in which bonds are double. Mobile are hydrogens (or negative charges in
// their place) of N with at most two neighbours, and of O, S, Se and Te with one; such an atom has either one of them
// or a double bond, and every carbon that has a double bond keeps one. So the tautomers are the matchings of a graph
// that cover all carbons and a given number of the other atoms, and a bond is mobile if some have it and others do not.
//
// Some bonds keep their order, because what they would allow is of no weight: C–C bonds outside rings where one end is
// in a ring or an acyclic carbon has two neighbours that are N, O, S, Se or Te; and all bonds outside rings from a
// ring of six carbons with double bonds. So phenols are no quinoids, and groups are not changed across a benzene ring.

// mostMobile is how many atoms of a conjugated system are looked at; larger ones stay as they are written. A system of
// n atoms takes a time of order n³, so all of a molecule takes at most mostMobile² for each atom.
const mostMobile = 96

// The parts that an atom may have in the matching.
const (
	aside    = iota // none
	needs           // always has a double bond
	mobility        // has a double bond or a mobile hydrogen
)

// tautomers finds what is mobile in a molecule.
type tautomers struct {
	m      *Molecule
	w      workspace
	order  []Order // [bonds] of the Kekulé form
	role   []uint8 // [atoms]
	mate   []int32 // [atoms] by a double bond, -1 for none
	inRing []bool  // [bonds]
	ringed []bool  // [atoms]
	benzo  []bool  // [atoms] in a ring of six carbons with double bonds
	frozen []bool  // [bonds]

	bonds []Order // [bonds] the orders that stand for all tautomers
	atoms []bool  // [atoms] hydrogens and charges are mobile

	// Of one system:
	members []int32
	local   []int32 // [atoms] number among members
	edges   []int32 // bonds
	start   []int32
	arcs    []arc
	k       matcher
}

// delocalised returns for every bond the order that stands for all tautomers of the molecule, and for every atom
// whether its hydrogens and charges differ among them.
//
// A mobile bond is aromatic if it is perceived so. Of a carbon's other mobile bonds, that to a terminal O is double,
// else to a terminal S, Se or Te, and those to N and others are single, as are those from an aromatic carbon to N; of
// several N that all end there, one is double. Bonds of other carbons, C–C bonds and bonds between N and N or O are
// labelled as aromatic. Bonds that are not mobile are as they were read.
func (m *Molecule) delocalised() (bonds []Order, atoms []bool) {
	t := &tautomers{m: m, atoms: make([]bool, len(m.Atoms)), bonds: make([]Order, len(m.Bonds))}
	for i, b := range m.Bonds {
		t.bonds[i] = b.Order
	}
	if !t.prepare() {
		return t.bonds, t.atoms
	}
	seen := make([]bool, len(m.Atoms))
	t.local = make([]int32, len(m.Atoms))
	for v := range int32(len(m.Atoms)) {
		if t.role[v] != aside && !seen[v] {
			t.system(v, seen)
			t.resolve()
		}
	}
	return t.bonds, t.atoms
}

// prepare finds the roles of atoms and which bonds are frozen, and whether a hydrogen may be mobile.
func (t *tautomers) prepare() bool {
	m := t.m
	t.w.m = m
	t.w.link()
	t.order = m.kekuleOrders()
	hydrogens := m.Hydrogens()
	n := len(m.Atoms)
	t.role, t.mate = make([]uint8, n), make([]int32, n)
	donors, acceptors := false, false
	for v := range int32(n) {
		t.mate[v] = -1
		t.role[v] = t.roleOf(v, hydrogens[v])
		if t.role[v] == mobility {
			donors, acceptors = donors || t.mate[v] < 0, acceptors || t.mate[v] >= 0
		}
	}
	if !donors || !acceptors {
		return false
	}
	for v, u := range t.mate {
		if u >= 0 && t.role[u] == aside {
			t.role[v] = aside
		}
	}
	t.inRing = m.RingBonds()
	t.ringed, t.benzo = make([]bool, n), make([]bool, n)
	for i, b := range m.Bonds {
		if t.inRing[i] {
			t.ringed[b.From], t.ringed[b.To] = true, true
		}
	}
	for v := range int32(n) {
		t.benzo[v] = t.role[v] == needs && t.sixCarbons(v, v, v, 6)
	}
	t.frozen = make([]bool, len(m.Bonds))
	for i, b := range m.Bonds {
		t.frozen[i] = !t.inRing[i] && (t.benzo[b.From] || t.benzo[b.To] ||
			m.Atoms[b.From].Element == carbon && m.Atoms[b.To].Element == carbon &&
				(t.ringed[b.From] || t.ringed[b.To] || t.heteroatoms(b.From) > 1 || t.heteroatoms(b.To) > 1))
	}
	for i, b := range m.Bonds {
		if t.frozen[i] && t.order[i] == Double {
			t.role[b.From], t.role[b.To] = aside, aside
		}
	}
	return true
}

// roleOf returns the role of an atom with so many hydrogens, and sets its mate.
func (t *tautomers) roleOf(v int32, hydrogens int) uint8 {
	a := &t.m.Atoms[v]
	arcs := t.w.at(v)
	for _, x := range arcs {
		switch t.order[x.bond] {
		case Single:
		case Double:
			if t.mate[v] >= 0 {
				t.mate[v] = -1
				return aside
			}
			t.mate[v] = x.to
		default:
			t.mate[v] = -1
			return aside
		}
	}
	double := t.mate[v] >= 0
	gives := !double && (a.Charge == 0 && hydrogens > 0 || a.Charge == -1) // a hydrogen, or a charge in its place
	switch a.Element {
	case carbon:
		if double && a.Charge == 0 {
			return needs
		}
	case nitrogen:
		switch {
		case len(arcs) <= 2 && (gives || double && (a.Charge == 0 || a.Charge == 1 && hydrogens > 0)):
			return mobility
		case double && a.Charge == 1 && len(arcs) == 3 && t.m.Atoms[t.mate[v]].Element == carbon:
			return needs
		}
	case oxygen, sulfur, selenium, tellurium:
		if len(arcs) == 1 && (gives || double && a.Charge == 0) && t.m.Atoms[arcs[0].to].Charge == 0 {
			return mobility
		}
	}
	return aside
}

// sixCarbons reports whether a path of left more bonds leads from v back to first, over carbons with double bonds.
func (t *tautomers) sixCarbons(first, v, from int32, left int) bool {
	for _, x := range t.w.at(v) {
		switch {
		case x.to == from || !t.inRing[x.bond] || t.role[x.to] != needs || t.m.Atoms[x.to].Element != carbon:
		case x.to == first:
			if left == 1 {
				return true
			}
		case left > 1 && t.sixCarbons(first, x.to, v, left-1):
			return true
		}
	}
	return false
}

// heteroatoms counts the neighbours of an acyclic atom that may have mobile hydrogens.
func (t *tautomers) heteroatoms(v int32) (count int) {
	if t.ringed[v] {
		return 0
	}
	for _, x := range t.w.at(v) {
		switch t.m.Atoms[x.to].Element {
		case nitrogen, oxygen, sulfur, selenium, tellurium:
			count++
		}
	}
	return count
}

// system gathers the atoms and bonds that are conjugated with v.
func (t *tautomers) system(v int32, seen []bool) {
	t.members, t.edges = append(t.members[:0], v), t.edges[:0]
	seen[v] = true
	for head := 0; head < len(t.members); head++ {
		v := t.members[head]
		t.local[v] = int32(head)
		for _, x := range t.w.at(v) {
			if t.frozen[x.bond] || t.role[x.to] == aside {
				continue
			}
			if v < x.to {
				t.edges = append(t.edges, x.bond)
			}
			if !seen[x.to] {
				seen[x.to] = true
				t.members = append(t.members, x.to)
			}
		}
	}
}

// resolve finds the mobile atoms and bonds of the system and sets their orders.
func (t *tautomers) resolve() {
	given, taken := 0, 0 // atoms with mobile hydrogens, and such with a double bond instead
	for _, v := range t.members {
		switch {
		case t.role[v] == mobility && t.mate[v] < 0:
			given++
		case t.role[v] == mobility:
			taken++
		}
	}
	if given == 0 || taken == 0 || len(t.members) > mostMobile {
		return
	}
	t.index()
	moves := false
	for i, v := range t.members {
		if t.role[v] == mobility && t.mate[v] >= 0 && t.possible(taken, -1, int32(i), -1) {
			t.atoms[v], moves = true, true
		}
	}
	if !moves {
		return
	}
	var mobile []int32
	for i, e := range t.edges {
		b := t.m.Bonds[e]
		u, v := t.local[b.From], t.local[b.To]
		if t.order[e] == Double && t.possible(taken, int32(i), -1, -1) ||
			t.order[e] == Single && t.possible(taken, -1, u, v) {
			mobile = append(mobile, e)
			for _, x := range []int32{b.From, b.To} {
				t.atoms[x] = t.atoms[x] || t.role[x] == mobility && t.mate[x] < 0
			}
		}
	}
	t.label(mobile)
}

// index makes the arcs of the system, whose atoms and bonds are numbered as in members and edges.
func (t *tautomers) index() {
	t.start, t.arcs = append(t.start[:0], 0), t.arcs[:0]
	number := make(map[int32]int32, len(t.edges))
	for i, e := range t.edges {
		number[e] = int32(i)
	}
	for _, v := range t.members {
		for _, x := range t.w.at(v) {
			if e, ok := number[x.bond]; ok {
				t.arcs = append(t.arcs, arc{t.local[x.to], e})
			}
		}
		t.start = append(t.start, int32(len(t.arcs)))
	}
}

// possible reports whether a tautomer lacks a bond, if that is given, and has no double bond at a single atom u or has
// one between the atoms u and v; taken is how many atoms with mobile hydrogens have a double bond.
//
// The matchings that cover all carbons cover any number of the other atoms between the least and the greatest, in steps
// of two: of the paths in which two of them differ, each changes the number by two or not at all. The greatest is that
// of a largest matching, and the least that of one that pairs as many carbons as it can.
func (t *tautomers) possible(taken int, bond, u, v int32) bool {
	allowed := func(b int32) bool { return b != bond }
	n := len(t.members)
	add := func(all bool) (carbons int) {
		t.k.begin(n)
		for i, x := range t.members {
			if int32(i) == u || int32(i) == v {
				continue
			}
			if t.role[x] == needs {
				carbons++
				t.k.add(int32(i), !all)
			} else if all {
				t.k.add(int32(i), true)
			}
		}
		return carbons
	}
	if v >= 0 { // the bond between u and v covers them
		for _, x := range []int32{u, v} {
			if t.role[t.members[x]] == mobility {
				taken--
			}
		}
	}
	matched := func() (count int) {
		for _, mate := range t.k.mate {
			if mate >= 0 {
				count++
			}
		}
		return count
	}
	carbons := add(true)
	if t.k.match(t.start, t.arcs, allowed) >= 0 || matched()-carbons < taken {
		return false
	}
	add(false)
	t.k.match(t.start, t.arcs, allowed)
	return carbons-matched() <= taken
}

// label sets the orders of mobile bonds.
func (t *tautomers) label(mobile []int32) {
	m := t.m
	at := make(map[int32][]arc) // of carbons
	for _, e := range mobile {
		b := m.Bonds[e]
		t.bonds[e] = Aromatic
		for _, x := range []arc{{b.From, e}, {b.To, e}} {
			if m.Atoms[x.to].Element == carbon {
				other := b.From + b.To - x.to
				at[x.to] = append(at[x.to], arc{other, e})
			}
		}
	}
	for _, star := range at {
		best := star[0]
		for _, x := range star[1:] {
			if t.rank(x.to) < t.rank(best.to) || t.rank(x.to) == t.rank(best.to) && x.to < best.to {
				best = x
			}
		}
		alike, ring := true, false // all are N that end here; the carbon is aromatic
		for _, x := range star {
			alike = alike && m.Atoms[x.to].Element == nitrogen && len(t.w.at(x.to)) == 1
			ring = ring || m.Bonds[x.bond].Order == Aromatic
		}
		if t.rank(best.to) == unranked && !alike {
			if !ring {
				continue
			}
			best.bond = -1
		}
		for _, x := range star {
			switch {
			case m.Bonds[x.bond].Order == Aromatic || m.Atoms[x.to].Element == carbon:
			case x.bond == best.bond:
				t.bonds[x.bond] = Double
			default:
				t.bonds[x.bond] = Single
			}
		}
	}
}

// unranked is the rank of what is no terminal O, S, Se or Te.
const unranked = 5

// rank orders the neighbours of a carbon by how it prefers to have a double bond to them.
func (t *tautomers) rank(v int32) int {
	if len(t.w.at(v)) != 1 {
		return unranked
	}
	switch t.m.Atoms[v].Element {
	case oxygen:
		return 1
	case sulfur:
		return 2
	case selenium:
		return 3
	case tellurium:
		return 4
	}
	return unranked
}
