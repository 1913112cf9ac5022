package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// vectorQuery searches the vectors of an index, whoever made them, without model or
// solver.
type vectorQuery struct {
	path  string
	flags *searchFlags
	opt   greed.Options
	snap  *store.Snapshot
	of    store.Embedding
	rows  []float32 // [slots, dim]
}

// vectorAnswers is the JSON form of the answers to one vector.
type vectorAnswers struct {
	Query      string         `json:"query"`
	Collection string         `json:"collection"`
	Graphs     int            `json:"graphs"`
	Embedding  string         `json:"embedding"`
	Model      string         `json:"model,omitempty"`
	Answers    []vectorAnswer `json:"answers"` // nearest first
	Seconds    float64        `json:"seconds"` // for all queries together
}

type vectorAnswer struct {
	ID       string  `json:"id"`
	Name     string  `json:"name,omitempty"`
	SMILES   string  `json:"smiles,omitempty"`
	Distance float64 `json:"distance"`
}

// byVector answers --vector and --like.
func (c *searchFlags) byVector(s *session, index string) error {
	compared := operation.Search{Task: c.Task, K: c.K, Radius: c.Radius, Mode: c.Mode, Matching: operation.Matching{Filter: c.Filter}}
	switch {
	case index == "":
		return usageError("name the index whose vectors --vector and --like compare")
	case c.Vector != "" && len(c.Like) > 0:
		return usageError("--vector and --like exclude each other")
	case cmp.Or(c.Task, "ged") != "ged" || cmp.Or(c.Mode, "proven") != "proven" || len(c.Model) > 0 || !reflect.DeepEqual(compared, c.Search):
		return usageError("--vector and --like compare vectors alone: they go with -k, --radius, --filter, --embedding and -o")
	}
	opt, err := c.Resolve(operation.Limits{})
	if err != nil {
		return usage(err)
	}
	if greed.IsDatabase(index) {
		return c.vectorsInDatabase(s, index, opt)
	}
	return withIndex(index, func(st *store.Store) error {
		view := st.View
		if len(c.Filter) > 0 || len(c.Like) > 1 || c.Vector != "" {
			view = st.Hold // for what takes long, so that others may write
		}
		return view(s.ctx, func(snap *store.Snapshot) error {
			q := &vectorQuery{path: index, flags: c, opt: opt, snap: snap}
			if err := q.choose(); err != nil {
				return err
			}
			return q.run(s)
		})
	})
}

// choose returns the embedding that is meant.
func (q *vectorQuery) choose() (err error) {
	list, name := q.snap.Embeddings(), q.flags.Embedding
	switch {
	case name != "":
	case len(list) == 0:
		return fmt.Errorf("%s holds no vectors", q.path)
	case len(list) > 1:
		names := make([]string, len(list))
		for i, e := range list {
			names[i] = e.Name
		}
		return usageError(fmt.Sprintf("%s holds %d embeddings: name one with --embedding: %s", q.path, len(list), strings.Join(names, ", ")))
	default:
		name = list[0].Name
	}
	if q.rows, err = q.snap.Vectors(name); err != nil {
		return fmt.Errorf("%s: %w", q.path, err)
	}
	q.of, _ = q.snap.Embedding(name)
	if q.of.Rows != q.snap.Slots() {
		return fmt.Errorf("%s: embedding %q is not complete: it has %d of %d rows", q.path, name, q.of.Rows, q.snap.Slots())
	}
	return nil
}

// queries returns the vectors to look for and what they are called.
func (q *vectorQuery) queries() (vectors [][]float32, names []string, err error) {
	dim := q.of.Norm.Dim()
	for _, id := range q.flags.Like {
		slot, err := q.snap.Slot(id)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: --like: %w", q.path, err)
		}
		vectors = append(vectors, q.rows[slot*dim:(slot+1)*dim])
		names = append(names, id)
	}
	if q.flags.Vector == "" {
		return vectors, names, nil
	}
	return readQueries(q.flags.Vector, q.of.Name, q.path, dim)
}

// readQueries reads the vectors to look for by an embedding of a collection.
func readQueries(path, embedding, collection string, dim int) (vectors [][]float32, names []string, err error) {
	rows, width, err := readNPY(path)
	if err != nil {
		return nil, nil, err
	}
	if width != dim {
		return nil, nil, fmt.Errorf("%s: vectors of %d coordinates, but those of embedding %q of %s have %d", path, width, embedding, collection, dim)
	}
	for i := range len(rows) / dim {
		vector := rows[i*dim : (i+1)*dim]
		for j, x := range vector {
			if x-x != 0 {
				return nil, nil, fmt.Errorf("%s: row %d: coordinate %d is %v: want a finite float32", path, i, j, x)
			}
		}
		vectors = append(vectors, vector)
		names = append(names, fmt.Sprintf("%s row %d", path, i))
	}
	return vectors, names, nil
}

// keep returns which slots may be answers, nil for all.
func (q *vectorQuery) keep(s *session) (func(slot int) bool, error) {
	if len(q.opt.Filters) == 0 {
		if q.snap.Len() == q.snap.Slots() {
			return nil, nil
		}
		filled, err := q.snap.Filled()
		return func(slot int) bool { return filled[slot] }, err
	}
	kept := make([]bool, q.snap.Slots())
	there := map[string]bool{"id": true}
	err := q.snap.Range(0, q.snap.Slots(), func(slot int, rec dataset.Record) error {
		kept[slot] = !slices.ContainsFunc(q.opt.Filters, func(f greed.Filter) bool { return !f.Match(&rec) })
		search.AddAttributes(there, &rec)
		return s.ctx.Err()
	})
	for _, f := range q.opt.Filters {
		if err == nil && q.snap.Len() > 0 && !there[f.Attribute] {
			err = fmt.Errorf("%s: %w", q.path, search.NoAttribute(f.Attribute, slices.Sorted(maps.Keys(there))))
		}
	}
	return func(slot int) bool { return kept[slot] }, err
}

// wanted returns the greatest number of answers, 0 for all, and their greatest
// distance.
func (q *vectorQuery) wanted() (k int, radius float64) {
	radius = math.Inf(1)
	if q.opt.Radius != nil {
		radius = *q.opt.Radius
	}
	if k = q.opt.K; k == 0 && q.opt.Radius == nil {
		k = search.DefaultK
	}
	return k, radius
}

func (q *vectorQuery) run(s *session) error {
	vectors, names, err := q.queries()
	if err != nil {
		return err
	}
	kept, err := q.keep(s)
	if err != nil {
		return err
	}
	queries := make([]vectorindex.Query, len(vectors))
	for i, v := range vectors {
		queries[i] = vectorindex.Query{Vector: v, Accept: kept}
	}
	flat, err := vectorindex.NewFlat(q.of.Norm, q.rows)
	if err != nil {
		return fmt.Errorf("%s: embedding %q: %w", q.path, q.of.Name, err)
	}
	start := time.Now()
	var results []vectorindex.Result
	k, radius := q.wanted()
	if k == 0 {
		results, err = flat.Range(s.ctx, queries, radius)
	} else {
		results, err = flat.KNN(s.ctx, queries, k)
	}
	if err != nil {
		return err
	}
	took := time.Since(start)
	return q.answer(s, func(write func(*vectorAnswers) error) error {
		for i, r := range results {
			a := vectorAnswers{Query: names[i], Collection: q.path, Graphs: q.snap.Len(), Embedding: q.of.Name, Model: q.of.Model,
				Answers: make([]vectorAnswer, 0, len(r.Hits)), Seconds: took.Seconds()}
			for _, h := range r.Hits {
				if h.Distance > radius {
					break
				}
				rec, err := q.snap.At(h.Position)
				if err != nil {
					return err
				}
				a.Answers = append(a.Answers, vectorAnswer{rec.ID, rec.Name, rec.SMILES, h.Distance})
			}
			if err := write(&a); err != nil {
				return err
			}
		}
		return nil
	})
}

// answer lets each write the answers to every vector.
func (q *vectorQuery) answer(s *session, each func(write func(*vectorAnswers) error) error) error {
	asJSON := func(w io.Writer) func(*vectorAnswers) error {
		return func(a *vectorAnswers) error { return json.NewEncoder(w).Encode(a) }
	}
	path := q.flags.Output
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case path == "" && s.json:
		return each(asJSON(s.out))
	case path == "":
		return each(func(a *vectorAnswers) error { return q.print(s, a) })
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

// print prints the answers to one vector for people.
func (q *vectorQuery) print(s *session, a *vectorAnswers) error {
	var b strings.Builder
	found := fmt.Sprintf("The %d nearest", len(a.Answers))
	switch k, radius := q.wanted(); {
	case k == 0:
		found = fmt.Sprintf("%d within %s", len(a.Answers), number(radius))
	case q.flags.Radius != nil:
		found += " within " + number(radius)
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
