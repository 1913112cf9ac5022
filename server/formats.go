package server

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
)

// The media types of answers.
const (
	typeJSON   = "application/json"
	typeNDJSON = "application/x-ndjson"
	typeCSV    = "text/csv"
	typeSDF    = "chemical/x-mdl-sdfile"
)

// negotiate chooses a media type by an Accept header: the most wanted of those that the
// service has.
func negotiate(accept string) (string, error) {
	if strings.TrimSpace(accept) == "" {
		return typeJSON, nil
	}
	best, most := "", 0.0
	for part := range strings.SplitSeq(accept, ",") {
		kind, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, ok := parameters["q"]; ok {
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		switch kind {
		case "*/*", "application/*", "application/problem+json":
			kind = typeJSON
		case "text/*":
			kind = typeCSV
		case "application/ndjson", "application/jsonl":
			kind = typeNDJSON
		case typeJSON, typeNDJSON, typeCSV, typeSDF:
		default:
			continue
		}
		if weight > most {
			best, most = kind, weight
		}
	}
	if best == "" {
		return "", problem(http.StatusNotAcceptable, "answers come as %s, %s, %s or %s, not as %q", typeJSON, typeNDJSON, typeCSV, typeSDF, accept)
	}
	return best, nil
}

// statusHeader carries the status of the search for media types without a place for it.
const statusHeader = "X-Greed-Status"

// write writes the answers of a search.
func write(w http.ResponseWriter, j *job, found *greed.Found) error {
	h := w.Header()
	h.Set("Content-Type", j.format)
	h.Set(statusHeader, string(found.Status))
	switch j.format {
	case typeCSV:
		h.Set("Content-Type", typeCSV+"; charset=utf-8")
		h.Set("Content-Disposition", `attachment; filename="answers.csv"`)
		return begun(writeCSV(w, found))
	case typeSDF:
		h.Set("Content-Disposition", `attachment; filename="answers.sdf"`)
		return begun(writeSDF(w, j.hosted, found))
	case typeNDJSON:
		lines := json.NewEncoder(w)
		for i := range found.Answers {
			if err := lines.Encode(StreamLine{Answer: &found.Answers[i]}); err != nil {
				return begun(err)
			}
		}
		rest := *found
		return begun(lines.Encode(StreamLine{Found: &rest}))
	}
	return begun(json.NewEncoder(w).Encode(found))
}

// begun marks an error after part of the answer was sent.
func begun(err error) error {
	if err == nil {
		return nil
	}
	return &begunError{err}
}

// writeCSV writes a row for each answer. A cell that a spreadsheet would take for a
// formula gets an apostrophe in front.
func writeCSV(w http.ResponseWriter, found *greed.Found) error {
	rows := csv.NewWriter(w)
	rows.Write([]string{"rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "similarity", "status"})
	for i := range found.Answers {
		a := found.Answers[i].JSON()
		rows.Write([]string{
			strconv.Itoa(i + 1), plainCell(a.ID), plainCell(a.Name), plainCell(a.SMILES),
			number(a.Predicted), number(a.Lower), number(a.Upper), strconv.FormatBool(a.Exact), number(&a.Similarity), string(found.Status),
		})
	}
	rows.Flush()
	return rows.Error()
}

func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func number(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// writeSDF writes the answers as molecules, with their distances as properties. An
// answer that cannot be written, such as a graph that is no molecule, becomes a record
// without atoms that says why, so that none is missing unnoticed.
func writeSDF(w http.ResponseWriter, sh *hosted, found *greed.Found) error {
	out, err := dataset.NewWriter(w, "sdf")
	if err != nil {
		return err
	}
	for i := range found.Answers {
		a := found.Answers[i].JSON()
		rec, ok := sh.Collection.Get(a.ID)
		if !ok {
			rec = dataset.Record{ID: a.ID}
		}
		meta := map[string]any{"rank": i + 1, "similarity": a.Similarity, "status": string(found.Status)}
		for key, value := range rec.Attributes {
			meta[key] = value
		}
		for key, value := range map[string]*float64{"predicted": a.Predicted, "lower": a.Lower, "upper": a.Upper} {
			if value != nil {
				meta[key] = *value
			}
		}
		rec.Attributes = meta
		why := errors.New("it was deleted since")
		if ok {
			why = out.Write(rec)
		}
		if why != nil {
			if err := out.Close(); err != nil {
				return err // the connection is broken
			}
			if err := writeEmpty(w, i+1, a, why); err != nil {
				return err
			}
			if out, err = dataset.NewWriter(w, "sdf"); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// writeEmpty writes an SDF record without atoms in place of an answer.
func writeEmpty(w io.Writer, rank int, a greed.AnswerJSON, why error) error {
	line := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	text := line(a.ID) + "\n  greed\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
	for _, p := range [][2]string{{"rank", strconv.Itoa(rank)}, {"predicted", number(a.Predicted)}, {"lower", number(a.Lower)}, {"upper", number(a.Upper)}, {"not written", why.Error()}} {
		if p[1] != "" {
			text += "> <" + p[0] + ">\n" + line(p[1]) + "\n\n"
		}
	}
	_, err := io.WriteString(w, text+"$$$$\n")
	return err
}

// typeOf returns the reflected type of T.
func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
