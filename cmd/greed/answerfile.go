package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
)

// answerSet is the answers to one query, in the forms in which they are written.
type answerSet interface {
	text() (string, error) // for people
	heading() string       // for people, where the answers go to a file
	table() [][]string     // for CSV, the header first
	value() any            // for JSON, a line for each query
}

// answer lets search write answers to standard output, or to a file, which appears
// whole or not at all. An interrupted search has answers, too.
func (c *searchFlags) answer(s *session, search func(write func(answerSet) error) error) error {
	if c.Output == "" {
		return search(func(a answerSet) error {
			if s.json {
				return s.out.printJSON(a.value())
			}
			text, err := a.text()
			if err == nil {
				_, err = io.WriteString(s.out, text)
			}
			return err
		})
	}
	if s.json {
		return usageError("--json writes to standard output; to write a JSON file, give -o a name that ends in .json")
	}
	var interrupted error
	held := func(write func(answerSet) error) error {
		err := search(func(a answerSet) error {
			if err := write(a); err != nil {
				return err
			}
			_, err := io.WriteString(s.out, a.heading())
			return err
		})
		if s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()) {
			interrupted, err = err, nil
		}
		return err
	}
	var err error
	switch ending := strings.ToLower(filepath.Ext(c.Output)); {
	case ending == ".json" || ending == ".ndjson":
		err = atomicfile.Write(c.Output, func(w io.Writer) error {
			return held(func(a answerSet) error { return json.NewEncoder(w).Encode(a.value()) })
		})
	case ending == ".csv":
		err = atomicfile.Write(c.Output, func(w io.Writer) error {
			rows, headed := csv.NewWriter(w), 0
			return held(func(a answerSet) error {
				table := a.table()[headed:]
				headed = 1
				return rows.WriteAll(table)
			})
		})
	case c.vectors():
		return usageError(fmt.Sprintf("-o %s: with --vector and --like want a name that ends in .csv or .json",
			c.Output))
	case ending == ".sdf" || ending == ".sd":
		var lost []dataset.Note
		err = dataset.Create(c.Output, "sdf", func(w *dataset.Writer) error {
			err := held(func(a answerSet) error { return a.(*graphAnswers).writeSDF(w) })
			lost = w.Notes()
			return err
		})
		s.remark(c.Output, lost)
	default:
		return usageError(fmt.Sprintf("-o %s: want a name that ends in .csv, .sdf or .json", c.Output))
	}
	if err != nil {
		return err
	}
	return interrupted
}

// graphAnswers are the graphs found for a query.
type graphAnswers struct {
	s     *session
	flags *searchCommand
	in    searched
	q     dataset.Record
	found *greed.Found
}

func (a *graphAnswers) value() any {
	found := *a.found
	if a.flags.Certificate != "" { // which needs the maps
		found.Answers = slices.Clone(found.Answers)
		a.flags.Finish(&found)
	}
	return struct {
		Query      string `json:"query"`
		SMILES     string `json:"smiles,omitempty"`
		Collection string `json:"collection"`
		Graphs     int    `json:"graphs"`
		*greed.Found
	}{a.q.ID, a.q.SMILES, a.in.name, a.in.Len(), &found}
}

func (a *graphAnswers) table() [][]string {
	return withQuery(a.q.ID, a.found.Table(a.flags.Show, a.flags.Explain))
}

// withQuery puts the id of a query in front of the rows of its answers.
func withQuery(id string, table [][]string) [][]string {
	for i, row := range table {
		first := csvcell.Guard(id)
		if i == 0 {
			first = "query"
		}
		table[i] = append([]string{first}, row...)
	}
	return table
}

// writeSDF writes a molecule for each answer, with the distance as properties. An
// answer that is not a molecule is an error.
func (a *graphAnswers) writeSDF(w *dataset.Writer) error {
	records := make([]dataset.Record, len(a.found.Answers))
	for i, answer := range a.found.Answers {
		records[i] = a.in.Record(answer.Position)
	}
	if err := a.in.Blocks(a.s.ctx, records); err != nil {
		return err
	}
	for i, answer := range a.found.Answers {
		rec := records[i]
		attributes := rec.Attributes
		if len(a.flags.Show) > 0 {
			attributes = answer.Attributes
		}
		rec.Attributes = map[string]any{"query": a.q.ID, "rank": i + 1, "status": string(a.found.Status),
			"similarity": answer.Similarity}
		for key, value := range map[string]*float64{"predicted": answer.Predicted, "lower": answer.Lower,
			"upper": answer.Upper} {
			if value != nil {
				rec.Attributes[key] = *value
			}
		}
		edits, texts, smirks := answer.Explained()
		for key, text := range map[string]string{"edits": edits, "transformations": texts, "smirks": smirks,
			"origins": answer.Ways()} {
			if text != "" {
				rec.Attributes[key] = text
			}
		}
		dataset.AddAttributes(rec.Attributes, attributes)
		if err := w.Write(rec); err != nil {
			return fmt.Errorf("%w; -o with a name that ends in .csv or .json takes every graph", err)
		}
	}
	return nil
}
