package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
)

// endureVariable says how long TestEndures goes on; docs/resilience.md names it.
const endureVariable = "GREED_ENDURE"

// flatFrom is the time from which on memory is compared: before, it grows into its
// caches.
const flatFrom = 5 * time.Minute

// siege is a service and all that is done to it.
type siege struct {
	*testing.T
	ctx      context.Context
	dir      string // the index that is changed
	victim   string // a link to an index whose files are cut
	service  *program
	client   *http.Client
	mu       sync.Mutex
	counts   map[string]int
	problems int
}

// TestEndures searches, changes and attacks a service while other processes write to
// its index and are killed, and files are cut under it. It must answer throughout, keep
// all that it acknowledged, and hold no more memory in the end than before.
func TestEndures(t *testing.T) {
	t.Parallel()
	long := lasting(t, endureVariable, time.Second)
	folder := t.TempDir()
	s := &siege{T: t, dir: filepath.Join(folder, "own.index"), victim: filepath.Join(folder, "victim"), counts: make(map[string]int)}
	indexOf(t, s.dir, 1000)
	indexOf(t, filepath.Join(folder, "whole.index"), 50)
	s.exchange(filepath.Join(folder, "whole.index"), folder, 0)
	s.service = serve(t, s.dir, "--read-only", s.victim, "--max-time", "2s")
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}, Timeout: time.Minute}
	defer s.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	s.ctx = ctx
	own := newWriter("http")
	var all sync.WaitGroup
	for seed := range 3 {
		all.Go(func() { s.search(rand.New(rand.NewPCG(1, uint64(seed)))) })
	}
	all.Go(func() { s.write(own) })
	all.Go(func() { s.offend(rand.New(rand.NewPCG(2, 0))) })
	all.Go(func() { s.hangUp(rand.New(rand.NewPCG(3, 0))) })
	all.Go(func() { s.writeFromElsewhere(rand.New(rand.NewPCG(4, 0)), folder) })
	all.Go(func() { s.cutFiles(folder) })
	var memory []float64
	for tick := time.NewTicker(max(100*time.Millisecond, long/400)); ctx.Err() == nil; <-tick.C {
		memory = append(memory, s.memory())
	}
	all.Wait()
	s.ask("alive", http.MethodGet, "/livez", "", http.StatusOK)
	s.service.stop(t)
	sound(t, s.dir)
	c, err := greed.Open(t.Context(), greed.Source{Path: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	own.check(t, c)
	s.tell(long, own, memory)
}

// tell logs what was done, and fails if memory grew.
func (s *siege) tell(long time.Duration, own *writer, memory []float64) {
	s.Helper()
	var names []string
	for name := range s.counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s.Logf("%-32s %d", name, s.counts[name])
	}
	n := len(memory)
	middle := func(part []float64) float64 { return slices.Sorted(slices.Values(part))[len(part)/2] }
	second, last := middle(memory[n/4:n/2+1]), middle(memory[n-1-n/4:])
	s.Logf("%v: %d batches acknowledged; memory %.0f MB at the start, %.0f in the second quarter, %.0f in the last, %.0f at most",
		long, own.total, memory[0]/1e6, second/1e6, last/1e6, slices.Max(memory)/1e6)
	if long >= flatFrom && last > 1.1*second+16e6 {
		s.Error("memory grows")
	}
}

// note counts an event.
func (s *siege) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name]++
}

// fail reports what went wrong, as long as there is not too much of it.
func (s *siege) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.problems++; s.problems < 20 {
		s.Errorf(format, args...)
	}
}

// ask sends a request, of which one of some statuses is expected; besides, the service
// may always be full.
func (s *siege) ask(what, method, path, body string, want ...int) {
	r, err := http.NewRequest(method, s.service.URL+path, strings.NewReader(body))
	if err != nil {
		panic(err) // it is written below
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.client.Do(r)
	if err != nil {
		s.fail("%s: %v", what, err)
		return
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if full := answer.StatusCode == http.StatusServiceUnavailable || answer.StatusCode == http.StatusTooManyRequests; err != nil || !full && !slices.Contains(want, answer.StatusCode) {
		s.fail("%s: status %d, %v: %.300s", what, answer.StatusCode, err, text)
	}
	s.note(fmt.Sprintf("%s: %d", what, answer.StatusCode))
}

// molecule returns a molecule that hardly comes again.
func molecule(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{"CCO", "c1ccccc1", "CC(=O)O", "C1CCCCC1", "CC(=O)Oc1ccccc1C(=O)O"}[rng.IntN(5)])
	for range 1 + rng.IntN(8) {
		b.WriteByte("CNOS"[rng.IntN(4)])
	}
	return b.String()
}

// search searches and measures.
func (s *siege) search(rng *rand.Rand) {
	for s.ctx.Err() == nil {
		smiles := molecule(rng)
		switch rng.IntN(8) {
		case 0, 1:
			s.ask("proven search", "POST", "/v1/collections/own/search", fmt.Sprintf(`{"query":{"smiles":%q},"k":5,"time_limit":"50ms","explain":true}`, smiles), 200)
		case 2:
			s.ask("checked search", "POST", "/v1/collections/own/search", fmt.Sprintf(`{"query":{"smiles":%q},"task":"sed","mode":"checked","time_limit":"50ms"}`, smiles), 200)
		case 3, 4:
			s.ask("prediction", "POST", "/v1/collections/own/search", fmt.Sprintf(`{"query":{"smiles":%q},"mode":"predicted"}`, smiles), 200)
		case 5:
			s.ask("distance", "POST", "/v1/distance", fmt.Sprintf(`{"query":{"smiles":%q},"target":{"smiles":%q},"time_limit":"50ms"}`, smiles, molecule(rng)), 200)
		case 6:
			s.ask("map", "GET", "/v1/collections/own/map", "", 200)
		case 7:
			// Its files may be cut just now, and what was mapped is an error then.
			s.ask("search in cut files", "POST", "/v1/collections/victim/search", fmt.Sprintf(`{"query":{"smiles":%q},"mode":"predicted","k":1}`, smiles), 200, 500)
		}
	}
}

// write sends batches, and single graphs that come and go.
func (s *siege) write(w *writer) {
	for n := 0; s.ctx.Err() == nil; n++ {
		switch status := w.send(s.client, s.service.URL); status {
		case 200, 503:
			s.note(fmt.Sprintf("batch: %d", status))
		default:
			s.fail("batch: status %d", status)
		}
		id := fmt.Sprintf("/v1/collections/own/graphs/single%d", n%50)
		s.ask("put", "PUT", id, `{"smiles":"CCOCC"}`, 200)
		if n%3 == 0 {
			s.ask("delete", "DELETE", id, "", 200)
		}
	}
}

// offend sends what is to be refused.
func (s *siege) offend(rng *rand.Rand) {
	var dot strings.Builder
	dot.WriteString("graph{")
	for i := range 8000 {
		fmt.Fprintf(&dot, "node[k%d=1]n%d;", i, i)
	}
	dot.WriteString("}")
	chain := "graph{0" + strings.Repeat("--1", 60_000) + "}"
	bodies := []string{
		fmt.Sprintf(`{"text":%q}`, dot.String()), fmt.Sprintf(`{"text":%q}`, chain), strings.Repeat("[", 500_000), "{", `{"smiles":"C1"}`,
		`{"smiles":"C","smiles":"N"}`, `{"text":"` + strings.Repeat(`\u0000`, 50_000) + `"}`, `{"smiles":"` + strings.Repeat("C", 900_000) + `"}`,
	}
	for s.ctx.Err() == nil {
		body := bodies[rng.IntN(len(bodies))]
		switch rng.IntN(4) {
		case 0:
			s.ask("bad query", "POST", "/v1/parse", body, 400, 422)
		case 1:
			s.ask("bad search", "POST", "/v1/collections/own/search", body, 400, 422)
		case 2:
			s.ask("bad batch", "POST", "/v1/collections/own/graphs", body, 400, 413, 415, 422)
		case 3:
			s.ask("no collection", "GET", "/v1/collections/x", "", 404)
			s.ask("bad path", "GET", "/v1/collections/"+strings.Repeat("../", 1+rng.IntN(8))+"x", "", 400)
		}
	}
}

// hangUp opens connections and leaves in the middle of something.
func (s *siege) hangUp(rng *rand.Rand) {
	address := strings.TrimPrefix(s.service.URL, "http://")
	const head = "POST /v1/collections/own/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
	proof := `{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)OCCNCCSCC"},"k":50,"time_limit":"2s"}`
	texts := []string{
		"", "G", "GET / HTTP/1.1\r\nHost:", "\x16\x03\x01\x02\x00\x01", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		fmt.Sprintf(head, "graphs", 100_000, `{"id":"half","smiles":"C"}`+"\n"),
		fmt.Sprintf(head, "search", len(proof), proof), fmt.Sprintf(head, "search", 1<<40, "{"),
		"POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n",
	}
	for s.ctx.Err() == nil {
		c, err := net.Dial("tcp", address)
		if err != nil {
			s.fail("no connection: %v", err)
			return
		}
		io.WriteString(c, texts[rng.IntN(len(texts))])
		time.Sleep(time.Duration(rng.IntN(50)) * time.Millisecond)
		c.Close()
		s.note("hang-up")
	}
}

// writeFromElsewhere lets other processes add, delete and compact. Some are killed, and
// what those leave must not stop the next.
func (s *siege) writeFromElsewhere(rng *rand.Rand, folder string) {
	file := filepath.Join(folder, "more.smi")
	for n := 0; s.ctx.Err() == nil; n++ {
		args := []string{"index", "add", s.dir, file}
		switch n % 6 {
		case 4:
			args = []string{"index", "compact", s.dir}
		case 5:
			args = []string{"index", "export", s.dir, "-o", filepath.Join(folder, "out.parquet"), "--embedding", "ged"}
		default:
			var b strings.Builder
			for i := range 40 {
				fmt.Fprintf(&b, "%s other%d\n", molecule(rng), (40*n+i)%200)
			}
			if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
				s.fail("%v", err)
				return
			}
		}
		command := exec.Command("greed", args...)
		var said lockedBuffer
		command.Stdout, command.Stderr = &said, &said
		if err := command.Start(); err != nil {
			s.fail("%v", err)
			return
		}
		killed := rng.IntN(3) == 0
		if killed {
			time.Sleep(time.Duration(rng.IntN(500)) * time.Millisecond)
			command.Process.Kill()
		}
		err := command.Wait()
		if err != nil && !killed {
			s.fail("greed %s: %v: %s", strings.Join(args[:2], " "), err, &said)
		}
		if killed = killed && err != nil; killed {
			s.note("greed " + args[1] + ", killed")
		} else {
			s.note("greed " + args[1])
		}
	}
}

// cutFiles cuts the files of a collection that is served, and then puts a whole one in
// its place.
func (s *siege) cutFiles(folder string) {
	for n := 1; s.ctx.Err() == nil; n++ {
		at, err := os.Readlink(s.victim)
		if err != nil {
			s.fail("%v", err)
			return
		}
		files, _ := filepath.Glob(filepath.Join(at, "*"))
		for _, path := range files {
			if info, err := os.Stat(path); err == nil && n%2 == 0 {
				os.Truncate(path, info.Size()/2)
			}
		}
		select {
		case <-s.ctx.Done():
		case <-time.After(time.Second):
		}
		s.exchange(filepath.Join(folder, "whole.index"), folder, n)
		s.note("index exchanged")
		select {
		case <-s.ctx.Done():
		case <-time.After(time.Second):
		}
		os.RemoveAll(at)
	}
}

// exchange makes the link lead to a new copy of an index.
func (s *siege) exchange(whole, folder string, n int) {
	to := filepath.Join(folder, fmt.Sprintf("victim%d", n))
	if err := os.CopyFS(to, os.DirFS(whole)); err != nil {
		s.fail("%v", err)
	}
	if err := os.Symlink(to, s.victim+".new"); err != nil {
		s.fail("%v", err)
	}
	if err := os.Rename(s.victim+".new", s.victim); err != nil {
		s.fail("%v", err)
	}
}

// memory returns the resident memory of the service in bytes, as it tells it.
func (s *siege) memory() float64 {
	answer, err := s.client.Get(s.service.URL + "/metrics")
	if err != nil {
		s.fail("%v", err)
		return 0
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	_, rest, _ := strings.Cut(string(text), "\nprocess_resident_memory_bytes ")
	line, _, _ := strings.Cut(rest, "\n")
	bytes, err := strconv.ParseFloat(line, 64)
	if err != nil {
		s.fail("no memory in the metrics: %v", err)
	}
	return bytes
}
