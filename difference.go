package greed

import (
	"context"

	"github.com/greedgraph/greed/diff"
)

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
