package chem

import "github.com/greedgraph/greed/graph"

// SMARTSScreen rules out molecules by their graphs alone, without reading them: elements, orders of bonds,
// neighbours, rings and aromaticity are in a graph; charges and hydrogens are not, and what tests them may hold. It
// reuses memory and is not safe for concurrent use.
type SMARTSScreen struct {
	x        SMARTSMatcher
	mol      Molecule
	vocab    *graph.Vocabulary
	elements []Element // by the number of the label
	orders   []Order   // by the number of the label
	images   []int     // of the atoms of the pattern
}

// Marks of labels that are no element and no order, and of those not yet looked at.
const (
	unknownElement = Element(255)
	unseenElement  = Element(254)
	unknownOrder   = Order(255)
	unseenOrder    = Order(254)
)

// NewSMARTSScreen returns a screen for a pattern, of graphs over a vocabulary whose labels are those of
// [Molecule.Graph] with zero [Options].
func NewSMARTSScreen(s *SMARTS, vocab *graph.Vocabulary) *SMARTSScreen {
	x := &SMARTSScreen{x: *NewSMARTSMatcher(s), vocab: vocab, images: make([]int, len(s.atoms))}
	x.x.loose = true
	return x
}

// Admits reports whether a molecule with this graph may match the pattern. If not, none does.
func (s *SMARTSScreen) Admits(g *graph.Graph) bool {
	if g.Directed() || !g.Simple() {
		return true
	}
	m := &s.mol
	m.Atoms, m.Bonds = resize(m.Atoms, g.N()), m.Bonds[:0]
	for v, l := range g.Labels() {
		m.Atoms[v] = Atom{Element: s.element(l)}
		for _, a := range g.Out(v) {
			if int(a.To) > v {
				m.Bonds = append(m.Bonds, Bond{int32(v), a.To, s.order(a.Label)})
			}
		}
	}
	s.x.of.drawn(m)
	s.x.start()
	return s.x.search(s.x.s, s.images, -1) || s.x.err != nil
}

// element returns the element that a label names.
func (s *SMARTSScreen) element(l graph.Label) Element {
	if l == graph.Wildcard {
		return Any
	}
	for int(l) >= len(s.elements) {
		s.elements = append(s.elements, unseenElement)
	}
	if s.elements[l] == unseenElement {
		e, ok := FindElement(s.vocab.NodeText(l))
		if !ok {
			e = unknownElement
		}
		s.elements[l] = e
	}
	return s.elements[l]
}

// order returns the order that a label names.
func (s *SMARTSScreen) order(l graph.Label) Order {
	if l == graph.Wildcard {
		return AnyOrder
	}
	for int(l) >= len(s.orders) {
		s.orders = append(s.orders, unseenOrder)
	}
	if s.orders[l] == unseenOrder {
		s.orders[l] = unknownOrder
		for o := Single; o <= Aromatic; o++ {
			if o.Label() == s.vocab.EdgeText(l) {
				s.orders[l] = o
			}
		}
	}
	return s.orders[l]
}

// drawn computes what is known of a molecule of which only elements and bonds are.
func (s *subject) drawn(m *Molecule) {
	w := &s.work
	w.m = m
	w.link()
	w.rings.find(w.start, w.arcs, len(m.Bonds))
	s.atoms = resize(s.atoms, len(m.Atoms))
	for i := range m.Bonds { // see workspace.mark
		if b := &m.Bonds[i]; b.Order == Aromatic && w.rings.inRing(int32(i)) {
			m.Atoms[b.From].Aromatic, m.Atoms[b.To].Aromatic = true, true
		}
	}
	for v := range m.Atoms {
		near := w.at(int32(v))
		a := subjectAtom{aromatic: m.Atoms[v].Aromatic}
		a.value[testElement], a.value[testDegree], a.value[testHeavyDegree] = int(m.Atoms[v].Element), len(near),
			len(near)
		for _, arc := range near {
			switch to := &m.Atoms[arc.to]; {
			case to.Element == hydrogen:
				a.value[testHeavyDegree]--
			case to.Element == unknownElement:
				a.unsure = true
			case to.Element != carbon:
				if a.value[testHetero]++; !to.Aromatic {
					a.value[testAliphaticHetero]++
				}
			}
			if w.rings.inRing(arc.bond) {
				a.value[testRingBonds]++
				// which keep their orders where they are aromatic
				if o := m.Bonds[arc.bond].Order; o != Single && o != Double && o != Aromatic {
					a.unsure = true
				}
			}
		}
		s.atoms[v] = a
	}
}

// mayAtom reports whether an atom of a graph may pass a test, and whether it does for sure.
func (x *SMARTSMatcher) mayAtom(t *smartsTest, v int) (may, must bool) {
	a := &x.of.atoms[v]
	value := a.value[min(t.kind, testInside-1)]
	within := t.lo <= value && value <= t.hi
	switch t.kind {
	case testAll, testAny, testNot:
		return mayHold(t, func(t *smartsTest) (may, must bool) { return x.mayAtom(t, v) })
	case testElement:
		if Element(value) == unknownElement {
			return true, false
		}
		return within, within
	case testDegree, testRingBonds:
		return within, within
	case testAromatic:
		return a.aromatic || a.unsure, a.aromatic
	case testAliphatic:
		return !a.aromatic, !a.aromatic && !a.unsure
	case testHeavyDegree, testHetero:
		return within || a.unsure, within && !a.unsure
	case testConnected, testValence: // hydrogens only add to it
		return a.value[testDegree] <= t.hi, false
	case testHydrogens, testOwnHydrogens, testCharge, testIsotope, testAliphaticHetero:
		return true, false
	case testRings, testSmallestRing, testRingOf:
		if a.value[testRingBonds] == 0 && t.kind != testRingOf {
			none := t.lo <= 0 && 0 <= t.hi
			return none, none
		}
		return a.value[testRingBonds] > 0 && t.hi > 0, false
	case testInside:
		return x.inside(t.lo, v), false
	}
	return true, false
}

// mayBond is mayAtom of a bond.
func (x *SMARTSMatcher) mayBond(t *smartsTest, b int32) (may, must bool) {
	switch t.kind {
	case testAll, testAny, testNot:
		return mayHold(t, func(t *smartsTest) (may, must bool) { return x.mayBond(t, b) })
	case testInRing:
		in := x.of.work.rings.inRing(b)
		return in, in
	}
	order := x.of.work.m.Bonds[b].Order
	switch {
	case order == unknownOrder:
		return true, false
	case t.kind == testDonor, t.kind == testAcceptor: // which a graph has as single
		return order == Single, false
	}
	return order == Order(t.lo), order == Order(t.lo) && order != Single
}

// mayHold is holds for tests of which it may not be known whether they hold.
func mayHold(t *smartsTest, test func(*smartsTest) (may, must bool)) (may, must bool) {
	if t.kind == testNot {
		may, must = test(&t.of[0])
		return !must, !may
	}
	may, must = t.kind == testAll, t.kind == testAll
	for i := range t.of {
		one, sure := test(&t.of[i])
		if t.kind == testAll {
			may, must = may && one, must && sure
		} else {
			may, must = may || one, must || sure
		}
	}
	return may, must
}
