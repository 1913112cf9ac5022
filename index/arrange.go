package index

import (
	"math/bits"

	"github.com/greedgraph/greed/norm"
)

// arrange returns the positions of vectors, [n, dim], in an order in which
// near vectors are neighbours: a range of them is split at the median of the
// coordinate that varies most, and so on. Splits fall between cells of a
// [BoxTree], and those of larger ranges between frames or nodes, so that these
// are ranges that were never split.
func arrange(n norm.Norm, vectors []float32) []int32 {
	dim := n.Dim()
	a := arranger{dim: dim, vectors: vectors, low: make([]float32, dim), high: make([]float32, dim)}
	positions := make([]int32, len(vectors)/dim)
	for i := range positions {
		positions[i] = int32(i)
	}
	a.keys = make([]float32, len(positions))
	a.split(positions, a.keys)
	return positions
}

type arranger struct {
	dim       int
	vectors   []float32
	keys      []float32
	low, high []float32
}

// spreadSample is how many vectors of a range are looked at to find the
// coordinate that varies most.
const spreadSample = 256

func (a *arranger) split(positions []int32, keys []float32) {
	for len(positions) > cellVectors {
		at := splitPoint(len(positions))
		d := a.widest(positions)
		for i, p := range positions {
			keys[i] = a.vectors[int(p)*a.dim+d]
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

// widest returns the coordinate with the greatest variance.
func (a *arranger) widest(positions []int32) int {
	step := max(1, len(positions)/spreadSample)
	sum, squares := a.low, a.high
	clear(sum)
	clear(squares)
	first := a.vectors[int(positions[0])*a.dim:][:a.dim]
	count := float32(0)
	for i := 0; i < len(positions); i += step {
		v := a.vectors[int(positions[i])*a.dim:][:a.dim]
		for d, x := range v {
			x -= first[d]
			sum[d] += x
			squares[d] += x * x
		}
		count++
	}
	best, most := 0, float32(-1)
	for d, s := range sum {
		if v := squares[d] - s*s/count; v > most {
			best, most = d, v
		}
	}
	return best
}

// selectNth reorders keys, and positions with them, so that the n least come
// first. It is quickselect with the median of three as pivot; after too many
// rounds without much progress it takes the range as it is, which costs speed
// of queries, never answers.
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
