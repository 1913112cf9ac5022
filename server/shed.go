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
// without net/http and without the handlers, by an answer that is written but for its id.
//
// A connection looks at what it receives only while net/http waits for the next request,
// and if all before was framed beyond doubt. It refuses a request only if it came whole
// and alone. Everything else goes to net/http, which also decides about it. hook must be
// the server's ConnState.
func (s *Server) shed(l net.Listener) (open net.Listener, hook func(net.Conn, http.ConnState)) {
	return &shedListener{l, s}, func(c net.Conn, state http.ConnState) {
		if c, ok := c.(*shedConn); ok && state == http.StateIdle {
			c.begins, c.served = true, true
		}
	}
}

type shedListener struct {
	net.Listener
	server *Server
}

func (l *shedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &shedConn{Conn: c, server: l.server, from: c.RemoteAddr().String(), begins: true}, nil
}

// shedConn is a connection that may refuse requests. net/http reads it in one goroutine
// at a time.
type shedConn struct {
	net.Conn
	server *Server
	from   string // the client's address
	begins bool   // net/http waits for the next request
	served bool   // it has ended one; the time for the first is its own
	// left is how many bytes net/http lacks of the last request; negative: that is unknown,
	// from now on.
	left int
	// ahead is what net/http has of the next request. It reads a byte to notice when the
	// client leaves.
	ahead []byte
}

// Read is net/http's.
func (c *shedConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		switch {
		case n == 0 || c.left < 0:
		case c.begins:
			if err == nil && c.served && len(c.ahead) == 0 {
				if answer := c.server.refusal(p[:n], c.from); answer != nil {
					if err := c.send(answer); err != nil {
						return 0, err
					}
					continue
				}
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
	size, ok := frame(text)
	c.begins, c.ahead, c.left = false, nil, size-len(text)
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
	if err := c.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := c.Write(answer); err != nil {
		return err
	}
	if err := c.SetWriteDeadline(time.Time{}); err != nil {
		return err
	}
	return c.SetReadDeadline(time.Now().Add(idleTime))
}

// frame returns the size of the request that a text begins with, with its body. It
// knows only those whose head is there and of which no two readers can think
// differently; for others, ok is false.
func frame(text []byte) (size int, ok bool) {
	end := bytes.Index(text, []byte("\r\n\r\n"))
	if end < 0 {
		return 0, false
	}
	for _, b := range text[:end] {
		if b < ' ' && b != '\r' && b != '\n' || b > '~' {
			return 0, false
		}
	}
	first, rest, _ := bytes.Cut(text[:end], []byte("\r\n"))
	if !bytes.HasSuffix(first, []byte(" HTTP/1.1")) || bytes.ContainsAny(first, "\r\n") {
		return 0, false
	}
	body, hosts, lengths := 0, 0, 0
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, colon := bytes.Cut(line, []byte(":"))
		if !colon || !isPlain(name, "-_") || bytes.ContainsAny(value, "\r\n") {
			return 0, false
		}
		value = bytes.Trim(value, " ")
		switch {
		case bytes.EqualFold(name, []byte("Host")):
			if hosts++; !isPlain(value, "-.:[]") {
				return 0, false
			}
		case bytes.EqualFold(name, []byte("Content-Length")):
			n, err := strconv.ParseUint(string(value), 10, 30)
			if lengths++; err != nil || !isPlain(value, "") {
				return 0, false
			}
			body = int(n)
		case bytes.EqualFold(name, []byte("Connection")):
			if !bytes.EqualFold(value, []byte("keep-alive")) {
				return 0, false
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")), bytes.EqualFold(name, []byte("Trailer")),
			bytes.EqualFold(name, []byte("Expect")), bytes.EqualFold(name, []byte("Upgrade")):
			return 0, false
		}
	}
	return end + 4 + body, hosts == 1 && lengths <= 1
}

// isPlain reports whether a text is of letters, digits and some others, and not empty.
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

// refusal returns the answer to a text that is one whole request for which there is no
// room, and nil if net/http shall have it. It is counted and logged as any other.
func (s *Server) refusal(text []byte, from string) []byte {
	if !s.plain.crowded() && !s.changes.crowded() || !s.ready.ready.Load() || s.tracing.tracer != nil {
		return nil
	}
	if size, ok := frame(text); !ok || size != len(text) {
		return nil
	}
	begin := time.Now()
	r, err := http.ReadRequest(bufio.NewReaderSize(bytes.NewReader(text), len(text)))
	if err != nil || r.Method == http.MethodHead || r.Header["Origin"] != nil || !strings.HasPrefix(r.URL.Path, "/v1/") {
		return nil
	}
	r.RemoteAddr = from
	to, known := s.routeOf(s.mux, r)
	if !known || to.work == nil || !to.work.crowded() || s.allow(r, to.right) != nil {
		return nil
	}
	to.work.refused.Add(1)
	t := &trace{id: rand.Text(), route: to, reason: errFull()}
	answer, body := s.full().answer(t.id)
	s.finish(r, &recorder{status: http.StatusServiceUnavailable, bytes: int64(body)}, t, time.Since(begin))
	return answer
}

// refusalText is the answer to requests for which there is no room, but for the time and
// the id of the request.
type refusalText struct{ head, before, after string }

// makeRefusal lets the handlers that all requests of the API pass through write the
// answer once.
func (s *Server) makeRefusal() refusalText {
	const id = "the id"
	w := &keptAnswer{header: make(http.Header)}
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/v1/"}, Header: make(http.Header)}
	write := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(requestIDHeader, id)
		writeProblem(w, errFull())
		w.Header().Del(requestIDHeader)
	})
	s.protect(s.share(nil, write)).ServeHTTP(w, r)
	var head strings.Builder
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", w.status, http.StatusText(w.status))
	_ = w.header.Write(&head) // into memory
	before, after, _ := strings.Cut(w.body.String(), id)
	return refusalText{head.String(), before, after}
}

// answer returns the answer to a request, and the size of its body.
func (f refusalText) answer(id string) (text []byte, body int) {
	body = len(f.before) + len(id) + len(f.after)
	b := make([]byte, 0, len(f.head)+body+200)
	b = append(b, f.head...)
	b = append(b, requestIDHeader+": "...)
	b = append(b, id...)
	b = append(b, "\r\nDate: "...)
	b = time.Now().UTC().AppendFormat(b, http.TimeFormat)
	b = append(b, "\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(body), 10)
	b = append(b, "\r\n\r\n"...)
	b = append(b, f.before...)
	b = append(b, id...)
	return append(b, f.after...), body
}

// keptAnswer keeps an answer.
type keptAnswer struct {
	header http.Header
	status int
	body   strings.Builder
}

func (w *keptAnswer) Header() http.Header         { return w.header }
func (w *keptAnswer) WriteHeader(status int)      { w.status = status }
func (w *keptAnswer) Write(p []byte) (int, error) { return w.body.Write(p) }
