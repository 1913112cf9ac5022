package operation

import (
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

// Distance asks for the distance of two graphs.
type Distance struct {
	Task             string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"ged: turn the query into the target; sed: into a part of the target"`
	Costs            Costs  `json:"costs,omitzero" placeholder:"NAME|FILE" doc:"Edit costs: a name or an object of weights; without it those of the collection's model, or uniform"`
	IgnoreEdgeLabels bool   `json:"ignore_edge_labels,omitempty" doc:"Make relabelling an edge free"`
	TimeLimit        string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Time for the exact solver, such as 500ms; where it is not enough the answer has bounds"`
}

// Distances asks for the distances of many pairs.
type Distances struct {
	Distance
	Explain bool `json:"explain,omitempty" doc:"Give the node maps and the edits"`
}

// Measure is a distance that was understood.
type Measure struct {
	Task  greed.Task
	Costs edit.Costs
	Time  time.Duration
}

// Resolve returns what is to be computed, or an [Error] that names a field. usual are the
// costs where the request names none, by task; usualTime is the time.
func (r *Distance) Resolve(allowed Limits, usual func(greed.Task) edit.Costs, usualTime time.Duration) (m Measure, err error) {
	if m.Task, err = Task(r.Task); err != nil {
		return m, err
	}
	costs, err := r.Costs.Read(r.IgnoreEdgeLabels)
	if err != nil {
		return m, err
	}
	if m.Costs = edit.Uniform(); costs != nil {
		m.Costs = *costs
	} else if usual != nil {
		m.Costs = usual(m.Task)
	}
	m.Time, err = limit(r.TimeLimit, usualTime, allowed.Time)
	return m, err
}
