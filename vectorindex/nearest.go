package vectorindex

import (
	"math"
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
)

// collector gathers the answers to one query: the k nearest so far, or all
// within theta.
type collector struct {
	query Query
	norm  *kernel.Norm
	k     int // −1 for a range
	hits  []Hit

	// reach is the distance beyond which nothing can become an answer, and
	// limit what that means for kernel.Ops.Screen.
	reach float64
	limit float32
}

func newNearest(q Query, n *kernel.Norm, k, vectors int) *collector {
	c := &collector{query: q, norm: n, k: max(0, min(k, vectors))}
	c.hits = make([]Hit, 0, c.k)
	c.setReach(math.Inf(1))
	if c.k == 0 {
		c.setReach(-1)
	}
	return c
}

func newRange(q Query, n *kernel.Norm, theta float64) *collector {
	c := &collector{query: q, norm: n, k: -1}
	c.setReach(theta)
	return c
}

func (c *collector) setReach(d float64) {
	c.reach = d
	c.limit = -1
	if d >= 0 {
		c.limit = c.norm.Limit(d)
	}
}

// done reports whether no vector can be an answer any more.
func (c *collector) done() bool { return c.reach < 0 }

// beaten reports whether no vector from the given position on can become an
// answer, however near, because k answers at distance 0 come before it.
func (c *collector) beaten(position int32) bool {
	return c.k > 0 && len(c.hits) == c.k && c.hits[0].Distance == 0 && c.hits[0].Position < int(position)
}

// offer takes a vector and its exact distance into account.
func (c *collector) offer(h Hit) {
	if !(h.Distance <= c.reach) {
		return
	}
	full := c.k >= 0 && len(c.hits) == c.k
	if full && !h.before(c.hits[0]) {
		return
	}
	if c.query.Accept != nil && !c.query.Accept(h.Position) {
		return
	}
	switch {
	case c.k < 0:
		c.hits = append(c.hits, h)
		return
	case full:
		c.hits[0] = h
		c.down()
	default:
		c.hits = append(c.hits, h)
		c.up()
	}
	if len(c.hits) == c.k && c.hits[0].Distance != c.reach {
		c.setReach(c.hits[0].Distance)
	}
}

// The hits of the k nearest are a heap with the last of the order on top.

func (c *collector) up() {
	for i := len(c.hits) - 1; i > 0; {
		parent := (i - 1) / 2
		if !c.hits[parent].before(c.hits[i]) {
			return
		}
		c.hits[i], c.hits[parent] = c.hits[parent], c.hits[i]
		i = parent
	}
}

func (c *collector) down() {
	for i := 0; ; {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(c.hits); child++ {
			if c.hits[last].before(c.hits[child]) {
				last = child
			}
		}
		if last == i {
			return
		}
		c.hits[i], c.hits[last] = c.hits[last], c.hits[i]
		i = last
	}
}

func (c *collector) result() Result {
	slices.SortFunc(c.hits, compareHits)
	return Result{c.hits}
}
