package ged

import (
	"github.com/greedgraph/greed/internal/clock"
	"github.com/greedgraph/greed/internal/kernel"
)

// begin starts at 0.
func (t *triangles) begin() {
	n, all := len(t.profit), len(t.profit)+len(t.second)
	reset(&t.value, all, 0)
	reset(&t.value0, all, 0)
	reset(&t.width, n, 0)
	for _, v := range []*[]float32{&t.dual, &t.dual0, &t.last, &t.load, &t.dualWidth} {
		reset(v, t.rows, 0)
	}
	for i := range t.width {
		plus, minus := t.of.at(i)
		for _, constraints := range [][]int32{plus, minus} {
			for _, c := range constraints {
				t.width[i]++
				t.dualWidth[c]++
			}
		}
	}
	at := int32(0)
	for _, b := range t.bends {
		t.dualWidth[b.node] += float32(b.end - at)
		t.dualWidth[b.edge] += float32(b.end - at)
		for ; at < b.end; at++ {
			t.dualWidth[t.second[at]]++
		}
	}
	for _, widths := range [][]float32{t.width, t.dualWidth} {
		for i, w := range widths {
			widths[i] = 1 / max(1, w)
		}
	}
	t.restarts = restarts{weight: startWeight}
}

// from starts where l is.
func (t *triangles) from(l *linear) {
	t.meet(l, t.dual, func(here, there *float32) { *here = *there })
	t.weight = l.weight
	setAnchor(t.value0, t.value)
	setAnchor(t.dual0, t.dual)
}

// lead starts l where t is.
func (t *triangles) lead(l *linear) {
	t.meet(l, t.last, func(here, there *float32) { *there = *here })
	for i := range l.pairs {
		k := &l.pairs[i]
		l.point.Y[k.at2] = l.point.Y[k.at1]
	}
	l.weight = leadWeight
	l.ready()
	l.anchor()
}

// leadWeight is the first weight of a program that starts where triangles are. Their own is 20 to 60.
const leadWeight = 1

// meet calls do with every value and dual value of t that l has, too.
func (t *triangles) meet(l *linear, dual []float32, do func(here, there *float32)) {
	x := l.x
	for c := range l.cells {
		k := &l.cells[c]
		if v := t.number[k.at]; v >= 0 {
			do(&t.value[v], &l.point.X[c])
		}
		row, col := l.duals(c)
		rowRanks, colRanks := l.ranksAt(k)
		for i, rank := range rowRanks {
			if rank >= 0 {
				do(&dual[t.rowArc(x.row.start[k.a]+int32(i), k.b)], &l.point.Dual[row+int(rank)*kernel.CellLane])
			}
		}
		for i, rank := range colRanks {
			if rank >= 0 {
				do(&dual[t.colArc(x.col.start[k.b]+int32(i), k.a)], &l.point.Dual[col+int(rank)*kernel.CellLane])
			}
		}
	}
	for i := range l.pairs {
		k := &l.pairs[i]
		if v := t.pair[int(k.e)*x.col.len()+int(k.f)]; v >= 0 {
			do(&t.value[v], &l.point.Y[k.at1])
		}
	}
	for i, at := range l.slots {
		do(&dual[i], &l.point.Dual[at])
	}
}

// step makes one step, as those of [linear], and returns its residual. Variables add to the loads of their constraints
// as they move, so each is visited once. Most are 0 and stay so.
func (t *triangles) step() float64 {
	keep, pace, long := float32(t.since+1)/float32(t.since+2), float32(1/t.weight), float32(t.weight)
	back := 1 - keep
	far, wide := 0.0, 0.0
	dual, load := t.dual, t.load
	clear(load)
	for i := range t.sides {
		load[i] = -1
	}
	value, value0, width := t.value[:len(t.profit)], t.value0[:len(t.profit)], t.width[:len(t.profit)]
	for i, profit := range t.profit {
		plus, minus := t.of.at(i)
		v, slope := value[i], profit-sumOf(dual, plus, minus)
		if v == 0 && slope <= 0 {
			value[i] = back * value0[i]
			continue
		}
		w := clamp(v + pace*width[i]*slope)
		far += float64((w - v) * (w - v) / width[i])
		w += w - v
		value[i] = keep*w + back*value0[i]
		for _, c := range plus {
			load[c] += w
		}
		for _, c := range minus {
			load[c] -= w
		}
	}
	value, value0 = t.value[len(t.profit):], t.value0[len(t.profit):]
	value0 = value0[:len(value)]
	at, third := 0, pace/3
	for _, b := range t.bends {
		least := dual[b.node] - dual[b.edge]
		moved, sum := float32(0), float32(0)
		for second := t.second[:b.end]; at < len(second); at++ {
			c := second[at]
			v, slope := value[at], least-dual[c]
			if v == 0 && slope <= 0 {
				value[at] = back * value0[at]
				continue
			}
			w := clamp(v + third*slope)
			moved += (w - v) * (w - v)
			w += w - v
			value[at] = keep*w + back*value0[at]
			sum += w
			load[c] += w
		}
		far += float64(3 * moved)
		load[b.node] -= sum
		load[b.edge] += sum
	}
	dual0, last, width := t.dual0[:len(dual)], t.last[:len(dual)], t.dualWidth[:len(dual)]
	for i, v := range dual {
		w := float32(0)
		if v > 0 || load[i] > 0 {
			w = max(0, v+long*width[i]*load[i])
			wide += float64((w - v) * (w - v) / width[i])
		}
		last[i] = w
		dual[i] = keep*(2*w-v) + back*dual0[i]
	}
	return far*t.weight + wide/t.weight
}

func clamp(x float32) float32 {
	if x < 0 {
		return 0
	}
	return min(x, 1)
}

func (t *triangles) restart() {
	n := len(t.profit)
	far := apart(t.value[:n], t.value0, t.width) + 3*apart(t.value[n:], t.value0[n:], nil)
	t.balance(far, apart(t.dual, t.dual0, t.dualWidth))
	setAnchor(t.value0, t.value)
	setAnchor(t.dual0, t.dual)
	t.since = 0
}

// steps makes count steps, or as many as there is time for. It reports whether it made them all.
func (t *triangles) steps(count int, clock *clock.Clock) bool {
	for range count {
		if work := t.work(); clock.Spend(work) || work > longStep && !clock.Affords(int64(work)) {
			return false
		}
		if t.due(t.step()) {
			t.restart()
		}
	}
	return true
}

// work is what a step takes, in nanoseconds.
func (t *triangles) work() int { return 3 * (len(t.entries) + len(t.second) + t.rows) }
