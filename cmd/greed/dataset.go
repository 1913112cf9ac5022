package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/greedgraph/greed/dataset"
)

// datasetCommand groups the commands for collections.
type datasetCommand struct {
	Info    datasetInfo    `cmd:"" help:"Describe a collection: sizes, labels, shapes."`
	Convert datasetConvert `cmd:"" help:"Write a collection in another format."`
	Sample  datasetSample  `cmd:"" help:"Draw graphs, queries or neighbourhoods from a collection."`
	Split   datasetSplit   `cmd:"" help:"Divide a collection into parts that share no graph."`
	Check   datasetCheck   `cmd:"" help:"Read a whole collection and report every problem."`
}

type datasetCheck struct {
	Input string `arg:"" help:"A file, a folder, or - for standard input."`
	readFlags
}

// Run checks the collection.
func (c *datasetCheck) Run(s *session) (err error) {
	opt, rejected := c.source(s).Options, func(dataset.BadRecord) {}
	if c.Rejects != "" {
		if rejected, err = s.rejects.open(); err != nil {
			return err
		}
	}
	opt.SkipBad = false
	r, err := dataset.Open(c.Input, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	report := checkReport{Problems: []string{}}
	if err := report.readAll(s, r, rejected); err != nil {
		return err
	}
	s.remark(c.Input, r.Notes())
	return printProblems(s, report, c.Input, report.Problems, count(report.Graphs, "graph"))
}

// printProblems prints the problems of a checked input, and returns an error if there are any.
func printProblems(s *session, asJSON any, input string, problems []string, checked string) error {
	text := strings.Join(problems, "\n")
	if len(problems) == 0 {
		text = checked + ", no problems"
	}
	err := s.answer(asJSON, "%s\n", text)
	if n := len(problems); err == nil && n > 0 {
		err = fmt.Errorf("%s has %s", input, count(n, "problem"))
	}
	return err
}

// checkReport is what was found.
type checkReport struct {
	Graphs   int      `json:"graphs"`
	Problems []string `json:"problems"`
}

func (c *checkReport) readAll(s *session, r *dataset.Reader, rejected func(dataset.BadRecord)) error {
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	first := make(map[string]string) // id to file and line
	for {
		rec, err := r.Next()
		var bad *dataset.BadRecord
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			c.Problems = append(c.Problems, dataset.Spell(err, flagOf))
			rejected(*bad)
			continue
		case err != nil:
			return err
		case s.ctx.Err() != nil:
			return s.ctx.Err()
		}
		shown.Add(1)
		c.Graphs++
		at := fmt.Sprintf("%s:%d", rec.File, rec.Line)
		if err := rec.Graph.Check(); err != nil {
			c.Problems = append(c.Problems, fmt.Sprintf("%s: graph %s: %v", at, rec.ID, err))
		}
		if before, ok := first[rec.ID]; ok {
			c.Problems = append(c.Problems, fmt.Sprintf("%s: id %q was given before, at %s", at, rec.ID, before))
		} else {
			first[rec.ID] = at
		}
	}
}
