package pipe

import (
	"encoding/json"
	"sync"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/truth"
)

// measured reads which distance is asked for. Besides those of other surfaces there is that of
// maximum common subgraphs, which has no costs.
func measured(asked operation.Distance) (operation.Measure, error) {
	mcs := asked.Task == edit.MCS.String()
	if mcs {
		switch asked.Task = ""; {
		case !asked.Costs.IsZero():
			return operation.Measure{}, wrongValue("costs: common subgraphs have none")
		case asked.Fix != "":
			return operation.Measure{}, wrongValue("fix: is for ged and sed")
		}
	}
	m, err := asked.Resolve(operation.Limits{}, nil, 0)
	if mcs {
		m.Task = edit.MCS
	}
	return m, err
}

// solvers keeps those of the last distance, for their memory.
type solvers struct {
	mu   sync.Mutex
	of   string
	idle []truth.Solver
}

// take returns a solver of each of n goroutines; give returns them.
func (s *solvers) take(m operation.Measure, n int) (list []truth.Solver, give func(), err error) {
	costs, err := json.Marshal(m.Costs)
	if err != nil {
		return nil, nil, err
	}
	of := m.Task.String() + string(costs)
	s.mu.Lock()
	if s.of == of {
		few := min(n, len(s.idle))
		list = append(list, s.idle[len(s.idle)-few:]...)
		s.idle = s.idle[:len(s.idle)-few]
	}
	s.mu.Unlock()
	for len(list) < n {
		one, err := truth.NewSolver(m.Task, m.Costs)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, one)
	}
	return list, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.of != of {
			s.of, s.idle = of, nil
		}
		s.idle = append(s.idle, list...)
	}, nil
}

// within is what is known of a distance and a threshold.
const (
	no byte = iota
	yes
	unknown
)

func withinOf(r ged.Result, threshold *float64) byte {
	if threshold == nil {
		return no
	}
	is, known := r.Within(*threshold)
	switch {
	case !known:
		return unknown
	case is:
		return yes
	}
	return no
}
