package space

import (
	"cmp"
	"fmt"
	"slices"

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

// mostTried is how many steps are taken to find splits, and mostSplits how many are looked at. Beyond, which takes many
// joins or a large query, products are compared by counts alone.
const (
	mostTried  = 1 << 19
	mostSplits = 1 << 12
)

// divide finds all splits of a query in a reaction, or reports false if they are too many.
func divide(q *graph.Graph, x *profile, r *Reaction) (*splits, bool) {
	d := &divider{profile: x, q: q, r: r, crossing: make([]crossing, len(r.joins)), known: map[string]int32{}}
	d.owner = slices.Repeat([]int{-1}, q.N())
	var all share
	for v := range int32(q.N()) {
		all.nodes = append(all.nodes, v)
	}
	all.order(q, x)
	d.give(all.steps)
	return &d.found, !d.tooMany()
}

// divider divides a query.
type divider struct {
	*profile
	q        *graph.Graph
	r        *Reaction
	owner    []int            // [n_q] the component of a node, -1: none yet
	crossing []crossing       // [joins]
	known    map[string]int32 // shares, by component and content
	found    splits
	tried    int
}

// crossing is a bond of the query on a join, if there is one: its ends in the first and the second component of that.
type crossing struct {
	used  bool
	ends  [2]int32
	label graph.Label
}

func (d *divider) tooMany() bool { return d.tried > mostTried || len(d.found.list) > mostSplits }

// give gives the nodes of steps to components, in all ways. Each step after the first of a connected piece is a
// neighbour of one before, so there are few ways: it has the same component, or takes a join.
func (d *divider) give(steps []step) {
	if d.tried++; d.tooMany() {
		return
	}
	if len(steps) == 0 {
		d.add()
		return
	}
	s := &steps[0]
	for c := range d.r.Components {
		d.owner[s.node] = c
		d.cross(s.node, s.bonds, steps[1:])
	}
	d.owner[s.node] = -1
}

// cross puts those bonds of a node that lead to other components on joins, in all ways, and goes on with the steps.
func (d *divider) cross(v int32, bonds []graph.Arc, steps []step) {
	if len(bonds) == 0 {
		d.give(steps)
		return
	}
	w := bonds[0].To
	if d.owner[v] == d.owner[w] {
		d.cross(v, bonds[1:], steps)
		return
	}
	for i, j := range d.r.joins {
		ends := [2]int32{v, w}
		if d.owner[v] != j.at[0] {
			ends = [2]int32{w, v}
		}
		if c := &d.crossing[i]; !c.used && d.owner[ends[0]] == j.at[0] && d.owner[ends[1]] == j.at[1] {
			*c = crossing{true, ends, bonds[0].Label}
			d.cross(v, bonds[1:], steps)
			c.used = false
		}
	}
}

// add adds the split that gives every node to its component.
func (d *divider) add() {
	var s split
	for c := range d.r.Components {
		var x share
		for v, owner := range d.owner {
			if owner == c {
				x.nodes = append(x.nodes, int32(v))
			}
		}
		for i, crossing := range d.crossing {
			j := d.r.joins[i]
			for side, v := range crossing.ends {
				if crossing.used && j.at[side] == c {
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
			s.counts.more(at, 1)
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
	nodes, edges := s.counts.lacks(c)
	return nodes == 0 && edges <= c.at(atLoose)
}

// byPlaces joins classes of synthons for which there is a split for which all contain their shares.
type byPlaces struct{}

func (byPlaces) bound(b *box) {
	least, most := []byte(b.classes[0].places), []byte(b.classes[0].places)
	for _, c := range b.classes {
		for i := range most {
			least[i], most[i] = least[i]&c.places[i], most[i]|c.places[i]
		}
	}
	b.least.places, b.most.places, b.width = string(least), string(most), len(b.classes)-1
}

func (byPlaces) sort(b *box) {
	slices.SortFunc(b.classes, func(a, b class) int { return cmp.Compare(a.places, b.places) })
}

func (byPlaces) decide(boxes []*box) verdict {
	v := noneOf
	for i := range boxes[0].most.places {
		least, most := byte(0xff), byte(0xff)
		for _, b := range boxes {
			least, most = least&b.least.places[i], most&b.most.places[i]
		}
		if least != 0 {
			return allOf
		} else if most != 0 {
			v = someOf
		}
	}
	return v
}

// some reports whether one of the shares of a component that are found has a node.
func (x *splits) some(component int, found []bool) bool {
	for n, s := range x.shares[component] {
		if found[n] && len(s.nodes) > 0 {
			return true
		}
	}
	return false
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
