package greed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/rgroup"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/live"
)

// ParseCore reads a core for [SAROptions] as [rgroup.ParseCore] does.
func ParseCore(text string, smarts bool) (*Core, error) { return rgroup.ParseCore(text, smarts) }

// SAR takes the molecules of a collection that have a core apart into R-groups. If time ends first, Open says how many
// were not looked at. The error wraps [chem.ErrNotMolecule] if the collection has other graphs, or [ErrAttribute]
// or [ErrWays], or is the context's.
func (c *Collection) SAR(ctx context.Context, opt SAROptions) (*SAR, error) {
	if opt.Core == nil || opt.K < 0 || opt.Skip < 0 || opt.Radius < 0 || opt.Time < 0 {
		return nil, fmt.Errorf("sar: k is %d, skip %d, the radius %d, the time %v: none can be below 0, and "+
			"there must be a core", opt.K, opt.Skip, opt.Radius, opt.Time)
	}
	in := c.live.Acquire()
	defer in.Release()
	if err := in.Whole(); err != nil {
		return nil, err
	}
	if in.Len() > 0 && !in.Molecules() {
		return nil, fmt.Errorf("a core is part of molecules, but the collection has a graph that is %w",
			chem.ErrNotMolecule)
	}
	begin := time.Now()
	out := &SAR{Core: opt.Core.Pattern(), Radius: opt.Radius, Rows: []SARRow{}, Columns: []SARColumn{}, Notes: c.notes}
	if read := opt.Core.Read(); read != "" {
		out.Notes = append(slices.Clip(out.Notes), dataset.Note{Text: read})
	}
	if err := in.Read(func() error { return takeApart(ctx, in, &opt, out) }); err != nil {
		return nil, err
	}
	out.Seconds = time.Since(begin).Seconds()
	return out, nil
}

func takeApart(ctx context.Context, in *live.State, opt *SAROptions, out *SAR) error {
	if err := checkAttributes(in.Collection, opt.Filters, opt.Show); err != nil {
		return err
	}
	var end time.Time
	if opt.Time > 0 && opt.Time != NoLimit {
		end = time.Now().Add(opt.Time)
	}
	over := func() bool { return ctx.Err() != nil || !end.IsZero() && time.Now().After(end) }
	series := rgroup.NewSeries(opt.Core, rgroup.Options{Radius: opt.Radius, OnlyMarked: opt.OnlyMarked})
	var parser chem.Parser
	var at []int // positions of the rows
	done := 0
	for p := range in.Live() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if done++; opt.Progress != nil {
			opt.Progress(done, in.Len())
		}
		if !in.Passes(p, opt.Filters) {
			continue
		}
		out.Graphs++
		if !end.IsZero() && time.Now().After(end) {
			out.Open.Molecules++
			continue
		}
		about := in.About(p)
		m, err := parser.Parse(about.SMILES)
		if err != nil {
			return fmt.Errorf("graph %s: %w", about.ID, err)
		}
		has, err := series.Add(m, over)
		switch {
		case errors.Is(err, rgroup.ErrTime):
			out.Open.Molecules++
		case errors.Is(err, chem.ErrSMARTSLimit), errors.Is(err, chem.ErrNotWritable):
			out.Undecided = append(out.Undecided, about.ID)
		case err != nil:
			return fmt.Errorf("graph %s: %w", about.ID, err)
		case has:
			if at = append(at, p); opt.Most > 0 && series.Ways() > opt.Most {
				return fmt.Errorf("%w: more than %d; ask for a larger core, or for fewer molecules by a filter",
					ErrWays, opt.Most)
			}
		default:
			out.Without++
		}
	}
	table, stable := series.Table(over)
	if err := ctx.Err(); err != nil {
		return err
	}
	out.Open.Unstable = !stable
	for _, column := range table.Columns {
		out.Columns = append(out.Columns, SARColumn{fmt.Sprintf("R%d", column.Number), column.Atom, column.Marked})
	}
	out.Total = len(table.Rows)
	for i := min(opt.Skip, out.Total); i < out.Total && (opt.K == 0 || len(out.Rows) < opt.K); i++ {
		row, about := table.Rows[i], in.About(at[i])
		out.Rows = append(out.Rows, SARRow{
			ID: about.ID, SMILES: about.SMILES, Groups: row.Groups, Distance: row.Cost,
			Edits: slices.Clone(row.Differences),
			Bonds: row.Bonds,
			Rest:  row.Rest, Map: row.Atoms, Attributes: shown(&about, opt.Show),
		})
	}
	out.Status, out.Verdict = out.verdict()
	return nil
}

// verdict says what was found.
func (s *SAR) verdict() (Status, string) {
	text := fmt.Sprintf("%d of %s have the core", s.Total, counted(s.Graphs, "molecule"))
	if s.Radius > 0 {
		text += fmt.Sprintf(" with at most %s", counted(s.Radius, "edit"))
	}
	if n := len(s.Undecided); n > 0 {
		text += fmt.Sprintf("; %d more cannot be decided: the core can be laid on them in too many ways, or a group "+
			"has no "+
			"SMILES",
			n)
	}
	switch {
	case s.Open.Molecules > 0:
		return StatusOpen, text + fmt.Sprintf("; time ended before %s could be decided",
			counted(s.Open.Molecules, "molecule"))
	case s.Open.Unstable:
		return StatusOpen, text + "; time ended before it was clear which of equal positions groups stand in"
	}
	return StatusProven, text
}
