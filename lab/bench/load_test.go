package bench_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/greedgraph/greed/lab/bench"
)

// slow answers searches after some time, and refuses every fourth.
func slow(t *testing.T, takes time.Duration) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			w.Write([]byte("process_resident_memory_bytes 1e6\n"))
			return
		}
		if asked.Add(1)%4 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		time.Sleep(takes)
		w.Header().Set("X-Greed-Status", "proven")
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// TestLoadCountsTheServiceAlone: what the client cannot send is counted, and is no
// time of the service.
func TestLoadCountsTheServiceAlone(t *testing.T) {
	url, asked := slow(t, 100*time.Millisecond)
	table, err := bench.Load(t.Context(), bench.LoadOptions{
		URL: url, Collection: "demo", Task: "ged", Mode: "proven", K: 1, Budget: time.Second, Rate: 200, Time: time.Second, Connections: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, f := range table.Rows[0].Figures {
		got[f.Name] = f.Value
	}
	if median := got["answers, median"]; median < 100 || median > 180 {
		t.Errorf("answers take %v ms in the median, want a little over 100", median)
	}
	sent := 1 - got["not sent"]
	if sent < 0.1 || sent > 0.5 || float64(asked.Load()) != math.Round(200*sent) {
		t.Errorf("a share of %v was sent, and %d requests came", sent, asked.Load())
	}
	if refused := got["refused"]; refused < 0.2*sent || refused > 0.3*sent {
		t.Errorf("a share of %v was refused of %v", refused, sent)
	}
	if got["proven, of those answered"] != 1 || got["failed"] != 0 {
		t.Errorf("figures %v", got)
	}
}

// TestLoadIsInterrupted: requests that are never answered do not hold up the end.
func TestLoadIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			if asked.Add(1) == 2 {
				cancel()
			}
			io.Copy(io.Discard, r.Body) // only then is it seen that the client leaves
			<-r.Context().Done()
		}
	}))
	defer s.Close()
	_, err := bench.Load(ctx, bench.LoadOptions{URL: s.URL, Collection: "demo", Mode: "predicted", Rate: 100, Time: time.Hour / 1000, Connections: 4})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
