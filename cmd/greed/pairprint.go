package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// pairPrinter prints the distance of pair i.
type pairPrinter func(i int, d *greed.Comparison) error

func (p *pairTask) printer() pairPrinter {
	switch {
	case p.json:
		return p.printJSON
	case p.flags.Format == "tsv":
		return p.printTSV
	case p.alone:
		return p.printAlone
	}
	return p.inColumns()
}

// printTSV prints a line of fields separated by tabs.
func (p *pairTask) printTSV(_ int, d *greed.Comparison) error {
	fields := []string{field(d.Query), field(d.Target), number(d.Lower), number(d.Upper)}
	if p.flags.Map {
		fields = append(fields, mapField(d.Map))
	}
	if p.Within != nil {
		fields = append(fields, d.Within)
	}
	_, err := fmt.Fprintln(p.out, strings.Join(fields, "\t"))
	return err
}

// printJSON prints an object a line.
func (p *pairTask) printJSON(_ int, d *greed.Comparison) error { return p.out.printJSON(d) }

// inColumns returns what prints a line a pair, in columns.
func (p *pairTask) inColumns() pairPrinter {
	width := func(records []dataset.Record) int {
		widest := 0
		for i := range records {
			widest = max(widest, utf8.RuneCountInString(field(records[i].ID)))
		}
		return widest
	}
	queryWidth, targetWidth := width(p.queries), width(p.targets)
	return func(i int, d *greed.Comparison) error {
		_, err := fmt.Fprintf(p.out, "%-*s  %-*s  %s\n", queryWidth, field(d.Query), targetWidth, field(d.Target),
			known(d))
		if err == nil {
			err = p.printEdits(i, d)
		}
		return err
	}
}

// known writes the answer to --within, if that is given, and
// what is known of the distance.
func known(d *greed.Comparison) string {
	if d.Within == "" {
		return between(d.Lower, d.Upper)
	}
	return fmt.Sprintf("%s, %s", d.Within, between(d.Lower, d.Upper))
}

// between writes a distance, or what is known of it.
func between(lower, upper float64) string {
	if lower == upper {
		return number(upper)
	}
	return number(lower) + " to " + number(upper)
}

// printAlone prints the only pair, for people.
func (p *pairTask) printAlone(i int, d *greed.Comparison) error {
	name := strings.ToUpper(p.task.String())
	if p.Fix != "" {
		name = "least cost with the pairs of --fix" // which is the distance only by chance
	}
	known := fmt.Sprintf("%s, exact", number(d.Upper))
	if !d.Exact {
		known = fmt.Sprintf("at least %s and at most %s", number(d.Lower), number(d.Upper))
	}
	if p.Within != nil {
		name = fmt.Sprintf("%s within %s: %s;", name, number(*p.Within), d.Within)
	}
	how := "found in"
	if !d.Decided() {
		how = "the search was cut short after"
	}
	_, err := fmt.Fprintf(p.out, "%s %s, %s %s%s\n", name, known, how, seconds(d.Seconds), because(d.Stopped))
	if err == nil && d.Upper == 0 && len(d.NotCompared) > 0 {
		_, err = fmt.Fprintln(p.out, greed.SameGraph(p.task, p.plan.Costs[0], d.NotCompared))
	}
	if err == nil {
		err = p.printEdits(i, d)
	}
	return err
}

// because says behind a time why the search ended there.
func because(stopped ged.Stop) string {
	if stopped == "" {
		return ""
	}
	if flag := raises[stopped]; flag != "" {
		return ": " + stopped.Text() + "; " + flag + " allows more"
	}
	return ": " + stopped.Text()
}

// raises names the flag that raises the limit of a stop.
var raises = map[ged.Stop]string{ged.StopTime: "--time-limit", ged.StopMemory: "--max-memory"}

// rounded cuts a time to three digits or so.
func rounded(d time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}

// printEdits prints the node map and the edits of pair i, indented, if requested, and the other node maps.
func (p *pairTask) printEdits(i int, d *greed.Comparison) error {
	q, t := p.pair(i)
	var b strings.Builder
	if p.flags.Explain {
		p.writeEdits(&b, q, t, d)
	}
	for i, m := range d.Maps {
		fmt.Fprintf(&b, "  node map %d of least cost: %s\n", i+1, mapField(m))
	}
	if d.MoreMaps {
		b.WriteString("  there may be other node maps of least cost\n")
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *pairTask) writeEdits(b *strings.Builder, q, t *dataset.Record, d *greed.Comparison) {
	b.WriteString("  node map, query to target:\n")
	for v, w := range d.Map {
		target := "deleted"
		if w != edit.Deleted {
			target = nodeText(t, w)
		}
		fmt.Fprintf(b, "    %s -> %s\n", nodeText(q, v), target)
	}
	switch {
	case len(d.Edits) > 0:
		fmt.Fprintf(b, "  edits, %s in all:\n", number(d.Upper))
	case p.plan.Costs[0].Free(p.task):
		b.WriteString("  no edits that cost anything\n")
	case p.task == edit.SED:
		b.WriteString("  no edits: the target contains the query\n")
	default:
		b.WriteString("  no edits: the graphs are the same\n")
	}
	for _, op := range d.Edits {
		fmt.Fprintf(b, "    %s  %s\n", printable(op.String()), number(op.Cost))
	}
	fmt.Fprintf(b, "  in common: %s and %s, Johnson similarity %.3f\n",
		count(d.Common.Edges, "edge"), count(d.Common.Nodes, "node"), d.Common.Johnson)
	writeTransformations(b, d.Transformations)
}

// nodeText names a node by its number, its name in the file if it has one, and
// its label.
func nodeText(rec *dataset.Record, v int) string {
	text := fmt.Sprint(v)
	if rec.NodeIDs != nil {
		text += " " + field(rec.NodeIDs[v])
	}
	switch l := rec.Graph.LabelText(v); {
	case rec.Graph.Label(v) == graph.Wildcard:
		return text + " (any)"
	case rec.NodeIDs != nil && rec.NodeIDs[v] == l:
		return text
	default:
		return text + " (" + field(l) + ")"
	}
}
