package vectorindex

import (
	"context"
	"math"

	"github.com/greedgraph/greed/internal/kernel"
)

// walk answers one query after the other on a [BoxTree].
type walk struct {
	tree      *BoxTree
	collector *collector
	wild      bool      // the query is: nothing can be bounded
	box       []float32 // the query among the coordinates of boxes
	bestFirst bool
	queue     visits // with bestFirst a heap, else a stack
	bounds    [nodeBoxes]float32
	screened  [cellVectors]float32
	open      [kernel.Lane]int32 // positions of vectors to measure
	rows      []float32          // of them, [dim, 16]
	distances [kernel.Lane]float64
}

func newWalk(t *BoxTree) *walk {
	return &walk{tree: t, rows: make([]float32, kernel.Lane*t.dim)}
}

// run answers the query of the collector. For the nearest it first visits the most
// promising cells.
func (w *walk) run(ctx context.Context) error {
	t, c := w.tree, w.collector
	if c.done() || t.n == 0 {
		return ctx.Err()
	}
	w.box = t.appendBox(w.box[:0], c.query.Vector)
	w.wild = false
	for _, x := range c.query.Vector {
		w.wild = w.wild || x < -wild || x > wild
	}
	if c.k >= 0 {
		if done, err := w.search(ctx, true); done || err != nil {
			return err
		}
		c.hits = c.hits[:0] // which will be found again; what they set is the reach
	}
	_, err := w.search(ctx, false)
	return err
}

// firstCells is how many cells a search for the nearest visits in the order of
// their bounds. They hold answers, or vectors almost as near; the others are
// then visited in the order of memory, which is faster by more than their
// greater number takes.
const firstCells = 32

// search visits boxes, with bestFirst those of the least bounds first until
// firstCells cells were visited. It reports whether no other box can hold an
// answer.
func (w *walk) search(ctx context.Context, bestFirst bool) (done bool, err error) {
	t, c := w.tree, w.collector
	w.bestFirst = bestFirst
	cells := 0
	w.queue = append(w.queue[:0], visit{height: int32(len(t.levels))})
	for steps := 0; len(w.queue) > 0; steps++ {
		if steps%64 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		v := w.next()
		switch {
		case v.bound > c.reach && bestFirst:
			return true, ctx.Err() // all others are as far
		case v.bound > c.reach || c.beaten(v.first):
			continue
		case v.height == 0 && bestFirst && cells == firstCells:
			return false, nil
		}
		w.prefetch()
		if v.height == 0 {
			w.visitCell(int(v.node))
			cells++
		} else {
			w.visitNode(int(v.height)-1, int(v.node))
		}
	}
	return true, ctx.Err()
}

// next takes the box to visit out of the queue.
func (w *walk) next() visit {
	if w.bestFirst {
		return w.queue.pop()
	}
	last := len(w.queue) - 1
	v := w.queue[last]
	w.queue = w.queue[:last]
	return v
}

// prefetch asks for the codes of the cell that probably comes next.
func (w *walk) prefetch() {
	if len(w.queue) == 0 {
		return
	}
	v := w.queue[0]
	if !w.bestFirst {
		v = w.queue[len(w.queue)-1]
	}
	if v.height == 0 {
		codes, _ := w.tree.cells.group(int(v.node))
		kernel.Prefetch(codes.Base)
		kernel.Prefetch(codes.Step)
		kernel.Prefetch(codes.Codes)
	}
}

// blind says that codes bound nothing; see wild.
func (w *walk) blind(slack float64) bool { return w.wild || math.IsInf(slack, 1) }

// visitNode queues the boxes of a node.
func (w *walk) visitNode(height, node int) {
	t, c := w.tree, w.collector
	l := &t.levels[height]
	codes, slack := l.boxes.group(node)
	if w.blind(slack) {
		slack = math.Inf(1)
		clear(w.bounds[:])
	} else {
		t.ops.ScreenCodes(w.bounds[:], w.box, &codes, &t.box)
	}
	bounds := w.bounds[:min(nodeBoxes, l.nodes-node*nodeBoxes)]
	limit := t.box.Limit(c.reach + slack)
	for at := 0; ; at++ {
		at += t.ops.Find(bounds[at:], limit)
		if at == len(bounds) {
			return
		}
		box := node*nodeBoxes + at
		if !c.beaten(l.first[box]) {
			bound := max(0, t.box.Below(bounds[at])-slack)
			v := visit{bound, l.first[box], int32(height), int32(box)}
			if w.bestFirst {
				w.queue.push(v)
			} else {
				w.queue = append(w.queue, v)
			}
		}
	}
}

// visitCell takes the vectors of a cell into account.
func (w *walk) visitCell(cell int) {
	t, c := w.tree, w.collector
	positions := t.cell(cell)
	codes, slack := t.cells.group(cell)
	if w.blind(slack) {
		slack = math.Inf(1)
		clear(w.screened[:])
	} else {
		t.ops.ScreenCodes(w.screened[:], c.query.Vector, &codes, &t.kernel)
	}
	limit := t.kernel.Limit(c.reach + slack)
	screened := w.screened[:len(positions)]
	open := 0
	for at := 0; ; at++ {
		at += t.ops.Find(screened[at:], limit)
		if at == len(screened) {
			break
		}
		w.open[open] = positions[at]
		kernel.Prefetch(t.vector(positions[at]))
		if open++; open == kernel.Lane {
			w.measure(w.open[:open])
			open = 0
			limit = t.kernel.Limit(c.reach + slack)
		}
	}
	w.measure(w.open[:open])
}

// measure offers the exact distances of open vectors, 16 at most.
func (w *walk) measure(open []int32) {
	if len(open) == 0 {
		return
	}
	t, c := w.tree, w.collector
	for l, p := range open {
		to := w.rows[l:]
		for i, x := range t.vector(p) {
			to[i*kernel.Lane] = x
		}
	}
	t.ops.Exact(w.distances[:], c.query.Vector, w.rows, &t.kernel)
	for l, p := range open {
		c.offer(Hit{int(p), w.distances[l]})
	}
}
