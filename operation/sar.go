package operation

import (
	"errors"
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
)

// SAR asks for the R-groups of a series of molecules.
type SAR struct {
	Core string `json:"core" required:"true" minLength:"1" doc:"${sar_core}"`
	RGroups
}

// RGroups says how a series is taken apart.
type RGroups struct {
	SMARTS     bool     `json:"smarts,omitempty" name:"smarts" doc:"${r_groups_smarts}"`
	Radius     *int     `json:"radius,omitempty" minimum:"0" maximum:"2" placeholder:"N" doc:"${r_groups_radius}"`
	OnlyMarked bool     `json:"only_marked,omitempty" doc:"${r_groups_only_marked}"`
	K          *int     `json:"k,omitempty" short:"k" minimum:"1" placeholder:"N" doc:"${r_groups_k}"`
	Skip       int      `json:"skip,omitempty" minimum:"0" placeholder:"N" doc:"${r_groups_skip}"`
	Filter     []string `json:"filter,omitempty" sep:"none" maxItems:"20" placeholder:"COND" doc:"${r_groups_filter}"`
	Show       []string `json:"show,omitempty" maxItems:"50" placeholder:"ATTR" doc:"${r_groups_show}"`
	TimeLimit  string   `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${r_groups_time_limit}"`
}

// mostRadius is the greatest radius of a core: more edits than that leave little of it, and there are too many ways.
const mostRadius = 2

// Resolve returns what is taken apart, or an [Error] that names a field.
func (r *SAR) Resolve(allowed Limits) (opt greed.SAROptions, err error) {
	opt = greed.SAROptions{OnlyMarked: r.OnlyMarked, Show: r.Show, Skip: r.Skip, Most: allowed.Pairs}
	if r.Skip < 0 {
		return opt, wrong("skip", "%d: want a number of rows, at least 0", r.Skip)
	}
	if r.Core == "" {
		return opt, wrong("core", "there is none: give a SMILES, a name, a SMARTS or a MOL file")
	}
	if opt.Core, err = greed.ParseCore(r.Core, r.SMARTS); err != nil {
		return opt, wrong("core", "%s", inCore(r.Core, err))
	}
	if r.Radius != nil {
		if opt.Radius = *r.Radius; opt.Radius < 0 || opt.Radius > mostRadius {
			return opt, wrong("radius", "%d: want 0 to %d atoms and bonds", opt.Radius, mostRadius)
		}
	}
	if atoms := opt.Core.Len(); opt.Radius >= atoms {
		return opt, wrong("radius", "%d: nothing of the core need be left; want fewer edits than its atoms, %d",
			opt.Radius, atoms)
	}
	if opt.K, err = allowed.answers(r.K); err != nil {
		return opt, err
	}
	if opt.Time, err = limit(r.TimeLimit, allowed.usual(greed.DefaultTime), allowed.Time); err != nil {
		return opt, err
	}
	opt.Filters, err = Filters(r.Filter)
	return opt, err
}

// inCore says where and why a core cannot be read.
func inCore(text string, err error) string {
	switch {
	case chem.IsMolBlock(text):
		return "MOL file: " + err.Error()
	case errors.Is(err, chemname.ErrUnknown): // which has the text
		return err.Error()
	}
	return fmt.Sprintf("%q: %v", text, err)
}
