package ged

import "math"

// anchor makes the current point the anchor of the next steps.
func (l *linear) anchor() {
	copy(l.primal0, l.primal)
	copy(l.flow0, l.flow)
	copy(l.dual0, l.dual)
	l.since = 0
}

// steps makes count steps of the primal-dual hybrid gradient method (Chambolle and
// Pock, 2011) with diagonal steps, in the reflected Halpern form with restarts of
// Lu and Yang (2024). What the last step leaves in last are dual values that need not be
// feasible; share makes a bound of them.
func (l *linear) steps(count int, asc *ascent) {
	for range count {
		work := 8*len(l.pairs) + 4*len(l.dual)
		if asc.clock.Spend(work) || work > longStep && !asc.clock.Affords(int64(work)) {
			return
		}
		res := l.step()
		l.total++
		restart := false
		switch {
		case l.since == 0:
			l.first = res
		case res <= 0.2*l.first || res <= 0.8*l.first && res > l.prev || l.since >= 50 && l.since*25 >= l.total*9:
			restart = true
		}
		l.prev = res
		l.since++
		if restart {
			l.restart()
		}
	}
}

// longStep is how long a step takes, in nanoseconds, before which it is seen whether
// there is time for it.
const longStep = 1 << 20

// step makes one step and returns its residual: how far it moves.
func (l *linear) step() float64 {
	keep := float32(l.since+1) / float32(l.since+2)
	back := 1 - keep
	dual, load := l.dual, l.load
	base := l.sides()
	rows, cols := dual[base:base+l.x.n], dual[base+l.x.n:]
	rowLoad, colLoad := load[base:base+l.x.n], load[base+l.x.n:]
	for a := range rowLoad {
		rowLoad[a] = -1
	}
	for b := range colLoad {
		colLoad[b] = -1
	}
	pace := float32(1 / l.weight)
	moved := 0.0
	for c := range l.cells {
		k := &l.cells[c]
		g := k.node - rows[k.a] - cols[k.b]
		for _, v := range dual[k.first:k.end] {
			g += v
		}
		x := l.primal[c]
		far := 2*min(1, max(0, x+pace*k.step*g)) - x
		moved += float64((far - x) * (far - x) / k.step)
		rowLoad[k.a] += far
		colLoad[k.b] += far
		part := load[k.first:k.end]
		for i := range part {
			part[i] = -far
		}
		l.primal[c] = keep*far + back*l.primal0[c]
	}
	sum := float32(0)
	quarter := pace / 4
	for i := range l.pairs {
		p := &l.pairs[i]
		g := p.weight - dual[p.row1] - dual[p.col1] - dual[p.row2] - dual[p.col2]
		y := l.flow[i]
		far := 2*min(1, max(0, y+quarter*g)) - y
		sum += (far - y) * (far - y)
		load[p.row1] += far
		load[p.col1] += far
		load[p.row2] += far
		load[p.col2] += far
		l.flow[i] = keep*far + back*l.flow0[i]
	}
	moved = (moved + 4*float64(sum)) / 4 * l.weight
	sum = 0
	long := float32(l.weight)
	last, dual0, width := l.last[:len(dual)], l.dual0[:len(dual)], l.width[:len(dual)]
	load = load[:len(dual)]
	for k, v := range dual {
		w := max(0, v+long*width[k]*load[k])
		sum += (w - v) * (w - v) / width[k]
		last[k] = w
		dual[k] = keep*(2*w-v) + back*dual0[k]
	}
	return moved + float64(sum)/l.weight
}

// restart makes the last step the anchor and balances the steps of the two sides by
// how far each has come from the old one.
func (l *linear) restart() {
	far, wide := 0.0, 0.0
	for c, x := range l.primal {
		far += float64((x - l.primal0[c]) * (x - l.primal0[c]))
	}
	for i, y := range l.flow {
		far += float64((y - l.flow0[i]) * (y - l.flow0[i]))
	}
	for k, v := range l.dual {
		wide += float64((v - l.dual0[k]) * (v - l.dual0[k]))
	}
	if far > 1e-12 && wide > 1e-12 {
		l.weight = math.Sqrt(l.weight * math.Sqrt(wide/far))
	}
	l.anchor()
}

// share sets the shares of d to what the duals say: a pair of half-edges earns at
// each end what its constraints there ask for, and half of what is missing or left.
func (l *linear) share(d *dual) {
	x := l.x
	cols := x.col.len()
	half := l.scale / 2
	for i := range l.pairs {
		p, at := &l.pairs[i], &l.origin[i]
		w := x.gain[int(x.row.list[at.e].typ)*x.types+int(x.col.list[at.f].typ)]
		more := l.last[p.row1] + l.last[p.col1] - l.last[p.row2] - l.last[p.col2]
		share := w/2 + int(float64(more)*half)
		d.share[int(at.e)*cols+int(at.f)] = share
		d.share[int(x.row.list[at.e].rev)*cols+int(x.col.list[at.f].rev)] = w - share
	}
}

// value returns the profit of the point, in grains. It may exceed what is feasible.
func (l *linear) value() float64 {
	total := float32(0)
	for c, x := range l.primal {
		total += x * l.cells[c].node
	}
	for i, y := range l.flow {
		total += y * l.pairs[i].weight
	}
	return float64(total) * l.scale
}

// round makes the assignment of greatest Σx the assignment of to.
func (l *linear) round(d *dual, to *level, assign *assigner) {
	to.shape(d.n, d.m, d.m, 1)
	copy(to.rowID, d.rowID)
	copy(to.colID, d.colID)
	for at := range to.profit {
		to.profit[at] = forbidden
	}
	clear(to.u)
	clear(to.v)
	for a := range to.rowMatch {
		to.rowMatch[a] = -1
	}
	for b := range to.colMatch {
		to.colMatch[b] = -1
	}
	for c, x := range l.primal {
		k := &l.cells[c]
		if excluded(d.profit[k.at]) {
			continue
		}
		p := int(max(0, x) * (1 << 20))
		to.profit[k.at] = p
		to.u[k.a] = max(to.u[k.a], p)
	}
	to.bound = 0
	for _, u := range to.u {
		to.bound += u
	}
	assign.solve(to, math.MinInt/2)
}
