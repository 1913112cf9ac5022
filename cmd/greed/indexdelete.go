package main

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// indexDelete deletes graphs from an index.
type indexDelete struct {
	Index string   `arg:"" help:"The index, or the address of a database."`
	IDs   []string `arg:"" name:"id" optional:"" help:"Ids of graphs to delete."`
	From  string   `type:"existingfile" placeholder:"FILE" help:"Delete the graphs whose ids are in this file, one a line."`
}

// mostListed is how many ids a note names.
const mostListed = 10

// listed names ids at the end of a sentence.
func listed(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	var shown []string
	for _, id := range ids[:min(len(ids), mostListed)] {
		shown = append(shown, field(id))
	}
	if len(ids) > mostListed {
		shown = append(shown, "…")
	}
	return ": " + strings.Join(shown, ", ")
}

func (c *indexDelete) Run(s *session) error {
	ids := c.IDs
	if c.From != "" {
		more, err := readIDs(c.From)
		if err != nil {
			return err
		}
		ids = append(ids, more...)
	}
	if len(ids) == 0 {
		return usageError("name the ids to delete, or --from")
	}
	deleted := 0
	var absent []string // of an index
	var err error
	if postgres.IsAddress(c.Index) {
		deleted, err = deleteInDatabase(s, c.Index, ids)
		c.Index = postgres.Shown(c.Index)
	} else {
		err = withIndex(c.Index, func(st *store.Store) (err error) {
			absent, err = st.Delete(s.ctx, ids)
			deleted = len(ids) - len(absent)
			return err
		})
	}
	if err != nil {
		return err
	}
	missing := len(ids) - deleted
	if s.json {
		return s.out.printJSON(struct {
			Index   string `json:"index"`
			Deleted int    `json:"deleted"`
			Missing int    `json:"missing"`
		}{c.Index, deleted, missing})
	}
	if missing > 0 {
		s.note("%s of %s not in the index, or given twice%s", count(missing, "id"), count(len(ids), "id"), listed(absent))
	}
	_, err = fmt.Fprintf(s.out, "%s: %s deleted\n", c.Index, count(deleted, "graph"))
	return err
}
