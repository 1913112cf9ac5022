package main

import (
	"fmt"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
)

type mcesCommand struct {
	pairingFlags

	Format string `enum:"text,tsv" default:"text" help:"How to print: text, tsv."`
	Map    bool   `help:"Print the node map too (with --format tsv)."`
	operation.Decided
	operation.Timed
	readFlags
}

// Help shows below the usage of the command.
func (mcesCommand) Help() string {
	return `
The distance by maximum common edge subgraph (MCES) is that of myopic-mces. Atoms
cost nothing and map to atoms of the same element only. A bond that is not common costs
its order (1.5 if aromatic); a common bond costs the difference of the orders. The
distance is exact, unless --time-limit or Ctrl-C cuts the search short; then you get
proven bounds of it. "greed ged --costs mces" computes the same distance; this command
also says what is in common: the bonds of equal order, the atoms at them, and their
Johnson similarity.

    greed mces CCO CCN
    greed mces queries.smi mols.smi --matrix --within 10
    greed mces old.smi new.smi --pairs --format tsv --time-limit 1s

With --format tsv every pair is a line of query id, target id, lower and upper
bound, common bonds and atoms, and similarity, separated by tabs, without a header.
--map adds the node map, --within adds yes, no or unknown.
`
}

// Run computes distances of maximum common edge subgraphs.
func (c *mcesCommand) Run(s *session) error {
	switch {
	case s.json && c.Format != "text":
		return usageError("--json cannot be combined with --format " + c.Format)
	case c.Map && c.Format != "tsv":
		return usageError("--map adds a column to --format tsv; to see the node map use --json")
	}
	measure, err := (&operation.Distance{Paired: operation.Paired{Decided: c.Decided, Timed: c.Timed}}).Resolve(operation.Limits{}, nil, greed.NoLimit)
	if err != nil {
		return usage(err)
	}
	measure.Costs = edit.MCES()
	p := &pairTask{Measure: measure}
	if p.pairing, err = c.read(s, &c.readFlags); err != nil {
		return err
	}
	out := &mcesPairs{s: s, p: p, c: c}
	if p.alone {
		return single(s, p, out)
	}
	return many(s, p, out)
}

// mcesPairs prints the distance of a pair and what is common.
type mcesPairs struct {
	s *session
	p *pairTask
	c *mcesCommand
}

// mcesJSON is the JSON form. Map holds the target node of every query node, -1 where
// it has none.
type mcesJSON struct {
	Query   string       `json:"query"`
	Target  string       `json:"target"`
	Lower   float64      `json:"lower"`
	Upper   float64      `json:"upper"`
	Exact   bool         `json:"exact"`
	Stopped ged.Stop     `json:"stopped,omitempty"` // why not
	Within  string       `json:"within,omitempty"`  // yes, no, unknown; asked for by --within
	Bonds   int          `json:"bonds"`
	Atoms   int          `json:"atoms"`
	Johnson float64      `json:"johnson"`
	Map     edit.NodeMap `json:"map"`
	Seconds float64      `json:"seconds"`
}

func (w *mcesPairs) print(i int, r ged.Result) error {
	q, t := w.p.pair(i)
	common := mcs.CommonOf(q.Graph, t.Graph, r.Map)
	johnson := common.Johnson(q.Graph, t.Graph)
	if w.s.json {
		return w.s.out.printJSON(mcesJSON{
			q.ID, t.ID, r.Lower, r.Upper, r.Exact, r.Stopped, w.p.Decision(r),
			common.Edges, common.Nodes, johnson, r.Map, r.Elapsed.Seconds(),
		})
	}
	var fields []string
	switch {
	case w.c.Format == "tsv":
		fields = []string{
			field(q.ID), field(t.ID), number(r.Lower), number(r.Upper),
			fmt.Sprint(common.Edges), fmt.Sprint(common.Nodes), fmt.Sprintf("%.4f", johnson),
		}
		if w.c.Map {
			fields = append(fields, mapField(r.Map))
		}
		if w.p.Within != nil {
			fields = append(fields, w.p.Decision(r))
		}
	case w.p.alone:
		found := "found in"
		if !w.p.answered(r) {
			found = "the search was cut short after"
		}
		fields = []string{fmt.Sprintf("MCES distance %s, %s %s%s; %s and %s in common, Johnson similarity %.3f",
			w.known(r), found, rounded(r.Elapsed), because(r), count(common.Edges, "bond"), count(common.Nodes, "atom"), johnson)}
	default:
		fields = []string{
			field(q.ID), field(t.ID), w.p.known(r),
			fmt.Sprintf("%s, %s, %.3f", count(common.Edges, "bond"), count(common.Nodes, "atom"), johnson),
		}
	}
	_, err := fmt.Fprintln(w.s.out, strings.Join(fields, "\t"))
	return err
}

// known writes the distance of the only pair, or what is known of it.
func (w *mcesPairs) known(r ged.Result) string {
	known := fmt.Sprintf("%s, exact", number(r.Upper))
	if !r.Exact {
		known = fmt.Sprintf("at least %s and at most %s", number(r.Lower), number(r.Upper))
	}
	if w.p.Within != nil {
		known = fmt.Sprintf("within %s: %s; %s", number(*w.p.Within), w.p.Decision(r), known)
	}
	return known
}
