package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// lengthy serves large graphs and molecules, and returns requests of every kind that takes
// time, with a place for more members. GREED_LATENESS is how many requests are sent.
func lengthy(t *testing.T) (s *Server, ctx context.Context, requests []lengthyRequest, count int) {
	t.Helper()
	count, _ = strconv.Atoi(os.Getenv("GREED_LATENESS"))
	if count == 0 {
		t.Skip("GREED_LATENESS says how many requests; the figures are those of a quiet machine")
	}
	molecules, err := greed.Bundled(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s, ctx = bare(t, func(o *Options) {
		o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 300, 990)}, {Name: "mols", Collection: molecules}}
	})
	var many []string
	for i := range 140 {
		many = append(many, fmt.Sprintf(`"u%d"`, i))
	}
	ids := strings.Join(many, ",")
	return s, ctx, []lengthyRequest{
		{"rings/search", `{"query":{"id":"u0"},"k":300,%s}`},
		{"rings/search", `{"query":{"id":"u1"},"k":300,"explain":true,%s}`},
		{"rings/search", `{"query":{"id":"u2"},"radius":1e9,%s}`},
		{"rings/search", `{"query":{"id":"u3"},"task":"sed","k":100,"explain":true,%s}`},
		{"rings/distances", `{"query":{"id":"u4"},"ids":[` + ids + `],"explain":true,%s}`},
		{"rings/searches", `{"queries":[{"id":"u5"},{"id":"u6"}],"k":100,%s}`},
		{"mols/search", `{"query":{"smiles":"CC1=C2C(C(=O)C3(C(CC4C(C3C(C(C2(C)C)(CC1OC(=O)C(C(C5=CC=CC=C5)NC(=O)C6=CC=CC=C6)O)O)OC(=O)C7=CC=CC=C7)(CO4)OC(=O)C)O)C)OC(=O)C"},"k":1000,"explain":true,%s}`},
		{"mols/search", `{"query":{"smiles":"c1ccc2c(c1)ccc3c2ccc4c3cccc4"},"radius":1e9,%s}`},
		{"mols/search", `{"query":{"smiles":"c1ccc2c(c1)ccc3c2ccc4c3cccc4"},"task":"sed","k":100,"no_model":true,%s}`},
		{"rings/join", `{"radius":100,%s}`},
		{"rings/cliffs", `{"radius":1e9,"k":100,%s}`},
		{"mols/join", `{"radius":4,"k":1000,%s}`},
		{"mols/cliffs", `{"radius":3,"k":1000,%s}`},
	}, count
}

type lengthyRequest struct{ path, body string }

// ask sends the request with a time limit.
func (r lengthyRequest) ask(ctx context.Context, s *Server, limit time.Duration) (status int) {
	body := fmt.Sprintf(r.body, fmt.Sprintf(`"time_limit":%q`, limit))
	q := httptest.NewRequestWithContext(ctx, "POST", "/v1/collections/"+r.path, strings.NewReader(body))
	q.Host = "localhost"
	q.Header.Set("Content-Type", "application/json")
	w := &passing{header: make(http.Header)}
	s.ServeHTTP(w, q)
	return w.status
}

// TestLateness prints how long after its time a request is answered: requests of 1 ms to 3 s,
// one after the other. What they take of the processors after their time does not depend on what else the
// machine does.
func TestLateness(t *testing.T) {
	s, ctx, requests, count := lengthy(t)
	limits := []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second}
	var late []time.Duration
	of := make(map[time.Duration]string)
	var most time.Duration // of the processors
	var worst string
	for i := range count {
		r, limit := requests[i%len(requests)], limits[i/len(requests)%len(limits)]
		due := make(chan time.Duration, 1)
		begin := time.Now()
		ends := time.AfterFunc(limit, func() { due <- processor.Time() })
		status := r.ask(ctx, s, limit)
		took, used := time.Since(begin)-limit, time.Duration(0)
		if after := processor.Time(); !ends.Stop() {
			used = max(0, after-<-due)
		}
		if status != 200 && status != 422 { // within 10⁹ there may be more answers than one may have
			t.Fatalf("%s: %d", r.path, status)
		}
		late = append(late, took)
		of[took] = fmt.Sprintf("%v of the processors; %v: %s %.120s", used, limit, r.path, r.body)
		if used > most {
			most, worst = used, of[took]
		}
	}
	slices.SortFunc(late, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	over := func(d time.Duration) int {
		n, _ := slices.BinarySearchFunc(late, d, func(a, d time.Duration) int { return cmp.Compare(d, a) })
		return n
	}
	t.Logf("%d requests: %d are over 50 ms late, %d over 100 ms, %d over 500 ms; the worst:", count, over(50*time.Millisecond), over(100*time.Millisecond), over(500*time.Millisecond))
	for _, d := range late[:min(8, count)] {
		t.Logf("%v: %s", d, of[d])
	}
	t.Logf("the most of the processors: %s", worst)
}

// TestWorkAfterLeaving prints how long, in time of the processors, the service goes on after the
// client of a request has left.
func TestWorkAfterLeaving(t *testing.T) {
	s, ctx, requests, count := lengthy(t)
	for _, r := range requests[:min(count, len(requests))] {
		for _, after := range []time.Duration{20 * time.Millisecond, 500 * time.Millisecond} {
			ctx, leave := context.WithCancel(ctx)
			ended := make(chan any)
			go func() {
				defer func() { ended <- recover() }() // answers that had begun are broken off
				r.ask(ctx, s, 10*time.Second)
			}()
			time.Sleep(after)
			leave()
			used := processor.Time()
			if why := <-ended; why != nil && why != http.ErrAbortHandler {
				t.Error(why)
			}
			time.Sleep(time.Second)
			t.Logf("%v after leaving: %s %.120s", processor.Time()-used, r.path, r.body)
		}
	}
}

// passing is a client that takes answers at once and keeps nothing.
type passing struct {
	header http.Header
	status int
}

func (w *passing) Header() http.Header    { return w.header }
func (w *passing) WriteHeader(status int) { w.status = status }

func (w *passing) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return len(p), nil
}
