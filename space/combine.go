package space

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// combiner joins the synthons of a reaction under bounds, class by class. Classes of the last component are joined as
// often as they are asked for and never stored, because products may be very many.
type combiner struct {
	measure // of classes
	clock   *clock.Clock

	order  []int     // of the components
	lists  [][]class // [components] in that order
	levels [][]class // [components-1] of what is joined so far, from the first component on
}

// measure says which classes may be in one product.
type measure interface {
	// prepare is told the classes of all components in the order in which they will be joined; it may reorder each.
	prepare(lists [][]class)
	// start returns what is the same for all products, before any component is joined.
	start() kind
	// find calls visit for every class of component i that may be in a product with one that is joined so far, and
	// returns how many it looked at.
	find(before *class, i int, visit func(j int)) (looked int)
	// merge returns what is the same for all combinations of members of both.
	merge(a, b *class) kind
}

// class is a set of synthons, or of combinations of them, that make no difference to a search.
type class struct {
	kind
	members []int32
	parts   []pair // of several components: classes of those before and of the last one
}

// kind is what is the same for all members of a class.
type kind struct {
	counts counts
	places string // in a search for what contains the query: a bit for each split that is left
}

type pair struct{ before, last int32 }

// join joins all components but the last. lists are the classes of each. It reports whether it came to the end before
// time was up.
func (x *combiner) join(lists [][]class) bool {
	x.order, x.lists, x.levels = nil, nil, nil
	for i, list := range lists {
		if len(list) == 0 {
			x.order = nil
			return true
		}
		x.order = append(x.order, i)
	}
	slices.SortStableFunc(x.order, func(a, b int) int { return cmp.Compare(len(lists[a]), len(lists[b])) })
	for _, i := range x.order {
		x.lists = append(x.lists, lists[i])
	}
	x.measure.prepare(x.lists)
	first := []class{{kind: x.start()}}
	for i := range len(lists) - 1 {
		var list []class
		at := map[kind]int32{}
		for k := range first {
			looked := x.find(&first[k], i, func(j int) {
				merged := x.merge(&first[k], &x.lists[i][j])
				place, found := at[merged]
				if !found {
					place = int32(len(list))
					at[merged] = place
					list = append(list, class{kind: merged})
				}
				list[place].parts = append(list[place].parts, pair{int32(k), int32(j)})
			})
			if x.clock.Spend(50 * looked) {
				return false
			}
		}
		x.levels = append(x.levels, list)
		first = list
	}
	return true
}

// pairs calls visit for every pair of a class of all components but the last and one of the last that may be in a
// product, until it returns false or time is up.
func (x *combiner) pairs(visit func(k, j int) bool) bool {
	n := len(x.order)
	if n == 0 {
		return true
	}
	before := []class{{kind: x.start()}}
	if n > 1 {
		before = x.levels[n-2]
	}
	for k := range before {
		more := true
		looked := x.find(&before[k], n-1, func(j int) {
			more = more && visit(k, j)
		})
		if !more || x.clock.Spend(50*looked) {
			return false
		}
	}
	return true
}

// count returns the number of products that may be answers, and which classes of each component are in one, by
// component.
func (x *combiner) count() (products uint64, used [][]bool, done bool) {
	n := len(x.order)
	if n == 0 {
		return 0, nil, true
	}
	used = make([][]bool, n)
	for level, i := range x.order {
		used[i] = make([]bool, len(x.lists[level]))
	}
	on := []bool{false}
	if n > 1 {
		on = make([]bool, len(x.levels[n-2]))
	}
	last := -1
	each := uint64(0)
	if !x.pairs(func(k, j int) bool {
		on[k], used[x.order[n-1]][j] = true, true
		if k != last {
			last, each = k, x.size(n-2, int32(k))
		}
		products = satAdd(products, satMul(each, uint64(len(x.lists[n-1][j].members))))
		return true
	}) {
		return products, used, false
	}
	for i := n - 2; i >= 0; i-- {
		var earlier []bool
		if i > 0 {
			earlier = make([]bool, len(x.levels[i-1]))
		}
		for k := range on {
			for _, p := range x.levels[i][k].parts {
				if !on[k] {
					break
				}
				used[x.order[i]][p.last] = true
				if i > 0 {
					earlier[p.before] = true
				}
			}
		}
		on = earlier
	}
	return products, used, true
}

// size returns how many combinations of synthons are in a class of a level; before the first there is one.
func (x *combiner) size(level int, k int32) uint64 {
	if level < 0 {
		return 1
	}
	n := uint64(0)
	for _, p := range x.levels[level][k].parts {
		n = satAdd(n, satMul(uint64(len(x.lists[level][p.last].members)), x.size(level-1, p.before)))
	}
	return n
}

// products calls visit with the synthons, by component, of every product that may be an answer, until it returns false
// or time is up.
func (x *combiner) products(visit func(synthons []int32) bool) bool {
	n := len(x.order)
	synthons := make([]int32, n)
	return x.pairs(func(k, j int) bool {
		for _, m := range x.lists[n-1][j].members {
			synthons[x.order[n-1]] = m
			if !x.each(n-2, int32(k), synthons, func() bool { return visit(synthons) }) {
				return false
			}
		}
		return true
	})
}

// each calls visit with every combination of synthons of a class of a level, until it returns false.
func (x *combiner) each(level int, k int32, synthons []int32, visit func() bool) bool {
	if level < 0 {
		return visit()
	}
	for _, p := range x.levels[level][k].parts {
		for _, m := range x.lists[level][p.last].members {
			synthons[x.order[level]] = m
			if !x.each(level-1, p.before, synthons, visit) {
				return false
			}
		}
	}
	return true
}

// classify puts numbers, which of gets by their places in the list, into classes of the same kind, but those that it
// leaves out.
func classify(list []int32, of func(i int) (k kind, ok bool)) []class {
	var classes []class
	at := map[kind]int{}
	for i, n := range list {
		k, ok := of(i)
		if !ok {
			continue
		}
		place, found := at[k]
		if !found {
			place = len(classes)
			at[k] = place
			classes = append(classes, class{kind: k})
		}
		classes[place].members = append(classes[place].members, n)
	}
	return classes
}
