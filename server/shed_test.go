package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	greed "github.com/greedgraph/greed"
)

// pipes is a listener whose connections keep what is written in the pieces in which it
// is written.
type pipes struct {
	made   chan net.Conn
	closed chan struct{}
	idle   chan struct{} // told when net/http waits for the next request
	once   sync.Once
}

func newPipes() *pipes {
	return &pipes{made: make(chan net.Conn), closed: make(chan struct{}), idle: make(chan struct{}, 1)}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.made:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.made <- there
	return here
}

// shedding serves a service over pipes, with or without shed and its pauses.
func shedding(t testing.TB, s *Server, shed bool, pause time.Duration) *pipes {
	t.Helper()
	at := newPipes()
	web := &http.Server{Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerLimit, ErrorLog: log.New(io.Discard, "", 0)}
	open := net.Listener(at)
	if shed {
		var hook func(net.Conn, http.ConnState)
		open, hook = s.shed(open, pause)
		web.ConnState = func(c net.Conn, state http.ConnState) {
			hook(c, state)
			if state == http.StateIdle {
				select {
				case at.idle <- struct{}{}:
				default:
				}
			}
		}
	}
	ended := make(chan error)
	go func() { ended <- web.Serve(open) }()
	t.Cleanup(func() {
		web.Close()
		<-ended
	})
	return at
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
	g.waiting.Store(g.queue)
	for len(g.permits) < cap(g.permits) {
		g.permits <- struct{}{}
	}
}

// talk sends requests and returns the answers until the service closes the connection,
// without what differs from one time to the next. With cuts it sends all one behind the
// other, cut there; else each in one piece, when the one before is answered.
func talk(t testing.TB, at *pipes, requests []string, cuts []byte) []string {
	t.Helper()
	c := at.dial()
	defer c.Close()
	next := make(chan struct{}, len(requests)+1)
	var sent sync.WaitGroup
	defer sent.Wait()
	defer c.Close()
	sent.Go(func() {
		if len(cuts) == 0 {
			for _, r := range requests {
				<-next
				if _, err := io.WriteString(c, r); err != nil {
					return // closed
				}
			}
			return
		}
		text := strings.Join(requests, "")
		for i := 0; len(text) > 0; i++ {
			n := min(len(text), 1+16*int(cuts[i%len(cuts)]))
			if _, err := io.WriteString(c, text[:n]); err != nil {
				return
			}
			text = text[n:]
		}
	})
	var list []string
	defer func() {
		for range requests {
			select {
			case next <- struct{}{}:
			default:
			}
		}
	}()
	from := bufio.NewReader(c)
	next <- struct{}{}
	for i := 0; ; {
		method := http.MethodGet
		if i < len(requests) {
			method, _, _ = strings.Cut(requests[i], " ")
		}
		r, err := http.ReadResponse(from, &http.Request{Method: method})
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("not an answer: %v", err)
			}
			return list
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return append(list, fmt.Sprint("half an answer: ", err))
		}
		text, _, _ := strings.Cut(string(body), `,"request"`)
		text, _, _ = strings.Cut(text, `,"seconds"`)
		for _, name := range []string{"Date", requestIDHeader, "Content-Length"} {
			r.Header.Del(name)
		}
		var head bytes.Buffer
		r.Header.Write(&head)
		list = append(list, fmt.Sprintf("%d\n%s\n%s", r.StatusCode, &head, text))
		if r.StatusCode != http.StatusContinue {
			i++
			next <- struct{}{}
		}
	}
}

// asked are requests that a fuzzer puts one behind the other.
var asked = func() []string {
	const search = "/v1/collections/demo/search"
	post := func(path, head, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", path, len(body), head, body)
	}
	query := `{"query":{"smiles":"CCO"},"k":1}`
	return []string{
		post(search, "", query),
		post(search, "Authorization: Bearer wrong\r\n", query),
		post(search, "Origin: https://evil.example\r\n", query),
		post(search, "Origin: https://lab.example\r\n", query),
		post(search, "Connection: keep-alive\r\n", query),
		post(search, "Expect: 100-continue\r\n", query),
		post(search, "X: "+strings.Repeat("y", 5000)+"\r\n", query),
		post(search, "", "{"+strings.Repeat(" ", 6000)+"}"),
		post("/v1/collections/demo/graphs", "", `{"id":"b"}`),
		post("/v1/parse", "", `{"smiles":"C"}`),
		post("/v1/nothing", "", "{}"),
		post("/livez", "", "{}"),
		"GET " + search + "?smiles=CCO&k=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET " + search + "?smiles=CCO&k=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
		"GET " + search + "?smiles=CCO&k=1 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"HEAD " + search + "?smiles=CCO&k=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"OPTIONS " + search + " HTTP/1.1\r\nHost: localhost\r\nOrigin: https://lab.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
		"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /livez HTTP/1.1\nHost: localhost\n\n",
		"GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
		"GET /v1/collections HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
		// The service closes the connection after these.
		"POST " + search + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x", len(query)) + "\r\n" + query + "\r\n0\r\n\r\n",
		"GET /v1/collections HTTP/1.1\r\n\r\n",
		"GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
		"GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\n",
		"GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n",
		"GET /v1/collections HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
		"nonsense\r\n\r\n",
	}
}()

const lastRequest = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

// FuzzShed sends the same requests, one behind the other and cut anyhow, to a crowded
// service with and without shed, and to one with room. The answers are the same.
func FuzzShed(f *testing.F) {
	if testing.Short() {
		f.Skip("takes minutes under the race detector")
	}
	for i := range asked {
		one := []byte{0, byte(i), 0, byte(i), 0}
		f.Add(one, []byte{})
		f.Add(one, []byte{0, 2, 1, 200})
		f.Add(one, []byte{255})
	}
	access := func(o *Options) { o.Access.Origins = []string{"https://lab.example"} }
	kinds := map[string]func(*Server){
		"crowded": func(s *Server) { crowd(s.plain) }, "all crowded": func(s *Server) { crowd(s.plain); crowd(s.changes) }, "room": func(*Server) {},
	}
	type pair struct{ plain, shed *pipes }
	pairs := make(map[string]pair)
	for name, prepare := range kinds {
		s := demo(f, access)
		prepare(s)
		pairs[name] = pair{shedding(f, s, false, 0), shedding(f, s, true, 0)}
	}
	f.Fuzz(func(t *testing.T, which, cuts []byte) {
		var requests []string
		for _, w := range which[:min(len(which), 50)] {
			requests = append(requests, asked[int(w)%len(asked)])
		}
		requests = append(requests, lastRequest)
		for name, p := range pairs {
			want, got := talk(t, p.plain, requests, cuts), talk(t, p.shed, requests, cuts)
			if strings.Join(want, "\n\n") != strings.Join(got, "\n\n") {
				t.Errorf("%s: net/http answers\n%s\n\nthe service\n%s", name, strings.Join(want, "\n\n"), strings.Join(got, "\n\n"))
			}
		}
	})
}

// shedLog counts the requests that were refused without net/http, and others.
type shedLog struct {
	slog.Handler
	shed, others atomic.Int64
}

func (l *shedLog) Enabled(context.Context, slog.Level) bool { return true }

func (l *shedLog) Handle(ctx context.Context, _ slog.Record) error {
	if ctx.Value(http.ServerContextKey) == nil {
		l.shed.Add(1)
	} else {
		l.others.Add(1)
	}
	return nil
}

// TestShed: a crowded service refuses what comes whole without net/http, logs and counts
// it, and answers what needs no room; with room it sheds nothing.
func TestShed(t *testing.T) {
	seen := &shedLog{Handler: slog.DiscardHandler}
	s := demo(t, func(o *Options) { o.Log = slog.New(seen) })
	at := shedding(t, s, true, 0)
	search, live := asked[0], asked[17]
	expect := func(shed, others, refused int64, requests ...string) {
		t.Helper()
		seen.shed.Store(0)
		seen.others.Store(0)
		s.plain.refused.Store(0)
		c := at.dial()
		defer c.Close()
		from := bufio.NewReader(c)
		for _, r := range requests {
			before := seen.others.Load()
			if _, err := io.WriteString(c, r); err != nil {
				t.Fatal(err)
			}
			answer, err := http.ReadResponse(from, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, answer.Body)
			if seen.others.Load() > before {
				<-at.idle // else net/http would have the first byte of the next
			}
		}
		if seen.shed.Load() != shed || seen.others.Load() != others || s.plain.refused.Load() != refused {
			t.Errorf("%d requests are shed, %d not, %d counted; want %d, %d, %d", seen.shed.Load(), seen.others.Load(), s.plain.refused.Load(), shed, others, refused)
		}
	}
	expect(0, 3, 0, search, search, search)
	crowd(s.plain)
	expect(2, 1, 3, search, search, search) // net/http answers the first of a connection
	expect(2, 3, 3, search, search, live, search, live)
	expect(1, 3, 4, search, search, strings.Replace(search, "Host", "Upgrade: h2c\r\nHost", 1), search) // nothing is shed behind what is unusual
	s.Drain()
	expect(0, 3, 3, search, search, search)
}

// TestShedPauses: after a refusal without net/http a connection is not read for a while,
// and then goes on, with requests that are refused and with those that are answered.
func TestShedPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := demo(t, nil)
		const pause = 3 * time.Second
		c := shedding(t, s, true, pause).dial()
		defer c.Close()
		from := bufio.NewReader(c)
		ask := func(status int) (took time.Duration) {
			t.Helper()
			synctest.Wait() // net/http waits for the request
			begin := time.Now()
			if _, err := io.WriteString(c, asked[0]); err != nil {
				t.Fatal(err)
			}
			answer, err := http.ReadResponse(from, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, answer.Body)
			if answer.StatusCode != status {
				t.Errorf("status %d, want %d", answer.StatusCode, status)
			}
			return time.Since(begin)
		}
		crowd(s.plain)
		for i, want := range []time.Duration{0, 0, pause, pause} { // net/http refuses the first
			if took := ask(503); took != want {
				t.Errorf("refusal %d comes after %v, want %v", i, took, want)
			}
		}
		s.plain.waiting.Store(0)
		for len(s.plain.permits) > 0 {
			<-s.plain.permits
		}
		if took := ask(200); took != pause {
			t.Errorf("the answer after the refusals comes after %v, want %v", took, pause)
		}
		if took := ask(200); took != 0 {
			t.Errorf("the next answer comes after %v", took)
		}
	})
}

// TestRefusedAgain: only a text that is framed as before counts as the same request.
func TestRefusedAgain(t *testing.T) {
	s := demo(t, nil)
	of := func(length, body string) []byte {
		return []byte("POST /v1/collections/demo/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + "\r\nX: y\r\n\r\n" + body)
	}
	var known refused
	if known.again(of("2", "{}")) {
		t.Error("nothing was refused yet")
	}
	if !known.read(s, of("2", "{}")) {
		t.Fatal("it is not taken for a request")
	}
	for _, c := range []struct {
		length, body string
		want         bool
	}{
		{"2", "{}", true}, {"3", "{ }", true}, {"12", "{          }", true}, {"02", "{}", true}, {"0", "", true},
		{"2", "{ }", false}, {"3", "{}", false}, {"", "{}", false}, {"-2", "{}", false}, {"+2", "{}", false}, {"2 ", "{}", false},
		{"0x2", "{}", false}, {"2, 2", "{}", false}, {"2\r\nContent-Length: 2", "{}", false}, {"2\r\nTransfer-Encoding: chunked", "{}", false},
		{"0000000002", "{}", false}, {"18446744073709551618", "{}", false},
	} {
		if got := known.again(of(c.length, c.body)); got != c.want {
			t.Errorf("length %q, body %q: the same request: %v", c.length, c.body, got)
		}
	}
	bare := []byte("GET /v1/collections HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if !known.read(s, bare) || !known.again(bare) {
		t.Error("a request without a body is not the same again")
	}
	if known.again(append(bare, bare...)) || known.again(bare[:len(bare)-2]) {
		t.Error("two requests, or a part of one, are taken for one")
	}
	if known.read(s, []byte("nonsense\r\n\r\n")) || known.again(bare) {
		t.Error("what was refused before is still known")
	}
}
