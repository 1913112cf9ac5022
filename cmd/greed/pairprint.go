package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// pairPrinter prints the distance of pair i.
type pairPrinter func(i int, r ged.Result) error

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
func (p *pairTask) printTSV(i int, r ged.Result) error {
	q, t := p.pair(i)
	fields := []string{field(q.ID), field(t.ID), number(r.Lower), number(r.Upper)}
	if p.flags.Map {
		fields = append(fields, mapField(r.Map))
	}
	if p.Within != nil {
		fields = append(fields, p.Decision(r))
	}
	_, err := fmt.Fprintln(p.out, strings.Join(fields, "\t"))
	return err
}

// pairJSON is the JSON form of a distance. Map holds the target node of every
// query node, -1 where it is deleted.
type pairJSON struct {
	Task    edit.Task    `json:"task"`
	Query   string       `json:"query"`
	Target  string       `json:"target"`
	Fixed   [][2]int     `json:"fixed,omitempty"` // pairs given in advance: the bounds are those of maps that have them
	Lower   float64      `json:"lower"`
	Upper   float64      `json:"upper"`
	Exact   bool         `json:"exact"`
	Stopped ged.Stop     `json:"stopped,omitempty"` // why not
	Within  string       `json:"within,omitempty"`  // yes, no, unknown; asked for by --within
	Map     edit.NodeMap `json:"map"`
	Common  mcs.Common   `json:"common"` // what is shared under Map
	// NotCompared says what does not count, such as the charges of molecules.
	NotCompared []string `json:"not_compared,omitempty"`
	// The names of the nodes, where they have any.
	QueryNodes      []string                   `json:"query_nodes,omitempty"`
	TargetNodes     []string                   `json:"target_nodes,omitempty"`
	Edits           []edit.Operation           `json:"edits,omitzero"`
	Transformations []transform.Transformation `json:"transformations,omitzero"`
	Seconds         float64                    `json:"seconds"`
	Costs           string                     `json:"costs"` // their name, or own
}

// printJSON prints an object a line.
func (p *pairTask) printJSON(i int, r ged.Result) error {
	q, t := p.pair(i)
	v := pairJSON{p.Task, q.ID, t.ID, p.Fixed, r.Lower, r.Upper, r.Exact, r.Stopped, p.Decision(r), r.Map, mcs.CommonOf(q.Graph, t.Graph, r.Map), p.notCompared(q, t), q.NodeIDs, t.NodeIDs, nil, nil, r.Elapsed.Seconds(), greed.CostsName(p.Costs)}
	if p.flags.Explain {
		var err error
		if v.Edits, err = p.edits(i, r.Map); err != nil {
			return err
		}
		v.Transformations = transform.Of(q.SMILES, q.Graph, t.SMILES, t.Graph, r.Map)
	}
	return p.out.printJSON(v)
}

// edits returns the edits of a node map of pair i.
func (p *pairTask) edits(i int, m edit.NodeMap) ([]edit.Operation, error) {
	q, t := p.pair(i)
	prices, err := edit.Price(p.Task, p.Costs, q.Graph, t.Graph)
	if err != nil {
		return nil, err
	}
	return edit.WithNames(edit.Edits(prices, q.Graph, t.Graph, m), q.NodeIDs, t.NodeIDs, q.Graph.Directed()), nil
}

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
	return func(i int, r ged.Result) error {
		q, t := p.pair(i)
		_, err := fmt.Fprintf(p.out, "%-*s  %-*s  %s\n", queryWidth, field(q.ID), targetWidth, field(t.ID), p.known(r))
		if err == nil {
			err = p.printEdits(i, r)
		}
		return err
	}
}

// known writes the answer to --within, if that is given, and
// what is known of the distance.
func (p *pairTask) known(r ged.Result) string {
	if p.Within == nil {
		return between(r.Lower, r.Upper)
	}
	return fmt.Sprintf("%s, %s", p.Decision(r), between(r.Lower, r.Upper))
}

// between writes a distance, or what is known of it.
func between(lower, upper float64) string {
	if lower == upper {
		return number(upper)
	}
	return number(lower) + " to " + number(upper)
}

// printAlone prints the only pair, for people.
func (p *pairTask) printAlone(i int, r ged.Result) error {
	name := strings.ToUpper(p.Task.String())
	if len(p.Fixed) > 0 {
		name = "least cost with the pairs of --fix" // which is the distance only by chance
	}
	known := fmt.Sprintf("%s, exact", number(r.Upper))
	if !r.Exact {
		known = fmt.Sprintf("at least %s and at most %s", number(r.Lower), number(r.Upper))
	}
	if p.Within != nil {
		name = fmt.Sprintf("%s within %s: %s;", name, number(*p.Within), p.Decision(r))
	}
	how := "found in"
	if !p.answered(r) {
		how = "the search was cut short after"
	}
	_, err := fmt.Fprintf(p.out, "%s %s, %s %s%s\n", name, known, how, rounded(r.Elapsed), because(r))
	if not := p.notCompared(p.pair(i)); err == nil && r.Upper == 0 && len(not) > 0 {
		_, err = fmt.Fprintln(p.out, greed.SameGraph(p.Task, p.Costs, not))
	}
	if err == nil {
		err = p.printEdits(i, r)
	}
	return err
}

// because says behind a time why the search ended there.
func because(r ged.Result) string {
	if r.Stopped == "" {
		return ""
	}
	if flag := raises[r.Stopped]; flag != "" {
		return ": " + r.Stopped.Text() + "; " + flag + " allows more"
	}
	return ": " + r.Stopped.Text()
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

// printEdits prints the node map and the edits of pair i, indented, if requested.
func (p *pairTask) printEdits(i int, r ged.Result) error {
	if !p.flags.Explain {
		return nil
	}
	q, t := p.pair(i)
	path, err := p.edits(i, r.Map)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("  node map, query to target:\n")
	for v, w := range r.Map {
		target := "deleted"
		if w != edit.Deleted {
			target = nodeText(t, w)
		}
		fmt.Fprintf(&b, "    %s -> %s\n", nodeText(q, v), target)
	}
	switch {
	case len(path) > 0:
		fmt.Fprintf(&b, "  edits, %s in all:\n", number(r.Upper))
	case p.Costs.Free(p.Task):
		b.WriteString("  no edits that cost anything\n")
	case p.Task == edit.SED:
		b.WriteString("  no edits: the target contains the query\n")
	default:
		b.WriteString("  no edits: the graphs are the same\n")
	}
	for _, op := range path {
		fmt.Fprintf(&b, "    %s  %s\n", printable(op.String()), number(op.Cost))
	}
	common := mcs.CommonOf(q.Graph, t.Graph, r.Map)
	fmt.Fprintf(&b, "  in common: %s and %s, Johnson similarity %.3f\n", count(common.Edges, "edge"), count(common.Nodes, "node"), common.Johnson)
	writeTransformations(&b, transform.Of(q.SMILES, q.Graph, t.SMILES, t.Graph, r.Map))
	_, err = io.WriteString(p.out, b.String())
	return err
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
