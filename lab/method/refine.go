package method

import "github.com/greedgraph/greed/ged"

// refine improves the assignment of BRANCH by exchanging the columns of two
// rows, or the column of a row for a free one or none, as long as that helps
// (REFINE: Zeng, Tung, Wang, Feng and Zhou, PVLDB 2009, with K = 2). The lower
// bound is that of BRANCH.
func refine(x *pair, opt ged.Options) ged.Result {
	b := newBrancher(x)
	lower := x.base + b.bound(0)
	l := newLocal(x)
	l.use(b.image)
	passes := l.improve(opt.States)
	r := x.result(lower, l.image)
	r.States = passes
	return r
}

// local is a node map and its inverse.
type local struct {
	*pair
	image []int32 // [n]
	row   []int32 // [m] row of every column, or −1
}

func newLocal(x *pair) *local {
	return &local{pair: x, image: make([]int32, x.n), row: make([]int32, x.m)}
}

// use starts from image.
func (l *local) use(image []int32) {
	copy(l.image, image)
	for j := range l.row {
		l.row[j] = -1
	}
	for i, j := range image {
		if j >= 0 {
			l.row[j] = int32(i)
		}
	}
}

// improve makes passes as long as they help, at most limit of them (0: no
// limit), and returns how many.
func (l *local) improve(limit int64) int64 {
	passes := int64(0)
	for !l.clock.Look() && (limit == 0 || passes < limit) {
		passes++
		if !l.pass() {
			break
		}
	}
	return passes
}

// pass tries every exchange once, keeps those that help, and reports whether any
// did.
func (l *local) pass() bool {
	improved := false
	for i := range l.n {
		if l.large() && l.clock.Spend(64*l.m) {
			break
		}
		for j := -1; j < l.m; j++ {
			if int32(j) != l.image[i] && l.tryMove(i, int32(j)) {
				improved = true
			}
		}
	}
	return improved
}

// tryMove maps row i to column j, and the row that had it, if any, to the column
// that i had, unless that costs as much or more.
func (l *local) tryMove(i int, j int32) bool {
	old, other := l.image[i], -1
	if j >= 0 {
		other = int(l.row[j])
	}
	before := l.around(i, other)
	l.set(i, j)
	if other >= 0 {
		l.set(other, old)
	} else if old >= 0 {
		l.row[old] = -1
	}
	if after := l.around(i, other); after < before-l.rounding.Tolerance(before)-1e-12 {
		return true
	}
	l.set(i, old)
	if other >= 0 {
		l.set(other, j)
	} else if j >= 0 {
		l.row[j] = -1
	}
	return false
}

func (l *local) set(i int, j int32) {
	l.image[i] = j
	if j >= 0 {
		l.row[j] = int32(i)
	}
}

// around returns the change of rows i and other (−1: none) and all edges at
// them, an edge between the two counted once.
func (l *local) around(i, other int) float64 {
	sum := l.at(i, -1)
	if other >= 0 {
		sum += l.at(other, i)
	}
	return sum
}

// at returns the change of row i and its edges, but not the edge to row except.
func (l *local) at(i, except int) float64 {
	j := l.image[i]
	if j < 0 {
		return 0
	}
	sum := l.change[i*l.m+int(j)]
	for side := range l.sides {
		for _, a := range l.rowArcs.of(side, i) {
			if int(a.to) == except || l.image[a.to] < 0 {
				continue
			}
			if label, ok := l.columnArcs.find(side, int(j), l.image[a.to]); ok {
				sum += l.edges.of(a.label, label)
			}
		}
	}
	return sum
}
