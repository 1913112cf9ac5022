package operation

import (
	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

// SpaceSearch asks for the products of a synthon space nearest to a query.
type SpaceSearch struct {
	Task      *string  `json:"task,omitempty" enum:"ged,sed" doc:"Distance: ged, the default, finds the nearest products, sed those that contain the query, exactly or nearly"`
	SMARTS    string   `json:"smarts,omitempty" minLength:"1" name:"smarts" placeholder:"PATTERN" doc:"Instead of a query: find the products that contain this SMARTS, all or k of them"`
	K         *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"Maximum number of answers; by default 10, or all within the radius if one is given"`
	Radius    *float64 `json:"radius,omitempty" minimum:"0" placeholder:"X" doc:"Only products within this distance; with k, the nearest of them"`
	TimeLimit string   `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Time for each query, such as 500ms or 1m, or none; by default 10s"`
	Explain   bool     `json:"explain,omitempty" doc:"Give the node map and the edits of the answers"`
}

// Resolve returns the options of the search, or an [Error] that names a field.
func (r *SpaceSearch) Resolve(allowed Limits) (opt greed.SpaceOptions, err error) {
	opt.Radius, opt.Workers, opt.Explain = r.Radius, allowed.Workers, r.Explain
	if r.Task != nil {
		if opt.Task, err = Task(*r.Task); err != nil {
			return opt, err
		}
	}
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	if err = checkDistance("radius", opt.Radius); err != nil {
		return opt, err
	}
	if opt.Time, err = limit(r.TimeLimit, greed.DefaultTime, allowed.Time); err != nil || r.SMARTS == "" {
		return opt, err
	}
	switch {
	case r.Explain:
		return opt, wrong("explain", "does not apply to a SMARTS, which has no edits: leave it out")
	case r.Task != nil && *r.Task == edit.GED.String():
		return opt, wrong("task", "does not apply to a SMARTS, which is contained or not: leave it out")
	case r.Radius != nil && *r.Radius > 0:
		return opt, wrong("radius", "does not apply to a SMARTS, which is contained or not: leave it out")
	}
	if opt.SMARTS, err = greed.ParseSMARTS(r.SMARTS); err != nil {
		return opt, wrong("smarts", "%s", InSMARTS(r.SMARTS, err))
	}
	return opt, nil
}
