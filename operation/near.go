package operation

import (
	greed "github.com/greedgraph/greed"
)

// Near limits the pairs of graphs that are compared, and says how long that takes.
type Near struct {
	Filter    []string `json:"filter,omitempty" sep:"none" maxItems:"20" placeholder:"COND" doc:"${near_filter}"`
	TimeLimit string   `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${near_time_limit}"`
	Priced
}

// resolve returns what is looked for within a radius, or an [Error] that names a field.
func (r *Near) resolve(allowed Limits, radius float64) (n greed.Near, err error) {
	n = greed.Near{Radius: radius, Memory: allowed.Memory, Workers: allowed.Workers, Most: allowed.Pairs}
	if err = checkDistance("radius", &n.Radius); err != nil {
		return n, err
	}
	if n.Time, err = limit(r.TimeLimit, allowed.usual(greed.DefaultTime), allowed.Time); err != nil {
		return n, err
	}
	if n.Filters, err = Filters(r.Filter); err != nil {
		return n, err
	}
	n.Costs, err = r.Chosen()
	return n, err
}

// Cliffs asks what the near pairs of a collection mean for an attribute.
type Cliffs struct {
	Attribute   string   `json:"attribute,omitempty" minLength:"1" placeholder:"NAME" doc:"${cliffs_attribute}"`
	Radius      *float64 `json:"radius,omitempty" minimum:"0" placeholder:"X" doc:"${cliffs_radius}"`
	Fragments   *int     `json:"fragments,omitempty" minimum:"1" maximum:"100" placeholder:"N" doc:"${cliffs_fragments}"`
	K           *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"${cliffs_k}"`
	Environment *int     `json:"environment,omitempty" minimum:"0" maximum:"5" placeholder:"N" doc:"${environment}"`
	Near
}

// Resolve returns which pairs are compared, or an [Error] that names a field.
func (r *Cliffs) Resolve(allowed Limits) (opt greed.CliffOptions, err error) {
	opt.Attribute = r.Attribute
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	radius := 2.0
	if r.Radius != nil {
		radius = *r.Radius
	}
	opt.Environment = 1
	if r.Environment != nil {
		opt.Environment = *r.Environment
	}
	if n := opt.Environment; n < 0 || n > greed.MostEnvironment {
		return opt, wrong("environment", "%d: want 0 to %d", n, greed.MostEnvironment)
	}
	if r.Fragments != nil {
		if r.Radius != nil {
			return opt, wrong("fragments", "gives pairs that no distance limits: leave out radius")
		}
		if opt.Fragments = *r.Fragments; opt.Fragments < 1 || opt.Fragments > mostFragment {
			return opt, wrong("fragments", "%d: want 1 to %d atoms", opt.Fragments, mostFragment)
		}
	}
	opt.Near, err = r.resolve(allowed, radius)
	return opt, err
}

// mostFragment is the largest fragment of matched pairs: larger ones are hardly ever meant, and ways to cut grow.
const mostFragment = 100

// Join asks for all pairs of graphs within a distance.
type Join struct {
	Task   string   `json:"task,omitempty" enum:"ged,sed" default:"ged" placeholder:"TASK" doc:"${join_task}"`
	Radius *float64 `json:"radius" required:"true" minimum:"0" placeholder:"X" doc:"The largest distance of a pair"`
	K      *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"${join_k}"`
	Near
}

// Resolve returns which pairs are looked for, or an [Error] that names a field.
func (r *Join) Resolve(allowed Limits) (opt greed.JoinOptions, err error) {
	if opt.Task, err = Task(r.Task); err != nil {
		return opt, err
	}
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	if r.Radius == nil {
		return opt, wrong("radius", "give the largest distance of a pair")
	}
	opt.Near, err = r.resolve(allowed, *r.Radius)
	return opt, err
}
