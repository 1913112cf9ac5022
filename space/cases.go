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
const mostSeen = 1 << 15

// cases join the synthons of a reaction, case by case, that contain their shares of the query.
type cases struct {
	*searcher
	r      *Reaction
	splits *splits
	clock  *clock.Clock
	alone  [][]shown // [components][synthons] what a synthon has by itself
	turns  [][]bool  // [components][synthons] whether what a synthon has depends on the faces of others
	list   []*joiner
	small  map[*int32]*Synthon // the smallest synthons of lists, by their first

	// What is known of synthons that do not turn: their shares, [components][synthons], and trees by their list.
	fixed [][][]bool
	trees map[*int32]*box
}

// shown says which shares of the query a synthon has. If that is not sure, it may lack some of them.
type shown struct {
	found []bool // [shares of its component]
	sure  bool
}

// contain joins those synthons of a reaction that contain their shares of the query. It is not done if time was up.
func (x *searcher) contain(r *Reaction, in members, s *splits, c *clock.Clock) (list []*joiner, done bool) {
	a := &cases{searcher: x, r: r, splits: s, clock: c, alone: make([][]shown, len(in)),
		small: map[*int32]*Synthon{}}
	if in, done = a.prune(in); !done || in.size() == 0 {
		return nil, done
	}
	single := x.space.vocab.Edge(chem.Single.Label())
	for i, c := range r.Components {
		a.turns = append(a.turns, make([]bool, len(c.Synthons)))
		for k, s := range c.Synthons {
			// A double bond may become a single one between charges, which a pattern may look at.
			double := func(p port) bool { return p.label != single && !p.folds }
			a.turns[i][k] = s.part.loose || x.opt.SMARTS != nil && slices.ContainsFunc(s.part.ports, double)
		}
	}
	a.forget()
	if x.deep {
		done = a.join(in, false, false)
		return a.list, done
	}
	face := func(i int, k int32) string { return strconv.Itoa(r.Components[i].Synthons[k].part.face) }
	adds := func(i int, k int32) bool {
		p := r.Components[i].Synthons[k].part
		return x.opt.SMARTS != nil && slices.ContainsFunc(p.ports, func(one port) bool {
			return one.folds || p.graph.LabelText(int(one.beside)) == "H"
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
	return a.list, done
}

// prune leaves out the synthons that have no share by themselves in any split for which some synthon of each component
// has its share, and other splits.
func (a *cases) prune(in members) (left members, done bool) {
	has := make([][]bool, len(in))
	for i, list := range in {
		a.alone[i], has[i] = make([]shown, len(a.r.Components[i].Synthons)), make([]bool, len(a.splits.shares[i]))
		if a.parallel(len(list), func(w *worker, m int) error {
			p := a.r.Components[i].Synthons[list[m]].part
			a.alone[i][list[m]] = w.alone(a.splits.shares[i], p)
			return nil
		}) != nil {
			return nil, false
		}
		for _, k := range list {
			for n, found := range a.alone[i][k].found {
				has[i][n] = has[i][n] || found
			}
		}
	}
	a.splits.list = slices.DeleteFunc(a.splits.list, func(s split) bool {
		for i := range in {
			if !has[i][s.shares[i]] {
				return true
			}
		}
		return false
	})
	for i, list := range in {
		clear(has[i])
		for _, s := range a.splits.list {
			has[i][s.shares[i]] = true
		}
		list = slices.DeleteFunc(slices.Clone(list), func(k int32) bool {
			some := false
			for n, found := range a.alone[i][k].found {
				a.alone[i][k].found[n] = found && has[i][n]
				some = some || found && has[i][n]
			}
			return !some
		})
		left = append(left, list)
	}
	return left, true
}

// forget forgets what is known of synthons.
func (a *cases) forget() {
	a.trees, a.fixed = map[*int32]*box{}, make([][][]bool, len(a.turns))
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
		return a.join(in, false, false)
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
		return a.join(in, true, true)
	}
	all := make([]*splits, len(a.inner))
	for n, inner := range a.inner {
		var few bool
		if all[n], few = divide(inner.q, inner.profile, a.r); !few {
			return a.join(in, false, false)
		}
	}
	var unsure atomic.Bool
	faces, others := make([][]string, len(in)), a.others(in)
	for i, list := range in {
		faces[i] = make([]string, len(a.turns[i]))
		if a.parallel(len(list), func(w *worker, m int) error {
			face, turns, sure := w.inside(all, a.product(others, i, list[m]), i)
			faces[i][list[m]] = face
			if turns {
				a.turns[i][list[m]] = true
			}
			if !sure {
				unsure.Store(true)
			}
			return nil
		}) != nil {
			return false
		}
	}
	face := func(i int, k int32) string { return faces[i][k] }
	return a.divide(in, face, func(in members) bool { return a.join(in, true, !unsure.Load()) })
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

// others returns the smallest synthons of a case, by component.
func (a *cases) others(in members) []*Synthon {
	list := make([]*Synthon, len(in))
	for i := range list {
		if list[i] = a.small[&in[i][0]]; list[i] != nil {
			continue
		}
		for _, k := range in[i] {
			s := &a.r.Components[i].Synthons[k]
			if list[i] == nil || len(s.part.text) < len(list[i].part.text) {
				list[i] = s
			}
		}
		a.small[&in[i][0]] = list[i]
	}
	return list
}

// product returns one that has a synthon as component i and others.
func (a *cases) product(others []*Synthon, i int, k int32) []*Synthon {
	list := slices.Clone(others)
	list[i] = &a.r.Components[i].Synthons[k]
	return list
}

// join joins the synthons of a case. Unless they are alike, they are taken by themselves. All that is found contains
// the query if that is so far sure.
func (a *cases) join(in members, alike, sure bool) bool {
	j := &joiner{measure: byPlaces{}, clock: a.clock, sure: sure}
	for i, list := range in {
		tree, found := a.trees[&list[0]]
		if !found {
			classes, fixed, certain, done := a.classify(in, i, alike)
			if !done {
				return false
			}
			j.sure = j.sure && certain
			if tree = newTree(j.measure, classes); fixed && alike {
				a.trees[&list[0]] = tree
			}
		}
		j.trees = append(j.trees, tree)
	}
	a.list = append(a.list, j)
	return true
}

// classify returns the classes of the synthons of a component, whether they are the same in other cases and whether
// they have what they seem to have.
func (a *cases) classify(in members, i int, alike bool) (list []class, fixed, sure, done bool) {
	n := len(in[i])
	kinds, some, others := make([]kind, n), make([]bool, n), a.others(in)
	var turned, unsure atomic.Bool
	done = a.parallel(n, func(w *worker, m int) error {
		k := in[i][m]
		found := a.fixed[i][k]
		if found == nil {
			has, same := a.alone[i][k], true
			looks := a.turns[i][k] || a.opt.SMARTS != nil && a.splits.some(i, has.found)
			if looks && alike {
				has, same = w.look(a.splits.shares[i], has, a.product(others, i, k), i)
			}
			certain := has.sure && (alike || !looks)
			if !certain {
				unsure.Store(true)
			}
			if found = has.found; alike && same && certain && !a.turns[i][k] {
				a.fixed[i][k] = found
			} else {
				turned.Store(true)
			}
		}
		kinds[m], some[m] = a.splits.kind(i, found)
		return nil
	}) == nil
	list = classify(in[i], func(m int) (kind, bool) { return kinds[m], some[m] })
	return list, !turned.Load(), !unsure.Load(), done
}

// alone returns which shares of the query a part has by itself.
func (w *worker) alone(list []share, p *part) shown {
	w.finder.in = place{}
	has := shown{make([]bool, len(list)), true}
	for n := range list {
		if list[n].fits(&w.counts[p.index]) {
			found, sure := w.finder.contains(p, &list[n])
			has.found[n], has.sure = found, has.sure && sure
		}
	}
	return has
}

// look returns which of the shares that synthon i of a product has by itself it has in that, and none if that is no
// molecule.
func (w *worker) look(list []share, alone shown, synthons []*Synthon, i int) (has shown, molecule bool) {
	has = shown{make([]bool, len(list)), true}
	at, err := w.place(synthons, i)
	if errors.Is(err, chem.ErrSMARTSLimit) {
		return shown{alone.found, false}, true
	} else if err != nil {
		return has, false
	}
	w.finder.in = at
	for n := range list {
		if alone.found[n] {
			found, sure := w.finder.contains(synthons[i].part, &list[n])
			has.found[n], has.sure = found, has.sure && sure
		}
	}
	return has, true
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
		for _, one := range s.part.ports {
			n := synthons[i].part.port(one.number)
			if j == i || n < 0 {
				continue
			}
			if at.across[n] = -1; !one.folds {
				at.across[n] = from + one.beside
			}
		}
		from += int32(s.part.graph.N())
	}
	return at
}
