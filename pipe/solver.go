package pipe

import (
	"encoding/json"
	"sync"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
)

// measured reads which distance is requested. Besides those of other surfaces there is that of
// maximum common subgraphs, which has no costs.
func measured(request operation.Distance) (operation.Measure, error) {
	mcs := request.Task == edit.MCS.String()
	if mcs {
		switch request.Task = ""; {
		case !request.Costs.IsZero():
			return operation.Measure{}, wrongValue("costs: common subgraphs have none")
		case request.Fix != "":
			return operation.Measure{}, wrongValue("fix: is for ged and sed")
		}
	}
	m, err := request.Resolve(operation.Limits{}, nil)
	if mcs {
		m.Task = edit.MCS
	}
	return m, err
}

// comparers keeps those of the last distance, for their memory.
type comparers struct {
	mu   sync.Mutex
	of   string
	idle []*greed.Comparer
}

// take returns n comparers, one for each goroutine; give takes them back.
func (s *comparers) take(m operation.Measure, n int) (list []*greed.Comparer, give func(), err error) {
	costs, err := json.Marshal(m.Costs)
	if err != nil {
		return nil, nil, err
	}
	of := m.Task.String() + string(costs)
	s.mu.Lock()
	if s.of != of {
		s.of, s.idle = of, nil
	}
	rest := max(0, len(s.idle)-n)
	list = append(list, s.idle[rest:]...)
	s.idle = s.idle[:rest]
	s.mu.Unlock()
	opt := m.Options(dataset.Rules{})
	for i := range list {
		list[i] = list[i].With(opt)
	}
	for len(list) < n {
		one, err := greed.NewComparer(m.Task, opt)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, one)
	}
	return list, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.of == of {
			s.idle = append(s.idle, list...)
		}
	}, nil
}
