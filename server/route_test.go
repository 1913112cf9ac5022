package server

import (
	"net/http"
	"testing"

	greed "github.com/greedgraph/greed"
)

// TestEveryRouteSaysWhatItNeeds: what changes collections is for those who may
// write, and a route that says nothing, too.
func TestEveryRouteSaysWhatItNeeds(t *testing.T) {
	opt := Defaults()
	opt.Hosted = []Hosted{{Name: "own", Collection: greed.New(), Writable: true}}
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]right{
		"GET /v1/collections":                       toRead,
		"GET /v1/collections/{name}":                toRead,
		"POST /v1/collections/{name}/search":        toRead,
		"GET /v1/collections/{name}/search":         toRead,
		"POST /v1/distance":                         toRead,
		"POST /v1/collections/{name}/vectors":       toRead,
		"POST /v1/diff":                             toRead,
		"POST /v1/mcs":                              toRead,
		"POST /v1/collections/{name}/distances":     toRead,
		"POST /v1/distances":                        toRead,
		"POST /v1/collections/{name}/embed":         toRead,
		"POST /v1/parse":                            toRead,
		"GET /v1/collections/{name}/map":            toRead,
		"POST /v1/collections/{name}/certify":       toRead,
		"POST /v1/certify":                          toRead,
		"POST /v1/verify":                           toRead,
		"GET /v1/collections/{name}/attributes":     toRead,
		"GET /v1/collections/{name}/labels":         toRead,
		"POST /v1/collections/{name}/parts":         toRead,
		"POST /v1/collections/{name}/join":          toRead,
		"POST /v1/collections/{name}/cliffs":        toRead,
		"POST /v1/collections/{name}/sar":           toRead,
		"POST /v1/collections/{name}/sdf":           toRead,
		"POST /v1/records":                          toRead,
		"GET /v1/collections/{name}/graphs/{id}":    toRead,
		"GET /v1/collections/{name}/graphs":         toRead,
		"PUT /v1/collections/{name}":                toWrite,
		"DELETE /v1/collections/{name}":             toWrite,
		"POST /v1/collections/{name}/searches":      toRead,
		"PUT /v1/collections/{name}/graphs/{id}":    toWrite,
		"DELETE /v1/collections/{name}/graphs/{id}": toWrite,
		"POST /v1/collections/{name}/graphs":        toWrite,
		"GET /metrics":                              toScrape,
		"GET /livez":                                forProbes,
		"GET /readyz":                               forProbes,
		"GET /openapi.json":                         forAll,
		"GET /docs":                                 forAll,
		"GET /docs/{$}":                             forAll,
		"GET /docs/docs.js":                         forAll,
		"GET /docs/docs.css":                        forAll,
		"GET /":                                     forAll,

		"GET /v1/collections/{name}/attributes/{attribute}": toRead,
	}
	for pattern, to := range s.routes {
		if needs, ok := want[pattern]; !ok || needs != to.right {
			t.Errorf("%s needs %v, want %v (%v)", pattern, to.right, needs, ok)
		}
		delete(want, pattern)
	}
	for pattern := range want {
		t.Errorf("%s is no route", pattern)
	}
	if r := (route{}).right; r != toWrite {
		t.Errorf("a route that says nothing needs %v", r)
	}
}

// TestRoutesThatAreNotDeclared are closed, even where the mux has them.
func TestRoutesThatAreNotDeclared(t *testing.T) {
	opt := Defaults()
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/forgotten", func(http.ResponseWriter, *http.Request) { t.Error("the request went through") })
	r, err := http.NewRequest(http.MethodPost, "http://localhost/v1/forgotten", nil)
	if err != nil {
		t.Fatal(err)
	}
	if to, known := s.routeOf(mux, r); known {
		t.Errorf("the route is %+v", to)
	}
}
