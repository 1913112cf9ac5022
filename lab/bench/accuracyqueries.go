package bench

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/lab/sampler"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

// strangers are queries unlike those in training, as in the paper's tables of unseen
// query distributions and sizes.
type strangers struct {
	name    string
	limits  sample.Limits
	sampler func(usual sample.BFS, diameter int) sample.Sampler
}

// strangePairs is how many pairs there are of each kind.
const strangePairs = 1000

// Parameters that the paper leaves open: numbers of walks and neighbours that give
// queries of about the usual size.
const (
	restartWalks     = 5
	shadowNeighbours = 4
)

// Names of sets of pairs with such queries.
const (
	walks    = "random walks"
	restarts = "walks with restarts"
	shadow   = "shaDow"
	upTo50   = "queries of 5 to 50 nodes"
	from25   = "queries of 25 to 50 nodes"
)

func allStrangers() []strangers {
	usual := sample.PaperLimits()
	larger, largest := usual, usual
	larger.MaxNodes = 50
	largest.MinNodes, largest.MaxNodes = 25, 50
	bfs := func(s sample.BFS, _ int) sample.Sampler { return s }
	return []strangers{
		{walks, usual, func(_ sample.BFS, diameter int) sample.Sampler { return sampler.Walk{Diameter: diameter} }},
		{restarts, usual, func(_ sample.BFS, diameter int) sample.Sampler {
			return sampler.Restarts{Length: diameter, Walks: restartWalks}
		}},
		{shadow, usual, func(s sample.BFS, _ int) sample.Sampler {
			return sampler.Shadow{Depth: s.Depth, Neighbours: shadowNeighbours}
		}},
		{upTo50, larger, bfs},
		{from25, largest, bfs},
	}
}

// strangeSets returns pairs of strangers with targets. As in the paper, walks are as
// long as the mean diameter of the usual queries.
func (x *examLab) strangeSets(t targets, usual, test []*graph.Graph, copies []bool) ([]*pairSet, error) {
	sum := 0
	for _, q := range usual {
		sum += sampler.Diameter(q)
	}
	diameter := (sum + len(usual)/2) / len(usual)
	var sets []*pairSet
	for i, s := range allStrangers() {
		rng := newRand(uint64(streamStrangers + i))
		drawn, err := sample.Queries(rng, sample.Rooted(test), s.sampler(t.queries, diameter), s.limits, x.scaled(strangePairs))
		if err != nil {
			return nil, err
		}
		in := eval.Input{Task: edit.SED, Targets: test, TargetCopies: copies}
		for k, q := range drawn {
			in.Queries = append(in.Queries, q.Graph)
			in.Pairs = append(in.Pairs, truth.NewPair(k, rng.IntN(len(test))))
		}
		sets = append(sets, &pairSet{name: s.name, file: fmt.Sprintf("%s-strangers-%d", t.name, i), in: in})
	}
	return sets, nil
}

// strangeCriteria are the RMSE on such queries.
func strangeCriteria(row string) []criterion {
	var list []criterion
	for _, s := range allStrangers() {
		list = append(list, criterion{s.name, "RMSE", rmse, PublishedUnseen(row, s.name), none(), false})
	}
	return list
}

// PublishedUnseen returns the paper's RMSE on a set of queries unlike those in training,
// or NaN.
func PublishedUnseen(row, set string) float64 {
	p := published.UnseenQueries(row)
	switch set {
	case walks:
		return p.Walks
	case restarts:
		return p.Restarts
	case shadow:
		return p.Shadow
	case upTo50:
		return p.UpTo50
	case from25:
		return p.From25
	}
	return none()
}
