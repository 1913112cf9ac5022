package chem

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/graph"
)

// ErrNotWritable means that no SMILES reads back as a graph: for example, because the bonds
// of a ring are labelled aromatic, or not, contrary to the aromaticity model.
var ErrNotWritable = errors.New("no SMILES reads back as this graph")

// maxTries limits the spellings of a graph that are tried, and maxTried the atoms of all of
// them beyond the first minTries.
const (
	maxTries = 5000
	maxTried = 400_000
	minTries = 100
)

// Spelling is a graph written as a molecule.
type Spelling struct {
	// SMILES is the text.
	SMILES string
	// Molecule is the molecule that it reads as, with atoms in the order of the text.
	Molecule *Molecule
	// Notes says what was added that the graph does not have: [NoteInferredCharge],
	// [NoteReadsAromatic] or neither.
	Notes Notes
}

// WriteSMILES returns a SMILES that [ParseSMILES] reads as g, with renumbered nodes. The
// graph must have the labels that [Molecule.Graph] gives. Only one kind of graph reads back
// as another: if the bonds of a ring alternate between double and single and none is labelled
// aromatic, the SMILES is this Kekulé form, which reads back with aromatic bonds.
//
// A graph has no hydrogens and, unless its labels say so, no charges, although they decide
// whether a ring is aromatic. WriteSMILES adds as few as possible such that the bonds read
// back unchanged; they need not be those of the molecule that the graph was made from. If it
// finds none, the error wraps [ErrNotWritable]; if g is not a molecule at all,
// [ErrNotMolecule].
func WriteSMILES(g *graph.Graph) (string, error) {
	s, err := Spell(g)
	return s.SMILES, err
}

// Spell writes g as [WriteSMILES] does, and reports what it had to add.
func Spell(g *graph.Graph) (Spelling, error) {
	d, err := draw(g)
	if err != nil {
		return Spelling{}, err
	}
	r, err := d.spell()
	if err != nil {
		return Spelling{}, err
	}
	s := Spelling{SMILES: string(r.text), Molecule: r.mol}
	if r.aromatised {
		s.Notes |= NoteReadsAromatic
	}
	for v, f := range r.forms {
		if f.charge != d.atoms[v].Charge {
			s.Notes |= NoteInferredCharge
		}
	}
	return s, nil
}

// spell returns a text that reads back as the graph, and what it reads as.
func (d *drawn) spell() (*reading, error) {
	r := newReading(d, d.forms(), new(Parser))
	wrong := r.try()
	for tries := 1; wrong > 0; {
		// Prefer one change to two, and hydrogens to charges.
		if !r.improve(&wrong, &tries, 1, false) && !r.improve(&wrong, &tries, 2, false) &&
			!r.improve(&wrong, &tries, 1, true) && !r.improve(&wrong, &tries, 2, true) {
			return nil, fmt.Errorf("chem: the closest SMILES, %q, differs in %d bonds or atoms: %w", r.text, wrong,
				ErrNotWritable)
		}
	}
	return r, nil
}

// reading is a graph written in the given forms and read back.
type reading struct {
	d      *drawn
	forms  []form
	parser *Parser
	text   []byte
	order  []int32 // atom of the graph, by atom of the molecule
	mol    *Molecule
	bad    []bool // [atoms] concerned by a difference
	// aromatised reports that bonds in Kekulé form read back as aromatic.
	aromatised bool
}

// newReading returns a reading by p, whose molecule it will hold.
func newReading(d *drawn, forms []form, p *Parser) *reading {
	p.MaxLength = 1 << 30
	return &reading{d: d, forms: forms, parser: p}
}

// try writes and reads, and returns the number of differences.
func (r *reading) try() int {
	r.text, r.order = r.d.write(r.forms)
	r.bad = resize(r.bad, len(r.d.atoms))
	clear(r.bad)
	mol, err := r.parser.Parse(string(r.text))
	r.mol, r.aromatised = mol, false
	if err != nil || len(mol.Atoms) != len(r.d.atoms) || len(mol.Bonds) != len(r.d.bonds) {
		for v := range r.bad { // any atom may be the cause
			r.bad[v] = true
		}
		return 1 + len(r.d.atoms) + len(r.d.bonds)
	}
	wrong := 0
	for i, a := range mol.Atoms {
		want := r.d.atoms[r.order[i]]
		if a.Element != want.Element || r.d.charged && a.Charge != want.Charge {
			wrong++
			r.bad[r.order[i]] = true
		}
	}
	for _, b := range mol.Bonds {
		u, v := r.order[b.From], r.order[b.To]
		want, ok := r.d.orderBetween(u, v)
		if want == dative {
			want = Single // as which it is read
		}
		if ok && r.d.kekule && b.Order == Aromatic && (want == Single || want == Double) {
			// Keeping the ring from being aromatic would require spurious charges or
			// radicals.
			r.aromatised = true
			continue
		}
		if !ok || want != b.Order {
			wrong++
			r.bad[u], r.bad[v] = true, true
		}
	}
	return wrong
}

func (d *drawn) orderBetween(u, v int32) (Order, bool) {
	if len(d.at(v)) < len(d.at(u)) { // all bonds of a large star are looked up
		u, v = v, u
	}
	for _, a := range d.at(u) {
		if a.to == v {
			return d.bonds[a.bond].Order, true
		}
	}
	return 0, false
}

// improve looks for one or two atoms with other forms, possibly charged, that give fewer
// differences. It applies the change and reports whether there is one.
func (r *reading) improve(wrong, tries *int, changes int, charges bool) bool {
	suspects := r.suspects()
	for i, u := range suspects {
		before := r.forms[u]
		for _, f := range r.d.otherForms(u, before, charges) {
			r.forms[u] = f
			if changes == 1 {
				if r.better(wrong, tries) {
					return true
				}
				continue
			}
			for _, v := range suspects[i+1:] {
				second := r.forms[v]
				for _, f := range r.d.otherForms(v, second, charges) {
					r.forms[v] = f
					if r.better(wrong, tries) {
						return true
					}
				}
				r.forms[v] = second
			}
		}
		r.forms[u] = before
	}
	r.try()
	return false
}

// better tries the current forms and reports whether they give fewer differences than before.
func (r *reading) better(wrong, tries *int) bool {
	if *tries >= min(maxTries, max(minTries, maxTried/len(r.d.atoms))) {
		return false
	}
	*tries++
	now := r.try()
	if now >= *wrong {
		return false
	}
	*wrong = now
	return true
}

// suspects returns the atoms that may have to change: those with a difference, and all in the
// same block of rings. Carbon, which is rarely the cause, comes last.
func (r *reading) suspects() []int32 {
	blocks := make([]bool, r.d.rings.count())
	for v, bad := range r.bad {
		if !bad {
			continue
		}
		for _, a := range r.d.at(int32(v)) {
			if b := r.d.rings.of[a.bond]; b >= 0 {
				blocks[b] = true
			}
		}
	}
	var atoms, carbons []int32
	for v := range int32(len(r.d.atoms)) {
		suspect := r.bad[v]
		for _, a := range r.d.at(v) {
			if b := r.d.rings.of[a.bond]; b >= 0 {
				suspect = suspect || blocks[b]
			}
		}
		switch {
		case !suspect:
		case r.d.atoms[v].Element == carbon:
			carbons = append(carbons, v)
		default:
			atoms = append(atoms, v)
		}
	}
	return append(atoms, carbons...)
}

// otherForms returns the other forms of atom v, plain ones first.
func (d *drawn) otherForms(v int32, f form, charge bool) []form {
	e := d.atoms[v].Element
	if e == Any {
		return nil
	}
	var forms []form
	add := func(g form) {
		if g != f {
			forms = append(forms, g)
		}
	}
	charges := []int8{d.atoms[v].Charge}
	if charge && !d.charged {
		charges = []int8{0, 1, -1}
	}
	for _, charge := range charges {
		if d.inAromaticRing(v) && hasLowerCase(e) {
			add(form{charge: charge, double: true, lower: true})
			add(form{charge: charge, lower: true})
			continue
		}
		add(form{charge: charge})
		add(form{charge: charge, unpaired: 1})
		add(form{charge: charge, unpaired: 2})
	}
	return forms
}
