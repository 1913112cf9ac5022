package cliffs

import "math"

// normal95 is the 97.5 % quantile of the normal distribution.
const normal95 = 1.959963984540054

// student returns the 97.5 % quantile of Student's t distribution with so many degrees of freedom, at least 1: the mean
// of n values lies within student(n-1) standard errors with a confidence of 95 %.
func student(freedom int) float64 {
	v := float64(freedom)
	if freedom > 200 {
		// Abramowitz and Stegun 26.7.5, of which the next term is below 1e-7 here.
		z, z2 := normal95, normal95*normal95
		return z + z*(z2+1)/(4*v) + z*(5*z2*z2+16*z2+3)/(96*v*v)
	}
	low, high := 1.0, 13.0 // it is 12.7 with 1 degree
	for range 60 {
		if middle := (low + high) / 2; inside(middle, freedom) < 0.95 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// inside returns the probability that a variable of Student's distribution is within t of 0, by the finite sums of
// Abramowitz and Stegun 26.7.3 and 26.7.4.
func inside(t float64, freedom int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(angle)
	if freedom%2 == 0 {
		sum, term := 1.0, 1.0
		for k := 2; k < freedom; k += 2 {
			term *= cos * cos * float64(k-1) / float64(k)
			sum += term
		}
		return sin * sum
	}
	sum, term := 0.0, cos
	for k := 3; k <= freedom; k += 2 {
		sum += term
		term *= cos * cos * float64(k-1) / float64(k)
	}
	return 2 / math.Pi * (angle + sin*sum)
}
