package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/server"
)

func tokens(list ...string) func() []string { return func() []string { return list } }

func TestTokens(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Access = server.Access{Read: tokens("reader"), Write: tokens("writer", "second")}
	})
	const search, graph = "/v1/collections/own/search?smiles=CCO", "/v1/collections/own/graphs/x"
	auth := func(token string) []string { return []string{"Authorization", "Bearer " + token} }
	r := s.ask(t, "GET", search, "").want(t, 401, "Authorization")
	if !strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("challenge %q", r.header.Get("WWW-Authenticate"))
	}
	s.ask(t, "GET", search, "", auth("wrong")...).want(t, 401, "not one of")
	s.ask(t, "GET", search, "", auth("")...).want(t, 401)
	s.ask(t, "GET", search, "", "Authorization", "Basic cmVhZGVy").want(t, 401)
	s.ask(t, "GET", search, "", auth("reader")...).want(t, 200)
	s.ask(t, "GET", search, "", auth("writer")...).want(t, 200)
	s.ask(t, "PUT", graph, `{"smiles":"C"}`).want(t, 401, "token")
	s.ask(t, "PUT", graph, `{"smiles":"C"}`, auth("reader")...).want(t, 403, "not to write")
	s.ask(t, "PUT", graph, `{"smiles":"C"}`, auth("second")...).want(t, 200)
	s.ask(t, "DELETE", graph, "", auth("reader")...).want(t, 403)
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"y","smiles":"C"}`, auth("reader")...).want(t, 403)
	s.ask(t, "GET", "/metrics", "").want(t, 401)
	s.ask(t, "GET", "/metrics", "", auth("reader")...).want(t, 200)
	for _, open := range []string{"/livez", "/readyz", "/", "/docs/", "/openapi.json"} {
		s.ask(t, "GET", open, "").want(t, 200)
	}
	s.ask(t, "GET", search+"&token=reader", "").want(t, 400, "addresses")
	s.ask(t, "GET", search+"&access_token=reader", "", auth("reader")...).want(t, 400)
}

func TestReadTokensAloneForbidWriting(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Access.Read = tokens("reader") })
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", `{"smiles":"C"}`).want(t, 401)
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", `{"smiles":"C"}`, "Authorization", "Bearer reader").want(t, 403)
}

func TestTokenFilesAreReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	if _, err := server.Tokens(file, ""); err == nil {
		t.Error("a file without tokens is taken")
	}
	if _, err := server.Tokens(file+"x", ""); err == nil {
		t.Error("a file that is not there is taken")
	}
	write("one\n\n two \n")
	both, err := server.Tokens(file, "more")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(both(), ","); got != "one,two,more" {
		t.Errorf("tokens %s", got)
	}
	get, err := server.Tokens(file, "")
	if err != nil {
		t.Fatal(err)
	}
	write("three-is-new\n")
	for deadline := time.Now().Add(10 * time.Second); get()[0] != "three-is-new"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the tokens are still %v", get())
		}
	}
	write("") // being written: the tokens stay
	time.Sleep(1100 * time.Millisecond)
	if get()[0] != "three-is-new" {
		t.Errorf("tokens %v", get())
	}
}

func TestForgedHost(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Access.Hosts = []string{"mols.example.org"} })
	const path = "/v1/collections"
	for _, host := range []string{"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "8.8.8.8", "localhost.evil.example", "mols.example.org.evil"} {
		s.ask(t, "GET", path, "", "Host", host).want(t, 421, "Host")
	}
	for _, host := range []string{"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:80", "MOLS.example.org", "mols.example.org:443"} {
		s.ask(t, "GET", path, "", "Host", host).want(t, 200)
	}
}

func TestCrossSiteRequests(t *testing.T) {
	s := start(t, nil)
	const put = "/v1/collections/own/graphs"
	for _, headers := range [][]string{
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"},
	} {
		s.ask(t, "POST", put, `{"id":"x","smiles":"C"}`, headers...).want(t, 403, "other sites")
	}
	s.ask(t, "GET", "/v1/collections", "", "Origin", "https://evil.example").want(t, 403)
	s.ask(t, "GET", "/v1/collections", "", "Origin", s.URL).want(t, 200)
	s.ask(t, "GET", "/", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate").want(t, 200)
	// What a form of any site can send changes nothing.
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""} {
		s.ask(t, "POST", put, `{"id":"x","smiles":"C"}`, "Content-Type", kind).want(t, 415, "no form")
	}
	s.ask(t, "GET", put+"/x", "").want(t, 404)
	if r := s.ask(t, "OPTIONS", put, "", "Origin", s.URL, "Access-Control-Request-Method", "POST"); r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("other sites are allowed in")
	}
}

func TestHeaders(t *testing.T) {
	s := start(t, nil)
	for path, policy := range map[string]string{"/v1/collections": "default-src 'none'", "/": "script-src 'self'", "/docs/": "script-src 'self'"} {
		h := s.ask(t, "GET", path, "").header
		if !strings.Contains(h.Get("Content-Security-Policy"), policy) || strings.Contains(h.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: policy %q", path, h.Get("Content-Security-Policy"))
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Request-Id") == "" {
			t.Errorf("%s: headers %v", path, h)
		}
	}
}

// TestLogsSayNothingOfQueries: what people ask for is theirs.
func TestLogsSayNothingOfQueries(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Access.Read = tokens("s3cret") })
	auth := []string{"Authorization", "Bearer s3cret"}
	r := s.ask(t, "GET", "/v1/collections/own/search?smiles=CCCCCCSCC", "", auth...).want(t, 200)
	s.ask(t, "POST", "/v1/collections/own/search", `{"query":{"smiles":"C1CCCCCCSCC"}}`, auth...).want(t, 422)
	s.ask(t, "GET", "/v1/collections/own/graphs/CCCCCCSCC", "", auth...).want(t, 404)
	s.ask(t, "GET", "/v1/collections/CCCCCCSCC", "", "Authorization", "Bearer CCCCCCSCC").want(t, 401)
	log := s.log.String()
	for _, secret := range []string{"CCCCCCSCC", "s3cret"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %s: %s", secret, log)
		}
	}
	for _, text := range []string{r.header.Get("X-Request-Id"), `"status":200`, `"route":"GET /v1/collections/{name}/search"`} {
		if !strings.Contains(log, text) {
			t.Errorf("the log lacks %s: %s", text, log)
		}
	}
}
