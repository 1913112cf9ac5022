package ops

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// A segment is a range of rows: segment s of start, [S+1], is start[s]:start[s+1].
// [nn.Batch.Segment] has one for the nodes of each graph, [nn.Arcs.Start] one for the arcs into
// each node. Segments cover all rows. Sums run in the order of the rows. A start must not
// change until Backward.

// SegmentSum returns the sum of the rows of each segment: [S, C] for x, [R, C].
func SegmentSum(t *nn.Tape, x *nn.Var, start []int32) *nn.Var {
	out := segments(t, x, start)
	clear(out.Value)
	addSegments(t, out.Value, x.Value, x.Cols, start)
	return t.Then(out, func() { spread(t, x.Grad, out.Grad, x.Cols, start) })
}

// SegmentMean returns the mean row of each segment, zero for an empty one: [S, C].
func SegmentMean(t *nn.Tape, x *nn.Var, start []int32) *nn.Var {
	out := segments(t, x, start)
	clear(out.Value)
	addSegments(t, out.Value, x.Value, x.Cols, start)
	scaleRows(t, out.Value, x.Cols, start, inverse)
	return t.Then(out, func() {
		scaleRows(t, out.Grad, x.Cols, start, inverse)
		spread(t, x.Grad, out.Grad, x.Cols, start)
	})
}

// SegmentMax returns the maximum of each column in each segment, zero for an empty one: [S,
// C]. Of equal values the first gets the gradient.
func SegmentMax(t *nn.Tape, x *nn.Var, start []int32) *nn.Var {
	out, c := segments(t, x, start), x.Cols
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
	return t.Then(out, func() {
		for at, g := range out.Grad {
			s, j := at/c, at%c
			for v := int(start[s]); v < int(start[s+1]); v++ {
				if x.Value[v*c+j] == out.Value[at] {
					x.Grad[v*c+j] += g
					break
				}
			}
		}
	})
}

// SegmentSoftmax returns the softmax of each column over each segment: [R, C].
func SegmentSoftmax(t *nn.Tape, x *nn.Var, start []int32) *nn.Var {
	mustCover(x.Rows, start)
	out, c := t.Output(x.Rows, x.Cols), x.Cols
	for s := range len(start) - 1 {
		for j := range c {
			softmax(out.Value, x.Value, int(start[s])*c+j, int(start[s+1])*c, c)
		}
	}
	return t.Then(out, func() {
		for s := range len(start) - 1 {
			begin, end := int(start[s])*c, int(start[s+1])*c
			for j := range c {
				mean := float32(0)
				for i := begin + j; i < end; i += c {
					mean += out.Value[i] * out.Grad[i]
				}
				for i := begin + j; i < end; i += c {
					x.Grad[i] += out.Value[i] * (out.Grad[i] - mean)
				}
			}
		}
	})
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

// Spread copies the row of x for a segment to every row of the segment: [R, C] for x, [S, C].
func Spread(t *nn.Tape, x *nn.Var, start []int32) *nn.Var {
	mustMatch("number of segments", len(start)-1, x.Rows)
	out := t.Output(int(start[x.Rows]), x.Cols)
	clear(out.Value)
	spread(t, out.Value, x.Value, x.Cols, start)
	return t.Then(out, func() { addSegments(t, x.Grad, out.Grad, x.Cols, start) })
}

// segments returns the output of an operation that reduces each segment to a row.
func segments(t *nn.Tape, x *nn.Var, start []int32) *nn.Var {
	mustCover(x.Rows, start)
	return t.Output(len(start)-1, x.Cols)
}

func mustCover(rows int, start []int32) {
	mustMatch("end of the segments", int(start[len(start)-1]), rows)
}

// addSegments adds the rows of each segment of src to the segment's row of dst.
func addSegments(t *nn.Tape, dst, src []float32, c int, start []int32) {
	for s := range len(start) - 1 {
		for v := int(start[s]); v < int(start[s+1]); v++ {
			t.Ops().Add(dst[s*c:][:c], src[v*c:][:c])
		}
	}
}

// spread adds each row of src to all rows of its segment in dst.
func spread(t *nn.Tape, dst, src []float32, c int, start []int32) {
	for s := range len(start) - 1 {
		for v := int(start[s]); v < int(start[s+1]); v++ {
			t.Ops().Add(dst[v*c:][:c], src[s*c:][:c])
		}
	}
}

// GCN aggregates as a graph convolutional network does before its linear map (Kipf and
// Welling, 2017), by the symmetrically normalised adjacency matrix with self-loops:
//
//	out[v] = Σ_{u∈N(v)∪{v}} x[u] / √((1+|N(v)|)·(1+|N(u)|))
//
// N are the neighbours in both directions.
func GCN(t *nn.Tape, x *nn.Var, b *nn.Batch) *nn.Var {
	mustMatch("number of rows", x.Rows, b.Nodes())
	out := t.Output(x.Rows, x.Cols)
	normalised(t, out.Value, x.Value, x.Cols, b)
	return t.Then(out, func() {
		grad := make([]float32, len(x.Grad))
		normalised(t, grad, out.Grad, x.Cols, b)
		t.Ops().Add(x.Grad, grad)
	})
}

// normalised sets dst to the product of the normalised adjacency matrix, which is symmetric,
// and src.
func normalised(t *nn.Tape, dst, src []float32, c int, b *nn.Batch) {
	scaled := append([]float32(nil), src...)
	scaleRows(t, scaled, c, b.Start, rootDegree)
	sumNeighbours(t, dst, scaled, c, b, 1, false)
	scaleRows(t, dst, c, b.Start, rootDegree)
}

// Mean returns the mean of the neighbours' states, as GraphSAGE does (Hamilton et al., 2017),
// or zero for a node without neighbours.
//
//	out[v] = 1/|N(v)| Σ_{u∈N(v)} x[u]
func Mean(t *nn.Tape, x *nn.Var, b *nn.Batch) *nn.Var {
	mustMatch("number of rows", x.Rows, b.Nodes())
	out := t.Output(x.Rows, x.Cols)
	sumNeighbours(t, out.Value, x.Value, x.Cols, b, 0, false)
	scaleRows(t, out.Value, x.Cols, b.Start, inverse)
	return t.Then(out, func() {
		scaleRows(t, out.Grad, x.Cols, b.Start, inverse)
		sumNeighbours(t, x.Grad, out.Grad, x.Cols, b, 0, true)
	})
}

// sumNeighbours sets dst, or with add adds to it, the sums of the rows of each node's
// neighbours and of its own row times self.
func sumNeighbours(t *nn.Tape, dst, src []float32, c int, b *nn.Batch, self float32, add bool) {
	t.Ops().SumRows(kernel.Matrix{Data: dst, Stride: c}, kernel.Matrix{Data: src, Stride: c}, c, kernel.Lists{Start: b.Start, Index: b.From}, self, add)
}

// scaleRows multiplies each row of x, c wide, by the factor for the number of rows in its
// segment of start.
func scaleRows(t *nn.Tape, x []float32, c int, start []int32, factor func(count int32) float32) {
	for v := range len(start) - 1 {
		t.Ops().Scale(x[v*c:][:c], factor(start[v+1]-start[v]))
	}
}

func rootDegree(count int32) float32 { return float32(1 / math.Sqrt(1+float64(count))) }

func inverse(count int32) float32 { return 1 / float32(max(1, count)) }
