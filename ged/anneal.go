package ged

import "math"

// annealing is local search by simulated annealing (Kirkpatrick, Gelatt and Vecchi,
// 1983). It moves a random row to another column, whose row takes the old one in
// exchange; most moves lead to a column next to the image of a neighbour. A move that
// loses profit is made with a probability that falls with the loss and, in the course of
// a cooling, with the temperature.
//
// Coolings go by turns through all temperatures, ever more slowly, and from the best map
// at a temperature that leaves most of it. The temperatures at which the former find their
// best maps differ much between pairs, so later ones keep to where that was (after
// Connolly, 1990). What a cooling has not finished, the next call goes on with.
type annealing struct {
	climber *climber // ends a cooling; has the bounds

	f      []int32 // the column of each row, or -1
	owner  []int32 // the row of each column, or -1
	worth  []int   // the profit of each row and its edges
	profit int     // of f

	temperature, factor float64 // now, and what each block multiplies it by
	blocks              int     // left of this cooling
	turn                int     // coolings begun
	long                int     // blocks of the next cooling through all temperatures

	top    int     // the greatest profit of this cooling
	topAt  float64 // the temperature at which it was found
	middle float64 // mean of topAt, late coolings weighted most; 0: none yet

	noise []float32 // quantiles of the exponential distribution
}

// Temperatures are relative to the greatest profit of an edge. Keeping to a range around
// the middle brought the upper bounds of eight pairs of 41 to 80 nodes after half a second
// from 5.1 % above the best known to 2.7 %.
const (
	hot, warm, cold = 0.4, 0.3, 0.1
	above, below    = 1.2, 0.8 // the range, by the middle

	blockWork  = 1 << 12 // in units of about three nanoseconds: some 250 moves
	blockTime  = 13_000  // nanoseconds, about
	moveWork   = 8       // of a move, besides its edges
	mostBlocks = 1 << 17 // about two seconds
	warmBlocks = 1 << 9  // of a cooling from the best map
	nextTo     = 200     // of 256 moves lead next to the image of a neighbour
)

// begin makes the next call of run begin anew.
func (z *annealing) begin(c *climber) {
	z.climber = c
	z.f, z.blocks, z.turn, z.middle = z.f[:0], 0, 0, 0
}

// run spends about the given work, in nanoseconds, on coolings. It ends early when
// the search has to stop, and when no map can be better.
func (z *annealing) run(work int) {
	s := z.climber
	if len(s.best) < 2 || s.p.col.n < 2 {
		return
	}
	for ; work > 0 && s.hopeful(); work -= blockTime {
		if s.budget.Spend(blockTime) {
			return
		}
		if z.blocks == 0 {
			z.heat()
		}
		z.cool()
		z.temperature *= z.factor
		if z.blocks--; z.blocks == 0 {
			copy(s.trial, z.f)
			s.clearQueue()
			for a := range s.trial {
				s.enqueue(int32(a))
			}
			s.climbOn()
			s.note(s.trial, s.p.profit(s.trial))
		}
	}
}

// heat begins a cooling.
func (z *annealing) heat() {
	s, p := z.climber, z.climber.p
	if z.noise == nil {
		z.noise = make([]float32, 1024)
		for i := range z.noise {
			z.noise[i] = float32(-math.Log((float64(i) + 0.5) / float64(len(z.noise))))
		}
	}
	most := 1.0
	for _, x := range p.edge {
		most = max(most, float64(x))
	}
	if z.turn == 0 {
		z.long = 1 + earlyAnneal*p.row.n*p.col.n/blockTime
	}
	start, end := warm*most, cold*most
	if z.turn%2 == 1 {
		if z.middle == 0 {
			z.middle = z.topAt
		}
		z.middle += (z.topAt - z.middle) / 3
		z.blocks = warmBlocks
	} else {
		start, z.blocks = hot*most, z.long
		z.long = min(2*z.long, mostBlocks)
		if z.turn > 2 {
			start, end = min(start, above*z.middle), max(end, below*z.middle)
		}
	}
	z.temperature = start
	z.factor = math.Pow(min(1, end/start), 1/float64(z.blocks))
	if z.turn%2 == 1 || len(z.f) == 0 {
		z.f = append(z.f[:0], s.best...)
		z.profit = s.bestProfit
	}
	z.turn++
	z.top, z.topAt = math.MinInt, start
	z.owner = s.owners(z.owner, z.f)
	z.worth = resize(z.worth, len(z.f))
	for a, b := range z.f {
		z.worth[a] = 0
		if b >= 0 {
			z.worth[a] = p.profitAt(z.f, a)
		}
	}
}

// moved updates what the neighbours of row i, but k, are worth once i moved from column
// old to column now.
func (z *annealing) moved(p *problem, i, k int, old, now int32) {
	for _, h := range p.row.of(i) {
		c := z.f[h.to]
		if c < 0 || int(h.to) == k {
			continue
		}
		edge := p.edge[int(h.typ)*p.types:]
		if old >= 0 {
			z.worth[h.to] -= edge[p.col.typ(int(old), int(c))]
		}
		if now >= 0 {
			z.worth[h.to] += edge[p.col.typ(int(now), int(c))]
		}
	}
}

// cool tries the moves of one block.
func (z *annealing) cool() {
	s, p := z.climber, z.climber.p
	f, worth, owner := z.f, z.worth, z.owner
	n, m := uint64(p.row.n), uint64(p.col.n)
	if !p.full {
		m++ // no column
	}
	temperature := float32(z.temperature)
	edgeCost := 1
	if p.col.dense == nil {
		edgeCost = 8 // types are searched for
	}
	for left := blockWork; left > 0; {
		left -= moveWork
		x := s.random.next()
		i := int((x >> 32) * n >> 32)
		old := f[i]
		arcs := p.row.of(i)
		j := int32(-1)
		y := s.random.next()
		if y&255 < nextTo {
			if len(arcs) == 0 {
				continue
			}
			k := f[arcs[int((x>>10&0xfffff)*uint64(len(arcs))>>20)].to]
			if k < 0 {
				continue
			}
			next := p.col.of(int(k))
			if len(next) == 0 {
				continue
			}
			j = next[int((y>>32)*uint64(len(next))>>32)].to
		} else if to := (y >> 32) * m >> 32; to < uint64(p.col.n) {
			j = int32(to)
		}
		if j == old {
			continue
		}
		left -= edgeCost * len(arcs)
		r := int32(-1)
		gain := -worth[i]
		if j >= 0 {
			if r = owner[j]; r >= 0 {
				if old < 0 && p.full {
					continue
				}
				left -= edgeCost * p.row.degree(int(r))
				gain -= worth[r]
				if p.directed {
					gain += p.between(i, int(r), old, j)
				}
				f[r] = old
			}
		}
		f[i] = j
		mine, others := 0, 0
		if j >= 0 {
			mine = p.profitAt(f, i)
		}
		if r >= 0 && old >= 0 {
			others = p.profitAt(f, int(r))
		}
		gain += mine + others
		if gain < 0 && float32(gain) < -temperature*z.noise[x&1023] {
			f[i] = old
			if r >= 0 {
				f[r] = j
			}
			continue
		}
		z.profit += gain
		worth[i] = mine
		z.moved(p, i, int(r), old, j)
		if old >= 0 {
			owner[old] = r
		}
		if j >= 0 {
			owner[j] = int32(i)
		}
		if r >= 0 {
			worth[r] = others
			z.moved(p, int(r), i, j, old)
		}
		if z.profit > z.top {
			z.top, z.topAt = z.profit, z.temperature
		}
		if z.profit > s.bestProfit {
			s.note(f, z.profit)
		}
	}
}
