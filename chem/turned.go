package chem

import (
	"cmp"
	"slices"
)

// Turn is a centre or a double bond that two molecules have in common, and whose configurations differ.
type Turn struct {
	// Atoms are the centre, or both atoms of the bond, each of the first molecule and of the second.
	Atoms [][2]int
	// Before and After are the descriptors in both, as in [Stereo], 0 where there is none.
	Before, After byte
	// Stated reports whether both molecules state the configuration: then it is the opposite one. Otherwise only one
	// does.
	Stated bool
}

// mostMaps and mostPlaced limit the work of [Turns] for one pair of molecules: how many maps are compared, and how many
// atoms are laid on others to find them.
const (
	mostMaps   = 1000
	mostPlaced = 50_000
	// colourRounds is how often atoms are told apart by their neighbours at most; what remains is tried.
	colourRounds = 32
)

// Turns returns where two molecules with stated configurations differ in them: to gives for every atom of q the atom of
// t that it is, -1 for none. What counts is the arrangement of the neighbours, not the descriptor, which a substituent
// may change. A neighbour that only one molecule has stands for the one that only the other has; where there are
// several at an atom, descriptors are compared. Atoms that are equivalent without stereochemistry may be laid on each
// other in other ways than to says, and those are returned that differ least, as far as limits allow. A centre that is
// stated in one molecule and none in the other is no difference.
func Turns(q, t *Molecule, to []int) []Turn {
	if !q.Configured() && !t.Configured() {
		return nil
	}
	p := pairing{q: q, t: t, described: [2]Stereo{q.Stereo(), t.Stereo()}}
	best := p.turns(to)
	try := func(map1 []int) bool {
		if found := p.turns(map1); len(found) < len(best) {
			best = found
		}
		return len(best) > 0
	}
	if len(best) > 0 {
		t.automorphisms(func(image []int32) bool {
			map1 := make([]int, len(to))
			for v, w := range to {
				if map1[v] = w; w >= 0 {
					map1[v] = int(image[w])
				}
			}
			return try(map1)
		})
	}
	if len(best) > 0 {
		q.automorphisms(func(image []int32) bool {
			map1 := make([]int, len(to))
			for v := range to {
				map1[v] = to[image[v]]
			}
			return try(map1)
		})
	}
	return best
}

// pairing is two molecules whose configurations are compared.
type pairing struct {
	q, t      *Molecule
	described [2]Stereo
	ranks     [2]*priorities // made when they are needed
}

// turns returns the differences by a map.
func (p *pairing) turns(to []int) (list []Turn) {
	for v, w := range to {
		if w < 0 {
			continue
		}
		x, y := p.q.centreAt(v), p.t.centreAt(w)
		before, after := p.described[0].Atoms[v], p.described[1].Atoms[w]
		turn := Turn{[][2]int{{v, w}}, before, after, x != nil && y != nil}
		switch {
		case x == nil && y == nil:
			continue
		case x == nil:
			if after == 0 || !p.couldBe(0, v) {
				continue
			}
		case y == nil:
			if before == 0 || !p.couldBe(1, w) {
				continue
			}
		default:
			same, known := x.like(y, to)
			if !known {
				same = before == after
			}
			if same {
				continue
			}
		}
		list = append(list, turn)
	}
	bonds := make(map[[2]int32]int) // of t
	for i, b := range p.t.Bonds {
		bonds[[2]int32{min(b.From, b.To), max(b.From, b.To)}] = i
	}
	for i, b := range p.q.Bonds {
		u, w := to[b.From], to[b.To]
		if b.Order != Double || u < 0 || w < 0 {
			continue
		}
		j, ok := bonds[[2]int32{int32(min(u, w)), int32(max(u, w))}]
		if !ok || p.t.Bonds[j].Order != Double {
			continue
		}
		before, after := p.described[0].Bonds[i], p.described[1].Bonds[j]
		turn := Turn{[][2]int{{int(b.From), u}, {int(b.To), w}}, before, after, before != 0 && after != 0}
		switch {
		case before == 0 && after == 0:
			continue
		case before == 0:
			if !p.couldBend(0, b.From, b.To) {
				continue
			}
		case after == 0:
			if !p.couldBend(1, int32(u), int32(w)) {
				continue
			}
		default:
			if p.sameSides(b, int32(u), int32(w), to) {
				continue
			}
		}
		list = append(list, turn)
	}
	return list
}

// centreAt returns the centre of an atom, or nil.
func (m *Molecule) centreAt(v int) *centre {
	i, ok := slices.BinarySearchFunc(m.centres, int32(v), func(c centre, v int32) int { return cmp.Compare(c.atom, v) })
	if !ok {
		return nil
	}
	return &m.centres[i]
}

// like reports whether two centres have the same arrangement by a map, and whether that can be said: at most one
// neighbour of each has no counterpart.
func (c *centre) like(o *centre, to []int) (same, known bool) {
	if len(c.around) != len(o.around) {
		return false, false
	}
	place := make([]int, len(c.around)) // among the neighbours of o
	taken := make([]bool, len(o.around))
	free := -1
	for i, v := range c.around {
		place[i] = -1
		want := int32(noAtom)
		if v >= 0 {
			want = int32(to[v])
		}
		if v >= 0 && want < 0 { // it has no counterpart
			if free >= 0 {
				return false, false
			}
			free = i
			continue
		}
		for k, w := range o.around {
			if w == want && !taken[k] {
				place[i], taken[k] = k, true
				break
			}
		}
		if place[i] < 0 {
			if free >= 0 {
				return false, false
			}
			free = i
		}
	}
	if free >= 0 {
		place[free] = slices.Index(taken, false)
	}
	odd := false
	for i := range place {
		for j := range i {
			odd = odd != (place[j] > place[i])
		}
	}
	return (c.clockwise == o.clockwise) != odd, true
}

func (p *pairing) rank(side int) *priorities {
	if p.ranks[side] == nil {
		p.ranks[side] = newPriorities([2]*Molecule{p.q, p.t}[side])
	}
	return p.ranks[side]
}

// couldBe reports whether an atom for which nothing is stated could be R or S.
func (p *pairing) couldBe(side, v int) bool {
	ranks := p.rank(side)
	c := centre{atom: int32(v)}
	for _, n := range ranks.bonds[v] {
		c.around = append(c.around, n.to)
	}
	for range ranks.hydrogens[v] {
		c.around = append(c.around, noAtom)
	}
	return ranks.chirality(&c) != 0
}

// couldBend reports whether a double bond for which nothing is stated could be E or Z.
func (p *pairing) couldBend(side int, u, v int32) bool {
	ranks := p.rank(side)
	return !ranks.cyclic(u, v, leastRing-1) && ranks.twoSided(u, v) && ranks.twoSided(v, u)
}

// twoSided reports whether what is at an atom of a double bond, beside its partner, differs.
func (p *priorities) twoSided(atom, partner int32) bool {
	root := p.root(atom)
	var branches []*digraphNode
	for _, n := range p.bonds[atom] {
		if n.to != partner {
			branches = append(branches, p.add(root, n.to))
		}
	}
	for range p.hydrogens[atom] {
		branches = append(branches, p.add(root, noAtom))
	}
	return len(branches) > 0 && len(branches) <= 2 && p.order(branches)
}

// sameSides reports whether a double bond of q, which is that of u and w of t, has its neighbours on the same sides.
func (p *pairing) sameSides(b Bond, u, w int32, to []int) bool {
	x, y := p.rank(0), p.rank(1)
	same := true
	for _, end := range [][4]int32{{b.From, b.To, u, w}, {b.To, b.From, w, u}} {
		mine, above := x.markedNeighbour(end[0], end[1])
		other, aloft := y.markedNeighbour(end[2], end[3])
		same = same == (above == aloft)
		if int32(to[mine]) == other {
			continue
		}
		crossed := slices.ContainsFunc(x.bonds[end[0]], func(n neighbour) bool { // the other neighbour is marked there
			return n.to != end[1] && n.to != mine && int32(to[n.to]) == other
		}) || slices.ContainsFunc(y.bonds[end[2]], func(n neighbour) bool {
			return n.to != end[3] && n.to != other && int32(to[mine]) == n.to
		})
		same = same != crossed
	}
	return same
}

// markedNeighbour returns the neighbour of an atom of a double bond for which a side is stated, and which one.
func (p *priorities) markedNeighbour(atom, partner int32) (other int32, above bool) {
	mark := p.marked(atom, partner)
	if mark.other == atom {
		return mark.at, !mark.above
	}
	return mark.other, mark.above
}

// automorphisms calls visit with ways to lay a molecule on itself without regard to stereochemistry, image[v] being the
// atom that v is laid on, until it returns false. Of those that differ only far from all configurations it gives one.
func (m *Molecule) automorphisms(visit func(image []int32) bool) {
	w := workspace{m: m}
	w.link()
	var order []int32
	placed := make([]bool, len(m.Atoms))
	add := func(v int32) {
		if v >= 0 && !placed[v] {
			placed[v] = true
			order = append(order, v)
		}
	}
	for _, c := range m.centres {
		add(c.atom)
		for _, v := range c.around {
			add(v)
		}
	}
	for _, s := range m.slopes {
		add(s.at)
		add(s.other)
	}
	near := len(order)
	for i := 0; i < len(order) || len(order) < len(m.Atoms); i++ {
		if i == len(order) { // another piece
			add(int32(slices.Index(placed, false)))
		}
		for _, a := range w.at(order[i]) {
			add(a.to)
		}
	}
	colour := m.colours(&w)
	image, used := slices.Repeat([]int32{-1}, len(m.Atoms)), make([]bool, len(m.Atoms))
	steps, maps := 0, 0
	var lay func(i int) (found, more bool)
	lay = func(i int) (found, more bool) {
		if i == len(order) {
			maps++
			return true, visit(image) && maps < mostMaps
		}
		v := order[i]
		fits := func(to int32) bool {
			if used[to] || colour[to] != colour[v] {
				return false
			}
			for _, a := range w.at(v) {
				if image[a.to] < 0 {
					continue
				}
				k := slices.IndexFunc(w.at(to), func(b arc) bool { return b.to == image[a.to] })
				if k < 0 || m.Bonds[w.at(to)[k].bond].Order != m.Bonds[a.bond].Order {
					return false
				}
			}
			return true
		}
		candidates := make([]int32, 0, 4)
		for _, a := range w.at(v) {
			if image[a.to] >= 0 { // only its neighbours can be meant
				for _, b := range w.at(image[a.to]) {
					candidates = append(candidates, b.to)
				}
				break
			}
		}
		if len(candidates) == 0 {
			for to := range m.Atoms {
				candidates = append(candidates, int32(to))
			}
		}
		for _, to := range candidates {
			if steps++; steps > mostPlaced {
				return found, false
			}
			if !fits(to) {
				continue
			}
			image[v], used[to] = to, true
			done, further := lay(i + 1)
			image[v], used[to] = -1, false
			if found = found || done; !further {
				return found, false
			}
			if done && i >= near {
				return true, true
			}
		}
		return found, true
	}
	lay(0)
}

// colours gives equivalent atoms equal numbers, and most others different ones.
func (m *Molecule) colours(w *workspace) []uint64 {
	mix := func(h, x uint64) uint64 {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		return h ^ h>>29
	}
	hydrogens := m.Hydrogens()
	colour, next := make([]uint64, len(m.Atoms)), make([]uint64, len(m.Atoms))
	for v := range m.Atoms {
		a := &m.Atoms[v]
		colour[v] = mix(mix(mix(mix(1, uint64(a.Element)), uint64(uint8(a.Charge))), uint64(a.isotope)),
			uint64(hydrogens[v]))
	}
	classes := 0
	for range colourRounds {
		for v := range m.Atoms {
			sum := uint64(0)
			for _, a := range w.at(int32(v)) {
				sum += mix(mix(7, uint64(m.Bonds[a.bond].Order)), colour[a.to])
			}
			next[v] = mix(colour[v], sum)
		}
		colour, next = next, colour
		sorted := slices.Clone(colour)
		slices.Sort(sorted)
		count := len(slices.Compact(sorted))
		if count == classes {
			break
		}
		classes = count
	}
	return colour
}
