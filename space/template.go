package space

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// template is the SMILES of a synthon, taken apart at its attachment points. Each point becomes a ring bond of the
// atom beside it, so that the texts of all synthons of a product, joined by dots, are its SMILES.
type template struct {
	text  string   // with the ring bonds, numbered ringBase+port
	plain string   // with the atom * in place of every point, and no aromatic atoms outside rings
	ports []port   // by increasing number
	stars []int    // of the atoms * of plain, in the order of the text: positions in ports, -1 for other atoms
	waits bool     // some atom is aromatic only in a ring that the product closes
	atoms []string // those of plain but hydrogens, as they are written
}

// port is an attachment point.
type port struct {
	number int
	symbol byte // of the bond, 0 if none is written
	open   bool // the atom beside it is aromatic only in a ring that the product closes
	folds  bool // the atom beside it is a hydrogen, which products count with its neighbour

	// Of a part, unless it folds: the atom beside it in the graph, and the label of the bond to it, which is
	// graph.Wildcard if that depends on the rest of the product.
	beside int32
	label  graph.Label
}

// maxText is the greatest length of the SMILES of a synthon.
const maxText = 1 << 14

// ringBase is added to the number of a port, and maxPort is the greatest of these numbers.
const (
	ringBase = 90
	maxPort  = 9
)

// actinides are the attachment points written as elements, from 1.
var actinides = map[string]int{"U": 1, "Np": 2, "Pu": 3, "Am": 4}

// token is a piece of a SMILES: an atom, or a ring bond, with the bond symbol before it.
type token struct {
	start, end int
	symbol     byte // before an atom or a ring bond, 0 for none; its place is start-1
	parent     int  // of an atom or a ring bond: the token of the atom before it, or -1
	ring       int  // number of the ring bond, -1 for an atom
	port       int  // number of the attachment point, 0 for other atoms
	hydrogen   bool // the bracket states one
	mark       int  // place of its @, or -1
	lower      bool // written as aromatic
	element    bool // not hydrogen
	protium    bool // hydrogen without an isotope
	star       bool // the atom *
	branch     int  // place of the parenthesis that opens before it, or -1
	inside     bool // in a ring of the synthon
	children   int  // atoms and ring bonds after it
}

// scan splits a SMILES into atoms and ring bonds. It understands as much of the syntax as that needs; the parser
// of package chem reads the text again.
func scan(s string) ([]token, error) {
	var list []token
	var stack []int
	last, symbol, branch := -1, byte(0), -1
	add := func(start, end, ring int) *token {
		list = append(list, token{
			start: start, end: end, symbol: symbol, parent: last, ring: ring, mark: -1, branch: branch,
		})
		if last >= 0 {
			list[last].children++
		}
		symbol, branch = 0, -1
		return &list[len(list)-1]
	}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '[':
			n := strings.IndexByte(s[i:], ']')
			if n < 0 {
				return nil, fmt.Errorf("the bracket of column %d is not closed", i+1)
			}
			bracket(s, add(i, i+n+1, -1))
			last = len(list) - 1
			i += n + 1
		case c == '*' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			n := 1
			if strings.HasPrefix(s[i:], "Cl") || strings.HasPrefix(s[i:], "Br") {
				n = 2
			}
			t := add(i, i+n, -1)
			t.lower, t.element, t.star = c >= 'a', true, c == '*'
			last = len(list) - 1
			i += n
		case c >= '0' && c <= '9':
			add(i, i+1, int(c-'0'))
			i++
		case c == '%':
			n := 3
			digits := i + 1
			if i+1 < len(s) && s[i+1] == '(' {
				digits, n = i+2, strings.IndexByte(s[i:], ')')+1
			}
			if n == 0 || i+n > len(s) {
				return nil, fmt.Errorf("the ring bond of column %d is cut short", i+1)
			}
			number, err := strconv.Atoi(strings.TrimSuffix(s[digits:i+n], ")"))
			if err != nil {
				return nil, fmt.Errorf("the ring bond of column %d has no number", i+1)
			}
			add(i, i+n, number)
			i += n
		case c == '(':
			stack = append(stack, last)
			branch = i
			i++
		case c == ')':
			if len(stack) == 0 {
				return nil, fmt.Errorf("the parenthesis of column %d closes nothing", i+1)
			}
			last, stack = stack[len(stack)-1], stack[:len(stack)-1]
			i++
		case c == '.':
			last = -1
			i++
		default:
			symbol = c
			i++
		}
	}
	return list, nil
}

// bracket reads what a bracket atom says about attachment points, hydrogens and chirality.
func bracket(s string, t *token) {
	body := s[t.start+1 : t.end-1]
	body, class, _ := strings.Cut(body, ":")
	rest := strings.TrimLeft(body, "0123456789")
	isotope := body[:len(body)-len(rest)]
	t.star = rest == "*"
	switch {
	case rest == "*" && isotope != "":
		t.port, _ = strconv.Atoi(isotope)
	case rest == "*":
		t.port, _ = strconv.Atoi(class)
	case isotope == "" && class == "":
		t.port = actinides[rest]
	}
	t.element = !strings.HasPrefix(rest, "H") || len(rest) > 1 && rest[1] >= 'a' && rest[1] <= 'z'
	t.protium = !t.element && strings.Trim(isotope, "0") == ""
	t.lower = rest != "" && rest[0] >= 'a' && rest[0] <= 'z'
	if at := strings.IndexByte(body, '@'); at >= 0 {
		t.mark = t.start + 1 + at
	}
	symbol := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz")
	if len(symbol) > 1 && symbol[0] >= 'A' { // the first letter of an element
		symbol = symbol[1:]
	}
	t.hydrogen = strings.Contains(symbol, "H")
}

// parseTemplate takes the SMILES of a synthon apart. The attachment points in kept stay atoms.
func parseTemplate(s string, kept []int) (*template, error) {
	if len(s) > maxText {
		return nil, fmt.Errorf("the SMILES has %d bytes, at most %d are supported", len(s), maxText)
	}
	list, err := scan(s)
	if err != nil {
		return nil, err
	}
	markRings(list)
	x := &template{}
	cuts := make([]cut, len(list))
	for i := range list {
		t := &list[i]
		if slices.Contains(kept, t.port) {
			t.port = 0
		}
		if t.ring >= ringBase {
			return nil, fmt.Errorf("the ring bond %d: attachment points become those from %d on; use lower ones",
				t.ring, ringBase)
		}
		if t.port == 0 || t.ring >= 0 {
			continue
		}
		if t.port > maxPort {
			return nil, fmt.Errorf("the attachment point %s: expected numbers from 1 to %d", s[t.start:t.end], maxPort)
		}
		if err := x.take(s, list, i, cuts); err != nil {
			return nil, err
		}
	}
	for _, t := range list {
		if t.port > 0 || t.star {
			x.stars = append(x.stars, slices.IndexFunc(x.ports, func(p port) bool { return p.number == t.port }))
		}
		x.waits = x.waits || t.ring < 0 && t.lower && !t.inside
		if t.ring < 0 && t.element {
			x.atoms = append(x.atoms, s[t.start:t.end])
		}
	}
	x.write(s, list, cuts)
	return x, nil
}

// cut says what becomes of a token.
type cut struct {
	gone bool
	from int    // for a point after an atom: where what is removed begins
	to   int    // and ends
	turn bool   // its chirality mark is turned
	text string // of the ring bonds
}

// take removes the attachment point of token i, and notes the ring bond in its place.
func (x *template) take(s string, list []token, i int, cuts []cut) error {
	t := &list[i]
	beside, symbol := t.parent, t.symbol
	c := &cuts[i]
	c.gone, c.from, c.to = true, t.start, t.end
	switch {
	case beside >= 0 && t.children == 0: // after its atom
		if t.symbol != 0 {
			c.from--
		}
		if t.branch >= 0 && t.end < len(s) && s[t.end] == ')' {
			c.from, c.to = t.branch, t.end+1
		}
	case beside < 0 && t.children == 1 && i+1 < len(list) && list[i+1].parent == i &&
		list[i+1].ring < 0 && list[i+1].branch < 0:
		beside, symbol = i+1, list[i+1].symbol
		if c.to = list[i+1].start; symbol == '/' || symbol == '\\' { // seen from the other end now
			symbol = '/' + '\\' - symbol
		}
		if list[beside].hydrogen { // it comes before the ring bond
			cuts[beside].turn = !cuts[beside].turn
		}
	default:
		return fmt.Errorf("the attachment point %s of column %d: expected one bond", s[t.start:t.end], t.start+1)
	}
	if list[beside].port > 0 {
		return fmt.Errorf("the attachment point %s of column %d: expected an atom beside it", s[t.start:t.end],
			t.start+1)
	}
	if t.parent >= 0 { // it moves before the ring bonds and branches between
		for j := beside + 1; j < i; j++ {
			if list[j].parent == beside && list[j].port == 0 {
				cuts[beside].turn = !cuts[beside].turn
			}
		}
	}
	a := &list[beside]
	p := port{number: t.port, symbol: symbol, open: a.lower && !a.inside, folds: a.protium && len(list) == 2}
	at := 0
	for at < len(x.ports) && x.ports[at].number < p.number {
		at++
	}
	if at < len(x.ports) && x.ports[at].number == p.number {
		return fmt.Errorf("the attachment point %s twice, expected once", s[t.start:t.end])
	}
	x.ports = slices.Insert(x.ports, at, p)
	ring := fmt.Sprintf("%%%d", ringBase+p.number)
	switch {
	case symbol != 0:
		ring = string(symbol) + ring
	case a.lower && a.inside:
		ring = "-" + ring
	}
	cuts[beside].text += ring
	return nil
}

// write writes the texts of a template.
func (x *template) write(s string, list []token, cuts []cut) {
	var text, plain strings.Builder
	at, seen := 0, 0 // in s: written to text and to plain
	for i, t := range list {
		c := &cuts[i]
		if c.gone {
			text.WriteString(s[at:c.from])
			at = c.to
			plain.WriteString(s[seen:t.start])
			plain.WriteByte('*')
			seen = t.end
			continue
		}
		if t.ring >= 0 {
			continue
		}
		text.WriteString(s[at:t.start])
		atom := s[t.start:t.end]
		if c.turn && t.mark >= 0 {
			mark := t.mark - t.start
			if strings.HasPrefix(atom[mark:], "@@") {
				atom = atom[:mark] + atom[mark+1:]
			} else {
				atom = atom[:mark] + "@" + atom[mark:]
			}
		}
		text.WriteString(atom)
		text.WriteString(c.text)
		at = t.end
		if t.lower && !t.inside {
			plain.WriteString(s[seen:t.start])
			plain.WriteString(upper(s[t.start:t.end]))
			seen = t.end
		}
	}
	text.WriteString(s[at:])
	plain.WriteString(s[seen:])
	x.text, x.plain = text.String(), plain.String()
}

// upper returns an aromatic atom as an aliphatic one.
func upper(atom string) string {
	for i := range len(atom) {
		if c := atom[i]; c >= 'a' && c <= 'z' {
			return atom[:i] + string(c-'a'+'A') + atom[i+1:]
		}
	}
	return atom
}

// markRings marks the atoms that are in a ring of the synthon itself.
func markRings(list []token) {
	// A ring bond closes the ring of the path between its two atoms in the tree of parents.
	open := map[int]int{}
	on := make([]int, len(list)) // the ring bond on whose path to the first atom an atom is
	for i := range list {
		t := &list[i]
		if t.ring < 0 {
			continue
		}
		first, found := open[t.ring]
		if !found {
			open[t.ring] = t.parent
			continue
		}
		delete(open, t.ring)
		for v := first; v >= 0; v = list[v].parent {
			on[v] = i
		}
		meet := t.parent
		for meet >= 0 && on[meet] != i {
			meet = list[meet].parent
		}
		if meet < 0 {
			continue
		}
		for _, end := range [2]int{first, t.parent} {
			for v := end; v != meet; v = list[v].parent {
				list[v].inside = true
			}
		}
		list[meet].inside = true
	}
}
