package ged

// fixer derives the state in which one more pair is fixed. Its slices are
// scratch.
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

// fix sets c to the state of l with free row a fixed to free column b. The
// last row and column take the places of a and b.
//
// The star at (a, b) leaves the bound. What its edges earn now counts in full
// where they end, and the duals there rise as far as they must.
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

// replaceLast copies src, blocks of k entries, to dst, which is one block
// shorter, with the last block in the place of the one at index at.
func replaceLast[T any](dst, src []T, at, k int) {
	last := len(src) - k
	copy(dst, src[:last])
	if at*k < last {
		copy(dst[at*k:at*k+k], src[last:])
	}
}

// renumber makes up for the loss of the far node gone, whose place the last one
// took: it dissolves the match of the one and renumbers that of the other.
// farMatch is from before near node at was lost, whose place nearLast took.
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

// loosen dissolves the matches of the given nodes that are not tight.
func (w *view) loosen(nodes []int32) {
	for _, x := range nodes {
		y := w.nearMatch[x]
		if y >= 0 && w.near[x]+w.far[y] != w.profit[int(x)*w.nearStep+int(y)*w.farStep] {
			w.nearMatch[x], w.farMatch[y] = -1, -1
		}
	}
}

// nextTo lists the positions in id of the nodes that are joined to v.
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

// mark notes the types between i, or j, and all others.
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

// marked lists the positions in id of the marked nodes.
func marked(dst []int32, id []int32, mark []int32) []int32 {
	dst = dst[:0]
	for a, i := range id {
		if mark[i] != 0 {
			dst = append(dst, int32(a))
		}
	}
	return dst
}

// updateUniform brings stars and profits up to date if there is one type, of
// weight w. A star is min(edges at a, edges at b) times w; both lose an edge
// next to the fixed nodes.
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
			// One loss, not two; and the common edge now counts in full.
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

// update is updateUniform for any types.
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

// raise restores the feasibility of the duals, which profits of rowAt × colAt
// may have broken, on the side where fewer duals are concerned.
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
