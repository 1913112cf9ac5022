package baseline

import "math"

// similarity takes the output x for a logit: the sigmoid of x is the similarity
// e^(−κ·distance), of a κ of two over the size of the pair, and its squared error is the
// loss. The error of an interval is that of its nearer end.
type similarity struct{}

func (similarity) scale(p sized) float64 { return 2 / float64(max(1, p.size)) }

func (s similarity) loss(x float32, p sized) (loss, grad float32) {
	k := s.scale(p)
	y := 1 / (1 + math.Exp(-float64(x)))
	least, most := math.Exp(-k*float64(p.upper)), math.Exp(-k*float64(p.lower))
	e := max(y-most, 0) - max(least-y, 0)
	return float32(e * e), float32(2 * e * y * (1 - y))
}

// distance returns −ln(sigmoid(x))/κ, computed so that no similarity is too small.
func (s similarity) distance(x float32, p sized) float64 {
	v := -float64(x)
	return (max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))) / s.scale(p)
}

// regression takes the output for the distance; the loss is its squared error, none
// inside an interval. A negative output predicts 0.
type regression struct{}

func (regression) loss(x float32, p sized) (loss, grad float32) {
	e := max(x-p.upper, 0) - max(p.lower-x, 0)
	return e * e, 2 * e
}

func (regression) distance(x float32, _ sized) float64 { return max(0, float64(x)) }

// ranker is a goal whose predictions are no distances: validation counts failure in
// place of the error of a prediction.
type ranker interface {
	failure(predicted float64, p sized) float64
}
