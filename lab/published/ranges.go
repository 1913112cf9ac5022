package published

import "github.com/greedgraph/greed/eval"

// RangeF1 returns the F1 of range searches at each of [eval.RangeFractions] as the authors' code computes it: recall
// over the pairs whose upper bound is below the radius, and precision counting those whose lower bound is at most the
// radius.
func RangeF1(in eval.Input) []eval.Figure {
	largest := 0.0
	for _, p := range in.Pairs {
		largest = max(largest, p.Upper)
	}
	var list []eval.Figure
	for _, f := range eval.RangeFractions() {
		radius := f * largest
		var answers, relevant, found, right float64
		for i, p := range in.Pairs {
			answer := in.Predicted[i] <= radius
			if answer {
				answers++
			}
			if p.Upper < radius {
				relevant++
			}
			if answer && p.Upper < radius {
				found++
			}
			if answer && p.Lower <= radius {
				right++
			}
		}
		precision, recall := right/answers, found/relevant
		f1 := 2 * precision * recall / (precision + recall)
		if found+right == 0 && answers+relevant > 0 {
			f1 = 0 // nothing but misses and wrong answers
		}
		list = append(list, eval.Figure(f1))
	}
	return list
}
