package chem

import (
	"errors"
	"fmt"
	"strings"
)

// ErrInChI is wrapped by errors about an InChI that cannot be read.
var ErrInChI = errors.New("invalid InChI")

// mostInChI is how many atoms an InChI has at most, as in InChI without its option
// LargeMolecules.
const mostInChI = 1023

// mostChoices bounds the time of placing mobile hydrogens. A drug has a few dozen
// choices, a protein of 100 residues a few hundred.
const mostChoices = 4000

// IsInChI reports whether a text begins as an InChI of version 1 does.
func IsInChI(s string) bool {
	return strings.HasPrefix(s, "InChI=1/") || strings.HasPrefix(s, "InChI=1S/")
}

// ParseInChI reads an InChI (Heller et al., J. Cheminform. 7:23, 2015): formula,
// connections, hydrogens and charges. Stereochemistry and isotopes are dropped, and so
// are the layers of fixed hydrogens and of bonds to metals; standard InChIs, which lack
// them, have metals as pieces of their own.
//
// An InChI tells no bond orders and leaves open where some hydrogens are. They are
// chosen such that atoms have their usual valences and mobile hydrogens are at nitrogen
// rather than oxygen: one of the tautomers. Errors wrap [ErrInChI].
func ParseInChI(s string) (*Molecule, error) {
	if !IsInChI(s) {
		return nil, fmt.Errorf("%w: it does not begin with InChI=1S/", ErrInChI)
	}
	r := &inchiReader{}
	if err := r.read(strings.Split(s[strings.IndexByte(s, '/')+1:], "/")); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInChI, err)
	}
	r.assign()
	m := &r.mol
	var source source
	source.atoms, source.bonds = make([]int32, len(m.Atoms)), make([]int32, len(m.Bonds))
	w := new(workspace)
	w.foldHydrogens(m, &source)
	if err := w.perceive(m, true, false); err != nil {
		return nil, fmt.Errorf("%w: an atom is bonded twice to another", ErrInChI)
	}
	return m, nil
}

// inchiReader reads the layers of an InChI.
type inchiReader struct {
	mol    Molecule
	pieces []inchiPiece
	groups []mobileGroup
	// choices is how many places mobile hydrogens may have, all together.
	choices int
	// protons are those that the whole has more than its formula.
	protons int
}

// inchiPiece is a component: its atoms, and its charge but for protons.
type inchiPiece struct {
	first, atoms, hydrogens, charge int
}

// mobileGroup is hydrogens and negative charges that some atoms share.
type mobileGroup struct {
	atoms              []int32
	hydrogens, charges int
}

func (r *inchiReader) read(layers []string) error {
	if layers[0] == "" || layers[0][0] >= 'a' && layers[0][0] <= 'z' {
		return fmt.Errorf("it has no formula")
	}
	if err := r.formula(layers[0]); err != nil {
		return err
	}
	done := make(map[byte]bool)
	for _, layer := range layers[1:] {
		if layer == "" {
			return fmt.Errorf("a layer is empty")
		}
		kind, text := layer[0], layer[1:]
		switch kind {
		case 'i', 'f', 'r':
			if kind == 'i' {
				r.mol.Notes |= NoteIsotope
			}
			return r.whole() // what follows says more of these alone
		case 'b':
			r.mol.Notes |= NoteCisTrans
		case 't', 'm', 's':
			r.mol.Notes |= NoteChirality
		case 'c', 'h', 'q', 'p':
			if done[kind] {
				return fmt.Errorf("the layer /%c is there twice", kind)
			}
			done[kind] = true
			if err := r.layer(kind, text); err != nil {
				return fmt.Errorf("layer /%s: %w", shortened(layer), err)
			}
		default:
			return fmt.Errorf("there is no layer /%c", kind)
		}
	}
	return r.whole()
}

func shortened(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// whole returns an error unless all hydrogens of the formula are accounted for.
func (r *inchiReader) whole() error {
	left := 0
	for i := range r.pieces {
		left += r.pieces[i].hydrogens
	}
	for i := range r.mol.Atoms {
		left -= int(r.mol.Atoms[i].hydrogens)
	}
	for _, g := range r.groups {
		left -= g.hydrogens
	}
	if left != 0 {
		return fmt.Errorf("the formula has %d more hydrogens than the layer /h", left)
	}
	return nil
}

// formula reads components such as C2H6O.2ClH.
func (r *inchiReader) formula(text string) error {
	for part := range strings.SplitSeq(text, ".") {
		times, part := number(part)
		if times < 0 {
			times = 1
		}
		var atoms []Element
		hydrogens := 0
		for part != "" {
			n := 1
			for n < len(part) && part[n] >= 'a' && part[n] <= 'z' {
				n++
			}
			e, known := FindElement(part[:n])
			if !known || e == Any {
				return fmt.Errorf("formula %s: there is no element %s", shortened(text), shortened(part[:n]))
			}
			var count int
			if count, part = number(part[n:]); count < 0 {
				count = 1
			}
			if e == hydrogen {
				hydrogens += count
				continue
			}
			if len(atoms)+count > mostInChI {
				return fmt.Errorf("it has more than %d atoms", mostInChI)
			}
			for range count {
				atoms = append(atoms, e)
			}
		}
		if len(atoms) == 0 && hydrogens > 0 { // one stands for the others
			atoms, hydrogens = append(atoms, hydrogen), hydrogens-1
		}
		if len(atoms) == 0 {
			return fmt.Errorf("formula %s: a component has no atoms", shortened(text))
		}
		if times > mostInChI || len(r.mol.Atoms)+times*len(atoms) > mostInChI || hydrogens > 8*mostInChI {
			return fmt.Errorf("it has more than %d atoms", mostInChI)
		}
		for range times {
			r.pieces = append(r.pieces, inchiPiece{first: len(r.mol.Atoms), atoms: len(atoms), hydrogens: hydrogens})
			for _, e := range atoms {
				r.mol.Atoms = append(r.mol.Atoms, Atom{Element: e, exact: true})
			}
		}
	}
	return nil
}

// number reads the digits at the start of a text. Without any it returns -1, and for
// too large numbers a large one.
func number(text string) (n int, rest string) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		n = min(10*n+int(text[i]-'0'), 1<<20)
		i++
	}
	if i == 0 {
		return -1, text
	}
	return n, text[i:]
}

// layer reads a layer for all components: parts between semicolons, 2*… for two.
func (r *inchiReader) layer(kind byte, text string) error {
	if kind == 'p' {
		n, ok := signed(text)
		if !ok {
			return fmt.Errorf("expected a number with its sign")
		}
		r.protons = n
		return nil
	}
	at := 0
	for part := range strings.SplitSeq(text, ";") {
		times := 1
		if n, rest := number(part); n > 0 && strings.HasPrefix(rest, "*") {
			times, part = n, rest[1:]
		}
		for range times {
			if at == len(r.pieces) {
				return fmt.Errorf("it has more components than the formula")
			}
			if err := r.part(kind, part, &r.pieces[at]); err != nil {
				return err
			}
			at++
		}
	}
	if at < len(r.pieces) {
		return fmt.Errorf("it has %d components, the formula has %d", at, len(r.pieces))
	}
	return nil
}

func (r *inchiReader) part(kind byte, text string, p *inchiPiece) error {
	if text == "" {
		return nil
	}
	switch kind {
	case 'c':
		return r.connections(text, p)
	case 'h':
		return r.hydrogens(text, p)
	}
	n, ok := signed(text)
	if !ok {
		return fmt.Errorf("found %s, expected a charge", shortened(text))
	}
	p.charge = n
	return nil
}

func signed(text string) (n int, ok bool) {
	if text == "" || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	n, rest := number(text[1:])
	if text[0] == '-' {
		n = -n
	}
	return n, rest == "" && n != 0 && n < mostInChI && n > -mostInChI
}

// atom reads the number of an atom of a component.
func (r *inchiReader) atom(text string, p *inchiPiece) (v int32, rest string, err error) {
	n, rest := number(text)
	if n < 1 || n > p.atoms {
		return 0, "", fmt.Errorf("found %q, expected an atom of 1 to %d", shortened(text), p.atoms)
	}
	return int32(p.first + n - 1), rest, nil
}

// connections reads 1-2(3)4-5: a dash and a number go on from the atom before,
// parentheses hold branches of it, divided by commas.
func (r *inchiReader) connections(text string, p *inchiPiece) error {
	last, rest, err := r.atom(text, p)
	if err != nil {
		return err
	}
	var open []int32 // the atoms that branches begin at
	joined := make(map[[2]int32]bool)
	for rest != "" {
		switch c := rest[0]; {
		case c == '-':
			rest = rest[1:]
		case c == '(':
			open = append(open, last)
			rest = rest[1:]
		case c == ',' && len(open) > 0:
			last = open[len(open)-1]
			rest = rest[1:]
		case c == ')' && len(open) > 0:
			last = open[len(open)-1]
			open = open[:len(open)-1]
			rest = rest[1:]
		default:
			return fmt.Errorf("found %q, expected a dash, a parenthesis or a comma", c)
		}
		var next int32
		if next, rest, err = r.atom(rest, p); err != nil {
			return err
		}
		key := [2]int32{min(last, next), max(last, next)}
		if last == next || joined[key] {
			return fmt.Errorf("atoms %d and %d are joined twice, or are one", int(last)-p.first+1, int(next)-p.first+1)
		}
		joined[key] = true
		r.mol.Bonds = append(r.mol.Bonds, Bond{last, next, Single})
		last = next
	}
	if len(open) > 0 {
		return fmt.Errorf("a parenthesis is not closed")
	}
	return nil
}

// hydrogens reads 1-2H,3H2,(H,4,5): how many hydrogens atoms have, then how many
// hydrogens and charges atoms share.
func (r *inchiReader) hydrogens(text string, p *inchiPiece) error {
	for text != "" && text[0] != '(' {
		var atoms []int32
		for {
			v, rest, err := r.atom(text, p)
			if err != nil {
				return err
			}
			to := v
			if strings.HasPrefix(rest, "-") {
				if to, rest, err = r.atom(rest[1:], p); err != nil {
					return err
				}
			}
			for ; v <= to; v++ {
				atoms = append(atoms, v)
			}
			text = rest
			if !strings.HasPrefix(text, ",") {
				break
			}
			text = text[1:]
		}
		if !strings.HasPrefix(text, "H") {
			return fmt.Errorf("found %q, expected H", shortened(text))
		}
		n, rest := number(text[1:])
		if n < 0 {
			n = 1
		}
		for _, v := range atoms {
			a := &r.mol.Atoms[v]
			if a.hydrogens > 0 || n > 8 {
				return fmt.Errorf("atom %d has its hydrogens twice, or too many", int(v)-p.first+1)
			}
			a.hydrogens = uint8(n)
		}
		text = strings.TrimPrefix(rest, ",")
	}
	for text != "" {
		end := strings.IndexByte(text, ')')
		if text[0] != '(' || end < 0 {
			return fmt.Errorf("found %q, expected mobile hydrogens in parentheses", shortened(text))
		}
		if err := r.mobile(text[1:end], p); err != nil {
			return err
		}
		text = text[end+1:]
	}
	return nil
}

// mobile reads H2-,3,4: two hydrogens and a charge that the atoms 3 and 4 share.
func (r *inchiReader) mobile(text string, p *inchiPiece) (err error) {
	what, list, _ := strings.Cut(text, ",")
	if list == "" {
		return fmt.Errorf("found (%s), expected the atoms that share hydrogens", shortened(text))
	}
	var g mobileGroup
	if rest, ok := strings.CutPrefix(what, "H"); ok {
		if g.hydrogens, what = number(rest); g.hydrogens < 0 {
			g.hydrogens = 1
		}
	}
	if rest, ok := strings.CutPrefix(what, "-"); ok {
		if g.charges, what = number(rest); g.charges < 0 {
			g.charges = 1
		}
	}
	if what != "" || g.hydrogens+g.charges == 0 || g.hydrogens+g.charges > 4*mostInChI {
		return fmt.Errorf("found (%s), expected hydrogens", shortened(text))
	}
	for list != "" {
		v, rest, err := r.atom(list, p)
		if err != nil {
			return err
		}
		if rest != "" && rest[0] != ',' {
			return fmt.Errorf("found %q, expected a comma", shortened(rest))
		}
		g.atoms, list = append(g.atoms, v), strings.TrimPrefix(rest, ",")
	}
	if r.choices += (g.hydrogens + g.charges) * len(g.atoms); r.choices > mostChoices {
		return fmt.Errorf("more mobile hydrogens than are placed")
	}
	r.groups = append(r.groups, g)
	return nil
}
