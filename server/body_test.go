package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// hard are cages of carbon, drawn at random, whose distances take the solver longer
// than any test.
var hard = []string{
	"C12C34CCC5CC67C89C%10CCCCC66C%11%12CC8C8C%139CC7C7CCC9%14CCC66C%15C%13CC%133C6C%12C2CC%10C%11CCC%11C94CC%14C%15CC8%11C7C5%13C1",
	"CC1C2CCC3CCCCC45C67CC8C1C66C1C9%10CC%11C%127CC7C33C%12C%12%13CC%14%15C%16CCC6%10C39C%15%15C%16CCC27C18CC%14CC%11C5CC%13C%12C4%15CC",
	"C12C3C4CC56CC7CC89C%10C6CC6C%11C%12%10C%10C%13CCC4CCCC47C7%14C%15CCC9CC9%13C%11CC7C8C%12C%12C%105C41CC9%15CC%15CCC6%14C%12C2CC%153",
}

// hardCollection returns a collection whose search takes long.
func hardCollection(t testing.TB) *greed.Collection {
	t.Helper()
	c := greed.New()
	var records []greed.Record
	for i, smiles := range hard[1:] {
		g, err := c.ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, greed.Record{ID: string(rune('a' + i)), SMILES: smiles, Graph: g})
	}
	if _, err := c.Put(t.Context(), records...); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestWorkLongerThanTheBody: the time to send a request does not limit the time
// to work on it, by any route.
func TestWorkLongerThanTheBody(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
		o.Limits.Read = 100 * time.Millisecond
	})
	for _, c := range []struct{ path, body, accept string }{
		{"/v1/distance", fmt.Sprintf(`{"query":{"smiles":%q},"target":{"smiles":%q},"time_limit":"400ms"}`, hard[0], hard[1]), ""},
		{"/v1/distance", fmt.Sprintf(`{"collection":"hard","query":{"smiles":%q},"target":{"id":"a"},"time_limit":"400ms"}`, hard[0]), ""},
		{"/v1/collections/hard/search", fmt.Sprintf(`{"query":{"smiles":%q},"k":2,"mode":"proven","time_limit":"400ms"}`, hard[0]), ""},
		{"/v1/collections/hard/search", fmt.Sprintf(`{"query":{"smiles":%q},"k":2,"mode":"proven","time_limit":"400ms"}`, hard[0]), "application/x-ndjson"},
	} {
		begin := time.Now()
		r := s.ask(t, "POST", c.path, c.body, "Accept", c.accept)
		if r.status != 200 || c.accept != "" && !strings.Contains(r.body, `"found"`) {
			t.Errorf("%s as %q: status %d, %s", c.path, c.accept, r.status, r.body)
		}
		if took := time.Since(begin); took < 250*time.Millisecond {
			t.Errorf("%s: it took only %v", c.path, took)
		}
	}
}

// TestHalfSentBatches hold no permit: others are answered meanwhile.
func TestHalfSentBatches(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Read = time.Hour })
	address := strings.TrimPrefix(s.URL, "http://")
	for range 20 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /v1/collections/own/graphs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n"+`{"id":"half","smiles":"C"}`+"\n")
	}
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"CCO"},"target":{"smiles":"CCN"}}`).want(t, 200)
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", `{"smiles":"C"}`).want(t, 200)
}

// trickle gives a byte of a body now and then.
type trickle struct{ every time.Duration }

func (b trickle) Read(p []byte) (int, error) {
	time.Sleep(b.every)
	p[0] = ' '
	return 1, nil
}

// TestBodiesHaveARate: a body that never stops coming slowly is given up.
func TestBodiesHaveARate(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Read = 500 * time.Millisecond })
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/collections/own/graphs", trickle{10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-ndjson")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 408 {
		t.Errorf("status %d", answer.StatusCode)
	}
}

// TestBodiesHaveABudget: what half-sent bodies hold is bounded.
func TestBodiesHaveABudget(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Bodies, o.Limits.Read = 1<<20, time.Hour })
	line := `{"id":"a","smiles":"` + strings.Repeat("C", 1000) + `"}` + "\n"
	s.ask(t, "POST", "/v1/collections/own/graphs", strings.Repeat(line, 2000), "Content-Type", "application/x-ndjson").want(t, 503)
	s.ask(t, "POST", "/v1/collections/own/graphs", strings.Repeat(line, 200), "Content-Type", "application/x-ndjson").want(t, 200)
	s.ask(t, "GET", "/metrics", "").want(t, 200, "greed_body_bytes 0\n")
}

// TestLargeBodiesAreAnswered: a client that sends too much is told so, and not
// cut off.
func TestLargeBodiesAreAnswered(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.BatchBody = 1 << 20 })
	for _, length := range []int64{20 << 20, -1} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/collections/own/graphs", io.LimitReader(&zeros{}, 20<<20))
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = length
		r.Header.Set("Content-Type", "application/x-ndjson")
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatalf("length %d: %v", length, err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != 413 || !strings.Contains(string(text), "in parts") {
			t.Errorf("length %d: status %d, %s, %v", length, answer.StatusCode, text, err)
		}
	}
}

func TestBrokenBodies(t *testing.T) {
	s := start(t, nil)
	address := strings.TrimPrefix(s.URL, "http://")
	for _, head := range []string{"POST /v1/parse", "POST /v1/collections/own/graphs"} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n", head)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != 400 {
			t.Errorf("%s: a malformed chunk is answered with %d", head, answer.StatusCode)
		}
		c.Close()
	}
}

// TestChunksCloseConnections: whoever framed a request by its length as well may have seen
// another end of it.
func TestChunksCloseConnections(t *testing.T) {
	s := start(t, nil)
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"smiles\": \"CC\"}\r\n0\r\n\r\n")
	text, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 200 ") || !strings.Contains(string(text), "Connection: close\r\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestProblemsAreShort: a problem does not send back what was sent.
func TestProblemsAreShort(t *testing.T) {
	s := start(t, nil)
	long := strings.Repeat("é", 200_000)
	for _, c := range []struct{ path, body string }{
		{"/v1/parse", `{"smiles":"` + long + `"}`},
		{"/v1/parse", `{"` + long + `":1}`},
		{"/v1/parse", `{"smiles":["` + long + `"]}`},
		{"/v1/collections/mols/search", `{"query":{"smiles":"C"},"task":"` + long + `"}`},
		{"/v1/collections/mols/search", `{"query":{"smiles":"C"},"filter":["` + long + `"]}`},
		{"/v1/collections/mols/search", `{"query":{"id":"` + long + `"}}`},
		{"/v1/collections/own/graphs", `{"id":"` + long + `","smiles":"C"}`},
		{"/v1/collections/own/graphs", `{"` + long + `":"","smiles":"C"}`},
		{"/v1/collections/own/graphs", `{"id":"x","smiles":"` + long + `"}`},
	} {
		r := s.ask(t, "POST", c.path, c.body)
		if r.status < 400 || r.status >= 500 || len(r.body) > 8<<10 {
			t.Errorf("%s: status %d and %d bytes for %.60s", c.path, r.status, len(r.body), c.body)
		}
	}
}

func TestIDsThatCannotBe(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/own/graphs"
	s.ask(t, "PUT", path+"/"+strings.Repeat("a", 5000), `{"smiles":"C"}`).want(t, 422, "at most 4096")
	s.ask(t, "PUT", path+"/%ff%fe", `{"smiles":"C"}`).want(t, 422, "UTF-8")
	s.ask(t, "POST", path, `{"id":"`+strings.Repeat("a", 5000)+`","smiles":"C"}`).want(t, 422, "line 1", "at most 4096")
	s.ask(t, "PUT", path+"/"+strings.Repeat("a", 4096), `{"smiles":"C"}`).want(t, 200)
	for _, id := range []string{strings.Repeat("a", 5000), "%ff%fe"} {
		s.ask(t, "GET", path+"/"+id, "").want(t, 404)
		s.ask(t, "DELETE", path+"/"+id, "").want(t, 404)
	}
}

func TestTwoObjectsOnALine(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/own/graphs"
	s.ask(t, "POST", path, `{"id":"one","smiles":"C"}{"id":"two","smiles":"C"}`).want(t, 422, "line 1", "more than one JSON object")
	s.ask(t, "POST", path, `{"id":"one","smiles":"C"} x`).want(t, 422, "line 1")
	s.ask(t, "GET", path+"/one", "").want(t, 404)
}

// TestUnknownPaths are answered with problems, too.
func TestUnknownPaths(t *testing.T) {
	s := start(t, nil)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/v1/nothing", 404, ""},
		{"POST", "/v1/nothing", 404, ""},
		{"GET", "/nothing", 404, ""},
		{"GET", "/docs/nothing", 404, ""},
		{"GET", "/v1/", 404, ""},
		{"PATCH", "/v1/parse", 405, "POST"},
		{"GET", "/v1/parse", 405, "POST"},
		{"DELETE", "/v1/collections", 405, "GET, HEAD"},
		{"PUT", "/v1/collections/own/search", 405, "GET, HEAD, POST"},
		{"POST", "/", 405, "GET, HEAD"},
		{"POST", "/metrics", 405, "GET, HEAD"},
	} {
		r := s.ask(t, c.method, c.path, "").want(t, c.status)
		if got := r.header.Get("Allow"); got != c.allow {
			t.Errorf("%s %s: allowed are %q, want %q", c.method, c.path, got, c.allow)
		}
	}
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=C&kk=3", "").want(t, 422, "kk")
	s.ask(t, "GET", "/v1/collections?x=1", "").want(t, 422)
}

// TestDirectedAndUndirected: there is no distance between the two, and one that
// slipped in would spoil every search.
func TestDirectedAndUndirected(t *testing.T) {
	s := start(t, nil)
	const directed = `"graph":{"directed":true,"nodes":[{"id":0,"label":"C"},{"id":1,"label":"O"}],"edges":[{"source":0,"target":1,"label":"1"}]}`
	for _, accept := range []string{"application/json", "application/x-ndjson"} {
		for _, how := range []string{`"mode":"predicted"`, `"mode":"checked"`, `"mode":"proven"`} {
			s.ask(t, "POST", "/v1/collections/own/search", `{"query":{`+directed+`},`+how+`}`, "Accept", accept).want(t, 422, "the query is directed and the graphs of own are undirected")
		}
	}
	s.ask(t, "POST", "/v1/collections/own/embed", `{"query":{`+directed+`}}`).want(t, 422, "directed")
	s.ask(t, "POST", "/v1/distance", `{"collection":"own","query":{`+directed+`},"target":{"id":"m0"}}`).want(t, 422, "directed")
	s.ask(t, "PUT", "/v1/collections/own/graphs/d", `{`+directed+`}`).want(t, 422, "directed")
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"a","smiles":"C"}`+"\n"+`{"id":"d",`+directed+`}`).want(t, 422, "directed")
	s.ask(t, "GET", "/v1/collections/own/graphs/a", "").want(t, 404)
	s.ask(t, "GET", "/v1/collections/own/search?smiles=CCO&mode=proven", "").want(t, 200)

	empty := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "own", Collection: greed.New(), Writable: true}}
	})
	empty.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"d",`+directed+`}`+"\n"+`{"id":"a","smiles":"C"}`).want(t, 422, "directed")
	empty.ask(t, "PUT", "/v1/collections/own/graphs/d", `{`+directed+`}`).want(t, 200)
	empty.ask(t, "PUT", "/v1/collections/own/graphs/a", `{"smiles":"C"}`).want(t, 422, "directed")
	empty.ask(t, "POST", "/v1/collections/own/search", `{"query":{`+directed+`},"k":1}`).want(t, 200, `"id":"d"`)
}

// TestSDFLeavesNothingOut: an answer that is not a molecule is there all the same.
func TestSDFLeavesNothingOut(t *testing.T) {
	s := start(t, nil)
	s.ask(t, "PUT", "/v1/collections/own/graphs/odd", `{"tve":"t # 0\nv 0 Zz\nv 1 C\ne 0 1 7\n"}`).want(t, 200)
	r := s.ask(t, "GET", "/v1/collections/own/search?id=odd&k=3&mode=checked", "", "Accept", "chemical/x-mdl-sdfile").want(t, 200)
	s.ask(t, "GET", "/v1/collections/own/search?smiles=CCO", "").want(t, 200, `"not_compared":["charges"`)
	records := strings.Split(strings.TrimSuffix(r.body, "$$$$\n"), "$$$$\n")
	if len(records) != 3 {
		t.Fatalf("%d records: %s", len(records), r.body)
	}
	for i, text := range records {
		if !strings.Contains(text, fmt.Sprintf("<rank>\n%d\n", i+1)) || !strings.Contains(text, "M  END") {
			t.Errorf("record %d: %s", i+1, text)
		}
	}
	if !strings.HasPrefix(records[0], "odd\n") || !strings.Contains(records[0], "<not written>") || !strings.Contains(records[0], "<upper>\n0\n") {
		t.Errorf("the nearest answer is %s", records[0])
	}
}

// TestClientsThatLeaveFreeTheirPermit long before their budget is up; the log says how
// long it took.
func TestClientsThatLeaveFreeTheirPermit(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
		o.Limits.Solver, o.Limits.Time = 1, time.Hour
	})
	search := fmt.Sprintf(`{"query":{"smiles":%q},"k":2,"mode":"proven","time_limit":"1h"}`, hard[0])
	for _, r := range []struct{ path, accept, body string }{
		{"search", "application/json", search}, {"search", "application/x-ndjson", search},
		{"join", "application/json", `{"radius":20,"time_limit":"1h"}`}, {"cliffs", "application/json", `{"radius":20,"time_limit":"1h"}`},
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "POST /v1/collections/hard/%s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", r.path, r.accept, len(r.body), r.body)
		running := func() bool {
			return strings.Contains(s.ask(t, "GET", "/metrics", "").body, `greed_running{work="solver"} 1`)
		}
		for !running() {
			time.Sleep(5 * time.Millisecond)
		}
		c.Close()
		begin := time.Now()
		for running() {
			time.Sleep(time.Millisecond)
		}
		t.Logf("%s, %s: the permit was free after %v", r.path, r.accept, time.Since(begin))
	}
}

// TestRequiredMembers: what the description calls optional is.
func TestRequiredMembers(t *testing.T) {
	s := start(t, nil)
	s.ask(t, "POST", "/v1/parse", `{"graph":{"nodes":[{"id":0,"label":"C"}]}}`).want(t, 422, "edges")
	api := into[struct {
		Components struct {
			Schemas map[string]struct{ Required []string }
		}
	}](t, s.ask(t, "GET", "/openapi.json", "").want(t, 200))
	if required := api.Components.Schemas["Graph"].Required; !slices.Equal(required, []string{"nodes", "edges"}) {
		t.Errorf("required of a graph are %v", required)
	}
}
