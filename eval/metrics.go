package eval

import (
	"encoding/json"
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

// Figure is a number that may be undefined, which is NaN here and null in
// JSON.
type Figure float64

// MarshalJSON writes null for NaN.
func (f Figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON reads null as NaN.
func (f *Figure) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*f = Figure(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(f))
}

// Metrics are the figures of a set of pairs. A prediction within the interval
// of its pair has error 0; outside, the error is the distance to the nearer
// end. Where one number is needed for the truth (ranks, bins) it is the middle
// of the interval.
type Metrics struct {
	Pairs  int `json:"pairs"`
	Proven int `json:"proven"` // whose bounds meet

	RMSE Figure `json:"rmse"`
	MAE  Figure `json:"mae"`
	// ProvenRMSE and ProvenMAE are over proven pairs alone.
	ProvenRMSE Figure `json:"proven_rmse"`
	ProvenMAE  Figure `json:"proven_mae"`
	// SimilarityMSE is 1000 times the mean squared error of the similarity:
	// exp(−nGED) with nGED = GED / ((n₁+n₂)/2); for SED 1 − SED/(n+m) with the
	// nodes and edges of the query.
	SimilarityMSE Figure `json:"similarity_mse_e3"`
	// Rounded is the share of the proven pairs whose prediction, rounded to
	// the nearest integer, is the distance.
	Rounded Figure `json:"exact_after_rounding"`
	// RoundedMAE is the MAE of predictions rounded to the nearest integer, over
	// proven pairs. Where distances are integers the integer nearest to a prediction
	// is often right, and a prediction between two never is.
	RoundedMAE Figure `json:"rounded_mae"`

	// Kendall (τ-b), Spearman (ρ) and the precisions are means over queries
	// for which they are defined: those with two different true distances, and
	// those with more than k targets.
	Kendall       Figure `json:"kendall_tau_b"`
	Spearman      Figure `json:"spearman_rho"`
	RankedQueries int    `json:"ranked_queries"`
	PrecisionAt10 Figure `json:"precision_at_10"`
	QueriesAt10   int    `json:"queries_at_10"`
	PrecisionAt20 Figure `json:"precision_at_20"`
	QueriesAt20   int    `json:"queries_at_20"`
	// The precisions count all targets that tie at the k-th place as neighbours;
	// the strict ones count k.
	StrictPrecisionAt10 Figure `json:"strict_precision_at_10"`
	StrictPrecisionAt20 Figure `json:"strict_precision_at_20"`
	// TenAmong50 and TenAmong200 are the shares of the ten nearest targets that are among the
	// first 50 and 200 by prediction: what is found of them if so many candidates are checked.
	TenAmong50      Figure `json:"ten_nearest_among_50"`
	QueriesAmong50  int    `json:"queries_among_50"`
	TenAmong200     Figure `json:"ten_nearest_among_200"`
	QueriesAmong200 int    `json:"queries_among_200"`
	LargestDistance Figure `json:"largest_distance"`

	Ranges []Range `json:"ranges"` // at [RangeFractions]
	Near   []Range `json:"near"`   // at [NearRadii]
}

func (in Input) metrics() Metrics {
	var all, proven, similarity, whole mean
	rounded := 0
	for i, p := range in.Pairs {
		d := in.Predicted[i]
		e := outside(d, p.Lower, p.Upper)
		all.add(e)
		q, t := in.Queries[p.Query], in.Targets[p.Target]
		similarity.add(outside(
			similarityOf(in.Task, q, t, d), similarityOf(in.Task, q, t, p.Upper), similarityOf(in.Task, q, t, p.Lower)))
		if p.Exact() {
			proven.add(e)
			off := math.Abs(math.Round(d) - p.Lower)
			whole.add(off)
			if off == 0 {
				rounded++
			}
		}
	}
	m := Metrics{
		Pairs: len(in.Pairs), Proven: proven.n,
		RMSE: all.rootMeanSquare(), MAE: all.average(),
		ProvenRMSE: proven.rootMeanSquare(), ProvenMAE: proven.average(),
		SimilarityMSE: Figure(1000 * similarity.squares / float64(similarity.n)),
		Rounded:       Figure(float64(rounded) / float64(proven.n)), RoundedMAE: whole.average(),
	}
	in.ranks(&m)
	in.ranges(&m)
	return m
}

// outside returns how far x is outside lower to upper.
func outside(x, lower, upper float64) float64 { return max(0, lower-x, x-upper) }

func middle(p truth.Pair) float64 { return (p.Lower + p.Upper) / 2 }

func similarityOf(task edit.Task, q, t *graph.Graph, d float64) float64 {
	// Of graphs without nodes there is nothing to divide by; they are as similar
	// as can be.
	if task == edit.SED {
		return 1 - d/float64(max(1, q.N()+q.M()))
	}
	return math.Exp(-d / (float64(max(1, q.N()+t.N())) / 2))
}

// mean gathers values.
type mean struct {
	n            int
	sum, squares float64
}

func (m *mean) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

func (m *mean) average() Figure        { return Figure(m.sum / float64(m.n)) }
func (m *mean) rootMeanSquare() Figure { return Figure(math.Sqrt(m.squares / float64(m.n))) }
