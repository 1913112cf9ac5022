package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/greedgraph/greed/server"
)

func TestGraphsThatAreTooLarge(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Limits.Nodes, o.Limits.Edges, o.Limits.Body, o.Limits.Batch = 10, 9, 4096, 3
	})
	const path = "/v1/collections/own/search"
	s.ask(t, "POST", path, `{"query":{"smiles":"CCCCCCCCCCC"}}`).want(t, 422, "11 nodes")
	s.ask(t, "POST", path, `{"query":{"smiles":"C1CCCCCCCCC1"}}`).want(t, 422, "10 edges")
	s.ask(t, "POST", path, `{"query":{"smiles":"`+strings.Repeat("C", 5000)+`"}}`).want(t, 413)
	s.ask(t, "POST", "/v1/collections/own/graphs", strings.Repeat(`{"id":"a","smiles":"C"}`+"\n", 4)).want(t, 413, "in parts")
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"`+strings.Repeat("a", 5000)+`"}`).want(t, 400, "line 1")
}

// zeros is a body without end.
type zeros struct{ read atomic.Int64 }

func (z *zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'C'
	}
	z.read.Add(int64(len(p)))
	return len(p), nil
}

// TestHugeBodies sends 1 GiB, which must be refused long before it is read.
func TestHugeBodies(t *testing.T) {
	s := start(t, nil)
	for _, path := range []string{"/v1/collections/own/search", "/v1/collections/own/graphs", "/v1/parse"} {
		for _, length := range []int64{1 << 30, -1} {
			body := &zeros{}
			r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+path, io.LimitReader(body, 1<<30))
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = length
			r.Header.Set("Content-Type", "application/json")
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			answer, err := client.Do(r)
			if err == nil {
				answer.Body.Close()
				if answer.StatusCode != 413 && answer.StatusCode != 400 {
					t.Errorf("%s: status %d", path, answer.StatusCode)
				}
			} // else the connection was closed while it was sent
			if taken := body.read.Load(); taken > 256<<20 {
				t.Errorf("%s: %d bytes were taken", path, taken)
			}
		}
	}
	s.ask(t, "GET", "/livez", "").want(t, 200)
	// A request that takes no body is not asked to send it in parts.
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/livez", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 413 || strings.Contains(string(text), "in parts") {
		t.Errorf("a body on GET /livez: status %d, %s, %v", answer.StatusCode, text, err)
	}
}

// TestOverload asks for much more than fits and wants every request answered or
// refused, with a time to come back.
func TestOverload(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Limits.Solver, o.Limits.SolverQueue, o.Limits.SolverShare = 1, 2, 1000
	})
	count := make(map[int]int)
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			r := s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)OCCN"},"k":5,"mode":"proven"}`)
			if r.status == 503 && r.header.Get("Retry-After") == "" {
				t.Error("a refusal does not say when to come back")
			}
			mu.Lock()
			count[r.status]++
			mu.Unlock()
		})
	}
	all.Wait()
	if count[200] == 0 || count[200]+count[503] != 100 {
		t.Errorf("answers by status: %v", count)
	}
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"smiles":"C"}}`).want(t, 200)
}

// TestOneClientLeavesRoom: a client that has its share is told to wait.
func TestOneClientLeavesRoom(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Solver, o.Limits.SolverQueue, o.Limits.SolverShare = 1, 100, 1 })
	count := make(map[int]int)
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			r := s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)OCCN"},"k":5,"mode":"proven"}`)
			mu.Lock()
			count[r.status]++
			mu.Unlock()
		})
	}
	all.Wait()
	if count[200] == 0 || count[200]+count[429] != 50 {
		t.Errorf("answers by status: %v", count)
	}
}

// TestSlowClients opens connections that send a byte now and then, or nothing,
// and wants others to be answered meanwhile.
func TestSlowClients(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Read = 2 * time.Second })
	address := strings.TrimPrefix(s.URL, "http://")
	var open []net.Conn
	for range 1000 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() // before the service, which waits for its connections
		open = append(open, c)
		fmt.Fprintf(c, "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	}
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO", "").want(t, 200)
	for _, c := range open {
		line := make([]byte, 64)
		n, err := c.Read(line)
		if err != nil || !strings.Contains(string(line[:n]), " 408 ") {
			t.Fatalf("a slow client was told %q, %v", line[:n], err)
		}
	}
}

// TestHangUps leaves in the middle of requests and answers.
func TestHangUps(t *testing.T) {
	s := start(t, nil)
	address := strings.TrimPrefix(s.URL, "http://")
	for _, text := range []string{
		"", "GET", "GET / HTTP/1.1\r\n", "\x16\x03\x01\x00\x00",
		"POST /v1/collections/own/graphs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\":\"half\",\"smiles\":\"C\"}\n",
		"GET /v1/collections/mols/map HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, text)
		c.Close()
	}
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO", "").want(t, 200)
	s.ask(t, "GET", "/v1/collections/own/graphs/half", "").want(t, 404) // its batch did not come whole
}

// TestManyConnections holds more connections open than the listener takes.
func TestManyConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("opens 5,000 connections")
	}
	address, stop := listen(t, nil)
	defer stop()
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	for range 5000 {
		c, err := net.DialTimeout("tcp", address, 10*time.Second)
		if err != nil {
			t.Logf("%d connections, then %v", len(open), err)
			break
		}
		open = append(open, c)
	}
	for _, c := range open[:len(open)-100] {
		c.Close()
	}
	open = open[len(open)-100:]
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + address + "/v1/collections/mols/search?smiles=CCO")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 {
		t.Errorf("status %d", answer.StatusCode)
	}
}

// listen runs a service by its Listener until stop is called.
func listen(t *testing.T, change func(*server.Options, *server.Listener)) (address string, stop func()) {
	t.Helper()
	opt := server.Defaults()
	opt.Hosted = []server.Hosted{{Name: "mols", Collection: collection(t)}}
	started := make(chan string, 1)
	l := &server.Listener{Address: "127.0.0.1:0", Log: opt.Log, Drain: 10 * time.Second, Started: func(url string) { started <- url }}
	if change != nil {
		change(&opt, l)
	}
	s, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx, s) }()
	select {
	case url := <-started:
		_, address, _ = strings.Cut(url, "://")
	case err := <-ended:
		t.Fatal(err)
	}
	return address, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	}
}
