package ged

// fixer derives a child state, in which one more pair is fixed, from its parent.
// Its slices are scratch.
type fixer struct {
	row, col     []int32 // types between the fixed nodes and all others, else 0
	rowAt, colAt []int32 // free rows and columns next to the fixed ones
}

func (f *fixer) shape(n, m int) {
	f.row = resize(f.row, n)
	f.col = resize(f.col, m)
	clear(f.row)
	clear(f.col)
}

// fix sets c to the state of l with free row a fixed to free column b. The last row
// and column are moved to the indexes of a and b.
//
// The duals of l are the start for those of c, which is why a child costs little.
// The star at (a, b) leaves the bound: its edges now count in full at their far
// ends, as edges to a fixed row, and the duals there rise as far as they must.
func (f *fixer) fix(c *level, p *problem, l *level, a, b int) {
	types := p.types
	n, m := l.n-1, l.m-1
	c.shape(n, m, l.stride, types)
	i, j := int(l.rowID[a]), int(l.colID[b])
	star := p.star(l, a, b)
	earned := l.profit[a*l.stride+b] - star
	c.fixed = l.fixed + earned
	c.bound = l.bound - l.u[a] - l.v[b] + earned

	replaceLast(c.rowID, l.rowID, a, 1)
	replaceLast(c.colID, l.colID, b, 1)
	replaceLast(c.u, l.u, a, 1)
	replaceLast(c.v, l.v, b, 1)
	replaceLast(c.rowStar, l.rowStar, a, types)
	replaceLast(c.colStar, l.colStar, b, types)
	replaceLast(c.rowMatch, l.rowMatch, a, 1)
	replaceLast(c.colMatch, l.colMatch, b, 1)
	renumber(c.rowMatch, l.colMatch, a, n, b, m)
	renumber(c.colMatch, l.rowMatch, b, m, a, n)
	replaceLast(c.profit, l.profit[:l.n*l.stride], a, l.stride)
	if b < m {
		for at := b; at < n*l.stride; at += l.stride {
			c.profit[at] = c.profit[at+m-b]
		}
	}

	if p.uniform && p.row.dense != nil && p.col.dense != nil {
		f.rowAt = p.row.nextTo(f.rowAt, i, c.rowID)
		f.colAt = p.col.nextTo(f.colAt, j, c.colID)
		f.updateUniform(c, p.match)
	} else {
		f.mark(p, i, j)
		f.rowAt = marked(f.rowAt, c.rowID, f.row)
		f.colAt = marked(f.colAt, c.colID, f.col)
		f.update(c, p)
		f.unmark(p, i, j)
	}
	c.raise(f.rowAt, f.colAt)
	rows, cols := c.fromRows(), c.fromCols()
	rows.loosen(f.rowAt)
	cols.loosen(f.colAt)
}

// replaceLast copies src to dst without block at, which the last block replaces.
// Blocks have k entries.
func replaceLast[T any](dst, src []T, at, k int) {
	last := len(src) - k
	copy(dst, src[:last])
	if at*k < last {
		copy(dst[at*k:at*k+k], src[last:])
	}
}

// renumber updates match after the far node gone was removed and the far node last
// got its number: the near node matched to gone loses its match, the one matched to
// last is matched to gone. farMatch is the state before the near node at was removed
// and nearLast got its number.
func renumber(match, farMatch []int32, at, nearLast, gone, last int) {
	for _, change := range [2][2]int{{gone, -1}, {last, gone}} {
		x := int(farMatch[change[0]])
		if x == at || x < 0 || change[0] == change[1] {
			continue
		}
		if x == nearLast {
			x = at
		}
		match[x] = int32(change[1])
	}
}

// loosen undoes the matches of the given nodes that are no longer tight.
func (w *view) loosen(nodes []int32) {
	for _, x := range nodes {
		y := w.nearMatch[x]
		if y >= 0 && w.near[x]+w.far[y] != w.profit[int(x)*w.nearStep+int(y)*w.farStep] {
			w.nearMatch[x], w.farMatch[y] = -1, -1
		}
	}
}

// nextTo lists the indexes in id of the neighbours of v.
func (s *side) nextTo(dst []int32, v int, id []int32) []int32 {
	types := s.dense[v*s.n : v*s.n+s.n]
	dst = resize(dst, len(id))
	k := 0
	for a, i := range id {
		dst[k] = int32(a)
		if types[i] != 0 {
			k++
		}
	}
	return dst[:k]
}

// mark stores the types of the half-edges from row i and from column j.
func (f *fixer) mark(p *problem, i, j int) {
	for _, h := range p.row.of(i) {
		f.row[h.to] = h.typ
	}
	for _, h := range p.col.of(j) {
		f.col[h.to] = h.typ
	}
}

// unmark undoes mark.
func (f *fixer) unmark(p *problem, i, j int) {
	for _, h := range p.row.of(i) {
		f.row[h.to] = 0
	}
	for _, h := range p.col.of(j) {
		f.col[h.to] = 0
	}
}

// marked lists the indexes in id of the marked nodes.
func marked(dst []int32, id []int32, mark []int32) []int32 {
	dst = dst[:0]
	for a, i := range id {
		if mark[i] != 0 {
			dst = append(dst, int32(a))
		}
	}
	return dst
}

// updateUniform updates stars and profits where there is only one type, of weight w.
// A star is then w times min(edges at a, edges at b), and the neighbours of the
// fixed nodes lose one edge each. Sign bits stand for branches, which would be
// mispredicted often.
func (f *fixer) updateUniform(c *level, w int) {
	n, m := c.n, c.m
	for _, b := range f.colAt {
		limit := c.colStar[2*b] - 1
		at := int(b)
		for a := range n {
			c.profit[at] -= w & int((limit-c.rowStar[2*a])>>31)
			at += c.stride
		}
	}
	for _, a := range f.rowAt {
		limit := c.rowStar[2*a] - 1
		row := c.profit[int(a)*c.stride : int(a)*c.stride+m]
		for b := range row {
			row[b] -= w & int((limit-c.colStar[2*b])>>31)
		}
		for _, b := range f.colAt {
			// The loops above and here took one edge off twice where both counts
			// were equal. And the edge to the fixed pair is now earned in full.
			both := 2 * w
			if c.colStar[2*b] == limit+1 {
				both = 3 * w
			}
			row[b] += both
		}
	}
	for _, a := range f.rowAt {
		c.rowStar[2*a]--
	}
	for _, b := range f.colAt {
		c.colStar[2*b]--
	}
}

// update is updateUniform for any types: it takes the old stars off the profits,
// updates the counts and adds the new stars.
func (f *fixer) update(c *level, p *problem) {
	t := p.types
	change := func(sign int) {
		for _, a := range f.rowAt {
			row := c.profit[int(a)*c.stride : int(a)*c.stride+c.m]
			for b := range row {
				row[b] += sign * p.star(c, int(a), b)
			}
		}
		for _, b := range f.colAt {
			for a := range c.n {
				if f.row[c.rowID[a]] == 0 {
					c.profit[a*c.stride+int(b)] += sign * p.star(c, a, int(b))
				}
			}
		}
	}
	change(-1)
	for _, a := range f.rowAt {
		c.rowStar[int(a)*t]--
		c.rowStar[int(a)*t+int(p.reverse[f.row[c.rowID[a]]])]--
	}
	for _, b := range f.colAt {
		c.colStar[int(b)*t]--
		c.colStar[int(b)*t+int(p.reverse[f.col[c.colID[b]]])]--
	}
	change(1)
	for _, a := range f.rowAt {
		for _, b := range f.colAt {
			c.profit[int(a)*c.stride+int(b)] += 2 * p.edge[int(f.row[c.rowID[a]])*t+int(f.col[c.colID[b]])]
		}
	}
}

// raise makes the duals feasible again after the profits of rowAt × colAt rose. It
// changes the side with fewer duals, since each may raise the bound.
func (l *level) raise(rowAt, colAt []int32) {
	if len(rowAt) <= len(colAt) {
		for _, a := range rowAt {
			u := l.u[a]
			row := l.profit[int(a)*l.stride:]
			for _, b := range colAt {
				u = max(u, row[b]-l.v[b])
			}
			l.bound += u - l.u[a]
			l.u[a] = u
		}
		return
	}
	for _, b := range colAt {
		v := l.v[b]
		for _, a := range rowAt {
			v = max(v, l.profit[int(a)*l.stride+int(b)]-l.u[a])
		}
		l.bound += v - l.v[b]
		l.v[b] = v
	}
}
