package chem

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FormatError says in which line and why a MOL block or SDF record cannot be read.
type FormatError struct {
	// Line counts from 1, from the start of the block or, for an [SDFReader], of the file.
	Line int
	// Message says what was found and what was expected.
	Message string
	// Err is what it wraps, such as a [*KekuleError], or nil.
	Err error
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Unwrap returns the error behind this one, or nil.
func (e *FormatError) Unwrap() error { return e.Err }

// ParseMol reads a MOL block (CTAB), version V2000 or V3000, as the "CTfile
// Formats" document of 2020 describes it: the first line becomes the Name of the
// molecule. Coordinates and wedges give configurations, of a block without wedges
// only if it is three-dimensional; query atoms and bonds are read as wildcards.
// What follows the line "M  END" is ignored. Errors are [*FormatError]s.
func ParseMol(block []byte) (*Molecule, error) {
	p := new(molParser)
	if err := p.parse(block, 1); err != nil {
		return nil, err
	}
	return &p.mol, nil
}

// molParser reads MOL blocks, reusing its memory.
type molParser struct {
	lines   lineReader
	err     error // the first mistake
	mol     Molecule
	work    workspace
	source  source // line numbers
	valence []int8 // [atoms] total valence stated, -1 for none
	number  map[int]int32
	joined  []byte    // a V3000 line put together
	accepts []int32   // atoms that dative bonds lead to, once for each
	query   *molQuery // what is asked for, if the block is read as a query
	places  []place   // [atoms]
	marks   []mark    // [bonds]
	spatial bool      // centres are read of places in space, not of wedges
}

// lineReader yields the lines of a text and counts them.
type lineReader struct {
	rest []byte
	line int // number of the line last read
}

// next returns the next line without its end, and whether there is one.
func (r *lineReader) next() ([]byte, bool) {
	if len(r.rest) == 0 {
		return nil, false
	}
	line := r.rest
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line, r.rest = line[:i], line[i+1:]
	} else {
		r.rest = nil
	}
	r.line++
	return bytes.TrimSuffix(line, []byte{'\r'}), true
}

// fail records the first error, in the line last read.
func (p *molParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &FormatError{Line: p.lines.line, Message: fmt.Sprintf(format, args...)}
	}
}

// need returns the next line. If there is none, the error says what it should contain.
func (p *molParser) need(what string) []byte {
	line, ok := p.lines.next()
	if !ok && p.err == nil {
		p.lines.line++
		p.fail("found the end, expected %s", what)
	}
	return line
}

// parse reads a block whose first line has the given number.
func (p *molParser) parse(block []byte, line int) error {
	p.lines, p.err = lineReader{block, line - 1}, nil
	p.mol = Molecule{Atoms: p.mol.Atoms[:0], Bonds: p.mol.Bonds[:0]}
	p.source.atoms, p.source.bonds = p.source.atoms[:0], p.source.bonds[:0]
	p.valence = p.valence[:0]
	p.accepts = p.accepts[:0]
	p.places, p.marks, p.spatial = p.places[:0], p.marks[:0], false
	p.mol.Name = strings.TrimSpace(string(p.need("the name of the molecule")))
	if strings.HasPrefix(p.mol.Name, "$RXN") {
		p.fail("found a reaction (RXN): reactions are not supported")
	}
	p.need("the program line of the header")
	p.need("the comment line of the header")
	if counts := p.need("the counts line"); len(bytes.TrimSpace(counts)) == 0 {
		p.fail("the fourth line is blank, expected the numbers of atoms and bonds")
	} else if strings.TrimSpace(column(counts, 33, 39)) == "V3000" {
		p.parseV3000()
	} else {
		p.parseV2000(counts)
	}
	if p.err != nil {
		return p.err
	}
	return p.perceive()
}

// perceive completes the molecule once its atoms and bonds are read.
func (p *molParser) perceive() error {
	m := &p.mol
	explicit, aromatic := false, false
	for i := range m.Atoms {
		explicit = explicit || m.Atoms[i].Element == hydrogen
	}
	for _, b := range m.Bonds {
		aromatic = aromatic || b.Order == Aromatic
	}
	p.stateValences()
	p.configure()
	if explicit {
		p.work.foldHydrogens(m, &p.source)
	}
	err := p.work.perceive(m, true, aromatic)
	switch e := err.(type) {
	case nil:
		p.settleConfigurations()
		return nil
	case *repeatedBond:
		return &FormatError{Line: int(p.source.bonds[e.bond]),
			Message: "this bond joins two atoms that are bonded already"}
	case *KekuleError:
		first := e.Atoms[0]
		e.Where = "line"
		for i, v := range e.Atoms {
			e.Atoms[i] = int(p.source.atoms[v])
		}
		return &FormatError{Line: int(p.source.atoms[first]), Message: "atoms in " + e.Error(), Err: e}
	}
	return err
}

// stateValences converts the total valences stated for atoms to hydrogens.
func (p *molParser) stateValences() {
	m := &p.mol
	var used []int // half bonds
	for v, stated := range p.valence {
		if stated < 0 {
			continue
		}
		if used == nil {
			used = make([]int, len(m.Atoms))
			for _, b := range m.Bonds {
				used[b.From] += halves(b.Order)
				used[b.To] += halves(b.Order)
			}
			// A total valence includes a dative bond at its acceptor.
			for _, v := range p.accepts {
				used[v] += halves(Single)
			}
		}
		m.Atoms[v].exact = true
		m.Atoms[v].hydrogens = uint8(max(int(stated)-used[v]/2, 0))
	}
}

// addAtom adds an atom given by the symbol of an atom line; nil if there is no such symbol.
func (p *molParser) addAtom(symbol string) *Atom {
	a := Atom{}
	switch {
	case symbol == "":
		p.fail("the atom has no symbol")
		return nil
	case symbol == "D" || symbol == "T":
		a.Element, a.isotope = hydrogen, 2
		if symbol == "T" {
			a.isotope = 3
		}
		p.mol.Notes |= NoteIsotope
	case symbol == "*" || symbol == "A":
		a.exact = true
	case symbol == "R" || symbol == "R#" || len(symbol) > 1 && symbol[0] == 'R' && symbol[1] >= '0' && symbol[1] <= '9':
		a.exact = true
		p.mol.Notes |= NoteRGroup
	default:
		e, ok := FindElement(symbol)
		switch {
		case ok:
		case slices.Contains([]string{"L", "Q", "X", "M", "AH", "QH", "XH", "MH"}, symbol),
			strings.HasPrefix(symbol, "["), strings.HasPrefix(symbol, "NOT"):
			a.exact = true
			p.mol.Notes |= NoteQuery
			if p.query != nil && len(symbol) == 2 && symbol[1] == 'H' {
				p.fail("an atom %s may be a hydrogen, which cannot be part of a pattern: draw %s", symbol, symbol[:1])
				return nil
			}
		default:
			// Programs without lower case write Ca and Co as CA and CO; atoms of proteins
			// with such names do not occur in MOL blocks.
			if e, ok = FindElement(symbol[:1] + strings.ToLower(symbol[1:])); !ok {
				if p.query != nil {
					p.fail("the generic group %s cannot be part of a pattern: draw atoms, lists or A, Q, X and M",
						symbol)
				}
				p.fail("no element has the symbol %q", symbol)
				return nil
			}
			p.mol.Notes |= NoteCapitals
		}
		a.Element = e
	}
	a.Number = int32(len(p.mol.Atoms) + 1)
	p.mol.Atoms = append(p.mol.Atoms, a)
	p.source.atoms = append(p.source.atoms, int32(p.lines.line))
	p.valence = append(p.valence, -1)
	if p.query != nil {
		q := &queryAtom{}
		if a.Element == Any {
			q.any = symbol
			if number, ok := strings.CutPrefix(symbol, "R"); ok {
				q.class, _ = strconv.Atoi(number) // R1; R and R# have none
			}
		}
		p.query.atoms[a.Number] = q
	}
	return &p.mol.Atoms[len(p.mol.Atoms)-1]
}

// addBond adds a bond between atoms numbered from 0, of the type that MOL
// blocks number.
func (p *molParser) addBond(u, v int32, kind int) {
	var order Order
	switch kind {
	case 1, 2, 3:
		order = Order(kind)
	case 4:
		order = Aromatic
	case 8:
		order = AnyOrder
	case 9, 10:
		order = dative
		p.mol.Notes |= NoteDative
		if kind == 9 {
			p.accepts = append(p.accepts, v)
		}
	case 5, 6, 7: // single or double, single or aromatic, double or aromatic
		if order = AnyOrder; p.query != nil && p.err == nil {
			order = p.query.assumed[[2]int32{p.mol.Atoms[u].Number, p.mol.Atoms[v].Number}] // AnyOrder if there is none
		}
		p.mol.Notes |= NoteQuery
	default:
		p.fail("found the bond type %d, expected 1 to 10", kind)
	}
	if u == v {
		p.fail("the bond joins an atom to itself")
	}
	p.mol.Bonds = append(p.mol.Bonds, Bond{u, v, order})
	p.source.bonds = append(p.source.bonds, int32(p.lines.line))
}

// setRadical takes the code of a radical: 1 singlet, 2 doublet, 3 triplet.
func (p *molParser) setRadical(a *Atom, code int) {
	switch code {
	case 0:
		return
	case 1, 3:
		a.unpaired = 2
	case 2:
		a.unpaired = 1
	default:
		p.fail("found the radical %d, expected 0 to 3", code)
	}
	p.mol.Notes |= NoteRadical
	if p.query != nil {
		p.fail("radical electrons cannot be part of a pattern: leave them out")
	}
}

// setCharge checks and sets a formal charge.
func (p *molParser) setCharge(a *Atom, charge int) {
	if charge < -maxCharge || charge > maxCharge {
		p.fail("found the charge %d, expected -%d to %d", charge, maxCharge, maxCharge)
	}
	a.Charge = int8(charge)
}

// column returns the bytes from..to of a line, as far as there are any.
func column(line []byte, from, to int) string {
	if from >= len(line) {
		return ""
	}
	return string(line[from:min(to, len(line))])
}

// integer parses a number in columns from..to; blank columns are 0, and so are errors.
func (p *molParser) integer(line []byte, from, to int, what string) int {
	s := strings.TrimSpace(column(line, from, to))
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		p.fail("columns %d to %d: found %q, expected %s", from+1, to, s, what)
		return 0
	}
	return n
}
