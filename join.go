package greed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/truth"
)

// Join finds all pairs of graphs within a distance. If time ends first, Open says what is
// left. The error wraps [ErrAttribute], [ErrPairs] or [ErrRules], or is the context's.
func (c *Collection) Join(ctx context.Context, opt JoinOptions) (*Joined, error) {
	n, err := c.near(opt.Task, opt.K, &opt.Near)
	if err != nil {
		return nil, err
	}
	defer n.close()
	out := &Joined{Task: opt.Task, Radius: opt.Radius, Pairs: []JoinedPair{}}
	err = n.read(func() error {
		if err := n.find(ctx); err != nil {
			return err
		}
		slices.SortStableFunc(n.pairs, func(a, b truth.Pair) int {
			return cmp.Or(cmp.Compare(a.Upper, b.Upper), cmp.Compare(a.Lower, b.Lower))
		})
		if out.Total = len(n.pairs); opt.K > 0 {
			n.pairs = n.pairs[:min(opt.K, len(n.pairs))]
		}
		for _, p := range n.pairs {
			q, t := n.of.About(int(p.Query)), n.in.About(int(p.Target))
			out.Pairs = append(out.Pairs, JoinedPair{q.ID, t.ID, q.SMILES, t.SMILES, p.Lower, p.Upper})
		}
		n.out.Notes = dataset.Merge(n.out.Notes, c.repeatedNote(len(out.Pairs), func(i int) string {
			return out.Pairs[i].Query
		}))
		wanted := "all"
		if opt.K > 0 {
			wanted = fmt.Sprintf("the %d nearest", opt.K)
		}
		out.Nearby = n.answered(fmt.Sprintf("%s pairs within %v by %s", wanted, opt.Radius,
			strings.ToUpper(opt.Task.String())), opt.K)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
