package eval

import "math"

// RangeFractions are the radii that range search is evaluated at, as fractions of
// the largest true distance, as in the paper.
func RangeFractions() []float64 { return []float64{0.01, 0.05, 0.10, 0.15, 0.20} }

// NearRadii are the radii, in units of cost, that people search within.
func NearRadii() []float64 { return []float64{0, 1, 2, 3, 4, 5} }

// Range rates the answers of range search over all pairs together: a pair is
// an answer if its prediction is at most Radius.
type Range struct {
	Fraction Figure  `json:"fraction"` // of the largest distance
	Radius   float64 `json:"radius"`
	// Standard: a pair is relevant if its distance is at most Radius. Pairs
	// whose bounds leave that open are not counted.
	Standard Retrieval `json:"standard"`
	// Rounded is Standard with predictions rounded to the nearest integer. Where
	// distances are integers, one predicted as 1.2 is most likely 1.
	Rounded Retrieval `json:"rounded"`
}

// Retrieval is precision, recall and their harmonic mean F1. Precision is
// undefined without answers, and recall without relevant pairs. F1 is 0 where
// there are only misses and wrong answers, and undefined where there is nothing
// to find and nothing was answered.
type Retrieval struct {
	Precision Figure `json:"precision"`
	Recall    Figure `json:"recall"`
	F1        Figure `json:"f1"`
}

// ranges fills in the range figures. The largest distance is the largest upper
// bound.
func (in Input) ranges(m *Metrics) {
	largest := 0.0
	for _, p := range in.Pairs {
		largest = max(largest, p.Upper)
	}
	m.LargestDistance = Figure(largest)
	for _, f := range RangeFractions() {
		m.Ranges = append(m.Ranges, in.rangeAt(f, f*largest))
	}
	for _, radius := range NearRadii() {
		fraction := math.NaN()
		if largest > 0 {
			fraction = radius / largest
		}
		m.Near = append(m.Near, in.rangeAt(fraction, radius))
	}
}

func (in Input) rangeAt(fraction, radius float64) Range {
	var standard, rounded tally
	for i, p := range in.Pairs {
		if p.Upper <= radius || p.Lower > radius {
			standard.add(in.Predicted[i] <= radius, p.Upper <= radius)
			rounded.add(math.Round(in.Predicted[i]) <= radius, p.Upper <= radius)
		}
	}
	return Range{Fraction: Figure(fraction), Radius: radius, Standard: standard.retrieval(),
		Rounded: rounded.retrieval()}
}

// tally counts pairs for a retrieval.
type tally struct{ answers, relevant, right int }

func (t *tally) add(answer, relevant bool) {
	if relevant {
		t.relevant++
	}
	if answer {
		t.answers++
	}
	if answer && relevant {
		t.right++
	}
}

func (t *tally) retrieval() Retrieval {
	precision := float64(t.right) / float64(t.answers)
	recall := float64(t.right) / float64(t.relevant)
	f1 := 2 * precision * recall / (precision + recall)
	if t.right == 0 && t.answers+t.relevant > 0 {
		f1 = 0 // nothing but misses and wrong answers
	}
	return Retrieval{Figure(precision), Figure(recall), Figure(f1)}
}
