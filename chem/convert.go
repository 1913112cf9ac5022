package chem

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/greedgraph/greed/graph"
)

// Options determine how a molecule becomes a graph.
type Options struct {
	// Charge adds the formal charge to the atom label: "N+", "O-", "Ca+2".
	Charge bool
	// Isotope puts the mass number before the symbol, "13C", or "?C" for an isotope of which
	// the file only says that it is not the most frequent one.
	Isotope bool
	// Hydrogens adds the number of implicit hydrogens: "CH3".
	Hydrogens bool
	// Stereo adds the descriptors of [Molecule.Stereo] to labels: R or S to those of atoms, E
	// or Z to those of double bonds: "C(R)", "2(E)".
	Stereo bool
	// LargestFragment keeps of a disconnected molecule, such as a salt, the piece with the
	// most atoms; of several, the one with the most bonds, then the one that comes first.
	LargestFragment bool
	// Neutralise takes away charges that hydrogens or a double bond can take up: NH3+ and COO- become NH2 and COOH, and
	// S+–O- becomes S=O.
	Neutralise bool
	// Tautomers gives tautomers the same graph, up to its numbering. What moves is not in it: hydrogens and charges of
	// mobile atoms, E and Z of mobile bonds.
	Tautomers bool
}

// Graph returns the molecule as an undirected graph over v: atoms are nodes, in
// the same order, labelled by element symbol; bonds are edges labelled by
// [Order.Label]. Wildcard atoms and bonds are [graph.Wildcard]. Labels that v
// lacks are added to it.
func (m *Molecule) Graph(v *graph.Vocabulary, opt Options) (*graph.Graph, error) {
	return NewConverter(v, opt).Graph(m)
}

// Converter converts many molecules to graphs, reusing memory and the numbers of labels. It
// is not safe for concurrent use, but several Converters may share a vocabulary.
type Converter struct {
	vocab   *graph.Vocabulary
	opt     Options
	builder *graph.Builder
	nodes   [maxElement + 1]graph.Label
	known   [maxElement + 1]bool
	orders  [Aromatic + 1]graph.Label
	drawn   [Aromatic + 1]bool
	piece   []int32 // [atoms] number of the piece of an atom
	number  []int32 // [atoms] node of an atom, -1 for none
}

// NewConverter returns a Converter to graphs over v.
func NewConverter(v *graph.Vocabulary, opt Options) *Converter {
	c := &Converter{vocab: v, opt: opt, builder: graph.NewBuilder(v, false).Simple()}
	c.nodes[Any], c.known[Any] = graph.Wildcard, true
	c.orders[AnyOrder], c.drawn[AnyOrder] = graph.Wildcard, true
	return c
}

// Graph returns m as a graph, as [Molecule.Graph] does.
func (c *Converter) Graph(m *Molecule) (*graph.Graph, error) {
	if c.opt.LargestFragment || c.opt.Neutralise {
		part := *m
		part.Atoms, part.Bonds, part.kekule = slices.Clone(m.Atoms), slices.Clone(m.Bonds), slices.Clone(m.kekule)
		c.Reduce(&part)
		m = &part
	}
	var hydrogens []int
	if c.opt.Hydrogens {
		hydrogens = m.Hydrogens()
	}
	var stereo Stereo
	if c.opt.Stereo {
		if stereo = m.Stereo(); stereo.Undescribed {
			m.Notes |= NoteUndescribed
		}
	}
	var orders []Order
	var mobile []bool
	if c.opt.Tautomers {
		orders, mobile = m.delocalised()
	}
	c.builder.Reset()
	for i := range m.Atoms {
		h, s := 0, byte(0)
		if c.opt.Hydrogens {
			h = hydrogens[i]
		}
		if c.opt.Stereo {
			s = stereo.Atoms[i]
		}
		a := &m.Atoms[i]
		if mobile != nil && mobile[i] {
			still := *a
			still.Charge, h = 0, 0
			a = &still
		}
		c.builder.AddNodeLabel(c.atomLabel(a, h, s))
	}
	for i, b := range m.Bonds {
		if orders != nil {
			b.Order = orders[i]
		}
		label := c.bondLabel(b.Order)
		if c.opt.Stereo && stereo.Bonds[i] != 0 && b.Order == m.Bonds[i].Order {
			label = c.vocab.Edge(fmt.Sprintf("%s(%c)", b.Order.Label(), stereo.Bonds[i]))
		}
		if err := c.builder.AddEdgeLabel(int(b.From), int(b.To), label); err != nil {
			return nil, err
		}
	}
	return c.builder.Build()
}

// Reduce removes from m what [Options] leave out of its graph, all pieces but the largest and charges,
// and reports whether there was anything to remove.
func (c *Converter) Reduce(m *Molecule) (changed bool) {
	if c.opt.LargestFragment {
		var piece int32
		if piece, changed = c.largest(m); changed {
			c.cut(m, piece)
		}
	}
	return c.opt.Neutralise && m.neutralise() || changed
}

// cut removes all atoms but those of one piece.
func (c *Converter) cut(m *Molecule, piece int32) {
	c.number = resize(c.number, len(m.Atoms))
	atoms := m.Atoms[:0]
	for v, a := range m.Atoms {
		c.number[v] = -1
		if c.piece[v] == piece {
			c.number[v] = int32(len(atoms))
			atoms = append(atoms, a)
		}
	}
	bonds := 0
	for i, b := range m.Bonds {
		if c.number[b.From] < 0 {
			continue
		}
		m.Bonds[bonds] = Bond{c.number[b.From], c.number[b.To], b.Order}
		if m.kekule != nil {
			m.kekule[bonds] = m.kekule[i]
		}
		bonds++
	}
	m.renumber(c.number)
	m.Atoms, m.Bonds = atoms, m.Bonds[:bonds]
	if m.kekule != nil {
		m.kekule = m.kekule[:bonds]
	}
}

// atomLabel returns the label of an atom with a number of hydrogens and the descriptor R, S
// or 0 for none. A wildcard matches whatever else is compared.
func (c *Converter) atomLabel(a *Atom, hydrogens int, stereo byte) graph.Label {
	charge, isotope := c.opt.Charge && a.Charge != 0, c.opt.Isotope && a.isotope != 0
	if a.Element != Any && (charge || isotope || hydrogens > 0 || stereo != 0) {
		label := *a
		if !charge {
			label.Charge = 0
		}
		if !isotope {
			label.isotope = 0
		}
		return c.vocab.Node(label.label(hydrogens, stereo))
	}
	if !c.known[a.Element] {
		c.nodes[a.Element], c.known[a.Element] = c.vocab.Node(a.Element.Symbol()), true
	}
	return c.nodes[a.Element]
}

func (c *Converter) bondLabel(o Order) graph.Label {
	if !c.drawn[o] {
		c.orders[o], c.drawn[o] = c.vocab.Edge(o.Label()), true
	}
	return c.orders[o]
}

// label returns the symbol with everything else that is compared: "13CH3", "NH3+", "O-",
// "Ca+2", "C(R)".
func (a *Atom) label(hydrogens int, stereo byte) string {
	s := a.Element.Symbol()
	switch {
	case a.isotope == someIsotope:
		s = "?" + s
	case a.isotope > 0:
		s = strconv.Itoa(int(a.isotope)) + s
	}
	if hydrogens > 0 {
		s += "H"
	}
	if hydrogens > 1 {
		s += strconv.Itoa(hydrogens)
	}
	switch a.Charge {
	case 0:
	case 1:
		s += "+"
	case -1:
		s += "-"
	default:
		s += fmt.Sprintf("%+d", a.Charge)
	}
	if stereo != 0 {
		s += "(" + string(stereo) + ")"
	}
	return s
}

// largest numbers the pieces of m and returns the largest, and whether there
// are several.
func (c *Converter) largest(m *Molecule) (piece int32, several bool) {
	n := len(m.Atoms)
	// Union by the least atom: piece[v] points at an atom that is not greater.
	c.piece = resize(c.piece, n)
	for v := range c.piece {
		c.piece[v] = int32(v)
	}
	find := func(v int32) int32 {
		for c.piece[v] != v {
			c.piece[v] = c.piece[c.piece[v]]
			v = c.piece[v]
		}
		return v
	}
	for _, b := range m.Bonds {
		u, v := find(b.From), find(b.To)
		c.piece[max(u, v)] = min(u, v)
	}
	for v := range int32(n) {
		c.piece[v] = find(v)
	}
	size := make([][2]int, n) // atoms and bonds
	for _, p := range c.piece {
		size[p][0]++
	}
	for _, b := range m.Bonds {
		size[c.piece[b.From]][1]++
	}
	best := 0
	for p, s := range size {
		if s[0] == 0 {
			continue
		}
		several = several || p > 0
		if s[0] > size[best][0] || s[0] == size[best][0] && s[1] > size[best][1] {
			best = p
		}
	}
	return int32(best), several
}
