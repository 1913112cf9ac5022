package server_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
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
	if _, err := server.Tokens(file, "", slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a file without tokens is taken")
	}
	if _, err := server.Tokens(file+"x", "", slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a file that is not there is taken")
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	write("one\n")
	var log strings.Builder
	if _, err := server.Tokens(file, "", slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	if warned := strings.Contains(log.String(), "can read a file of tokens"); warned != (runtime.GOOS != "windows") {
		t.Errorf("of a file that everybody can read the log says %q", log.String())
	}
	write("# of the group\none\n\n two \n # three\n")
	both, err := server.Tokens(file, "more", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(both(), ","); got != "one,two,more" {
		t.Errorf("tokens %s", got)
	}
	synctest.Test(t, func(t *testing.T) {
		get, err := server.Tokens(file, "", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for _, year := range []int{2100, 1980} { // even if the clock jumps
			text := fmt.Sprint("new in ", year)
			write(text)
			at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			if err := os.Chtimes(file, at, at); err != nil {
				t.Fatal(err)
			}
			if time.Sleep(untilReadAgain); get()[0] != text {
				t.Errorf("the tokens are still %v", get())
			}
		}
	})
}

// untilReadAgain is how long it takes at most until a changed file is read.
const untilReadAgain = 2 * time.Second

// TestTokenFilesThatAreGone: a file without tokens, or that cannot be read, lets
// nobody in, and the log says so.
func TestTokenFilesThatAreGone(t *testing.T) {
	var get func() []string
	s := start(t, func(o *server.Options) { o.Access.Read = func() []string { return get() } })
	ask := func(token string) int {
		r := httptest.NewRequest("GET", "http://localhost/v1/collections", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	for name, spoil := range map[string]func(file string) error{
		"emptied":  func(file string) error { return os.WriteFile(file, nil, 0o600) },
		"deleted":  os.Remove,
		"a folder": func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) },
	} {
		file := filepath.Join(t.TempDir(), "tokens")
		want := func(t *testing.T, when string, status int) {
			t.Helper()
			if got := ask("reader"); got != status {
				t.Errorf("%s, %s: status %d, want %d", name, when, got, status)
			}
		}
		if err := os.WriteFile(file, []byte("reader\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			var log logBuffer
			var err error
			if get, err = server.Tokens(file, "", slog.New(slog.NewTextHandler(&log, nil))); err != nil {
				t.Fatal(err)
			}
			want(t, "before", 200)
			if err := spoil(file); err != nil {
				t.Fatal(err)
			}
			time.Sleep(untilReadAgain)
			want(t, "spoiled", 401)
			if status := ask(""); status != 401 {
				t.Errorf("%s: status %d without a token", name, status)
			}
			time.Sleep(untilReadAgain)
			want(t, "still spoiled", 401)
			if text := log.String(); strings.Count(text, "no longer accepted") != 1 || !strings.Contains(text, file) {
				t.Errorf("%s: the log says %q", name, text)
			}
			if err := errors.Join(os.RemoveAll(file), os.WriteFile(file, []byte("reader\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(untilReadAgain)
			want(t, "written anew", 200)
		})
	}
}

// TestWritingFromElsewhere: without tokens, only this machine may write.
func TestWritingFromElsewhere(t *testing.T) {
	s := start(t, nil)
	put := func(from string, proxy ...string) int {
		r := httptest.NewRequest("PUT", "http://localhost/v1/collections/own/graphs/x", strings.NewReader(`{"smiles":"C"}`))
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = from
		for _, name := range proxy {
			r.Header.Set(name, "203.0.113.9")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Real-Ip"} {
		if got := put("127.0.0.1:80", name); got != 403 {
			t.Errorf("a change through a proxy on this machine, with %s: status %d", name, got)
		}
	}
	for from, status := range map[string]int{
		"192.0.2.1:1234": 403, "[2001:db8::1]:1": 403, "": 403, "@": 403, "127.0.0.1:80": 200, "[::1]:80": 200, "[::ffff:127.0.0.1]:80": 200,
	} {
		if got := put(from); got != status {
			t.Errorf("a change from %q: status %d, want %d", from, got, status)
		}
	}
	s = start(t, func(o *server.Options) { o.Access.Open = true })
	if got := max(put("192.0.2.1:1234"), put("127.0.0.1:80", "Via")); got != 200 {
		t.Errorf("a change from elsewhere where that is allowed: status %d", got)
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

// TestProbesAndScrapers: probes call a service by any name, scrapers by the
// machine's own name or address; neither opens the rest.
func TestProbesAndScrapers(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Access.Read = tokens("reader") })
	machine, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8080}
	ask := func(path, host string, local net.Addr) int {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = host
		r.Header.Set("Authorization", "Bearer reader")
		if local != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	for _, test := range []struct {
		host  string
		local net.Addr
		own   bool
	}{
		{machine, at, true},
		{strings.ToUpper(machine) + ":8080", at, true},
		{machine + ".:8080", nil, true},
		{"192.0.2.7:8080", at, true},
		{"[::ffff:192.0.2.7]:8080", at, true},
		{"[fe80::1]:80", &net.TCPAddr{IP: net.ParseIP("fe80::1"), Port: 80, Zone: "eth0"}, true},
		{"192.0.2.8:8080", at, false},
		{"192.0.2.7:8080", nil, false},
		{"192.0.2.7.evil.example", at, false},
		{machine + ".evil.example", at, false},
		{"evil.example", at, false},
		{"", at, false},
		{"192.0.2.7", &net.UnixAddr{Name: "/run/greed.sock", Net: "unix"}, false},
	} {
		for _, path := range []string{"/livez", "/readyz"} {
			if got := ask(path, test.host, test.local); got != 200 {
				t.Errorf("%s of %q: status %d", path, test.host, got)
			}
		}
		want := 421
		if test.own {
			want = 200
		}
		if got := ask("/metrics", test.host, test.local); got != want {
			t.Errorf("/metrics of %q at %v: status %d, want %d", test.host, test.local, got, want)
		}
		for _, path := range []string{"/v1/collections", "/", "/docs/", "/openapi.json"} {
			if got := ask(path, test.host, test.local); got != 421 {
				t.Errorf("%s of %q: status %d, want 421", path, test.host, got)
			}
		}
	}
	s.ask(t, "GET", "/metrics", "", "Host", machine).want(t, 401)
	s.ask(t, "GET", "/metrics", "", "Host", machine, "Origin", "https://evil.example", "Authorization", "Bearer reader").want(t, 403)
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
		s.ask(t, "POST", put, `{"id":"x","smiles":"C"}`, "Content-Type", kind).want(t, 415, "HTML forms cannot send")
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

// TestLogNamesTrace: of a header that is not a traceparent nothing is logged.
func TestLogNamesTrace(t *testing.T) {
	s := start(t, nil)
	const id = "0af7651916cd43dd8448eb211c80319c"
	s.ask(t, "GET", "/v1/collections", "", "Traceparent", "00-"+id+"-b7ad6b7169203331-01").want(t, 200)
	s.ask(t, "GET", "/v1/collections", "", "Traceparent", "01-"+id+"-b7ad6b7169203331-01-more").want(t, 200)
	none := strings.Repeat("0", 32)
	for _, invalid := range []string{"00-secret-b7ad6b7169203331-01", "00-" + none + "-b7ad6b7169203331-01", "00-" + id + "-" + none[:16] + "-01", "ff-" + id + "-b7ad6b7169203331-01", "00-" + id + "-b7ad6b7169203331-01-more"} {
		s.ask(t, "GET", "/v1/collections", "", "Traceparent", invalid).want(t, 200)
	}
	if log := s.log.String(); strings.Count(log, `"trace":"`+id+`"`) != 2 || strings.Count(log, `"trace"`) != 2 {
		t.Error(log)
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
