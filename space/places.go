package space

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// A query that a product contains lies in its synthons, and each bond of the query between two synthons lies on the bond
// of an attachment point, which has room for one. A split says how: it gives every atom of the query to a component and
// every join a bond of the query or none. A product contains the query if, for one of the splits of its reaction, each of
// its synthons contains the part of the query that is given to it, with the ends of crossing bonds beside the right
// attachment points. So synthons are compared with parts of the query alone, and products are no more than bits
// that are set for a split in all of their synthons.

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
	port  int // of the component
	node  int32
	label graph.Label // of the bond
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
					x.pins = append(x.pins, pinned{slices.Index(d.r.Components[c].ports, j.number), v, crossing.label})
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

// finder looks for shares of a query in parts. Wildcards of the query match any label, and so do bonds of parts whose
// order depends on the product.
type finder struct {
	*profile
	q     *graph.Graph
	all   *share // all of the query, once it is needed
	part  *graph.Graph
	steps []step
	image []int32 // [n_q] node of the part
	taken []bool  // [nodes of the part]
	left  int     // steps
	// strict is whether wildcards of parts match nothing but those of the query.
	strict bool
}

// mostSteps is how many steps a finder takes to look for a share.
const mostSteps = 1 << 14

// contains reports whether a part contains a share of the query, and false for sure if it has given up, which counts
// as found. Strictly, bonds whose order depends on the product match wildcards of the query alone.
func (f *finder) contains(p *part, s *share, strict bool) (found, sure bool) {
	f.part, f.steps, f.left, f.strict = p.graph, s.steps, mostSteps, strict
	if len(f.image) < f.q.N() {
		f.image = make([]int32, f.q.N())
	}
	f.taken = append(f.taken[:0], make([]bool, p.graph.N())...)
	for i, pin := range s.pins {
		v := p.beside[pin.port]
		if v < 0 || !f.bond(pin.label, p.joins[pin.port]) || !f.atom(pin.node, v) {
			return false, true
		}
		again := slices.ContainsFunc(s.pins[:i], func(o pinned) bool { return o.node == pin.node })
		switch {
		case again && f.image[pin.node] == v:
			continue
		case again || f.taken[v]:
			return false, true
		}
		f.image[pin.node], f.taken[v] = v, true
	}
	found = f.extend(0)
	return found, f.left >= 0
}

// whole looks for the query as a whole in a graph.
func (f *finder) whole(g *graph.Graph) (found, sure bool) {
	if f.all == nil {
		f.all = &share{}
		for v := range int32(f.q.N()) {
			f.all.nodes = append(f.all.nodes, v)
		}
		f.all.order(f.q, f.profile)
	}
	return f.contains(&part{graph: g}, f.all, false)
}

// nodeMap returns where the query was found.
func (f *finder) nodeMap() edit.NodeMap {
	m := make(edit.NodeMap, f.q.N())
	for v := range m {
		m[v] = int(f.image[v])
	}
	return m
}

func (f *finder) atom(u, v int32) bool {
	l := f.q.Label(int(u))
	return l == graph.Wildcard || l == f.part.Label(int(v))
}

func (f *finder) bond(query, part graph.Label) bool {
	return query == part || query == graph.Wildcard || part == graph.Wildcard && !f.strict
}

// extend takes the steps from one on.
func (f *finder) extend(at int) bool {
	if f.left--; at == len(f.steps) || f.left < 0 {
		return true
	}
	t := &f.steps[at]
	if t.pinned {
		return f.fits(t, f.image[t.node]) && f.extend(at+1)
	}
	if len(t.bonds) > 0 {
		for _, b := range f.part.Out(int(f.image[t.bonds[0].To])) {
			if f.try(at, b.To) {
				return true
			}
		}
		return false
	}
	for v := range int32(f.part.N()) {
		if f.try(at, v) {
			return true
		}
	}
	return false
}

// try places the node of a step and goes on.
func (f *finder) try(at int, v int32) bool {
	t := &f.steps[at]
	if f.taken[v] || !f.atom(t.node, v) || !f.fits(t, v) {
		return false
	}
	f.image[t.node], f.taken[v] = v, true
	if f.extend(at + 1) {
		return true
	}
	f.taken[v] = false
	return false
}

// fits reports whether the bonds to nodes placed before have images.
func (f *finder) fits(t *step, v int32) bool {
	if f.part.Degree(int(v)) < t.degree {
		return false
	}
	for _, a := range t.bonds {
		if l, found := f.part.Edge(int(v), int(f.image[a.To])); !found || !f.bond(a.Label, l) {
			return false
		}
	}
	return true
}

// byPlaces joins classes of synthons as long as a split is left for which all contain their shares.
type byPlaces struct {
	splits *splits
	lists  [][]class
}

func (x *byPlaces) prepare(lists [][]class) { x.lists = lists }

func (x *byPlaces) start() kind {
	all := strings.Repeat("\xff", (len(x.splits.list)+7)/8)
	return kind{places: all, certain: all}
}

func (x *byPlaces) merge(a, b *class) kind {
	return kind{places: and(a.places, b.places), certain: and(a.certain, b.certain)}
}

// and returns the bits of both.
func and(a, b string) string {
	both := []byte(a)
	for i := range both {
		both[i] &= b[i]
	}
	return string(both)
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

// kind returns the splits for which a synthon contains its share. Of a pattern nothing is certain.
func (x *byPlaces) kind(f *finder, component int, p *part, c *counts, pattern bool) (k kind, some bool) {
	shares := x.splits.shares[component]
	found, certain := make([]bool, len(shares)), make([]bool, len(shares))
	for i := range shares {
		if !shares[i].fits(c) {
			continue
		}
		var sure bool
		if found[i], sure = f.contains(p, &shares[i], false); !found[i] || pattern || p.closes {
			continue
		}
		if certain[i] = sure; p.loose {
			certain[i], sure = f.contains(p, &shares[i], true)
			certain[i] = certain[i] && sure
		}
	}
	places, surely := make([]byte, (len(x.splits.list)+7)/8), make([]byte, (len(x.splits.list)+7)/8)
	for i, s := range x.splits.list {
		if found[s.shares[component]] {
			places[i/8] |= 1 << (i % 8)
			some = true
		}
		if certain[s.shares[component]] {
			surely[i/8] |= 1 << (i % 8)
		}
	}
	return kind{places: string(places), certain: string(surely)}, some
}
