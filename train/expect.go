package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

const (
	// openShare is the share of open pairs, whose bounds do not meet, above which it pays to
	// estimate their distances.
	openShare = 0.015
	// probes is the number of open pairs that are solved again, with probeStates times as
	// many states.
	probes, probeStates = 100, 10
)

// expect replaces the bounds of open pairs by a single value between them, the expected
// distance. Between loose bounds the loss is zero, so a model would predict the lower bounds
// of large graphs. A sample of the open pairs is solved with more states. The value is where
// these searches end on average, as a share of the way from the lower to the upper bound.
func (p Plan) expect(ctx context.Context, bounder truth.Bounder, graphs []*graph.Graph, pairs []truth.Pair) error {
	var open []int
	for i, pair := range pairs {
		if !pair.Exact() && !math.IsInf(pair.Upper, 1) {
			open = append(open, i)
		}
	}
	if bounder.Limits.States == 0 || float64(len(open)) < openShare*float64(len(pairs)) {
		return nil
	}
	rng := rand.New(rand.NewPCG(p.Seed, 0x1f83d9abfb41bd6b))
	var again []truth.Pair
	for _, k := range rng.Perm(len(open))[:min(probes, len(open))] {
		again = append(again, pairs[open[k]])
	}
	before := append([]truth.Pair(nil), again...)
	bounder.Limits.States *= probeStates
	bounder.Progress = func(t truth.Progress) { p.Progress(longer, t) }
	if err := p.bound(ctx, longer, bounder, graphs, again); err != nil {
		return err
	}
	reached, width := 0.0, 0.0
	for i, pair := range again {
		lower, upper := max(pair.Lower, before[i].Lower), min(pair.Upper, before[i].Upper)
		reached += (lower+upper)/2 - before[i].Lower
		width += before[i].Upper - before[i].Lower
	}
	share := reached / width
	p.Note(fmt.Sprintf("the exact distance of %.1f %% of the pairs is not known: it is taken to be %.0f %% of the way "+
		"between their bounds, where longer searches end on average",
		100*float64(len(open))/float64(len(pairs)), 100*share))
	for _, i := range open {
		at := pairs[i].Lower + share*(pairs[i].Upper-pairs[i].Lower)
		pairs[i].Lower, pairs[i].Upper = at, at
	}
	return nil
}
