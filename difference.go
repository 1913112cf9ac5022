package greed

import (
	"context"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
)

func newVersion(rec *Record) *Version {
	if rec == nil {
		return nil
	}
	return &Version{rec.ID, rec.File, rec.Graph.N(), rec.Graph.M(), rec.NodeNames()}
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
// are connected. Matched by names, nodes of the same name are the same node, and the least cost is that of the
// node maps that keep them. The comparer must compute GED. If time ends first, the edits are those of the best node
// map found. Errors are those of [Comparer.Compare].
func (c *Comparer) Diff(ctx context.Context, old, new *Record, match diff.Match) (*Difference, error) {
	q, t, err := together(old, new)
	if err != nil {
		return nil, err
	}
	var same *diff.Identities
	nameless := c.opt.Rules.NodeLabel == dataset.NoLabel || c.costs.Nodes != nil || c.opt.Matrices != nil ||
		old.SMILES != "" && new.SMILES != ""
	if match == diff.ByNames || match != diff.ByCost && !nameless {
		same = diff.Identify(q, t, [2][]string{old.NodeIDs, new.NodeIDs}, match == diff.ByNames)
	}
	d := &Difference{Old: newVersion(old), New: newVersion(new), Match: diff.ByCost}
	if same != nil {
		d.Match = diff.ByNames
	}
	found, err := c.under(ctx, old, new, same)
	if err != nil {
		return nil, err
	}
	if err := c.Explain(found, old, new); err != nil {
		return nil, err
	}
	d.Groups = append([]diff.Group{}, diff.Groups(found.Edits, q, t, found.Map)...)
	if same != nil {
		diff.Reason(d.Groups, q, t, found.Map)
		d.Summary = diff.Summarise(d.Groups)
	}
	d.Same, d.Lower, d.Upper, d.Exact = len(d.Groups) == 0, &found.Lower, &found.Upper, found.Exact
	d.Stopped, d.NotCompared, d.Fixed = found.Stopped, found.NotCompared, found.Fixed
	d.Notes = dataset.Merge(found.Notes, shiftedLines(old, new))
	d.Transformations, d.Map = found.Transformations, found.Map
	return d, nil
}

// under compares two versions of which some nodes are the same, unless that is nil. A node that nothing but its
// place in the sum of costs makes another one is fixed as removed or added, and the rest is compared anew. Such
// fixings only raise the distance, so lower bounds stay.
func (c *Comparer) under(ctx context.Context, old, new *Record, same *diff.Identities) (*Comparison, error) {
	opt := c.opt
	opt.Explain = false
	if same == nil {
		return c.With(opt).Compare(ctx, old, new)
	}
	same.FixLone()
	start, limit := time.Now(), c.limits.Time // 0: none
	lower := 0.0
	for {
		opt.Fixed = same.Fixed
		found, err := c.With(opt).Compare(ctx, old, new)
		if err != nil {
			return nil, err
		}
		found.Lower = max(found.Lower, lower)
		lower = found.Lower
		if c.opt.Matrices == nil && c.costs.Nodes == nil {
			same.ChooseTwins(found.Map)
		}
		if same.DropUnsupported(found.Map) == 0 {
			found.Seconds = time.Since(start).Seconds()
			return found, nil
		}
		left := limit - time.Since(start)
		if limit == 0 || found.Exact && left > 0 {
			opt.Time = left
			if limit == 0 {
				opt.Time = NoLimit
			}
			continue
		}
		// There is no time for another search: the map is what is left of this one.
		p, err := c.price(old, new)
		if err != nil {
			return nil, err
		}
		prices, err := edit.Price(c.task, p.costs, p.a, p.b)
		if err != nil {
			return nil, err
		}
		found.Upper, found.Fixed = edit.InducedCost(prices, p.a, p.b, found.Map), same.Fixed
		found.Exact = found.Lower == found.Upper
		found.Seconds = time.Since(start).Seconds()
		return found, nil
	}
}
