package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/greedgraph/greed/server"
)

// FuzzRequest sends anything to the routes that read graphs. What cannot be read
// is a problem with a status of its own, never a failure of the service.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"query":{"smiles":"CCO"},"k":3,"task":"sed","filter":["a=b"],"time_limit":"1ms","mode":"checked"}`,
		`{"query":{"graph":{"nodes":[{"id":0,"label":"C"}],"edges":[]}},"radius":1e300}`,
		`{"query":{"mol":"\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n"}}`,
		`{"query":{"text":"graph { a -- b }"},"mode":"proven","time_limit":"1ms"}`,
		`{"id":"a","smiles":"C"}` + "\n" + `{"id":"b","delete":true}`,
		`{"put":[{"id":"a","smiles":"C"},{"id":"b","graph":{"directed":true,"nodes":[{"id":0}],"edges":[]}}],"delete":["c"]}`, `{"put":null}`, `{"delete":[""]}`,
		`{"text":"t # 0\nv 0 C\n"}`, `{"query":{"smiles":"C"},"target":{"smiles":"N"},"time_limit":"1ms"}`, `[]`, `{`, "\x00",
	} {
		for route := range uint8(6) {
			f.Add(route, body)
		}
	}
	opt := server.Defaults()
	opt.Hosted = []server.Hosted{{Name: "mols", Collection: collection(f), Writable: true}}
	opt.Limits.Nodes, opt.Limits.Edges, opt.Limits.Time = 50, 80, 5e6
	s, err := server.New(opt)
	if err != nil {
		f.Fatal(err)
	}
	routes := []string{"collections/mols/search", "distance", "collections/mols/embed", "parse", "collections/mols/graphs", "collections/mols/graphs"}
	f.Fuzz(func(t *testing.T, route uint8, body string) {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/"+routes[int(route)%len(routes)], strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if int(route)%len(routes) == len(routes)-1 {
			r.Header.Set("Content-Type", "application/x-ndjson")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}
