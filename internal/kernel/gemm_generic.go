package kernel

// gemmGeneric works on tiles of 2×4 values, whose sums stay in registers. The
// conversions keep the compiler from fusing products and sums, which it may do
// in one copy of an expression and not in another. An odd last row is
// computed as both rows of its tile.
func gemmGeneric(p *Product) {
	rs, cs := p.strides()
	for i := 0; i < p.M; i += 2 {
		i1 := min(i+1, p.M-1)
		c0, c1 := p.C.row(i, p.N), p.C.row(i1, p.N)
		p.start(c0)
		if i1 > i {
			p.start(c1)
		}
		if p.K > 0 {
			gemmRows(c0, c1, p.A.Data[i*rs:], p.A.Data[i1*rs:], cs, p.B, p.K)
		}
		p.finish(c0)
		if i1 > i {
			p.finish(c1)
		}
	}
}

// gemmRows adds to two rows of C, which may be the same.
func gemmRows(c0, c1, a0, a1 []float32, cs int, b Matrix, k int) {
	for j := 0; j+4 <= len(c0) && j+4 <= len(c1); j += 4 {
		t0, t1 := c0[j:j+4:j+4], c1[j:j+4:j+4]
		s00, s01, s02, s03 := t0[0], t0[1], t0[2], t0[3]
		s10, s11, s12, s13 := t1[0], t1[1], t1[2], t1[3]
		for l, at, bt := 0, 0, j; l < k; l, at, bt = l+1, at+cs, bt+b.Stride {
			x0, x1 := a0[at], a1[at]
			y := b.Data[bt : bt+4 : bt+4]
			s00 += float32(x0 * y[0])
			s01 += float32(x0 * y[1])
			s02 += float32(x0 * y[2])
			s03 += float32(x0 * y[3])
			s10 += float32(x1 * y[0])
			s11 += float32(x1 * y[1])
			s12 += float32(x1 * y[2])
			s13 += float32(x1 * y[3])
		}
		t0[0], t0[1], t0[2], t0[3] = s00, s01, s02, s03
		t1[0], t1[1], t1[2], t1[3] = s10, s11, s12, s13
	}
}

// start sets a row of C to what the sums start from.
func (p *Product) start(c []float32) {
	switch {
	case p.Accumulate:
	case p.Bias != nil:
		copy(c, p.Bias)
	default:
		clear(c)
	}
}

// finish applies ReLU to a row of C.
func (p *Product) finish(c []float32) {
	if p.ReLU {
		for j, v := range c {
			c[j] = positive(v)
		}
	}
}
