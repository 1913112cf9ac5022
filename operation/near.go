package operation

import (
	greed "github.com/greedgraph/greed"
)

// Near limits the pairs of graphs that are compared, and says how long that takes.
type Near struct {
	Filter    []string `json:"filter,omitempty" sep:"none" maxItems:"20" placeholder:"COND" doc:"Only graphs whose id, name or attributes match, as in a search"`
	TimeLimit string   `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Time for all pairs together, such as 1m, or none; the answer says what is left open. By default 10s in a service, and none elsewhere"`
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
	Attribute   string   `json:"attribute,omitempty" minLength:"1" placeholder:"NAME" doc:"The numeric attribute to compare, such as pIC50; by default pairs and transformations are only counted"`
	Radius      *float64 `json:"radius,omitempty" minimum:"0" placeholder:"X" doc:"The largest distance of a pair; by default 2"`
	K           *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"Maximum length of each list (pairs, transformations, duplicates); by default all, or 10 where a command prints them"`
	Environment *int     `json:"environment,omitempty" minimum:"0" maximum:"5" placeholder:"N" doc:"Tell transformations apart by what is around their places of attachment: 1 by the atom there (methyl on an aromatic carbon, on N, on O), 2 by its neighbours too, and so on; 0 not at all; by default 1"`
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
	opt.Near, err = r.resolve(allowed, radius)
	return opt, err
}

// Join asks for all pairs of graphs within a distance.
type Join struct {
	Task   string   `json:"task,omitempty" enum:"ged,sed" default:"ged" placeholder:"TASK" doc:"Distance: ged finds graphs that are near each other, sed graphs of the first collection that are contained in graphs of the second, or of the same one"`
	Radius *float64 `json:"radius" required:"true" minimum:"0" placeholder:"X" doc:"The largest distance of a pair"`
	K      *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"Maximum number of pairs, nearest first; by default all"`
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
