package operation

import (
	"math/rand/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/truth"
)

// Truth asks for the distances of many pairs of graphs, in a file.
type Truth struct {
	Task   string `json:"task,omitempty" enum:"ged,sed,mcs" default:"ged" placeholder:"TASK" doc:"${truth_task}"`
	Random int    `json:"random,omitempty" minimum:"1" placeholder:"N" doc:"${truth_random}"`
	Seed   uint64 `json:"seed,omitempty" default:"1" placeholder:"N" doc:"Seed of the random pairs"`
	Maps   bool   `json:"maps,omitempty" doc:"Write the node maps too"`
	States int64  `json:"states,omitempty" minimum:"1" placeholder:"N" doc:"${truth_states}"`
	Timed
	Priced
}

// Resolve returns what computes the distances, or an [Error] that names a field.
func (r *Truth) Resolve() (b truth.Bounder, err error) {
	switch {
	case r.Random < 0:
		return b, wrong("random", "%d: want a number of pairs", r.Random)
	case r.States < 0:
		return b, wrong("states", "%d: want a number of states", r.States)
	}
	if b.Task, err = Learnable(r.Task); err != nil {
		return b, err
	}
	if b.Limits.Time, err = r.Limit(greed.NoLimit, Limits{}); err != nil {
		return b, err
	}
	b.Limits = ged.Options{Time: b.Limits.Time, States: r.States}
	b.Costs, err = r.of(b.Task)
	return b, err
}

// Pairs returns the requested pairs of so many queries and targets.
func (r *Truth) Pairs(queries, targets int) []truth.Pair {
	if r.Random > 0 {
		return truth.RandomPairs(rand.New(rand.NewPCG(r.Seed, 0)), queries, targets, r.Random)
	}
	return truth.AllPairs(queries, targets)
}
