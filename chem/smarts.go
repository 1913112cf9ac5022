package chem

import (
	"fmt"
	"strings"
)

// SMARTS is a pattern of atoms and bonds that molecules are matched with
// (Daylight Theory Manual, chapter 4): elements, aliphatic and aromatic atoms,
// charges, isotopes, degrees (D), connectivity (X), hydrogens (H, h), valences
// (v), rings (R, r, k, x), bonds, the operators ! & , ; and recursive patterns
// $(…). As in RDKit, marks of chirality and atom classes are read and not
// compared, / and \ are single bonds, D{2-3} is a range, d, z and Z count
// neighbours. Reactions, groups of components and ^ are refused.
type SMARTS struct {
	text      string
	atoms     []smartsAtom
	bonds     []smartsBond
	recursive []*SMARTS // patterns of $(…), within others' too
}

// smartsAtom is an atom of a pattern, with its bonds to atoms before it.
type smartsAtom struct {
	test smartsTest
	back []int // numbers of bonds
}

type smartsBond struct {
	from, to int // to is the later atom
	test     smartsTest
}

// smartsTest is what an atom or a bond must be: a kind of condition with a
// range, or an operator over others.
type smartsTest struct {
	kind   smartsKind
	lo, hi int // the range; of inside, lo is the number of the pattern
	of     []smartsTest
}

type smartsKind uint8

const (
	testAll smartsKind = iota // of all that follow; of none: true
	testAny
	testNot
	// Of atoms.
	testElement
	testAromatic
	testAliphatic
	testCharge
	testIsotope
	testDegree
	testHeavyDegree // without bonds to hydrogens
	testConnected
	testHydrogens
	testOwnHydrogens // without those that are atoms
	testValence
	testRings
	testSmallestRing
	testRingOf
	testRingBonds
	testHetero          // neighbours that are neither carbon nor hydrogen
	testAliphaticHetero // those of them that are not aromatic
	testInside
	// Of bonds.
	testOrder
	testDonor    // dative, from the earlier atom
	testAcceptor // dative, to the earlier atom
	testInRing
)

// ParseSMARTS reads a pattern. Its errors are [*SyntaxError].
func ParseSMARTS(text string) (*SMARTS, error) {
	if len(text) > MaxSMILES {
		return nil, &SyntaxError{Column: MaxSMILES + 1, Message: fmt.Sprintf("the SMARTS has %d bytes, at most %d are allowed", len(text), MaxSMILES)}
	}
	root := &SMARTS{text: text}
	p := smartsParser{text: text, root: root, into: root}
	end, err := p.pattern(0, 0)
	if err == nil && end < len(text) {
		err = p.fail(end, "found %q, expected an atom or a bond", text[end])
	}
	if err != nil {
		return nil, err
	}
	return root, nil
}

// String returns the text of the pattern.
func (s *SMARTS) String() string { return s.text }

// Len returns the number of atoms.
func (s *SMARTS) Len() int { return len(s.atoms) }

type smartsParser struct {
	text string
	root *SMARTS
	into *SMARTS // the pattern that is read
	deep int     // brackets and branches that are open
}

// mostNested bounds how deep recursive patterns and branches nest, which is
// read by recursion.
const mostNested = 200

func (p *smartsParser) fail(i int, format string, args ...any) error {
	return &SyntaxError{Column: i + 1, Message: fmt.Sprintf(format, args...)}
}

func (p *smartsParser) at(i int) byte {
	if i < len(p.text) {
		return p.text[i]
	}
	return 0
}

// openBond is a ring bond that is not closed yet.
type openBond struct {
	atom, at int
	test     *smartsTest
}

// pattern reads atoms and bonds up to the end of the text or, inside a
// recursive one, up to its closing parenthesis.
func (p *smartsParser) pattern(i, inside int) (int, error) {
	type point struct{ atom, at int }
	var branches []point
	rings := make(map[int]openBond)
	last := -1
	var bond *smartsTest // that waits for its atom
	bondAt := 0
	for {
		c := p.at(i)
		switch {
		case i == len(p.text), c == ')' && len(branches) == 0 && inside > 0:
			switch {
			case len(branches) > 0:
				return i, p.fail(branches[len(branches)-1].at, "this branch is not closed")
			case bond != nil:
				return i, p.fail(bondAt, "no atom follows this bond")
			case last < 0:
				return i, p.fail(i, "there is no atom")
			}
			for _, open := range rings {
				return i, p.fail(open.at, "this ring bond is not closed")
			}
			return i, nil
		case c == '(':
			if last < 0 {
				return i, p.fail(i, "groups of components are not supported")
			}
			if bond != nil {
				return i, p.fail(i, "found '(', expected the atom of the bond before it")
			}
			branches = append(branches, point{last, i})
			i++
		case c == ')':
			if len(branches) == 0 || bond != nil {
				return i, p.fail(i, "found ')' without a branch to close")
			}
			last = branches[len(branches)-1].atom
			branches = branches[:len(branches)-1]
			i++
		case c == '.':
			if last < 0 || bond != nil || len(branches) > 0 {
				return i, p.fail(i, "found '.', expected an atom")
			}
			last = -1
			i++
		case c == '>' && bond == nil:
			return i, p.fail(i, "reactions are not supported")
		case c >= '0' && c <= '9' || c == '%':
			number, next, err := p.ringNumber(i)
			if err != nil {
				return i, err
			}
			if last < 0 {
				return i, p.fail(i, "a ring bond needs an atom before it")
			}
			if open, ok := rings[number]; ok {
				delete(rings, number)
				test := bond
				if test == nil {
					test = open.test
				}
				if open.atom == last || p.joined(open.atom, last) {
					return i, p.fail(i, "this ring bond joins atoms that are the same or bonded already")
				}
				p.join(open.atom, last, test)
			} else {
				rings[number] = openBond{last, i, bond}
			}
			bond = nil
			i = next
		case strings.IndexByte("-=#$:~@/\\!<", c) >= 0 && bond == nil:
			if last < 0 {
				return i, p.fail(i, "a bond needs an atom before it")
			}
			test, next, err := p.expression(i, p.bondTest)
			if err != nil {
				return i, err
			}
			bond, bondAt, i = &test, i, next
		default:
			test, next, err := p.atom(i)
			if err != nil {
				return i, err
			}
			v := len(p.into.atoms)
			p.into.atoms = append(p.into.atoms, smartsAtom{test: test})
			if last >= 0 {
				p.join(last, v, bond)
			}
			bond, last, i = nil, v, next
		}
	}
}

func (p *smartsParser) ringNumber(i int) (number, next int, err error) {
	digit := func(i int) bool { return p.at(i) >= '0' && p.at(i) <= '9' }
	switch {
	case p.at(i) != '%':
		return int(p.at(i) - '0'), i + 1, nil
	case digit(i+1) && digit(i+2):
		return int(p.at(i+1)-'0')*10 + int(p.at(i+2)-'0'), i + 3, nil
	}
	return 0, i, p.fail(i, "expected two digits after %%")
}

func (p *smartsParser) joined(u, v int) bool {
	for _, b := range p.into.atoms[max(u, v)].back {
		if p.into.bonds[b].from == min(u, v) {
			return true
		}
	}
	return false
}

// join adds a bond; without a test it is single or aromatic.
func (p *smartsParser) join(u, v int, test *smartsTest) {
	if test == nil {
		test = &smartsTest{kind: testAny, of: []smartsTest{{kind: testOrder, lo: int(Single)}, {kind: testOrder, lo: int(Aromatic)}}}
	}
	if u > v {
		u, v = v, u
	}
	p.into.atoms[v].back = append(p.into.atoms[v].back, len(p.into.bonds))
	p.into.bonds = append(p.into.bonds, smartsBond{u, v, *test})
}

// expression reads conditions with their operators: ! before &, which may be
// left out, before , before ;.
func (p *smartsParser) expression(i int, one func(int) (smartsTest, int, bool, error)) (smartsTest, int, error) {
	var all, any, and smartsTest
	all.kind, any.kind, and.kind = testAll, testAny, testAll
	from := i
	for {
		not := false
		for p.at(i) == '!' {
			not = !not
			i++
		}
		test, next, ok, err := one(i)
		if err != nil {
			return all, i, err
		}
		if !ok {
			if i == from || i > 0 && strings.IndexByte("!&,;", p.at(i-1)) >= 0 {
				return all, i, p.fail(i, "found %s, expected a condition", p.found(i))
			}
			break
		}
		if not {
			test = smartsTest{kind: testNot, of: []smartsTest{test}}
		}
		and.of = append(and.of, test)
		i = next
		switch p.at(i) {
		case '&':
			i++
		case ',':
			any.of = append(any.of, and)
			and = smartsTest{kind: testAll}
			i++
		case ';':
			any.of = append(any.of, and)
			all.of = append(all.of, any)
			and, any = smartsTest{kind: testAll}, smartsTest{kind: testAny}
			i++
		}
	}
	any.of = append(any.of, and)
	all.of = append(all.of, any)
	return all, i, nil
}

func (p *smartsParser) found(i int) string {
	if i >= len(p.text) {
		return "the end"
	}
	return fmt.Sprintf("%q", p.text[i])
}

// bondTest reads one condition of a bond.
func (p *smartsParser) bondTest(i int) (test smartsTest, next int, ok bool, err error) {
	order := func(o Order, n int) (smartsTest, int, bool, error) {
		return smartsTest{kind: testOrder, lo: int(o)}, i + n, true, nil
	}
	switch c := p.at(i); {
	case c == '-' && p.at(i+1) == '>':
		return smartsTest{kind: testDonor}, i + 2, true, nil
	case c == '<' && p.at(i+1) == '-':
		return smartsTest{kind: testAcceptor}, i + 2, true, nil
	case c == '-', c == '/', c == '\\':
		return order(Single, 1)
	case c == '=':
		return order(Double, 1)
	case c == '#':
		return order(Triple, 1)
	case c == '$':
		return order(Quadruple, 1)
	case c == ':':
		return order(Aromatic, 1)
	case c == '~':
		return smartsTest{kind: testAll}, i + 1, true, nil
	case c == '@':
		return smartsTest{kind: testInRing}, i + 1, true, nil
	}
	return test, i, false, nil
}

// atom reads an atom, in brackets or without.
func (p *smartsParser) atom(i int) (smartsTest, int, error) {
	if p.at(i) != '[' {
		test, next, ok := p.bare(i)
		if !ok {
			return test, i, p.fail(i, "found %s, expected an atom", p.found(i))
		}
		return test, next, nil
	}
	if test, next, ok := p.hydrogen(i + 1); ok {
		return test, next, nil
	}
	test, next, err := p.expression(i+1, p.atomTest)
	if err != nil {
		return test, i, err
	}
	if p.at(next) == ':' { // the class
		for next++; p.at(next) >= '0' && p.at(next) <= '9'; next++ {
		}
	}
	if p.at(next) != ']' {
		return test, i, p.fail(next, "found %s in the bracket atom of column %d, expected ']'", p.found(next), i+1)
	}
	return test, next + 1, nil
}

// bare reads an atom without brackets.
func (p *smartsParser) bare(i int) (smartsTest, int, bool) {
	switch c, d := p.at(i), p.at(i+1); c {
	case '*':
		return smartsTest{kind: testAll}, i + 1, true
	case 'A':
		return smartsTest{kind: testAliphatic}, i + 1, true
	case 'a':
		return smartsTest{kind: testAromatic}, i + 1, true
	case 'C':
		if d == 'l' {
			return symbolTest(chlorine, false), i + 2, true
		}
		return symbolTest(carbon, false), i + 1, true
	case 'B':
		if d == 'r' {
			return symbolTest(bromine, false), i + 2, true
		}
		return symbolTest(boron, false), i + 1, true
	case 'N', 'O', 'F', 'P', 'S', 'I':
		return symbolTest(organic(c), false), i + 1, true
	case 'b', 'c', 'n', 'o', 'p', 's':
		return symbolTest(organic(c-'a'+'A'), true), i + 1, true
	}
	return smartsTest{}, i, false
}

func symbolTest(e Element, aromatic bool) smartsTest {
	kind := testAliphatic
	if aromatic {
		kind = testAromatic
	}
	return smartsTest{kind: testAll, of: []smartsTest{{kind: testElement, lo: int(e), hi: int(e)}, {kind: kind}}}
}

// hydrogen reads [H], [2H] and [H+], which are hydrogen atoms. Elsewhere H
// counts hydrogens.
func (p *smartsParser) hydrogen(i int) (smartsTest, int, bool) {
	test := smartsTest{kind: testAll, of: []smartsTest{{kind: testElement, lo: 1, hi: 1}}}
	if n, next, ok := p.digits(i); ok {
		test.of = append(test.of, smartsTest{kind: testIsotope, lo: n, hi: n})
		i = next
	}
	if p.at(i) != 'H' {
		return test, i, false
	}
	i++
	if c := p.at(i); c == '+' || c == '-' {
		charge, next := p.charge(i)
		test.of = append(test.of, charge)
		i = next
	}
	if p.at(i) == ':' {
		_, next, ok := p.digits(i + 1)
		if !ok {
			return test, i, false
		}
		i = next
	}
	return test, i + 1, p.at(i) == ']'
}

func (p *smartsParser) digits(i int) (n, next int, ok bool) {
	next = i
	for ; p.at(next) >= '0' && p.at(next) <= '9' && n < 1e6; next++ {
		n = 10*n + int(p.at(next)-'0')
	}
	return n, next, next > i
}

func (p *smartsParser) charge(i int) (smartsTest, int) {
	sign, unit := p.at(i), 1
	if sign == '-' {
		unit = -1
	}
	n, next, ok := p.digits(i + 1)
	if !ok {
		for n, next = 1, i+1; p.at(next) == sign; next++ {
			n++
		}
	}
	return smartsTest{kind: testCharge, lo: unit * n, hi: unit * n}, next
}

// unbounded is the end of ranges that have none.
const unbounded = 1 << 30

// count reads the number of a condition, or its range {2-3}. Without either it
// is what bare says.
func (p *smartsParser) count(kind smartsKind, i, bareLo, bareHi int) (smartsTest, int, bool, error) {
	if n, next, ok := p.digits(i); ok {
		return smartsTest{kind: kind, lo: n, hi: n}, next, true, nil
	}
	if p.at(i) != '{' {
		return smartsTest{kind: kind, lo: bareLo, hi: bareHi}, i, true, nil
	}
	lo, next, low := p.digits(i + 1)
	if p.at(next) != '-' {
		return smartsTest{}, i, false, p.fail(i, "expected a range such as {2-3}")
	}
	hi, end, high := p.digits(next + 1)
	if !high {
		hi = unbounded
	}
	if !low && !high || p.at(end) != '}' {
		return smartsTest{}, i, false, p.fail(i, "expected a range such as {2-3}")
	}
	return smartsTest{kind: kind, lo: lo, hi: hi}, end + 1, true, nil
}

// atomTest reads one condition of a bracket atom.
func (p *smartsParser) atomTest(i int) (smartsTest, int, bool, error) {
	if test, next, ok := p.symbol(i); ok {
		return test, next, true, nil
	}
	switch c := p.at(i); c {
	case 'H':
		return p.count(testHydrogens, i+1, 1, 1)
	case 'h':
		return p.count(testOwnHydrogens, i+1, 1, unbounded)
	case 'D':
		return p.count(testDegree, i+1, 1, 1)
	case 'd':
		return p.count(testHeavyDegree, i+1, 1, 1)
	case 'X':
		return p.count(testConnected, i+1, 1, 1)
	case 'v':
		return p.count(testValence, i+1, 1, 1)
	case 'R':
		return p.count(testRings, i+1, 1, unbounded)
	case 'r':
		return p.count(testSmallestRing, i+1, 1, unbounded)
	case 'k':
		return p.count(testRingOf, i+1, 1, unbounded)
	case 'x':
		return p.count(testRingBonds, i+1, 1, unbounded)
	case '+', '-':
		if p.at(i+1) == '{' {
			test, next, ok, err := p.count(testCharge, i+1, 0, 0)
			if c == '-' {
				test.lo, test.hi = -test.hi, -test.lo
			}
			return test, next, ok, err
		}
		test, next := p.charge(i)
		return test, next, true, nil
	case '#':
		if n, next, ok := p.digits(i + 1); ok && n <= maxElement {
			return smartsTest{kind: testElement, lo: n, hi: n}, next, true, nil
		}
		return smartsTest{}, i, false, p.fail(i, "expected an atomic number after #")
	case '@':
		for i++; p.at(i) == '@' || p.at(i) == '?'; i++ {
		}
		if next := i + 2; next <= len(p.text) {
			switch p.text[i:next] {
			case "TH", "AL", "SP", "TB", "OH":
				if _, end, ok := p.digits(next); ok {
					i = end
				}
			}
		}
		return smartsTest{kind: testAll}, i, true, nil
	case '$':
		if p.at(i+1) != '(' {
			return smartsTest{}, i, false, p.fail(i, "expected ( after $")
		}
		if p.deep++; p.deep > mostNested {
			return smartsTest{}, i, false, p.fail(i, "recursive patterns nest deeper than %d", mostNested)
		}
		outer := p.into
		p.into = new(SMARTS)
		end, err := p.pattern(i+2, 1)
		if err == nil && p.at(end) != ')' {
			err = p.fail(end, "found %s, expected the end of the recursive pattern", p.found(end))
		}
		if err != nil {
			return smartsTest{}, i, false, err
		}
		p.root.recursive = append(p.root.recursive, p.into)
		p.into = outer
		p.deep--
		return smartsTest{kind: testInside, lo: len(p.root.recursive) - 1}, end + 1, true, nil
	case 'z':
		return p.count(testHetero, i+1, 1, unbounded)
	case 'Z':
		return p.count(testAliphaticHetero, i+1, 1, unbounded)
	case '^':
		return smartsTest{}, i, false, p.fail(i, "^, RDKit's condition on hybridisation, is not supported")
	}
	if n, next, ok := p.digits(i); ok {
		// As in RDKit an isotope and the symbol behind it are one condition.
		test := smartsTest{kind: testAll, of: []smartsTest{{kind: testIsotope, lo: n, hi: n}}}
		if symbol, end, ok := p.symbol(next); ok {
			test.of, next = append(test.of, symbol), end
		}
		return test, next, true, nil
	}
	return smartsTest{}, i, false, nil
}

// lastInSMARTS is the last element that a pattern names by its symbol. RDKit reads [Nh] as N with
// hydrogens, not as nihonium.
const lastInSMARTS = 112

// symbol reads the symbol of an element in brackets.
func (p *smartsParser) symbol(i int) (smartsTest, int, bool) {
	c, d := p.at(i), p.at(i+1)
	if c >= 'A' && c <= 'Z' && d >= 'a' && d <= 'z' {
		if e, ok := FindElement(p.text[i : i+2]); ok && e <= lastInSMARTS {
			return symbolTest(e, false), i + 2, true
		}
	}
	if c >= 'a' && c <= 'z' && d >= 'a' && d <= 'z' {
		switch p.text[i : i+2] {
		case "se", "as", "te", "si":
			e, _ := FindElement(strings.ToUpper(p.text[i:i+1]) + p.text[i+1:i+2])
			return symbolTest(e, true), i + 2, true
		}
	}
	if test, next, ok := p.bare(i); ok {
		return test, next, true
	}
	if c >= 'A' && strings.IndexByte("HDXRZ", c) < 0 && c <= 'Z' {
		if e, ok := oneLetter(c); ok {
			return symbolTest(e, false), i + 1, true
		}
	}
	return smartsTest{}, i, false
}
