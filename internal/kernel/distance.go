package kernel

import (
	"fmt"
	"math"
	"slices"
)

// Norm describes a distance from a query q to a vector x, of consecutive
// blocks of coordinates: the kernels' form of norm.Norm.
type Norm struct {
	Widths []int // of the blocks, each at least 1
	L2     bool  // norm of a block: ℓ2, or else ℓ1
	Max    bool  // of the blocks' norms: the greatest, or else the sum
	Hinge  bool  // take max(0, q − x) for q − x
}

// Dim returns the number of coordinates.
func (n *Norm) Dim() int {
	d := 0
	for _, w := range n.Widths {
		if w < 1 {
			panic(fmt.Sprintf("kernel: norm with a block of width %d", w))
		}
		d += w
	}
	return d
}

// Exact computes distances from q, [dim], to vectors stored in groups of
// [Lane], dimension by dimension: coordinate i of vector v is
// groups[v/Lane][i][v%Lane]. Differences are taken in float32 and all else is
// done in float64, coordinate by coordinate, so that the distances are those
// of norm.Norm.Distance, bit for bit:
//
//	for v := range dst {
//		total := 0.0
//		for each block of the norm {
//			sum := 0.0
//			for each coordinate i of it {
//				d := float64(q[i] - groups[v/Lane][i][v%Lane])
//				if Hinge { d = max(0, d) }
//				if L2 { sum += d*d } else { sum += abs(d) }
//			}
//			if L2 { sum = sqrt(sum) }
//			if Max { total = max(total, sum) } else { total += sum }
//		}
//		dst[v] = total
//	}
//
// The length of dst is a multiple of Lane. Values must be finite.
func (o Ops) Exact(dst []float64, q, groups []float32, n *Norm) {
	checkGroups(len(dst), q, groups, n)
	if o.level == Generic {
		exactGeneric(dst, q, groups, n)
		return
	}
	group, flags := Lane*len(q), n.flags()
	for g := 0; g < len(dst)/Lane; g += groupsPart {
		count := min(len(dst)/Lane-g, groupsPart)
		exactAVX2(&dst[g*Lane], &q[0], &groups[g*group], &n.Widths[0], len(n.Widths), count, 4*group, flags)
	}
}

// Screen is Exact with float32 throughout, at about twice the speed when
// memory is not what it waits for. [Norm.Limit] bounds its error. Levels
// differ in the rounding.
func (o Ops) Screen(dst, q, groups []float32, n *Norm) {
	checkGroups(len(dst), q, groups, n)
	if o.level == Generic {
		screenGeneric(dst, q, groups, n)
		return
	}
	group, flags := Lane*len(q), n.flags()
	for g := 0; g < len(dst)/Lane; g += groupsPart {
		count := min(len(dst)/Lane-g, groupsPart)
		screenAVX2(&dst[g*Lane], &q[0], &groups[g*group], &n.Widths[0], len(n.Widths), count, 4*group, flags)
	}
}

// The bits of flags of distances.
const (
	flagL2    = 1
	flagHinge = 2
	flagMax   = 4
)

// groupsPart bounds the groups in one call, which cannot be preempted.
const groupsPart = 1024

func (n *Norm) flags() int {
	return flagL2*bit(n.L2) | flagHinge*bit(n.Hinge) | flagMax*bit(n.Max)
}

func checkGroups(vectors int, q, groups []float32, n *Norm) {
	checkWidth(vectors)
	checkLength("q", len(q), n.Dim())
	checkLength("groups", len(groups), vectors*n.Dim())
}

// Limit returns the greatest value of [Ops.Screen] that leaves it open whether
// the distance is at most d: of a greater one, [Ops.Exact] is greater than d.
//
// No term is negative, so that rounding changes a sum of w squares by a
// factor of (1+2⁻²⁴)^(w+1) at most, and, where squares underflow, by w·2⁻¹⁴⁹;
// the margins taken are twice that. Where squares overflow, the distance is
// at least 2⁶³.
func (n *Norm) Limit(d float64) float32 {
	if !(d < screenOverflow) {
		return float32(math.Inf(1))
	}
	factor, tiny := n.margins()
	return math.Nextafter32(float32((d+tiny)/factor), float32(math.Inf(1)))
}

// Below returns a distance that is not greater than [Ops.Exact] where
// [Ops.Screen] gives s, nor negative.
func (n *Norm) Below(s float32) float64 {
	factor, tiny := n.margins()
	return max(0, min(float64(s), screenOverflow)*factor-tiny)
}

const screenOverflow = 1 << 63

func (n *Norm) margins() (factor, tiny float64) {
	w := float64(slices.Max(n.Widths))
	count := float64(len(n.Widths))
	return 1 - (w+count+4)*0x1p-23, count * math.Sqrt(w) * 0x1p-74
}

// Find returns the place of the first value that is at most limit, or
// len(values) if there is none; NaN is not at most anything.
//
//	for i, v := range values {
//		if v <= limit {
//			return i
//		}
//	}
//	return len(values)
func (o Ops) Find(values []float32, limit float32) int {
	whole := len(values) &^ (Lane - 1)
	if o.level == Generic || whole == 0 {
		return findGeneric(values, limit)
	}
	if at := findAVX2(&values[0], whole, limit); at < whole {
		return at
	}
	return whole + findGeneric(values[whole:], limit)
}
