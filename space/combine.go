package space

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/clock"
)

// combiner joins the synthons of a reaction under bounds, class by class.
type combiner struct {
	*profile
	radius int
	clock  *clock.Clock

	order  []int     // of the components
	lists  [][]class // [components] of single components, in that order
	levels [][]class // [components] of the first components; those of the last level are products
}

// combine finds all classes of products that may be within the radius, the nearest first. lists are the classes of
// each component. It reports whether it came to the end before time was up.
func (x *combiner) combine(lists [][]class) bool {
	x.order = x.order[:0]
	for i := range lists {
		x.order = append(x.order, i)
	}
	slices.SortStableFunc(x.order, func(a, b int) int { return cmp.Compare(len(lists[a]), len(lists[b])) })
	n := len(lists)
	x.lists, x.levels = x.lists[:0], x.levels[:0]
	// What the components from one on add, at least and at most.
	least, most := make([]counts, n+1), make([]counts, n+1)
	for _, i := range x.order {
		x.lists = append(x.lists, lists[i])
	}
	for i := n - 1; i >= 0; i-- {
		least[i], most[i] = extremes(x.lists[i])
		least[i].add(&least[i+1])
		most[i].add(&most[i+1])
	}
	first := []class{{}}
	for i := range n {
		var done bool
		if first, done = x.extend(first, x.lists[i], &least[i+1], &most[i+1], i == n-1); !done {
			return false
		}
		x.levels = append(x.levels, first)
	}
	slices.SortStableFunc(first, func(a, b class) int { return cmp.Compare(x.lower(&a.counts), x.lower(&b.counts)) })
	return true
}

// extend returns the classes of what is joined so far, with those of the next component.
func (x *combiner) extend(before, next []class, least, most *counts, last bool) ([]class, bool) {
	var list []class
	at := map[counts]int32{}
	for i := range before {
		a := &before[i].counts
		low, high := 0, len(next)
		if x.task == edit.GED { // the sizes must fit
			low = from(next, int(x.query[atNodes])-x.radius-int(a[atNodes])-int(most[atNodes]))
			high = from(next, int(x.query[atNodes])+x.radius-int(a[atNodes])-int(least[atNodes])+1)
		}
		if x.clock.Spend(100 + 20*max(0, high-low)) {
			return nil, false
		}
		for j := low; j < high; j++ {
			c := next[j].counts
			c.add(a)
			bound := 0
			if last {
				bound = x.lower(&c)
			} else {
				bound = x.reach(&c, least, most)
			}
			if bound > x.radius {
				continue
			}
			k, found := at[c]
			if !found {
				k = int32(len(list))
				at[c] = k
				list = append(list, class{counts: c})
			}
			list[k].parts = append(list[k].parts, pair{int32(i), int32(j)})
		}
	}
	return list, true
}

// from returns the first class with at least so many nodes.
func from(list []class, nodes int) int {
	at, _ := slices.BinarySearchFunc(list, nodes, func(c class, n int) int { return cmp.Compare(int(c.counts[atNodes]), n) })
	return at
}

// used returns, for every component, which of its classes are in a product that may be within the radius.
func (x *combiner) used() [][]bool {
	n := len(x.lists)
	used := make([][]bool, n)
	level := make([]bool, len(x.levels[n-1]))
	for i := range level {
		level[i] = true
	}
	for i := n - 1; i >= 0; i-- {
		own := make([]bool, len(x.lists[i]))
		var before []bool
		if i > 0 {
			before = make([]bool, len(x.levels[i-1]))
		}
		for k, on := range level {
			if !on {
				continue
			}
			for _, p := range x.levels[i][k].parts {
				own[p.last] = true
				if i > 0 {
					before[p.before] = true
				}
			}
		}
		used[x.order[i]], level = own, before
	}
	return used
}

// size returns how many products are in a class of a level.
func (x *combiner) size(level int, k int32) uint64 {
	n := uint64(0)
	for _, p := range x.levels[level][k].parts {
		each := uint64(len(x.lists[level][p.last].members))
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
		for _, m := range x.lists[level][p.last].members {
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
