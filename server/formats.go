package server

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// The media types of answers.
const (
	typeJSON   = "application/json"
	typeNDJSON = "application/x-ndjson"
	typeCSV    = "text/csv"
	typeSDF    = "chemical/x-mdl-sdfile"
)

// negotiate chooses a media type by an Accept header: the most wanted of those that are offered,
// and of equals the one named first. What names a type says more of it than what ends in a star.
func negotiate(accept string, offered ...string) (string, error) {
	if strings.TrimSpace(accept) == "" {
		return offered[0], nil
	}
	type wish struct {
		kind   string
		weight float64
	}
	var wishes []wish
	for part := range strings.SplitSeq(accept, ",") {
		kind, parameters, err := mime.ParseMediaType(part)
		weight := 1.0
		if q, ok := parameters["q"]; ok && err == nil {
			weight, err = strconv.ParseFloat(q, 64)
		}
		switch kind {
		case "application/problem+json":
			kind = typeJSON
		case "application/ndjson", "application/jsonl":
			kind = typeNDJSON
		}
		if err == nil {
			wishes = append(wishes, wish{kind, weight})
		}
	}
	best, most, first := "", 0.0, 0
	for _, kind := range offered {
		family, _, _ := strings.Cut(kind, "/")
		for _, named := range []string{kind, family + "/*", "*/*"} {
			at := slices.IndexFunc(wishes, func(w wish) bool { return w.kind == named })
			if at < 0 {
				continue
			}
			if weight := wishes[at].weight; weight > most || weight == most && at < first {
				best, most, first = kind, weight, at
			}
			break
		}
	}
	if best == "" {
		return "", problem(http.StatusNotAcceptable, "answers come as %s or %s, not as %q",
			strings.Join(offered[:len(offered)-1], ", "), offered[len(offered)-1], accept)
	}
	return best, nil
}

// statusHeader carries the status of the search for media types without a place for it.
const statusHeader = "X-Greed-Status"

// write writes the answers of a search, one after the other.
func write(w http.ResponseWriter, r *result) error {
	h := w.Header()
	h.Set("Content-Type", r.job.format)
	h.Set(statusHeader, string(r.Found.Status))
	writeIn := r.writeJSON
	switch r.job.format {
	case typeCSV:
		h.Set("Content-Type", typeCSV+"; charset=utf-8")
		h.Set("Content-Disposition", `attachment; filename="answers.csv"`)
		writeIn = r.writeCSV
	case typeSDF:
		h.Set("Content-Disposition", `attachment; filename="answers.sdf"`)
		writeIn = r.writeSDF
	case typeNDJSON:
		writeIn = r.writeLines
	}
	err := r.account.inPieces(w, writeIn)
	var late *begunError
	if err != nil && !errors.As(err, &late) { // a status can tell
		h.Del("Content-Disposition")
		h.Del(statusHeader)
	}
	return err
}

// begun marks an error after part of the answer was sent.
func begun(err error) error {
	if err == nil {
		return nil
	}
	return &begunError{err}
}

// writeJSON writes the JSON of [greed.Found], answer by answer. How many of them are not
// explained is known behind them.
func (r *result) writeJSON(w io.Writer) error {
	terms, err := json.Marshal(r.Found.FoundTerms)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `%s,"answers":[`, terms[:len(terms)-1]) // without the bracket at the end
	between := ""
	for a, err := range r.each() {
		var text []byte
		if err == nil {
			text, err = json.Marshal(a)
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", between, text)
		}
		if err != nil {
			return err
		}
		between = ","
	}
	rest, err := json.Marshal(r.Found.FoundRest)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "],%s", rest[1:])
	return err
}

// writeLines writes a line for each answer, and the outcome in the last.
func (r *result) writeLines(w io.Writer) error {
	lines := json.NewEncoder(w)
	for a, err := range r.each() {
		if err == nil {
			err = lines.Encode(StreamLine{Answer: &a})
		}
		if err != nil {
			return err
		}
	}
	return r.writeLast(w)
}

// writeLast writes the last line of a stream, which has the outcome.
func (r *result) writeLast(w io.Writer) error {
	io.WriteString(w, `{"found":`)
	if err := r.writeJSON(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "}\n")
	return err
}

// writeCSV writes a row for each answer.
func (r *result) writeCSV(w io.Writer) error {
	rows, rank := csv.NewWriter(w), 0
	rows.Write(r.Found.Columns(r.job.opt.Show, r.job.opt.Explain))
	for a, err := range r.each() {
		if err != nil {
			return err
		}
		rank++
		rows.Write(r.Found.Row(rank, &a, r.job.opt.Show, r.job.opt.Explain))
	}
	rows.Flush()
	return rows.Error()
}

// writeSDF writes the answers as molecules, with their distances as properties. An
// answer that cannot be written, such as a graph that is not a molecule, becomes a record
// without atoms that says why, so that none is missing unnoticed.
func (r *result) writeSDF(w io.Writer) error {
	rank := 0
	var batch []greed.Answer
	for a, err := range r.each() {
		if err != nil {
			return err
		}
		if batch = append(batch, a); len(batch) < molBatch {
			continue
		}
		if err := r.writeMolecules(w, rank, batch); err != nil {
			return err
		}
		rank += len(batch)
		batch = batch[:0]
	}
	return r.writeMolecules(w, rank, batch)
}

// molBatch is for how many answers MOL blocks are read at a time.
const molBatch = 100

// writeMolecules writes answers of which rank come before.
func (r *result) writeMolecules(w io.Writer, rank int, answers []greed.Answer) error {
	ids := make([]string, len(answers))
	for i, a := range answers {
		ids[i] = a.ID
	}
	records, problems := r.job.hosted.molecules(ids, r.account)
	if err := r.job.hosted.Collection.Blocks(context.Background(), records); err != nil {
		return err
	}
	for i, a := range answers {
		more := map[string]any{"rank": rank + i + 1, "similarity": a.Similarity, "status": string(r.Found.Status)}
		for key, value := range map[string]*float64{"predicted": a.Predicted, "lower": a.Lower, "upper": a.Upper} {
			if value != nil {
				more[key] = *value
			}
		}
		edits, texts, smirks := a.Explained()
		for key, text := range map[string]string{"edits": edits, "transformations": texts, "smirks": smirks,
			"origins": a.Ways()} {
			if text != "" {
				more[key] = text
			}
		}
		if err := writeMolecule(w, records[i], more, problems[i]); err != nil {
			return err
		}
	}
	return nil
}

// writeMolecule writes a record as SDF, with more properties. If why says that it cannot be
// written or that shows, it writes one without atoms in its place.
func writeMolecule(w io.Writer, rec dataset.Record, more map[string]any, why error) error {
	out, err := dataset.NewWriter(w, "sdf")
	if err != nil {
		return err
	}
	if why == nil {
		whole := rec
		whole.Attributes = maps.Clone(more)
		dataset.AddAttributes(whole.Attributes, rec.Attributes)
		var unwritable *dataset.UnwritableRecord
		if why = out.Write(whole); why != nil && !errors.As(why, &unwritable) {
			return why // the connection is broken
		}
	}
	if why != nil {
		empty, err := graph.NewBuilder(graph.NewVocabulary(), false).Build()
		if err != nil {
			return err
		}
		line := func(text string) string { return strings.Join(strings.Fields(text), " ") }
		more["not written"] = line(why.Error())
		if err := out.Write(dataset.Record{ID: line(rec.ID), Graph: empty, Attributes: more}); err != nil {
			return err
		}
	}
	return out.Close()
}

// typeOf returns the reflected type of T.
func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
