//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// quit makes a server end without waiting for its clients.
const quit = syscall.SIGQUIT

// program returns a program of the server, run by a user who is not root.
func (s *Server) program(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.Dir = s.dir
	if os.Getuid() == 0 {
		if uid, gid, err := nobody(); err == nil {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		}
	}
	return c
}
