package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/space"
)

// isSpaceIndex reports whether a name is that of an index of a synthon space.
func isSpaceIndex(name string) bool { return space.IsFile(name) }

// buildSpace makes the index of a synthon space.
func buildSpace(s *session, name, out string) error {
	c, err := s.open(greed.Source{Path: name}, name)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Save(out); err != nil {
		return err
	}
	info := c.Space()
	return s.answer(struct {
		Index  string       `json:"index"`
		Graphs int          `json:"graphs"`
		Space  *greed.Space `json:"space"`
		Notes  []greed.Note `json:"notes,omitempty"`
	}{out, c.Len(), info, c.Notes()}, "%s: %s\n", out, extent(info))
}

// describeSpace says what a synthon space has.
func describeSpace(s *session, name string) error {
	c, err := s.open(greed.Source{Path: name}, name)
	if err != nil {
		return err
	}
	defer c.Close()
	info := c.Space()
	if s.json {
		return s.out.printJSON(info)
	}
	var b strings.Builder
	b.WriteString(extent(info) + "\n\n")
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

// extent says how large a space is.
func extent(x *greed.Space) string {
	products := "more than 10^18 products"
	if x.Products <= 1<<62 {
		products = grouped(int(x.Products), "product")
	}
	return fmt.Sprintf("%s, %s, %s", grouped(len(x.Reactions), "reaction"), grouped(x.Synthons, "synthon"), products)
}
