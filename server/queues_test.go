package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestQueuesAreSeparate: while all that may wait for the solver waits, predictions
// are answered, and what finds no room is refused without waiting for it.
func TestQueuesAreSeparate(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = append(o.Hosted, server.Hosted{Name: "hard", Collection: hardCollection(t)})
		o.Limits.Solver, o.Limits.SolverQueue, o.Limits.SolverShare = 1, 2, 100
		o.Limits.Plain, o.Limits.PlainQueue = 1, 2 // proofs must not count as these
		o.Limits.Time = time.Hour                  // longer than the test takes on any machine
	})
	ctx, leave := context.WithCancel(t.Context())
	proof := fmt.Sprintf(`{"query":{"smiles":%q},"k":2,"time_limit":"1h"}`, hard[0])
	var proofs sync.WaitGroup
	for range 3 {
		proofs.Go(func() {
			r, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/collections/hard/search", strings.NewReader(proof))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
			}
		})
	}
	full := func() bool {
		return strings.Contains(s.ask(t, "GET", "/metrics", "").body, `greed_waiting{work="solver"} 2`)
	}
	for !full() {
		time.Sleep(5 * time.Millisecond)
	}
	for range 5 {
		found := into[greed.Found](t, s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&mode=predicted", "").want(t, 200))
		if found.Status != greed.StatusPredicted {
			t.Errorf("status %s", found.Status)
		}
		s.ask(t, "POST", "/v1/collections/hard/search", proof).want(t, 503, "try again")
	}
	if !full() {
		t.Error("others waited for the proofs")
	}
	s.ask(t, "GET", "/metrics", "").want(t, 200, `greed_refused_total{work="solver"} 5`, `greed_refused_total{work="plain"} 0`)
	leave()
	proofs.Wait()
	http.DefaultClient.CloseIdleConnections()
}
