package greed

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/search/cliffs"
)

// Cliffs finds the pairs of graphs within a distance and says what they mean for an
// attribute: activity cliffs, which are near in structure and far in the attribute; the mean
// change by each transformation of molecules; and duplicates, at distance 0. If time ends
// first, Open says what is left. The error wraps [ErrAttribute], [ErrPairs] or [ErrRules], or is the
// context's.
func (c *Collection) Cliffs(ctx context.Context, opt CliffOptions) (*Cliffs, error) {
	n, err := c.near(GED, opt.K, &opt.Near)
	if err != nil {
		return nil, err
	}
	defer n.close()
	var out *Cliffs
	err = n.read(func() error {
		out, err = n.cliffs(ctx, &opt)
		return err
	})
	return out, err
}

func (n *nearness) cliffs(ctx context.Context, opt *CliffOptions) (*Cliffs, error) {
	var err error
	job := cliffs.Job{
		Queries: n.of.Collection, Attribute: opt.Attribute, Environment: opt.Environment, Costs: n.costs, End: n.end,
		Memory: opt.Memory, Workers: opt.Workers,
	}
	if !n.self {
		job.Targets = n.in.Collection
	}
	if err := job.Check(); err != nil { // before the pairs are looked for
		return nil, err
	}
	out := &Cliffs{Attribute: opt.Attribute}
	wanted := "the pairs that were given"
	if opt.Fragments > 0 {
		if job.Matches, err = n.match(ctx, opt.Fragments); err != nil {
			return nil, err
		}
		out.Fragments = opt.Fragments
		wanted = fmt.Sprintf("all pairs that exchange one fragment of at most %d atoms", opt.Fragments)
	} else if n.pairs = opt.Pairs; opt.Pairs == nil {
		if err := n.find(ctx); err != nil {
			return nil, err
		}
		out.Radius = &opt.Radius
		wanted = fmt.Sprintf("all pairs within %v by GED", opt.Radius)
	} else {
		n.out.Verdict = "of the pairs that were given"
		if n.out.Graphs = n.of.Len(); !n.self {
			n.out.Others = n.in.Len()
		}
	}
	if opt.Attribute != "" {
		wanted += fmt.Sprintf(", by the change of %q", opt.Attribute)
	}
	job.Pairs = n.pairs
	if opt.Progress != nil {
		total := max(len(job.Pairs), len(job.Matches))
		job.Progress = func(done int) { opt.Progress(StagePairs, done, total) }
	}
	found, err := job.Run(ctx)
	if err != nil {
		return nil, err
	}
	if opt.Fragments > 0 {
		n.out.Open.Pairs += found.Left
		n.out.Status, n.out.Verdict = n.matched()
	}
	for _, list := range [][]cliffs.NearPair{found.Pairs, found.Duplicates} {
		for i := range list {
			switch p := &list[i]; {
			case p.Old == nil || p.New == nil:
			case p.OldRelation != "" || p.NewRelation != "":
				out.Censored++
			default:
				out.Known++
			}
		}
	}
	out.Total = CliffsTotal{len(found.Pairs), len(found.Effects), len(found.Duplicates)}
	if k := opt.K; k > 0 {
		found.Pairs, found.Duplicates = found.Pairs[:min(k, len(found.Pairs))], found.Duplicates[:min(k,
			len(found.Duplicates))]
		found.Effects = found.Effects[:min(k, len(found.Effects))]
	}
	out.Findings, out.Nearby = *found, n.answered(wanted, opt.K)
	return out, nil
}
