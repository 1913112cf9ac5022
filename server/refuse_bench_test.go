package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
)

// quiet takes an answer and keeps nothing of it.
type quiet struct{ h http.Header }

func (q quiet) Header() http.Header         { return q.h }
func (q quiet) WriteHeader(int)             {}
func (q quiet) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkHandler compares what the service does for a request that it answers
// with what it does for one that it refuses: at four times its capacity three
// refusals come with every answer.
func BenchmarkHandler(b *testing.B) {
	c, err := greed.Bundled(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	opt := Defaults()
	opt.Hosted = []Hosted{{Name: "demo", Collection: c}}
	s, err := New(opt)
	if err != nil {
		b.Fatal(err)
	}
	ask := func(b *testing.B) {
		for b.Loop() {
			r := httptest.NewRequest("POST", "http://localhost/v1/collections/demo/search", strings.NewReader(`{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)OCCN"},"k":10,"mode":"predicted"}`))
			r.Header.Set("Content-Type", "application/json")
			s.ServeHTTP(quiet{http.Header{}}, r)
		}
	}
	b.Run("answered", ask)
	b.Run("refused", func(b *testing.B) {
		s.plain.waiting.Store(s.plain.queue)
		for len(s.plain.places) < cap(s.plain.places) {
			s.plain.places <- struct{}{}
		}
		ask(b)
	})
}
