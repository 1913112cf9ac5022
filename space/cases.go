package space

import (
	"errors"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/internal/clock"
)

// What an atom or a bond of a product is may depend on more than its synthon: on whether a ring that other synthons
// close is aromatic, for one. But it depends on nothing of these but their faces. So a reaction is taken apart into
// cases, each a choice of a face for every component, and in a case one product says of a synthon which shares of the
// query it has in all.

// mostSeen is how many synthons are looked at in products, each in several cases. Beyond, all are taken by themselves,
// and not all that is found contains the query.
const mostSeen = 1 << 20

// cases join the synthons of a reaction, case by case, that contain their shares of the query.
type cases struct {
	*searcher
	r      *Reaction
	splits *splits
	clock  *clock.Clock
	looks  bool        // at products, because not everything is known of synthons by themselves
	turns  [][]bool    // [components][synthons] whether what a synthon has depends on the others
	fixed  [][][]bool  // [components][synthons] shares of those that do not turn, once they are known
	unsure atomic.Bool // whether all that is found contains the query
	list   []*combiner
}

// members are synthons by component.
type members [][]int32

// contain joins the synthons of a reaction that contain their shares of the query, and reports whether all their
// products contain the query. It is not done if time was up.
func (x *searcher) contain(r *Reaction, s *splits, c *clock.Clock) (list []*combiner, exact, done bool) {
	a := &cases{searcher: x, r: r, splits: s, clock: c, looks: x.opt.SMARTS != nil}
	in := make(members, len(r.Components))
	steady := true
	for i, c := range r.Components {
		a.turns = append(a.turns, make([]bool, len(c.Synthons)))
		a.fixed = append(a.fixed, make([][]bool, len(c.Synthons)))
		in[i] = all(len(c.Synthons))
		for _, s := range c.Synthons {
			// A pattern may count hydrogens, one beside an attachment point among them.
			adds := slices.ContainsFunc(s.part.beside, func(v int32) bool {
				return v < 0 || s.part.graph.LabelText(int(v)) == "H"
			})
			steady = steady && !s.part.loose && !(a.looks && adds)
		}
	}
	switch {
	case x.deep:
		done = a.join(in, false)
	case steady:
		done = a.joinInside(in)
	default:
		a.looks = true
		for _, turns := range a.turns {
			for k := range turns {
				turns[k] = true
			}
		}
		face := func(i int, k int32) string { return strconv.Itoa(r.Components[i].Synthons[k].part.face) }
		done = a.divide(in, face, a.joinInside)
	}
	return a.list, !a.unsure.Load(), done
}

// divide joins the synthons that have the same faces, for each choice of these.
func (a *cases) divide(all members, face func(i int, k int32) string, join func(members) bool) bool {
	alike := make([]members, len(all)) // by component and face
	for i := range all {
		at := map[string]int{}
		for _, k := range all[i] {
			text := face(i, k)
			if _, found := at[text]; !found {
				at[text] = len(alike[i])
				alike[i] = append(alike[i], nil)
			}
			alike[i][at[text]] = append(alike[i][at[text]], k)
		}
	}
	seen := 0.0
	for i := range all {
		n := float64(len(all[i]))
		for j := range alike {
			if j != i {
				n *= float64(len(alike[j]))
			}
		}
		seen += n
	}
	if seen > mostSeen {
		return a.join(all, false)
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
	looks := a.looks && alike
	if a.looks && !alike {
		a.unsure.Store(true)
	}
	lists := make([][]class, len(in))
	for i, list := range in {
		kinds, some := make([]kind, len(list)), make([]bool, len(list))
		if a.parallel(len(list), func(w *worker, m int) error {
			k := list[m]
			found := a.fixed[i][k]
			if found == nil {
				var sure bool
				if found, sure = w.shares(a.splits.shares[i], a.product(in, i, k), i, looks); !sure {
					a.unsure.Store(true)
				}
				if !a.turns[i][k] {
					a.fixed[i][k] = found
				}
			}
			kinds[m], some[m] = a.splits.kind(i, found)
			return nil
		}) != nil {
			return false
		}
		lists[i] = classify(list, func(m int) (kind, bool) { return kinds[m], some[m] })
	}
	j := &combiner{measure: &byPlaces{splits: a.splits}, clock: a.clock}
	a.list = append(a.list, j)
	return j.join(lists)
}

// shares returns which shares of the query synthon i of a product has. If the product is not looked at or cannot be
// decided, which is not sure, it may lack some of them.
func (w *worker) shares(list []share, synthons []*Synthon, i int, looks bool) (found []bool, sure bool) {
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
		return found, sure
	}
	at, err := w.place(synthons, i)
	if errors.Is(err, chem.ErrSMARTSLimit) {
		return found, false
	}
	w.finder.in, sure = at, true
	for n := range list {
		var certain bool
		if found[n] = found[n] && err == nil; found[n] { // what is no molecule contains nothing
			found[n], certain = w.finder.contains(p, &list[n])
			sure = sure && certain
		}
	}
	return found, sure
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
