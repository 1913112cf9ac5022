package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
)

// quiet takes an answer and keeps nothing of it.
type quiet struct{ h http.Header }

func (q quiet) Header() http.Header         { return q.h }
func (q quiet) WriteHeader(int)             {}
func (q quiet) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkHandler compares what the service does for a request that it answers
// with what it does for one that it refuses: at four times its capacity three
// refusals come with every answer.
func BenchmarkHandler(b *testing.B) {
	c, err := greed.Bundled(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	opt := Defaults()
	opt.Hosted = []Hosted{{Name: "demo", Collection: c}}
	s, err := New(opt)
	if err != nil {
		b.Fatal(err)
	}
	ask := func(b *testing.B) {
		for b.Loop() {
			r := httptest.NewRequest("POST", "http://localhost/v1/collections/demo/search", strings.NewReader(`{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)OCCN"},"k":10,"mode":"predicted"}`))
			r.Header.Set("Content-Type", "application/json")
			s.ServeHTTP(quiet{http.Header{}}, r)
		}
	}
	b.Run("answered", ask)
	b.Run("refused", func(b *testing.B) {
		crowd(s.plain)
		ask(b)
	})
}

// echo answers whatever a connection receives by the same text, and does nothing else.
func echo(l net.Listener, answer []byte) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			text := make([]byte, 4<<10)
			for {
				if _, err := c.Read(text); err != nil {
					return
				}
				if _, err := c.Write(answer); err != nil {
					return
				}
			}
		}()
	}
}

// searching is a request, and refusal about what answers it where there is no room.
const (
	searching = "POST /v1/collections/demo/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n" + `{"query":{"smiles":"CCO"}}`
	refusal   = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 1\r\nContent-Length: 96\r\n\r\n" +
		`{"title":"Service Unavailable","status":503,"detail":"the service is busy; try again in a mom"}
`
)

// BenchmarkRefusal measures what a refusal costs over a connection, with the client's
// part of it, beside the least there can be: to receive something and to send the answer.
func BenchmarkRefusal(b *testing.B) {
	s := demo(b, nil)
	crowd(s.plain)
	for _, by := range []string{"net/http", "least"} {
		b.Run(by, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			web := &http.Server{Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime}
			if by == "least" {
				go echo(l, []byte(refusal))
				defer l.Close()
			} else {
				go web.Serve(l)
				defer web.Close()
			}
			// So many that none asks again within the pause.
			clients := make([]net.Conn, 512)
			for i := range clients {
				if clients[i], err = net.Dial("tcp", l.Addr().String()); err != nil {
					b.Fatal(err)
				}
				defer clients[i].Close()
			}
			from := bufio.NewReader(nil)
			for i := 0; b.Loop(); i++ {
				c := clients[i%len(clients)]
				from.Reset(c)
				if _, err := io.WriteString(c, searching); err != nil {
					b.Fatal(err)
				}
				size := 0
				for {
					line, err := from.ReadSlice('\n')
					if err != nil {
						b.Fatal(err)
					}
					if len(line) == 2 {
						break
					}
					fmt.Sscanf(string(line), "Content-Length: %d", &size)
				}
				if _, err := from.Discard(size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func demo(t testing.TB, change func(*Options)) *Server {
	t.Helper()
	c := greed.New()
	g, err := c.ParseSMILES("CCO")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Put(t.Context(), greed.Record{ID: "a", Graph: g}); err != nil {
		t.Fatal(err)
	}
	opt := Defaults()
	opt.Hosted = []Hosted{{Name: "demo", Collection: c}}
	if change != nil {
		change(&opt)
	}
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// crowd takes all permits and all room to wait at a gate.
func crowd(g *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = g.permits + 1
	for len(g.waiters) < g.queue {
		g.waiters = append(g.waiters, &waiter{"crowd", make(chan struct{})})
	}
}
