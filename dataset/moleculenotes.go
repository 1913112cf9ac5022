package dataset

import (
	"fmt"

	"github.com/greedgraph/greed/chem"
)

// moleculeNotes counts the molecules with each note of package chem.
type moleculeNotes map[chem.Notes]int

// add counts one molecule.
func (n *moleculeNotes) add(notes chem.Notes) {
	if notes == 0 {
		return
	}
	if *n == nil {
		*n = make(moleculeNotes)
	}
	(*n)[notes]++
}

// remark counts what was dropped from or changed in a molecule, unless it is compared.
func (e *env) remark(m *chem.Molecule) {
	notes := m.Notes
	if e.opt.Isotope {
		notes &^= chem.NoteIsotope
	}
	if e.opt.Stereo && m.Configured() {
		notes &^= chem.NoteChirality | chem.NoteCisTrans
	}
	e.molecules.add(notes)
}

// list says how many molecules each note applies to.
func (n moleculeNotes) list() []string {
	var list []string
	for bit := chem.Notes(1); bit != 0; bit <<= 1 {
		of := 0
		for set, count := range n {
			if set&bit != 0 {
				of += count
			}
		}
		for _, text := range bit.Texts() {
			if of > 0 {
				list = append(list, plural(of, "molecule")+": "+text)
			}
		}
	}
	return list
}

// plural returns a number with the noun that it counts.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
