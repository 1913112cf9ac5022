package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// MostRadius is the greatest radius of an environment: what is farther away hardly acts on a fragment, and texts grow.
const MostRadius = 5

// Environment returns what is around the places of attachment of a transformation's first fragment, one text for each:
// with radius 1 the atom that [*:k] stands for, with each further step the atoms one bond farther, never those of the
// fragment. m is the molecule that has this fragment. Atoms are told apart by element, aromaticity, charge and isotope,
// bonds by order. A text is a SMILES of the paths that lead from the atom, so that of a ring it has both ways round; it
// does not depend on how atoms are numbered, and neither does the order of the texts where fragments are symmetric.
// With radius 0 there is none.
func (t *Transformation) Environment(m *Molecule, radius int) []string {
	if radius <= 0 || len(t.At) == 0 {
		return nil
	}
	texts := make([]string, len(t.At))
	for k, at := range t.At {
		texts[k] = m.paths(at[0], -1, t.Query, min(radius, MostRadius))
	}
	best := texts
	for _, order := range t.alike {
		other := make([]string, len(texts))
		for i, k := range order {
			other[i] = texts[k]
		}
		if slices.Compare(other, best) < 0 {
			best = other
		}
	}
	return best
}

// paths writes an atom, and up to so many atoms along each path that leads from it, not back and not into the fragment.
func (m *Molecule) paths(v, from int, fragment []int, length int) string {
	text := m.atomText(v)
	if length == 1 {
		return text
	}
	var further []string
	for _, x := range m.near[v] {
		w := int(x.to)
		if _, within := slices.BinarySearch(fragment, w); w == from || within {
			continue
		}
		sign := ""
		switch order := m.order(int(x.bond)); order {
		case chem.Single:
			if m.mol.Atoms[v].Aromatic && m.mol.Atoms[w].Aromatic {
				sign = "-"
			}
		case chem.Aromatic:
		default:
			sign = map[chem.Order]string{
				chem.AnyOrder: "~", chem.Double: "=", chem.Triple: "#", chem.Quadruple: "$",
			}[order]
		}
		further = append(further, sign+m.paths(w, v, fragment, length-1))
	}
	slices.Sort(further)
	for i, branch := range further {
		if i < len(further)-1 {
			branch = "(" + branch + ")"
		}
		text += branch
	}
	return text
}

// organic are the symbols that a SMILES writes without brackets.
const organic = " * B C N O P S F Cl Br I b c n o p s "

// atomText returns an atom as in SMILES, without its hydrogens.
func (m *Molecule) atomText(v int) string {
	a := &m.mol.Atoms[v]
	text := a.Element.Symbol()
	if a.Aromatic {
		text = strings.ToLower(text)
	}
	if a.Charge == 0 && a.Isotope() == 0 && strings.Contains(organic, " "+text+" ") {
		return text
	}
	if mass := a.Isotope(); mass > 0 {
		text = strconv.Itoa(mass) + text
	}
	switch a.Charge {
	case 0:
	case 1:
		text += "+"
	case -1:
		text += "-"
	default:
		text += fmt.Sprintf("%+d", a.Charge)
	}
	return "[" + text + "]"
}
