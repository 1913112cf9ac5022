package ged

// star bounds the profit of the edges between free row a and other free rows if a is
// mapped to free column b, by a matching of the edges at a with those at b.
//
// Uniform and plain edges have a best matching that counting finds. For others, every
// edge counts with its best partner, even if two have the same one; of the bounds
// from either side, the lesser holds.
func (p *problem) star(l *level, a, b int) int {
	t := p.types
	rows, cols := l.rowStar[a*t:a*t+t], l.colStar[b*t:b*t+t]
	few := int(min(rows[0], cols[0]))
	switch {
	case few == 0:
		return 0
	case p.uniform:
		return p.match * few
	case p.plain:
		equal := int32(0)
		for k := 1; k < t; k++ {
			equal += min(rows[k], cols[k])
		}
		if p.wild != 0 {
			wild := rows
			if p.swapped {
				wild = cols
			}
			equal += wild[p.wild]
		}
		return p.miss*few + (p.match-p.miss)*min(few, int(equal))
	}
	return min(p.starSide(rows, cols, t, 1), p.starSide(cols, rows, 1, t))
}

// starSide sums, over the edges of one side, the profit with the best partner of the
// other. The strides are those of p.edge for the types of this side and of the other.
func (p *problem) starSide(this, other []int32, stride, otherStride int) int {
	total := 0
	for k := 1; k < len(this); k++ {
		if this[k] == 0 {
			continue
		}
		best := 0
		for h := 1; h < len(other); h++ {
			if other[h] > 0 {
				best = max(best, p.edge[k*stride+h*otherStride])
			}
		}
		total += int(this[k]) * best
	}
	return total
}
