package method

import (
	"slices"

	"github.com/greedgraph/greed/ged"
)

// search is the best-first search over partial node maps of AStar-BMa and
// AStar-BMao (Chang et al., ICDE 2020 and TKDE 2022). States map the rows in
// order. Every assignment solved is also a whole node map, so the upper bound
// shrinks from the start; a state whose assignment attains its own bound needs
// no successors.
//
// BMa solves an assignment for every successor before it queues it. BMao queues all
// successors by their cost in the assignment of their parent, which one more search
// gives for all of them. It solves their own assignment when it takes them from the
// queue.
type search struct {
	*brancher
	own       bool // BMa
	states    []state
	queue     queue
	best      float64 // least change of a whole map so far
	bestImage []int32

	opt     ged.Options
	ticks   int
	stopped bool
}

// state is a partial map: that of its parent, and the image of one more row.
type state struct {
	change float64 // of all that is mapped
	parent int32
	column int32 // −1: none
}

// stateBytes is the memory of a state in the queue.
const stateBytes = 32

// clockCells is how many cells of assignment problems are filled between two
// looks at the clock: some ten microseconds of work.
const clockCells = 1024

// run searches until the distance is proven or a limit of opt is reached, and returns
// the bounds it has then.
func (s *search) run(opt ged.Options) ged.Result {
	s.opt = opt
	root := s.evaluate(0, 0)
	s.push(root, -1, -1, 0, 0)
	lower, taken := root, int64(0)
	for len(s.queue) > 0 {
		lower = max(lower, s.queue[0].bound)
		if s.hopeless(lower) || taken == opt.States && opt.States > 0 ||
			int64(len(s.states))*stateBytes > opt.Memory || s.overdue() {
			break
		}
		taken++
		s.expand(s.queue.pop())
	}
	if len(s.queue) == 0 || s.hopeless(lower) {
		lower = s.base + s.best // proven
	}
	r := s.result(lower, s.bestImage)
	r.States = taken
	return r
}

// overdue reports whether the context or the time has ended. It is called once for
// every assignment problem and looks at the clock only now and then; once true, it stays
// true.
func (s *search) overdue() bool {
	s.ticks++
	if !s.stopped && s.ticks%(1+clockCells/(1+s.n*s.m)) == 0 {
		s.stopped = s.clock.Look()
	}
	return s.stopped
}

// evaluate bounds the state image[:k], whose parts mapped change the cost by
// change, and keeps the whole map that comes with it if it is the best. It
// returns the lower bound of the cost.
func (s *search) evaluate(k int, change float64) float64 {
	least := s.bound(k)
	if total := s.total(s.image); s.bestImage == nil || total < s.best {
		s.best = total
		s.bestImage = append(s.bestImage[:0], s.image...)
	}
	return s.rounding.Lower(s.base + change + least)
}

// hopeless reports whether a state with that lower bound cannot beat the best map.
func (s *search) hopeless(lower float64) bool {
	upper := s.base + s.best
	return lower >= upper-s.rounding.Tolerance(upper)
}

// push queues a state unless it is hopeless.
func (s *search) push(lower float64, parent, column int32, depth int, change float64) {
	if s.hopeless(lower) {
		return
	}
	s.queue.push(entry{lower, int32(len(s.states)), int32(depth)})
	s.states = append(s.states, state{change, parent, column})
}

// expand queues the successors of e.
func (s *search) expand(e entry) {
	k, change := int(e.depth), s.states[e.state].change
	for i, x := k-1, e.state; i >= 0; i-- {
		s.image[i] = s.states[x].column
		x = s.states[x].parent
	}
	if s.own {
		s.expandOwn(e, k, change)
		return
	}
	lower := max(e.bound, s.evaluate(k, change))
	if s.hopeless(lower) {
		return
	}
	if s.large() && s.clock.Ended() {
		s.queue.push(e) // its assignment was not finished, so it stays open
		return
	}
	s.forced = s.solver.forced(s.forced, 0)
	for c, j := range s.open {
		s.push(max(lower, s.rounding.Lower(s.base+change+s.forced[c])), e.state, j, k+1, change+s.placing(k, j))
	}
	if !s.full {
		s.push(max(lower, s.rounding.Lower(s.base+change+s.forced[len(s.open)])), e.state, -1, k+1, change)
	}
}

func (s *search) expandOwn(e entry, k int, change float64) {
	s.openColumns(k)
	columns := slices.Clone(s.open)
	if !s.full {
		columns = append(columns, -1)
	}
	for _, j := range columns {
		if s.overdue() {
			s.queue.push(e) // its other successors still count for the bound
			return
		}
		s.image[k] = j
		after := change
		if j >= 0 {
			after += s.placing(k, j)
		}
		s.push(max(e.bound, s.evaluate(k+1, after)), e.state, j, k+1, after)
	}
}

// placing returns the change of mapping row k to column j when the rows before it are
// mapped.
func (s *search) placing(k int, j int32) float64 {
	return s.change[k*s.m+int(j)] + s.toPlaced(s.image, k, j)
}
