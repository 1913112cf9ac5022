package ged

// star bounds what the edges between free row a and other free rows can earn
// if a is mapped to free column b: the weight of a matching of the edges at a
// with those at b.
//
// With one type, or two profits (equal and different), the bound is the weight
// of the best matching; otherwise every edge counts with the best partner that
// its side of the star has.
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

// starSide gives every edge of one side its best partner of the other. The
// strides are those of the types of this side and of the other in p.edge.
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
