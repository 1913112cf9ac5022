package space

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// A query that a product contains lies in its synthons, and each bond of the query between two synthons lies on the
// bond of an attachment point, which has room for one. A split says how: it gives every atom of the query to a
// component and every join a bond of the query or none. A product contains the query if, for one of the splits of its
// reaction, each of its synthons contains the part of the query that is given to it, with the ends of crossing bonds
// beside the right attachment points. So synthons are compared with parts of the query alone, and products are no more
// than bits that are set for a split in all of their synthons.

// split is a way to divide a query among the components of a reaction.
type split struct {
	shares [maxComponents]int32 // for each component, which of its shares
}

// share is a part of a query that lies in one component.
type share struct {
	nodes  []int32 // of the query
	pins   []pinned
	steps  []step // to place the nodes, pinned ones first and others after a neighbour where there is one
	counts counts
}

// step places a node of the query.
type step struct {
	node   int32
	pinned bool
	degree int         // in the share
	bonds  []graph.Arc // to nodes placed before
}

// pinned says that a bond of the query crosses an attachment point.
type pinned struct {
	port     int // of the component
	node, to int32
	label    graph.Label // of the bond
}

// splits are those of a query in a reaction.
type splits struct {
	list   []split
	shares [maxComponents][]share
}

// mostTried is how many choices of crossing bonds are tried, and mostSplits how many splits are looked at. Beyond,
// which takes four joins or a large query, products are compared by counts alone.
const (
	mostTried  = 1 << 19
	mostSplits = 1 << 12
)

// divide finds all splits of a query in a reaction, or reports false if there are too many to try.
func divide(q *graph.Graph, x *profile, r *Reaction) (*splits, bool) {
	d := &divider{profile: x, q: q, r: r, edges: slices.Collect(q.Edges()), known: map[string]int32{}}
	_, pieces := q.Components()
	choices, places := float64(2*len(d.edges)+1), float64(len(r.Components))
	if math.Pow(choices, float64(len(r.joins)))*math.Pow(places, float64(pieces-1)) > mostTried {
		return nil, false
	}
	d.crossing = make([]crossing, 0, len(r.joins))
	d.choose(0)
	return &d.found, len(d.found.list) <= mostSplits
}

// divider divides a query.
type divider struct {
	*profile
	q        *graph.Graph
	r        *Reaction
	edges    []graph.Edge
	crossing []crossing
	known    map[string]int32 // shares, by component and content
	found    splits
}

// crossing is a bond of the query on a join: its ends in the first and the second component of that.
type crossing struct {
	join  int
	ends  [2]int32
	edge  int
	label graph.Label
}

// choose gives the joins from one on a bond each, or none.
func (d *divider) choose(join int) {
	if join == len(d.r.joins) {
		d.assign()
		return
	}
	d.choose(join + 1)
	for i, e := range d.edges {
		if slices.ContainsFunc(d.crossing, func(c crossing) bool { return c.edge == i }) {
			continue
		}
		for _, ends := range [2][2]int32{{int32(e.From), int32(e.To)}, {int32(e.To), int32(e.From)}} {
			d.crossing = append(d.crossing, crossing{join, ends, i, e.Label})
			d.choose(join + 1)
			d.crossing = d.crossing[:len(d.crossing)-1]
		}
	}
}

// assign gives the pieces that the crossing bonds leave of the query to the components, in all ways.
func (d *divider) assign() {
	n := d.q.N()
	piece := newUnion(n)
	for i, e := range d.edges {
		if !slices.ContainsFunc(d.crossing, func(c crossing) bool { return c.edge == i }) {
			piece.join(int32(e.From), int32(e.To))
		}
	}
	owner := slices.Repeat([]int{-1}, n) // of a piece, by its first atom
	for _, c := range d.crossing {
		for side, v := range c.ends {
			at := piece.find(v)
			want := d.r.joins[c.join].at[side]
			if owner[at] >= 0 && owner[at] != want {
				return
			}
			owner[at] = want
		}
	}
	var free []int32
	for v := range int32(n) {
		if piece.find(v) == v && owner[v] < 0 {
			free = append(free, v)
		}
	}
	d.place(piece, owner, free)
}

// place gives the pieces that are still free to components and adds the splits.
func (d *divider) place(piece union, owner []int, free []int32) {
	if len(free) > 0 {
		for c := range d.r.Components {
			owner[free[0]] = c
			d.place(piece, owner, free[1:])
		}
		owner[free[0]] = -1
		return
	}
	if len(d.found.list) > mostSplits {
		return
	}
	var s split
	for c := range d.r.Components {
		var x share
		for v := range int32(d.q.N()) {
			if owner[piece.find(v)] == c {
				x.nodes = append(x.nodes, v)
			}
		}
		for _, crossing := range d.crossing {
			j := d.r.joins[crossing.join]
			for side, v := range crossing.ends {
				if j.at[side] == c {
					port := slices.Index(d.r.Components[c].ports, j.number)
					x.pins = append(x.pins, pinned{port, v, crossing.ends[1-side], crossing.label})
				}
			}
		}
		key := fmt.Sprint(c, x.nodes, x.pins)
		at, found := d.known[key]
		if !found {
			at = int32(len(d.found.shares[c]))
			d.known[key] = at
			x.order(d.q, d.profile)
			d.found.shares[c] = append(d.found.shares[c], x)
		}
		s.shares[c] = at
	}
	d.found.list = append(d.found.list, s)
}

// order finds the steps that place the nodes, and counts the share.
func (s *share) order(q *graph.Graph, x *profile) {
	inside, placed := make([]bool, q.N()), make([]bool, q.N())
	for _, v := range s.nodes {
		inside[v] = true
	}
	add := func(v int32, pinned bool) {
		if placed[v] {
			return
		}
		placed[v] = true
		t := step{node: v, pinned: pinned}
		for _, a := range q.Out(int(v)) {
			if !inside[a.To] {
				continue
			}
			t.degree++
			if placed[a.To] {
				t.bonds = append(t.bonds, a)
				if a.Label != graph.Wildcard {
					x.bond(&s.counts, a.Label)
				}
			}
		}
		if at, found := x.nodes[q.Label(int(v))]; found {
			s.counts[at]++
		}
		s.steps = append(s.steps, t)
	}
	for _, p := range s.pins {
		add(p.node, true)
	}
	for at := 0; len(s.steps) < len(s.nodes); at++ {
		if at == len(s.steps) {
			add(s.nodes[slices.IndexFunc(s.nodes, func(v int32) bool { return !placed[v] })], false)
		}
		for _, a := range q.Out(int(s.steps[at].node)) {
			if inside[a.To] {
				add(a.To, false)
			}
		}
	}
}

// fits reports whether a part with some counts may contain the share.
func (s *share) fits(c *counts) bool {
	missing := 0
	for i := atLabel; i < atOrder; i++ {
		if s.counts[i] > c[i] {
			return false
		}
	}
	for i := atOrder; i < countSize; i++ {
		missing += max(0, int(s.counts[i])-int(c[i]))
	}
	return missing <= int(c[atLoose])
}

// byPlaces joins classes of synthons as long as a split is left for which all contain their shares.
type byPlaces struct {
	splits *splits
	lists  [][]class
}

func (x *byPlaces) prepare(lists [][]class) { x.lists = lists }

func (x *byPlaces) start() kind {
	return kind{places: strings.Repeat("\xff", (len(x.splits.list)+7)/8)}
}

func (x *byPlaces) merge(a, b *class) kind {
	both := []byte(a.places)
	for i := range both {
		both[i] &= b.places[i]
	}
	return kind{places: string(both)}
}

// common reports whether both have a bit.
func common(a, b string) bool {
	for i := range len(a) {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

func (x *byPlaces) find(before *class, i int, visit func(j int)) (looked int) {
	for j := range x.lists[i] {
		if common(x.lists[i][j].places, before.places) {
			visit(j)
		}
	}
	return len(x.lists[i])
}

// kind returns the splits for which a synthon has its share, of those of its component that are found.
func (x *splits) kind(component int, found []bool) (k kind, some bool) {
	places := make([]byte, (len(x.list)+7)/8)
	for i, s := range x.list {
		if found[s.shares[component]] {
			places[i/8] |= 1 << (i % 8)
			some = true
		}
	}
	return kind{places: string(places)}, some
}
