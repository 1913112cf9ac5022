package chem

import (
	"bytes"
	"slices"
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
			case "SGROUP":
				p.mol.Notes |= NoteFeatures
			case "RGROUP":
				p.feature("the members of an R group")
			case "TEMPLATE":
				p.feature("a template")
			default: // COLLECTION, OBJ3D and others
				p.mol.Notes |= NoteUnread
			}
		case fields[0] == "END":
			section = ""
		case (section == "" || section == "CTAB") && fields[0] != "COUNTS":
			if p.mol.Notes |= NoteFeatures; fields[0] == "LINKNODE" {
				p.feature("a link atom")
			}
		case section == "ATOM":
			p.atom3000(fields)
		case section == "BOND":
			p.bond3000(fields)
		case section == "SGROUP" && p.query != nil && len(fields) > 1 && fields[1] != "SUP" && fields[1] != "DAT":
			p.feature("an S-group " + fields[1])
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
	list := func(s string) bool { return s == "NOT" || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "NOT[") }
	for len(fields) > 6 && list(strings.Trim(fields[1], `"`)) && !strings.Contains(fields[1], "]") {
		fields[2] = fields[1] + fields[2] // a list with blanks
		fields = slices.Delete(fields, 1, 2)
	}
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
	symbol := strings.ReplaceAll(fields[1], `"`, "")
	a := p.addAtom(symbol)
	if a == nil {
		return
	}
	p.addPlace(fields[2], fields[3], fields[4])
	v := len(p.mol.Atoms) - 1
	p.number[index] = int32(v)
	if p.query == nil { // which knows its atoms by their places
		a.Number = int32(index)
	}
	if symbols, not, ok := splitList(symbol); ok {
		p.askList(v, symbols, not)
	}
	for i, f := range fields[6:] {
		key, text, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		value, err := strconv.Atoi(text)
		switch key {
		case "CHG", "RAD", "VAL", "CFG", "HCOUNT", "SUBST", "RBCNT", "UNSAT", "ATTCHPT":
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
				p.setValence(v, min(max(value, 0), 14))
			}
		case "HCOUNT":
			if value != 0 {
				p.askHydrogens(v, value)
			}
		case "SUBST":
			p.askSubstitution(v, value)
		case "RBCNT":
			p.askRingBonds(v, value)
		case "UNSAT":
			p.askUnsaturation(v, value)
		case "ATTCHPT":
			p.feature("an attachment point")
		case "MASS":
			if err != nil || value < 1 { // the document allows a fraction
				value = someIsotope
			}
			p.setIsotope(a, value)
		case "CFG":
			if value != 0 {
				p.mol.Notes |= NoteChirality
			}
		case "RGROUPS": // (1 n), of one that is n
			p.mol.Notes |= NoteFeatures
			if text == "(1" && i+7 < len(fields) {
				if n, err := strconv.Atoi(strings.TrimSuffix(fields[i+7], ")")); err == nil {
					p.askGroup(v, n)
				}
			}
		case "ATTCHORD":
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
	topology, drawn := 0, plain
	for _, f := range fields[4:] {
		switch key, text, _ := strings.Cut(f, "="); key {
		case "ENDPTS":
			if p.mol.Notes |= NoteHaptic; p.query != nil {
				p.feature("a bond to several atoms")
			}
		case "TOPO":
			if topology, err = strconv.Atoi(text); err != nil {
				p.fail("found %q, expected TOPO= and a number", f)
			}
		case "CFG":
			switch {
			case kind == 1 && text == "1":
				drawn = up
			case kind == 1 && text == "3":
				drawn = down
			case kind <= 2 && text == "2":
				drawn = either
			}
		case "RXCTR", "STBOX":
			p.mol.Notes |= NoteFeatures
		}
	}
	p.addBond(ends[0], ends[1], kind)
	if drawn != plain {
		p.markBond(drawn)
	}
	if p.err == nil {
		p.askBond(ends[0], ends[1], kind, topology)
	}
}
