package server_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestCSVShowsAttributes: the CSV of the service has the columns of that of the command.
func TestCSVShowsAttributes(t *testing.T) {
	s := start(t, nil)
	r := s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&k=3&show=number", "", "Accept", "text/csv").want(t, 200)
	rows, err := csv.NewReader(strings.NewReader(r.body)).ReadAll()
	if err != nil || len(rows) != 4 || rows[0][len(rows[0])-1] != "number" || rows[1][len(rows[1])-1] != "0" {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestStreamsHaveTheStatus: NDJSON has the header of all answers, as a trailer where lines
// came before.
func TestStreamsHaveTheStatus(t *testing.T) {
	s := start(t, nil)
	for _, mode := range []string{"proven", "predicted"} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/collections/mols/search?smiles=CCO&k=3&mode="+mode, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "application/x-ndjson")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if _, err := io.ReadAll(answer.Body); err != nil {
			t.Fatal(err)
		}
		if got := answer.Header.Get("X-Greed-Status") + answer.Trailer.Get("X-Greed-Status"); got != mode {
			t.Errorf("%s: the header and the trailer say %q", mode, got)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// TestMapOfNothing: the map of an empty collection has lists, as its schema says.
func TestMapOfNothing(t *testing.T) {
	s := start(t, func(o *server.Options) {
		c := greed.New()
		if err := c.AttachBundled(t.Context()); err != nil {
			t.Fatal(err)
		}
		o.Hosted = append(o.Hosted, server.Hosted{Name: "empty", Collection: c})
	})
	s.ask(t, "GET", "/v1/collections/empty/map", "").want(t, 200, `"ids":[]`, `"points":[]`)
}

// TestTokensAreDescribedWhereNeeded: the description asks for a token exactly where the
// service does.
func TestTokensAreDescribedWhereNeeded(t *testing.T) {
	tokens := func() []string { return []string{"secret"} }
	for _, c := range []struct {
		what        string
		access      server.Access
		read, write bool
	}{
		{"no tokens", server.Access{}, false, false},
		{"to read", server.Access{Read: tokens}, true, true},
		{"to write", server.Access{Write: tokens}, false, true},
	} {
		s := start(t, func(o *server.Options) { o.Access = c.access })
		var description struct {
			Paths map[string]map[string]struct{ Security []map[string][]string }
		}
		if err := json.Unmarshal([]byte(s.whole(t, "GET", "/openapi.json", "", "Authorization", "Bearer secret").body), &description); err != nil {
			t.Fatal(err)
		}
		needs := func(method, path string) bool {
			list := description.Paths[path][method].Security
			for _, one := range list {
				if len(one) == 0 {
					return false
				}
			}
			return len(list) > 0
		}
		if got := needs("get", "/v1/collections/{name}/search"); got != c.read {
			t.Errorf("%s: reading needs one: %v", c.what, got)
		}
		if got := needs("put", "/v1/collections/{name}/graphs/{id}"); got != c.write {
			t.Errorf("%s: writing needs one: %v", c.what, got)
		}
	}
}

// TestVectorsAreReadAtTheStart: a service reads vectors before anybody asks for them.
func TestVectorsAreReadAtTheStart(t *testing.T) {
	dir := folder(t)
	files, err := filepath.Glob(filepath.Join(dir, "vectors-*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text[70] ^= 1
	if err := os.WriteFile(files[0], text, 0o666); err != nil {
		t.Fatal(err)
	}
	c := open(t, dir)
	defer c.Close()
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "torn", Collection: c}}
		o.RefreshEvery = time.Hour
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Refresh(ctx)
	}()
	for !strings.Contains(s.log.String(), "vectors cannot be read") {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-ended
	s.whole(t, "GET", "/v1/collections/torn/search?smiles=CCO&k=1", "").want(t, 200)
}

// TestReadyWithoutAFolder: a service whose index is gone is not ready.
func TestReadyWithoutAFolder(t *testing.T) {
	dir := folder(t)
	c := open(t, dir)
	defer c.Close()
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "gone", Collection: c}}
		o.RefreshEvery = time.Millisecond
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Refresh(ctx)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	s.whole(t, "GET", "/readyz", "").want(t, 200)
	if err := os.Rename(dir, dir+".gone"); err != nil {
		t.Fatal(err)
	}
	became := func(status int) {
		t.Helper()
		for s.whole(t, "GET", "/readyz", "").status != status {
			time.Sleep(time.Millisecond)
		}
	}
	became(503)
	if info := into[server.Info](t, s.whole(t, "GET", "/v1/collections/gone", "").want(t, 200)); info.Unreadable == "" || strings.Contains(info.Unreadable, filepath.Dir(dir)) {
		t.Errorf("the reason is %q", info.Unreadable)
	}
	if err := os.Rename(dir+".gone", dir); err != nil {
		t.Fatal(err)
	}
	became(200)
}

// TestNumbersBeyondJSON: attributes that are no finite numbers are texts, and what cannot be
// written ends the response, which must not look whole.
func TestNumbersBeyondJSON(t *testing.T) {
	odd := collection(t)
	g, err := odd.ParseSMILES("CCO")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := odd.Put(t.Context(), greed.Record{ID: "odd", Graph: g, Attributes: map[string]any{"number": math.Inf(1)}}); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(opt *server.Options) {
		opt.Hosted = append(opt.Hosted, server.Hosted{Name: "odd", Collection: odd})
	})
	s.ask(t, "PUT", "/v1/collections/own/graphs/a", `{"smiles":"CCS","attributes":{"number":"inf","y":"-Infinity"}}`).want(t, 200)
	s.ask(t, "PUT", "/v1/collections/own/graphs/b", `{"smiles":"CCF","attributes":{"y":1e300}}`).want(t, 200)
	s.ask(t, "PUT", "/v1/collections/own/graphs/c", `{"smiles":"CCCl","attributes":{"y":-1e300}}`).want(t, 200)
	a := into[server.Attributes](t, s.ask(t, "GET", "/v1/collections/own/attributes", "").want(t, 200))
	if len(a.Attributes) != 2 || a.Attributes[0].Max != nil || a.Attributes[1].Min != nil {
		t.Errorf("attributes %+v", a)
	}
	s.ask(t, "POST", "/v1/collections/own/cliffs", `{"attribute":"number"}`).want(t, 200, `"verdict"`)
	answer, err := http.Get(s.URL + "/v1/collections/odd/attributes/number")
	if err == nil {
		defer answer.Body.Close()
		if text, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("an attribute that JSON cannot have is answered by %d %q", answer.StatusCode, text)
		}
	}
	if !strings.Contains(s.log.String(), "unsupported value") {
		t.Errorf("the log does not say why: %s", s.log)
	}
}

// TestMediaTypesHaveNoCase: a client may write them as it likes.
func TestMediaTypesHaveNoCase(t *testing.T) {
	s := start(t, nil)
	const kind = "Application/JSON; Charset=UTF-8"
	s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"CCO"}}`, "Content-Type", kind).want(t, 200)
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"delete":["m1"]}`, "Content-Type", kind).want(t, 200)
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"m2","delete":true}`, "Content-Type", "application/X-NDJSON").want(t, 200)
}
