package main

import (
	"errors"
	"fmt"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/store"
)

// indexInfo describes an index.
type indexInfo struct {
	Index []string `arg:"" help:"The index, or several as one collection, named as greed search --help says."`
}

// indexDescription is what an index holds, or several as one collection.
type indexDescription struct {
	Index string `json:"index"`
	greed.Info
	Notes []dataset.Note `json:"notes,omitempty"`
	// Repeated is how many ids several indexes have, by which no graph is found; some are named.
	Repeated      int             `json:"repeated,omitempty"`
	RepeatedFirst []live.Repeated `json:"repeated_first,omitempty"`
}

// mostRepeated is how many ids that several indexes have are named.
const mostRepeated = 3

func (c *indexInfo) Run(s *session) error {
	path := strings.Join(c.Index, ",")
	if isSpaceIndex(path) && !s.json {
		return describeSpace(s, path)
	}
	d := &indexDescription{Index: path}
	if err := d.read(s); err != nil {
		return err
	}
	s.remark(path, d.Notes)
	if s.json {
		return s.out.printJSON(d)
	}
	_, err := fmt.Fprint(s.out, d.text())
	return err
}

// read reads what the index holds. One of vectors alone is no collection.
func (d *indexDescription) read(s *session) error {
	all, err := greed.Open(s.ctx, greed.Source{Path: d.Index, Options: dataset.Options{Format: greed.FormatIndex}})
	if errors.Is(err, store.ErrKind) {
		return withIndex(d.Index, func(st *store.Store) error {
			return st.View(s.ctx, func(snap *store.Snapshot) error {
				d.Graphs, d.State, d.Models = snap.Len(), snap.Tag(), []greed.ModelInfo{}
				d.Indexes = []greed.IndexInfo{greed.DescribeIndex(snap.Known, d.Index, d.Index)}
				return nil
			})
		})
	}
	if err != nil {
		return notIndex(d.Index, err)
	}
	d.Info, d.Notes = all.Info(), all.Notes()
	if all.Several() {
		d.RepeatedFirst, d.Repeated, err = all.Repeated(s.ctx, mostRepeated)
	}
	return errors.Join(err, all.Close())
}

// text says the same for people.
func (d *indexDescription) text() string {
	var b strings.Builder
	if len(d.Indexes)+len(d.Unsearched) > 1 {
		fmt.Fprintf(&b, "%s: %s in %s\n", d.Index, count(d.Graphs, "graph"), count(len(d.Indexes), "part"))
	}
	if d.Repeated > 0 {
		var named []string
		for _, r := range d.RepeatedFirst {
			named = append(named, fmt.Sprintf("%s in %s", r.ID, strings.Join(r.Indexes, ", ")))
		}
		fmt.Fprintf(&b, "in several parts: %s, by which no graph is found: %s\n", count(d.Repeated, "id"),
			strings.Join(named, "; "))
	}
	for _, part := range d.Indexes {
		d.write(&b, part)
	}
	if d.Rules != nil {
		if text := d.Rules.String(); text != "" {
			fmt.Fprintf(&b, "graphs are read by: %s\n", text)
		}
		if _, not := greed.Compared(dataset.Rules{Unread: d.Rules.Unread}, false, edit.Uniform()); not != nil {
			fmt.Fprintf(&b, "%s are not compared\n", strings.Join(not, " and "))
		}
	}
	return b.String()
}

// write says what one of the indexes holds.
func (d *indexDescription) write(b *strings.Builder, part greed.IndexInfo) {
	fmt.Fprintf(b, "%s: %s, version %d\n", part.Path, count(part.Graphs, "graph"), part.Version)
	if part.Empty > 0 {
		fmt.Fprintf(b, "%s of deleted or replaced graphs: greed index compact frees them\n",
			count(part.Empty, "empty slot"))
	}
	if outside := part.Graphs + part.Empty - part.Segment; outside > 0 {
		fmt.Fprintf(b, "%s not in the segment and read one by one when the index opens; "+
			"greed index compact adds them\n", count(outside, "record"))
	}
	if h := part.Neighbourhoods; h != nil {
		fmt.Fprintf(b, "neighbourhoods of %s in one large graph", count(h.Hops, "hop"))
		if h.MaxNodes > 0 {
			fmt.Fprintf(b, ", %d of them cut at %s", h.Truncated, count(h.MaxNodes, "node"))
		}
		fmt.Fprintln(b)
	}
	for _, e := range part.Embeddings {
		from := "model " + e.Model
		if e.Model == "" {
			from = "another program"
		}
		state := ""
		if e.Serves {
			state = ", in use"
		}
		for _, m := range d.Models {
			if e.Serves && m.Fingerprint == e.Model && m.Calibrated != nil {
				state += fmt.Sprintf(", calibrated to a radius of %v", *m.Calibrated)
			}
		}
		fmt.Fprintf(b, "embedding %s: %v, %s, by %s%s\n", e.Name, e.Task, count(e.Norm.Dim(), "coordinate"), from,
			state)
	}
}
