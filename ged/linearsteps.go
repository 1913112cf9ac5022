package ged

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
)

// anchor makes the current point the anchor of the next steps.
func (l *linear) anchor() {
	p := &l.point
	setAnchor(p.X0, p.X)
	setAnchor(p.Y0, p.Y)
	setAnchor(p.Dual0, p.Dual)
	l.since = 0
}

// setAnchor copies values to their anchors, and sets those to 0 that are lost beside others. Each
// restart brings such a value nearer to 0, and processors take many times as long for numbers
// that are too small to be normal, as their squares soon are.
func setAnchor(anchor, values []float32) {
	for i, x := range values {
		bits := math.Float32bits(x)
		bits &^= uint32(int32(bits&^(1<<31)-leastBits) >> 31)
		x = math.Float32frombits(bits)
		values[i], anchor[i] = x, x
	}
}

// leastBits are the bits of 2⁻³⁰.
const leastBits = (127 - 30) << 23

// steps makes count steps of the primal-dual hybrid gradient method (Chambolle and
// Pock, 2011) with diagonal steps, in the reflected Halpern form with restarts of
// Lu and Yang (2024). What the last step leaves in last are dual values that need not be
// feasible; share makes a bound of them.
func (l *linear) steps(count int, asc *ascent) {
	for range count {
		work := l.work()
		if asc.clock.Spend(work) || work > longStep && !asc.clock.Affords(int64(work)) {
			return
		}
		if l.due(l.step()) {
			l.restart()
		}
	}
}

// restarts says when the steps of a program begin anew from where they are (Lu and Yang, 2024).
type restarts struct {
	weight       float64 // of dual steps against primal ones
	since, total int     // steps since the anchor was set, and since the program was
	first, prev  float64 // residuals of the first step after the anchor, and of the last
}

// due reports whether to restart after a step of the given residual.
func (r *restarts) due(res float64) (restart bool) {
	r.total++
	switch {
	case r.since == 0:
		r.first = res
	case res <= 0.2*r.first || res <= 0.8*r.first && res > r.prev || r.since >= 50 && r.since*25 >= r.total*9:
		restart = true
	}
	r.prev = res
	r.since++
	return restart
}

// balance sets the weight by how far values and dual values have come from the anchor.
func (r *restarts) balance(far, wide float64) {
	if far > 1e-12 && wide > 1e-12 {
		r.weight = math.Sqrt(r.weight * math.Sqrt(wide/far))
	}
}

// longStep is how long a step takes, in nanoseconds, before which it is seen whether
// there is time for it.
const longStep = 1 << 20

// firstKeep over firstKeep+1 is the share of the first step from the anchor that is kept. 1 over 2, as in the
// method, leaves the dual values further from the best after the few steps that a state gets.
const firstKeep = 2

// work is what a step takes, in nanoseconds.
func (l *linear) work() int { return len(l.point.Y) + l.constraints() }

// constraints counts those of the cells, filled up.
func (l *linear) constraints() int { return len(l.point.Dual) - l.point.Sides() }

// step makes one step and returns its residual: how far it moves.
func (l *linear) step() float64 {
	keep := float32(l.since+firstKeep) / float32(l.since+firstKeep+1)
	p := &l.point
	kernel.Best().StepProgram(p, keep, float32(1/l.weight), float32(l.weight))
	var moved [3]float64
	for i, lanes := range p.Moved {
		for _, x := range lanes {
			moved[i] += float64(x)
		}
	}
	// Pairs of edges are there twice.
	return (moved[0]+2*moved[1])/4*l.weight + moved[2]/l.weight
}

// restart makes the last step the anchor and balances the steps of the two sides by
// how far each has come from the old one.
func (l *linear) restart() {
	p := &l.point
	// Pairs of edges are there twice; their steps have a length of a quarter.
	l.balance(apart(p.X, p.X0, p.Step)+2*apart(p.Y, p.Y0, nil), apart(p.Dual, p.Dual0, p.Width))
	l.anchor()
}

// apart returns the sum of squared differences, each divided by the length of the value's steps; nil
// stands for lengths of 1.
func apart(x, y, steps []float32) float64 {
	sum := 0.0
	for i, v := range x {
		d := float64(v - y[i])
		if d *= d; steps != nil {
			d /= float64(steps[i])
		}
		sum += d
	}
	return sum
}

// share sets the shares of d to what the duals say: a pair of half-edges earns at
// each end what its constraints there ask for, and half of what is missing or left.
func (l *linear) share(d *dual) {
	x := l.x
	cols := x.col.len()
	half := l.scale / 2
	l.point.LastSums()
	sum := l.point.Next
	for i := range l.pairs {
		k := &l.pairs[i]
		row, col := &x.row.list[k.e], &x.col.list[k.f]
		w := x.weight[int(k.e)*cols+int(k.f)]
		share := w/2 + int(float64(sum[k.at1]-sum[k.at2])*half)
		d.share[int(k.e)*cols+int(k.f)] = share
		d.share[int(row.rev)*cols+int(col.rev)] = w - share
	}
}

// value returns the profit of the point, in grains. It may exceed what is feasible.
func (l *linear) value() float64 {
	p := &l.point
	total := 0.0
	for i := range l.cells {
		total += float64(p.X[i] * p.Node[i])
	}
	for i := range l.pairs {
		at := l.pairs[i].at1
		total += float64(p.Y[at] * p.Weight[at])
	}
	return total * l.scale
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
	for c := range l.cells {
		k, x := &l.cells[c], l.point.X[c]
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
