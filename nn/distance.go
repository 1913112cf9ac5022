package nn

import (
	"math"

	"github.com/greedgraph/greed/norm"
)

// DistanceGrad returns the distance n from q to x. It multiplies the gradient by weight of
// the distance and adds it to dq and dx. Where the norm is not differentiable it uses a
// one-sided derivative; at distance zero the gradient of an ℓ2 block is zero.
func DistanceGrad(n *norm.Norm, q, x, dq, dx []float32, weight func(distance float32) float32) float32 {
	d, widest := distance(n, q, x)
	g := weight(d)
	if g == 0 {
		return d
	}
	at := 0
	for i, w := range n.Widths {
		if n.Combine == norm.Sum || i == widest {
			blockGrad(n, q[at:at+w], x[at:at+w], dq[at:at+w], dx[at:at+w], g)
		}
		at += w
	}
	return d
}

// distance also returns the first of the blocks with the greatest norm.
func distance(n *norm.Norm, q, x []float32) (d float32, widest int) {
	at := 0
	for i, w := range n.Widths {
		b := block(n, q[at:at+w], x[at:at+w])
		switch {
		case n.Combine == norm.Sum:
			d += b
		case b > d:
			d, widest = b, i
		}
		at += w
	}
	return d, widest
}

func block(n *norm.Norm, q, x []float32) float32 {
	x = x[:len(q)]
	var sum float32
	switch {
	case n.Kind == norm.L1 && n.Hinge:
		for i, a := range q {
			sum += max(a-x[i], 0)
		}
		return sum
	case n.Kind == norm.L1:
		for i, a := range q {
			sum += abs(a - x[i])
		}
		return sum
	case n.Hinge:
		for i, a := range q {
			d := max(a-x[i], 0)
			sum += d * d
		}
	default:
		for i, a := range q {
			d := a - x[i]
			sum += d * d
		}
	}
	return float32(math.Sqrt(float64(sum)))
}

func blockGrad(n *norm.Norm, q, x, dq, dx []float32, g float32) {
	x, dq, dx = x[:len(q)], dq[:len(q)], dx[:len(q)]
	if n.Kind == norm.L1 {
		for i, a := range q {
			d := a - x[i]
			s := sign(d) * g
			if n.Hinge && d < 0 {
				s = 0
			}
			dq[i] += s
			dx[i] -= s
		}
		return
	}
	size := block(n, q, x)
	if size == 0 {
		return
	}
	g /= size
	for i, a := range q {
		d := a - x[i]
		if n.Hinge {
			d = max(d, 0)
		}
		dq[i] += g * d
		dx[i] -= g * d
	}
}

func abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}

// sign returns ±1 with the sign of x, and 0 for 0.
func sign(x float32) float32 {
	if x == 0 {
		return 0
	}
	return math.Float32frombits(math.Float32bits(x)&(1<<31) | math.Float32bits(1))
}
