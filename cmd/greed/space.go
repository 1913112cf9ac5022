package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

// spaceCommand groups the commands for synthon spaces.
type spaceCommand struct {
	Search spaceSearch `cmd:"" help:"Find the products of a synthon space nearest to a query, without making the others."`
	Info   spaceInfo   `cmd:"" help:"Describe a synthon space: reactions, synthons, products."`
}

type spaceInfo struct {
	Space string `arg:"" help:"A file of columns SMILES, synton_id, synton#, reaction_id."`
}

// Run describes the space.
func (c *spaceInfo) Run(s *session) error {
	in, err := openSpace(s, c.Space)
	if err != nil {
		return err
	}
	info := in.Info()
	if s.json {
		return s.out.printJSON(info)
	}
	s.remark(c.Space, info.Notes)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s\n\n", grouped(len(info.Reactions), "reaction"), grouped(info.Synthons, "synthon"),
		productsOf(info.Products))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "reaction\tsynthons\tproducts\n")
	for _, r := range info.Reactions {
		fmt.Fprintf(w, "%s\t%s\t%d\n", field(r.ID), strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Synthons), " ", " × "),
			"[]"), r.Products)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = s.out.Write([]byte(b.String()))
	return err
}

// productsOf formats a number of products, which may be more than fit.
func productsOf(n uint64) string {
	if n > 1<<62 {
		return "more than 10^18 products"
	}
	return grouped(int(n), "product")
}

func openSpace(s *session, name string) (*greed.Space, error) {
	defer s.stage(func() string { return "reading " + field(name) })()
	return greed.OpenSpace(s.ctx, name)
}

type spaceSearch struct {
	Query string `arg:"" optional:"" help:"${space_search_query}"`
	Space string `arg:"" optional:"" help:"A file of columns SMILES, synton_id, synton#, reaction_id."`

	Sed bool `help:"Find products that contain the query, exactly or nearly: --task sed."`
	operation.SpaceSearch
}

// AfterApply takes up --sed.
func (c *spaceSearch) AfterApply(command *kong.Context) error {
	c.Task = cmp.Or(c.Task, new(string))
	return setTask(command, c.Sed, c.Task)
}

// Run searches for every molecule of the query.
func (c *spaceSearch) Run(s *session) error {
	s.holds = true
	if c.SMARTS != "" {
		c.Query, c.Space = c.Space, c.Query
	}
	switch {
	case c.Query != "" && c.SMARTS != "":
		return usageError("give only one of QUERY and --smarts")
	case c.Space == "" || c.Query == "" && c.SMARTS == "":
		return usageError("name a query (a file, - for standard input, or a SMILES) or --smarts, and then a space")
	}
	opt, err := c.Resolve(operation.Limits{Workers: s.workers})
	if err != nil {
		return usage(err)
	}
	queries := &greed.Reading{}
	if c.SMARTS == "" {
		queries, err = s.read((&readFlags{}).source(s), c.Query)
	} else {
		var pattern *greed.Graph
		pattern, err = opt.SMARTS.Graph(graph.NewVocabulary(), true)
		queries.Records = []dataset.Record{{ID: opt.SMARTS.String(), Graph: pattern}}
	}
	if err != nil {
		return err
	}
	in, err := openSpace(s, c.Space)
	if err != nil {
		return err
	}
	for i := range queries.Records {
		q := &queries.Records[i]
		found, interrupted := in.Search(s.ctx, q, opt)
		if found == nil {
			return fmt.Errorf("query %s: %w", q.ID, interrupted)
		}
		found.Notes = dataset.Merge(queries.Notes, found.Notes)
		if err := c.print(s, q, in, found); err != nil {
			return err
		}
		if interrupted != nil {
			return interrupted
		}
	}
	return nil
}

// unitTerms are those of every search of a space.
const unitTerms = "every edit costs 1; charges, isotopes, hydrogens and stereochemistry are not compared"

// print prints the answers to a query.
func (c *spaceSearch) print(s *session, q *dataset.Record, in *greed.Space, found *greed.FoundProducts) error {
	if s.json {
		return s.out.printJSON(struct {
			Query string `json:"query"`
			*greed.FoundProducts
		}{q.ID, found})
	}
	s.remark(c.Space, found.Notes)
	task, near := strings.ToUpper(found.Task.String()), "nearest to"
	if found.Radius != nil {
		near = fmt.Sprintf("within %s %s of", task, number(*found.Radius))
	}
	query := fmt.Sprintf("%s (%s, %s)", called(*q), count(q.Graph.N(), "node"), count(q.Graph.M(), "edge"))
	if c.SMARTS != "" {
		near, query = "that contain", field(c.SMARTS)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s %s %s\n%s\n%s\n\n", grouped(len(found.Answers), "answer"), productsOf(found.Stats.Products),
		near, query, unitTerms, found.Verdict)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\treaction\tsynthons\tSMILES\n", task)
	for _, a := range found.Answers {
		for i, o := range a.Origins {
			distance, smiles := number(a.Distance), field(a.SMILES)
			if i > 0 { // the same product
				distance, smiles = "", "the same"
			}
			var ids []string
			for _, x := range o.Synthons {
				ids = append(ids, field(x.ID))
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", distance, field(o.Reaction), strings.Join(ids, " + "), smiles)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.Explain {
		for _, a := range found.Answers {
			fmt.Fprintf(&b, "\n%s\n", field(a.SMILES))
			switch {
			case a.Map == nil:
				b.WriteString("  time was up before its edits were found\n")
			case len(a.Edits) == 0:
				b.WriteString("  no edits\n")
			}
			for _, op := range a.Edits {
				fmt.Fprintf(&b, "  %s\n", printable(op.String()))
			}
		}
	}
	fmt.Fprintf(&b, "\n%s: %s measured, %s made\n", seconds(found.Seconds), grouped(found.Stats.Synthons, "synthon"),
		grouped(found.Stats.Made, "product"))
	_, err := s.out.Write([]byte(b.String()))
	return err
}
