package operation

import (
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

// Distance asks for the distance of two graphs.
type Distance struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"Distance: ged turns the query into the target, sed into a part of the target"`
	Priced
	Timed
}

// Distances asks for the distances of many pairs.
type Distances struct {
	Distance
	Explain bool `json:"explain,omitempty" doc:"Give the node maps, the edits and, of molecules, the transformations"`
}

// Timed limits the time of work on a pair of graphs.
type Timed struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Time for each pair, such as 500ms or 10s, or none; where it runs out, the answer is bounds. Without it a service takes one second for a pair and ten for many, and a command as long as it needs"`
}

// limit returns the time as solvers take it: 0 is none.
func (t *Timed) limit(usual time.Duration, allowed Limits) (time.Duration, error) {
	d, err := limit(t.TimeLimit, usual, allowed.Time)
	if d == greed.NoLimit {
		d = 0
	}
	return d, err
}

// Measure is a distance that was understood. A time of 0 is none.
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
	costs := edit.Uniform()
	if usual != nil {
		costs = usual(m.Task)
	}
	if m.Costs, err = r.Or(costs); err != nil {
		return m, err
	}
	m.Time, err = r.limit(usualTime, allowed)
	return m, err
}

// Differences ask what differs between graphs, by the edits of least cost.
type Differences struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Settle for the best node map found after this time per pair, such as 1m, or none; without it 10s"`
	Priced
}

// Resolve returns what is to be computed, or an [Error] that names a field.
func (r *Differences) Resolve() (Measure, error) {
	return (&Distance{Priced: r.Priced, Timed: Timed{r.TimeLimit}}).Resolve(Limits{}, nil, greed.DefaultTime)
}
