// Package server is the HTTP service: collections that are searched, compared and
// changed over the network, their description in OpenAPI, and the page.
//
// It only translates: its answers are the JSON of package greed.
package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/sync/semaphore"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/server/page"
)

// Hosted is a collection and its name in the service.
type Hosted struct {
	Name string
	// About describes where the collection comes from.
	About      string
	Collection *greed.Collection
	// Writable collections can be changed by those who may write.
	Writable bool

	root string // where it was created; "": it was not
	// Link is where more is known of a graph: an http or https address with {id} in
	// place of its id, or "".
	Link string
}

// Options say what a service offers, to whom, and how much of the machine it may use.
// Start from [Defaults].
type Options struct {
	Hosted []Hosted
	// Root is a folder in which clients create and delete collections; "": nowhere.
	// Those that are there are hosted if [OpenRoot] opened them.
	Root string
	// Unopened is how many collections of the root could not be opened. With some, the service
	// says that it is not ready.
	Unopened int
	Version  string
	Limits   Limits
	Access   Access
	Log      *slog.Logger
	// Names is a table of names, or nil.
	Names *Names
	// Assistants says whether tools for assistants are served at /mcp.
	Assistants bool
	// RefreshEvery is the time between checks for changes by other processes, longer where there
	// are many collections; 0 means never.
	RefreshEvery time.Duration
}

// Defaults returns options without collections, for a service on this machine
// alone.
func Defaults() Options {
	return Options{Version: "devel", Limits: DefaultLimits(), Log: slog.New(slog.DiscardHandler),
		RefreshEvery: 20 * time.Millisecond}
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	opt     Options
	catalog atomic.Pointer[catalog]
	// cataloging is held while the next catalog is made.
	cataloging sync.Mutex
	flights    flights
	metrics    *metrics
	intake     intake
	responses  responseBudget
	plain      *gate // reading requests, and answering those that need no solver
	changes    *gate // reading requests that change something
	solver     *gate // work of the exact solver
	mux        *http.ServeMux
	api        huma.API
	routes     map[string]route
	ready      atomic.Bool // for new requests; load balancers read it
	handler    http.Handler
	// stragglers counts pieces of work that run on after their client has left.
	stragglers atomic.Int64
}

// New returns a service. It is an error if two collections have the same name, or if a
// name cannot be part of a path.
func New(opt Options) (*Server, error) {
	for _, origin := range opt.Access.Origins {
		if err := checkOrigin(origin); err != nil {
			return nil, err
		}
	}
	s := &Server{opt: opt, routes: make(map[string]route), metrics: newMetrics()}
	now := &catalog{by: make(map[string]*hosted)}
	for _, sh := range opt.Hosted {
		if sh.Name == "" || sh.Name == "." || sh.Name == ".." || strings.ContainsAny(sh.Name, "/?#%") {
			return nil, errors.New("server: a collection cannot be named " + sh.Name)
		}
		if now.by[sh.Name] != nil {
			return nil, errors.New("server: two collections are named " + sh.Name)
		}
		if err := checkLink(sh.Link); err != nil {
			return nil, err
		}
		now = now.with(s.newHosted(sh))
	}
	s.catalog.Store(now)
	s.plain = newGate(opt.Limits.Plain, opt.Limits.PlainQueue)
	s.solver = newGate(opt.Limits.Solver, opt.Limits.SolverQueue)
	s.changes = newGate(opt.Limits.Plain, opt.Limits.PlainQueue)
	s.intake.reading = semaphore.NewWeighted(opt.Limits.Reading)
	s.responses.most = opt.Limits.Sending
	s.metrics.watch(s)

	mux := http.NewServeMux()
	s.mux = mux
	api := humago.New(mux, s.config())
	s.api = api
	s.register(api)
	s.registerPlain(mux, api)
	s.ready.Store(true)
	allowed := func(r *http.Request) []string { return s.allowed(mux, r) }
	s.handler = s.observe(s.protect(s.share(allowed, s.routed(mux, s.guard(s.arrive(pack(s.responses.hold(mux))))))))
	return s, nil
}

func (s *Server) newHosted(sh Hosted) *hosted {
	return &hosted{Hosted: sh, names: s.opt.Names, writers: newGate(1, s.opt.Limits.WriteQueue)}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
		// net/http forgets a Content-Length beside it, after which RFC 9112, section 6.3,
		// wants the connection closed: a proxy may have cut the request elsewhere.
		w.Header().Set("Connection", "close")
	}
	s.handler.ServeHTTP(w, r)
}

// Drain makes the service report that it is not ready, so that no new requests are sent
// to it. It keeps answering.
func (s *Server) Drain() { s.ready.Store(false) }

func (s *Server) config() huma.Config {
	c := huma.DefaultConfig("greed", s.opt.Version)
	c.Info.Description = about
	c.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	c.Servers = []*huma.Server{{URL: "/", Description: "This service"}}
	c.Tags = []*huma.Tag{
		{Name: "collections", Description: "What there is"}, {Name: "search", Description: "Finding graphs"},
		{Name: "distance", Description: "Measuring two graphs"}, {Name: "graphs",
			Description: "Reading, storing and deleting graphs"},
	}
	c.DocsPath, c.SchemasPath, c.OpenAPIPath = "", "", "" // docs.go serves them
	c.Transformers = []huma.Transformer{s.logReason}
	c.CreateHooks = nil // no $schema in answers
	plain := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(data []byte, v any) error {
		return operation.Misread(json.Unmarshal(data, v))
	}}
	c.Formats = map[string]huma.Format{"application/json": plain, "json": plain}
	c.NoFormatFallback = false
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.Schemas.RegisterTypeAlias(typeOf[huma.ErrorModel](), typeOf[Problem]())
	c.Components.Schemas.RegisterTypeAlias(typeOf[operation.Costs](), typeOf[CostsJSON]())
	c.Components.Schemas.RegisterTypeAlias(typeOf[greed.NamedCosts](), typeOf[CostsJSON]())
	c.Components.Schemas.RegisterTypeAlias(typeOf[dataset.NodeLink](), typeOf[GraphJSON]())
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
	return c
}

const about = "Search collections of graphs by graph edit distance (GED) and subgraph edit distance (SED). " +
	"Answers are proven unless mode says otherwise, and status says what they are. " +
	"Where the service has tokens, send one as Authorization: Bearer."

// register adds all operations.
func (s *Server) register(api huma.API) {
	s.registerCollections(api)
	s.registerSearch(api)
	s.registerTable(api)
	s.registerDistances(api)
	s.registerGraphs(api)
	s.registerBatch(api)
	s.registerList(api)
	s.registerCreate(api)
	s.registerSearches(api)
	s.registerAttributes(api)
	s.registerRecords(api)
	s.registerSDF(api)
}

// registerPlain adds the routes that are not part of the API proper.
func (s *Server) registerPlain(mux *http.ServeMux, api huma.API) {
	s.registerHealth(mux)
	s.registerDocs(mux, api)
	s.registerAssistants(mux)
	s.handle(mux, "GET /metrics", toScrape, s.metrics.handler())
	s.handle(mux, rest, forAll, page.Handler())
}

// find returns a collection by its name.
func (s *Server) find(name string) (*hosted, error) {
	now := s.catalog.Load()
	sh := now.by[name]
	if sh == nil {
		return nil, problem(http.StatusNotFound, "there is no collection %q; there are: %s", name,
			cmp.Or(strings.Join(now.names, ", "), "none"))
	}
	return sh, nil
}

// logReason logs the reason of a problem and gives only the problem to
// the client.
func (s *Server) logReason(ctx huma.Context, _ string, v any) (any, error) {
	r, _ := humago.Unwrap(ctx)
	switch err := v.(type) {
	case *huma.ErrorModel:
		s.note(r, err)
		return problemOf(err, traceOf(r.Context()).id), nil
	case *fault:
		s.note(r, err)
		return problemOf(err, traceOf(r.Context()).id), nil
	}
	return v, nil
}
