package chem

import (
	"fmt"
	"strings"
)

// SMARTS is a pattern of atoms and bonds to match molecules with (Daylight Theory Manual,
// chapter 4): elements, aliphatic and aromatic atoms, charges, isotopes, degrees (D),
// connectivity (X), hydrogens (H, h), valences (v), rings (R, r, k, x), bonds, the operators
// ! & , ; and recursive patterns $(…). As in RDKit, chirality marks and atom classes are read
// but not compared, / and \ are single bonds, D{2-3} is a range, and d, z and Z count
// neighbours. R, r and k count relevant rings: those that are no sum, modulo 2, of shorter ones.
// Reactions, component groups and ^ are rejected.
type SMARTS struct {
	text      string
	atoms     []smartsAtom
	bonds     []smartsBond
	recursive []*SMARTS // patterns of $(…), within others' too
}

// smartsAtom is an atom of a pattern, with its bonds to earlier atoms.
type smartsAtom struct {
	text  string
	class int
	test  smartsTest
	back  []int // numbers of bonds
}

type smartsBond struct {
	from, to int // to is the later atom
	test     smartsTest
}

// smartsTest is a condition on an atom or a bond: a kind of test with a range, or an operator
// on other tests.
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
		return nil, &SyntaxError{Column: MaxSMILES + 1, Message: fmt.Sprintf("the SMARTS has %d bytes, at most %d "+
			"are allowed", len(text), MaxSMILES)}
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

// Atoms returns the text of each atom of the pattern, such as "[O;H1]", in the order of
// [SMARTSMatcher.Match] and [SMARTS.Graph].
func (s *SMARTS) Atoms() []string {
	texts := make([]string, len(s.atoms))
	for i := range s.atoms {
		texts[i] = s.atoms[i].text
	}
	return texts
}

type smartsParser struct {
	text string
	root *SMARTS
	into *SMARTS // the pattern that is read
	deep int     // brackets and branches that are open
}

// mostNested limits the nesting of recursive patterns and branches, which are parsed
// recursively.
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
				return i, p.fail(i, "expected an atom")
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
				test := bothEnds(open.test, bond)
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
			p.into.atoms = append(p.into.atoms, smartsAtom{text: p.text[i:next], class: classOf(p.text[i:next]),
				test: test})
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
	case p.at(i+1) == '(':
		number, next, ok := p.digits(i + 2)
		if !ok || p.at(next) != ')' {
			return 0, i, p.fail(next, "found %s, expected a ring number and ')'", p.found(next))
		}
		return number, next + 1, nil
	}
	return 0, i, p.fail(i, "expected two digits or a number in parentheses after %%")
}

// bothEnds returns the condition of a ring bond, from what is written where it opens and where it
// closes, where it is seen from the other end.
func bothEnds(opens, closes *smartsTest) *smartsTest {
	if closes == nil {
		return opens
	}
	back := closes.reversed()
	if opens == nil {
		return &back
	}
	return &smartsTest{kind: testAll, of: []smartsTest{*opens, back}}
}

// reversed returns the condition of a bond as seen from its other end.
func (t *smartsTest) reversed() smartsTest {
	r := *t
	switch t.kind {
	case testDonor:
		r.kind = testAcceptor
	case testAcceptor:
		r.kind = testDonor
	}
	r.of = nil
	for i := range t.of {
		r.of = append(r.of, t.of[i].reversed())
	}
	return r
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
		test = &smartsTest{kind: testAny, of: []smartsTest{{kind: testOrder, lo: int(Single)},
			{kind: testOrder, lo: int(Aromatic)}}}
	}
	if u > v {
		u, v = v, u
	}
	p.into.atoms[v].back = append(p.into.atoms[v].back, len(p.into.bonds))
	p.into.bonds = append(p.into.bonds, smartsBond{u, v, *test})
}

// expression reads conditions and operators, by decreasing precedence: !, & (which may be
// omitted), a comma, and ;.
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
	order := func(o Order) (smartsTest, int, bool, error) {
		return smartsTest{kind: testOrder, lo: int(o)}, i + 1, true, nil
	}
	switch c := p.at(i); {
	case c == '-' && p.at(i+1) == '>':
		return smartsTest{kind: testDonor}, i + 2, true, nil
	case c == '<' && p.at(i+1) == '-':
		return smartsTest{kind: testAcceptor}, i + 2, true, nil
	case c == '-', c == '/', c == '\\':
		return order(Single)
	case c == '=':
		return order(Double)
	case c == '#':
		return order(Triple)
	case c == '$':
		return order(Quadruple)
	case c == ':':
		return order(Aromatic)
	case c == '~':
		return smartsTest{kind: testAll}, i + 1, true, nil
	case c == '@':
		return smartsTest{kind: testInRing}, i + 1, true, nil
	}
	return test, i, false, nil
}
