package chem

import "slices"

// doubleBond is a double bond with a stated configuration: a neighbour of each atom, [noAtom] for a hydrogen that is
// not an atom, and whether both are on the same side.
type doubleBond struct {
	bond   int32
	beside [2]int32 // of From and of To
	same   bool
}

// doubleBonds returns the double bonds of m with a stated configuration.
func (m *Molecule) doubleBonds() (list []doubleBond) {
	if len(m.slopes) == 0 {
		return nil
	}
	p := newPriorities(m)
	for i, b := range m.Bonds {
		if b.Order != Double || p.marked(b.From, b.To) == nil || p.marked(b.To, b.From) == nil ||
			p.cyclic(b.From, b.To, leastRing-1) {
			continue
		}
		from, above := p.markedNeighbour(b.From, b.To)
		to, aloft := p.markedNeighbour(b.To, b.From)
		list = append(list, doubleBond{int32(i), [2]int32{from, to}, above == aloft})
	}
	return list
}

// arrange turns parts of a piece over, so that its double bonds have the configurations that are stated, and then so
// that few atoms are near each other.
func (l *layout) arrange(piece []int32) {
	in := make(map[int32]bool, len(piece))
	for _, v := range piece {
		in[v] = true
	}
	for _, d := range l.doubles {
		b := l.m.Bonds[d.bond]
		if !in[b.From] {
			continue
		}
		if right, ok := l.asStated(d); ok && !right {
			l.turnOver(d)
		}
	}
	l.spread(piece)
}

// asStated reports whether a double bond is as it is stated, and whether its places say that.
func (l *layout) asStated(d doubleBond) (right, ok bool) {
	b := l.m.Bonds[d.bond]
	from, to := l.side(b.From, b.To, d.beside[0]), l.side(b.To, b.From, d.beside[1])
	if from == 0 || to == 0 {
		return false, false
	}
	return (from*to < 0) == d.same, true // from the other end, left is right
}

// side returns whether a neighbour of an atom of a double bond is to the left of it, 1, to the right, -1, or neither,
// 0, seen towards the partner. A hydrogen that has no place is opposite to the other neighbour.
func (l *layout) side(v, partner, beside int32) int {
	sign := 1
	if beside == noAtom {
		sign = -1
		for _, a := range l.workspace.at(v) {
			if a.to != partner {
				beside = a.to
			}
		}
		if beside == noAtom {
			return 0
		}
	}
	c := l.at[partner].minus(l.at[v]).cross(l.at[beside].minus(l.at[v]))
	switch {
	case c > flat:
		return sign
	case c < -flat:
		return -sign
	}
	return 0
}

// flat is the cross product of directions below which they are in a line.
const flat = 0.05

// turnOver makes a double bond E that is Z, or the other way around: outside rings what is behind it is mirrored, and
// of a ring one of its atoms is moved inwards.
func (l *layout) turnOver(d doubleBond) {
	b := l.m.Bonds[d.bond]
	if !l.workspace.rings.inRing(d.bond) {
		l.mirror(l.reach(b.To, b.From), b.From, b.To)
		return
	}
	for _, v := range [2]int32{b.From, b.To} {
		var ends []int32
		block := l.workspace.rings.of[d.bond]
		for _, a := range l.workspace.at(v) {
			if l.workspace.rings.of[a.bond] == block {
				ends = append(ends, a.to)
			}
		}
		if len(ends) != 2 {
			continue // two rings share it
		}
		moved := []int32{v}
		for _, a := range l.workspace.at(v) {
			if l.workspace.rings.of[a.bond] != block {
				moved = append(moved, l.reach(a.to, v)...)
			}
		}
		before := slices.Clone(l.at)
		l.mirror(moved, ends[0], ends[1])
		wrong := func() (n int) {
			for _, d := range l.doubles {
				if right, _ := l.asStated(d); !right {
					n++
				}
			}
			return n
		}
		after := wrong()
		turned := l.at
		l.at = before
		if after < wrong() {
			l.at = turned
			return
		}
	}
}

// mirror mirrors atoms on the line through two.
func (l *layout) mirror(atoms []int32, a, b int32) {
	p, q := l.at[a], l.at[b]
	if p == q {
		return
	}
	for _, v := range atoms {
		l.at[v] = l.at[v].mirrored(p, q)
	}
}

const (
	mostSpread  = 250 // atoms of a piece: the time grows with their cube
	spreadTurns = 4
	nearAtoms   = 0.8 // of which distance they are too near to each other
)

// spread mirrors what is behind single bonds as long as that takes atoms away from each other.
func (l *layout) spread(piece []int32) {
	if len(piece) > mostSpread || l.crowding(piece, nil) == 0 {
		return
	}
	inPiece, moved := make([]bool, len(l.at)), make([]bool, len(l.at))
	for _, v := range piece {
		inPiece[v] = true
	}
	for range spreadTurns {
		better := false
		for i, b := range l.m.Bonds {
			_, stated := l.stated[int32(i)]
			if !inPiece[b.From] || stated || l.workspace.rings.inRing(int32(i)) ||
				len(l.workspace.at(b.From)) < 2 || len(l.workspace.at(b.To)) < 2 {
				continue
			}
			part := l.reach(b.To, b.From)
			if 2*len(part) > len(piece) {
				part = l.reach(b.From, b.To)
			}
			clear(moved)
			for _, v := range part {
				moved[v] = true
			}
			now := l.crowding(piece, moved)
			if now == 0 {
				continue
			}
			places := make([]point, len(part))
			for k, v := range part {
				places[k] = l.at[v]
			}
			l.mirror(part, b.From, b.To)
			if l.crowding(piece, moved) < now-1e-9 {
				better = true
				continue
			}
			for k, v := range part {
				l.at[v] = places[k]
			}
		}
		if !better {
			return
		}
	}
}

// crowding says how much atoms are too near to each other: moved to others, or if that is nil any.
func (l *layout) crowding(piece []int32, moved []bool) (sum float64) {
	for i, v := range piece {
		for _, u := range piece[:i] {
			if moved != nil && moved[v] == moved[u] {
				continue
			}
			d := l.at[v].minus(l.at[u])
			if d.x > nearAtoms || d.x < -nearAtoms || d.y > nearAtoms || d.y < -nearAtoms {
				continue
			}
			if far := d.length(); far < nearAtoms {
				sum += (nearAtoms - far) * (nearAtoms - far)
			}
		}
	}
	return sum
}
