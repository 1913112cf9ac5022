package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// hostileBody is a body in which little text makes much work, and where it goes.
type hostileBody struct {
	method, path, kind string
	body               []byte
	packed             bool
}

// hostileBodies makes bodies of some size: for every route that takes one, texts of every
// format, and JSON that is deep, or has many members, labels, edges or parts; each plain and
// packed. Unless all are wanted, a route gets one text of every third format, what is packed is one
// of ten, and less time is given.
func hostileBodies(size int, all bool) iter.Seq[hostileBody] {
	return func(yield func(hostileBody) bool) { makeHostileBodies(size, all, yield) }
}

func makeHostileBodies(size int, all bool, yield func(hostileBody) bool) {
	const own = "/v1/collections/own"
	queries := []struct{ method, path, around string }{
		{"POST", "/v1/parse", `%s`},
		{"POST", own + "/search", `{"query":%s,"k":100,"time_limit":"50ms"}`},
		{"POST", own + "/searches", `{"queries":[%s],"k":100,"time_limit":"50ms"}`},
		{"POST", own + "/distances", `{"query":%s,"ids":["1"],"time_limit":"50ms"}`},
		{"POST", "/v1/distance", `{"query":{"smiles":"C"},"target":%s,"time_limit":"50ms"}`},
		{"POST", "/v1/distances", `{"pairs":[{"query":{"smiles":"C"},"target":%s}],"time_limit":"50ms"}`},
		{"POST", "/v1/mcs", `{"query":{"smiles":"C"},"target":%s,"time_limit":"50ms"}`},
		{"POST", own + "/embed", `{"query":%s}`},
		{"POST", own + "/parts", `{"query":%s,"time_limit":"50ms"}`},
		{"PUT", own + "/graphs/hostile", `%s`},
		{"POST", "/v1/records", `%s`},
	}
	made, ended := 0, false
	add := func(method, path, kind string, body []byte) {
		if made++; ended || !yield(hostileBody{method, path, kind, body, false}) {
			ended = true
			return
		}
		if !all && made%10 != 0 {
			return
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(body) // into memory
		_ = w.Close()
		ended = !yield(hostileBody{method, path, kind, packed.Bytes(), true})
	}
	texts := graphtest.HostileTexts(size / 2) // quotes take as much again in JSON
	for i, to := range queries {
		if !all {
			to.around = strings.Replace(to.around, "50ms", "10ms", 1)
		}
		for f, format := range slices.Sorted(maps.Keys(texts)) {
			if !all && f%3 != i%3 {
				continue
			}
			for k, name := range slices.Sorted(maps.Keys(texts[format])) {
				if !all && k != i%len(texts[format]) {
					continue
				}
				text, err := json.Marshal(map[string]string{"text": texts[format][name]()})
				if err != nil {
					panic(err) // it is a text
				}
				add(to.method, to.path, format+", "+name, fmt.Appendf(nil, to.around, text))
			}
		}
		add(to.method, to.path, "deep", fmt.Appendf(nil, to.around, strings.Repeat("[", size)))
		add(to.method, to.path, "spaces", fmt.Appendf(nil, to.around, strings.Repeat(" ", size)))
		add(to.method, to.path, "members", fmt.Appendf(nil, to.around, `{"x":1`+strings.Repeat(`,"x":1`, size/6)+`}`))
		add(to.method, to.path, "labels", fmt.Appendf(nil, to.around, `{"graph":`+largeGraph(1000, 5000)+`}`))
		add(to.method, to.path, "smiles", fmt.Appendf(nil, to.around, `{"smiles":"`+strings.Repeat("C", size)+`"}`))
	}
	add("POST", own+"/sdf", "ids", []byte(`{"ids":["1"`+strings.Repeat(`,"1"`, size/4)+`]}`))
	add("POST", own+"/vectors", "vectors", []byte(`{"vectors":[[1`+strings.Repeat(`,1`, size/2)+`]]}`))
	add("POST", own+"/distances", "ids", []byte(`{"query":{"smiles":"C"},"ids":["1"`+strings.Repeat(`,"1"`, size/4)+`]}`))
	add("POST", own+"/searches", "queries", []byte(`{"queries":[{"id":"1"}`+strings.Repeat(`,{"id":"1"}`, size/11)+`]}`))
	limit := "200ms"
	if all {
		limit = "10s"
	}
	add("POST", own+"/join", "all pairs", []byte(`{"radius":1e9,"k":1000,"time_limit":"`+limit+`"}`))
	add("POST", own+"/cliffs", "all pairs", []byte(`{"radius":1e9,"k":1000,"time_limit":"`+limit+`"}`))
	line := `{"id":"a","smiles":"C"}` + "\n"
	batch := 8 * size
	add("POST", own+"/graphs", "lines", bytes.Repeat([]byte(line), batch/len(line)))
	add("POST", own+"/graphs", "empty lines", bytes.Repeat([]byte("\n"), batch))
	add("POST", own+"/graphs", "a long line", append([]byte(`{"id":"`), bytes.Repeat([]byte("a"), batch)...))
	graph := largeGraph(1000, 5000)
	add("POST", own+"/graphs", "large graphs", bytes.Repeat([]byte(`{"id":"hostile","graph":`+graph+"}\n"), max(1, batch/len(graph))))
}

// largeGraph is the JSON of a graph of so many nodes and edges, each with a label of its own.
func largeGraph(nodes, edges int) string {
	var n, e strings.Builder
	for v := range nodes {
		fmt.Fprintf(&n, `,{"id":%d,"label":"n%[1]d"}`, v)
	}
	for i := range edges {
		fmt.Fprintf(&e, `,{"source":%d,"target":%d,"label":"e%d"}`, i%nodes, (i+1+i/nodes)%nodes, i)
	}
	return `{"nodes":[` + n.String()[1:] + `],"edges":[` + e.String()[1:] + `]}`
}

// memoryOf returns what the system says of the memory of a process, in bytes: VmRSS, VmHWM.
func memoryOf(t *testing.T, process int, name string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}

// TestMemoryBudget sends every hostile body to a service of its own, several at once, and
// holds its greatest memory to what --max-memory says and 64 MiB. GREED_BUDGET is the size of
// the bodies in bytes, at most 1 MiB; then every route gets every one, and the greatest memory
// for each route is printed, one request at a time.
func TestMemoryBudget(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("how much memory a process has had is known on Linux")
	}
	size, all := 16<<10, false
	if text := os.Getenv("GREED_BUDGET"); text != "" {
		var err error
		if size, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		all = true
	}
	const budget, slack = 512 << 20, 64 << 20
	index := filepath.Join(t.TempDir(), "own.index")
	indexOf(t, index, 100)
	s := serve(t, "own="+index, fmt.Sprint("--max-memory=", budget>>20))
	defer s.stop(t)
	idle := memoryOf(t, s.Process.Pid, "VmRSS")
	ask := func(b hostileBody) {
		r, err := http.NewRequestWithContext(t.Context(), b.method, s.URL+b.path, bytes.NewReader(b.body))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Content-Type", "application/json")
		if strings.HasSuffix(b.path, "own/graphs") {
			r.Header.Set("Content-Type", "application/x-ndjson")
		}
		if b.packed {
			r.Header.Set("Content-Encoding", "gzip")
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return // it was cut off while it was sent
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode >= 500 && answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s %s, %s: %d %.300s %v", b.method, b.path, b.kind, answer.StatusCode, text, err)
		}
	}
	if all {
		most, of := make(map[string]int64), make(map[string]string)
		for b := range hostileBodies(size, all) {
			if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.Process.Pid), []byte("5"), 0); err != nil {
				t.Fatal(err) // the greatest memory begins anew
			}
			ask(b)
			if got := memoryOf(t, s.Process.Pid, "VmHWM") - idle; got > most[b.path] {
				most[b.path], of[b.path] = got, b.kind
			}
		}
		for _, path := range slices.Sorted(maps.Keys(most)) {
			t.Logf("%s: %d MiB beside the %d of the idle service (%s)", path, most[path]>>20, idle>>20, of[path])
		}
	}
	queue := make(chan hostileBody)
	var senders sync.WaitGroup
	for range 8 {
		senders.Go(func() {
			for b := range queue {
				ask(b)
			}
		})
	}
	sent := 0
	for b := range hostileBodies(size, all) {
		queue <- b
		sent++
	}
	close(queue)
	senders.Wait()
	peak := memoryOf(t, s.Process.Pid, "VmHWM")
	t.Logf("%d bodies, 8 at once: %d MiB beside the %d of the idle service", sent, (peak-idle)>>20, idle>>20)
	if peak > idle+budget+slack {
		t.Errorf("%d MiB, where %d are idle and --max-memory says %d", peak>>20, idle>>20, budget>>20)
	}
}
