package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// reloaded is a value that is read from files, and again when they change.
type reloaded[T any] struct {
	files []string
	read  func() (T, error)

	mu     sync.Mutex
	looked time.Time
	stamp  string // of what was read; "" where reading failed
	value  T
	err    error
}

// lookEvery is the least time between two checks of files.
const lookEvery = time.Second

// get returns the last value that was read, and an error if the files cannot be read
// now.
func (w *reloaded[T]) get() (T, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if now.Sub(w.looked) < lookEvery {
		return w.value, w.err
	}
	w.looked = now
	w.err = w.look()
	return w.value, w.err
}

func (w *reloaded[T]) look() error {
	var stamp strings.Builder
	for _, name := range w.files {
		info, err := os.Stat(name)
		if err != nil {
			w.stamp = ""
			return err
		}
		fmt.Fprintln(&stamp, info.ModTime().UnixNano(), info.Size())
	}
	if stamp.String() == w.stamp {
		return nil
	}
	w.stamp = ""
	value, err := w.read()
	if err != nil {
		return err
	}
	w.stamp, w.value = stamp.String(), value
	return nil
}

// Tokens returns a function that returns the tokens of a file, one a line, and one more
// unless that is empty. The file is read again when it changes. Tokens returns nil if
// there is neither. While the file cannot be read or has no token, the function returns
// only the one more; the log says so once.
func Tokens(file, more string, log *slog.Logger) (func() []string, error) {
	var always []string
	if more != "" {
		always = []string{more}
	}
	if file == "" {
		if more == "" {
			return nil, nil
		}
		return func() []string { return always }, nil
	}
	w := &reloaded[[]string]{files: []string{file}, read: func() ([]string, error) { return readTokens(file, more) }}
	if _, err := w.get(); err != nil {
		return nil, err
	}
	if about, err := os.Stat(file); err == nil && runtime.GOOS != "windows" && about.Mode().Perm()&0o004 != 0 {
		log.Warn("everybody on this machine can read a file of tokens: chmod o-r it", "file", file)
	}
	var closed atomic.Bool
	return func() []string {
		list, err := w.get()
		switch {
		case err != nil && !closed.Swap(true):
			log.Error("tokens of a file are no longer accepted", "file", file, "error", err)
		case err == nil && closed.Swap(false):
			log.Info("tokens of a file are accepted again", "file", file)
		}
		if err != nil {
			return always
		}
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
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' { // anybody could guess a comment
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
	w := &reloaded[*tls.Certificate]{files: []string{l.Certificate, l.Key}, read: func() (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(l.Certificate, l.Key)
		return &pair, err
	}}
	if _, err := w.get(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			pair, err := w.get()
			if pair == nil {
				return nil, errors.Join(errors.New("no certificate"), err)
			}
			return pair, nil // files are being written; keep the previous pair
		}}, nil
}
