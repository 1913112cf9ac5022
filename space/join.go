package space

import (
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// wanted returns the synthons of a reaction whose products are searched: of each of these lists all products, which are
// in no other.
func (x *searcher) wanted(r *Reaction) (list []members) {
	if x.opt.Accept != nil && !x.opt.Accept(r) {
		return nil
	}
	m := make(members, len(r.Components))
	for i, c := range r.Components {
		m[i] = make([]int32, len(c.Synthons))
		for k := range m[i] {
			m[i][k] = int32(k)
		}
	}
	list = []members{m}
	for _, has := range x.opt.Having {
		var narrow []members
		for _, m := range list {
			for i := range m { // the first that has it
				yes, no := slices.Clone(m), slices.Clone(m)
				lacks := func(k int32) bool { return !has(&r.Components[i].Synthons[k]) }
				yes[i] = slices.DeleteFunc(slices.Clone(m[i]), lacks)
				no[i] = slices.DeleteFunc(slices.Clone(m[i]), func(k int32) bool { return !lacks(k) })
				if yes.size() > 0 {
					narrow = append(narrow, yes)
				}
				m = no
			}
		}
		list = narrow
	}
	return list
}

// join finds the classes of synthons of a reaction that may be in products within the radius, and whose bounds are not
// less than from. It reports that it is not done if time was up.
func (x *searcher) join(reaction int, in members, from, radius int, r *Result) (list []*joiner, done bool) {
	c := clock.New(x.ctx, x.begin, x.opt.Time)
	if x.task == edit.SED && x.lacks(reaction) > radius || in.size() == 0 {
		return nil, true
	}
	if x.task == edit.SED && radius == 0 {
		if s, few := divide(x.q, x.profile, &x.space.Reactions[reaction]); few {
			return x.contain(&x.space.Reactions[reaction], in, s, &c)
		}
	}
	j, done := x.joinCounts(reaction, in, from, radius, r, &c)
	return []*joiner{j}, done
}

// joinCounts is join by the counts of synthons and, for graph edit distance, their distances.
func (x *searcher) joinCounts(reaction int, in members, from, radius int, r *Result, c *clock.Clock) (*joiner, bool) {
	components := x.space.Reactions[reaction].Components
	by := byCounts{x.profile, from, radius}
	j := &joiner{measure: by, clock: c}
	for i, list := range in {
		j.trees = append(j.trees, newTree(by, classify(list, func(k int) (kind, bool) {
			c := x.synthon(reaction, i, int(list[k]))
			c.more(atApart, max(0, int(x.apart[components[i].Synthons[list[k]].part.index]))) // as far as it is known
			return kind{counts: c}, x.lower(&c, &x.anything) <= radius
		})))
	}
	if x.task == edit.SED {
		return j, true
	}
	// Now only the synthons that are left, with their distances.
	j.measure = byCounts{x.profile, 0, radius}
	for i, b := range j.trees {
		b.mark(func(c *class) bool { // what was measured before is left in any case
			return !slices.ContainsFunc(c.members, func(m int32) bool {
				return x.apart[components[i].Synthons[m].part.index] < 0
			})
		})
	}
	left, done := j.used()
	j.measure = by
	if !done {
		return j, false
	}
	var todo []int
	for i, list := range left {
		for _, m := range list {
			p := components[i].Synthons[m].part.index
			if !x.final[p] && int(x.apart[p]) <= radius {
				todo = append(todo, p)
			}
		}
	}
	slices.Sort(todo)
	todo = slices.Compact(todo)
	if !x.measure(todo, radius, r) {
		return j, false
	}
	for i, list := range left {
		slices.Sort(list)
		j.trees[i] = newTree(by, classify(list, func(k int) (kind, bool) {
			c := x.synthon(reaction, i, int(list[k]))
			apart := max(0, int(x.apart[components[i].Synthons[list[k]].part.index]))
			c.more(atApart, apart)
			return kind{counts: c}, apart <= radius
		}))
	}
	return j, true
}

// lacks returns a lower bound of the subgraph edit distance to all products of a reaction, by the most that they have.
func (x *searcher) lacks(reaction int) int {
	var all counts
	for i, c := range x.space.Reactions[reaction].Components {
		var own counts
		for k := range c.Synthons {
			own = most(own, x.synthon(reaction, i, k))
		}
		all.add(&own)
	}
	return x.lower(&all, &all)
}

// synthon returns the counts of a synthon with the bonds that its component counts.
func (x *searcher) synthon(reaction, component, at int) counts {
	r := &x.space.Reactions[reaction]
	p := r.Components[component].Synthons[at].part
	c := x.counts[p.index]
	for _, j := range r.joins {
		if j.at[0] != component {
			continue
		}
		switch one := p.ports[p.port(j.number)]; {
		case one.folds:
		case j.loose:
			x.bond(&c, graph.Wildcard)
		default:
			x.bond(&c, one.label)
		}
	}
	return c
}

// measure computes the distances of parts to the query as far as they are within the radius.
func (x *searcher) measure(parts []int, radius int, r *Result) bool {
	done := x.parallel(len(parts), func(w *worker, i int) error {
		p := parts[i]
		d, exact := w.apart(x.space.parts[p].graph, radius)
		x.apart[p], x.final[p] = int16(d), exact || d <= radius
		return nil
	})
	r.Stats.Synthons += len(parts)
	return done == nil && !x.late()
}
