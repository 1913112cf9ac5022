package transform

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/greedgraph/greed/chem"
)

// besides returns how atoms differ that are in no fragment.
func (b *board) besides() (list []Transformation) {
	to := make([]int, b.q.graph.N())
	for _, at := range b.atoms {
		if at[0] >= 0 {
			to[at[0]] = int(at[1]) // -1 for none
		}
	}
	for _, turn := range chem.Turns(b.q.mol, b.t.mol, to) {
		if slices.ContainsFunc(turn.Atoms, func(at [2]int) bool { return b.varies[at[0]] }) {
			continue // which atoms of fragments are the same is not known
		}
		t := Transformation{At: turn.Atoms, Query: []int{}, Target: []int{}}
		t.Text, t.against = turned(turn)
		if len(t.At) == 2 {
			t.alike = [][]int{{1, 0}}
		}
		list = append(list, t)
	}
	for node, at := range b.atoms {
		if !b.kept(node) || b.varies[node] {
			continue
		}
		v, w := at[0], at[1]
		x, y := &b.q.mol.Atoms[v], &b.t.mol.Atoms[w]
		moved := b.q.hydrogens[v]+b.held(node, 0) != b.t.hydrogens[w]+b.held(node, 1)
		if x.Charge == y.Charge && x.Isotope() == y.Isotope() && !moved {
			continue
		}
		from, to := b.q.described(v), b.t.described(w)
		// From what is neutral and a natural mixture.
		order := cmp.Or(cmp.Compare(int(x.Charge)*int(x.Charge), int(y.Charge)*int(y.Charge)),
			cmp.Compare(x.Isotope(), y.Isotope()), cmp.Compare(from, to))
		list = append(list, Transformation{
			Text: from + " → " + to, At: [][2]int{{int(v), int(w)}}, Query: []int{}, Target: []int{},
			against: order > 0,
		})
	}
	return list
}

// held counts the fragments that an atom which stays holds on one side.
func (b *board) held(node, side int) (count int) {
	for _, i := range b.at[node] {
		if l := &b.links[i]; b.varies[l.other(node)] && l.bond[side] >= 0 {
			count++
		}
	}
	return count
}

// turned says how a configuration differs, and whether that is the way back.
func turned(t chem.Turn) (text string, against bool) {
	names := [2]string{"not stated", "not stated"}
	for i, d := range []byte{t.Before, t.After} {
		if d != 0 {
			names[i] = string(rune(d))
		}
	}
	if t.Stated && (t.Before == 0 || t.After == 0 || t.Before == t.After) {
		return "inverted", false // the descriptor depends on other atoms, too
	}
	// "not stated" sorts behind R, S, E and Z.
	return names[0] + " → " + names[1], names[0] > names[1]
}

// described returns an atom with its hydrogens, charge and isotope: NH3+.
func (m *Molecule) described(v int32) string {
	text := m.mol.Atoms[v].Element.Symbol()
	switch h := m.hydrogens[v]; h {
	case 0:
	case 1:
		text += "H"
	default:
		text += "H" + strconv.Itoa(h)
	}
	if mass := m.mol.Atoms[v].Isotope(); mass > 0 {
		text = strconv.Itoa(mass) + text
	}
	switch c := m.mol.Atoms[v].Charge; c {
	case 0:
	case 1:
		text += "+"
	case -1:
		text += "-"
	default:
		text += fmt.Sprintf("%+d", c)
	}
	return text
}
