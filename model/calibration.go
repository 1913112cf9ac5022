package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// ErrCalibration is wrapped if a radius cannot be searched with a recall: the model was not calibrated for it, for
// the query or for the collection.
var ErrCalibration = errors.New("the recall is not known")

// Confidence is how sure a recall is: of 100 calibrations with queries drawn anew, about 95 have it.
const Confidence = 0.95

// Calibration says how far predictions reach beyond distances, by queries from which the model did not learn and what
// is near them in one collection. It is a sample for split conformal prediction (Papadopoulos et al., 2002; Vovk,
// 2012): [Calibration.Cut] is a quantile of predictions, and holds for queries that are drawn as these were.
type Calibration struct {
	// Of is the collection, with so many graphs of so many nodes and edges on average.
	Of     string  `json:"of"`
	Graphs int     `json:"graphs"`
	Nodes  float64 `json:"nodes"`
	Edges  float64 `json:"edges"`
	// Radius is the greatest distance of a near graph.
	Radius float64 `json:"radius"`
	// Queries is how many there were, of MinNodes to MaxNodes nodes and with these labels.
	Queries    int      `json:"queries"`
	MinNodes   int      `json:"min_nodes"`
	MaxNodes   int      `json:"max_nodes"`
	NodeLabels []string `json:"node_labels"`
	EdgeLabels []string `json:"edge_labels"`
	// Near has, for each query with anything near it, in the order of distances one pair for each radius from
	// which on it is the one drawn among all within the radius.
	Near [][]NearPair `json:"near"`
}

// NearPair is a distance and what the model predicts in its place. In JSON it is an array of the two.
type NearPair [2]float64

// Check returns an error unless the numbers are consistent.
func (c *Calibration) Check() error {
	bad := c.Graphs < 0 || c.Queries < len(c.Near) || c.MinNodes > c.MaxNodes || !(c.Radius >= 0)
	for _, pairs := range c.Near {
		bad = bad || len(pairs) == 0
		last := -1.0
		for _, p := range pairs {
			bad = bad || !(p[0] > last && p[0] <= c.Radius && p[1] >= 0) || math.IsInf(p[1], 1)
			last = p[0]
		}
	}
	if bad {
		return errors.New("model: a calibration whose numbers do not fit")
	}
	return nil
}

// Cut returns the predicted distance within which a search finds at least the share recall of what lies within the
// radius, with the [Confidence]: of a query drawn as those of the calibration were, and a graph drawn among all
// within the radius of it, the prediction is within the cut in that share of cases. It is the least order
// statistic of the predictions of the calibration for which the binomial distribution says so (Wilks, 1941). The
// error wraps [ErrCalibration].
func (c *Calibration) Cut(radius, recall float64) (float64, error) {
	if radius > c.Radius {
		return 0, fmt.Errorf("%w: the model was calibrated within a radius of %v, not %v: ask for that, or "+
			"calibrate it "+
			"again with a greater one", ErrCalibration, c.Radius, radius)
	}
	predicted := c.drawn(radius)
	n := len(predicted)
	k := orderStatistic(n, recall)
	if k == 0 {
		known := "no recall"
		if n > 0 {
			known = fmt.Sprintf("a recall of %.3f", math.Floor(1000*math.Pow(1-Confidence, 1/float64(n)))/1000)
		}
		return 0, fmt.Errorf("%w: only %d of the %d queries of the calibration have a graph within %v, which bear "+
			"out %s at "+
			"most: "+
			"ask for less, for a greater radius, or for proven answers, or calibrate with more queries",
			ErrCalibration, n, c.Queries, radius, known)
	}
	slices.Sort(predicted)
	return predicted[k-1], nil
}

// Reach returns the radius to which recalls are known in a collection of so many graphs, nil if to none: c is nil, or
// of another collection.
func (c *Calibration) Reach(graphs int) *float64 {
	if c == nil || c.Fits(graphs, c.Nodes, c.Edges) != nil {
		return nil
	}
	return &c.Radius
}

// Within returns how many queries have a graph within the radius.
func (c *Calibration) Within(radius float64) int { return len(c.drawn(radius)) }

// drawn returns what the model predicts, for each query with a graph within the radius, of the one drawn.
func (c *Calibration) drawn(radius float64) (predicted []float64) {
	for _, pairs := range c.Near {
		last := -1
		for last+1 < len(pairs) && pairs[last+1][0] <= radius {
			last++
		}
		if last >= 0 {
			predicted = append(predicted, pairs[last][1])
		}
	}
	return predicted
}

// orderStatistic returns the least k for which the k-th least of n draws is, with the [Confidence], at least as
// great as that share of what is drawn from: P(Binomial(n, share) ≥ k) ≤ 1 − Confidence. It is 0 if there is none.
func orderStatistic(n int, share float64) int {
	logChoose := func(k int) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	least, tail := 0, 0.0
	for k := n; k > 0; k-- {
		tail += math.Exp(logChoose(k) + float64(k)*math.Log(share) + float64(n-k)*math.Log1p(-share))
		if tail > 1-Confidence {
			break
		}
		least = k
	}
	return least
}

// Covers returns an error that wraps [ErrCalibration] unless q is within what the model was calibrated on: its size
// and its labels occur among the queries.
func (c *Calibration) Covers(q *graph.Graph) error {
	if n := q.N(); n < c.MinNodes || n > c.MaxNodes {
		return fmt.Errorf("%w for this query: it has %d nodes, and the model was calibrated with queries of %d to "+
			"%d: leave "+
			"out the recall, or ask for proven answers", ErrCalibration, n, c.MinNodes, c.MaxNodes)
	}
	unseen := make(map[string]bool)
	vocab := q.Vocabulary()
	for _, l := range q.Labels() {
		if text := vocab.NodeText(l); !slices.Contains(c.NodeLabels, text) {
			unseen[text] = true
		}
	}
	for e := range q.Edges() {
		if text := vocab.EdgeText(e.Label); !slices.Contains(c.EdgeLabels, text) {
			unseen["edge "+text] = true
		}
	}
	if len(unseen) > 0 {
		return fmt.Errorf("%w for this query: no query of the calibration has the labels %s: leave out the recall, "+
			"or ask "+
			"for proven answers", ErrCalibration, join(unseen))
	}
	return nil
}

// alike is how far the numbers of a collection may be from those of the calibration, in parts of these.
const alike = 0.2

// Fits returns an error that wraps [ErrCalibration] if a collection of so many graphs, with so many nodes and edges
// on average, cannot be that of the calibration with some graphs added or deleted.
func (c *Calibration) Fits(graphs int, nodes, edges float64) error {
	far := func(now, then, part float64) bool { return math.Abs(now-then) > part*then }
	if far(float64(graphs), float64(c.Graphs), alike) || far(nodes, c.Nodes, alike/4) || far(edges, c.Edges, alike/4) {
		return fmt.Errorf("%w for this collection: the model was calibrated on %s with %d graphs of %.1f nodes and "+
			"%.1f "+
			"edges, "+
			"and this one has %d of %.1f and %.1f: greed calibrate does so for it",
			ErrCalibration, strings.TrimSpace(c.Of), c.Graphs, c.Nodes, c.Edges, graphs, nodes, edges)
	}
	return nil
}

// Calibration returns the calibration of the model's predictions, or nil if there is none.
func (m *Model) Calibration() *Calibration { return m.calibration }

// Calibrated returns a copy of the model with a calibration. Its fingerprint is the same.
func (m *Model) Calibrated(c *Calibration) *Model {
	with := *m
	with.calibration = c
	return with.furnish()
}
