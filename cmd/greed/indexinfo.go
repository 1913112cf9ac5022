package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/store"
)

// indexInfo describes an index.
type indexInfo struct {
	Index string `arg:"" help:"The index, or several as one collection, named as greed search --help says."`
}

// indexDescription is the JSON form of an index.
type indexDescription struct {
	Index          string                 `json:"index"`
	Version        int                    `json:"version"`
	Graphs         int                    `json:"graphs"`
	Empty          int                    `json:"empty"`   // slots of deleted and replaced graphs
	Segment        int                    `json:"segment"` // slots that are mapped when it is opened
	Neighbourhoods *store.Neighbourhoods  `json:"neighbourhoods,omitempty"`
	Embeddings     []embeddingDescription `json:"embeddings"`
	Rules          *dataset.Rules         `json:"rules,omitempty"` // by which the graphs were read, and queries are
}

// severalDescription is the JSON form of several indexes as one collection.
type severalDescription struct {
	Index  string              `json:"index"`
	Graphs int                 `json:"graphs"`
	Parts  []*indexDescription `json:"parts"` // in their order
	Notes  []dataset.Note      `json:"notes,omitempty"`
	// Repeated is how many ids several parts have, by which no graph is found; some are named.
	Repeated      int             `json:"repeated,omitempty"`
	RepeatedFirst []live.Repeated `json:"repeated_first,omitempty"`
}

// mostRepeated is how many ids that several parts have are named.
const mostRepeated = 3

type embeddingDescription struct {
	Name   string    `json:"name"`
	Task   edit.Task `json:"task"`
	Model  string    `json:"model,omitempty"`
	Norm   norm.Norm `json:"norm"`
	Serves bool      `json:"serves"`
	Rows   int       `json:"rows"`
	// Calibrated is the radius up to which recalls are known, nil where none is.
	Calibrated *float64 `json:"calibrated,omitempty"`
}

func (c *indexInfo) Run(s *session) error {
	if isSpaceIndex(c.Index) {
		return describeSpace(s, c.Index)
	}
	paths := greed.Indexes(c.Index)
	if len(paths) < 2 {
		d, err := describeIndex(s, c.Index)
		if err != nil {
			return err
		}
		if s.json {
			return s.out.printJSON(d)
		}
		return d.print(s)
	}
	all, err := greed.Open(s.ctx, greed.Source{Path: c.Index}) // which refuses parts that do not agree
	if err != nil {
		return err
	}
	d := severalDescription{Index: c.Index, Graphs: all.Len(), Notes: all.Notes()}
	s.remark(c.Index, d.Notes)
	lacking := all.Unsearched()
	for _, path := range paths {
		if slices.ContainsFunc(lacking, func(u greed.Unsearched) bool { return u.Path == path }) {
			continue
		}
		var part *indexDescription
		if part, err = describeIndex(s, path); err != nil {
			break
		}
		d.Parts = append(d.Parts, part)
	}
	if err == nil {
		d.RepeatedFirst, d.Repeated, err = all.Repeated(s.ctx, mostRepeated)
	}
	if err = errors.Join(err, all.Close()); err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(d)
	}
	if _, err := fmt.Fprintf(s.out, "%s: %s in %s\n", d.Index, count(d.Graphs, "graph"),
		count(len(d.Parts), "part")); err != nil {
		return err
	}
	if d.Repeated > 0 {
		var named []string
		for _, r := range d.RepeatedFirst {
			named = append(named, fmt.Sprintf("%s in %s", r.ID, strings.Join(r.Indexes, ", ")))
		}
		if _, err := fmt.Fprintf(s.out, "in several parts: %s, by which no graph is found: %s\n",
			count(d.Repeated, "id"), strings.Join(named, "; ")); err != nil {
			return err
		}
	}
	for _, part := range d.Parts {
		if err := part.print(s); err != nil {
			return err
		}
	}
	return nil
}

// describeIndex describes one index.
func describeIndex(s *session, path string) (*indexDescription, error) {
	d := &indexDescription{Index: path, Version: store.Version, Embeddings: []embeddingDescription{}}
	err := withIndex(path, func(st *store.Store) error {
		return st.View(s.ctx, func(snap *store.Snapshot) error {
			d.Graphs, d.Empty, d.Neighbourhoods = snap.Len(), snap.Slots()-snap.Len(), snap.Neighbourhoods()
			d.Segment, d.Rules = snap.SegmentSlots(), snap.Rules()
			for _, e := range snap.Embeddings() {
				of := embeddingDescription{Name: e.Name, Task: e.Task, Model: e.Model, Norm: e.Norm, Serves: e.Serves,
					Rows: e.Rows}
				if e.Model != "" {
					m, err := snap.Model(e.Model)
					if err != nil {
						return err
					}
					of.Calibrated = m.Calibration().Reach(d.Graphs)
				}
				d.Embeddings = append(d.Embeddings, of)
			}
			return nil
		})
	})
	return d, err
}

func (d *indexDescription) print(s *session) error {
	text := fmt.Sprintf("%s: %s, version %d\n", d.Index, count(d.Graphs, "graph"), d.Version)
	if d.Empty > 0 {
		text += fmt.Sprintf("%s of deleted or replaced graphs: greed index compact frees them\n",
			count(d.Empty, "empty slot"))
	}
	if outside := d.Graphs + d.Empty - d.Segment; outside > 0 {
		text += fmt.Sprintf("%s not in the segment and read one by one when the index opens; greed index compact "+
			"adds them\n", count(outside, "record"))
	}
	if h := d.Neighbourhoods; h != nil {
		text += fmt.Sprintf("neighbourhoods of %s in one large graph", count(h.Hops, "hop"))
		if h.MaxNodes > 0 {
			text += fmt.Sprintf(", %d of them cut at %s", h.Truncated, count(h.MaxNodes, "node"))
		}
		text += "\n"
	}
	if d.Rules != nil && d.Rules.String() != "" {
		text += fmt.Sprintf("graphs are read by: %s\n", d.Rules)
	}
	if d.Rules != nil {
		if _, not := greed.Compared(dataset.Rules{Unread: d.Rules.Unread}, false, edit.Uniform()); not != nil {
			text += fmt.Sprintf("%s are not compared\n", strings.Join(not, " and "))
		}
	}
	for _, e := range d.Embeddings {
		from := "model " + e.Model
		if e.Model == "" {
			from = "another program"
		}
		state := ""
		if e.Serves {
			state = ", in use"
		}
		if e.Calibrated != nil {
			state += fmt.Sprintf(", calibrated to a radius of %v", *e.Calibrated)
		}
		text += fmt.Sprintf("embedding %s: %v, %s, by %s%s\n", e.Name, e.Task, count(e.Norm.Dim(), "coordinate"), from,
			state)
	}
	_, err := fmt.Fprint(s.out, text)
	return err
}
