package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
)

// BatchLine is a line of a batch: a graph to keep under its id, or, with
// delete, the id of one to delete.
type BatchLine struct {
	ID string `json:"id"`
	PutGraph
	Delete bool `json:"delete,omitempty"`
}

// TransformSchema adds what Go types do not say.
func (BatchLine) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return oneOf(s, append(slices.Clone(forms), "delete")...)
}

// BatchResult is the outcome of a batch. All of it is on the disk, or, where
// the request fails, nothing.
type BatchResult struct {
	Put      int `json:"put"`
	Replaced int `json:"replaced"`
	Deleted  int `json:"deleted"`
}

type batchInput struct {
	Name string `path:"name" doc:"The collection"`
}

func (s *Server) registerBatch(api huma.API) {
	schemas := api.OpenAPI().Components.Schemas
	schema := huma.SchemaFromType(schemas, typeOf[BatchLine]())
	plain := func(text []byte) error { return plainBody(text, schema, schemas) }
	const path = "/v1/collections/{name}/graphs"
	operate(s, api, huma.Operation{
		OperationID: "batch", Method: http.MethodPost, Path: path, Summary: "Keep and delete many graphs", Tags: []string{"graphs"},
		Errors: writeErrors, MaxBodyBytes: s.opt.Limits.BatchBody,
		Description: "One JSON object a line. Deletions come first. The answer comes when everything is on the disk; where a line is wrong nothing is changed.",
		Responses: map[string]*huma.Response{"200": {Description: "What was changed", Content: map[string]*huma.MediaType{
			typeJSON: {Schema: huma.SchemaFromType(schemas, typeOf[BatchResult]())},
		}}},
	}, toWrite, func(ctx context.Context, in *batchInput) (*huma.StreamResponse, error) {
		sh, err := s.writable(in.Name)
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			result, err := s.batch(r, sh, plain)
			if err != nil {
				s.fail(r, w, err)
				return
			}
			w.Header().Set("Content-Type", typeJSON)
			json.NewEncoder(w).Encode(result)
		}}, nil
	})
	// Described after the fact, so that huma leaves the lines to be read here.
	api.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		typeNDJSON: {Schema: schema},
	}}
}

// batch reads all lines, then changes the collection; plain returns a problem if
// something of a line would be passed over.
func (s *Server) batch(r *http.Request, sh *hosted, plain func([]byte) error) (*BatchResult, error) {
	put, drop, err := s.readBatch(r.Context(), r.Body, plain)
	if err != nil {
		return nil, err
	}
	leave, err := sh.change(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	kind := sh.kind()
	for _, rec := range put {
		if err := kind.Check(rec); err != nil {
			return nil, explain(err)
		}
		if !kind.Known() {
			kind = dataset.KindOf(rec)
		}
	}
	out, err := sh.Collection.Apply(r.Context(), greed.Change{Put: put, Delete: drop})
	if err != nil {
		return nil, explain(err)
	}
	sh.changed()
	return &BatchResult{Put: len(put), Replaced: out.Replaced, Deleted: out.Deleted}, nil
}

func (s *Server) readBatch(ctx context.Context, body io.Reader, plain func([]byte) error) (put []dataset.Record, drop []string, err error) {
	lines := bufio.NewReaderSize(body, 64<<10)
	for number := 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, explain(err)
		}
		text, readErr := readLine(lines, s.opt.Limits.Body)
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return nil, nil, problem(http.StatusBadRequest, "line %d: %v", number, readErr)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if err := plain(text); err != nil {
				return nil, nil, problem(statusOf(err), "line %d: %v", number, err)
			}
			rec, deleted, err := s.batchLine(ctx, text)
			if err != nil {
				var known huma.StatusError
				if errors.As(err, &known) {
					return nil, nil, problem(known.GetStatus(), "line %d: %v", number, err)
				}
				return nil, nil, err
			}
			if deleted {
				drop = append(drop, rec.ID)
			} else {
				put = append(put, rec)
			}
			if len(put)+len(drop) > s.opt.Limits.Batch {
				return nil, nil, problem(http.StatusRequestEntityTooLarge, "the batch has more than %d lines; send it in parts", s.opt.Limits.Batch)
			}
		}
		if readErr != nil {
			return put, drop, nil
		}
	}
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line, of at most limit bytes.
func readLine(r *bufio.Reader, limit int64) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > limit {
			return nil, errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// batchLine reads a line.
func (s *Server) batchLine(ctx context.Context, text []byte) (rec dataset.Record, deleted bool, err error) {
	var line BatchLine
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&line); err != nil {
		return rec, false, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return rec, false, problem(http.StatusUnprocessableEntity, "there is more than one JSON object on the line")
	}
	if err := fitID(line.ID); err != nil {
		return rec, false, err
	}
	if line.Delete {
		return dataset.Record{ID: line.ID}, true, nil
	}
	rec, err = s.toKeep(ctx, line.ID, &line.PutGraph)
	return rec, false, err
}
