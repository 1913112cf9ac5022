package ged

import (
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// symmetries are automorphisms of a side that are their own reverse. Once all maps that
// contain a pair of nodes were searched, those that contain an image of it earn no more: the
// search excludes all of these pairs at once.
//
// Twins have the same label and the same edges to all other nodes, so any two can be
// exchanged. The rest exchange more than two nodes, such as two equal groups at an atom or
// the sides of a ring. A symmetry is of use as long as no node that it moves is fixed, so
// each moves as few as may be. Some may be missing, which costs the search states but no
// answers.
type symmetries struct {
	twin     []int32 // the first twin of a node, or the node itself
	twinless bool

	exchanges [][2]int32 // of each symmetry, one after the other
	ends      []int32    // where they end

	twinsKnown, known bool // whether twins, and the rest, were looked for

	// Scratch of findExchanges.
	colour, next []uint64
	image        []int32
}

// forget makes nothing known of symmetries.
func (y *symmetries) forget() {
	y.twinsKnown, y.known = false, false
	y.exchanges, y.ends = y.exchanges[:0], y.ends[:0]
}

// findSymmetries looks for the twins of both sides and, with all, for their other
// symmetries, unless it has before.
func (p *problem) findSymmetries(all bool) {
	for _, s := range []*side{&p.row, &p.col} {
		if !s.twinsKnown {
			s.findTwins(p.clock)
		}
		if all && !s.known {
			s.findExchanges(p.clock)
		}
	}
}

// findTwins finds the twins of s. When time runs out, the rest count as having none.
func (s *side) findTwins(clock *clock.Clock) {
	y := &s.symmetries
	y.twin = resize(y.twin, s.n)
	y.twinless, y.twinsKnown = true, true
	for v := range s.n {
		y.twin[v] = int32(v)
		if clock.Spend(2 * v) {
			continue
		}
		arcs := s.of(v)
		for w, label := range s.labels[:v] {
			if label != s.labels[v] || y.twin[w] != int32(w) || len(s.of(w)) != len(arcs) {
				continue
			}
			// Mostly the first edges differ already.
			if near := s.of(w); len(arcs) > 0 && near[0] != arcs[0] && int(near[0].to) != v && int(arcs[0].to) != w {
				continue
			}
			if s.interchangeable(v, w) {
				y.twin[v] = int32(w)
				y.twinless = false
				break
			}
		}
	}
}

// interchangeable reports whether v and w have the same edges to all other nodes. An
// edge between them must be its own reverse, since the exchange reverses it.
func (s *side) interchangeable(v, w int) bool {
	x, y := s.of(v), s.of(w)
	i, j := 0, 0
	for {
		for i < len(x) && int(x[i].to) == w {
			i++
		}
		for j < len(y) && int(y[j].to) == v {
			j++
		}
		if i == len(x) || j == len(y) {
			break
		}
		if x[i] != y[j] {
			return false
		}
		i++
		j++
	}
	return i == len(x) && j == len(y) && s.typ(v, w) == s.typ(w, v)
}

// The search for symmetries compares nodes by what is at most colourRounds edges away, less in
// small graphs, and ends after mostTried half-edges, about a millisecond.
const (
	colourRounds = 4
	mostTried    = 1 << 16
)

// findExchanges looks for the symmetries of s that exchange more than twins.
func (s *side) findExchanges(clock *clock.Clock) {
	y := &s.symmetries
	y.known = true
	if clock.Spend(8 * colourRounds * len(s.arcs)) {
		return
	}
	s.colourNodes()
	y.image = resize(y.image, s.n)
	for v := range y.image {
		y.image[v] = -1
	}
	tried := 0
	for v := range s.n {
		if tried += v / 8; tried > mostTried || clock.Spend(v) {
			return
		}
		for w := range v {
			if y.colour[v] != y.colour[w] || y.twin[v] == y.twin[w] || y.exchanged(int32(w), int32(v)) {
				continue
			}
			from := len(y.exchanges)
			ok, cost := s.grow(int32(w), int32(v))
			for _, x := range y.exchanges[from:] {
				y.image[x[0]], y.image[x[1]] = -1, -1
			}
			if ok {
				y.ends = append(y.ends, int32(len(y.exchanges)))
			} else {
				y.exchanges = y.exchanges[:from]
			}
			if tried += cost; tried > mostTried || clock.Spend(8*cost) {
				return
			}
		}
	}
}

// colourNodes gives nodes that a symmetry may exchange the same colour.
func (s *side) colourNodes() {
	y := &s.symmetries
	y.colour, y.next = resize(y.colour, s.n), resize(y.next, s.n)
	for v, l := range s.labels {
		y.colour[v] = uint64(l) + 1
	}
	for range min(colourRounds, 1+s.n/8) {
		for v := range y.next {
			sum := y.colour[v] * 0x9e3779b97f4a7c15
			for _, h := range s.of(v) {
				x := (y.colour[h.to] ^ uint64(h.typ)<<32) * 0xff51afd7ed558ccd
				sum += x ^ x>>29
			}
			y.next[v] = sum ^ sum>>31
		}
		y.colour, y.next = y.next, y.colour
	}
}

// exchanged reports whether a symmetry exchanges v and w.
func (y *symmetries) exchanged(v, w int32) bool {
	return slices.Contains(y.exchanges, [2]int32{v, w}) || slices.Contains(y.exchanges, [2]int32{w, v})
}

// grow appends the exchange of v and w and those that it entails: where a neighbour of the
// one is none of the other, it is exchanged with one that can take its place. It reports
// whether that is a symmetry, and how many half-edges it looked at.
func (s *side) grow(v, w int32) (ok bool, tried int) {
	y := &s.symmetries
	from := len(y.exchanges)
	y.exchange(v, w)
	for at := from; at < len(y.exchanges); at++ {
		for k, x := range y.exchanges[at] {
			to := y.exchanges[at][1-k]
			for _, h := range s.of(int(x)) {
				if tried++; y.image[h.to] >= 0 || s.typ(int(to), int(h.to)) == int(h.typ) {
					continue
				}
				end := s.substitute(x, to, h)
				if end < 0 {
					return false, tried
				}
				y.exchange(h.to, end)
			}
		}
	}
	return s.keepsEdges(y.exchanges[from:]), 2 * tried
}

// keepsEdges reports whether the exchanges lead edges to edges of the same type.
func (s *side) keepsEdges(exchanges [][2]int32) bool {
	for _, pair := range exchanges {
		for k, x := range pair {
			for _, h := range s.of(int(x)) {
				end := s.image[h.to]
				if end < 0 {
					end = h.to
				}
				if s.typ(int(pair[1-k]), int(end)) != int(h.typ) {
					return false
				}
			}
		}
	}
	return true
}

func (y *symmetries) exchange(v, w int32) {
	y.image[v], y.image[w] = w, v
	y.exchanges = append(y.exchanges, [2]int32{v, w})
}

// substitute returns the neighbour of to that can take the place of the end of h, a half-edge
// at x, or -1.
func (s *side) substitute(x, to int32, h halfEdge) int32 {
	y := &s.symmetries
	for _, g := range s.of(int(to)) {
		if g.typ == h.typ && g.to != h.to && y.image[g.to] < 0 && y.colour[g.to] == y.colour[h.to] &&
			s.typ(int(x), int(g.to)) != int(h.typ) {
			return g.to
		}
	}
	return -1
}

// orbit lists the free nodes that exchanges of free nodes lead to from v. A node is free if
// numbers has one for it that is not negative.
func (y *symmetries) orbit(dst []int32, v int32, numbers []int32) []int32 {
	dst = y.add(dst[:0], v, numbers)
	for at := 0; at < len(dst) && len(y.ends) > 0; at++ {
		from := int32(0)
		for _, end := range y.ends {
			dst = y.add(dst, lead(y.exchanges[from:end], dst[at], numbers), numbers)
			from = end
		}
	}
	return dst
}

// lead returns where the exchanges lead to from v, or v if one of their nodes is not free.
func lead(exchanges [][2]int32, v int32, numbers []int32) int32 {
	to := v
	for _, x := range exchanges {
		switch {
		case numbers[x[0]] < 0 || numbers[x[1]] < 0:
			return v
		case x[0] == v:
			to = x[1]
		case x[1] == v:
			to = x[0]
		}
	}
	return to
}

// add appends v and its free twins unless dst has them.
func (y *symmetries) add(dst []int32, v int32, numbers []int32) []int32 {
	if slices.Contains(dst, v) {
		return dst
	}
	dst = append(dst, v)
	if y.twinless {
		return dst
	}
	for w, twin := range y.twin {
		if twin == y.twin[v] && int32(w) != v && numbers[w] >= 0 {
			dst = append(dst, int32(w))
		}
	}
	return dst
}

// rigid reports whether nothing is known to be exchangeable.
func (y *symmetries) rigid() bool { return y.twinless && len(y.ends) == 0 }

// orbits are the scratch of a search that excludes all images of a pair.
type orbits struct {
	rowAt, colAt []int32 // where the free nodes of a state are
	rows, cols   []int32
}

// clear makes no node free.
func (o *orbits) clear(p *problem) {
	o.rowAt, o.colAt = resize(o.rowAt, p.row.n), resize(o.colAt, p.col.n)
	for _, numbers := range [][]int32{o.rowAt, o.colAt} {
		for v := range numbers {
			numbers[v] = -1
		}
	}
}

// of sets rows and cols to the images of row i and column j.
func (o *orbits) of(p *problem, i, j int32) {
	o.rows = p.row.symmetries.orbit(o.rows, i, o.rowAt)
	o.cols = p.col.symmetries.orbit(o.cols, j, o.colAt)
}
