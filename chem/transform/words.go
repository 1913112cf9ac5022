package transform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// group is what chemists call a fragment.
type group struct{ symbol, word string }

// groupOf returns the group of a fragment, if it has a name. A word is there where it reads
// better than the symbol.
func groupOf(smiles string) (g group, ok bool) {
	g, ok = map[string]group{
		"[*:1][H]": {"H", "hydrogen"}, "[*:1]F": {"F", "fluorine"}, "[*:1]Cl": {"Cl", "chlorine"},
		"[*:1]Br": {"Br", "bromine"}, "[*:1]I": {"I", "iodine"},
		"[*:1]C": {"Me", "methyl"}, "[*:1]CC": {"Et", "ethyl"}, "[*:1]CCC": {"Pr", "propyl"},
		"[*:1]C(C)C": {"iPr", "isopropyl"},
		"[*:1]CCCC":  {"Bu", "butyl"}, "[*:1]CC(C)C": {"iBu", "isobutyl"}, "[*:1]C(C)(C)C": {"tBu", "tert-butyl"},
		"[*:1]C=C": {"vinyl", "vinyl"}, "[*:1]CC=C": {"allyl", "allyl"},
		"[*:1]C(F)(F)F": {"CF3", "trifluoromethyl"}, "[*:1]OC(F)(F)F": {"OCF3", "trifluoromethoxy"},
		"[*:1]O": {"OH", "hydroxyl"}, "[*:1]OC": {"OMe", "methoxy"}, "[*:1]OCC": {"OEt", "ethoxy"},
		"[*:1]CO": {"CH2OH", "hydroxymethyl"}, "[*:1]Oc1ccccc1": {"OPh", "phenoxy"},
		"[*:1]S": {"SH", "thiol"}, "[*:1]SC": {"SMe", "methylthio"},
		"[*:1]N": {"NH2", "amino"}, "[*:1]NC": {"NHMe", "methylamino"}, "[*:1]N(C)C": {"NMe2", "dimethylamino"},
		"[*:1][N+](=O)[O-]": {"NO2", "nitro"},
		"[*:1]C#N":          {"CN", "cyano"}, "[*:1]N=[N+]=[N-]": {"N3", "azido"},
		"[*:1]NC(=O)C": {"NHAc", "acetamido"},
		"[*:1]C=O":     {"CHO", "formyl"}, "[*:1]C(=O)C": {"Ac", "acetyl"}, "[*:1]C(=O)O": {"CO2H", "carboxyl"},
		"[*:1]C(=O)[O-]": {"CO2-", "carboxylate"},
		"[*:1]C(=O)OC":   {"CO2Me", "methoxycarbonyl"}, "[*:1]C(=O)OCC": {"CO2Et", "ethoxycarbonyl"},
		"[*:1]C(=O)N": {"CONH2", "carbamoyl"}, "[*:1]OC(=O)C": {"OAc", "acetoxy"},
		"[*:1]S(=O)(=O)C": {"SO2Me", "methylsulfonyl"}, "[*:1]S(=O)(=O)N": {"SO2NH2", "sulfamoyl"},
		"[*:1]S(=O)(=O)O": {"SO3H", "sulfo"},
		"[*:1]c1ccccc1":   {"Ph", "phenyl"}, "[*:1]Cc1ccccc1": {"Bn", "benzyl"},
		"[*:1]C(=O)c1ccccc1": {"Bz", "benzoyl"},
		"[*:1]C1CCCCC1":      {"Cy", "cyclohexyl"},
		"[*:1]C(=O)O[*:2]":   {"ester", ""}, "[*:1]C(=O)N[*:2]": {"amide", ""}, "[*:1]C(=O)S[*:2]": {"thioester", ""},
		"[*:1]NS(=O)(=O)[*:2]": {"sulfonamide", ""},
		"[*:1]C(=O)[*:2]":      {"ketone", ""}, "[*:1]O[*:2]": {"ether", ""}, "[*:1]S[*:2]": {"thioether", ""},
		"[*:1]S(=O)[*:2]": {"sulfoxide", ""}, "[*:1]S(=O)(=O)[*:2]": {"sulfone", ""},
		"[*:1]C1CC1": {"cPr", "cyclopropyl"}, "[*:1]N1CCOCC1": {"morpholine", "morpholine"},
		"[*:1]N1CCCCC1": {"piperidine", "piperidine"}, "[*:1]N1CCCC1": {"pyrrolidine", "pyrrolidine"},
	}[smiles]
	return g, ok
}

// words says a transformation as a chemist would: what a single change is, else which groups
// are exchanged, else the fragments themselves.
func (b *board) words(p piece, t *Transformation) string {
	from, known := groupOf(t.From)
	to, also := groupOf(t.To)
	switch hydrogen, _ := groupOf("[*:1][H]"); {
	case t.From == "":
		return t.To + " added"
	case t.To == "":
		return t.From + " removed"
	case len(t.At) == 1 && from == hydrogen:
		return cmp.Or(to.word, t.To) + " added"
	case len(t.At) == 1 && to == hydrogen:
		return cmp.Or(from.word, t.From) + " removed"
	case known && also:
		return from.symbol + " → " + to.symbol
	}
	if text := b.change(p).words(); text != "" {
		return text
	}
	return cmp.Or(from.symbol, t.From) + " → " + cmp.Or(to.symbol, t.To)
}

// change is what differs in a piece, by nodes and links.
type change struct {
	b                            *board
	deleted, inserted, exchanged []int   // nodes
	broken, made, altered        []*link // between kept nodes
}

func (b *board) change(p piece) *change {
	c := &change{b: b}
	for _, node := range p.nodes {
		switch {
		case b.atoms[node][1] < 0:
			c.deleted = append(c.deleted, node)
		case b.atoms[node][0] < 0:
			c.inserted = append(c.inserted, node)
		case b.exchanged(node):
			c.exchanged = append(c.exchanged, node)
		}
		for _, k := range b.at[node] {
			l := &b.links[k]
			if node != min(l.from, l.to) || !b.changed(l) {
				continue // seen from one end
			}
			switch {
			case l.bond[1] < 0:
				c.broken = append(c.broken, l)
			case l.bond[0] < 0:
				c.made = append(c.made, l)
			default:
				c.altered = append(c.altered, l)
			}
		}
	}
	return c
}

// words says a change of one kind, and returns "" for others.
func (c *change) words() string {
	d, i, x, broken, made, altered := len(c.deleted), len(c.inserted), len(c.exchanged), len(c.broken), len(c.made),
		len(c.altered)
	one := func(n ...int) bool { // the first of n is 1, the others 0
		return n[0] == 1 && !slices.ContainsFunc(n[1:], func(x int) bool { return x != 0 })
	}
	switch {
	case one(broken, d, i, x, made, altered):
		if size := c.b.q.ringSize(c.broken[0].bond[0]); size > 0 {
			return fmt.Sprintf("%d-ring opened", size)
		}
		return "bond broken"
	case one(made, d, i, x, broken, altered):
		if size := c.b.t.ringSize(c.made[0].bond[1]); size > 0 {
			return fmt.Sprintf("%d-ring closed", size)
		}
		return "bond made"
	case one(broken, d, i, x, altered, made-1):
		return c.moved()
	case x > 0 && d+i+broken+made+altered == 0:
		return c.atoms()
	case altered > 0 && d+i+x+broken+made == 0:
		return c.orders()
	case one(i, d, x, altered, broken-1, made):
		return c.within(1, c.inserted[0], c.broken[0], "inserted")
	case one(d, i, x, altered, made-1, broken):
		return c.within(0, c.deleted[0], c.made[0], "taken out")
	}
	return ""
}

// atoms says which atoms were exchanged, and where.
func (c *change) atoms() string {
	var parts, from, to []string
	for _, node := range c.exchanged {
		v, w := c.b.atoms[node][0], c.b.atoms[node][1]
		where := "a chain"
		for _, k := range c.b.at[node] {
			if bond := c.b.links[k].bond[0]; bond >= 0 && c.b.q.ring[bond] {
				where = "a ring"
				if c.b.q.order(bond) == chem.Aromatic {
					where = "an aromatic ring"
					break
				}
			}
		}
		from, to = append(from, c.b.q.symbol(v)), append(to, c.b.t.symbol(w))
		parts = append(parts, c.b.q.symbol(v)+" → "+c.b.t.symbol(w)+" in "+where)
	}
	if len(from) == 2 && from[0] == to[1] && from[1] == to[0] && slices.Contains(from, "C") {
		return max(from[0], from[1]) + " and " + min(from[0], from[1]) + " changed places"
	}
	return strings.Join(parts, ", ")
}

// orders says which bonds became others.
func (c *change) orders() string {
	var gone, come int // aromatic bonds
	for _, l := range c.altered {
		if c.b.q.order(l.bond[0]) == chem.Aromatic {
			gone++
		}
		if c.b.t.order(l.bond[1]) == chem.Aromatic {
			come++
		}
	}
	switch {
	case gone == len(c.altered) && come == 0:
		return "aromatic ring reduced"
	case come == len(c.altered) && gone == 0:
		return "ring made aromatic"
	case gone+come > 0:
		return ""
	}
	var parts []string
	for _, l := range c.altered {
		parts = append(parts, c.b.q.bondText(l.bond[0])+" → "+c.b.t.bondText(l.bond[1]))
	}
	return strings.Join(parts, ", ")
}

// within says that an atom stands between two others that were bonded, or no longer does.
// side is that on which it is there; bond is the one on the other side.
func (c *change) within(side, node int, bond *link, what string) string {
	var near []int
	for _, k := range c.b.at[node] {
		near = append(near, c.b.links[k].other(node))
	}
	slices.Sort(near)
	if !slices.Equal(near, []int{min(bond.from, bond.to), max(bond.from, bond.to)}) {
		return ""
	}
	with, without := c.b.sides()[side], c.b.sides()[1-side]
	v := c.b.atoms[node][side]
	long := with.ringSize(int(with.near[v][0].bond))
	short := without.ringSize(bond.bond[1-side])
	switch {
	case short > 0 && side == 1:
		return fmt.Sprintf("%d-ring → %d-ring", short, long)
	case short > 0:
		return fmt.Sprintf("%d-ring → %d-ring", long, short)
	}
	return with.group(v) + " " + what
}

// moved says which group left one atom for another.
func (c *change) moved() string {
	from, to := c.broken[0], c.made[0]
	if from.from != to.from && from.from != to.to {
		from = &link{from: from.to, to: from.from, bond: from.bond}
	}
	held := from.from
	if held != to.from && held != to.to {
		return ""
	}
	if c.b.q.ring[from.bond[0]] || c.b.t.ring[to.bond[1]] || c.b.q.order(from.bond[0]) != c.b.t.order(to.bond[1]) {
		return ""
	}
	// What hangs on the bond that was broken.
	q, v := c.b.q, c.b.atoms[held][0]
	branch, seen := []int{int(v)}, map[int32]bool{v: true, c.b.atoms[from.to][0]: true}
	for i := 0; i < len(branch); i++ {
		for _, a := range q.near[branch[i]] {
			if !seen[a.to] {
				seen[a.to] = true
				branch = append(branch, int(a.to))
			}
		}
	}
	text, err := q.write(branch, []int{0})
	if g, ok := groupOf(text); ok && err == nil {
		return g.symbol + " moved"
	}
	return "substituent moved"
}

// symbol returns the symbol of an atom.
func (m *Molecule) symbol(v int32) string { return m.graph.LabelText(int(v)) }

// group returns an atom with its hydrogens: CH2.
func (m *Molecule) group(v int32) string {
	switch h := m.hydrogens[v]; h {
	case 0:
		return m.symbol(v)
	case 1:
		return m.symbol(v) + "H"
	default:
		return fmt.Sprintf("%sH%d", m.symbol(v), h)
	}
}

// bondText returns a bond with its atoms: C=O.
func (m *Molecule) bondText(bond int) string {
	x := m.mol.Bonds[bond]
	u, v := m.symbol(x.From), m.symbol(x.To)
	if u > v {
		u, v = v, u
	}
	sign := map[chem.Order]string{chem.AnyOrder: "~", chem.Single: "–", chem.Double: "=", chem.Triple: "≡",
		chem.Quadruple: "≣", chem.Aromatic: ":"}
	return u + sign[m.order(bond)] + v
}

// ringSize returns the size of the smallest ring that has a bond, 0 if none has.
func (m *Molecule) ringSize(bond int) int {
	if !m.ring[bond] {
		return 0
	}
	from, to := int(m.mol.Bonds[bond].From), int(m.mol.Bonds[bond].To)
	distance := map[int]int{from: 1}
	queue := []int{from}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, a := range m.near[v] {
			w := int(a.to)
			if _, seen := distance[w]; seen || v == from && w == to {
				continue
			}
			distance[w] = distance[v] + 1
			queue = append(queue, w)
		}
	}
	return distance[to]
}
