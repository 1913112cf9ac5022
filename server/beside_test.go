package server

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// unkind are requests whose work before the first answer is long, with the place of their time limit.
func unkind(molecules *greed.Collection) map[string]lengthyRequest {
	list := func(n int, form string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(form, "%d", fmt.Sprint(i))
		}
		return strings.Join(items, ",")
	}
	var ids []string
	for _, rec := range molecules.Listing() {
		if ids = append(ids, strconv.Quote(rec.ID)); len(ids) == 1000 {
			break
		}
	}
	long := strings.Repeat("C", 500)
	hub := func(n int, last string) string {
		var text strings.Builder
		text.WriteString("t # 0\\nv 0 a\\n")
		for v := range n {
			fmt.Fprintf(&text, "v %d b\\n", v+1)
		}
		for v := range n {
			fmt.Fprintf(&text, "e 0 %d x\\n", v+1)
		}
		return text.String() + last
	}
	return map[string]lengthyRequest{
		"distances of 1,000 pairs of ids": {"collections/rings/distances", `{"query":{"id":"u0"},"ids":[` + list(999, `"u%d"`) + `],%s}`},
		"distances of 900 pairs inline":   {"distances", `{"pairs":[` + list(900, `{"query":{"smiles":"`+long+`"},"target":{"smiles":"`+long+`O"}}`) + `],%s}`},
		"1,000 ids as SDF":                {"collections/mols/sdf", `{"ids":[` + strings.Join(ids, ",") + `],%s}`},
		"search with costs of rings":      {"collections/mols/search", `{"query":{"smiles":"` + strings.Repeat("C1CC1", 40) + `"},"costs":"rings","k":100,%s}`},
		"common subgraph of hubs":         {"mcs", `{"query":{"tve":"` + hub(990, "") + `"},"target":{"tve":"` + hub(990, `e 1 2 x\n`) + `"},"edges":true,%s}`},
		"search in large graphs":          {"collections/rings/search", `{"query":{"id":"u0"},"k":300,%s}`},
	}
}

// servesBeside, if set, is the folder whose indexes a process of this test serves.
const servesBeside = "GREED_BESIDE_FOLDER"

// TestBeside prints how late requests of an index on disk are, by processor time, and the times of a plain search,
// some fifteen a second, alone and beside eight other clients that send one of these again and again. The service is a process of its own.
// GREED_BESIDE is how long each takes.
func TestBeside(t *testing.T) {
	if dir := os.Getenv(servesBeside); dir != "" {
		serveFolder(t, dir)
		return
	}
	each, err := time.ParseDuration(os.Getenv("GREED_BESIDE"))
	if err != nil {
		t.Skip("GREED_BESIDE says for how long; the figures are those of a quiet machine")
	}
	molecules, err := greed.Bundled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, c := range map[string]*greed.Collection{"rings": rings(t, 1000, 990), "mols": molecules} {
		if err := c.Save(filepath.Join(dir, name+".index")); err != nil {
			t.Fatal(err)
		}
	}
	const limit = 10 * time.Millisecond
	kinds := unkind(molecules)
	names := slices.Sorted(maps.Keys(kinds))
	s := hostFolder(t, dir)
	for _, name := range names {
		var most time.Duration
		status := 0
		for range 3 {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/"+kinds[name].path, kinds[name].limited(limit))
			r.Host = "localhost"
			r.Header.Set("Content-Type", "application/json")
			w := &passing{header: make(http.Header)}
			used := processor.Time()
			s.ServeHTTP(w, r)
			status, most = w.status, max(most, processor.Time()-used-limit)
		}
		t.Logf("%s: %d, at most %v of the processors over its limit", name, status, most)
	}
	service := exec.Command(os.Args[0], "-test.run=^TestBeside$")
	service.Env = append(os.Environ(), servesBeside+"="+dir)
	service.Stderr = os.Stderr
	out, err := service.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = service.Process.Kill()
		_ = service.Wait()
	}()
	var address string
	if _, err := fmt.Fscanln(out, &address); err != nil {
		t.Fatal(err)
	}
	// A thread for each client, as if each were a process, so that none waits for what another reads.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(10))
	// The service takes its clients by their addresses.
	from := func(last byte) *http.Client {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, last)}}
		return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	}
	post := func(ctx context.Context, client *http.Client, r lengthyRequest, limit time.Duration) (status int) {
		q, err := http.NewRequestWithContext(ctx, "POST", address+"/v1/"+r.path, r.limited(limit))
		if err != nil {
			t.Error(err)
			return 0
		}
		q.Header.Set("Content-Type", "application/json")
		a, err := client.Do(q)
		if err != nil {
			return 0
		}
		defer a.Body.Close()
		_, _ = io.Copy(io.Discard, a.Body)
		return a.StatusCode
	}
	other := from(2)
	plain := lengthyRequest{"collections/mols/search", `{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)O"},"radius":3,%s}`}
	times := func() string {
		var all []time.Duration
		for begin := time.Now(); time.Since(begin) < each; {
			start := time.Now()
			if status := post(t.Context(), other, plain, 10*time.Second); status != 200 {
				t.Errorf("the plain search: %d", status)
			}
			all = append(all, time.Since(start))
			time.Sleep(50 * time.Millisecond)
		}
		slices.Sort(all)
		return fmt.Sprintf("median %v, p99 %v of %d", all[len(all)/2], all[len(all)*99/100], len(all))
	}
	times() // the first searches load what later ones have
	t.Logf("idle: %s", times())
	for _, name := range names {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan int)
		for i := range 8 {
			client := from(byte(10 + i))
			go func() {
				sent := 0
				for ctx.Err() == nil {
					post(ctx, client, kinds[name], limit)
					sent++
				}
				ended <- sent
			}()
		}
		beside := times()
		stop()
		sent := 0
		for range 8 {
			sent += <-ended
		}
		t.Logf("beside %d of %s: %s", sent, name, beside)
	}
}

// limited returns the body of a request with a time limit.
func (r lengthyRequest) limited(limit time.Duration) io.Reader {
	return strings.NewReader(fmt.Sprintf(r.body, fmt.Sprintf(`"time_limit":%q`, limit)))
}

// hostFolder returns a service of the indexes of a folder.
func hostFolder(t *testing.T, dir string) *Server {
	opt := Defaults()
	for _, name := range []string{"rings", "mols"} {
		c, err := greed.Open(t.Context(), greed.Source{Path: filepath.Join(dir, name+".index")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		opt.Hosted = append(opt.Hosted, Hosted{Name: name, Collection: c})
	}
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serveFolder serves a folder until the process is killed, and prints the address.
func serveFolder(t *testing.T, dir string) {
	host := hostFolder(t, dir)
	runtime.GOMAXPROCS(host.opt.Limits.Threads())
	web := httptest.NewServer(host)
	fmt.Println(web.URL)
	select {}
}
