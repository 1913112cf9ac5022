// Package pgtest starts a PostgreSQL server for tests, of the programs that are installed,
// in a folder of its own and on a socket that nobody else sees.
package pgtest

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Server is a running server.
type Server struct {
	dir, bin string
	port     int
	command  *exec.Cmd
	output   *bytes.Buffer
	stopped  bool
}

// Start starts a server, which ends with the test. Where PostgreSQL is missing, the test is
// skipped.
func Start(t testing.TB) *Server {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Skip(err)
	}
	s := &Server{bin: bin, port: 5432}
	if err := s.init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Stop()
		_ = os.RemoveAll(s.dir)
	})
	s.Run(t)
	return s
}

// programs returns the folder of the server's programs, the newest there are.
func programs() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	if path, err := exec.LookPath("initdb"); err == nil && len(found) == 0 {
		found = append(found, path)
	}
	if len(found) == 0 {
		return "", fmt.Errorf("PostgreSQL is not installed (Debian: postgresql)")
	}
	bin := filepath.Dir(found[len(found)-1])
	return bin, nil
}

// init makes the files of a server. Servers refuse to run as root.
func (s *Server) init() (err error) {
	if s.dir, err = os.MkdirTemp("/tmp", "pgtest"); err != nil {
		return err
	}
	if os.Getuid() == 0 {
		uid, gid, err := nobody()
		if err != nil {
			return err
		}
		if err := os.Chown(s.dir, uid, gid); err != nil {
			return err
		}
	}
	c := s.program("initdb", "-D", "data", "-A", "trust", "-U", "greed", "-N", "-E", "UTF8", "--locale=C")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// nobody returns a user that is not root.
func nobody() (uid, gid int, err error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return 0, 0, err
	}
	if uid, err = strconv.Atoi(u.Uid); err != nil {
		return 0, 0, err
	}
	gid, err = strconv.Atoi(u.Gid)
	return uid, gid, err
}

// Run starts the server and waits until it answers.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	s.output = new(bytes.Buffer)
	s.command = s.program("postgres", "-D", "data", "-k", s.dir, "-p", strconv.Itoa(s.port), "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	s.command.Stdout, s.command.Stderr = s.output, s.output
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	s.stopped = false
	for range 600 {
		if s.program("pg_isready", "-q", "-h", s.dir, "-p", strconv.Itoa(s.port)).Run() == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Stop()
	t.Fatalf("the server does not start:\n%s", s.output)
}

// Stop ends the server at once, as a crash would. Run starts it again.
func (s *Server) Stop() {
	if s.command == nil || s.stopped {
		return
	}
	s.stopped = true
	_ = s.command.Process.Signal(quit)
	_ = s.command.Wait()
}

// URL returns the address of the server's database.
func (s *Server) URL() string {
	u := url.URL{Scheme: "postgres", Host: "", Path: "/postgres", RawQuery: url.Values{
		"host": {s.dir}, "port": {strconv.Itoa(s.port)}, "user": {"greed"},
	}.Encode()}
	return u.String()
}
