package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/truth"
)

// mergeCommand merges parts.
type mergeCommand struct {
	Parts []string `arg:"" help:"All parts that --part wrote, in any order."`
	Out   string   `short:"o" required:"" placeholder:"FILE" help:"${merge_out}"`
}

func (c *mergeCommand) Run(s *session) error {
	parts, err := part.Open(c.Parts)
	if err != nil {
		return err
	}
	if err := new(partFlag).checkOut(c.Out); err != nil {
		return err
	}
	switch parts.Job {
	case part.Truth, part.Join:
		return c.pairs(s, parts)
	case part.Embed:
		return c.vectors(s, parts)
	}
	return fmt.Errorf("%w: parts of %q", part.ErrPart, parts.Job)
}

func (c *mergeCommand) pairs(s *session, parts *part.Parts) error {
	write, err := truth.Writer(c.Out)
	if err != nil {
		return err
	}
	var failed error
	rows, err := parts.Pairs(s.ctx, &failed)
	if err != nil {
		return err
	}
	pairs, open := 0, 0
	shown := s.bar(parts.Total, "pairs")
	defer shown.Finish()
	counted := truth.Rows{Maps: rows.Maps, All: func(yield func(int, truth.Row) bool) {
		for unit, r := range rows.All {
			if !yield(unit, r) {
				return
			}
			pairs++
			if r.Lower != r.Upper {
				open++
			}
			shown.Reach(pairs)
		}
	}}
	err = atomicfile.Write(c.Out, func(w io.Writer) error {
		err := write(counted, w)
		return errors.Join(err, failed)
	})
	if err != nil {
		return err
	}
	shown.Finish()
	return s.answer(struct {
		Out   string `json:"out"`
		Parts int    `json:"parts"`
		Pairs int    `json:"pairs"`
		Open  int    `json:"open"`
	}{c.Out, parts.Share.Of, pairs, open}, "%s: %s of %s, %d of them within bounds only\n", filepath.Clean(c.Out),
		count(pairs, "pair"), count(parts.Share.Of, "part"), open)
}

func (c *mergeCommand) vectors(s *session, parts *part.Parts) error {
	if err := checkVectors(c.Out); err != nil {
		return err
	}
	ids, vectors, err := parts.Vectors(s.ctx)
	if err != nil {
		return err
	}
	set := &embedding.Set{Model: parts.Models[0].Fingerprint, Norm: parts.Models[0].Norm, IDs: ids, Vectors: vectors}
	if err := saveVectors(c.Out, set); err != nil {
		return err
	}
	return printVectors(s, c.Out, set)
}

// partFlag divides the work of a command over machines.
type partFlag struct {
	Part part.Share `placeholder:"I/N" help:"${part_part}"`
}

// partEnding is that of the files that --part writes.
const partEnding = ".part"

// checkOut returns an error unless the name of the output says what it will be.
func (f *partFlag) checkOut(path string) error {
	is := strings.ToLower(filepath.Ext(path)) == partEnding
	if f.Part.All() && is {
		return usageError(fmt.Sprintf("-o %s: a name that ends in %s is for --part", path, partEnding))
	}
	if !f.Part.All() && !is {
		return usageError(fmt.Sprintf("-o %s: --part writes a part for greed merge: want a name that ends in %s", path,
			partEnding))
	}
	return nil
}

// header returns what a part says of itself. Settings are all that the results depend
// on beside the inputs and models.
func (f *partFlag) header(job part.Job, units int, inputs string, settings any) part.Header {
	text, err := json.Marshal(settings)
	if err != nil {
		panic("greed: " + err.Error()) // numbers are checked and finite
	}
	return part.Header{Job: job, Share: f.Part, Units: units, Inputs: inputs, Settings: text}
}
