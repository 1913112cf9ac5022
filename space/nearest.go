package space

import "github.com/greedgraph/greed/edit"

// nearest is a search for the K nearest products, level by level. Level d takes up first those that were compared
// before and are farther away than d-1, in the order of their bounds, and then those whose bound is d. It ends early
// with the K-th product within d: mostly with one of the former, so that the latter, which are many more, are not even
// looked for.
type nearest struct {
	*searcher
	level   int
	from    int        // products of lesser bounds have been taken up
	last    int        // level
	later   [][]origin // products that have been compared and are farther away than the level, in pieces
	kept    int        // products that are kept
	forgets bool       // none is kept
	list    []origin   // the next to be compared
	size    int        // of that list
	made    int
	open    int  // products that could not be decided
	reached bool // there are K within the level
	rest    bool // there may be more products as far away as the level
	err     error
}

// mostKept is how many products are kept for later levels, in 20 bytes each. If there are more, none is, and levels
// take up all products again.
const mostKept = 1 << 25

// nearest finds the K nearest products within a distance, and reports whether it came to the end before time was up.
func (x *searcher) nearest(last int, r *Result) (done bool, err error) {
	n := &nearest{searcher: x, last: last}
	if x.task == edit.SED && last >= 0 { // what contains the query is counted
		if done, err = x.within(0, r); !done {
			return false, err
		}
		r.Radius, n.level = 0, 1
		if len(x.found) >= x.opt.K {
			r.Tied = r.Open > 0
			return true, nil
		}
	}
	for r.Open = -1; n.level <= last; n.level++ {
		done = n.compare(r)
		r.Stats.Made, n.made = r.Stats.Made+n.made, 0
		if n.err != nil || !done {
			return false, n.err
		}
		if r.Radius, n.from = float64(n.level), n.level+1; n.forgets {
			n.from = 0
		}
		if n.reached {
			r.Tied = n.rest
			return true, nil
		}
	}
	return true, nil
}

// compare compares the products of a level until there are K within it, and reports whether all that are needed have
// been decided.
func (n *nearest) compare(r *Result) bool {
	n.size, n.rest = firstBatch, true
	again := n.later
	n.later = nil
	for i, piece := range again {
		for _, o := range piece {
			if !n.take(o) {
				return n.ends()
			}
		}
		n.kept -= len(piece)
		again[i] = nil
	}
	if !n.flush() {
		return n.ends()
	}
	for i := range n.space.Reactions {
		for _, m := range n.wanted(&n.space.Reactions[i]) {
			joiners, done := n.join(i, m, n.from, n.level, r)
			if !done || n.late() {
				return n.reached
			}
			for _, j := range joiners {
				if !j.products(func(synthons []int32) bool {
					o := origin{reaction: int32(i)}
					copy(o.synthons[:], synthons)
					return n.hits[o] || n.wrong[o] || n.take(o)
				}) || !n.flush() {
					return n.ends()
				}
			}
		}
	}
	n.rest = n.open > 0
	return n.ends()
}

// ends reports whether the level has come to its end.
func (n *nearest) ends() bool { return n.reached || n.err == nil && n.open == 0 && !n.late() }

// take takes up a product of the level, and reports whether the next is wanted.
func (n *nearest) take(o origin) bool {
	if n.reached {
		return false
	}
	n.list = append(n.list, o)
	return len(n.list) < n.size || n.flush()
}

// flush compares the products of the list, and reports whether there is time for more.
func (n *nearest) flush() bool {
	results, err := n.solve(n.list, n.level)
	n.made += len(n.list)
	later := make([]origin, 0, len(n.list))
	for i, o := range n.list {
		switch results[i] {
		case undecided:
			n.open++
		case farther:
			later = append(later, o)
		}
	}
	if len(later) > 0 && n.level < n.last && !n.forgets {
		n.later = append(n.later, later)
		if n.kept += len(later); n.kept > n.keep {
			n.later, n.forgets = nil, true
		}
	}
	n.reached, n.err = len(n.found) >= n.opt.K, err
	n.list, n.size = n.list[:0], min(2*n.size, batchSize)
	return err == nil && !n.late()
}
