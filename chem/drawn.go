package chem

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// ErrNotMolecule means that a graph is not a molecule: it is directed or empty, or has labels
// that [Molecule.Graph] does not give.
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

	// The configurations to write, of a molecule that has any.
	centres []centre
	slopes  []slope
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
			return nil, fmt.Errorf("node %d has the label %q, expected an element, with or without a charge: %w", v,
				g.LabelText(v), ErrNotMolecule)
		}
		d.atoms = append(d.atoms, a)
		d.charged = d.charged || a.Charge != 0
	}
	for e := range g.Edges() {
		text := g.Vocabulary().EdgeText(e.Label)
		order := Order(max(0, slices.Index(orderLabels[:], text)))
		if e.Label == graph.Wildcard {
			order = AnyOrder
		} else if order == AnyOrder {
			return nil, fmt.Errorf(`edge %d-%d has the label %q, expected "1", "2", "3", "4" or "ar": %w`, e.From, e.To,
				text, ErrNotMolecule)
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

// atomOf parses an atom label: an element symbol, optionally with a charge as
// [Molecule.Graph] writes it.
func atomOf(label string) (Atom, bool) {
	symbol, rest := label, ""
	if i := strings.IndexAny(label, "+-"); i >= 0 {
		symbol, rest = label[:i], label[i:]
	}
	e, ok := FindElement(symbol)
	if !ok || e == Any {
		return Atom{}, false
	}
	charge := int64(0)
	if rest != "" {
		if len(rest) == 1 {
			rest += "1"
		}
		var err error
		if charge, err = strconv.ParseInt(rest, 10, 8); err != nil || charge == 0 {
			return Atom{}, false
		}
	}
	return Atom{Element: e, Charge: int8(charge)}, true
}
