package server_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

const serveEnv = "GREED_TEST_SERVE"

// TestServeForKilling is no test: it is what TestKilled starts and kills.
func TestServeForKilling(t *testing.T) {
	dir := os.Getenv(serveEnv)
	if dir == "" {
		t.Skip("run by TestKilled")
	}
	c, err := greed.Open(context.Background(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	opt := server.Defaults()
	opt.Hosted = []server.Hosted{{Name: "own", Collection: c, Writable: true}}
	s, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	l := &server.Listener{Address: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Started: func(url string) { fmt.Println("at", url) }}
	t.Fatal(l.Run(context.Background(), s))
}

// killsVariable says how often TestKilled kills.
const killsVariable = "GREED_SERVER_KILLS"

// TestKilled kills a service while clients send batches and looks, each time,
// whether everything that was acknowledged is there, and every batch whole.
func TestKilled(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 2
	}
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := folder(t)
	rng := rand.New(rand.NewPCG(1, 8))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	acknowledged := 0 // batches 0 to acknowledged−1, of batchSize graphs each
	const batchSize = 5
	for round := range rounds {
		child := exec.Command(os.Args[0], "-test.run=^TestServeForKilling$")
		child.Env = append(os.Environ(), serveEnv+"="+dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, url := bufio.NewScanner(out), ""
		for url == "" && lines.Scan() {
			_, url, _ = strings.Cut(lines.Text(), "at ")
		}
		// Every other round waits for an answer first, however long it takes.
		after := time.Duration(rng.IntN(150)) * time.Millisecond
		kill := func() { time.AfterFunc(after, func() { child.Process.Kill() }) }
		if round%2 == 0 {
			kill()
		}
		for first := acknowledged; url != ""; {
			if round%2 == 1 && acknowledged == first+1 {
				kill()
			}
			var body strings.Builder
			for i := range batchSize {
				fmt.Fprintf(&body, "{\"id\":\"b%d-%d\",\"smiles\":\"%s\"}\n", acknowledged, i, strings.Repeat("C", 1+i))
			}
			answer, err := client.Post(url+"/v1/collections/own/graphs", "application/x-ndjson", strings.NewReader(body.String()))
			if err != nil {
				break // killed
			}
			answer.Body.Close()
			if answer.StatusCode != 200 {
				t.Fatalf("status %d", answer.StatusCode)
			}
			acknowledged++
		}
		child.Wait()
		c := open(t, dir)
		for b := range acknowledged + 1 {
			found := 0
			for i := range batchSize {
				if _, ok := c.Get(fmt.Sprintf("b%d-%d", b, i)); ok {
					found++
				}
			}
			// The last may have been stored without the answer getting through.
			if found != batchSize && (b < acknowledged || found != 0) {
				t.Fatalf("round %d: %d of batch %d are there; %d batches were acknowledged", round, found, b, acknowledged)
			}
		}
	}
	t.Logf("%d batches were acknowledged in %d rounds", acknowledged, rounds)
	if acknowledged == 0 {
		t.Error("no batch was acknowledged before a kill")
	}
}
