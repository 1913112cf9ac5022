package vectorindex

import "context"

// together answers queries over a [BoxTree] in one pass: boxes and cells are
// read once for all of the queries that need them.
type together struct {
	tree  *BoxTree
	walks []*walk
	begin [][]int // by height, where each walk's boxes begin in its queue
	next  [][]int // and where those that were not visited begin
	steps int
}

// togetherQueries is how many queries share a pass, whose own memory is to stay
// in the cache.
const togetherQueries = 64

func newTogether(t *BoxTree) *together {
	return &together{tree: t}
}

// run answers the queries of collectors.
func (g *together) run(ctx context.Context, collectors []*collector) error {
	t := g.tree
	var open []int // of walks that have boxes to visit
	for i, c := range collectors {
		if i == len(g.walks) {
			g.walks = append(g.walks, newWalk(t))
		}
		w := g.walks[i]
		w.collector = c
		done, err := w.begin(ctx)
		if err != nil {
			return err
		}
		if !done {
			w.bestFirst = false
			w.queue = w.queue[:0]
			open = append(open, i)
		}
	}
	for len(g.begin) <= len(t.levels) {
		g.begin = append(g.begin, make([]int, togetherQueries))
		g.next = append(g.next, make([]int, togetherQueries))
	}
	if len(open) == 0 {
		return ctx.Err()
	}
	return g.visit(ctx, len(t.levels), 0, open)
}

// visit takes a node, or at height 0 a cell, into account for some walks.
func (g *together) visit(ctx context.Context, height, node int, walks []int) error {
	if g.steps++; g.steps%16 == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	if height == 0 {
		for _, i := range walks {
			g.walks[i].visitCell(node)
		}
		return nil
	}
	begin, next := g.begin[height], g.next[height]
	for _, i := range walks {
		w := g.walks[i]
		begin[i], next[i] = len(w.queue), len(w.queue)
		w.visitNode(height-1, node)
	}
	own := make([]int, 0, len(walks))
	for {
		// Of the boxes that are left the first, in the order of memory, and
		// those that want it.
		box := int32(-1)
		for _, i := range walks {
			if q := g.walks[i].queue; next[i] < len(q) && (box < 0 || q[next[i]].node < box) {
				box = q[next[i]].node
			}
		}
		if box < 0 {
			break
		}
		own = own[:0]
		for _, i := range walks {
			w := g.walks[i]
			if next[i] == len(w.queue) || w.queue[next[i]].node != box {
				continue
			}
			v := w.queue[next[i]]
			next[i]++
			if v.bound <= w.collector.reach && !w.collector.beaten(v.first) {
				own = append(own, i)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := g.visit(ctx, height-1, int(box), own); err != nil {
			return err
		}
	}
	for _, i := range walks {
		g.walks[i].queue = g.walks[i].queue[:begin[i]]
	}
	return nil
}
