package chem

import (
	"math"
	"slices"
)

// point is a place in the plane, in lengths of a bond.
type point struct{ x, y float64 }

func (p point) plus(q point) point      { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point     { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point   { return point{p.x * f, p.y * f} }
func (p point) cross(q point) float64   { return p.x*q.y - p.y*q.x }
func (p point) dot(q point) float64     { return p.x*q.x + p.y*q.y }
func (p point) length() float64         { return math.Hypot(p.x, p.y) }
func (p point) angle() float64          { return math.Atan2(p.y, p.x) }
func toward(angle float64) point        { return point{math.Cos(angle), math.Sin(angle)} }
func (p point) far(q point) float64     { return p.minus(q).length() }
func (p point) turned(by float64) point { return turn(p, toward(by)) }

// turn multiplies two points as complex numbers.
func turn(p, by point) point { return point{p.x*by.x - p.y*by.y, p.x*by.y + p.y*by.x} }

// mirrored returns p on the other side of the line through a and b.
func (p point) mirrored(a, b point) point {
	d := b.minus(a)
	f := p.minus(a).dot(d) / d.dot(d)
	foot := a.plus(d.times(f))
	return foot.times(2).minus(p)
}

// layout places the atoms of a molecule in the plane as chemists draw them: rings as polygons that share sides, chains
// as zigzags, pieces side by side.
type layout struct {
	workspace
	orders []Order // [bonds] in Kekulé form
	at     []point // [atoms]
	placed []bool  // [atoms]
	left   []int32 // placed atoms whose neighbours may not be
	local  map[int32]map[int32]point
	blocks map[int32][]int32 // [atoms] of which blocks an atom is

	doubles []doubleBond  // whose configuration is stated
	stated  map[int32]int // [bonds] their positions in doubles
}

// layOut returns the places of all atoms. Double bonds with a stated configuration have their neighbours on the sides
// that it says, where rings allow.
func (m *Molecule) layOut() []point {
	l := &layout{orders: m.kekuleOrders(), at: make([]point, len(m.Atoms)), placed: make([]bool, len(m.Atoms)),
		local: make(map[int32]map[int32]point), blocks: make(map[int32][]int32), doubles: m.doubleBonds(),
		stated: make(map[int32]int)}
	for i, d := range l.doubles {
		l.stated[d.bond] = i
	}
	l.m = m
	l.link()
	l.workspace.rings.find(l.start, l.arcs, len(m.Bonds))
	for b := range int32(l.workspace.rings.count()) {
		for _, bond := range l.workspace.rings.block(int(b)) {
			for _, v := range []int32{m.Bonds[bond].From, m.Bonds[bond].To} {
				if !slices.Contains(l.blocks[v], b) {
					l.blocks[v] = append(l.blocks[v], b)
				}
			}
		}
	}
	edge := 0.0
	for v := range int32(len(m.Atoms)) {
		if l.placed[v] {
			continue
		}
		piece := l.piece(v)
		l.arrange(piece)
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range piece {
			low, high = min(low, l.at[v].x), max(high, l.at[v].x)
		}
		for _, v := range piece {
			l.at[v].x += edge - low
		}
		edge += high - low + betweenPieces
	}
	return l.at
}

// betweenPieces is the gap between pieces.
const betweenPieces = 1.5

// piece places what is connected to an atom, and returns its atoms.
func (l *layout) piece(v int32) []int32 {
	first := l.reach(v, noAtom)
	start := v
	most := 0
	for _, u := range first { // the largest ring system, or else an end
		for _, b := range l.blocks[u] {
			if n := len(l.workspace.rings.block(int(b))); n > most {
				start, most = u, n
			}
		}
		if most == 0 && len(l.workspace.at(u)) < len(l.workspace.at(start)) {
			start = u
		}
	}
	if most > 0 {
		for _, b := range l.blocks[start] {
			if len(l.workspace.rings.block(int(b))) == most {
				l.stamp(l.ringSystem(b), start, point{}, point{1, 0})
				break
			}
		}
	} else {
		l.put(start, point{})
	}
	for len(l.left) > 0 {
		u := l.left[0]
		l.left = l.left[1:]
		l.surround(u)
	}
	return first
}

// reach returns the atoms connected to v, without those behind the bond between v and without.
func (l *layout) reach(v, without int32) []int32 {
	seen := map[int32]bool{v: true, without: true}
	list := []int32{v}
	for i := 0; i < len(list); i++ {
		for _, a := range l.workspace.at(list[i]) {
			if !seen[a.to] {
				seen[a.to] = true
				list = append(list, a.to)
			}
		}
	}
	return list
}

func (l *layout) put(v int32, p point) {
	l.at[v], l.placed[v] = p, true
	l.left = append(l.left, v)
}

// stamp places a ring system so that its atom v is at p, and the direction away of the system becomes that of along.
func (l *layout) stamp(system map[int32]point, v int32, p, along point) {
	out := l.outward(system, v)
	by := turn(along, point{out.x, -out.y})
	atoms := make([]int32, 0, len(system))
	for u := range system {
		atoms = append(atoms, u)
	}
	slices.Sort(atoms)
	for _, u := range atoms {
		if !l.placed[u] {
			l.put(u, p.plus(turn(system[u].minus(system[v]), by)))
		}
	}
}

// outward returns the unit direction from atom v out of its ring system.
func (l *layout) outward(system map[int32]point, v int32) point {
	var angles []float64
	for _, a := range l.workspace.at(v) {
		if q, ok := system[a.to]; ok {
			angles = append(angles, q.minus(system[v]).angle())
		}
	}
	from, gap := widest(angles)
	return toward(from + gap/2)
}

// widest returns where the widest gap between directions begins, anticlockwise, and how wide it is.
func widest(angles []float64) (from, gap float64) {
	if len(angles) == 0 {
		return 0, 2 * math.Pi
	}
	slices.Sort(angles)
	from, gap = angles[len(angles)-1], angles[0]+2*math.Pi-angles[len(angles)-1]
	for i := range angles[1:] {
		if g := angles[i+1] - angles[i]; g > gap+1e-6 {
			from, gap = angles[i], g
		}
	}
	return from, gap
}

// surround places the neighbours of an atom that are not yet.
func (l *layout) surround(v int32) {
	var angles []float64
	var open []int32 // bonds out of what is placed; of a ring system one
	systems := make(map[int32]int32)
	for _, a := range l.workspace.at(v) {
		block := l.workspace.rings.of[a.bond]
		switch {
		case l.placed[a.to]:
			angles = append(angles, l.at[a.to].minus(l.at[v]).angle())
		case block >= 0: // a ring that shares this atom alone
			if _, ok := systems[block]; !ok {
				systems[block] = a.to
				open = append(open, a.to)
			}
		default:
			open = append(open, a.to)
		}
	}
	if len(open) == 0 {
		return
	}
	l.takeSides(v, open)
	from, gap := widest(angles)
	directions := l.directions(v, from, gap, len(angles), len(open))
	for i, u := range open {
		along := toward(directions[i])
		spiro := noAtom
		for block, first := range systems {
			if first == u {
				spiro = int(block)
			}
		}
		switch {
		case spiro != noAtom:
			l.stamp(l.ringSystem(int32(spiro)), v, l.at[v], along.times(-1))
		case len(l.blocks[u]) > 0:
			system := l.ringSystem(l.blocks[u][0])
			for _, b := range l.blocks[u][1:] {
				if other := l.ringSystem(b); len(other) > len(system) {
					system = other
				}
			}
			l.stamp(system, u, l.at[v].plus(along), along.times(-1))
		default:
			l.put(u, l.at[v].plus(along))
		}
	}
}

// takeSides orders two new neighbours of an atom of a double bond with a stated configuration, so that the one on the
// left seen from its partner comes first.
func (l *layout) takeSides(v int32, open []int32) {
	d, before, ok := l.statedAt(v)
	if !ok || len(open) != 2 {
		return
	}
	b := l.m.Bonds[d.bond]
	mine, theirs := d.beside[1], d.beside[0]
	if b.From == v {
		mine, theirs = theirs, mine
	}
	side := l.side(before, v, theirs)
	if !d.same {
		side = -side
	}
	// Seen from v, the first of two is on the right of the way back.
	if i := slices.Index(open, mine); i >= 0 && side != 0 && (side > 0) != (i == 1) {
		open[0], open[1] = open[1], open[0]
	}
}

// statedAt returns the double bond with a stated configuration that leads to v from a placed atom.
func (l *layout) statedAt(v int32) (d doubleBond, before int32, ok bool) {
	for _, a := range l.workspace.at(v) {
		if i, found := l.stated[a.bond]; found && l.placed[a.to] {
			return l.doubles[i], a.to, true
		}
	}
	return d, 0, false
}

// directions returns the angles of n new neighbours of an atom with so many placed ones, in the widest gap.
func (l *layout) directions(v int32, from, gap float64, placed, n int) []float64 {
	if placed == 1 && n == 1 && !l.straight(v) {
		return []float64{l.zigzag(v, from)}
	}
	list := make([]float64, n)
	if placed == 0 {
		for i := range list {
			list[i] = from + 2*math.Pi*float64(i)/float64(n)
		}
		return list
	}
	for i := range list {
		list[i] = from + gap*float64(i+1)/float64(n+1)
	}
	return list
}

// straight reports whether the two bonds of an atom are in a line.
func (l *layout) straight(v int32) bool {
	doubles := 0
	for _, a := range l.workspace.at(v) {
		switch l.orders[a.bond] {
		case Triple, Quadruple:
			return true
		case Double:
			doubles++
		}
	}
	return doubles == 2
}

// zigzag returns the direction from v that continues a chain, given that to the atom before.
func (l *layout) zigzag(v int32, back float64) float64 {
	var before int32
	for _, a := range l.workspace.at(v) {
		if l.placed[a.to] {
			before = a.to
		}
	}
	side := 1.0
	if d, from, ok := l.statedAt(v); ok && from == before {
		theirs := d.beside[0]
		if l.m.Bonds[d.bond].From == v {
			theirs = d.beside[1]
		}
		beyond := l.side(before, v, theirs)
		if hidden := d.beside[0] == noAtom || d.beside[1] == noAtom; hidden && theirs != noAtom {
			beyond = -beyond // what is stated is where the hydrogen is
		}
		if beyond != 0 {
			if (beyond > 0) == d.same {
				return back - 2*math.Pi/3
			}
			return back + 2*math.Pi/3
		}
	}
	for _, a := range l.workspace.at(before) { // away from what is there already
		if a.to == v || !l.placed[a.to] {
			continue
		}
		c := l.at[v].minus(l.at[before]).cross(l.at[a.to].minus(l.at[before]))
		if math.Abs(c) > 1e-6 {
			if c > 0 {
				side = 1
			} else {
				side = -1
			}
			break
		}
	}
	return back + side*2*math.Pi/3
}
