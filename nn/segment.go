package nn

import "math"

// A segment is a range of rows: segment s of start, [S+1], is start[s]:start[s+1].
// [Batch.Segment] has one for the nodes of each graph, [Arcs.Start] one for the arcs into
// each node. Segments cover all rows. Sums run in the order of the rows. A start must not
// change until Backward.

// SegmentSum returns the sum of the rows of each segment: [S, C] for x, [R, C].
func (t *Tape) SegmentSum(x *Var, start []int32) *Var {
	out := t.segments(x, start)
	clear(out.Value)
	t.addSegments(out.Value, x.Value, x.Cols, start)
	return t.record(record{back: backSegmentSum, x: x, out: out, index: start})
}

func backSegmentSum(t *Tape, r *record) { t.spread(r.x.Grad, r.out.Grad, r.x.Cols, r.index) }

// SegmentMean returns the mean row of each segment, zero for an empty one: [S, C].
func (t *Tape) SegmentMean(x *Var, start []int32) *Var {
	out := t.segments(x, start)
	clear(out.Value)
	t.addSegments(out.Value, x.Value, x.Cols, start)
	t.scaleRows(out.Value, x.Cols, start, inverse)
	return t.record(record{back: backSegmentMean, x: x, out: out, index: start})
}

func backSegmentMean(t *Tape, r *record) {
	t.scaleRows(r.out.Grad, r.x.Cols, r.index, inverse)
	backSegmentSum(t, r)
}

// SegmentMax returns the maximum of each column in each segment, zero for an empty one: [S,
// C]. Of equal values the first gets the gradient.
func (t *Tape) SegmentMax(x *Var, start []int32) *Var {
	out := t.segments(x, start)
	c := x.Cols
	for s := range out.Rows {
		best := out.Value[s*c:][:c]
		rows := x.Value[int(start[s])*c : int(start[s+1])*c]
		if len(rows) == 0 {
			clear(best)
			continue
		}
		for copy(best, rows); len(rows) > 0; rows = rows[c:] {
			for j := range best {
				best[j] = max(best[j], rows[j])
			}
		}
	}
	return t.record(record{back: backSegmentMax, x: x, out: out, index: start})
}

func backSegmentMax(_ *Tape, r *record) {
	c := r.x.Cols
	for s := range r.out.Rows {
		for j := range c {
			at := s*c + j
			for v := int(r.index[s]); v < int(r.index[s+1]); v++ {
				if r.x.Value[v*c+j] == r.out.Value[at] {
					r.x.Grad[v*c+j] += r.out.Grad[at]
					break
				}
			}
		}
	}
}

// SegmentSoftmax returns the softmax of each column over each segment: [R, C].
func (t *Tape) SegmentSoftmax(x *Var, start []int32) *Var {
	mustCover(x.Rows, start)
	out := t.result(x.Rows, x.Cols)
	for s := range len(start) - 1 {
		for j := range x.Cols {
			softmax(out.Value, x.Value, int(start[s])*x.Cols+j, int(start[s+1])*x.Cols, x.Cols)
		}
	}
	return t.record(record{back: backSegmentSoftmax, x: x, out: out, index: start})
}

// softmax computes the softmax of the elements from begin to before end, step apart.
func softmax(dst, src []float32, begin, end, step int) {
	greatest := float32(math.Inf(-1))
	for i := begin; i < end; i += step {
		greatest = max(greatest, src[i])
	}
	sum := float32(0)
	for i := begin; i < end; i += step {
		dst[i] = float32(math.Exp(float64(src[i] - greatest)))
		sum += dst[i]
	}
	for i := begin; i < end; i += step {
		dst[i] /= sum
	}
}

func backSegmentSoftmax(_ *Tape, r *record) {
	c := r.x.Cols
	y, dy := r.out.Value, r.out.Grad
	for s := range len(r.index) - 1 {
		begin, end := int(r.index[s])*c, int(r.index[s+1])*c
		for j := range c {
			mean := float32(0)
			for i := begin + j; i < end; i += c {
				mean += y[i] * dy[i]
			}
			for i := begin + j; i < end; i += c {
				r.x.Grad[i] += y[i] * (dy[i] - mean)
			}
		}
	}
}

// Spread copies the row of x for a segment to every row of the segment: [R, C] for x, [S, C].
func (t *Tape) Spread(x *Var, start []int32) *Var {
	mustMatch("number of segments", len(start)-1, x.Rows)
	out := t.result(int(start[x.Rows]), x.Cols)
	clear(out.Value)
	t.spread(out.Value, x.Value, x.Cols, start)
	return t.record(record{back: backSpread, x: x, out: out, index: start})
}

func backSpread(t *Tape, r *record) { t.addSegments(r.x.Grad, r.out.Grad, r.x.Cols, r.index) }

// segments returns the output of an operation that reduces each segment to a row.
func (t *Tape) segments(x *Var, start []int32) *Var {
	mustCover(x.Rows, start)
	return t.result(len(start)-1, x.Cols)
}

func mustCover(rows int, start []int32) {
	mustMatch("end of the segments", int(start[len(start)-1]), rows)
}

// addSegments adds the rows of each segment of src to the segment's row of dst.
func (t *Tape) addSegments(dst, src []float32, c int, start []int32) {
	for s := range len(start) - 1 {
		for v := int(start[s]); v < int(start[s+1]); v++ {
			t.ops.Add(dst[s*c:][:c], src[v*c:][:c])
		}
	}
}

// spread adds each row of src to all rows of its segment in dst.
func (t *Tape) spread(dst, src []float32, c int, start []int32) {
	for s := range len(start) - 1 {
		for v := int(start[s]); v < int(start[s+1]); v++ {
			t.ops.Add(dst[v*c:][:c], src[s*c:][:c])
		}
	}
}
