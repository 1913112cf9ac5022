package chem

import "slices"

// MaxSMILES is the default of [Parser.MaxLength].
const MaxSMILES = 1 << 16

// ParseSMILES reads a molecule written in SMILES (OpenSMILES specification 1.0,
// opensmiles.org), all of the grammar and, in addition, the bond ~ of any order. It does not
// read reactions. If the text cannot be read, the error is a [*SyntaxError]; if a ring is
// written as aromatic but has no Kekulé form, it is a [*KekuleError].
//
// To read many molecules use a [Parser].
func ParseSMILES(s string) (*Molecule, error) {
	return new(Parser).Parse(s)
}

// Parser reads SMILES, reusing memory. The zero Parser is ready for use. It is not safe for
// concurrent use.
type Parser struct {
	// MaxLength is the greatest length of a SMILES in bytes; 0 means [MaxSMILES]. It limits
	// memory and, with [MaxRings], the time of ring perception. Branches may nest to any
	// depth, because they do not use the stack.
	MaxLength int

	text     []byte
	mol      Molecule
	work     workspace
	source   source
	branches []branch
	rings    openRings
	closures int
	aromatic bool // some atom or bond is written as aromatic
	explicit bool // some hydrogen is an atom
	classes  bool // are kept

	last    int32 // atom that the next one is bonded to, -1 for none
	pending byte  // symbol of the bond to the next atom or ring bond, 0 if none
}

// branch holds the atom before an open parenthesis.
type branch struct {
	atom, at int32
}

// Parse reads a molecule as [ParseSMILES] does. The molecule is valid until the
// next call.
func (p *Parser) Parse(s string) (*Molecule, error) {
	limit := MaxSMILES
	if p.MaxLength > 0 {
		limit = p.MaxLength
	}
	if len(s) > limit {
		p.text = p.text[:0]
		return nil, p.fail(limit, "the SMILES has %d bytes, at most %d are allowed", len(s), limit)
	}
	p.text = append(p.text[:0], s...)
	p.reset()
	if err := p.chain(); err != nil {
		return nil, err
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	m := &p.mol
	if p.explicit {
		p.work.foldHydrogens(m, &p.source)
	}
	if err := p.work.perceive(m, p.closures > 0, p.aromatic); err != nil {
		return nil, p.locate(err)
	}
	return m, nil
}

func (p *Parser) reset() {
	// A byte is at most an atom or a ring bond. Growing at once produces less garbage than
	// growing gradually.
	n := len(p.text)
	p.mol = Molecule{Atoms: slices.Grow(p.mol.Atoms[:0], n), Bonds: slices.Grow(p.mol.Bonds[:0], n)}
	p.source.atoms = slices.Grow(p.source.atoms[:0], n)
	p.source.bonds = slices.Grow(p.source.bonds[:0], n)
	p.branches = p.branches[:0]
	p.rings.reset()
	p.closures = 0
	p.aromatic = false
	p.explicit = false
	p.last = -1
	p.pending = 0
}

// locate adds columns to an error of the perception.
func (p *Parser) locate(err error) error {
	switch e := err.(type) {
	case *repeatedBond:
		return p.fail(int(p.source.bonds[e.bond]), "this bond joins two atoms that are bonded already")
	case *KekuleError:
		e.Where = "column"
		for i, v := range e.Atoms {
			e.Atoms[i] = int(p.source.atoms[v]) + 1
		}
	}
	return err
}
