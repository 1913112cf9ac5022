package chem

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/greedgraph/greed/graph"
)

// ErrNotMolecule is wrapped by the errors for graphs that are not molecules:
// directed, empty, or with labels that [Molecule.Graph] does not give.
var ErrNotMolecule = errors.New("not a molecule")

// drawn is a graph read back as atoms and bonds.
type drawn struct {
	atoms   []Atom
	bonds   []Bond
	charged bool // some label has a charge, so that labels without have none
	kekule  bool // no bond is labelled aromatic
	start   []int32
	arcs    []arc
	rings   ringFinder
}

// draw returns g as atoms and bonds.
func draw(g *graph.Graph) (*drawn, error) {
	switch {
	case g.Directed():
		return nil, fmt.Errorf("the graph is directed: %w", ErrNotMolecule)
	case g.N() == 0:
		return nil, fmt.Errorf("the graph has no nodes: %w", ErrNotMolecule)
	}
	d := &drawn{kekule: true}
	for v := range g.N() {
		a, ok := Atom{}, g.Label(v) == graph.Wildcard
		if !ok {
			a, ok = atomOf(g.LabelText(v))
		}
		if !ok {
			return nil, fmt.Errorf("node %d has the label %q, expected an element, with or without a charge: %w", v, g.LabelText(v), ErrNotMolecule)
		}
		d.atoms = append(d.atoms, a)
		d.charged = d.charged || a.Charge != 0
	}
	for e := range g.Edges() {
		text := g.Vocabulary().EdgeText(e.Label)
		order, ok := orderOf(text)
		if e.Label == graph.Wildcard {
			order, ok = AnyOrder, true
		}
		if !ok {
			return nil, fmt.Errorf(`edge %d-%d has the label %q, expected "1", "2", "3", "4" or "ar": %w`, e.From, e.To, text, ErrNotMolecule)
		}
		d.kekule = d.kekule && order != Aromatic
		d.bonds = append(d.bonds, Bond{int32(e.From), int32(e.To), order})
	}
	d.link()
	return d, nil
}

// link builds the adjacency and finds the rings.
func (d *drawn) link() {
	w := workspace{m: &Molecule{Atoms: d.atoms, Bonds: d.bonds}}
	w.link()
	d.start, d.arcs = w.start, w.arcs
	d.rings.find(d.start, d.arcs, len(d.bonds))
}

func (d *drawn) at(v int32) []arc { return d.arcs[d.start[v]:d.start[v+1]] }

// orderOf returns the order that has a label.
func orderOf(label string) (Order, bool) {
	for o := Single; o <= Aromatic; o++ {
		if orderLabels[o] == label {
			return o, true
		}
	}
	return 0, false
}

// atomOf reads an atom label: an element's symbol, then possibly a charge as
// [Molecule.Graph] writes it.
func atomOf(label string) (Atom, bool) {
	i := 0
	for i < len(label) && label[i] != '+' && label[i] != '-' {
		i++
	}
	e, ok := FindElement(label[:i])
	if !ok || e == Any {
		return Atom{}, false
	}
	charge := 0
	switch rest := label[i:]; rest {
	case "":
	case "+":
		charge = 1
	case "-":
		charge = -1
	default:
		n, err := strconv.ParseInt(rest, 10, 8)
		if err != nil || n == 0 {
			return Atom{}, false
		}
		charge = int(n)
	}
	return Atom{Element: e, Charge: int8(charge)}, true
}
