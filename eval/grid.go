package eval

import "math"

// Grid is the errors by size of the query and of the target, in nodes, by true distance and by
// predicted distance. Bin i of an axis holds the values from Start + i·Width to below the next.
type Grid struct {
	Sizes     Axis `json:"query_nodes"`
	Targets   Axis `json:"target_nodes"`
	Distances Axis `json:"distance"`
	// Predictions has the bins of Distances and what is beyond them, up to the greatest prediction.
	Predictions Axis `json:"prediction"`
	// BySize, ByTarget, ByDistance and ByPrediction are the errors of the bins of one axis,
	// Cells those of sizes and distances: [sizes][distances]. ByPrediction shows the
	// calibration: without bias, predictions of a bin are right on average.
	BySize       []Cell   `json:"by_query_nodes"`
	ByTarget     []Cell   `json:"by_target_nodes"`
	ByDistance   []Cell   `json:"by_distance"`
	ByPrediction []Cell   `json:"by_prediction"`
	Cells        [][]Cell `json:"cells"`
}

// Axis is bins of equal width.
type Axis struct {
	Start float64 `json:"start"`
	Width float64 `json:"width"`
	Bins  int     `json:"bins"`
}

// Cell is the errors of the pairs of one bin.
type Cell struct {
	Pairs int    `json:"pairs"`
	RMSE  Figure `json:"rmse"`
	MAE   Figure `json:"mae"`
	Bias  Figure `json:"bias"` // mean of prediction minus nearer end of the interval
}

// mostBins is how many bins an axis may have.
const mostBins = 25

func newGrid(in Input) Grid {
	lowest, highest := math.Inf(1), 0.0
	smallest, largest := math.Inf(1), 0.0
	farthest, beyond, whole := 0.0, 0.0, true
	for i, p := range in.Pairs {
		n := float64(in.Queries[p.Query].N())
		lowest, highest = min(lowest, n), max(highest, n)
		n = float64(in.Targets[p.Target].N())
		smallest, largest = min(smallest, n), max(largest, n)
		d := middle(p)
		farthest, beyond = max(farthest, d), max(beyond, in.Predicted[i])
		whole = whole && d == math.Trunc(d)
	}
	finest := 0.0
	if whole {
		finest = 1
	}
	g := Grid{Sizes: newAxis(lowest, highest, 1), Targets: newAxis(smallest, largest, 1),
		Distances: newAxis(0, farthest, finest)}
	g.Predictions = g.Distances
	g.Predictions.Bins = max(g.Distances.Bins, min(bins(0, beyond, g.Distances.Width), mostBins))
	bySize, byTarget := make([]bin, g.Sizes.Bins), make([]bin, g.Targets.Bins)
	byDistance, byPrediction := make([]bin, g.Distances.Bins), make([]bin, g.Predictions.Bins)
	cells := make([]bin, g.Sizes.Bins*g.Distances.Bins)
	for i, p := range in.Pairs {
		s := g.Sizes.bin(float64(in.Queries[p.Query].N()))
		t := g.Targets.bin(float64(in.Targets[p.Target].N()))
		d := g.Distances.bin(middle(p))
		x := g.Predictions.bin(in.Predicted[i])
		for _, b := range []*bin{&bySize[s], &byTarget[t], &byDistance[d], &byPrediction[x],
			&cells[s*g.Distances.Bins+d]} {
			b.add(in.Predicted[i], p.Lower, p.Upper)
		}
	}
	g.BySize, g.ByTarget, g.ByDistance, g.ByPrediction = finish(bySize), finish(byTarget), finish(byDistance),
		finish(byPrediction)
	for s := range g.Sizes.Bins {
		g.Cells = append(g.Cells, finish(cells[s*g.Distances.Bins:(s+1)*g.Distances.Bins]))
	}
	return g
}

// newAxis returns an axis for values from lowest to highest with at most
// mostBins bins, as wide as 1, 2 or 5 times a power of ten and at least finest,
// that start at multiples of the width.
func newAxis(lowest, highest, finest float64) Axis {
	width := finest
	if spread := highest - lowest; spread > 0 {
		power := math.Pow(10, math.Floor(math.Log10(spread))-2)
		for _, w := range []float64{1, 2, 5, 10, 20, 50, 100, 200} {
			if width = max(finest, w*power); bins(lowest, highest, width) <= mostBins {
				break
			}
		}
	}
	if width == 0 {
		width = 1
	}
	return Axis{Start: math.Floor(lowest/width) * width, Width: width, Bins: bins(lowest, highest, width)}
}

func bins(lowest, highest, width float64) int {
	return int(math.Floor(highest/width)-math.Floor(lowest/width)) + 1
}

func (a Axis) bin(x float64) int {
	return min(max(int(math.Floor(x/a.Width)-math.Floor(a.Start/a.Width+0.5)), 0), a.Bins-1)
}

// Middle returns the middle of bin i.
func (a Axis) Middle(i int) float64 { return a.Start + (float64(i)+0.5)*a.Width }

// bin gathers the errors of a [Cell].
type bin struct {
	mean
	signed float64
}

func (b *bin) add(predicted, lower, upper float64) {
	e := outside(predicted, lower, upper)
	b.mean.add(e)
	if predicted < lower {
		e = -e
	}
	b.signed += e
}

func finish(bins []bin) []Cell {
	cells := make([]Cell, len(bins))
	for i, b := range bins {
		cells[i] = Cell{b.n, b.rootMeanSquare(), b.average(), Figure(b.signed / float64(b.n))}
	}
	return cells
}
