package server

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// shed makes the connections of a listener refuse requests for which there is no room,
// without net/http and without the handlers, with an answer that is prepared except for its id.
// At four times its capacity, a service answers two thirds more requests this way (docs/tried-service.md).
//
// A connection looks at what it receives only while net/http waits for the next request,
// and only if all earlier requests were framed beyond doubt. It refuses a request only if that arrived whole
// and alone. Everything else goes to net/http, which also decides about it. What comes within a
// pause after a refusal waits until that is over. hook must be the server's ConnState.
func (s *Server) shed(l net.Listener, pause time.Duration) (open net.Listener, hook func(net.Conn, http.ConnState)) {
	return &shedListener{l, s, pause}, func(c net.Conn, state http.ConnState) {
		if c, ok := c.(*shedConn); ok && state == http.StateIdle {
			c.begins, c.served = true, true
		}
	}
}

type shedListener struct {
	net.Listener
	server *Server
	pause  time.Duration
}

func (l *shedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &shedConn{Conn: c, server: l.server, pause: l.pause, from: c.RemoteAddr().String(), begins: true}, nil
}

// shedConn is a connection that may refuse requests. net/http reads it in one goroutine
// at a time.
type shedConn struct {
	net.Conn
	server *Server
	pause  time.Duration
	from   string // the client's address
	begins bool   // net/http waits for the next request
	served bool   // it has ended one; the time for the first is its own
	// left is how many bytes net/http lacks of the last request; negative: that is unknown,
	// from now on.
	left int
	// ahead is what net/http has of the next request. It reads a byte to notice when the
	// client leaves.
	ahead []byte
	// known is the request that was refused last.
	known refused
	// refusedAt is when that was, renewedAt when the deadlines were set; zero after net/http
	// has got a request.
	refusedAt, renewedAt time.Time
}

const (
	// refusedPause is the least time between two refusals of a connection. A client that asks
	// again at once waits so long. One that asks later costs no timer.
	refusedPause = 10 * time.Millisecond
	// renewTime is how long the deadlines of a connection are good enough.
	renewTime = time.Second
)

// Read is net/http's.
func (c *shedConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if n > 0 && !c.refusedAt.IsZero() {
			time.Sleep(time.Until(c.refusedAt.Add(c.pause)))
		}
		switch {
		case n == 0 || c.left < 0:
		case c.begins:
			if err == nil && c.served && len(c.ahead) == 0 {
				if answer := c.refusal(p[:n]); answer != nil {
					if err := c.send(answer); err != nil {
						return 0, err
					}
					continue
				}
			}
			if err := c.hand(); err != nil {
				return 0, err
			}
			c.begin(append(c.ahead, p[:n]...))
		default:
			c.goOn(p[:n])
		}
		return n, err
	}
}

// begin follows the text with which a request begins.
func (c *shedConn) begin(text []byte) {
	f, ok := frame(text)
	c.begins, c.ahead, c.left = false, nil, f.size()-len(text)
	if !ok || c.left < 0 {
		c.left = -1
	}
}

// goOn follows a text that comes while a request is worked on.
func (c *shedConn) goOn(text []byte) {
	if len(text) <= c.left {
		c.left -= len(text)
		return
	}
	c.ahead = append(c.ahead, text[c.left:]...)
	c.left = 0
	if _, whole := frame(c.ahead); whole || len(c.ahead) > headerLimit {
		c.left = -1 // the client does not wait for answers
	}
}

// send sends an answer, and waits for the next request as net/http would.
func (c *shedConn) send(answer []byte) error {
	c.refusedAt = time.Now()
	if c.refusedAt.Sub(c.renewedAt) > renewTime {
		c.renewedAt = c.refusedAt
		err := c.SetWriteDeadline(c.renewedAt.Add(writeTime))
		if err == nil {
			err = c.SetReadDeadline(c.renewedAt.Add(idleTime))
		}
		if err != nil {
			return err
		}
	}
	_, err := c.Write(answer)
	return err
}

// hand leaves the connection to net/http in the state that it expects.
func (c *shedConn) hand() error {
	if c.refusedAt.IsZero() {
		return nil
	}
	c.refusedAt, c.renewedAt = time.Time{}, time.Time{}
	return c.SetWriteDeadline(time.Time{})
}

// framing is where a request ends, and what its head says about it.
type framing struct {
	head, body int
	// length is the part of the head that gives the length of the body; none: it has no body.
	length struct{ from, to int }
}

func (f framing) size() int { return f.head + f.body }

// frame returns the framing of the request that a text begins with. It knows only those
// whose head is complete and which every reader frames in the same way; for others, ok is
// false.
func frame(text []byte) (f framing, ok bool) {
	end := bytes.Index(text, []byte("\r\n\r\n"))
	if end < 0 {
		return f, false
	}
	f.head = end + 4
	for _, b := range text[:end] {
		if b < ' ' && b != '\r' && b != '\n' || b > '~' {
			return f, false
		}
	}
	first, rest, _ := bytes.Cut(text[:end], []byte("\r\n"))
	if !bytes.HasSuffix(first, []byte(" HTTP/1.1")) || bytes.ContainsAny(first, "\r\n") {
		return f, false
	}
	hosts, lengths := 0, 0
	for len(rest) > 0 {
		from := end - len(rest)
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, colon := bytes.Cut(line, []byte(":"))
		if !colon || !isPlain(name, "-_") || bytes.ContainsAny(value, "\r\n") {
			return f, false
		}
		before := len(line) - len(bytes.TrimLeft(value, " "))
		value = bytes.Trim(value, " ")
		switch {
		case bytes.EqualFold(name, []byte("Host")):
			if hosts++; !isPlain(value, "-.:[]") {
				return f, false
			}
		case bytes.EqualFold(name, []byte("Content-Length")):
			n, err := strconv.ParseUint(string(value), 10, 30)
			if lengths++; err != nil || !isPlain(value, "") {
				return f, false
			}
			f.body, f.length.from = int(n), from+before
			f.length.to = f.length.from + len(value)
		case bytes.EqualFold(name, []byte("Connection")):
			if !bytes.EqualFold(value, []byte("keep-alive")) {
				return f, false
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")), bytes.EqualFold(name, []byte("Trailer")),
			bytes.EqualFold(name, []byte("Expect")), bytes.EqualFold(name, []byte("Upgrade")):
			return f, false
		}
	}
	return f, hosts == 1 && lengths <= 1
}

// isPlain reports whether a text is not empty and has only letters, digits and some other characters.
func isPlain(text []byte, others string) bool {
	for _, b := range text {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', bytes.IndexByte([]byte(others), b) >= 0:
		default:
			return false
		}
	}
	return len(text) > 0
}

// refused is a request that was refused. Clients send the same head again and again, so it
// is read once.
type refused struct {
	head    []byte
	framing framing
	request *http.Request // without its body; nil: there is none
	route   route
}

// again reports whether a text is one whole request whose head differs from the last one
// in the length of the body at most.
func (f *refused) again(text []byte) bool {
	if f.request == nil {
		return false
	}
	length := f.framing.length
	rest, ok := bytes.CutPrefix(text, f.head[:length.from])
	if !ok {
		return false
	}
	after, digits, size := f.head[length.to:], 0, 0
	if length.to > 0 {
		for ; digits < min(len(rest), 9) && '0' <= rest[digits] && rest[digits] <= '9'; digits++ {
			size = 10*size + int(rest[digits]-'0')
		}
		if digits == 0 {
			return false
		}
	}
	body, ok := bytes.CutPrefix(rest[digits:], after)
	return ok && len(body) == size
}

// read reads a text that is one whole request, and reports whether it could be refused.
func (f *refused) read(s *Server, text []byte) bool {
	*f = refused{}
	framing, ok := frame(text)
	if !ok || framing.size() != len(text) {
		return false
	}
	r, err := http.ReadRequest(bufio.NewReaderSize(bytes.NewReader(text), len(text)))
	if err != nil || r.Method == http.MethodHead || r.Header["Origin"] != nil || !strings.HasPrefix(r.URL.Path, "/v1/") {
		return false
	}
	to, known := s.routeOf(s.mux, r)
	if !known || to.work == nil {
		return false
	}
	r.Body = http.NoBody
	*f = refused{bytes.Clone(text[:framing.head]), framing, r, to}
	return true
}

// refusal returns the answer to a text that is one whole request for which there is no
// room, and nil if net/http is to have it. It is counted and logged like any other.
func (c *shedConn) refusal(text []byte) []byte {
	s := c.server
	if !s.plain.crowded() && !s.changes.crowded() || !s.ready.Load() {
		return nil
	}
	begin := time.Now()
	if !c.known.again(text) && !c.known.read(s, text) {
		return nil
	}
	r, to := c.known.request, c.known.route
	r.RemoteAddr = c.from
	if !to.work.crowded() || s.allow(r, to.right) != nil {
		return nil
	}
	to.work.refused.Add(1)
	full := s.full()
	t := &trace{id: rand.Text(), route: to, reason: full.reason}
	answer, body := full.answer(t.id)
	s.finish(r, &recorder{status: http.StatusServiceUnavailable, bytes: int64(body)}, t, time.Since(begin))
	return answer
}

// refusalText is the answer to requests for which there is no room, except for the time and
// the id of the request.
type refusalText struct {
	reason              error
	head, before, after string
}

// makeRefusal lets the handlers that all requests of the API pass through write the
// answer once.
func (s *Server) makeRefusal() refusalText {
	const id = "the id"
	reason := errFull()
	w := &heldAnswer{header: make(http.Header)}
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/v1/"}, Header: make(http.Header)}
	write := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(requestIDHeader, id)
		writeProblem(w, reason)
		w.Header().Del(requestIDHeader)
	})
	s.protect(s.share(nil, write)).ServeHTTP(w, r)
	var head strings.Builder
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", w.status, http.StatusText(w.status))
	_ = w.header.Write(&head) // into memory
	before, after, _ := strings.Cut(w.body.String(), id)
	return refusalText{reason, head.String(), before, after}
}

// answer returns the answer to a request, and the size of its body.
func (f refusalText) answer(id string) (text []byte, body int) {
	body = len(f.before) + len(id) + len(f.after)
	return fmt.Appendf(make([]byte, 0, len(f.head)+body+200), "%s%s: %s\r\nDate: %s\r\nContent-Length: %d\r\n\r\n%s%s%s",
		f.head, requestIDHeader, id, time.Now().UTC().Format(http.TimeFormat), body, f.before, id, f.after), body
}

// heldAnswer keeps an answer.
type heldAnswer struct {
	header http.Header
	status int
	body   strings.Builder
}

func (w *heldAnswer) Header() http.Header         { return w.header }
func (w *heldAnswer) WriteHeader(status int)      { w.status = status }
func (w *heldAnswer) Write(p []byte) (int, error) { return w.body.Write(p) }
