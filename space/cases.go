package space

import (
	"errors"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// What an atom or a bond of a product is may depend on more than its synthon: on whether a ring that other synthons
// close is aromatic, for one. But it depends on nothing of these but their faces. So a reaction is taken apart into
// cases, each a choice of a face for every component, and in a case one product says of a synthon which shares of the
// query it has in all.

// mostSeen is how many synthons are looked at in products, each in several cases. Beyond, all are taken by themselves,
// and not all that is found contains the query.
const mostSeen = 1 << 13

// cases join the synthons of a reaction, case by case, that contain their shares of the query.
type cases struct {
	*searcher
	r      *Reaction
	splits *splits
	clock  *clock.Clock
	turns  [][]bool    // [components][synthons] whether what a synthon has depends on the faces of others
	unsure atomic.Bool // whether all that is found contains the query
	list   []*combiner

	// What is known of synthons that do not turn: their shares, [components][synthons], and classes by their list.
	fixed   [][][]bool
	classes map[*int32][]class
}

// contain joins those synthons of a reaction that contain their shares of the query, and reports whether all their
// products contain the query. It is not done if time was up.
func (x *searcher) contain(r *Reaction, in members, s *splits, c *clock.Clock) (list []*combiner, exact, done bool) {
	a := &cases{searcher: x, r: r, splits: s, clock: c}
	single := x.space.vocab.Edge(chem.Single.Label())
	for i, c := range r.Components {
		a.turns = append(a.turns, make([]bool, len(c.Synthons)))
		for k, s := range c.Synthons {
			// A double bond may become a single one between charges, which a pattern may look at.
			double := func(l graph.Label) bool { return l != single && l != none }
			a.turns[i][k] = s.part.loose || x.opt.SMARTS != nil && slices.ContainsFunc(s.part.joins, double)
		}
	}
	a.forget()
	if x.deep {
		done = a.join(in, false)
		return a.list, false, done
	}
	face := func(i int, k int32) string { return strconv.Itoa(r.Components[i].Synthons[k].part.face) }
	adds := func(i int, k int32) bool {
		p := r.Components[i].Synthons[k].part
		return x.opt.SMARTS != nil && slices.ContainsFunc(p.beside, func(v int32) bool {
			return v < 0 || p.graph.LabelText(int(v)) == "H"
		})
	}
	kind := func(i int, k int32) string {
		switch {
		case a.turns[i][k]:
			return "turns"
		case adds(i, k):
			return face(i, k)
		}
		return ""
	}
	done = a.divide(in, kind, func(in members) bool {
		join := a.joinInside
		for i, list := range in {
			if adds(i, list[0]) { // what others have beside a hydrogen, which a pattern counts, they have there alone
				a.forget()
				defer a.forget()
			}
			if a.turns[i][list[0]] {
				join = func(in members) bool { return a.divide(in, face, a.joinInside) }
			}
		}
		return join(in)
	})
	return a.list, !a.unsure.Load(), done
}

// forget forgets what is known of synthons.
func (a *cases) forget() {
	a.classes, a.fixed = map[*int32][]class{}, make([][][]bool, len(a.turns))
	for i, list := range a.turns {
		a.fixed[i] = make([][]bool, len(list))
	}
}

// divide joins the synthons that have the same faces, for each choice of these.
func (a *cases) divide(in members, face func(i int, k int32) string, join func(members) bool) bool {
	alike := make([]members, len(in)) // by component and face
	cases := 1.0
	for i := range in {
		at := map[string]int{}
		for _, k := range in[i] {
			text := face(i, k)
			if _, found := at[text]; !found {
				at[text] = len(alike[i])
				alike[i] = append(alike[i], nil)
			}
			alike[i][at[text]] = append(alike[i][at[text]], k)
		}
		cases *= float64(len(alike[i]))
	}
	seen := cases
	for i, list := range in {
		for _, k := range list {
			if a.turns[i][k] {
				seen += cases / float64(len(alike[i]))
			}
		}
	}
	if seen > mostSeen {
		return a.join(in, false)
	}
	var choose func(choice members) bool
	choose = func(choice members) bool {
		if len(choice) == len(alike) {
			return join(choice)
		}
		for _, list := range alike[len(choice)] {
			if !choose(append(choice, list)) {
				return false
			}
		}
		return true
	}
	return choose(make(members, 0, len(alike)))
}

// joinInside divides the synthons of a case once more where the pattern has patterns within: the face of a synthon says
// which shares of these it has beside the atoms that they are about.
func (a *cases) joinInside(in members) bool {
	if len(a.inner) == 0 {
		return a.join(in, true)
	}
	all := make([]*splits, len(a.inner))
	for n, inner := range a.inner {
		var few bool
		if all[n], few = divide(inner.q, inner.profile, a.r); !few {
			return a.join(in, false)
		}
	}
	faces := make([][]string, len(in))
	for i, list := range in {
		faces[i] = make([]string, len(a.turns[i]))
		if a.parallel(len(list), func(w *worker, m int) error {
			face, turns, sure := w.inside(all, a.product(in, i, list[m]), i)
			faces[i][list[m]] = face
			if turns {
				a.turns[i][list[m]] = true
			}
			if !sure {
				a.unsure.Store(true)
			}
			return nil
		}) != nil {
			return false
		}
	}
	face := func(i int, k int32) string { return faces[i][k] }
	return a.divide(in, face, func(in members) bool { return a.join(in, true) })
}

// inside looks for shares of the patterns within in synthon i of a product: those that others see, and whether it has
// any that turns with what it sees of others.
func (w *worker) inside(all []*splits, synthons []*Synthon, i int) (face string, turns, sure bool) {
	mol, err := w.maker.Molecule(synthons)
	if err != nil { // nor are others with such faces
		return "", false, true
	}
	at, seen := placeOf(synthons, i), []byte(nil)
	sure = true
	for n, s := range all {
		f := &w.inner[n]
		f.in.from, f.in.across = at.from, at.across
		sure = f.in.pattern.Look(mol) == nil && sure
		for j := range s.shares[i] {
			share := &s.shares[i][j]
			if len(share.nodes) == 0 || len(share.nodes) == f.q.N() {
				continue
			}
			has, certain := f.contains(synthons[i].part, share)
			if sure = sure && certain; slices.Contains(share.nodes, 0) {
				turns = turns || has
			} else {
				seen = strconv.AppendBool(seen, has)
			}
		}
	}
	return string(seen), turns, sure
}

// product returns one that has a synthon as component i and any of a case as others.
func (a *cases) product(in members, i int, k int32) []*Synthon {
	list := make([]*Synthon, len(in))
	for j := range list {
		list[j] = &a.r.Components[j].Synthons[in[j][0]]
	}
	list[i] = &a.r.Components[i].Synthons[k]
	return list
}

// join joins the synthons of a case. Unless they are alike, they are taken by themselves.
func (a *cases) join(in members, alike bool) bool {
	lists := make([][]class, len(in))
	for i, list := range in {
		known, found := a.classes[&list[0]]
		if !found {
			var done, fixed bool
			if known, fixed, done = a.classify(in, i, alike); !done {
				return false
			}
			if fixed && alike {
				a.classes[&list[0]] = known
			}
		}
		lists[i] = known
	}
	j := &combiner{measure: &byPlaces{splits: a.splits}, clock: a.clock}
	a.list = append(a.list, j)
	return j.join(lists)
}

// classify returns the classes of the synthons of a component, and whether they are the same in other cases.
func (a *cases) classify(in members, i int, alike bool) (list []class, fixed, done bool) {
	n := len(in[i])
	kinds, some := make([]kind, n), make([]bool, n)
	var turned atomic.Bool
	done = a.parallel(n, func(w *worker, m int) error {
		k := in[i][m]
		found := a.fixed[i][k]
		if found == nil {
			looks := a.opt.SMARTS != nil || a.turns[i][k]
			shares, same, sure := w.shares(a.splits.shares[i], a.product(in, i, k), i, looks && alike)
			if !sure || looks && !alike {
				a.unsure.Store(true)
			}
			if found = shares; alike && same && !a.turns[i][k] {
				a.fixed[i][k] = found
			} else {
				turned.Store(true)
			}
		}
		kinds[m], some[m] = a.splits.kind(i, found)
		return nil
	}) == nil
	return classify(in[i], func(m int) (kind, bool) { return kinds[m], some[m] }), !turned.Load(), done
}

// shares returns which shares of the query synthon i of a product has; not molecule if it is none, and has none. If the
// product is not looked at or cannot be decided, which is not sure, it may lack some of them.
func (w *worker) shares(list []share, synthons []*Synthon, i int, looks bool) (found []bool, molecule, sure bool) {
	p := synthons[i].part
	w.finder.in = place{}
	found, sure = make([]bool, len(list)), true
	for n := range list {
		var certain bool
		if list[n].fits(&w.counts[p.index]) {
			found[n], certain = w.finder.contains(p, &list[n])
			sure = sure && certain
		}
	}
	if !looks || !slices.Contains(found, true) {
		return found, true, sure
	}
	at, err := w.place(synthons, i)
	if errors.Is(err, chem.ErrSMARTSLimit) {
		return found, true, false
	} else if err != nil {
		clear(found)
		return found, false, true
	}
	w.finder.in, sure = at, true
	for n := range list {
		if found[n] {
			var certain bool
			found[n], certain = w.finder.contains(p, &list[n])
			sure = sure && certain
		}
	}
	return found, true, sure
}

// place makes a product and says where synthon i is in it.
func (w *worker) place(synthons []*Synthon, i int) (at place, err error) {
	at = placeOf(synthons, i)
	if w.pattern == nil {
		at.product, err = w.graph(synthons)
		return at, err
	}
	at.pattern = w.pattern
	mol, err := w.maker.Molecule(synthons)
	if err == nil {
		err = w.pattern.Look(mol)
	}
	return at, err
}

// placeOf returns where synthon i is in a product.
func placeOf(synthons []*Synthon, i int) (at place) {
	from := int32(0)
	for j, s := range synthons {
		if j == i {
			at.from = from
		}
		for k, one := range s.part.ports {
			n := slices.IndexFunc(synthons[i].part.ports, func(p port) bool { return p.number == one.number })
			if j == i || n < 0 {
				continue
			}
			if at.across[n] = -1; s.part.beside[k] >= 0 {
				at.across[n] = from + s.part.beside[k]
			}
		}
		from += int32(s.part.graph.N())
	}
	return at
}
