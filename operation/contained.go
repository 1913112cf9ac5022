package operation

import (
	greed "github.com/greedgraph/greed"
)

// Contained asks for the graphs of a collection that a query contains.
type Contained struct {
	K *int `json:"k,omitempty" minimum:"1" placeholder:"N" doc:"How many to list, largest first; by default 10"`
	Matching
}

// Resolve returns the options of the search, or an [Error] that names a field.
func (r *Contained) Resolve(allowed Limits) (opt greed.PartsOptions, err error) {
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	opt.Show = r.Show
	if opt.Time, err = limit(r.TimeLimit, greed.DefaultTime, allowed.Time); err != nil {
		return opt, err
	}
	opt.Filters, err = Filters(r.Filter)
	return opt, err
}
