package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/postgres"
)

// vectorAnswers is the JSON form of the answers to one vector.
type vectorAnswers struct {
	Collection string `json:"collection"`
	greed.NearVectors
}

// byVector answers --vector and --like.
func (c *searchFlags) byVector(s *session, index string) error {
	compared := operation.Search{Task: c.Task, K: c.K, Radius: c.Radius, Mode: c.Mode, Matching: operation.Matching{Filter: c.Filter}}
	switch {
	case index == "":
		return usageError("name the index whose vectors --vector and --like compare")
	case c.Vector != "" && len(c.Like) > 0:
		return usageError("give only one of --vector and --like")
	case cmp.Or(c.Task, "ged") != "ged" || cmp.Or(c.Mode, "proven") != "proven" || len(c.Model) > 0 || !reflect.DeepEqual(compared, c.Search):
		return usageError("--vector and --like compare only vectors: they take -k, --radius, --filter, --embedding and -o")
	}
	asked := operation.Vectors{Compared: c.Compared, K: c.K, Radius: c.Radius, Filter: c.Filter}
	if c.Vector != "" {
		rows, width, err := readNPY(c.Vector)
		if err != nil {
			return err
		}
		asked.Vectors = slices.Collect(slices.Chunk(rows, width))
	}
	opt, err := asked.Resolve(operation.Limits{})
	if err != nil {
		return usage(err)
	}
	if postgres.IsAddress(index) {
		return usageError("a database holds no vectors: make an index of it (greed index build), and name that")
	}
	list, err := greed.NearestInIndex(s.ctx, index, opt)
	if err != nil {
		err = fmt.Errorf("%s: %w", index, err)
		if c.Vector != "" {
			err = fmt.Errorf("%s: %w", c.Vector, err)
		}
		return err
	}
	return c.answerVectors(s, func(write func(*vectorAnswers) error) error {
		for _, near := range list {
			if c.Vector != "" {
				near.Query = c.Vector + " row " + near.Query
			}
			if err := write(&vectorAnswers{index, near}); err != nil {
				return err
			}
		}
		return nil
	})
}

// answerVectors lets each write the answers to every vector.
func (c *searchFlags) answerVectors(s *session, each func(write func(*vectorAnswers) error) error) error {
	asJSON := func(w io.Writer) func(*vectorAnswers) error {
		return func(a *vectorAnswers) error { return json.NewEncoder(w).Encode(a) }
	}
	path := c.Output
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case path == "" && s.json:
		return each(asJSON(s.out))
	case path == "":
		return each(func(a *vectorAnswers) error { return c.printVectors(s, a) })
	case s.json:
		return errJSONFile
	case ending == ".json" || ending == ".ndjson":
		return atomicfile.Write(path, func(w io.Writer) error { return each(asJSON(w)) })
	case ending == ".csv":
		return atomicfile.Write(path, func(w io.Writer) error {
			rows := csv.NewWriter(w)
			if err := rows.Write([]string{"query", "rank", "id", "name", "smiles", "distance"}); err != nil {
				return err
			}
			err := each(func(a *vectorAnswers) error {
				for i, h := range a.Answers {
					if err := rows.Write([]string{csvcell.Guard(a.Query), strconv.Itoa(i + 1), csvcell.Guard(h.ID), csvcell.Guard(h.Name), csvcell.Guard(h.SMILES), number(h.Distance)}); err != nil {
						return err
					}
				}
				return nil
			})
			rows.Flush()
			return errors.Join(err, rows.Error())
		})
	}
	return usageError(fmt.Sprintf("-o %s: with --vector and --like want a name that ends in .csv or .json", path))
}

// printVectors prints the answers to one vector for people.
func (c *searchFlags) printVectors(s *session, a *vectorAnswers) error {
	var b strings.Builder
	found := fmt.Sprintf("The %d nearest", len(a.Answers))
	switch {
	case c.Radius != nil && c.K == nil:
		found = fmt.Sprintf("%d within %s", len(a.Answers), number(*c.Radius))
	case c.Radius != nil:
		found += " within " + number(*c.Radius)
	}
	fmt.Fprintf(&b, "%s of %s by embedding %s to %s\n\n", found, grouped(a.Graphs, "graph"), field(a.Embedding), field(a.Query))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "distance\tid\t\n")
	for _, h := range a.Answers {
		more := ""
		if text := described(&greed.Answer{ID: h.ID, Name: h.Name, SMILES: h.SMILES}); text != "" {
			more = "  " + text
		}
		fmt.Fprintf(w, "%.4f\t%s\t%s\n", h.Distance, field(h.ID), more)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\nscan %s\n", rounded(time.Duration(a.Seconds*float64(time.Second))))
	_, err := s.out.Write([]byte(b.String()))
	return err
}
