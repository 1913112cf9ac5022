package server

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// Wanted says which answers a search should find.
type Wanted struct {
	Task    string   `json:"task,omitempty" query:"task" enum:"ged,sed" default:"ged" doc:"ged: the nearest graphs; sed: the graphs that contain the query most nearly"`
	K       int      `json:"k,omitempty" query:"k" minimum:"1" doc:"How many answers at most; without it 10, or with a radius all"`
	Filter  []string `json:"filter,omitempty" query:"filter,explode" maxItems:"20" doc:"Conditions on id, name and attributes, all of which hold: ATTR=VALUE, ATTR in A,B, ATTR>=X, ATTR exists"`
	Mode    string   `json:"mode,omitempty" query:"mode" enum:"proven,checked,predicted" default:"proven" doc:"proven: complete and exact, unless the time ends, and then it is said what is open; checked: candidates of a model, exactly checked, others may be missed; predicted: by a model's vectors alone, no distances"`
	Show    []string `json:"show,omitempty" query:"show,explode" maxItems:"50" doc:"Attributes that the answers carry"`
	Explain bool     `json:"explain,omitempty" query:"explain" doc:"Give the node map and the edits of answers whose distance was computed"`
	Budget  string   `json:"budget,omitempty" query:"budget" minLength:"1" doc:"Time for the search, such as 500ms or 10s; without it 10s for proven and 1s for checked answers"`
}

// SearchRequest is the body of a search.
type SearchRequest struct {
	Query  Query    `json:"query"`
	Radius *float64 `json:"radius,omitempty" minimum:"0" doc:"Answers within this distance; with k, the nearest of them"`
	// Costs are for searches without a model.
	Costs *CostsJSON `json:"costs,omitempty"`
	Wanted
	Parted
}

type searchInput struct {
	Name   string `path:"name" doc:"The collection"`
	Accept string `header:"Accept" doc:"application/json, application/x-ndjson, text/csv or chemical/x-mdl-sdfile"`
	Body   SearchRequest
}

type searchGetInput struct {
	Name   string `path:"name" doc:"The collection"`
	Accept string `header:"Accept" doc:"application/json, application/x-ndjson, text/csv or chemical/x-mdl-sdfile"`
	SMILES string `query:"smiles" doc:"A molecule as SMILES"`
	ID     string `query:"id" doc:"A graph of the collection"`
	Radius string `query:"radius" doc:"Answers within this distance, a number; with k, the nearest of them"`
	Wanted
	Parted
}

func (s *Server) registerSearch(api huma.API) {
	responses := searchResponses(api)
	operate(s, api, huma.Operation{
		OperationID: "search", Method: http.MethodPost, Path: "/v1/collections/{name}/search",
		Summary: "Search a collection by graph", Tags: []string{"search"}, Responses: responses, Errors: searchErrors,
		Description: "Answers are proven unless mode says otherwise; status says what they are. " +
			"With Accept: application/x-ndjson a search that computes distances is streamed: how far it is and the best so far, and found in the last line.",
	}, toRead, func(ctx context.Context, in *searchInput) (*huma.StreamResponse, error) {
		return s.search(ctx, in.Name, in.Accept, &in.Body)
	})
	operate(s, api, huma.Operation{
		OperationID: "searchGet", Method: http.MethodGet, Path: "/v1/collections/{name}/search",
		Summary: "Search a collection by SMILES or id", Tags: []string{"search"}, Responses: responses, Errors: searchErrors,
	}, toRead, func(ctx context.Context, in *searchGetInput) (*huma.StreamResponse, error) {
		body := SearchRequest{Query: Query{SMILES: in.SMILES, ID: in.ID}, Wanted: in.Wanted, Parted: in.Parted}
		if in.Radius != "" {
			radius, err := strconv.ParseFloat(in.Radius, 64)
			if err != nil {
				return nil, problem(http.StatusUnprocessableEntity, "radius %q is not a number", in.Radius)
			}
			body.Radius = &radius
		}
		return s.search(ctx, in.Name, in.Accept, &body)
	})
}

var searchErrors = []int{http.StatusNotFound, http.StatusNotAcceptable, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests}

// searchResponses describes what the handlers, which write themselves, answer.
func searchResponses(api huma.API) map[string]*huma.Response {
	schemas := api.OpenAPI().Components.Schemas
	schemas.RegisterTypeAlias(typeOf[greed.Found](), typeOf[greed.FoundJSON]())
	schemas.RegisterTypeAlias(typeOf[greed.Answer](), typeOf[greed.AnswerJSON]())
	found := schemas.Schema(typeOf[greed.FoundJSON](), true, "")
	line := schemas.Schema(typeOf[StreamLine](), true, "")
	text := &huma.Schema{Type: huma.TypeString}
	return map[string]*huma.Response{"200": {Description: "The answers, nearest first", Content: map[string]*huma.MediaType{
		typeJSON: {Schema: found}, typeNDJSON: {Schema: line}, typeCSV: {Schema: text}, typeSDF: {Schema: text},
	}}}
}

// job is a search that was understood.
type job struct {
	hosted *hosted
	record dataset.Record // the query
	opt    greed.Options
	format string
	Wanted
	Parted
	after mark // the answers behind it are wanted
}

// search understands a search and returns a job.
func (s *Server) search(ctx context.Context, name, accept string, in *SearchRequest) (*huma.StreamResponse, error) {
	j, err := s.understand(ctx, name, accept, in)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		if err := s.carryOut(r, w, j); err != nil {
			s.fail(r, w, err)
		}
	}}, nil
}

func (s *Server) understand(ctx context.Context, name, accept string, in *SearchRequest) (*job, error) {
	j := &job{Wanted: in.Wanted, Parted: in.Parted}
	var err error
	if j.format, err = negotiate(accept); err != nil {
		return nil, err
	}
	begin := time.Now()
	var compared []edit.Costs
	if in.Costs != nil {
		costs, err := in.Costs.read()
		if err != nil {
			return nil, err
		}
		compared = append(compared, costs)
	}
	if j.hosted, j.record, err = s.asked(ctx, name, &in.Query, compared...); err != nil {
		return nil, err
	}
	s.metrics.stage("parse", time.Since(begin))
	if err := s.options(j, in); err != nil {
		return nil, err
	}
	return j, s.inParts(j)
}

// options returns the options of the search.
func (s *Server) options(j *job, in *SearchRequest) error {
	o := greed.Options{K: in.K, Show: in.Show, Workers: 1, Memory: s.opt.Limits.Memory}
	if in.Costs != nil {
		costs, err := in.Costs.read()
		if err != nil {
			return err
		}
		o.Costs, o.NoModel = &costs, true
	}
	var err error
	if o.Task, err = taskOf(in.Task); err != nil {
		return err
	}
	switch {
	case in.Radius != nil && (math.IsNaN(*in.Radius) || *in.Radius < 0):
		return problem(http.StatusUnprocessableEntity, "the radius is %v; give a distance of at least 0", *in.Radius)
	case in.Radius != nil:
		o.Radius = in.Radius
	case o.K == 0:
		o.K = 10
	}
	if o.K < 0 || o.K > s.opt.Limits.Answers {
		return problem(http.StatusUnprocessableEntity, "k is %d; from 1 to %d answers can be asked for", o.K, s.opt.Limits.Answers)
	}
	if err = o.Mode.UnmarshalText([]byte(orElse(in.Mode, "proven"))); err != nil {
		return problem(http.StatusUnprocessableEntity, "%v", err)
	}
	usual := provenBudget
	if o.Mode == greed.Checked {
		usual = checkedBudget
	}
	if o.Time, err = s.budget(in.Budget, usual); err != nil {
		return err
	}
	if o.Mode == greed.Predicted {
		if o.NoModel {
			return problem(http.StatusUnprocessableEntity, "predictions are made with the costs of a model; leave out costs")
		}
		if o.Time = 0; !j.hosted.has(o.Task) {
			return noModel(j.hosted, o.Task)
		}
	}
	if o.Filters, err = parseFilters(in.Filter); err != nil {
		return err
	}
	j.opt = o
	return nil
}

// The default time: as long as people wait for a proof, and less for modes that promise
// quick answers.
const (
	provenBudget  = 10 * time.Second
	checkedBudget = time.Second
)

// budget reads the time for a request.
func (s *Server) budget(text string, usual time.Duration) (time.Duration, error) {
	d := usual
	if text != "" {
		var err error
		if d, err = time.ParseDuration(text); err != nil || d <= 0 {
			return 0, problem(http.StatusUnprocessableEntity, "budget %q is not a time such as 500ms or 10s", text)
		}
		if d > s.opt.Limits.Time {
			return 0, problem(http.StatusUnprocessableEntity, "the budget is %v; at most %v are given to a request here", d, s.opt.Limits.Time)
		}
	}
	return min(d, s.opt.Limits.Time), nil
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// has reports whether there is a model for a task.
func (s *hosted) has(task greed.Task) bool {
	for _, t := range s.Collection.Models() {
		if t == task {
			return true
		}
	}
	return false
}

// carryOut runs a search and writes the answers.
func (s *Server) carryOut(r *http.Request, w http.ResponseWriter, j *job) error {
	if j.opt.Mode != greed.Predicted && j.format == typeNDJSON {
		understood(r.Context())
		return s.stream(r, w, j)
	}
	return s.answer(r.Context(), j, func(res *result) error {
		defer s.outbox.begin(w, res.bytes())()
		return write(w, res)
	})
}

// answer runs a search, in a place if it computes distances, and gives what it found. The
// place is kept as long as answers are explained, which ends with the time of the request.
func (s *Server) answer(ctx context.Context, j *job, give func(*result) error) error {
	run := func(ctx context.Context) (*result, error) { return s.run(ctx, j, s.account(j.opt.Time)) }
	if j.opt.Mode == greed.Predicted {
		res, err := run(ctx)
		if err != nil {
			return err
		}
		defer res.Close()
		return give(res)
	}
	understood(ctx)
	return inPlace(ctx, s, run, func(res *result, leave func()) error {
		defer res.Close()
		defer time.AfterFunc(time.Until(res.account.end), leave).Stop()
		return give(res)
	})
}

// run finds the answers. Close the result.
func (s *Server) run(ctx context.Context, j *job, account *account) (*result, error) {
	j.opt.Names = j.record.NodeIDs
	finding, err := j.hosted.Collection.Find(ctx, j.record.Graph, j.opt)
	if err != nil { // the client is gone
		if finding != nil {
			_ = finding.Close()
		}
		return nil, err
	}
	res := &result{Finding: finding, job: j, account: account}
	s.metrics.searched(finding.Found)
	s.tracing.found(ctx, finding.Found, finding.Len())
	if j.Limit > 0 {
		err = res.cut(j.after, j.Limit)
	}
	if limit := s.opt.Limits.Answers; err == nil && res.count() > limit {
		err = problem(http.StatusUnprocessableEntity, "%d graphs are within the radius; at most %d answers are given: ask for a smaller radius, for the nearest k, or for parts of them by limit", res.count(), limit)
		var told *huma.ErrorModel
		if errors.As(err, &told) {
			told.Errors = []*huma.ErrorDetail{{Message: "how many graphs are within it", Location: "body.radius", Value: res.count()}}
		}
	}
	if err != nil {
		_ = res.Close()
		return nil, err
	}
	return res, nil
}

// fail answers with an error. An answer that has begun is cut off, so that nobody takes it
// for a whole one.
func (s *Server) fail(r *http.Request, w http.ResponseWriter, err error) {
	var begun *begunError
	if errors.As(err, &begun) {
		s.note(r, begun.error)
		panic(http.ErrAbortHandler)
	}
	s.note(r, err)
	writeProblem(w, err)
}

// begunError is an error that comes too late for a status.
type begunError struct{ error }

func (e *begunError) Unwrap() error { return e.error }
