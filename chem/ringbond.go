package chem

import "math"

// dative is the order, while reading, of a dative or hydrogen bond, which does not add to the
// valences of its atoms.
const dative Order = Aromatic + 1

// ringBond opens or closes the ring bond with the given number at offset i.
func (p *Parser) ringBond(i int, number int32) error {
	if p.last < 0 {
		return p.fail(i, "found a ring bond, expected an atom before it")
	}
	if i > 0 && p.text[i-1] == '(' {
		return p.fail(i, "found a ring bond, expected a bond or an atom at the start of the branch")
	}
	symbol := p.pending
	p.pending = 0
	if r, ok := p.rings.take(number); ok {
		return p.closeRing(i, r, symbol)
	}
	p.beside(p.last, opened(number))
	p.rings.put(openRing{number: number, atom: p.last, at: int32(i), bond: symbol})
	return nil
}

func (p *Parser) closeRing(i int, r openRing, symbol byte) error {
	if r.atom == p.last {
		return p.fail(i, "ring bond %d joins an atom to itself", r.number)
	}
	switch symbol { // seen from the other end
	case fromDonor:
		symbol = toDonor
	case toDonor:
		symbol = fromDonor
	case '/':
		symbol = '\\'
	case '\\':
		symbol = '/'
	}
	symbol, ok := mergeSymbols(r.bond, symbol)
	if !ok {
		return p.fail(i, "ring bond %d is %q where it opens, in column %d, and %q here", r.number, r.bond, r.at+1,
			p.text[i-1])
	}
	p.closures++
	p.closed(r.atom, r.number, p.last)
	p.beside(p.last, r.atom)
	p.join(r.atom, p.last, symbol, i)
	return nil
}

// mergeSymbols returns the symbol of a ring bond from those at its ends, and
// whether they agree. The slashes mark geometry and agree with each other and
// with a single bond.
func mergeSymbols(a, b byte) (byte, bool) {
	slash := func(c byte) bool { return c == '/' || c == '\\' }
	switch {
	case a == b, b == 0:
		return a, true
	case a == 0:
		return b, true
	case slash(a) && (slash(b) || b == '-'):
		return a, true
	case slash(b) && a == '-':
		return b, true
	}
	return 0, false
}

// longRingBond reads %nn or %(n…) at offset i and returns the offset after it.
func (p *Parser) longRingBond(i int) (int, error) {
	digit := func(k int) bool { return k < len(p.text) && p.text[k] >= '0' && p.text[k] <= '9' }
	if i+1 >= len(p.text) || p.text[i+1] != '(' {
		if !digit(i+1) || !digit(i+2) {
			return i, p.fail(i, "found %%, expected a ring number of two digits or in parentheses after it")
		}
		return i + 3, p.ringBond(i, int32(p.text[i+1]-'0')*10+int32(p.text[i+2]-'0'))
	}
	number, k := 0, i+2
	for ; digit(k); k++ {
		number = number*10 + int(p.text[k]-'0')
		if number > math.MaxInt32 {
			return i, p.fail(i, "the ring number is too large")
		}
	}
	if k == i+2 || k >= len(p.text) || p.text[k] != ')' {
		return i, p.fail(k, "found %s, expected a ring number and ')'", p.found(k))
	}
	return k + 1, p.ringBond(i, int32(number))
}
