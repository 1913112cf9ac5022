package greed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/live"
)

// match looks for pairs of molecules that exchange one fragment, and returns them by positions. If time ends first, the
// open molecules are counted. The error wraps [ErrPairs] or [chem.ErrNotMolecule], or is the context's.
func (n *nearness) match(ctx context.Context, atoms int) ([]transform.Match, error) {
	over := func() bool { return ctx.Err() != nil || !n.end.IsZero() && !time.Now().Before(n.end) }
	matcher := transform.NewMatcher(atoms)
	var positions [2][]int
	var parser chem.Parser
	states := []*live.State{n.of}
	if !n.self {
		states = append(states, n.in)
	}
	for i, of := range states {
		if of.Len() > 0 && !of.Molecules() {
			return nil, fmt.Errorf("fragments are of molecules, but the collection has a graph that is %w",
				chem.ErrNotMolecule)
		}
		chosen, err := n.chosen(ctx, of)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			matcher.Others()
			n.out.Others = len(chosen)
		} else {
			n.out.Graphs = len(chosen)
		}
		for done, p := range chosen {
			if over() {
				n.out.Open.Graphs += len(chosen) - done
				break
			}
			about := of.About(p)
			m, err := parser.Parse(about.SMILES)
			if err != nil {
				return nil, fmt.Errorf("graph %s: %w", about.ID, err)
			}
			if !matcher.Add(m) {
				n.out.Open.Graphs++
			}
			positions[i] = append(positions[i], p)
			if n.opt.Progress != nil {
				n.opt.Progress(StageGraphs, done+1, len(chosen))
			}
		}
	}
	found, all := matcher.Pairs(n.opt.Most, over)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !all && n.opt.Most > 0 && len(found) == n.opt.Most {
		return nil, fmt.Errorf("%w: more than %d; ask for smaller fragments, or for fewer molecules by a filter",
			ErrPairs, n.opt.Most)
	}
	n.out.Open.Unmatched = !all
	last := positions[len(states)-1]
	for i := range found {
		found[i].Query, found[i].Target = positions[0][found[i].Query], last[found[i].Target]
	}
	if found == nil {
		found = []transform.Match{}
	}
	return found, nil
}

// matched says what pairs that exchange a fragment are worth.
func (n *nearness) matched() (Status, string) {
	open := n.out.Open
	if open == (OpenPairs{}) {
		return StatusProven, "proven: every such pair was found"
	}
	var parts []string
	if open.Graphs > 0 {
		parts = append(parts, counted(open.Graphs, "molecule")+
			" not cut, for want of time or because of more than 256 atoms")
	}
	if open.Pairs > 0 {
		parts = append(parts, counted(open.Pairs, "pair")+" not compared")
	}
	if open.Unmatched {
		parts = append(parts, "time ended before all were matched")
	}
	return StatusOpen, "open: stopped before all was proven; " + strings.Join(parts, ", ")
}
