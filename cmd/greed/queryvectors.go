package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/postgres"
)

// vectorAnswers are the answers to one vector.
type vectorAnswers struct {
	flags      *searchFlags
	collection string
	greed.NearVectors
}

// vectorsAlone says what goes with --vector and --like.
const vectorsAlone = "--vector and --like compare only vectors: they take -k, --radius, --filter, --embedding and -o"

// byVector answers --vector and --like.
func (c *searchFlags) byVector(s *session, index string) error {
	compared := operation.Search{Task: c.Task, K: c.K, Radius: c.Radius, Mode: c.Mode,
		Matching: operation.Matching{Filter: c.Filter}}
	switch {
	case index == "":
		return usageError("name the index whose vectors --vector and --like compare")
	case c.Vector != "" && len(c.Like) > 0:
		return usageError("give only one of --vector and --like")
	case c.Task != nil && cmp.Or(*c.Task, "ged") != "ged" || len(c.Model) > 0 || !reflect.DeepEqual(compared, c.Search):
		return usageError(vectorsAlone)
	}
	request := operation.Vectors{Compared: c.Compared, K: c.K, Radius: c.Radius, Filter: c.Filter}
	if c.Vector != "" {
		rows, width, err := readNPY(c.Vector)
		if err != nil {
			return err
		}
		request.Vectors = slices.Collect(slices.Chunk(rows, width))
	}
	opt, err := request.Resolve(operation.Limits{})
	if err != nil {
		return usage(err)
	}
	if postgres.IsAddress(index) {
		return usageError("a database holds no vectors: build an index from it with greed index build, and name that")
	}
	list, err := greed.NearestInIndex(s.ctx, index, opt)
	if err != nil {
		err = fmt.Errorf("%s: %w", index, err)
		if c.Vector != "" {
			err = fmt.Errorf("%s: %w", c.Vector, err)
		}
		return err
	}
	return c.answer(s, func(write func(answerSet) error) error {
		for _, near := range list {
			if c.Vector != "" {
				near.Query = c.Vector + " row " + near.Query
			}
			if err := write(&vectorAnswers{c, index, near}); err != nil {
				return err
			}
		}
		return nil
	})
}

// vectors reports whether vectors are compared.
func (c *searchFlags) vectors() bool { return c.Vector != "" || len(c.Like) > 0 }

func (a *vectorAnswers) value() any {
	return struct {
		Collection string `json:"collection"`
		greed.NearVectors
	}{a.collection, a.NearVectors}
}

func (a *vectorAnswers) heading() string { return "" }

func (a *vectorAnswers) table() [][]string {
	rows := [][]string{{"rank", "id", "name", "smiles", "distance"}}
	for i, h := range a.Answers {
		rows = append(rows, []string{strconv.Itoa(i + 1), csvcell.Guard(h.ID), csvcell.Guard(h.Name),
			csvcell.Guard(h.SMILES), number(h.Distance)})
	}
	return withQuery(a.Query, rows)
}

func (a *vectorAnswers) text() (string, error) {
	c := a.flags
	var b strings.Builder
	found := fmt.Sprintf("The %d nearest", len(a.Answers))
	switch {
	case c.Radius != nil && c.K == nil:
		found = fmt.Sprintf("%d within %s", len(a.Answers), number(*c.Radius))
	case c.Radius != nil:
		found += " within " + number(*c.Radius)
	}
	fmt.Fprintf(&b, "%s of %s by embedding %s to %s\n\n", found, grouped(a.Graphs, "graph"), field(a.Embedding),
		field(a.Query))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "distance\tid\t\n")
	for _, h := range a.Answers {
		more := ""
		if text := described(&greed.Answer{ID: h.ID, Name: h.Name, SMILES: h.SMILES}); text != "" {
			more = "  " + text
		}
		fmt.Fprintf(w, "%.4f\t%s\t%s\n", h.Distance, field(h.ID), more)
	}
	err := w.Flush()
	fmt.Fprintf(&b, "\nscan %s\n", seconds(a.Seconds))
	return b.String(), err
}
