package join

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/fault"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/truth"
)

// Search finds the pairs of queries and the graphs of a collection that are within a
// distance. It keeps no journal.
type Search struct {
	Query   func(i int) int // the positions in Of, increasing
	Queries int             // how many
	Of, In  *search.Collection
	// Self says that both are the same collection. Then no graph is paired with itself, and a pair
	// comes once if the distance is the same both ways.
	Self bool
	// Accept limits the graphs of In to those for which it is true; nil: all.
	Accept func(position int) bool
	Task   edit.Task
	Costs  edit.Costs
	Radius float64
	// Time returns how long the search of query i may take. At 0 it is left out, and
	// emit is given nil. If Time is nil, there is no limit. Several goroutines call it.
	Time    func(i int) time.Duration
	Memory  int64 // of the solver, as in [search.Options]
	Workers int   // 0 means one per core
}

// Run calls emit with the pairs of every query, in their order: those within the
// radius and, where time was short, those that may be, sorted by target.
func (s Search) Run(ctx context.Context, emit func(i int, found []truth.Pair) error) error {
	workers := s.Workers
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	return ordered.Map(ctx, s.Queries, workers, func(ctx context.Context, _, i int) (found []truth.Pair, err error) {
		err = fault.Guard(func() (err error) {
			found, err = s.pairs(ctx, i)
			return err
		})
		return found, err
	}, emit)
}

// pairs returns those of query i.
func (s *Search) pairs(ctx context.Context, i int) ([]truth.Pair, error) {
	query := s.Query(i)
	opt := search.Options{
		Task: s.Task, Costs: &s.Costs, Radius: &s.Radius, NoModel: true, Workers: 1, Memory: s.Memory,
		Time:       search.NoLimit,
		Accept:     s.Accept,
		AllMissing: true,
	}
	if s.Time != nil {
		if opt.Time = s.Time(i); opt.Time <= 0 {
			return nil, nil
		}
	}
	if s.Self && s.Costs.Symmetric(s.Task) {
		opt.First = query + 1
	}
	rec := s.Of.Record(query)
	r, err := s.In.Search(ctx, graph.Adopt(s.In.Vocabulary(), rec.Graph), opt)
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w", rec.ID, err)
	}
	found := []truth.Pair{}
	for _, list := range [][]search.Answer{r.Answers, r.Missing} {
		for _, a := range list {
			if !s.Self || a.Position != query {
				found = append(found, truth.Pair{Query: int32(query), Target: int32(a.Position), Lower: a.Lower,
					Upper: a.Upper})
			}
		}
	}
	slices.SortFunc(found, func(a, b truth.Pair) int { return int(a.Target) - int(b.Target) })
	return found, nil
}
