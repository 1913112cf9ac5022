package chem

import (
	"bytes"
	"strconv"
	"strings"
)

const v30 = "M  V30 "

// parseV3000 reads the CTAB block of a V3000 file up to "M  END".
func (p *molParser) parseV3000() {
	p.number = make(map[int]int32)
	section := ""
	seen := false
	for p.err == nil {
		fields, end := p.line3000()
		switch {
		case end && !seen:
			p.fail(`found "M  END", expected a line "M  V30 BEGIN ATOM"`)
		case end:
			return
		case len(fields) == 0:
		case fields[0] == "BEGIN" && len(fields) > 1:
			section = fields[1]
			seen = seen || section == "ATOM"
			switch section {
			case "CTAB", "ATOM", "BOND":
			case "SGROUP", "RGROUP", "TEMPLATE":
				p.mol.Notes |= NoteFeatures
			default: // COLLECTION, OBJ3D and others
				p.mol.Notes |= NoteUnread
			}
		case fields[0] == "END":
			section = ""
		case (section == "" || section == "CTAB") && fields[0] != "COUNTS":
			p.mol.Notes |= NoteFeatures // such as LINKNODE
		case section == "ATOM":
			p.atom3000(fields)
		case section == "BOND":
			p.bond3000(fields)
		}
	}
}

// line3000 returns the fields of the next "M  V30" line, put together with
// those that continue it, or that it is "M  END".
func (p *molParser) line3000() (fields []string, end bool) {
	p.joined = p.joined[:0]
	for p.err == nil {
		line := p.need(`a line "M  V30" or "M  END"`)
		if bytes.HasPrefix(line, []byte("M  END")) {
			return nil, true
		}
		rest, ok := bytes.CutPrefix(line, []byte(v30))
		if !ok && string(bytes.TrimSpace(line)) != strings.TrimSpace(v30) {
			p.fail("found %.20q, expected a line that begins with %q", line, v30)
		}
		if more, ok := bytes.CutSuffix(bytes.TrimRight(rest, " "), []byte{'-'}); ok {
			p.joined = append(p.joined, more...)
			continue
		}
		p.joined = append(p.joined, rest...)
		return strings.Fields(string(p.joined)), false
	}
	return nil, false
}

// atom3000 reads index, type, x, y, z, map and properties.
func (p *molParser) atom3000(fields []string) {
	if len(fields) < 6 {
		p.fail("found %d fields, expected an atom: index, type, x, y, z and map", len(fields))
		return
	}
	index, err := strconv.Atoi(fields[0])
	if err != nil || index != int(int32(index)) {
		p.fail("found %q, expected the index of an atom", fields[0])
	}
	if _, ok := p.number[index]; ok {
		p.fail("atom %d is given twice", index)
	}
	a := p.addAtom(strings.Trim(fields[1], `"`))
	if a == nil {
		return
	}
	v := len(p.mol.Atoms) - 1
	p.number[index] = int32(v)
	a.Number = int32(index)
	for _, f := range fields[6:] {
		key, text, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		value, err := strconv.Atoi(text)
		switch key {
		case "CHG", "RAD", "VAL", "CFG":
			if err != nil {
				p.fail("found %q, expected %s= and a number", f, key)
				return
			}
		}
		switch key {
		case "CHG":
			p.setCharge(a, value)
		case "RAD":
			p.setRadical(a, value)
		case "VAL":
			if value != 0 {
				p.valence[v] = int8(min(max(value, 0), 14))
			}
		case "MASS":
			if err != nil || value < 1 { // the document allows a fraction
				value = someIsotope
			}
			p.setIsotope(a, value)
		case "CFG":
			if value != 0 {
				p.mol.Notes |= NoteChirality
			}
		case "HCOUNT", "UNSAT", "SUBST", "RBCNT", "ATTCHPT", "RGROUPS", "ATTCHORD":
			p.mol.Notes |= NoteFeatures
		case "STBOX", "INVRET", "EXACHG": // of reactions and their queries
		default:
			p.mol.Notes |= NoteUnread
		}
	}
}

// bond3000 reads index, type, and the indices of two atoms.
func (p *molParser) bond3000(fields []string) {
	if len(fields) < 4 {
		p.fail("found %d fields, expected a bond: index, type and two atoms", len(fields))
		return
	}
	kind, err := strconv.Atoi(fields[1])
	if err != nil {
		p.fail("found %q, expected a bond type", fields[1])
	}
	var ends [2]int32
	for i, f := range fields[2:4] {
		index, err := strconv.Atoi(f)
		if err != nil {
			p.fail("found %q, expected the index of an atom", f)
		}
		v, ok := p.number[index]
		if !ok {
			p.fail("found atom %d, which is not in the atom block", index)
		}
		ends[i] = v
	}
	if kind == 1 {
		for _, f := range fields[4:] {
			if strings.HasPrefix(f, "CFG=") && f != "CFG=0" {
				p.mol.Notes |= NoteChirality
			}
		}
	}
	for _, f := range fields[4:] {
		switch key, _, _ := strings.Cut(f, "="); key {
		case "ENDPTS":
			p.mol.Notes |= NoteHaptic
		case "TOPO", "RXCTR", "STBOX":
			p.mol.Notes |= NoteFeatures
		}
	}
	p.addBond(ends[0], ends[1], kind)
}
