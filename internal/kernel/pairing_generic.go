package kernel

import (
	"math"
	"math/bits"
)

// low returns the number of the lowest bit of mask, which is below PairingSize.
func low(mask int) int { return bits.TrailingZeros(uint(mask)) % PairingSize }

// pairingView is a pairing seen from its rows or its columns: the near side.
type pairingView struct {
	near, far, nearMatch, farMatch *PairingLine
	profit                         *[PairingSize]PairingLine
	cols                           bool
	free, farFree                  int
}

func (v *pairingView) profitOf(x, y int) int16 {
	if v.cols {
		return v.profit[y][x]
	}
	return v.profit[x][y]
}

func solvePairingGeneric(p *Pairing, need int) bool {
	rows := pairingView{&p.U, &p.V, &p.RowMatch, &p.ColMatch, &p.Profit, false, p.Rows, p.Cols}
	cols := pairingView{&p.V, &p.U, &p.ColMatch, &p.RowMatch, &p.Profit, true, p.Cols, p.Rows}
	if p.Bound < need {
		return false
	}
	pendingRows := rows.reduceAll(p)
	if p.Bound < need {
		return false
	}
	pendingCols := cols.reduceAll(p)
	return p.Bound >= need && rows.augmentAll(p, pendingRows, need) && cols.augmentAll(p, pendingCols, need)
}

// reduceAll lowers the duals of unmatched near nodes as far as they stay feasible, and
// returns whose they were.
func (v *pairingView) reduceAll(p *Pairing) (pending int) {
	for leftX := v.free; leftX != 0; leftX &= leftX - 1 {
		x := low(leftX)
		if v.nearMatch[x] < 0 && v.near[x] > 0 {
			pending |= 1 << x
		}
	}
	for leftX := pending; leftX != 0; leftX &= leftX - 1 {
		x := low(leftX)
		p.Bound -= v.reduce(x)
	}
	return pending
}

// reduce lowers the dual of x and returns by how much. If the far node that stops it is free,
// it matches the two.
func (v *pairingView) reduce(x int) int {
	before := v.near[x]
	least, at := before, -1
	for leftY := v.farFree; leftY != 0; leftY &= leftY - 1 {
		y := low(leftY)
		if d := before + v.far[y] - v.profitOf(x, y); d < least {
			least, at = d, y
		}
	}
	v.near[x] = before - least
	if at >= 0 && v.farMatch[at] < 0 {
		v.nearMatch[x], v.farMatch[at] = int16(at), int16(x)
	}
	return int(least)
}

func (v *pairingView) augmentAll(p *Pairing, pending, need int) bool {
	for leftX := pending; leftX != 0; leftX &= leftX - 1 {
		x := low(leftX)
		if v.nearMatch[x] < 0 && v.near[x] > 0 {
			if p.Bound -= v.augment(x, p.Bound-need); p.Bound < need {
				return false
			}
		}
	}
	return true
}

// augment finds the shortest alternating path from x to a free far node, or to a near node
// whose dual falls to 0, shifts the duals and matches along it. It returns by how much the
// bound falls; once that must exceed spare, it changes nothing and returns more than spare.
func (v *pairingView) augment(x, spare int) int {
	var dist, from PairingLine
	for y := range dist {
		dist[y] = math.MaxInt16
	}
	scanned := 0
	shortest, last, end := v.near[x], x, -1
	for next, base := x, shortest; ; {
		least, at := shortest, -1
		for leftY := v.farFree; leftY != 0; leftY &= leftY - 1 {
			y := low(leftY)
			if d := base + v.far[y] - v.profitOf(next, y); d < dist[y] {
				dist[y], from[y] = d, int16(next)
			}
			if scanned>>y&1 == 0 && dist[y] < least {
				least, at = dist[y], y
			}
		}
		if int(least) > spare {
			return int(least)
		}
		if at < 0 {
			break
		}
		if v.farMatch[at] < 0 {
			shortest, end = least, at
			break
		}
		scanned |= 1 << at
		next = int(v.farMatch[at])
		if base = least + v.near[next]; base < shortest {
			shortest, last = base, next
		}
	}
	v.near[x] -= shortest
	for leftY := scanned; leftY != 0; leftY &= leftY - 1 {
		y := low(leftY)
		if shift := shortest - dist[y]; shift > 0 {
			v.far[y] += shift
			v.near[v.farMatch[y]] -= shift
		}
	}
	if end < 0 {
		if last == x {
			return int(shortest)
		}
		end = int(v.nearMatch[last])
		v.nearMatch[last] = -1
	}
	for y := end; ; {
		near := int(from[y])
		next := v.nearMatch[near]
		v.nearMatch[near], v.farMatch[y] = int16(y), int16(near)
		if near == x {
			return int(shortest)
		}
		y = int(next)
	}
}

func narrowPairingGeneric(p *Pairing, g *PairingGraphs, spare int16) (row int, lost bool) {
	var left [PairingSize]int
	best := int16(math.MaxInt16)
	for leftA := p.Rows; leftA != 0; leftA &= leftA - 1 {
		a := low(leftA)
		most := p.U[a] - spare
		for leftB := p.Cols; leftB != 0; leftB &= leftB - 1 {
			b := low(leftB)
			if p.Profit[a][b]-p.V[b] < most {
				p.Profit[a][b] = Forbidden
			} else {
				left[a] |= 1 << b
			}
		}
		if left[a] == 0 {
			return -1, false
		}
		if score := int16(bits.OnesCount(uint(left[a]))) - 4*p.RowEdges[0][a]; score < best {
			best, row = score, a
		}
	}
	for leftA := p.Rows; leftA != 0; leftA &= leftA - 1 {
		a := low(leftA)
		var star PairingLine
		for k := range g.Kinds {
			next, any := int(g.RowNext[k][a])&p.Rows, 0
			if next == 0 {
				continue
			}
			for leftX := next; leftX != 0; leftX &= leftX - 1 {
				any |= left[low(leftX)]
			}
			for leftB := left[a]; leftB != 0; leftB &= leftB - 1 {
				b := low(leftB)
				ends, edges := int(g.ColNext[k][b])&p.Cols, int16(0)
				for leftX := next; leftX != 0; leftX &= leftX - 1 {
					if left[low(leftX)]&ends != 0 {
						edges++
					}
				}
				star[b] += g.Weight[k] * min(edges, int16(bits.OnesCount(uint(any&ends))))
			}
		}
		for leftB := left[a]; leftB != 0; leftB &= leftB - 1 {
			b := low(leftB)
			if less := p.Star[a][b] - star[b]; less > 0 {
				p.Star[a][b] -= less
				p.Profit[a][b] -= less
			}
		}
		lost = p.loosen(a, int(p.RowMatch[a])) || lost
	}
	return row, lost
}

// loosen undoes the match of row a and column b, either of which may be -1, unless it is
// tight, and reports whether it did.
func (p *Pairing) loosen(a, b int) bool {
	if a < 0 || b < 0 || p.U[a]+p.V[b] == p.Profit[a][b] {
		return false
	}
	p.RowMatch[a], p.ColMatch[b] = -1, -1
	return true
}

func fixPairingGeneric(p, from *Pairing, g *PairingGraphs, i, j int) {
	earned := from.Profit[i][j] - from.Star[i][j]
	*p = *from
	p.Bound += int(earned - p.U[i] - p.V[j])
	p.Rows &^= 1 << i
	p.Cols &^= 1 << j
	p.U[i], p.V[j] = 0, 0
	for a := range p.Profit {
		p.Profit[a][j] = Forbidden
	}
	for b := range p.Profit[i] {
		p.Profit[i][b] = Forbidden
	}
	if b := p.RowMatch[i]; b >= 0 {
		p.RowMatch[i], p.ColMatch[b] = -1, -1
	}
	if a := p.ColMatch[j]; a >= 0 {
		p.RowMatch[a], p.ColMatch[j] = -1, -1
	}
	for k := range g.Kinds {
		for leftA := int(g.RowNext[k][i]) & p.Rows; leftA != 0; leftA &= leftA - 1 {
			a := low(leftA)
			p.RowEdges[k][a]--
		}
		for leftB := int(g.ColNext[k][j]) & p.Cols; leftB != 0; leftB &= leftB - 1 {
			b := low(leftB)
			p.ColEdges[k][b]--
		}
	}
	rows, cols := int(g.RowNext[0][i])&p.Rows, int(g.ColNext[0][j])&p.Cols
	for leftA := p.Rows; leftA != 0; leftA &= leftA - 1 {
		a := low(leftA)
		changed := cols
		if rows>>a&1 != 0 {
			changed = p.Cols
		}
		for leftB := changed; leftB != 0; leftB &= leftB - 1 {
			b := low(leftB)
			edge, star := int16(0), int16(0)
			for k := range g.Kinds {
				if g.RowNext[k][i]>>a&1 != 0 && g.ColNext[k][j]>>b&1 != 0 {
					edge += g.Weight[k]
				}
				star += g.Weight[k] * min(p.RowEdges[k][a], p.ColEdges[k][b])
			}
			// What a matching of edges between free nodes earns, it earns as well beside
			// the edge that is now earned in full.
			star = min(star, p.Star[a][b]-edge)
			p.Profit[a][b] += 2*edge + star - p.Star[a][b]
			p.Star[a][b] = star
		}
	}
	for leftB := cols; leftB != 0; leftB &= leftB - 1 {
		b := low(leftB)
		v := p.V[b]
		for leftA := rows; leftA != 0; leftA &= leftA - 1 {
			a := low(leftA)
			v = max(v, p.Profit[a][b]-p.U[a])
		}
		p.Bound += int(v - p.V[b])
		p.V[b] = v
	}
	for leftA := rows; leftA != 0; leftA &= leftA - 1 {
		a := low(leftA)
		p.loosen(a, int(p.RowMatch[a]))
	}
	for leftB := cols; leftB != 0; leftB &= leftB - 1 {
		b := low(leftB)
		p.loosen(int(p.ColMatch[b]), b)
	}
}
