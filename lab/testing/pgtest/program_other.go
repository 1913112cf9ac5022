//go:build !unix

package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
)

var quit = os.Kill

func (s *Server) program(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.Dir = s.dir
	return c
}
