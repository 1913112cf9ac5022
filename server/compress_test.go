package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/greedgraph/greed/server"
)

// zipped returns a text as gzip writes it.
func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func unzipped(t testing.TB, text string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestPackedBodies(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Body, o.Limits.BatchBody = 8<<10, 1<<20 })
	const search, batch = "/v1/collections/own/search", "/v1/collections/own/graphs"
	gz := []string{"Content-Encoding", "gzip"}
	s.ask(t, "POST", search, zipped(t, `{"query":{"smiles":"CCO"},"k":1}`), gz...).want(t, 200, `"id":"m0"`)
	s.ask(t, "POST", search, zipped(t, `{"query":{"smiles":"CCO"},"K":1}`), gz...).want(t, 422, `is written \"k\"`)
	var lines strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&lines, "{\"id\":\"g%d\",\"smiles\":\"CCS\"}\n", i)
	}
	s.ask(t, "POST", batch, zipped(t, lines.String()), gz...).want(t, 200, `"put":1000`)
	// Two streams, one behind the other, are one body.
	s.ask(t, "POST", batch, zipped(t, `{"id":"x","smiles":"C"}`+"\n")+zipped(t, `{"id":"y","smiles":"C"}`+"\n"), gz...).want(t, 200, `"put":2`)
	s.ask(t, "POST", search, `{"query":{"smiles":"CCO"},"k":1}`, "Content-Encoding", "identity").want(t, 200)

	bomb := zipped(t, strings.Repeat(" ", 16<<20))
	if len(bomb) > 32<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	s.ask(t, "POST", batch, bomb, gz...).want(t, 413, "unpacked")
	s.ask(t, "POST", search, zipped(t, strings.Repeat(" ", 9<<10)), gz...).want(t, 413, "unpacked")
	whole := zipped(t, `{"query":{"smiles":"CCO"}}`)
	s.ask(t, "POST", search, whole[:len(whole)-5], gz...).want(t, 400, "gzip")
	s.ask(t, "POST", search, `{"query":{"smiles":"CCO"}}`, gz...).want(t, 400, "gzip")
	for _, coding := range []string{"br", "gzip, gzip", "zstd", "deflate"} {
		if r := s.ask(t, "POST", search, whole, "Content-Encoding", coding).want(t, 415, "Content-Encoding: gzip"); r.header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("%s: Accept-Encoding is %q", coding, r.header.Get("Accept-Encoding"))
		}
	}
	// What was held is given back.
	s.ask(t, "GET", "/metrics", "").want(t, 200, "greed_body_bytes 0\n")
}

// TestPackedBodiesHaveABudget: what is unpacked counts as a body.
func TestPackedBodiesHaveABudget(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.BatchBody, o.Limits.Bodies = 8<<20, 1<<20 })
	s.ask(t, "POST", "/v1/collections/own/graphs", zipped(t, strings.Repeat("\n", 4<<20)), "Content-Encoding", "gzip").want(t, 503)
	s.ask(t, "GET", "/metrics", "").want(t, 200, "greed_body_bytes 0\n")
}

func TestPackedAnswers(t *testing.T) {
	s := start(t, nil)
	const search = "/v1/collections/mols/search?smiles=CCO&explain=true&k=10"
	for _, accept := range []string{"application/json", "application/x-ndjson", "text/csv", "chemical/x-mdl-sdfile"} {
		r := s.ask(t, "GET", search, "", "Accept", accept, "Accept-Encoding", "gzip").want(t, 200)
		text := r.body
		if r.header.Get("Content-Encoding") == "gzip" {
			text = unzipped(t, r.body)
		} else if len(r.body) > 1024 {
			t.Errorf("%s: %d bytes are not packed", accept, len(r.body))
		}
		if !strings.Contains(text, "m0") || !strings.Contains(strings.Join(r.header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: %v, %s", accept, r.header, text)
		}
	}
	if r := s.ask(t, "GET", search, "", "Accept-Encoding", "gzip;q=0, br").want(t, 200); r.header.Get("Content-Encoding") != "" || !strings.Contains(r.body, "m0") {
		t.Errorf("what was not wanted packed is %s", r.header.Get("Content-Encoding"))
	}
	if r := s.whole(t, "GET", "/openapi.json", "", "Accept-Encoding", "gzip"); len(unzipped(t, r.body)) < 3*len(r.body) {
		t.Errorf("the description has %d bytes", len(r.body))
	}
}

// TestPackedStream arrives line by line.
func TestPackedStream(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}} })
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/collections/hard/search", strings.NewReader(fmt.Sprintf(`{"query":{"smiles":%q},"k":2,"time_limit":"700ms"}`, hard[0])))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/x-ndjson", "Accept-Encoding": "gzip"} {
		r.Header.Set(key, value)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("the stream comes as %q", answer.Header.Get("Content-Encoding"))
	}
	reads := &counting{Reader: answer.Body}
	plain, err := gzip.NewReader(reads)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil || strings.Count(string(text), "\n") < 2 || !strings.Contains(string(text), `"found":`) {
		t.Errorf("%v: %s", err, text)
	}
	if reads.count < 2 {
		t.Errorf("the stream came in %d pieces", reads.count)
	}
}

// counting counts the reads that brought something.
type counting struct {
	io.Reader
	count int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if n > 0 {
		c.count++
	}
	return n, err
}
