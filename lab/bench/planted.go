package bench

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"text/tabwriter"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/planted"
)

// PlantedOptions say what is measured.
type PlantedOptions struct {
	Nodes  []int
	Seeds  []uint64
	Degree float64
	Time   time.Duration // for each distance
	// Report is called with every row as it is measured; nil means nobody.
	Report func(PlantedRow)
}

// PlantedRow is one pair as one operation compared it.
type PlantedRow struct {
	Nodes   int     `json:"nodes"`
	Labels  string  `json:"labels"` // names or kinds
	Of      string  `json:"of"`     // ged, or diff, which fixes names
	Seed    uint64  `json:"seed"`
	Edits   int     `json:"planted"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Seconds float64 `json:"processor_seconds"`
	MB      float64 `json:"megabytes"` // that the program holds afterwards
}

// PlantedTable is what a run measured.
type PlantedTable struct {
	Rows []PlantedRow `json:"rows"`
}

// Planted compares pairs of every size and seed, with names and with kinds. It ends with ctx.
func Planted(ctx context.Context, o PlantedOptions) (*PlantedTable, error) {
	out := new(PlantedTable)
	for _, n := range o.Nodes {
		for _, kinds := range []bool{false, true} {
			for _, seed := range o.Seeds {
				p := planted.New(seed, planted.Shape{Nodes: n, Degree: o.Degree, Kinds: kinds})
				labels, of := "names", []string{"diff", "ged"}
				if kinds {
					labels, of = "kinds", of[1:]
				}
				for _, of := range of {
					row := PlantedRow{Nodes: n, Labels: labels, Of: of, Seed: seed, Edits: p.Edits}
					if err := row.measure(ctx, &p, o.Time); err != nil || ctx.Err() != nil {
						return out, err
					}
					out.Rows = append(out.Rows, row)
					if o.Report != nil {
						o.Report(row)
					}
				}
			}
		}
	}
	return out, nil
}

func (r *PlantedRow) measure(ctx context.Context, p *planted.Pair, limit time.Duration) error {
	c, err := greed.NewComparer(edit.GED, greed.DistanceOptions{Time: limit})
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	start := processorTime()
	if r.Of == "ged" {
		found, err := c.Bounds(ctx, p.Old, p.New)
		if err != nil {
			return err
		}
		r.Lower, r.Upper = found.Lower, found.Upper
	} else {
		found, err := c.Diff(ctx, &greed.Record{Graph: p.Old}, &greed.Record{Graph: p.New}, diff.ByNames)
		if err != nil {
			return err
		}
		r.Lower, r.Upper = *found.Lower, *found.Upper
	}
	r.Seconds = (processorTime() - start).Seconds()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.MB = float64(memory.Sys-memory.HeapReleased) / 1e6
	return nil
}

// Write prints the table.
func (t *PlantedTable) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "nodes\tlabels\tof\tseed\tplanted\tat least\tat most\tratio\tprocessor\tmemory\t")
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%d\t%.0f\t%.0f\t%.3f\t%.2f s\t%.0f MB\t\n", r.Nodes, r.Labels, r.Of, r.Seed, r.Edits, r.Lower, r.Upper,
			r.Upper/float64(r.Edits), r.Seconds, r.MB)
	}
	return w.Flush()
}
