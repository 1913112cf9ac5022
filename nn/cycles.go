package nn

import "slices"

const (
	// longestCycle is the greatest length of a cycle that has its own row.
	longestCycle = 8
	// cycleArcs limits the search for the shortest cycle through a node: it stops at a
	// distance whose nodes have more arcs than this in all.
	cycleArcs = 1024
)

// cycles finds the cycles through the nodes of a graph, ignoring directions, parallel edges
// and self-loops.
type cycles struct {
	start []int32 // [n+1]
	to    []int32 // neighbours over edges that are on cycles
	n     int

	order, low, parent, next []int32 // depth-first search
	stack                    []int32
	distance, branch         []int32 // breadth-first search; distance -1: not reached
	queue                    []int32
}

// load finds the edges of o's graph that are on cycles.
func (c *cycles) load(o *orderer, n int) {
	c.n = n
	for _, list := range []*[]int32{&c.order, &c.low, &c.parent, &c.next, &c.distance, &c.branch} {
		*list = slices.Grow((*list)[:0], n)[:n]
	}
	c.search(o)
	c.list(o)
	for v := range n {
		c.distance[v] = -1
	}
}

// edges returns how many edges of v are on cycles.
func (c *cycles) edges(v int32) int32 { return c.start[v+1] - c.start[v] }

// search numbers the nodes in depth-first order. low[v] is the least number that v's subtree
// reaches by one non-tree edge. The edge from v to its parent is on no cycle if low[v] is v's
// own number (Tarjan, 1974).
func (c *cycles) search(o *orderer) {
	for v := range c.n {
		c.order[v] = -1
	}
	count := int32(0)
	for root := range int32(c.n) {
		if c.order[root] >= 0 {
			continue
		}
		c.enter(root, -1, &count)
		for len(c.stack) > 0 {
			v := c.stack[len(c.stack)-1]
			arcs := o.arcsOf(int(v))
			if int(c.next[v]) == len(arcs) {
				c.stack = c.stack[:len(c.stack)-1]
				if p := c.parent[v]; p >= 0 {
					c.low[p] = min(c.low[p], c.low[v])
				}
				continue
			}
			w := arcs[c.next[v]].from
			c.next[v]++
			switch {
			case c.order[w] < 0:
				c.enter(w, v, &count)
			case w != c.parent[v]:
				c.low[v] = min(c.low[v], c.order[w])
			}
		}
	}
}

func (c *cycles) enter(v, parent int32, count *int32) {
	c.order[v], c.low[v], c.parent[v], c.next[v] = *count, *count, parent, 0
	*count++
	c.stack = append(c.stack, v)
}

// list collects the neighbours across edges that are on cycles.
func (c *cycles) list(o *orderer) {
	c.start, c.to = append(c.start[:0], 0), c.to[:0]
	for v := range int32(c.n) {
		from := len(c.to)
		for _, a := range o.arcsOf(int(v)) {
			w := a.from
			bridge := c.parent[w] == v && c.low[w] == c.order[w] || c.parent[v] == w && c.low[v] == c.order[v]
			if w != v && !bridge {
				c.to = append(c.to, w)
			}
		}
		if arcs := c.to[from:]; len(arcs) > 1 {
			slices.Sort(arcs)
			c.to = c.to[:from+len(slices.Compact(arcs))]
		}
		c.start = append(c.start, int32(len(c.to)))
	}
}

// shortest returns the length of the shortest cycle through v: 0 if there is none, and
// longestCycle+1 if it is longer or the search does not find it. It searches breadth-first
// until two of v's branches meet, or until the nodes at a distance have more than most arcs
// in all.
func (c *cycles) shortest(v, most int32) int32 {
	if c.edges(v) == 0 {
		return 0
	}
	best := int32(longestCycle + 1)
	c.queue = append(c.queue[:0], v)
	c.distance[v] = 0
	for begin := 0; begin < len(c.queue); {
		end, arcs := len(c.queue), int32(0)
		d := c.distance[c.queue[begin]]
		for _, x := range c.queue[begin:end] {
			arcs += c.edges(x)
		}
		// A cycle that closes at this distance has 2d+1 or 2d+2 nodes.
		if arcs > most || 2*d+1 >= best || 2*d+1 > longestCycle {
			break
		}
		best = min(best, c.level(v, begin, end))
		begin = end
	}
	for _, x := range c.queue {
		c.distance[x] = -1
	}
	return best
}

// level follows the edges of the nodes at one distance from v, queue[begin:end],
// and returns the length of the shortest cycle that they close.
func (c *cycles) level(v int32, begin, end int) int32 {
	best := int32(longestCycle + 1)
	for _, x := range c.queue[begin:end] {
		d := c.distance[x]
		for _, w := range c.to[c.start[x]:c.start[x+1]] {
			switch {
			case c.distance[w] < 0:
				c.distance[w], c.branch[w] = d+1, c.branch[x]
				if x == v {
					c.branch[w] = w
				}
				c.queue = append(c.queue, w)
			case x != v && w != v && c.branch[w] != c.branch[x]:
				if best = min(best, d+c.distance[w]+1); best == 2*d+1 {
					return best
				}
			}
		}
	}
	return best
}
