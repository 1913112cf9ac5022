package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	greed "github.com/greedgraph/greed"
)

// SearchesRequest is the body of a request with many queries.
type SearchesRequest struct {
	Queries []Query  `json:"queries" minItems:"1" maxItems:"100"`
	Radius  *float64 `json:"radius,omitempty" minimum:"0" doc:"Answers within this distance; with k, the nearest of them"`
	Wanted
}

// Searches are the outcomes of many queries.
type Searches struct {
	Results []SearchResult `json:"results" doc:"One for each query, in their order"`
}

// SearchResult is the outcome of one of many queries: what was found, or what is wrong
// with the query.
type SearchResult struct {
	Query   int          `json:"query" doc:"The number of the query, from 0"`
	Found   *greed.Found `json:"found,omitempty"`
	Problem *Problem     `json:"problem,omitempty"`
}

type searchesInput struct {
	Name   string `path:"name" doc:"The collection"`
	Accept string `header:"Accept"`
	Body   SearchesRequest
}

// mostOfMany is how many times the answers of one search many searches may have.
const mostOfMany = 10

func (s *Server) registerSearches(api huma.API) {
	schemas := api.OpenAPI().Components.Schemas
	operate(s, api, huma.Operation{
		OperationID: "searchMany", Method: http.MethodPost, Path: "/v1/collections/{name}/searches",
		Summary: "Search a collection by many graphs", Tags: []string{"search"}, Errors: searchErrors,
		Description: "The budget is for all queries together: each gets an equal part of what is left. A query that cannot be read does not keep the others from being answered. " +
			"With Accept: application/x-ndjson each result is a line, sent when it is there.",
		Responses: map[string]*huma.Response{"200": {Description: "What was found for each query", Content: map[string]*huma.MediaType{
			typeJSON: {Schema: schemas.Schema(typeOf[Searches](), true, "")}, typeNDJSON: {Schema: schemas.Schema(typeOf[SearchResult](), true, "")},
		}}},
	}, toRead, func(ctx context.Context, in *searchesInput) (*huma.StreamResponse, error) {
		m, err := s.understandMany(ctx, in)
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			if err := m.carryOut(r, w); err != nil {
				s.fail(r, w, err)
			}
		}}, nil
	})
}

// many are searches that have been understood.
type many struct {
	*Server
	jobs    []*job
	wrong   []error // by query; nil: its job can be done
	format  string
	budget  time.Duration // for all; 0: they need none
	request string
}

func (s *Server) understandMany(ctx context.Context, in *searchesInput) (*many, error) {
	sh, err := s.find(in.Name)
	if err != nil {
		return nil, err
	}
	m := &many{Server: s, request: traceOf(ctx).id}
	if m.format, err = negotiate(in.Accept); err != nil {
		return nil, err
	}
	if m.format != typeNDJSON && m.format != typeJSON {
		return nil, problem(http.StatusNotAcceptable, "the answers of many queries come as %s or %s", typeJSON, typeNDJSON)
	}
	all := SearchRequest{Radius: in.Body.Radius, Wanted: in.Body.Wanted}
	common := &job{hosted: sh, Wanted: in.Body.Wanted, format: m.format}
	if err := s.options(common, &all); err != nil {
		return nil, err
	}
	m.budget = common.opt.Time
	for i := range in.Body.Queries {
		j := *common
		j.record, err = s.read(ctx, &in.Body.Queries[i], sh)
		if err == nil {
			err = sh.comparable(j.record)
		}
		if ctx.Err() != nil {
			return nil, explain(ctx.Err())
		}
		m.jobs, m.wrong = append(m.jobs, &j), append(m.wrong, err)
	}
	return m, nil
}

// carryOut answers all queries, one after the other in one place.
func (m *many) carryOut(r *http.Request, w http.ResponseWriter) error {
	results := make(chan SearchResult, len(m.jobs)) // so that work never waits for the client
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := &lineWriter{w: w, control: http.NewResponseController(w)}
	var told sync.WaitGroup
	if m.format == typeNDJSON {
		told.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case result, more := <-results:
					if !more || out.send(result) != nil {
						return
					}
				}
			}
		})
	}
	work := func(ctx context.Context) (struct{}, error) {
		defer close(results)
		return struct{}{}, m.run(ctx, results)
	}
	var err error
	if m.budget > 0 {
		understood(r.Context())
		_, err = withPlace(r.Context(), m.Server, work)
	} else {
		_, err = work(r.Context())
	}
	if err != nil {
		cancel()
	}
	told.Wait()
	switch {
	case err != nil && out.begun:
		_ = out.send(StreamLine{Error: explain(err).Error(), Request: m.request})
		return begun(err)
	case err != nil || m.format == typeNDJSON:
		return err
	}
	all := Searches{Results: []SearchResult{}}
	for result := range results {
		all.Results = append(all.Results, result)
	}
	w.Header().Set("Content-Type", typeJSON)
	return begun(json.NewEncoder(w).Encode(all))
}

// run does the jobs, as long as the client waits for them.
func (m *many) run(ctx context.Context, results chan<- SearchResult) error {
	end, answers := time.Now().Add(m.budget), 0
	for i, j := range m.jobs {
		err := m.wrong[i]
		var found *greed.Found
		if err == nil && answers > mostOfMany*m.opt.Limits.Answers {
			err = problem(http.StatusUnprocessableEntity, "the queries before have %d answers, which is enough for one request; send this one again", answers)
		}
		if err == nil {
			if m.budget > 0 {
				// A share is never nothing: without time there would be no limit.
				j.opt.Time = max(time.Until(end)/time.Duration(len(m.jobs)-i), time.Millisecond)
			}
			found, err = m.Server.run(ctx, j)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		result := SearchResult{Query: i, Found: found}
		if err != nil {
			result.Problem = told(explain(err), m.request)
		} else {
			answers += len(found.Answers)
		}
		results <- result
	}
	return nil
}
