package vectorindex

import (
	"math"
	"math/bits"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// arrange orders the positions of vectors, [n, dim], so that near vectors become
// neighbours. It splits a range at the median along the direction of its greatest
// variance, and then both halves. Splits of small ranges fall between cells of a
// [BoxTree], those of larger ranges between frames or nodes, so that no split
// runs through one of these.
func arrange(positions []int32, n norm.Norm, vectors []float32, ops kernel.Ops) {
	dim := n.Dim()
	a := arranger{
		ops: ops, dim: dim, vectors: vectors,
		mean: make([]float32, dim), direction: make([]float32, dim), next: make([]float32, dim),
	}
	for i := range positions {
		positions[i] = int32(i)
	}
	a.keys = make([]float32, len(positions))
	a.split(positions, a.keys)
}

type arranger struct {
	ops                   kernel.Ops
	dim                   int
	vectors               []float32
	keys                  []float32
	sample                []float32 // some vectors of a range, less their mean
	mean, direction, next []float32 // [dim]
}

const (
	spreadSample = 256 // vectors that stand for a range when its direction is sought
	powerSteps   = 5   // of the power iteration that finds the direction
)

func (a *arranger) split(positions []int32, keys []float32) {
	for len(positions) > cellVectors {
		at := splitPoint(len(positions))
		a.widest(positions)
		for i, p := range positions {
			keys[i] = float32(a.ops.Dot(a.direction, a.vectors[int(p)*a.dim:][:a.dim]))
		}
		selectNth(keys, positions, at)
		a.split(positions[at:], keys[at:])
		positions, keys = positions[:at], keys[:at]
	}
}

// splitPoint returns where to split a range of n > cellVectors vectors: near
// the middle, at a multiple of the greatest unit that is smaller than n.
func splitPoint(n int) int {
	unit := cellVectors
	if unit*frameCells < n {
		unit *= frameCells
	}
	for node := cellVectors * nodeBoxes; node < n; node *= nodeBoxes {
		unit = node
	}
	units := (n + unit - 1) / unit
	return (units + 1) / 2 * unit
}

// widest approximates the first principal component of a range by a power
// iteration: from the coordinate of most variance, it multiplies repeatedly by the
// covariance of a sample.
func (a *arranger) widest(positions []int32) {
	a.draw(positions)
	clear(a.next)
	for from := 0; from < len(a.sample); from += a.dim {
		for i, x := range a.sample[from : from+a.dim] {
			a.next[i] += x * x
		}
	}
	most := 0
	for i, v := range a.next {
		if v > a.next[most] {
			most = i
		}
	}
	clear(a.direction)
	a.direction[most] = 1
	for range powerSteps {
		clear(a.next)
		for from := 0; from < len(a.sample); from += a.dim {
			x := a.sample[from : from+a.dim]
			a.ops.Axpy(a.next, float32(a.ops.Dot(a.direction, x)), x)
		}
		length := math.Sqrt(a.ops.SumSquares(a.next))
		if !(length > 0 && length < math.MaxFloat32) { // all equal, or beyond what float32 can square
			return
		}
		copy(a.direction, a.next)
		a.ops.Scale(a.direction, float32(1/length))
	}
}

// draw takes a sample of a range.
func (a *arranger) draw(positions []int32) {
	step := max(1, len(positions)/spreadSample)
	a.sample = a.sample[:0]
	clear(a.mean)
	for i := 0; i < len(positions); i += step {
		v := a.vectors[int(positions[i])*a.dim:][:a.dim]
		a.sample = append(a.sample, v...)
		a.ops.Add(a.mean, v)
	}
	a.ops.Scale(a.mean, -float32(a.dim)/float32(len(a.sample)))
	for from := 0; from < len(a.sample); from += a.dim {
		a.ops.Add(a.sample[from:from+a.dim], a.mean)
	}
}

// selectNth reorders keys, and positions with them, so that the n least come
// first. It is quickselect with the median of three as pivot. After too many
// rounds with little progress it leaves the range as it is: queries become
// slower, but answers do not change.
func selectNth(keys []float32, positions []int32, n int) {
	low, high := 0, len(keys)-1
	for rounds := 4 * bits.Len(uint(len(keys))); low < high && rounds > 0; rounds-- {
		pivot := median(keys[low], keys[(low+high)/2], keys[high])
		i, j := low, high
		for i <= j {
			for keys[i] < pivot {
				i++
			}
			for keys[j] > pivot {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				positions[i], positions[j] = positions[j], positions[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return
		}
	}
}

func median(a, b, c float32) float32 {
	return max(min(a, b), min(max(a, b), c))
}
