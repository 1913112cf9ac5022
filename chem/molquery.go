package chem

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MolSMARTS returns a SMARTS that says what a MOL block, read as a query, asks for: elements, charges
// and isotopes; lists of elements, and what must not be; the atoms A, Q, X and M; bonds that may be
// of several orders, and bonds in rings or not; hydrogens, substitution, ring bonds, unsaturation
// and valences; and R groups, which are any atom and whose numbers become classes. Hydrogens that are drawn are the
// least number. Atoms of rings drawn in Kekulé form match aromatic ones; where bonds that are single or aromatic, or
// double or aromatic, leave open whether a ring is aromatic, its other bonds match both as drawn and aromatic. As
// everywhere in patterns, stereochemistry is not compared.
//
// What a pattern cannot say is refused by its name and line in a [*FormatError]: link atoms, generic
// groups, the logic of R groups, attachment points, repeating units, radicals, aliases, hydrogen bonds
// and atoms that may be a hydrogen.
func MolSMARTS(block []byte) (string, error) {
	p := &molParser{query: &molQuery{atoms: make(map[int32]*queryAtom), bonds: make(map[[2]int32]string)}}
	if err := p.parse(block, 1); err != nil {
		return "", err
	}
	if len(p.mol.Atoms) == 0 {
		return "", &FormatError{Line: 4, Message: "found no atoms, expected at least one"}
	}
	for v := range p.mol.Atoms {
		a := &p.mol.Atoms[v]
		if q := p.query.atoms[a.Number]; q.any == "L" {
			return "", &FormatError{Line: int(p.source.atoms[v]),
				Message: fmt.Sprintf("atom %d is L, but there is no list of what it may be", a.Number)}
		}
	}
	p.query.open(block, &p.mol)
	return p.query.smarts(&p.mol), nil
}

// SMILESSMARTS returns a SMARTS for the molecules that contain the one of a SMILES: atoms match by element, and by
// charge and isotope where the SMILES states one, whatever their hydrogens; bonds match by order, as aromaticity is
// perceived. Classes of atoms are kept. Errors are those of [ParseSMILES].
func SMILESSMARTS(text string) (string, error) {
	p := Parser{classes: true}
	m, err := p.Parse(text)
	if err != nil {
		return "", err
	}
	q := &molQuery{atoms: make(map[int32]*queryAtom)}
	for v := range m.Atoms {
		a := &m.Atoms[v]
		a.Number = int32(v + 1)
		q.atoms[a.Number] = &queryAtom{class: int(a.class)}
		if a.Element == Any {
			q.atoms[a.Number].any = "*"
		}
	}
	return q.smarts(m), nil
}

// IsMolBlock reports whether a text is a MOL block rather than a SMARTS or SMILES.
func IsMolBlock(text string) bool {
	return strings.Contains(text, "\n") && strings.Contains(text, "M  END")
}

// molQuery is what a MOL block asks for besides elements and orders.
type molQuery struct {
	atoms map[int32]*queryAtom // by Atom.Number
	bonds map[[2]int32]string  // by the numbers of their atoms: the kind of bond, and whether it is in a ring

	assumed map[[2]int32]Order // of bonds that may be aromatic, while [molQuery.open] looks which others may be
	either  map[[2]int32]bool  // bonds of one order that may be aromatic, too
}

type queryAtom struct {
	any        string // what stands in place of an element: a symbol such as Q, or the condition of a list
	conditions []string
	drawn      int // hydrogen atoms
	class      int // number of an R group, or class of an atom; 0 for none
}

// metal is what RDKit takes for a metal: everything but these.
var nonMetals = []int{1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 33, 34, 35, 36, 52, 53, 54, 85, 86}

// generic are the conditions of symbols that stand for several elements.
func generic(symbol string) (condition string, ok bool) {
	switch symbol {
	case "*", "R", "R#":
		return "*", true
	case "A":
		return "!#1", true
	case "Q":
		return "!#6;!#1", true
	case "X":
		return "#9,#17,#35,#53,#85", true
	case "M":
		var not []string
		for _, e := range nonMetals {
			not = append(not, "!#"+strconv.Itoa(e))
		}
		return strings.Join(not, ";"), true
	}
	return "*", len(symbol) > 1 && symbol[0] == 'R' && symbol[1] >= '0' && symbol[1] <= '9'
}

// listed returns the condition of a list of symbols, and the first that is no element.
func listed(symbols []string, not bool) (condition, unknown string) {
	var each []string
	for _, symbol := range symbols {
		symbol = strings.TrimSpace(symbol)
		e, ok := FindElement(symbol)
		if !ok {
			return "", symbol
		}
		each = append(each, "#"+strconv.Itoa(int(e)))
	}
	if len(each) == 0 {
		return "", "an empty list"
	}
	if not {
		return "!" + strings.Join(each, ";!"), ""
	}
	return strings.Join(each, ","), ""
}

// feature takes note of what a molecule cannot have; in a query it is refused by its name.
func (p *molParser) feature(name string) {
	p.mol.Notes |= NoteFeatures
	if p.query != nil {
		p.fail("%s cannot be part of a pattern: leave it out, or write the query as SMARTS", name)
	}
}

// ask adds a condition to the atom numbered v from 0.
func (p *molParser) ask(v int, format string, args ...any) {
	p.mol.Notes |= NoteConditions
	if p.query != nil && p.err == nil {
		q := p.query.atoms[p.mol.Atoms[v].Number]
		q.conditions = append(q.conditions, fmt.Sprintf(format, args...))
	}
}

// askHydrogens asks for at least n hydrogens, or none if n is 0.
func (p *molParser) askHydrogens(v, n int) {
	if n <= 0 {
		p.ask(v, "H0")
	} else {
		p.ask(v, "H{%d-}", n)
	}
}

// askCount asks for a number of bonds of an atom: n, none if it is -1, as many as are drawn if it is
// -2, or at least the greatest that can be stated.
func (p *molParser) askCount(v, n, most int, letter, drawn string) {
	switch {
	case n == 0:
	case n == -1:
		p.ask(v, "%s0", letter)
	case n == -2:
		p.ask(v, "%s", drawn)
	case n < -2 || n > most:
		p.fail("found the count %d, expected -2 to %d", n, most)
	case n == most:
		p.ask(v, "%s{%d-}", letter, n)
	default:
		p.ask(v, "%s%d", letter, n)
	}
}

// What stands for counts as drawn until all bonds are known. Conditions have no such letters.
const (
	drawnDegree    = "drawn degree"
	drawnRingBonds = "drawn ring bonds"
)

func (p *molParser) askSubstitution(v, n int) { p.askCount(v, n, 6, "d", drawnDegree) }
func (p *molParser) askRingBonds(v, n int)    { p.askCount(v, n, 4, "x", drawnRingBonds) }

// askGroup gives an R group its number.
func (p *molParser) askGroup(v, n int) {
	if p.query != nil && p.err == nil {
		p.query.atoms[p.mol.Atoms[v].Number].class = max(n, 0)
	}
}

func (p *molParser) askUnsaturation(v, n int) {
	if n != 0 {
		p.ask(v, "$(*=,#,$,:*)")
	}
}

// askList makes an atom one of several elements, or none of them.
func (p *molParser) askList(v int, symbols []string, not bool) {
	p.mol.Atoms[v].Element, p.mol.Atoms[v].exact = Any, true
	p.mol.Notes |= NoteQuery
	if p.query == nil {
		return
	}
	condition, unknown := listed(symbols, not)
	if condition == "" {
		p.fail("the list of atom %d has %q, expected symbols of elements", v+1, unknown)
	}
	p.query.atoms[p.mol.Atoms[v].Number].any = condition
}

// askBond notes what bond lines ask for; topology is 1 for bonds in rings and 2 for others.
func (p *molParser) askBond(u, v int32, kind, topology int) {
	if topology < 0 || topology > 2 {
		p.fail("found the topology %d, expected 0 to 2", topology)
	}
	if topology > 0 {
		p.mol.Notes |= NoteConditions
	}
	if p.query == nil || p.err != nil {
		return
	}
	text := map[int]string{5: "-,=", 6: singleOrAromatic, 7: doubleOrAromatic, 8: "~", 9: "->"}[kind]
	if kind == 10 {
		p.fail("a hydrogen bond cannot be part of a pattern: leave it out")
		return
	}
	a, b := p.mol.Atoms[u].Number, p.mol.Atoms[v].Number
	if p.mol.Atoms[u].Element == hydrogen {
		p.query.atoms[b].drawn++
	}
	if p.mol.Atoms[v].Element == hydrogen {
		p.query.atoms[a].drawn++
	}
	p.query.bonds[[2]int32{a, b}] = text + [...]string{"", ";@", ";!@"}[topology]
}

// Kinds of bonds that leave open whether they are aromatic.
const (
	singleOrAromatic = "-,:"
	doubleOrAromatic = "=,:"
)

// splitList returns the symbols in [C,N] or NOT[C,N].
func splitList(text string) (symbols []string, not, ok bool) {
	rest, not := strings.CutPrefix(text, "NOT")
	rest, opens := strings.CutPrefix(strings.TrimSpace(rest), "[")
	rest, closes := strings.CutSuffix(rest, "]")
	return strings.Split(rest, ","), not, opens && closes
}

// mostOpen is how many bonds may be left open in rings, for whose orders all combinations are tried.
const mostOpen = 10

// open finds the bonds of one order that may be aromatic: with some orders of the bonds in rings that are single or
// aromatic, or double or aromatic, they are. m is the block as it was parsed.
func (q *molQuery) open(block []byte, m *Molecule) {
	var undecided [][2]int32
	fixed := false
	for i, ring := range m.RingBonds() {
		b := m.Bonds[i]
		key := [2]int32{m.Atoms[b.From].Number, m.Atoms[b.To].Number}
		if _, known := q.bonds[key]; !known {
			key[0], key[1] = key[1], key[0]
		}
		switch kind, _, _ := strings.Cut(q.bonds[key], ";"); {
		case !ring:
		case kind == singleOrAromatic || kind == doubleOrAromatic:
			undecided = append(undecided, key)
		case b.Order == Single || b.Order == Double:
			fixed = true
		}
	}
	if len(undecided) == 0 || len(undecided) > mostOpen || !fixed {
		return
	}
	q.either = make(map[[2]int32]bool)
	for choice := range 1 << len(undecided) {
		again := &molParser{query: &molQuery{atoms: make(map[int32]*queryAtom), bonds: make(map[[2]int32]string),
			assumed: make(map[[2]int32]Order)}}
		for i, key := range undecided {
			again.query.assumed[key] = Single + Order(choice>>i&1)
		}
		if again.parse(block, 1) != nil {
			continue
		}
		for _, b := range again.mol.Bonds {
			if b.Order == Aromatic {
				q.either[[2]int32{again.mol.Atoms[b.From].Number, again.mol.Atoms[b.To].Number}] = true
			}
		}
	}
}

// smarts writes the query, whose bonds are perceived in m.
func (q *molQuery) smarts(m *Molecule) string {
	w := molQueryWriter{q: q, m: m, rings: m.RingBonds(), seen: make([]bool, len(m.Atoms)),
		closing: make([][]ringEnd, len(m.Atoms))}
	w.start, w.arcs = adjacency(nil, nil, len(m.Atoms), m.Bonds)
	w.dropHydrogens()
	w.plan()
	for v := range m.Atoms {
		if w.seen[v] {
			continue
		}
		if w.text.Len() > 0 {
			w.text.WriteByte('.')
		}
		w.write(int32(v), -1)
	}
	return w.text.String()
}

type molQueryWriter struct {
	q     *molQuery
	m     *Molecule
	rings []bool // [bonds]
	start []int32
	arcs  []arc
	seen  []bool // [atoms]

	closing [][]ringEnd // [atoms]
	tree    []bool      // [bonds]
	text    bytes.Buffer
}

// ringEnd is an end of a bond that is written by a ring number.
type ringEnd struct {
	number int
	bond   int32
	opens  bool
}

// dropHydrogens takes those for written that were drawn at atoms of several elements, where reading
// keeps them.
func (w *molQueryWriter) dropHydrogens() {
	for v := range w.m.Atoms {
		near := w.arcs[w.start[v]:w.start[v+1]]
		w.seen[v] = w.m.Atoms[v].Element == hydrogen && w.m.Atoms[v].isotope == 0 && len(near) == 1 &&
			w.m.Atoms[near[0].to].Element != hydrogen
	}
}

// plan chooses the bonds that are written by ring numbers.
func (w *molQueryWriter) plan() {
	w.tree = make([]bool, len(w.m.Bonds))
	order := make([]int, len(w.m.Atoms))
	next, number := 1, 0
	var visit func(v, from int32)
	visit = func(v, from int32) {
		order[v] = next
		next++
		for _, a := range w.arcs[w.start[v]:w.start[v+1]] {
			switch {
			case a.bond == from || w.seen[a.to]:
			case order[a.to] == 0:
				w.tree[a.bond] = true
				visit(a.to, a.bond)
			case order[a.to] < order[v]:
				number++
				w.closing[a.to] = append(w.closing[a.to], ringEnd{number, a.bond, true})
				w.closing[v] = append(w.closing[v], ringEnd{number, a.bond, false})
			}
		}
	}
	for v := range w.m.Atoms {
		if order[v] == 0 && !w.seen[v] {
			visit(int32(v), -1)
		}
	}
}

// write writes an atom and what follows it.
func (w *molQueryWriter) write(v, from int32) {
	w.seen[v] = true
	w.text.WriteString(w.atom(v))
	for _, end := range w.closing[v] {
		if end.opens {
			w.text.WriteString(w.bond(end.bond, v))
		}
		fmt.Fprintf(&w.text, "%%(%d)", end.number)
	}
	var after []arc
	for _, a := range w.arcs[w.start[v]:w.start[v+1]] {
		if a.bond != from && w.tree[a.bond] && !w.seen[a.to] {
			after = append(after, a)
		}
	}
	for i, a := range after {
		if i+1 < len(after) {
			w.text.WriteByte('(')
		}
		w.text.WriteString(w.bond(a.bond, v))
		w.write(a.to, a.bond)
		if i+1 < len(after) {
			w.text.WriteByte(')')
		}
	}
}

// bond returns the conditions of a bond as seen from an atom.
func (w *molQueryWriter) bond(i, from int32) string {
	b := w.m.Bonds[i]
	ends := [2]int32{w.m.Atoms[b.From].Number, w.m.Atoms[b.To].Number}
	text, ok := w.q.bonds[ends]
	if !ok {
		text = w.q.bonds[[2]int32{ends[1], ends[0]}]
	}
	kind, topology, _ := strings.Cut(text, ";")
	switch {
	case kind == "->" && (b.From == from) != ok:
		kind = "<-"
	case kind == "":
		kind = [...]string{AnyOrder: "~", Single: "-", Double: "=", Triple: "#", Quadruple: "$", Aromatic: ":"}[b.Order]
		if (b.Order == Single || b.Order == Double) && (w.q.either[ends] || w.q.either[[2]int32{ends[1], ends[0]}]) {
			kind += ",:"
		}
	}
	if topology != "" {
		return kind + ";" + topology
	}
	return kind
}

// atom returns the conditions of an atom.
func (w *molQueryWriter) atom(v int32) string {
	a := &w.m.Atoms[v]
	q := w.q.atoms[a.Number]
	conditions := []string{"#" + strconv.Itoa(int(a.Element))}
	if q.any != "" {
		conditions[0] = q.any
		if c, ok := generic(q.any); ok {
			conditions[0] = c
		}
	}
	if a.isotope > 0 && a.isotope != someIsotope {
		conditions = append(conditions, strconv.Itoa(int(a.isotope)))
	}
	if a.Charge != 0 {
		conditions = append(conditions, fmt.Sprintf("%+d", a.Charge))
	}
	if q.drawn > 0 {
		conditions = append(conditions, fmt.Sprintf("H{%d-}", q.drawn))
	}
	for _, c := range q.conditions {
		switch c {
		case drawnDegree:
			n := 0
			for _, arc := range w.arcs[w.start[v]:w.start[v+1]] {
				if w.m.Atoms[arc.to].Element != hydrogen {
					n++
				}
			}
			c = fmt.Sprintf("d%d", n)
		case drawnRingBonds:
			n := 0
			for _, arc := range w.arcs[w.start[v]:w.start[v+1]] {
				if w.rings[arc.bond] {
					n++
				}
			}
			c = fmt.Sprintf("x%d", n)
		}
		if !slices.Contains(conditions, c) {
			conditions = append(conditions, c)
		}
	}
	class := ""
	if q.class > 0 {
		class = ":" + strconv.Itoa(q.class)
	}
	return "[" + strings.Join(conditions, ";") + class + "]"
}
