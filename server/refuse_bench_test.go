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

// BenchmarkRefusal measures what a refusal costs over a connection, with the client's
// part of it, by net/http and without.
func BenchmarkRefusal(b *testing.B) {
	s := demo(b, nil)
	crowd(s.plain)
	for _, shed := range []bool{false, true} {
		b.Run(map[bool]string{false: "net/http", true: "shed"}[shed], func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			web := &http.Server{Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime}
			if open := net.Listener(l); shed {
				open, web.ConnState = s.shed(open, 0)
				l = open
			}
			go web.Serve(l)
			defer web.Close()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			from := bufio.NewReader(c)
			for b.Loop() {
				if _, err := io.WriteString(c, asked[0]); err != nil {
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
