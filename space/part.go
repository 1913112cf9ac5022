package space

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// part is what a synthon contributes to products.
type part struct {
	index int    // among the parts of the space
	text  string // the SMILES, with ring bonds in place of the ports
	ports []port // by increasing number

	// graph has the atoms that products have, without attachment points, and the bonds between them. A bond whose
	// order depends on the rest of the product is a wildcard.
	graph *graph.Graph
	opens bool // some port is open
	loose bool // whether and how products can be read depends on the rest
	// face is the same for synthons that look alike to the rest of a product: how the labels, the hydrogens and the
	// charges of its other atoms and bonds are read, which rings they are in, and whether it is a molecule.
	face int
}

// port returns the place of the port with a number among those of the part, or -1.
func (p *part) port(number int) int {
	return slices.IndexFunc(p.ports, func(p port) bool { return p.number == number })
}

// analyser makes parts, once for equal synthons in equal places.
type analyser struct {
	parser chem.Parser
	vocab  *graph.Vocabulary
	parts  map[string]*part
	faces  map[string]int
}

func newAnalyser(v *graph.Vocabulary) *analyser {
	return &analyser{vocab: v, parts: map[string]*part{}, faces: map[string]int{}}
}

// analyse returns the part of a synthon whose points are joined outside of it as of [Reaction.groups].
func (a *analyser) analyse(x *template, smiles string, groups []int) (*part, error) {
	key := fmt.Sprint(groups, x.text, " ", smiles)
	if p := a.parts[key]; p != nil {
		return p, nil
	}
	p := &part{index: len(a.parts), text: x.text, ports: slices.Clone(x.ports)}
	mol, err := a.parser.Parse(x.plain)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", smiles, err)
	}
	face, err := p.fill(x, mol, groups, a.vocab)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", smiles, err)
	}
	if _, found := a.faces[face]; !found {
		a.faces[face] = len(a.faces)
	}
	p.face = a.faces[face]
	a.parts[key] = p
	return p, nil
}

// fill reads the graph of a part from its molecule, in which every point is an atom *, and returns the text of its
// face.
func (p *part) fill(x *template, mol *chem.Molecule, groups []int, vocab *graph.Vocabulary) (face string, err error) {
	points, err := x.points(mol)
	if err != nil {
		return "", err
	}
	closes := x.waits || slices.ContainsFunc(groups, func(g int) bool { return g >= 0 })
	p.loose = closes
	loose := looseBonds(mol, points, groups, x.atoms)
	number := make([]int32, len(mol.Atoms))
	b := graph.NewBuilder(vocab, false).Simple()
	port := map[int32]*port{}
	for i, v := range points {
		port[v] = &p.ports[i]
		p.opens = p.opens || p.ports[i].open
	}
	folds := len(p.ports) == 1 && p.ports[0].folds
	for v := range mol.Atoms {
		element := mol.Atoms[v].Element
		if port[int32(v)] != nil || folds {
			continue
		}
		label := graph.Wildcard
		if element != chem.Any {
			label = vocab.Node(element.Symbol())
		}
		number[v] = int32(b.AddNodeLabel(label))
	}
	for i, bond := range mol.Bonds {
		label := graph.Wildcard
		if !loose[i] && bond.Order != chem.AnyOrder {
			label = vocab.Edge(bond.Order.Label())
		}
		p.loose = p.loose || label == graph.Wildcard
		from, to := bond.From, bond.To
		if port[from] != nil {
			from, to = to, from
		}
		if at := port[to]; at != nil {
			at.beside, at.label = number[from], label
			continue
		}
		if err := b.AddEdgeLabel(int(number[from]), int(number[to]), label); err != nil {
			return "", err
		}
	}
	if p.graph, err = b.Build(); err == nil && tooLarge(p.graph) {
		err = fmt.Errorf("%d atoms and %d bonds, at most %d atoms and %d of both are supported", p.graph.N(),
			p.graph.M(), maxAtoms, maxSize)
	}
	return x.faceOf(mol, points, loose, closes), err
}

func tooLarge(g *graph.Graph) bool { return g.N() > maxAtoms || g.N()+g.M() > maxSize }

// faceOf describes what the rest of a product sees of the synthon, in the order of its text: the atoms beside points
// and what these have loose bonds to; if the rest closes rings, all atoms with loose bonds and their neighbours.
func (x *template) faceOf(mol *chem.Molecule, points []int32, loose []bool, closes bool) string {
	seen, near := make([]bool, len(mol.Atoms)), make([]bool, len(mol.Atoms))
	wide := closes
	for i, b := range mol.Bonds {
		if point := slices.Contains(points, b.From) || slices.Contains(points, b.To); point || closes && loose[i] {
			seen[b.From], seen[b.To] = true, true
			wide = wide || b.Order != chem.Single
		}
	}
	copy(near, seen)
	for i, b := range mol.Bonds {
		if (wide || loose[i]) && (seen[b.From] || seen[b.To]) {
			near[b.From], near[b.To] = true, true
		}
	}
	var text []byte
	number := make([]int, len(mol.Atoms))
	hydrogens := mol.Hydrogens()
	atoms, heavy := 0, 0
	for v, a := range mol.Atoms {
		isHydrogen := a.Element.Symbol() == "H"
		if near[v] {
			number[v] = atoms
			atoms++
			text = fmt.Append(text, a.Charge, a.Aromatic, slices.Index(points, int32(v)))
			if !isHydrogen {
				text = append(text, strings.ReplaceAll(x.atoms[heavy], "@", "")...)
			}
			if seen[v] && wide {
				text = fmt.Append(text, " ", hydrogens[v])
			}
			text = append(text, ';')
		}
		if !isHydrogen {
			heavy++
		}
	}
	for _, b := range mol.Bonds {
		if near[b.From] && near[b.To] && (seen[b.From] || seen[b.To]) {
			text = fmt.Append(text, number[b.From], " ", number[b.To], " ", b.Order, ";")
		}
	}
	return fmt.Sprintf("%s%v", text, x.ports)
}

// points returns the atoms * that stand for the ports, in the order of these. Atoms of the text come in its order.
func (x *template) points(mol *chem.Molecule) ([]int32, error) {
	points := make([]int32, len(x.ports))
	stars := 0
	for v, a := range mol.Atoms {
		if a.Element != chem.Any {
			continue
		}
		if stars >= len(x.stars) {
			break
		}
		if at := x.stars[stars]; at >= 0 {
			points[at] = int32(v)
		}
		stars++
	}
	if stars != len(x.stars) {
		return nil, fmt.Errorf("%d atoms *, expected %d", stars, len(x.stars))
	}
	return points, nil
}

// halves is twice what bonds add to the valence of their atoms.
var halves = [...]int{
	chem.AnyOrder: 2, chem.Single: 2, chem.Double: 4, chem.Triple: 6, chem.Quadruple: 8, chem.Aromatic: 3,
}

// looseBonds returns for every bond whether its order in products depends on more than the synthon. Aromaticity is
// a matter of the rings that share bonds: of their atoms, and of double bonds that leave them. So loose are
//
//   - the bonds of a ring system that the product closes or extends;
//   - those of one with an atom whose attachment point has a double bond: what it leads to decides whether it takes
//     electrons from the ring;
//   - those that are written as aromatic but are not, which may take either of two Kekulé forms;
//   - those of nitrogen and phosphorus of valence 5, and of halogens of 3 or more, with an attachment point: such
//     atoms may be written with separate charges, depending on what they are bonded to.
func looseBonds(mol *chem.Molecule, points []int32, groups []int, atoms []string) []bool {
	n := len(mol.Atoms)
	bonds := mol.Bonds
	hub := map[int]int32{}
	for i, g := range groups {
		if g < 0 {
			continue
		}
		if _, ok := hub[g]; !ok {
			hub[g] = int32(n + len(hub))
		}
		bonds = append(bonds[:len(bonds):len(bonds)], chem.Bond{From: points[i], To: hub[g], Order: chem.Single})
	}
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for range n + len(hub) {
		b.AddNodeLabel(graph.Wildcard)
	}
	for _, bond := range bonds {
		b.MustAdd(int(bond.From), int(bond.To), graph.Wildcard)
	}
	inRing := b.MustBuild().Ringed()
	ring := make([]bool, len(bonds))
	system := newUnion(n + len(hub))
	for i, b := range bonds {
		if ring[i] = inRing(int(b.From), int(b.To)); ring[i] {
			system.join(b.From, b.To)
		}
	}
	loose := make([]bool, n+len(hub)) // ring systems, by their first atoms
	for _, h := range hub {
		loose[system.find(h)] = true
	}
	point := make([]bool, n)
	for _, v := range points {
		point[v] = true
	}
	joined, valence := make([]bool, n), make([]int, n) // in halves
	for _, b := range mol.Bonds {
		for _, end := range [2][2]int32{{b.From, b.To}, {b.To, b.From}} {
			if point[end[1]] {
				joined[end[0]] = true
				if b.Order != chem.Single {
					loose[system.find(end[0])] = true
				}
			}
			valence[end[0]] += halves[b.Order]
		}
	}
	shifts := func(v int32) bool {
		most := 2 * 5
		switch mol.Atoms[v].Element.Symbol() {
		case "Cl", "Br", "I":
			most = 2 * 3
		case "N", "P":
		default:
			return false
		}
		// Aromatic bonds may have been rounded, and a charge may be one that was separated already.
		return joined[v] && (valence[v] >= most-1 || mol.Atoms[v].Charge != 0)
	}
	for v := range int32(n) {
		if shifts(v) {
			loose[system.find(v)] = true
		}
	}
	heavy := 0
	for v, a := range mol.Atoms {
		if a.Element.Symbol() == "H" {
			continue
		}
		if isLower(atoms[heavy]) && !a.Aromatic {
			loose[system.find(int32(v))] = true
		}
		heavy++
	}
	out := make([]bool, len(mol.Bonds))
	for i, b := range mol.Bonds {
		out[i] = ring[i] && loose[system.find(b.From)] || shifts(b.From) || shifts(b.To)
		if b.Order == chem.Triple || b.Order == chem.Quadruple {
			out[i] = shifts(b.From) || shifts(b.To)
		}
	}
	return out
}

// isLower reports whether an atom is written as aromatic.
func isLower(atom string) bool { return strings.TrimLeft(atom, "[0123456789")[0] >= 'a' }

// union is a partition of atoms.
type union []int32

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

func (u union) find(v int32) int32 {
	for u[v] != v {
		u[v] = u[u[v]]
		v = u[v]
	}
	return v
}

func (u union) join(v, w int32) { u[u.find(v)] = u.find(w) }
