package bench

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// newClient returns a client for the service at an address, with so many connections
// at most. They are closed when ctx ends, which ends the requests that wait for
// answers, or by leave.
func newClient(ctx context.Context, base *url.URL, connections int) (client *fasthttp.HostClient, leave func()) {
	secure := base.Scheme == "https"
	open := &connectionSet{list: make(map[net.Conn]bool)}
	stop := context.AfterFunc(ctx, open.close)
	return &fasthttp.HostClient{
			// One more, for the metrics.
			Addr: fasthttp.AddMissingPort(base.Host, secure), IsTLS: secure, MaxConns: connections + 1,
			ReadTimeout: answerTime, WriteTimeout: answerTime, MaxIdleConnDuration: answerTime,
			RetryIfErr: func(*fasthttp.Request, int, error) (again, reset bool) { return false, false },
			Dial:       open.dial,
		}, func() {
			stop()
			open.close()
		}
}

// answerTime is how long a client waits for an answer.
const answerTime = 2 * time.Minute

// connectionSet knows the connections that are open.
type connectionSet struct {
	mu     sync.Mutex
	closed bool
	list   map[net.Conn]bool
}

func (s *connectionSet) dial(address string) (net.Conn, error) {
	c, err := fasthttp.DialDualStackTimeout(address, 10*time.Second)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.Join(net.ErrClosed, c.Close())
	}
	own := &ownConn{Conn: c, set: s}
	s.list[own] = true
	return own, nil
}

func (s *connectionSet) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.list {
		_ = c.(*ownConn).Conn.Close()
	}
}

// ownConn leaves its set when it is closed.
type ownConn struct {
	net.Conn
	set *connectionSet
}

func (c *ownConn) Close() error {
	c.set.mu.Lock()
	delete(c.set.list, c)
	c.set.mu.Unlock()
	return c.Conn.Close()
}
