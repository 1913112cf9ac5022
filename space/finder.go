package space

import (
	"slices"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// finder looks for shares of a query in parts. Wildcards of the query match any label. By itself a part may contain
// more than in a product: bonds whose order depends on the product match any label, too, and of a pattern only elements
// and orders are compared.
type finder struct {
	*profile
	q     *graph.Graph
	all   *share // all of the query, once it is needed
	part  *part
	steps []step
	image []int32 // [n_q] node of the part
	taken []bool  // [nodes of the part]
	left  int     // steps
	in    place
}

// place is where a part is in a product. Without one, the part is taken by itself.
type place struct {
	product *graph.Graph
	pattern *chem.SMARTSMatcher // of the query, which has taken up the product; nil: the query is a graph
	from    int32               // the first atom of the part in the product
	across  [maxPort]int32      // the atoms of the product behind the ports
}

// mostSteps is how many steps a finder takes to look for a share.
const mostSteps = 1 << 14

// contains reports whether a part contains a share of the query, and false for sure if it has given up, which counts
// as found.
func (f *finder) contains(p *part, s *share) (found, sure bool) {
	f.part, f.steps, f.left = p, s.steps, mostSteps
	if len(f.image) < f.q.N() {
		f.image = make([]int32, f.q.N())
	}
	f.taken = append(f.taken[:0], make([]bool, p.graph.N())...)
	for i, pin := range s.pins {
		v := p.ports[pin.port].beside
		if p.ports[pin.port].folds || !f.crosses(&pin, v) || !f.atom(pin.node, v) {
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
	return found, f.left >= 0 && (f.in.pattern == nil || f.in.pattern.Err() == nil)
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
	f.in = place{}
	return f.contains(&part{graph: g}, f.all)
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
	if l := f.q.Label(int(u)); l != graph.Wildcard && l != f.part.graph.Label(int(v)) {
		return false
	}
	return f.in.pattern == nil || f.in.pattern.Atom(int(u), int(f.in.from+v))
}

// bond reports whether the part has a bond v-w for the bond of the query with a label from u.
func (f *finder) bond(u int32, query graph.Arc, v, w int32) bool {
	l, found := f.part.graph.Edge(int(v), int(w))
	return found && f.passes(u, query, l, v, f.in.from+w)
}

// crosses reports whether the bond from atom v at a port is right for one of the query.
func (f *finder) crosses(p *pinned, v int32) bool {
	to := f.in.across[p.port]
	return to >= 0 && f.passes(p.node, graph.Arc{To: p.to, Label: p.label}, f.part.ports[p.port].label, v, to)
}

// passes reports whether a bond of the part with a label, from atom v to one of the product, is right for one of the
// query.
func (f *finder) passes(u int32, query graph.Arc, label graph.Label, v, to int32) bool {
	switch {
	case f.in.pattern != nil:
		return f.in.pattern.Bond(int(u), int(query.To), int(f.in.from+v), int(to))
	case label == graph.Wildcard && f.in.product != nil:
		label, _ = f.in.product.Edge(int(f.in.from+v), int(to))
	}
	return query.Label == label || query.Label == graph.Wildcard || label == graph.Wildcard
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
		for _, b := range f.part.graph.Out(int(f.image[t.bonds[0].To])) {
			if f.try(at, b.To) {
				return true
			}
		}
		return false
	}
	for v := range int32(f.part.graph.N()) {
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
	if f.part.graph.Degree(int(v)) < t.degree {
		return false
	}
	for _, a := range t.bonds {
		if !f.bond(t.node, a, v, f.image[a.To]) {
			return false
		}
	}
	return true
}
