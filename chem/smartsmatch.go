package chem

import (
	"errors"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// ErrSMARTSLimit means that matching a pattern with a molecule was given up: the molecule has
// a ring system larger than [MaxRings], or too many steps were taken.
var ErrSMARTSLimit = errors.New("the SMARTS cannot be decided, even with more time: a ring system is too large, or " +
	"there are too many ways to match")

// mostSteps limits the pairs of atoms that are tried per molecule.
const mostSteps = 1 << 22

// SMARTSMatcher matches molecules with a pattern, reusing memory. It is not safe for
// concurrent use.
type SMARTSMatcher struct {
	s     *SMARTS
	of    subject
	steps int
	err   error
	// known holds, for each recursive pattern and atom, whether it matches there: 0 unknown,
	// 1 no, 2 yes.
	known [][]uint8
	loose bool // of graphs: what is not known may be so, see [SMARTSScreen]
}

// NewSMARTSMatcher returns a matcher of a pattern.
func NewSMARTSMatcher(s *SMARTS) *SMARTSMatcher {
	x := &SMARTSMatcher{s: s, known: make([][]uint8, len(s.recursive))}
	x.of.ringless = !s.tests(func(t *smartsTest) bool {
		return t.kind == testRings || t.kind == testSmallestRing || t.kind == testRingOf
	})
	return x
}

// tests reports whether any test of an atom, in recursive patterns too, is of some kinds.
func (s *SMARTS) tests(is func(*smartsTest) bool) bool {
	var has func(t *smartsTest) bool
	has = func(t *smartsTest) bool {
		return is(t) || slices.ContainsFunc(t.of, func(one smartsTest) bool { return has(&one) })
	}
	for _, p := range append([]*SMARTS{s}, s.recursive...) {
		if slices.ContainsFunc(p.atoms, func(a smartsAtom) bool { return has(&a.test) }) {
			return true
		}
	}
	return false
}

// Inner returns the patterns of $(…). It reports whether nothing else makes a test depend on more than an atom, its
// bonds, hydrogens among its neighbours, and the rings through it: neither patterns within these, nor what else counts
// neighbours.
func (s *SMARTS) Inner() (list []*SMARTS, all bool) {
	all = !s.tests(func(t *smartsTest) bool { return t.kind == testHetero || t.kind == testAliphaticHetero })
	for _, inner := range s.recursive {
		all = all && !inner.tests(func(t *smartsTest) bool { return t.kind == testInside })
	}
	return s.recursive, all
}

// Match returns a match, the atom of m for each atom of the pattern, and whether there is
// one. The error wraps [ErrSMARTSLimit].
func (x *SMARTSMatcher) Match(m *Molecule) (atoms []int, found bool, err error) {
	if err := x.Look(m); err != nil {
		return nil, false, err
	}
	atoms = make([]int, len(x.s.atoms))
	found = x.search(x.s, atoms, -1)
	if x.err != nil {
		return nil, false, x.err
	}
	return atoms, found, nil
}

// Look takes up a molecule whose atoms and bonds [SMARTSMatcher.Atom] and [SMARTSMatcher.Bond] test, as long as it is
// unchanged. The error wraps [ErrSMARTSLimit].
func (x *SMARTSMatcher) Look(m *Molecule) error {
	err := x.of.perceive(m)
	x.start()
	return err
}

// start forgets what was found in the molecule before.
func (x *SMARTSMatcher) start() {
	x.steps, x.err = 0, nil
	for i := range x.known {
		x.known[i] = resize(x.known[i], len(x.of.atoms))
		clear(x.known[i])
	}
}

// Atom reports whether atom v of the molecule passes the test of atom i of the pattern.
func (x *SMARTSMatcher) Atom(i, v int) bool { return x.atom(&x.s.atoms[i].test, v) }

// Bond reports whether the molecule has a bond v-w that passes the test of the bond i-j of the pattern.
func (x *SMARTSMatcher) Bond(i, j, v, w int) bool {
	if i > j {
		i, j, v, w = j, i, w, v
	}
	for _, b := range x.s.atoms[j].back {
		if bond := &x.s.bonds[b]; bond.from == i {
			return x.joined(bond, v, w)
		}
	}
	return false
}

// Err wraps [ErrSMARTSLimit] if a test since [SMARTSMatcher.Look] was given up, which then seemed to fail.
func (x *SMARTSMatcher) Err() error { return x.err }

// search looks for a match of a pattern whose first atom is root, or any if root is negative.
// It matches atoms in the order of the pattern, where each but the first of a component is
// bonded to an earlier one.
func (x *SMARTSMatcher) search(s *SMARTS, atoms []int, root int) bool {
	used := make([]bool, len(x.of.atoms))
	next := make([]int, len(atoms)) // the candidate to try next
	for i := 0; ; {
		if i == len(atoms) {
			return true
		}
		v, ok := x.candidate(s, atoms, used, i, &next[i], root)
		if ok {
			atoms[i], used[v] = v, true
			if i++; i < len(atoms) {
				next[i] = 0
			}
			continue
		}
		if i--; i < 0 || x.err != nil {
			return false
		}
		used[atoms[i]] = false
	}
}

// candidate returns the next atom that may match atom i of the pattern.
func (x *SMARTSMatcher) candidate(s *SMARTS, atoms []int, used []bool, i int, next *int, root int) (v int, ok bool) {
	a := &s.atoms[i]
	among := len(x.of.atoms)
	var near []arc
	switch {
	case len(a.back) > 0:
		near = x.of.work.at(int32(atoms[s.bonds[a.back[0]].from]))
		among = len(near)
	case i == 0 && root >= 0:
		among = 1
	}
	for *next < among {
		v := *next
		switch {
		case near != nil:
			v = int(near[v].to)
		case i == 0 && root >= 0:
			v = root
		}
		*next++
		if x.steps++; x.steps > mostSteps {
			x.err = ErrSMARTSLimit
			return 0, false
		}
		if !used[v] && x.bonds(s, a, atoms, v) && x.passes(&a.test, v) {
			return v, true
		}
	}
	return 0, false
}

// bonds reports whether an atom has the required bonds to earlier atoms.
func (x *SMARTSMatcher) bonds(s *SMARTS, a *smartsAtom, atoms []int, v int) bool {
	for _, b := range a.back {
		if bond := &s.bonds[b]; !x.joined(bond, atoms[bond.from], v) {
			return false
		}
	}
	return true
}

// joined reports whether there is a bond from an atom to another that passes, or may pass, the test of one of the
// pattern.
func (x *SMARTSMatcher) joined(bond *smartsBond, from, to int) bool {
	for _, arc := range x.of.work.at(int32(to)) {
		if int(arc.to) != from {
			continue
		}
		if x.loose {
			may, _ := x.mayBond(&bond.test, arc.bond)
			return may
		}
		return x.bond(&bond.test, arc.bond, from)
	}
	return false
}

// bond reports whether a bond, seen from an atom, passes a test.
func (x *SMARTSMatcher) bond(t *smartsTest, b int32, from int) bool {
	switch t.kind {
	case testAll, testAny, testNot:
		return holds(t, func(t *smartsTest) bool { return x.bond(t, b, from) })
	case testInRing:
		return x.of.work.rings.inRing(b)
	}
	order := x.of.work.m.Bonds[b].Order
	if k := x.of.work.m.kekule; k != nil && k[b] == dative {
		order = dative
	}
	first := int(x.of.work.m.Bonds[b].From) == from
	switch t.kind {
	case testDonor:
		return order == dative && first
	case testAcceptor:
		return order == dative && !first
	}
	return order == Order(t.lo)
}

// holds evaluates an operator.
func holds(t *smartsTest, test func(*smartsTest) bool) bool {
	for i := range t.of {
		if passes := test(&t.of[i]); t.kind == testNot {
			return !passes
		} else if passes == (t.kind == testAny) {
			return passes
		}
	}
	return t.kind == testAll
}

// atom reports whether an atom passes a test.
func (x *SMARTSMatcher) atom(t *smartsTest, v int) bool {
	a := &x.of.atoms[v]
	switch t.kind {
	case testAll, testAny, testNot:
		return holds(t, func(t *smartsTest) bool { return x.atom(t, v) })
	case testAromatic:
		return a.aromatic
	case testAliphatic:
		return !a.aromatic
	case testInside:
		return x.inside(t.lo, v)
	case testRingOf:
		return slices.ContainsFunc(x.of.sizes[v], func(n int) bool { return t.lo <= n && n <= t.hi })
	}
	value := a.value[t.kind]
	return t.lo <= value && value <= t.hi
}

// passes reports whether an atom passes a test, or may.
func (x *SMARTSMatcher) passes(t *smartsTest, v int) bool {
	if x.loose {
		may, _ := x.mayAtom(t, v)
		return may
	}
	return x.atom(t, v)
}

// inside reports whether a recursive pattern matches at an atom, or may.
func (x *SMARTSMatcher) inside(pattern, v int) bool {
	known := &x.known[pattern][v]
	if *known == 0 {
		inner := x.s.recursive[pattern]
		if *known = 1; x.search(inner, make([]int, len(inner.atoms)), v) {
			*known = 2
		}
	}
	return *known == 2
}

// subject is a molecule with the properties of its atoms that patterns test.
type subject struct {
	work     workspace
	relevant relevantRings
	atoms    []subjectAtom
	sizes    [][]int // [atoms] of their rings
	ringless bool    // nothing asks which rings atoms are in, beyond bonds in rings
}

type subjectAtom struct {
	value    [testInside]int // what the kinds of tests compare
	aromatic bool
	unsure   bool // of a graph: whether it is aromatic if it does not seem so, and what its neighbours are
}

// perceive computes them for a molecule.
func (s *subject) perceive(m *Molecule) error {
	w := &s.work
	w.m = m
	w.link()
	w.rings.find(w.start, w.arcs, len(m.Bonds))
	used := m.usedValences(m.kekuleOrders())
	s.atoms = resize(s.atoms, len(m.Atoms))
	for v := range m.Atoms {
		a := &m.Atoms[v]
		own := m.hydrogensOf(v, used[v])
		degree := len(w.at(int32(v)))
		value := [testInside]int{
			testElement: int(a.Element), testCharge: int(a.Charge), testIsotope: int(a.isotope),
			testValence: used[v] + own,
			testDegree:  degree, testHeavyDegree: degree, testConnected: degree + own, testHydrogens: own,
			testOwnHydrogens: own,
		}
		for _, arc := range w.at(int32(v)) {
			switch to := &m.Atoms[arc.to]; {
			case to.Element == hydrogen:
				value[testHydrogens]++
				value[testHeavyDegree]--
			case to.Element != carbon:
				if value[testHetero]++; !to.Aromatic {
					value[testAliphaticHetero]++
				}
			}
			if w.rings.inRing(arc.bond) {
				value[testRingBonds]++
			}
		}
		s.atoms[v] = subjectAtom{value: value, aromatic: a.Aromatic}
	}
	return s.findRings()
}

// findRings counts the relevant rings of every atom: see docs/molecules.md.
func (s *subject) findRings() error {
	w := &s.work
	s.sizes = resize(s.sizes, len(s.atoms))
	for v := range s.sizes {
		s.sizes[v] = s.sizes[v][:0]
	}
	add := func(v int32, length, count int) {
		value := &s.atoms[v].value
		value[testRings] = min(value[testRings]+count, unbounded)
		if value[testSmallestRing] == 0 || length < value[testSmallestRing] {
			value[testSmallestRing] = length
		}
		if !slices.Contains(s.sizes[v], length) {
			s.sizes[v] = append(s.sizes[v], length)
		}
	}
	for i := range w.rings.count() {
		block := w.rings.block(i)
		if s.ringless && len(block) <= MaxRings { // nor can there be too many: a block has no more atoms than bonds
			continue
		}
		var atoms []int32
		for _, b := range block {
			atoms = append(atoms, w.m.Bonds[b].From, w.m.Bonds[b].To)
		}
		slices.Sort(atoms)
		atoms = slices.Compact(atoms)
		switch {
		case len(block)-len(atoms)+1 > MaxRings || len(atoms) > maxBlock:
			return ErrSMARTSLimit
		case len(block) == len(atoms):
			for _, v := range atoms {
				add(v, len(atoms), 1)
			}
		default:
			s.relevant.find(w.m.Bonds, block, len(atoms), len(w.m.Atoms), add)
		}
	}
	return nil
}

// Graph returns a graph that is contained in every molecule with a match. If labelled is
// true, the molecules have elements and bond orders as labels, and so has the graph where the
// pattern requires a certain one; everything else is a wildcard.
func (s *SMARTS) Graph(vocab *graph.Vocabulary, labelled bool) (*graph.Graph, error) {
	b := graph.NewBuilder(vocab, false).Simple()
	for i := range s.atoms {
		if e := demanded(&s.atoms[i].test, testElement); e > 0 && labelled {
			b.AddNode(Element(e).Symbol())
		} else {
			b.AddNodeLabel(graph.Wildcard)
		}
	}
	for i := range s.bonds {
		bond := &s.bonds[i]
		var err error
		if o := demanded(&bond.test, testOrder); o > 0 && labelled {
			err = b.AddEdge(bond.from, bond.to, Order(o).Label())
		} else {
			err = b.AddEdgeLabel(bond.from, bond.to, graph.Wildcard)
		}
		if err != nil {
			return nil, err
		}
	}
	return b.Build()
}

// demanded returns the only value of a kind that a test allows, or -1 if there are several.
func demanded(t *smartsTest, kind smartsKind) int {
	switch t.kind {
	case kind:
		return t.lo
	case testAll, testAny:
		value := -1
		for i := range t.of {
			one := demanded(&t.of[i], kind)
			switch {
			case t.kind == testAll && one >= 0:
				return one
			case t.kind == testAny && (one < 0 || i > 0 && one != value):
				return -1
			}
			value = one
		}
		if t.kind == testAny {
			return value
		}
	}
	return -1
}
