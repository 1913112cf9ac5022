package kernel

import "fmt"

// Codes are vectors in 8 bits a coordinate: coordinate i of vector v stands
// for Base[i] + Step[i]*Codes[i][v], rows of Codes being Slots long. Slots is
// a multiple of [Lane], and the values between are at most 2¹²⁰.
type Codes struct {
	Slots      int
	Base, Step []float32 // [dim]
	Codes      []uint8   // [dim, Slots]
}

// ScreenCodes computes distances from q, [dim], to what codes stand for, as
// [Ops.Screen] does:
//
//	for v := range dst {
//		d := (q[i] - Base[i]) - Step[i]*float32(Codes[i][v]) // for each i
//		...
//	}
//
// A result s stands for a distance in real numbers of which [Norm.Limit] is
// the bound, if the query's values are at most 2¹²⁰ and d is enlarged by
// [Norm.CodeError] before.
func (o Ops) ScreenCodes(dst, q []float32, c *Codes, n *Norm) {
	dim := n.Dim()
	checkWidth(c.Slots)
	checkLength("dst", len(dst), c.Slots)
	checkLength("q", len(q), dim)
	checkLength("Base", len(c.Base), dim)
	checkLength("Step", len(c.Step), dim)
	checkLength("Codes", len(c.Codes), dim*c.Slots)
	switch {
	case c.Slots == 0:
	case o.level == Generic:
		screenCodesGeneric(dst, q, c, n)
	default:
		codedAVX2(&dst[0], &q[0], &c.Base[0], &c.Step[0], &c.Codes[0], &n.Widths[0], len(n.Widths), c.Slots, n.flags())
	}
}

// CodeError returns what the rounding of differences can change about results
// of [Ops.ScreenCodes]: 2⁻²² of the greatest distance between two values that
// codes can stand for, and a trifle for numbers that have no leading bit.
func (n *Norm) CodeError(step []float32) float64 {
	if len(step) != n.Dim() {
		panic(fmt.Sprintf("kernel: %d steps for %d coordinates", len(step), n.Dim()))
	}
	sum := 0.0
	for _, s := range step {
		sum += 255*float64(s)*0x1p-22 + 0x1p-146
	}
	return sum // ℓ1 is greater than any other of the norms
}
