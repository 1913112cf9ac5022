package chem

import (
	"strconv"
	"strings"
)

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

// classOf returns the class of an atom that was read, 0 if it has none.
func classOf(text string) int {
	inside, ok := strings.CutSuffix(text, "]")
	if !ok {
		return 0
	}
	class, err := strconv.Atoi(inside[strings.LastIndexByte(inside, ':')+1:])
	if err != nil || !strings.Contains(inside, ":") {
		return 0
	}
	return max(class, 0)
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
	default:
		if e, n := organic(c, d); n > 0 {
			return symbolTest(e, c >= 'a'), i + n, true
		}
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

// hydrogen reads [H], [2H] and [H+], which are hydrogen atoms. Elsewhere H is a number of
// hydrogens.
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

// unbounded is the end of open ranges.
const unbounded = 1 << 30

// counted are the letters of conditions on numbers, with their meaning without a number.
var counted = map[byte]smartsTest{
	'H': {kind: testHydrogens, lo: 1, hi: 1},
	'h': {kind: testOwnHydrogens, lo: 1, hi: unbounded},
	'D': {kind: testDegree, lo: 1, hi: 1},
	'd': {kind: testHeavyDegree, lo: 1, hi: 1},
	'X': {kind: testConnected, lo: 1, hi: 1},
	'v': {kind: testValence, lo: 1, hi: 1},
	'R': {kind: testRings, lo: 1, hi: unbounded},
	'r': {kind: testSmallestRing, lo: 1, hi: unbounded},
	'k': {kind: testRingOf, lo: 1, hi: unbounded},
	'x': {kind: testRingBonds, lo: 1, hi: unbounded},
	'z': {kind: testHetero, lo: 1, hi: unbounded},
	'Z': {kind: testAliphaticHetero, lo: 1, hi: unbounded},
}

// count reads the number of a condition, or its range {2-3}. Without either it returns bare.
func (p *smartsParser) count(bare smartsTest, i int) (smartsTest, int, bool, error) {
	if n, next, ok := p.digits(i); ok {
		return smartsTest{kind: bare.kind, lo: n, hi: n}, next, true, nil
	}
	if p.at(i) != '{' {
		return bare, i, true, nil
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
	return smartsTest{kind: bare.kind, lo: lo, hi: hi}, end + 1, true, nil
}

// atomTest reads one condition of a bracket atom.
func (p *smartsParser) atomTest(i int) (smartsTest, int, bool, error) {
	if test, next, ok := p.symbol(i); ok {
		return test, next, true, nil
	}
	if bare, ok := counted[p.at(i)]; ok {
		return p.count(bare, i+1)
	}
	switch c := p.at(i); c {
	case '+', '-':
		if p.at(i+1) == '{' {
			test, next, ok, err := p.count(smartsTest{kind: testCharge}, i+1)
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
	case '^':
		return smartsTest{}, i, false, p.fail(i, "^, RDKit's condition on hybridisation, is not supported")
	}
	if n, next, ok := p.digits(i); ok {
		// As in RDKit, an isotope and the symbol after it are a single condition.
		test := smartsTest{kind: testAll, of: []smartsTest{{kind: testIsotope, lo: n, hi: n}}}
		if symbol, end, ok := p.symbol(next); ok {
			test.of, next = append(test.of, symbol), end
		}
		return test, next, true, nil
	}
	return smartsTest{}, i, false, nil
}

// lastInSMARTS is the last element that a pattern can name by its symbol. RDKit reads [Nh] as
// N with hydrogens, not as nihonium.
const lastInSMARTS = 112

// symbol reads the symbol of an element in brackets.
func (p *smartsParser) symbol(i int) (smartsTest, int, bool) {
	c, d := p.at(i), p.at(i+1)
	if c >= 'A' && c <= 'Z' && d >= 'a' && d <= 'z' {
		if e, ok := FindElement(p.text[i : i+2]); ok && e <= lastInSMARTS {
			return symbolTest(e, false), i + 2, true
		}
	}
	if e, ok := aromaticPairs[[2]byte{c, d}]; ok {
		return symbolTest(e, true), i + 2, true
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
