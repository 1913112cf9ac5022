package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
)

// BatchGraph is a graph of a batch, to store under its id.
type BatchGraph struct {
	ID string `json:"id"`
	PutGraph
}

// BatchRequest is a batch as one JSON object.
type BatchRequest struct {
	Put  []BatchGraph `json:"put,omitempty" doc:"Graphs to store; of several with the same id, the last"`
	Text string       `json:"text,omitempty" minLength:"1" doc:"${batch_request_text}"`
	File string       `json:"file,omitempty" minLength:"1" doc:"${batch_request_file}"`
	operation.Change
}

// BatchLine is a line of an NDJSON batch: a graph to store under its id or, with
// delete, the id of a graph to delete.
type BatchLine struct {
	BatchGraph
	Delete bool `json:"delete,omitempty"`
}

type batchInput struct {
	CollectionPath
	WriteCondition
	ContentType string `header:"Content-Type" hidden:"true"`
}

// batchReader reads batches in both of their forms.
type batchReader struct {
	*Server
	schemas     huma.Registry
	whole, line *huma.Schema
}

func (s *Server) registerBatch(api huma.API) {
	schemas := api.OpenAPI().Components.Schemas
	in := &batchReader{s, schemas, schemas.Schema(typeOf[BatchRequest](), true, ""),
		schemas.Schema(typeOf[BatchLine](), true, "")}
	op := openAPIOf(operation.Find("change"))
	op.Errors, op.MaxBodyBytes = writeErrors, s.opt.Limits.BatchBody
	inCollection(s, api, op, toWrite, func(ctx context.Context, sh *hosted, request *batchInput) (*changed, error) {
		change, notes, err := in.read(ctx, sh, request.ContentType, traceOf(ctx).body)
		if err != nil {
			return nil, err
		}
		done, err := sh.applyIf(ctx, request.WriteCondition, func() bool { return true }, change)
		if err == nil {
			done.Body.Notes = dataset.Merge(done.Body.Notes, notes)
		}
		return done, err
	})
	// Set after registration, so that huma leaves the body to this function.
	content := map[string]*huma.MediaType{typeJSON: {Schema: in.whole}, typeNDJSON: {Schema: in.line}}
	api.OpenAPI().Paths[op.Path].Post.RequestBody = &huma.RequestBody{Required: true, Content: content}
}

// read reads the whole batch for a collection.
func (in *batchReader) read(ctx context.Context, sh *hosted, contentType string,
	body []byte) (change greed.Change, notes []dataset.Note, err error) {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil && contentType != "":
		return change, nil, problem(http.StatusUnsupportedMediaType, "send a batch as %s or %s", typeJSON, typeNDJSON)
	case kind == typeJSON:
		change, notes, err = in.readWhole(ctx, sh, body)
	default:
		change, err = in.readLines(ctx, sh, body)
	}
	return change, notes, err
}

// readWhole reads a batch that is one JSON object.
func (in *batchReader) readWhole(ctx context.Context, sh *hosted,
	text []byte) (change greed.Change, notes []dataset.Note, err error) {
	if err := plainBody(text, in.whole, in.schemas); err != nil {
		return change, nil, err
	}
	var batch BatchRequest
	if err := decodeOne(text, &batch); err != nil {
		return change, nil, problem(http.StatusUnprocessableEntity, "%v; a batch of one object a line is sent as %s",
			err, typeNDJSON)
	}
	if len(batch.Put)+len(batch.Delete) > in.opt.Limits.Batch {
		return change, nil, in.tooMany()
	}
	for i := range batch.Put {
		if err := ctx.Err(); err != nil {
			return change, nil, explain(err)
		}
		g := &batch.Put[i]
		rec, err := in.newRecord(ctx, sh, g.ID, &g.PutGraph)
		if err != nil {
			return change, nil, within(err, "put[%d]", i)
		}
		change.Put = append(change.Put, rec)
	}
	change, err = batch.Resolve(change.Put)
	if err == nil && batch.Text != "" {
		notes, err = in.readText(ctx, sh, &batch, &change)
	}
	return change, notes, explain(err)
}

// readText adds the graphs of a file's text to a change, those without an id as they are, and
// returns the reader's notes.
func (in *batchReader) readText(ctx context.Context, sh *hosted, batch *BatchRequest,
	change *greed.Change) ([]dataset.Note, error) {
	r, err := in.textReader(ctx, sh, batch.Text, batch.File, false)
	if err != nil {
		return nil, err
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Notes(), nil
		}
		if err != nil {
			return nil, within(unreadable(err), "text")
		}
		if err := operation.CheckID(rec.ID); err != nil && rec.ID != "" {
			return nil, within(explain(err), "text: line %d", rec.Line)
		}
		rec.Line, rec.File = 0, ""
		if change.Put = append(change.Put, rec); len(change.Put)+len(batch.Delete) > in.opt.Limits.Batch {
			return nil, in.tooMany()
		}
	}
}

// within names the part of a request that a problem is in.
func within(err error, format string, args ...any) error {
	var known huma.StatusError
	if !errors.As(err, &known) {
		return err
	}
	return problem(known.GetStatus(), format+": %v", append(args, err)...)
}

func (in *batchReader) tooMany() error {
	return problem(http.StatusRequestEntityTooLarge, "the batch has more than %d lines; send it in parts",
		in.opt.Limits.Batch)
}

// decodeOne decodes a text that is one JSON value without unknown members.
func decodeOne(text []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return operation.Misread(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errSeveralValues
	}
	return nil
}

var errSeveralValues = errors.New("there is more than one JSON object")

// readLines reads a batch of one JSON object a line.
func (in *batchReader) readLines(ctx context.Context, sh *hosted, body []byte) (change greed.Change, err error) {
	number := 0
	for text := range bytes.Lines(body) {
		number++
		if err := ctx.Err(); err != nil {
			return change, explain(err)
		}
		if int64(len(text)) > in.opt.Limits.Body {
			return change, problem(http.StatusBadRequest, "line %d: the line is too long", number)
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		rec, deleted, err := in.readOne(ctx, sh, text)
		switch {
		case err != nil:
			return change, within(err, "line %d", number)
		case deleted:
			change.Delete = append(change.Delete, rec.ID)
		default:
			change.Put = append(change.Put, rec)
		}
		if len(change.Put)+len(change.Delete) > in.opt.Limits.Batch {
			return change, in.tooMany()
		}
	}
	return change, nil
}

// readOne reads a line.
func (in *batchReader) readOne(ctx context.Context, sh *hosted,
	text []byte) (rec dataset.Record, deleted bool, err error) {
	if err := plainBody(text, in.line, in.schemas); err != nil {
		return rec, false, err
	}
	var line BatchLine
	if err := decodeOne(text, &line); err != nil {
		return rec, false, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	if err := explain(operation.CheckID(line.ID)); err != nil {
		return rec, false, err
	}
	if line.Delete {
		return dataset.Record{ID: line.ID}, true, nil
	}
	rec, err = in.newRecord(ctx, sh, line.ID, &line.PutGraph)
	return rec, false, err
}
