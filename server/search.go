package server

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/search"
)

// SearchRequest is the body of a search.
type SearchRequest struct {
	Query Query `json:"query" required:"false"`
	operation.Search
	Parted
}

// searchGetInput takes the fields of a search from the address.
type searchGetInput struct {
	CollectionPath
	Accept string `header:"Accept" doc:"application/json, application/x-ndjson, text/csv or chemical/x-mdl-sdfile"`
	SMILES string `query:"smiles" doc:"A molecule as SMILES"`
	ID     string `query:"id" doc:"A graph of the collection"`
	Parted
	params url.Values
}

// Resolve implements [huma.Resolver].
func (in *searchGetInput) Resolve(ctx huma.Context) []error {
	address := ctx.URL()
	in.params = address.Query()
	return nil
}

func (s *Server) registerSearch(api huma.API) {
	responses := written(api, "The answers, nearest first", map[string]reflect.Type{typeJSON: typeOf[greed.Found](),
		typeNDJSON: typeOf[StreamLine](), typeCSV: typeOf[string](), typeSDF: typeOf[string]()})
	op := openAPIOf(operation.Find("search"))
	op.Responses, op.Errors = responses, searchErrors
	op.Description = "Answers are proven unless mode says otherwise; status says what they are. With Accept: " +
		"application/x-ndjson a search that computes distances is streamed: its progress and the best answers so " +
		"far, and found in the last line."
	inCollection(s, api, op, toRead, func(ctx context.Context, sh *hosted, in *streamed[SearchRequest]) (
		*huma.StreamResponse, error) {
		return s.search(ctx, sh, in.Accept, &in.Body)
	})
	inCollection(s, api, huma.Operation{
		OperationID: "searchGet", Method: http.MethodGet, Path: "/v1/collections/{name}/search",
		Summary: "Search a collection by SMILES or id", Tags: []string{"search"}, Responses: responses,
		Errors:     searchErrors,
		Parameters: addressOf(api, operation.Search{}),
	}, toRead, func(ctx context.Context, sh *hosted, in *searchGetInput) (*huma.StreamResponse, error) {
		if in.SMILES == "" && in.ID == "" && !in.params.Has("smarts") {
			return nil, problem(http.StatusUnprocessableEntity,
				"give a query: ?smiles= or ?smarts= or ?id= in the address, or "+
					"POST it to this path as JSON")
		}
		body := SearchRequest{Query: Query{SMILES: in.SMILES, ID: in.ID}, Parted: in.Parted}
		if err := operation.FromAddress(&body.Search, in.params); err != nil {
			return nil, explain(err)
		}
		return s.search(ctx, sh, in.Accept, &body)
	})
}

var searchErrors = []int{http.StatusNotAcceptable, http.StatusConflict}

// job is a search whose request was read.
type job struct {
	hosted *hosted
	record dataset.Record // the query
	opt    greed.Options
	format string
	Parted
	after mark // the answers behind it are wanted
}

// search reads a search and returns a job.
func (s *Server) search(ctx context.Context, sh *hosted, accept string,
	in *SearchRequest) (*huma.StreamResponse, error) {
	j, err := s.understand(ctx, sh, accept, in)
	if err != nil {
		return nil, err
	}
	return s.respond(func(r *http.Request, w http.ResponseWriter) error { return s.carryOut(r, w, j) }), nil
}

// respond returns a response that is written by carryOut.
func (s *Server) respond(carryOut func(*http.Request, http.ResponseWriter) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		if err := carryOut(r, w); err != nil {
			s.fail(r, w, err)
		}
	}}
}

func (s *Server) understand(ctx context.Context, sh *hosted, accept string, in *SearchRequest) (*job, error) {
	j := &job{hosted: sh, Parted: in.Parted}
	var err error
	if j.format, err = negotiate(accept, typeJSON, typeNDJSON, typeCSV, typeSDF); err != nil {
		return nil, err
	}
	begin := time.Now()
	if j.opt, err = s.resolve(&in.Search); err != nil {
		return nil, err
	}
	s.accountOf(ctx).limit(j.opt.Time)
	if j.opt.SMARTS != nil {
		j.record, err = s.patternGraph(&in.Query, j.opt.SMARTS)
	} else {
		j.record, err = s.compared(ctx, sh, &in.Query, operation.GivenCosts(j.opt.Costs)...)
	}
	if err != nil {
		return nil, err
	}
	s.metrics.stage("parse", time.Since(begin))
	return j, s.inParts(j)
}

// patternGraph returns the graph of a pattern, which stands in place of a query.
func (s *Server) patternGraph(q *Query, pattern *greed.SMARTS) (rec dataset.Record, err error) {
	graphs := 0
	if *q != (Query{}) {
		graphs = 1
	}
	if err = operation.Alone(pattern, graphs); err == nil {
		rec, err = operation.PatternRecord(pattern)
	}
	if err != nil {
		return rec, explain(err)
	}
	return rec, s.fits(rec.Graph)
}

// resolve returns the options of a search within the limits of the service.
func (s *Server) resolve(in *operation.Search) (greed.Options, error) {
	opt, err := in.Resolve(s.limits())
	if err == nil && opt.K == 0 && opt.Radius == nil {
		opt.K = min(search.DefaultK, s.opt.Limits.Answers)
	}
	return opt, explain(err)
}

// limits returns the limits of operations here.
func (s *Server) limits() operation.Limits {
	l := s.opt.Limits
	return operation.Limits{Answers: l.Answers, Pairs: int(l.Memory / pairBytes), Time: l.Time, Memory: l.Memory,
		Workers: 1}
}

// carryOut runs a search and writes the answers.
func (s *Server) carryOut(r *http.Request, w http.ResponseWriter, j *job) error {
	if j.opt.Mode != greed.Predicted && j.format == typeNDJSON {
		return s.stream(r, w, j)
	}
	return s.answer(r.Context(), j, func(res *result) error {
		defer s.responses.begin(w, res.bytes())()
		return write(w, res)
	})
}

// answer runs a search, under a permit if it computes distances, and gives what it found. The
// permit is kept as long as answers are explained, which ends with the time of the request.
func (s *Server) answer(ctx context.Context, j *job, give func(*result) error) error {
	run := func(ctx context.Context) (*result, error) {
		account := s.accountOf(ctx)
		j.opt.Time = account.rest(j.opt.Time)
		return s.run(ctx, j, account)
	}
	if j.opt.Mode == greed.Predicted {
		res, err := run(ctx)
		if err != nil {
			return err
		}
		defer res.Close()
		return give(res)
	}
	return holdingPermit(ctx, s, run, func(res *result, leave func()) error {
		defer res.Close()
		defer time.AfterFunc(time.Until(res.account.end), leave).Stop()
		return give(res)
	})
}

// run finds the answers. Close the result.
func (s *Server) run(ctx context.Context, j *job, account *account) (*result, error) {
	j.opt.For(&j.record)
	finding, err := j.hosted.Collection.Find(ctx, j.record.Graph, j.opt)
	if err != nil { // the client is gone
		if finding != nil {
			_ = finding.Close()
		}
		return nil, err
	}
	res := &result{Finding: finding, job: j, account: account, to: finding.Len()}
	s.metrics.searched(finding.Found)
	if j.Limit > 0 {
		err = res.cut(j.after, j.Limit)
	}
	if limit := s.opt.Limits.Answers; err == nil && res.count() > limit {
		err = problem(http.StatusUnprocessableEntity, "%d graphs are within the radius; at most %d answers are "+
			"returned: "+
			"ask for a smaller radius, for the nearest k, or for parts of them by limit", res.count(), limit)
		var failure *huma.ErrorModel
		if errors.As(err, &failure) {
			failure.Errors = []*huma.ErrorDetail{{Message: "how many graphs are within it", Location: "body.radius",
				Value: res.count()}}
		}
	}
	if err != nil {
		_ = res.Close()
		return nil, err
	}
	return res, nil
}

// fail answers with an error. An answer that has begun is cut off, so that nobody takes it
// for complete.
func (s *Server) fail(r *http.Request, w http.ResponseWriter, err error) {
	var begun *begunError
	if errors.As(err, &begun) {
		s.note(r, begun.error)
		panic(http.ErrAbortHandler)
	}
	s.reject(w, r, err)
}

// begunError is an error after the status was sent.
type begunError struct{ error }

func (e *begunError) Unwrap() error { return e.error }

// result is what a search found. Its answers are made one by one when they are written.
type result struct {
	*greed.Finding
	job      *job
	account  *account
	from, to int // the answers that the request gets
}

// each yields the answers. Their edits are those that the account affords; the others are
// counted.
func (r *result) each() iter.Seq2[greed.Answer, error] {
	return func(yield func(greed.Answer, error) bool) {
		r.Found.Unexplained = 0
		for i := r.from; i < r.to; i++ {
			a, err := r.Answer(i)
			if err == nil && (a.Name == "" || a.Name == a.ID) {
				a.Name = r.job.hosted.names.of(a.ID, a.SMILES)
			}
			switch {
			case err != nil || a.Map == nil:
			case !r.job.opt.Explain:
				a.Map = nil
			case r.account.affords(r.Size(i)):
				err = r.Explain(i, &a)
			default:
				r.Found.Unexplained++
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

// count returns how many answers the request gets.
func (r *result) count() int { return r.to - r.from }

// bytes returns about what the result holds.
func (r *result) bytes() int {
	const each = 200 // a search's answer but for its node map
	return r.Len() * (each + 8*r.job.record.Graph.N())
}
