package space

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// combiner joins the synthons of a reaction under bounds, class by class.
type combiner struct {
	*profile
	radius int
	clock  *clock.Clock

	order  []int     // of the components
	trees  []*tree   // [components] of single components, in that order
	levels [][]class // [components] of the first components; those of the last level are products
	used   [][]bool  // [components] whether a class is in a product that may be within the radius
}

// combine finds all classes of products that may be within the radius. lists are the classes of each component. If keep
// is false, it only finds which of these are used. It reports whether it came to the end before time was up.
func (x *combiner) combine(lists [][]class, keep bool) bool {
	x.order, x.trees, x.levels, x.used = x.order[:0], x.trees[:0], x.levels[:0], x.used[:0]
	for i, list := range lists {
		if len(list) == 0 {
			x.order, x.levels = nil, append(x.levels, nil)
			return true
		}
		x.order = append(x.order, i)
	}
	slices.SortStableFunc(x.order, func(a, b int) int { return cmp.Compare(len(lists[a]), len(lists[b])) })
	n := len(lists)
	// What the components from one on add, at least and at most.
	least, most := make([]counts, n+1), make([]counts, n+1)
	for _, i := range x.order {
		x.trees = append(x.trees, newTree(lists[i]))
		x.used = append(x.used, make([]bool, len(lists[i])))
	}
	for i := n - 1; i >= 0; i-- {
		root := &x.trees[i].boxes[0]
		least[i], most[i] = root.least, root.most
		least[i].add(&least[i+1])
		most[i].add(&most[i+1])
	}
	first := []class{{}}
	for i := range n - 1 {
		var done bool
		if first, done = x.extend(first, i, &least[i+1], &most[i+1]); !done {
			return false
		}
		x.levels = append(x.levels, first)
	}
	if keep {
		last, done := x.extend(first, n-1, &least[n], &most[n])
		x.levels = append(x.levels, last)
		return done
	}
	return x.mark(first)
}

// extend returns the classes of what is joined so far with those of component i, where the rest adds from least to most.
func (x *combiner) extend(before []class, i int, least, most *counts) ([]class, bool) {
	var list []class
	at := map[counts]int32{}
	next := x.trees[i]
	for k := range before {
		low, high := before[k].counts, before[k].counts
		low.add(least)
		high.add(most)
		looked := next.find(x.profile, x.radius, &low, &high, func(j int) {
			c := before[k].counts
			c.add(&next.classes[j].counts)
			place, found := at[c]
			if !found {
				place = int32(len(list))
				at[c] = place
				list = append(list, class{counts: c})
			}
			list[place].parts = append(list[place].parts, pair{int32(k), int32(j)})
		})
		if x.clock.Spend(50 * looked) {
			return nil, false
		}
	}
	return list, true
}

// mark finds which classes are used with those of the last component, and from these which others are.
func (x *combiner) mark(before []class) bool {
	n := len(x.trees)
	used := make([]bool, len(before))
	for k := range before {
		looked := x.trees[n-1].find(x.profile, x.radius, &before[k].counts, &before[k].counts, func(j int) {
			used[k], x.used[n-1][j] = true, true
		})
		if x.clock.Spend(50 * looked) {
			return false
		}
	}
	for i := n - 2; i >= 0; i-- {
		var earlier []bool
		if i > 0 {
			earlier = make([]bool, len(x.levels[i-1]))
		}
		for k, on := range used {
			if !on {
				continue
			}
			for _, p := range x.levels[i][k].parts {
				x.used[i][p.last] = true
				if i > 0 {
					earlier[p.before] = true
				}
			}
		}
		used = earlier
	}
	return true
}

// products returns the classes of products that were found.
func (x *combiner) products() []class { return x.levels[len(x.levels)-1] }

// size returns how many products are in a class of a level.
func (x *combiner) size(level int, k int32) uint64 {
	n := uint64(0)
	for _, p := range x.levels[level][k].parts {
		each := uint64(len(x.trees[level].classes[p.last].members))
		if level > 0 {
			each = satMul(each, x.size(level-1, p.before))
		}
		n = satAdd(n, each)
	}
	return n
}

// each calls visit with the synthons of every product of a class of a level, by component, until it returns false.
func (x *combiner) each(level int, k int32, synthons []int32, visit func([]int32) bool) bool {
	for _, p := range x.levels[level][k].parts {
		for _, m := range x.trees[level].classes[p.last].members {
			synthons[x.order[level]] = m
			if level > 0 {
				if !x.each(level-1, p.before, synthons, visit) {
					return false
				}
			} else if !visit(synthons) {
				return false
			}
		}
	}
	return true
}
