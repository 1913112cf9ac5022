package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/model"
)

// RecallOptions say what [Recall] measures.
type RecallOptions struct {
	Collection string // whose model for the task is calibrated; empty: the bundled molecules
	Queries    string // a collection of queries, none of which the model or the calibration knows
	Task       greed.Task
	Radii      []float64
	Share      float64 // the recall that searches have
}

// RecallRow is what [Recall] measured within one radius.
type RecallRow struct {
	Radius  float64 `json:"radius"`
	Queries int     `json:"queries"` // with a graph within the radius other than themselves
	Refused int     `json:"refused"` // other queries than those of the calibration, by size or labels
	Reason  string  `json:"reason,omitempty"`
	// Mean is the share found, on average over the queries; All that of all pairs.
	Mean float64 `json:"mean"`
	All  float64 `json:"all"`
	// Within and Candidates are how many graphs a query has within the radius, and how many are predicted to be.
	Within     float64 `json:"within"`
	Candidates float64 `json:"candidates"`
	// Milliseconds of processor time a query.
	Predicted float64 `json:"predicted_ms"`
	Checked   float64 `json:"checked_ms"`
	Proven    float64 `json:"proven_ms"`
}

// Recall searches a collection for what is within radii of each query, proven and by predictions with a recall, and
// compares what they find. A query that is a member does not count as found.
func Recall(ctx context.Context, o RecallOptions) (rows []RecallRow, err error) {
	var c *greed.Collection
	if o.Collection == "" {
		if c, err = greed.Bundled(ctx); err == nil {
			err = c.AttachBundled(ctx, o.Task)
		}
	} else {
		c, err = greed.Open(ctx, greed.Source{Path: o.Collection})
	}
	if err != nil {
		return nil, err
	}
	defer c.Close()
	source := greed.Source{Path: o.Queries}
	source.Vocabulary = c.Vocabulary().Extend()
	if rules, known := c.Rules(); known {
		if err := source.Follow("the collection", &rules); err != nil {
			return nil, err
		}
	}
	read, err := greed.Read(ctx, source)
	if err != nil {
		return nil, err
	}
	queries := read.Records
	for _, radius := range o.Radii {
		row := RecallRow{Radius: radius}
		pairs, found, searched := 0, 0, 0
		for i := range queries {
			q := &queries[i]
			search := func(mode greed.Mode, spent *float64) (ids map[string]bool, err error) {
				opt := greed.Options{Task: o.Task, Mode: mode, Radius: &radius, Workers: 1}
				if mode != greed.Proven {
					opt.Recall = o.Share
				}
				begin := processorTime()
				f, err := c.Search(ctx, q.Graph, opt)
				*spent += (processorTime() - begin).Seconds() * 1e3
				if err != nil {
					return nil, err
				}
				ids = make(map[string]bool)
				for _, a := range f.Answers {
					if a.ID != q.ID {
						ids[a.ID] = true
					}
				}
				return ids, nil
			}
			candidates, err := search(greed.Predicted, &row.Predicted)
			if errors.Is(err, model.ErrCalibration) {
				row.Refused++
				row.Reason = err.Error()
				continue
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", q.ID, err)
			}
			if _, err := search(greed.Checked, &row.Checked); err != nil {
				return nil, err
			}
			within, err := search(greed.Proven, &row.Proven)
			if err != nil {
				return nil, err
			}
			searched++
			row.Candidates += float64(len(candidates))
			row.Within += float64(len(within))
			here := 0
			for id := range within {
				if candidates[id] {
					here++
				}
			}
			if len(within) > 0 {
				row.Queries++
				row.Mean += float64(here) / float64(len(within))
			}
			pairs, found = pairs+len(within), found+here
		}
		row.Mean /= float64(max(1, row.Queries))
		row.All = float64(found) / float64(max(1, pairs))
		for _, x := range []*float64{&row.Within, &row.Candidates, &row.Predicted, &row.Checked, &row.Proven} {
			*x /= float64(max(1, searched))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
