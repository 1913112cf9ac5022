package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
)

// answerWriter takes the answers to queries, one query after the other.
type answerWriter interface {
	write(q dataset.Record, found *greed.Found) error
}

// answer lets search write answers to standard output, or to a file, which appears
// whole or not at all. An interrupted search has answers, too.
func (c *searchCommand) answer(s *session, in searched, search func(answerWriter) error) error {
	if c.Output == "" {
		if s.json {
			return search(&jsonAnswers{s.out, in.name, in.Len()})
		}
		return search(&textAnswers{s, c, in})
	}
	if s.json {
		return errJSONFile
	}
	var interrupted error
	held := func(out answerWriter) error {
		err := search(&announced{s, in, c, out})
		if s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()) {
			interrupted, err = err, nil
		}
		return err
	}
	var err error
	switch ending := strings.ToLower(filepath.Ext(c.Output)); ending {
	case ".json", ".ndjson":
		err = atomicfile.Write(c.Output, func(w io.Writer) error {
			return held(&jsonAnswers{w, in.name, in.Len()})
		})
	case ".csv":
		err = atomicfile.Write(c.Output, func(w io.Writer) error {
			rows := csv.NewWriter(w)
			if err := held(&csvAnswers{rows: rows, show: c.Show}); err != nil {
				return err
			}
			rows.Flush()
			return rows.Error()
		})
	case ".sdf", ".sd":
		var lost []string
		err = dataset.Create(c.Output, "sdf", func(w *dataset.Writer) error {
			err := held(&sdfAnswers{s, w, in, c.Show})
			lost = w.Notes()
			return err
		})
		for _, note := range lost {
			s.note("%s: %s", c.Output, note)
		}
	default:
		return usageError(fmt.Sprintf("-o %s: want a name that ends in .csv, .sdf or .json", c.Output))
	}
	if err != nil {
		return err
	}
	return interrupted
}

const errJSONFile = usageError("--json writes to standard output; to write a JSON file, give -o a name that ends in .json")

// announced prints the headline for each query; the answers themselves go elsewhere.
type announced struct {
	s     *session
	in    searched
	flags *searchCommand
	answerWriter
}

func (a *announced) write(q dataset.Record, found *greed.Found) error {
	if err := a.answerWriter.write(q, found); err != nil {
		return err
	}
	notes(a.s, a.in.name, a.flags.NoModel, found)
	_, err := io.WriteString(a.s.out, heading(a.in, q, found))
	return err
}

// foundJSON is the JSON form of a search from the command line.
type foundJSON struct {
	Query      string `json:"query"`
	SMILES     string `json:"smiles,omitempty"`
	Collection string `json:"collection"`
	Graphs     int    `json:"graphs"`
	*greed.Found
}

// jsonAnswers writes a line for each query.
type jsonAnswers struct {
	w          io.Writer
	collection string
	graphs     int
}

func (j *jsonAnswers) write(q dataset.Record, found *greed.Found) error {
	return json.NewEncoder(j.w).Encode(foundJSON{q.ID, q.SMILES, j.collection, j.graphs, found})
}

// csvAnswers writes a row for each answer, the id of its query in front.
type csvAnswers struct {
	rows   *csv.Writer
	show   []string
	headed bool
}

func (c *csvAnswers) write(q dataset.Record, found *greed.Found) error {
	for i, row := range found.Table(c.show) {
		first := csvcell.Guard(q.ID)
		if i == 0 {
			if c.headed {
				continue
			}
			first, c.headed = "query", true
		}
		if err := c.rows.Write(append([]string{first}, row...)); err != nil {
			return err
		}
	}
	return nil
}

// sdfAnswers writes a molecule for each answer, with the distance as properties. An
// answer that is no molecule is an error.
type sdfAnswers struct {
	s    *session
	w    *dataset.Writer
	in   searched
	show []string
}

func (a *sdfAnswers) write(q dataset.Record, found *greed.Found) error {
	records := make([]dataset.Record, len(found.Answers))
	for i, answer := range found.Answers {
		records[i] = a.in.Record(answer.Position)
	}
	if err := a.in.Blocks(a.s.ctx, records); err != nil {
		return err
	}
	for i, answer := range found.Answers {
		rec := records[i]
		attributes := rec.Attributes
		if len(a.show) > 0 {
			attributes = answer.Attributes
		}
		rec.Attributes = map[string]any{"query": q.ID, "rank": i + 1, "status": string(found.Status), "similarity": answer.Similarity}
		for key, value := range map[string]*float64{"predicted": answer.Predicted, "lower": answer.Lower, "upper": answer.Upper} {
			if value != nil {
				rec.Attributes[key] = *value
			}
		}
		for key, value := range attributes {
			if _, taken := rec.Attributes[key]; !taken {
				rec.Attributes[key] = value
			}
		}
		if err := a.w.Write(rec); err != nil {
			return fmt.Errorf("%w; -o with a name that ends in .csv or .json takes every graph", err)
		}
	}
	return nil
}
