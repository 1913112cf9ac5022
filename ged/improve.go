package ged

// climb improves f, the column of every row or -1, by exchanging the columns of
// two rows or taking a free column, until no such step helps, and returns the
// profit gained. free lists the columns that f leaves free; it is kept up to
// date.
func (p *problem) climb(f []int32, free []int32) int {
	gained := 0
	for improved := true; improved; {
		improved = false
		for i := range f {
			if f[i] < 0 {
				continue
			}
			for k := i + 1; k < len(f); k++ {
				if f[k] < 0 {
					continue
				}
				before := p.shareOfTwo(f, i, k)
				f[i], f[k] = f[k], f[i]
				if gain := p.shareOfTwo(f, i, k) - before; gain > 0 {
					gained += gain
					improved = true
				} else {
					f[i], f[k] = f[k], f[i]
				}
			}
			if len(free) == 0 {
				continue
			}
			before := p.share(f, i)
			for k := range free {
				f[i], free[k] = free[k], f[i]
				if gain := p.share(f, i) - before; gain > 0 {
					gained += gain
					before += gain
					improved = true
				} else {
					f[i], free[k] = free[k], f[i]
				}
			}
		}
	}
	return gained
}

// share returns the profit of row i and of its edges under f.
func (p *problem) share(f []int32, i int) int {
	j := int(f[i])
	total := p.node[i*p.col.n+j]
	for _, h := range p.row.of(i) {
		if k := f[h.to]; k >= 0 {
			total += p.edge[int(h.typ)*p.types+p.col.typ(j, int(k))]
		}
	}
	return total
}

// shareOfTwo returns the profit of rows i and k and of their edges under f.
func (p *problem) shareOfTwo(f []int32, i, k int) int {
	total := p.share(f, i) + p.share(f, k)
	if t := p.row.typ(i, k); t != 0 {
		total -= p.edge[t*p.types+p.col.typ(int(f[i]), int(f[k]))]
	}
	return total
}
