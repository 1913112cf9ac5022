package chem

import (
	"bytes"
	"strconv"
	"strings"
)

// BlockParser reads molecules of the formats besides MOL that tell atoms and
// bonds in lines, keeping its memory from one to the next. The zero BlockParser
// is ready for use; it must not be used concurrently. Molecules are valid until
// the next call.
type BlockParser struct {
	mol molParser
}

// CT reads a connection table of ChemDraw (.ct), whose first line has the given
// number:
//
//	the name of the molecule
//	ATOMS BONDS
//	X Y Z SYMBOL       for every atom
//	FROM TO ORDER ...  for every bond, atoms from 1
//
// What follows is ignored. Errors are [*FormatError]s.
func (b *BlockParser) CT(block []byte, line int) (*Molecule, error) {
	p := &b.mol
	p.begin(block, line)
	name, err := p.need("the name of the molecule")
	if err != nil {
		return nil, err
	}
	p.mol.Name = strings.TrimSpace(string(name))
	atoms, bonds, err := p.countsCT()
	if err != nil {
		return nil, err
	}
	for i := range atoms {
		text, err := p.need("an atom: X Y Z SYMBOL")
		if err != nil {
			return nil, err
		}
		fields := bytes.Fields(text)
		if len(fields) < 4 {
			return nil, p.fail("found %.40q, expected atom %d: X Y Z SYMBOL", text, i+1)
		}
		if _, err := p.addAtom(string(fields[3])); err != nil {
			return nil, err
		}
	}
	for range bonds {
		if err := p.bondCT(); err != nil {
			return nil, err
		}
	}
	if err := p.perceive(); err != nil {
		return nil, err
	}
	return &p.mol, nil
}

// countsCT reads the numbers of atoms and bonds, each of up to three digits,
// which may touch.
func (p *molParser) countsCT() (atoms, bonds int, err error) {
	line, err := p.need("the numbers of atoms and bonds")
	if err != nil {
		return 0, 0, err
	}
	fields := strings.Fields(string(line))
	if len(fields) < 2 {
		fields = []string{strings.TrimSpace(column(line, 0, 3)), strings.TrimSpace(column(line, 3, 6))}
	}
	atoms, err = strconv.Atoi(fields[0])
	if err == nil {
		bonds, err = strconv.Atoi(fields[1])
	}
	if err != nil || atoms < 0 || bonds < 0 {
		return 0, 0, p.fail("found %.40q, expected the numbers of atoms and bonds", line)
	}
	return atoms, bonds, nil
}

func (p *molParser) bondCT() error {
	line, err := p.need("a bond: FROM TO ORDER")
	if err != nil {
		return err
	}
	fields := bytes.Fields(line)
	if len(fields) < 3 {
		return p.fail("found %.40q, expected a bond: FROM TO ORDER", line)
	}
	var n [3]int
	for i := range n {
		if n[i], err = strconv.Atoi(string(fields[i])); err != nil {
			return p.fail("found %.20q, expected a bond: FROM TO ORDER", fields[i])
		}
	}
	for _, v := range n[:2] {
		if v < 1 || v > len(p.mol.Atoms) {
			return p.fail("found atom %d, but the atoms are 1 to %d", v, len(p.mol.Atoms))
		}
	}
	return p.addBond(int32(n[0]-1), int32(n[1]-1), n[2])
}
