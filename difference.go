package greed

import (
	"context"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
)

// Difference is what differs between two versions of a graph. Of a graph that is in only one of two
// collections, the other version is absent, and so is what compares them.
type Difference struct {
	Old     *Version     `json:"old,omitempty" doc:"The query; absent for a graph that was added"`
	New     *Version     `json:"new,omitempty" doc:"The target; absent for a graph that was removed"`
	Same    bool         `json:"same" doc:"Nothing that is compared differs"`
	Lower   *float64     `json:"lower,omitempty" doc:"The edits of least cost cost this or more"`
	Upper   *float64     `json:"upper,omitempty" doc:"The edits that were found cost this"`
	Exact   bool         `json:"exact,omitempty" doc:"Both are the same"`
	Stopped ged.Stop     `json:"stopped,omitempty" enum:"time,states,memory,size,interrupted,rounding" doc:"Why the bounds do not meet"`
	Groups  []diff.Group `json:"groups" doc:"Connected changes, the dearest first"`

	NotCompared     []string                   `json:"not_compared,omitempty" doc:"What does not count, such as the charges of molecules"`
	Notes           []dataset.Note             `json:"notes,omitempty" doc:"What was left out or chosen in reading the graphs of the request"`
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"What differs between two molecules, as fragments that are exchanged"`
	Map             edit.NodeMap               `json:"map,omitempty" doc:"For every query node its target node, or -1"`
}

// Version is one of the graphs of a [Difference].
type Version struct {
	ID    string   `json:"id"`
	File  string   `json:"file,omitempty"`
	Nodes int      `json:"nodes"`
	Edges int      `json:"edges"`
	Names []string `json:"names,omitempty" doc:"The names of the nodes, where they have any"`
}

func newVersion(rec *Record) *Version {
	if rec == nil {
		return nil
	}
	return &Version{rec.ID, rec.File, rec.Graph.N(), rec.Graph.M(), rec.NodeIDs}
}

// Unpaired returns the difference of a graph that has no other version: it was removed, or added if it is
// new.
func Unpaired(rec *Record, added bool) *Difference {
	d := &Difference{Groups: []diff.Group{}}
	if d.Old = newVersion(rec); added {
		d.Old, d.New = nil, d.Old
	}
	return d
}

// Diff finds what turns an old version of a graph into a new one: the edits of least cost, in groups that
// are connected. The comparer must compute GED. If time ends first, the edits are those of the best node
// map found. Errors are those of [Comparer.Compare].
func (c *Comparer) Diff(ctx context.Context, old, new *Record) (*Difference, error) {
	opt := c.opt
	opt.Explain = true
	found, err := c.With(opt).Compare(ctx, old, new)
	if err != nil {
		return nil, err
	}
	q, t, err := together(old, new)
	if err != nil {
		return nil, err
	}
	groups := append([]diff.Group{}, diff.Groups(found.Edits, q, t, found.Map)...)
	return &Difference{
		Old: newVersion(old), New: newVersion(new), Same: len(groups) == 0, Lower: &found.Lower, Upper: &found.Upper, Exact: found.Exact,
		Stopped: found.Stopped, Groups: groups, NotCompared: found.NotCompared, Notes: found.Notes,
		Transformations: found.Transformations, Map: found.Map,
	}, nil
}
