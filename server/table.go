package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
)

// Pair is two graphs.
type Pair struct {
	Query  Query `json:"query"`
	Target Query `json:"target"`
}

// Among names the collection by whose rules two graphs are read; they need not be in it.
type Among struct {
	Collection string `json:"collection,omitempty" minLength:"1" doc:"${among_collection}"`
}

// Between names the other collection of pairs.
type Between struct {
	Other string `json:"other,omitempty" minLength:"1" doc:"Another collection: pairs then have one graph of each"`
}

// graphsOf are the members of a body, beside the fields of an operation, that name what it takes.
type graphsOf struct {
	pair  Pair
	query struct {
		Query Query `json:"query"`
	}
	graph Query
	Among
	Between
}

// taken returns pointers to structs of the members that an operation takes.
func (g *graphsOf) taken(t operation.Takes) []any {
	switch t {
	case operation.APair:
		return []any{&g.pair, &g.Among}
	case operation.AQuery:
		return []any{&g.query}
	case operation.AGraph:
		return []any{&g.graph, &g.Among}
	case operation.TwoCollections:
		return []any{&g.Between}
	}
	return nil
}

// ownHandlers are the operations with handlers of their own: a search also sends answers as they come, and a change
// is read in several forms and made on conditions.
var ownHandlers = []string{"search", "change"}

// typeBytes is what huma takes a body for that it does not decode.
const typeBytes = "application/octet-stream"

// inBody and inAddress are requests for an operation that is not about a collection, and for one that is.
type inBody struct{ RawBody []byte }

type ofHosted struct {
	CollectionPath
	RawBody []byte
}

type inAddress struct {
	CollectionPath
	Task string `query:"task" enum:"ged,sed" default:"ged"`
}

// registerTable adds the operations of the table.
func (s *Server) registerTable(api huma.API) {
	for i := range operation.Table {
		if o := &operation.Table[i]; o.Route != "" && !slices.Contains(ownHandlers, o.Name) {
			s.registerOperation(api, o)
		}
	}
}

// openAPIOf returns what OpenAPI says of an operation beside its body and its answer.
func openAPIOf(o *operation.Operation) huma.Operation {
	method, path, _ := strings.Cut(o.Route, " ")
	op := huma.Operation{OperationID: o.Name, Method: method, Path: path, Summary: o.Summary, Description: o.About,
		Tags: []string{o.Group}}
	if o.Takes.InCollection() {
		op.Errors = []int{http.StatusConflict}
	}
	return op
}

// registerOperation adds an operation, whose bodies are described by its request and what it takes.
func (s *Server) registerOperation(api huma.API, o *operation.Operation) {
	schemas := api.OpenAPI().Components.Schemas
	op := openAPIOf(o)
	op.Responses = written(api, o.Summary, map[string]reflect.Type{typeJSON: o.Result})
	switch {
	case op.Method == http.MethodGet:
		operate(s, api, op, toRead, func(ctx context.Context, in *inAddress) (*body[any], error) {
			request := o.New()
			err := operation.FromAddress(request, map[string][]string{"task": {in.Task}})
			return s.answered(ctx, o, in.Name, &graphsOf{}, request, err)
		})
		return
	case o.Takes.InCollection():
		op.RequestBody = s.bodyOf(schemas, o)
		operate(s, api, op, toRead, func(ctx context.Context, in *ofHosted) (*body[any], error) {
			return s.carryOutBody(ctx, o, in.Name, in.RawBody)
		})
		delete(op.RequestBody.Content, typeBytes)
	default:
		op.RequestBody = s.bodyOf(schemas, o)
		operate(s, api, op, toRead, func(ctx context.Context, in *inBody) (*body[any], error) {
			return s.carryOutBody(ctx, o, "", in.RawBody)
		})
		delete(op.RequestBody.Content, typeBytes)
	}
}

// bodyOf describes the body of requests for an operation.
func (s *Server) bodyOf(schemas huma.Registry, o *operation.Operation) *huma.RequestBody {
	name := strings.ToUpper(o.Name[:1]) + o.Name[1:] + "Request"
	whole := &huma.Schema{Type: huma.TypeObject, Properties: make(map[string]*huma.Schema), AdditionalProperties: false}
	for _, part := range append(new(graphsOf).taken(o.Takes), o.New()) {
		of := huma.SchemaFromType(schemas, reflect.TypeOf(part).Elem())
		for name, member := range of.Properties {
			if whole.Properties[name] == nil {
				whole.Properties[name] = member
			}
		}
		whole.Required = append(whole.Required, of.Required...)
	}
	slices.Sort(whole.Required)
	schemas.Map()[name] = whole
	return &huma.RequestBody{Required: true,
		Content: map[string]*huma.MediaType{typeJSON: {Schema: &huma.Schema{Ref: "#/components/schemas/" + name}}}}
}

func (s *Server) carryOutBody(ctx context.Context, o *operation.Operation, collection string,
	text []byte) (*body[any], error) {
	request, given := o.New(), &graphsOf{}
	err := operation.Decode(text, append(given.taken(o.Takes), request)...)
	return s.answered(ctx, o, collection, given, request, err)
}

// answered carries out a request, unless it could not be read.
func (s *Server) answered(ctx context.Context, o *operation.Operation, collection string, given *graphsOf, request any,
	unread error) (*body[any], error) {
	if unread != nil {
		var field *operation.Error
		if !errors.As(unread, &field) {
			unread = problem(http.StatusUnprocessableEntity, "the body cannot be read: %v", unread)
		}
		return nil, unread
	}
	result, err := s.carryOutPlan(ctx, o, collection, given, request)
	return &body[any]{result}, err
}

// carryOutPlan plans a request, reads what it takes, and runs it within the account of the request, under a
// permit if it computes distances.
func (s *Server) carryOutPlan(ctx context.Context, o *operation.Operation, collection string, given *graphsOf,
	request any) (any, error) {
	in := &operation.Inputs{}
	if o.Takes.InCollection() {
		given.Collection = collection
	}
	sh, usual, err := s.among(given.Among)
	if err != nil {
		return nil, err
	}
	if sh != nil {
		in.Collection = sh.Collection
		in.Plane = func(ctx context.Context, task greed.Task) (*greed.Plane, error) {
			return sh.planes[task].get(ctx, sh, func() (*greed.Plane, error) { return sh.Collection.Plane(ctx, task) })
		}
	}
	plan, err := o.Plan(request, s.limits(), usual)
	if err != nil {
		return nil, err
	}
	account := s.accountOf(ctx)
	if plan.Time != greed.NoLimit && plan.Time > 0 {
		account.limit(plan.Time)
	}
	if err := s.take(ctx, o, plan, sh, given, in); err != nil {
		return nil, err
	}
	in.Affords = func(edits int) bool { return account.holds(edits, editBytes) }
	if plan.Time == 0 {
		return plan.Run(ctx, in)
	}
	return withPermit(ctx, s, func(ctx context.Context) (any, error) {
		defer func(begin time.Time) { s.metrics.stage("check", time.Since(begin)) }(time.Now())
		if plan.Time != greed.NoLimit {
			in.Time = account.rest(plan.Time)
		}
		result, err := plan.Run(ctx, in)
		if err == nil {
			err = ctx.Err()
		}
		return result, err
	})
}

// among returns the collection by whose rules graphs are read, nil if none is named, and its costs.
func (s *Server) among(a Among) (sh *hosted, usual operation.Usual, err error) {
	if sh, err = s.readFor(a.Collection); sh != nil {
		usual = sh.Collection.Costs
	}
	return sh, usual, err
}

// take reads the graphs that an operation takes, and finds the other collection.
func (s *Server) take(ctx context.Context, o *operation.Operation, plan *operation.Planned, sh *hosted, given *graphsOf,
	in *operation.Inputs) error {
	switch o.Takes {
	case operation.APair:
		pair := &given.pair
		pair.Query.named, pair.Target.named = plan.Named, plan.Named
		query, target, err := s.readPair(ctx, pair, sh, plan.Costs...)
		in.Query, in.Target, in.Rules = &query, &target, sh.rules()
		return err
	case operation.AQuery:
		query, err := s.compared(ctx, sh, &given.query.Query, plan.Costs...)
		in.Query = &query
		return err
	case operation.AGraph:
		graph, err := s.graphOf(ctx, &given.graph, plan.Pattern, sh)
		graph.Name = cmp.Or(s.opt.Names.of(graph.ID, graph.SMILES), graph.Name)
		in.Query = &graph
		return err
	case operation.TwoCollections:
		if given.Other == "" {
			return nil
		}
		other, err := s.find(given.Other)
		if err == nil {
			in.Other = other.Collection
		}
		return err
	}
	return nil
}

// graphOf returns a graph, read as those of sh, which may be nil, or that of a pattern in its place.
func (s *Server) graphOf(ctx context.Context, q *Query, pattern *greed.SMARTS, sh *hosted) (dataset.Record, error) {
	if pattern != nil {
		return s.patternGraph(q, pattern)
	}
	return s.read(ctx, q, sh)
}

// readPair reads two graphs for a collection, which may be nil.
func (s *Server) readPair(ctx context.Context, p *Pair, sh *hosted,
	costs ...edit.Costs) (query, target dataset.Record, err error) {
	if query, err = s.read(ctx, &p.Query, sh, costs...); err == nil {
		target, err = s.read(ctx, &p.Target, sh, costs...)
	}
	return query, target, err
}
