package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/dataset"
)

// RecordsRequest is a text of graphs.
type RecordsRequest struct {
	Text string `json:"text" minLength:"1" doc:"Graphs in any format that greed reads, recognised by its content"`
	Name string `json:"name,omitempty" minLength:"1" doc:"${records_request_name}"`
	Among
}

// Records are the graphs of a text, as they were read.
type Records struct {
	Records []ReadRecord   `json:"records"`
	More    bool           `json:"more,omitempty" doc:"There are others in the text"`
	Notes   []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading"`
}

// ReadRecord is a graph of a text, or why it cannot be read.
type ReadRecord struct {
	ID     string     `json:"id"`
	Name   string     `json:"name,omitempty"`
	SMILES string     `json:"smiles,omitempty"`
	Graph  *GraphJSON `json:"graph,omitempty"`
	Line   int        `json:"line,omitempty" doc:"Where it begins"`
	Error  string     `json:"error,omitempty" doc:"Why it cannot be read"`
}

// mostRecords is how many graphs of a text are listed.
const mostRecords = 500

func (s *Server) registerRecords(api huma.API) {
	answers(s, api, huma.Operation{
		OperationID: "readRecords", Method: http.MethodPost, Path: "/v1/records", Summary: "Read the graphs of a text",
		Tags: []string{"graphs"},
		Description: "At most 500 graphs are listed, fewer where they are large. One that cannot be read is listed " +
			"with the reason, and the others are read.",
	}, toRead, func(ctx context.Context, in *body[RecordsRequest]) (*Records, error) {
		return s.readRecords(ctx, &in.Body)
	})
}

func (s *Server) readRecords(ctx context.Context, in *RecordsRequest) (*Records, error) {
	sh, err := s.readFor(in.Collection)
	if err != nil {
		return nil, err
	}
	r, err := s.textReader(ctx, sh, in.Text, in.Name, true)
	if err != nil {
		return nil, err
	}
	out, account := &Records{Records: []ReadRecord{}}, s.accountOf(ctx)
	size := 0
	for {
		rec, err := r.Next()
		var bad *dataset.BadRecord
		switch {
		case errors.Is(err, io.EOF):
			out.Notes = r.Notes()
			return out, nil
		case errors.As(err, &bad):
			out.Records = append(out.Records, ReadRecord{ID: bad.ID, Line: bad.Line,
				Error: shorten(dataset.Plain(bad.Err))})
		case err != nil:
			return nil, unreadable(err)
		default:
			g, err := show(rec)
			if err != nil {
				return nil, explain(err)
			}
			size += rec.Graph.N() + rec.Graph.M()
			out.Records = append(out.Records, ReadRecord{ID: rec.ID, Name: rec.Name, SMILES: rec.SMILES, Graph: g,
				Line: rec.Line})
		}
		if len(out.Records) == mostRecords || !account.holds(size, elementBytes) {
			_, err := r.Next()
			out.More = !errors.Is(err, io.EOF)
			out.Notes = r.Notes()
			return out, nil
		}
	}
}

// textReader reads the graphs of a text as those of a collection, if one is given. file names the
// file that it is from, if it is known; mixed lets directed graphs stand beside others.
func (s *Server) textReader(ctx context.Context, sh *hosted, text, file string, shown bool) (*dataset.Reader, error) {
	opt := s.reading(ctx, sh, nil)
	opt.Mixed, opt.Unnumbered = shown, !shown
	if file == "" {
		file = "text"
	}
	r, err := dataset.NewReader(strings.NewReader(text), file, opt)
	return r, unreadable(err)
}
