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
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// BatchGraph is a graph of a batch, to keep under its id.
type BatchGraph struct {
	ID string `json:"id"`
	PutGraph
}

// BatchRequest is a batch as one JSON object.
type BatchRequest struct {
	Put  []BatchGraph `json:"put,omitempty" doc:"Graphs to store; of several with the same id, the last"`
	Text string       `json:"text,omitempty" minLength:"1" doc:"More graphs to store, after those of put: the text of a file in any format that greed reads, with the ids, names and attributes that it gives. Graphs without an id get their number in the text as their id, counted from 0"`
	File string       `json:"file,omitempty" doc:"The name of the file that text is from; its ending helps to recognise the format"`
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
}

// batchReader reads batches in both of their forms.
type batchReader struct {
	*Server
	schemas     huma.Registry
	whole, line *huma.Schema
	into        *hosted // the collection of a batch
}

func (s *Server) registerBatch(api huma.API) {
	schemas := api.OpenAPI().Components.Schemas
	in := &batchReader{s, schemas, schemas.Schema(typeOf[BatchRequest](), true, ""), schemas.Schema(typeOf[BatchLine](), true, ""), nil}
	const path = "/v1/collections/{name}/graphs"
	inCollection(s, api, huma.Operation{
		OperationID: "batch", Method: http.MethodPost, Path: path, Summary: "Store and delete many graphs", Tags: []string{"graphs"},
		Errors: writeErrors, MaxBodyBytes: s.opt.Limits.BatchBody,
		Description: "One JSON object, or as application/x-ndjson one object a line. Deletions come first. The answer comes when everything is on the disk; where a graph is wrong nothing is changed.",
		Responses: map[string]*huma.Response{"200": {Description: "What was changed", Headers: etagHeader, Content: map[string]*huma.MediaType{
			typeJSON: {Schema: schemas.Schema(typeOf[greed.Outcome](), true, "")},
		}}},
	}, toWrite, func(_ context.Context, sh *hosted, input *batchInput) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			result, err := in.batch(r, sh, input.WriteCondition)
			if err != nil {
				s.fail(r, w, err)
				return
			}
			w.Header().Set("ETag", etag(result.State))
			w.Header().Set("Content-Type", typeJSON)
			json.NewEncoder(w).Encode(result)
		}}, nil
	})
	// Set after registration, so that huma leaves the body to this function.
	api.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		typeJSON: {Schema: in.whole}, typeNDJSON: {Schema: in.line},
	}}
}

// batch reads the whole batch, then changes the collection.
func (in *batchReader) batch(r *http.Request, sh *hosted, only WriteCondition) (result greed.Outcome, err error) {
	own := *in
	own.into = sh
	change, err := own.read(r)
	if err != nil {
		return result, err
	}
	return sh.applyIf(r.Context(), only, func() bool { return true }, change)
}

func (in *batchReader) read(r *http.Request) (change greed.Change, err error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil && r.Header.Get("Content-Type") != "":
		return change, problem(http.StatusUnsupportedMediaType, "send a batch as %s or %s", typeJSON, typeNDJSON)
	case kind == typeJSON:
		return in.readWhole(r.Context(), r.Body)
	}
	return in.readLines(r.Context(), r.Body)
}

// readWhole reads a batch that is one JSON object.
func (in *batchReader) readWhole(ctx context.Context, body io.Reader) (change greed.Change, err error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return change, problem(http.StatusBadRequest, "the request was cut short")
	}
	if err := plainBody(text, in.whole, in.schemas); err != nil {
		return change, err
	}
	var batch BatchRequest
	if err := decodeOne(text, &batch); err != nil {
		return change, problem(http.StatusUnprocessableEntity, "%v; a batch of one object a line is sent as %s", err, typeNDJSON)
	}
	if len(batch.Put)+len(batch.Delete) > in.opt.Limits.Batch {
		return change, in.tooMany()
	}
	for i := range batch.Put {
		if err := ctx.Err(); err != nil {
			return change, explain(err)
		}
		g := &batch.Put[i]
		rec, err := in.newRecord(ctx, in.into, g.ID, &g.PutGraph)
		if err != nil {
			return change, within(err, "put[%d]", i)
		}
		change.Put = append(change.Put, rec)
	}
	if batch.Text != "" {
		if err := in.readText(ctx, &batch, &change); err != nil {
			return change, err
		}
	}
	resolved, err := batch.Resolve(change.Put)
	return resolved, explain(err)
}

// readText adds the graphs of a file's text to a change.
func (in *batchReader) readText(ctx context.Context, batch *BatchRequest, change *greed.Change) error {
	r, err := in.textReader(ctx, in.into, batch.Text, batch.File, false)
	if err != nil {
		return err
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return within(unreadable(err), "text")
		}
		if err := operation.CheckID(rec.ID); err != nil {
			return within(explain(err), "text: line %d", rec.Line)
		}
		rec.Line, rec.File = 0, ""
		if change.Put = append(change.Put, rec); len(change.Put)+len(batch.Delete) > in.opt.Limits.Batch {
			return in.tooMany()
		}
	}
}

// within says in which part of a request a problem is.
func within(err error, format string, args ...any) error {
	var known huma.StatusError
	if !errors.As(err, &known) {
		return err
	}
	return problem(known.GetStatus(), format+": %v", append(args, err)...)
}

func (in *batchReader) tooMany() error {
	return problem(http.StatusRequestEntityTooLarge, "the batch has more than %d lines; send it in parts", in.opt.Limits.Batch)
}

// decodeOne decodes a text that is one JSON value without unknown members.
func decodeOne(text []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errSeveralValues
	}
	return nil
}

var errSeveralValues = errors.New("there is more than one JSON object")
