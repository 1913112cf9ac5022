package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/dataset"
)

type datasetSample struct {
	Input string `arg:"" help:"A file, a folder, or - for standard input."`
	Count int    `short:"n" default:"100" help:"How many."`
	Seed  uint64 `default:"1" help:"The same seed draws the same graphs again."`

	writeFlags
	readFlags
}

// Run draws and writes.
func (c *datasetSample) Run(s *session) error {
	if c.Count < 1 {
		return usageError(fmt.Sprintf("--count is %d: want at least 1", c.Count))
	}
	drawn, err := c.draw(s)
	if err != nil {
		return err
	}
	return c.write(s, func(w *dataset.Writer) error { return c.writeDrawn(s, drawn, w) })
}

// drawnGraph is a graph with its position in the input.
type drawnGraph struct {
	dataset.Record
	at int
}

// writeDrawn writes what was drawn. A graph that the format cannot hold is treated like
// one that cannot be read.
func (c *datasetSample) writeDrawn(s *session, drawn []drawnGraph, w *dataset.Writer) (err error) {
	src := c.source(s)
	left := unwritable{}
	if c.Rejects != "" {
		if left.reject, err = s.rejects.open(); err != nil {
			return err
		}
	}
	for _, d := range drawn {
		err := w.Write(d.Record)
		if src.SkipBad {
			err = left.out(d.Record, d.at, err)
		}
		if err != nil {
			return err
		}
	}
	return left.report(s, c.Input, len(drawn))
}

// draw draws without replacement in one pass (reservoir sampling, Vitter's
// algorithm R), so that only what is drawn is held.
func (c *datasetSample) draw(s *session) ([]drawnGraph, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	var drawn []drawnGraph
	seen := 0
	_, err := s.each(c.source(s), c.Input, func(rec dataset.Record) error {
		if len(drawn) < c.Count {
			drawn = append(drawn, drawnGraph{rec, seen})
		} else if i := rng.IntN(seen + 1); i < c.Count {
			drawn[i] = drawnGraph{rec, seen}
		}
		seen++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if seen < c.Count {
		s.note("%s has %s, fewer than %d: all are written", c.Input, count(seen, "graph"), c.Count)
	}
	slices.SortFunc(drawn, func(a, b drawnGraph) int { return cmp.Compare(a.at, b.at) })
	return drawn, nil
}
