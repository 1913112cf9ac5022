package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// counted is a connection that gives its slot back once.
type counted struct {
	net.Conn
	once  sync.Once
	slots chan struct{}
}

func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.slots })
	return err
}

// watched is what was read from files, read again when they change.
type watched[T any] struct {
	files []string
	read  func() (T, error)

	mu     sync.Mutex
	looked time.Time
	stamp  string
	value  T
}

// lookEvery is how often files are looked at, at most.
const lookEvery = time.Second

// get returns the value. What cannot be read leaves the one before.
func (w *watched[T]) get() (T, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if now.Sub(w.looked) < lookEvery {
		return w.value, nil
	}
	w.looked = now
	var stamp strings.Builder
	for _, name := range w.files {
		info, err := os.Stat(name)
		if err != nil {
			return w.value, err
		}
		fmt.Fprintln(&stamp, info.ModTime().UnixNano(), info.Size())
	}
	if stamp.String() == w.stamp {
		return w.value, nil
	}
	value, err := w.read()
	if err != nil {
		return w.value, err
	}
	w.stamp, w.value = stamp.String(), value
	return value, nil
}

// Tokens returns a function that gives the tokens of a file, one a line, which
// is read again when it changes, and one more, if it is not empty. It returns
// nil if there is neither.
func Tokens(file, more string) (func() []string, error) {
	if file == "" {
		if more == "" {
			return nil, nil
		}
		return func() []string { return []string{more} }, nil
	}
	w := &watched[[]string]{files: []string{file}, read: func() ([]string, error) { return readTokens(file, more) }}
	if _, err := w.get(); err != nil {
		return nil, err
	}
	return func() []string {
		list, _ := w.get() // a file that is being written leaves the tokens as they were
		return list
	}, nil
}

func readTokens(file, more string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	if more != "" {
		list = append(list, more)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there is no token in it", file)
	}
	return list, nil
}

// tls returns the configuration for the certificate files, nil if there are none.
func (l *Listener) tls() (*tls.Config, error) {
	if l.Certificate == "" {
		return nil, nil
	}
	w := &watched[*tls.Certificate]{files: []string{l.Certificate, l.Key}, read: func() (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(l.Certificate, l.Key)
		return &pair, err
	}}
	if _, err := w.get(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := w.get()
		if pair == nil {
			return nil, errors.Join(errors.New("no certificate"), err)
		}
		return pair, nil // of files that are being written, the pair before
	}}, nil
}
