package server

import (
	"cmp"
	"context"
	"mime"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/server/page"
)

// right is what a request needs to be admitted.
type right int

const (
	// toWrite is the zero value: an operation that declares nothing requires the right to
	// write.
	toWrite right = iota
	toRead
	// forAll is for content that reveals nothing of the collections, such as the page.
	forAll
	// forProbes is for load balancers, which have no tokens and call the service
	// by any name.
	forProbes
	// toScrape is toRead, also under the machine's own name and address.
	toScrape
)

// route is what is known of a request before its body is read.
type route struct {
	pattern string
	right   right
	body    int64 // bytes of a body at most
	work    *gate // lets it in to be read and answered; nil: it costs little
	// plain returns a problem if a part of the address or the body would be ignored.
	plain func(r *http.Request, body []byte) error
}

// operate registers an operation of the API with the right that it needs. The handler
// has a permit at the gate of its kind until it calls understood, which it must do
// before it waits for anything.
func operate[I, O any](s *Server, api huma.API, op huma.Operation, needs right,
	handler func(context.Context, *I) (*O, error)) {
	// The body is read before huma sees the request. A deadline of huma's would remain
	// while the solver works, and end the request.
	op.BodyReadTimeout = -1
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = s.opt.Limits.Body
	}
	op.Errors = append(slices.Clone(op.Errors), http.StatusBadRequest, http.StatusUnprocessableEntity,
		http.StatusInternalServerError, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout,
		http.StatusMisdirectedRequest, http.StatusServiceUnavailable)
	if op.Method == http.MethodPost || op.Method == http.MethodPut {
		op.Errors = append(op.Errors, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if op.Method == http.MethodPost || strings.Contains(op.Path, "{name}") { // the collection may be in the body
		op.Errors = append(op.Errors, http.StatusNotFound)
	}
	if needs == toWrite {
		op.Errors = append(op.Errors, http.StatusConflict, http.StatusInsufficientStorage)
	} else if op.Method == http.MethodPost {
		op.Errors = append(op.Errors, http.StatusTooManyRequests)
	}
	op.Security = security(needs, &s.opt.Access)
	work := s.plain
	if needs == toWrite {
		work = s.changes
	}
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err = explain(err); err != nil && statusOf(err) == statusClientGone {
			err = cmp.Or(context.Cause(ctx), err) // the service may be ending
		}
		if err != nil {
			return nil, explain(err)
		}
		return out, nil
	})
	schema, known, several, headers := contentOf(api, &op)
	schemas := api.OpenAPI().Components.Schemas
	pattern := op.Method + " " + op.Path
	s.routes[pattern] = route{pattern, needs, op.MaxBodyBytes, work, func(r *http.Request, body []byte) error {
		err := plainQuery(r.URL.RawQuery, known, several)
		if err == nil && needs == toWrite {
			err = plainConditions(r.Header, headers)
		}
		if err == nil && schema != nil {
			err = plainBody(body, schema, schemas)
		}
		return err
	}}
}

// written describes the answer of a handler that writes it itself, in one of several forms by their media types.
func written(api huma.API, about string, forms map[string]reflect.Type) map[string]*huma.Response {
	content := make(map[string]*huma.MediaType)
	for kind, t := range forms {
		content[kind] = &huma.MediaType{Schema: api.OpenAPI().Components.Schemas.Schema(t, true, "")}
	}
	return map[string]*huma.Response{"200": {Description: about, Content: content}}
}

// body is an answer that is a body alone.
type body[T any] struct{ Body T }

// answers is operate for a handler that returns the body of its answer.
func answers[I, T any](s *Server, api huma.API, op huma.Operation, needs right,
	handler func(context.Context, *I) (T, error)) {
	operate(s, api, op, needs, func(ctx context.Context, in *I) (*body[T], error) {
		out, err := handler(ctx, in)
		return &body[T]{out}, err
	})
}

// CollectionPath is the path of a collection.
type CollectionPath struct {
	Name string `path:"name" doc:"The collection"`
}

func (c *CollectionPath) collection() string { return c.Name }

// ofOne is a pointer to a request about a collection.
type ofOne[I any] interface {
	*I
	collection() string
}

// inCollection is operate for what is in a collection. Those that change it must be allowed to.
func inCollection[I, O any, P ofOne[I]](s *Server, api huma.API, op huma.Operation, needs right,
	handler func(context.Context, *hosted, *I) (*O, error)) {
	operate(s, api, op, needs, func(ctx context.Context, in *I) (*O, error) {
		sh, err := s.find(P(in).collection())
		if err == nil && needs == toWrite {
			err = sh.writable()
		}
		if err != nil {
			return nil, err
		}
		return handler(ctx, sh, in)
	})
}

// ofCollection is answers for what reads a collection.
func ofCollection[I, T any, P ofOne[I]](s *Server, api huma.API, op huma.Operation,
	handler func(context.Context, *hosted, *I) (T, error)) {
	inCollection[I, body[T], P](s, api, op, toRead, func(ctx context.Context, sh *hosted, in *I) (*body[T], error) {
		out, err := handler(ctx, sh, in)
		return &body[T]{out}, err
	})
}

// toCollection is a request about a collection with a body.
type toCollection[B any] struct {
	CollectionPath
	Body B
}

// streamed is a request about a collection whose answer has the form that its client accepts.
type streamed[B any] struct {
	CollectionPath
	Accept string `header:"Accept" doc:"application/json, application/x-ndjson, text/csv or chemical/x-mdl-sdfile"`
	Body   B
}

// security describes what a right needs: a token where the service has tokens for it.
func security(needs right, access *Access) []map[string][]string {
	token := map[string][]string{"token": {}}
	if access.Read != nil || needs == toWrite && access.Write != nil {
		return []map[string][]string{token}
	}
	return []map[string][]string{{}, token}
}

// handle registers a route outside the API.
func (s *Server) handle(mux *http.ServeMux, pattern string, needs right, handler http.Handler) {
	s.routes[pattern] = route{pattern: pattern, right: needs}
	mux.Handle(pattern, handler)
}

// routed finds the route of a request. It answers requests for unknown paths and
// methods.
func (s *Server) routed(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, known := s.routeOf(mux, r)
		if !known {
			s.refuse(w, r, s.unknown(mux, r, w.Header()))
			return
		}
		traceOf(r.Context()).route = to
		// Media types are the same in any case, but huma compares them as they are.
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil {
			r.Header.Set("Content-Type", kind)
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) routeOf(mux *http.ServeMux, r *http.Request) (route, bool) {
	if !direct(r) {
		return route{}, false
	}
	_, pattern := mux.Handler(r)
	to, known := s.routes[pattern]
	if pattern == rest && !page.Has(r.URL.Path) {
		return route{}, false
	}
	return to, known
}

// direct reports whether the path of a request has no segments that [http.ServeMux] removes.
// It redirects such a request to the path that is left, for DELETE …/graphs/.. to the whole
// collection, and clients follow.
func direct(r *http.Request) bool {
	text := r.URL.EscapedPath()
	clean := path.Clean(text)
	return text == "" || text == clean || text == clean+"/"
}

// rest is the pattern of the page, which gets every path that no other route has.
const rest = "GET /"

// unknown says what is wrong with a request that has no route.
func (s *Server) unknown(mux *http.ServeMux, r *http.Request, h http.Header) error {
	if !direct(r) {
		return problem(http.StatusBadRequest, "the path has a segment that is empty, . or .., which may lead "+
			"elsewhere: "+
			"write the id . as %%2E and .. as %%2E%%2E, or send it in a body, as many clients take these for dots, too")
	}
	allowed := s.allowed(mux, r)
	if len(allowed) == 0 {
		return problem(http.StatusNotFound, "there is nothing at this path; /docs/ shows what there is")
	}
	h.Set("Allow", strings.Join(allowed, ", "))
	return problem(http.StatusMethodNotAllowed, "%s is not for this path, which accepts %s; /docs/ shows what it takes",
		r.Method, strings.Join(allowed, ", "))
}

// allowed returns the methods of the path of a request.
func (s *Server) allowed(mux *http.ServeMux, r *http.Request) []string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, known := s.routeOf(mux, other); known {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
