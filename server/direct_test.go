package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// wayward are paths with segments that net/http would remove.
var wayward = []string{
	"/v1/collections/vic/graphs/..", "/v1/collections/vic/graphs/.", "/v1/collections/vic/graphs/a/../..", "/v1/collections/vic/graphs/../../vic",
	"/v1/collections/vic/./graphs/m0", "/v1//collections/vic", "//v1/collections/vic", "/v1/collections//vic", "/v1/collections/vic//",
	"/v1/collections/vic/graphs/%2E%2E/..", "/v1/collections/../collections/vic/search", "/mcp/../v1/collections/vic", "/livez/.", "/docs/..", "/./",
}

// TestPathsAreNotRedirected: a client that follows redirects would delete the collection
// where it wanted to delete the graph "..".
func TestPathsAreNotRedirected(t *testing.T) {
	root := t.TempDir()
	s := rooted(t, root, func(o *server.Options) { o.Assistants = true })
	s.ask(t, "PUT", "/v1/collections/vic", `{}`).want(t, 201)
	s.ask(t, "PUT", "/v1/collections/vic/graphs/m0", `{"smiles":"CCO"}`).want(t, 200)
	for _, path := range wayward {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != 400 || resp.Header.Get("Location") != "" || resp.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s %s: %v, %s, %s, %v", method, path, resp.Status, resp.Header, body, err)
			}
			if method != "HEAD" && !strings.Contains(string(body), "%2E%2E") {
				t.Errorf("%s %s: %s", method, path, body)
			}
			raw := s.raw(t, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", method, path))
			if raw != "HTTP/1.1 400 Bad Request" {
				t.Errorf("%s %s as it is: %s", method, path, raw)
			}
		}
	}
	s.ask(t, "GET", "/v1/collections/vic/graphs/m0", "").want(t, 200)
	holdsOnly(t, root, "vic.index")

	// What clients make of the ids, which take away segments themselves.
	for _, path := range []string{"/v1/collections/vic/", "/v1/collections/vic/graphs/"} {
		for _, method := range []string{"PUT", "DELETE", "POST", "GET"} {
			if raw := s.raw(t, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", method, path)); raw != "HTTP/1.1 404 Not Found" {
				t.Errorf("%s %s: %s", method, path, raw)
			}
		}
	}
}

// raw sends a text and returns the first line of the answer.
func (s *service) raw(t *testing.T, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// TestGraphsWhoseIDsAreDots are reached by escaped dots, and in bodies.
func TestGraphsWhoseIDsAreDots(t *testing.T) {
	s := start(t, nil)
	for _, id := range []string{".", "..", "a/../.."} {
		path := "/v1/collections/own/graphs/" + strings.NewReplacer(".", "%2E", "/", "%2F").Replace(id)
		s.ask(t, "PUT", path, `{"smiles":"CCS"}`).want(t, 200, `"put":1`)
		s.ask(t, "GET", path, "").want(t, 200, `"id":"`+id+`"`, "CCS")
		s.ask(t, "POST", "/v1/parse", fmt.Sprintf(`{"id":%q,"collection":"own"}`, id)).want(t, 200, "CCS")
		s.ask(t, "DELETE", path, "").want(t, 200, `"deleted":1`)
		s.ask(t, "GET", path, "").want(t, 404)
		s.ask(t, "POST", "/v1/collections/own/graphs", fmt.Sprintf(`{"id":%q,"smiles":"CCS"}`, id)).want(t, 200)
		s.ask(t, "POST", "/v1/collections/own/graphs", fmt.Sprintf(`{"id":%q,"delete":true}`, id)).want(t, 200, `"deleted":1`)
	}
}

func TestNamesThatPathsCannotHave(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a/b", "a%b"} {
		opt := server.Defaults()
		opt.Hosted = []server.Hosted{{Name: name, Collection: greed.New()}}
		if _, err := server.New(opt); err == nil || !strings.Contains(err.Error(), "cannot be named") {
			t.Errorf("a collection may be named %q: %v", name, err)
		}
	}
}
