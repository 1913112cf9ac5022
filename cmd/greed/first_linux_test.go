package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFirstRequests prints what the first request to every route of a collection takes, each of a service of its own,
// and beside it the second: clock, time of the processors, and how much anonymous memory the service has more. What the
// first takes beyond the second is not the answer's. GREED_FIRST is an index; a graph is put into it and deleted.
func TestFirstRequests(t *testing.T) {
	index := os.Getenv("GREED_FIRST")
	if index == "" {
		t.Skip("GREED_FIRST says which index")
	}
	id, query := anyGraph(t, index)
	ids, err := json.Marshal([]string{id})
	if err != nil {
		t.Fatal(err)
	}
	at := "/v1/collections/" + collectionName(index)
	of := func(format string, rest ...any) string { return fmt.Sprintf(format, append([]any{query}, rest...)...) }
	requests := []struct{ what, method, path, body string }{
		{"collections", "GET", "/v1/collections", ""},
		{"collection", "GET", at, ""},
		{"a graph", "GET", at + "/graphs/" + url.PathEscape(id), ""},
		{"no graph", "GET", at + "/graphs/nobody", ""},
		{"a page of graphs", "GET", at + "/graphs?limit=10", ""},
		{"put", "PUT", at + "/graphs/first-request", `{"smiles":"CCO"}`},
		{"delete", "DELETE", at + "/graphs/first-request", ""},
		{"batch", "POST", at + "/graphs", `{"put":[{"id":"first-request","smiles":"CCN"}]}`},
		{"delete again", "DELETE", at + "/graphs/first-request", ""},
		{"labels", "GET", at + "/labels", ""},
		{"attributes", "GET", at + "/attributes", ""},
		{"an attribute", "GET", at + "/attributes/mass", ""},
		{"within 1", "POST", at + "/search", of(`{"query":%s,"radius":1}`)},
		{"within 1, by address", "GET", at + "/search?smiles=CCO&radius=1", ""},
		{"nearest", "POST", at + "/search", of(`{"query":%s,"k":10,"time_limit":"2s"}`)},
		{"predicted", "POST", at + "/search", of(`{"query":%s,"k":10,"mode":"predicted"}`)},
		{"no attribute", "POST", at + "/search", of(`{"query":%s,"radius":1,"filter":["mass>1"]}`)},
		{"many", "POST", at + "/searches", of(`{"queries":[%s],"radius":1}`)},
		{"contained", "POST", at + "/parts", of(`{"query":%s,"time_limit":"2s"}`)},
		{"distances", "POST", at + "/distances", of(`{"query":%s,"ids":%s}`, ids)},
		{"a distance", "POST", "/v1/distance", fmt.Sprintf(`{"collection":%q,"query":{"id":%q},"target":{"id":%q}}`,
			collectionName(index), id, id)},
		{"embed", "POST", at + "/embed", of(`{"query":%s}`)},
		{"sdf", "POST", at + "/sdf", fmt.Sprintf(`{"ids":%s}`, ids)},
		{"vectors", "POST", at + "/vectors", fmt.Sprintf(`{"like":[%q],"k":10}`, id)},
		{"certify", "POST", at + "/certify", of(`{"query":%s,"radius":1,"time_limit":"2s"}`)},
		{"join", "POST", at + "/join", `{"radius":1,"time_limit":"1s"}`},
		{"cliffs", "POST", at + "/cliffs", `{"radius":1,"time_limit":"1s"}`},
		{"sar", "POST", at + "/sar", `{"core":"C1CC1","time_limit":"1s"}`},
		{"map", "GET", at + "/map", ""},
	}
	t.Logf("%-22s %6s  %29s  %29s", "", "status", "first: ms, processor, MB", "second")
	for _, r := range requests {
		p := serve(t, index)
		quiet(p.Process.Pid)
		status, first := took(t, p, r.method, r.path, r.body)
		_, second := took(t, p, r.method, r.path, r.body)
		t.Logf("%-22s %6d  %s  %s", r.what, status, first, second)
		p.stop(t)
	}
}

// anyGraph returns the id of a graph of an index, and the graph as a query.
func anyGraph(t *testing.T, index string) (id, query string) {
	t.Helper()
	p := serve(t, "--read-only", index)
	defer p.stop(t)
	var page struct {
		Graphs []struct {
			ID, SMILES string
			Graph      json.RawMessage
		}
	}
	_, body := send(t, p, "GET", "/v1/collections/"+collectionName(index)+"/graphs?limit=3&whole=true", "")
	if err := json.Unmarshal(body, &page); err != nil || len(page.Graphs) == 0 {
		t.Fatalf("%v: %.300s", err, body)
	}
	g := page.Graphs[len(page.Graphs)-1]
	query = fmt.Sprintf(`{"smiles":%q}`, g.SMILES)
	if g.SMILES == "" {
		query = fmt.Sprintf(`{"graph":%s}`, g.Graph)
	}
	return g.ID, query
}

func collectionName(index string) string {
	index = strings.TrimSuffix(index, ".index")
	return index[strings.LastIndexByte(index, '/')+1:]
}

func send(t *testing.T, p *program, method, path, body string) (status int, answer []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if answer, err = io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, answer
}

// spent is what a request took.
type spent struct {
	clock, processor time.Duration
	megabytes        float64
}

func (u spent) String() string {
	return fmt.Sprintf("%9.1f %9.0f %9.1f", u.clock.Seconds()*1e3, u.processor.Seconds()*1e3, u.megabytes)
}

func took(t *testing.T, p *program, method, path, body string) (status int, u spent) {
	t.Helper()
	pid := p.Process.Pid
	before, used, begin := anonymous(pid), processorTime(pid), time.Now()
	status, answer := send(t, p, method, path, body)
	u = spent{time.Since(begin), processorTime(pid) - used, float64(anonymous(pid)-before) / (1 << 20)}
	if status >= 400 && status != 404 {
		t.Logf("%s %s: %d %.200s", method, path, status, answer)
	}
	return status, u
}

// anonymous returns the anonymous memory of a process in bytes.
func anonymous(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := bytes.Cut(text, []byte("RssAnon:"))
	words := strings.Fields(string(rest))
	if len(words) == 0 {
		return 0
	}
	kilobytes, _ := strconv.Atoi(words[0])
	return kilobytes << 10
}

// processorTime returns the processor time that a process has used, counted in hundredths of a second.
func processorTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(words) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(words[11])
	system, _ := strconv.Atoi(words[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// quiet waits until a service no longer reads vectors beside its first requests.
func quiet(pid int) {
	var last []time.Duration
	for len(last) < 5 || slices.Min(last) < slices.Max(last) {
		time.Sleep(100 * time.Millisecond)
		last = append(last, processorTime(pid))
		last = last[max(0, len(last)-5):]
	}
}
