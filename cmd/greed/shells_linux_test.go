package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a program that runs in a terminal of its own.
type terminal struct {
	t    *testing.T
	keys *os.File
	mu   sync.Mutex
	seen strings.Builder
}

// openTerminal starts a program in a terminal of so many columns. It has the folder bin before all others on its path,
// and env beside the variables that shells need.
func openTerminal(t *testing.T, columns uint16, bin, dir string, env []string, argv ...string) *terminal {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 60, Col: columns}); err != nil {
		t.Skip(err)
	}
	line, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	command := exec.Command(argv[0], argv[1:]...)
	command.Stdin, command.Stdout, command.Stderr = line, line, line
	command.Dir = dir
	command.Env = slices.Concat(os.Environ(), []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, "TERM=xterm", "LC_ALL=C.UTF-8", "PS1=$ ",
	}, env)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line.Close()
	x := &terminal{t: t, keys: master}
	t.Cleanup(func() {
		command.Process.Kill() //nolint:errcheck // it may have ended
		command.Wait()         //nolint:errcheck // it was killed
	})
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			x.mu.Lock()
			x.seen.Write(b[:n])
			text := string(b[:n])
			x.mu.Unlock()
			if strings.Contains(text, "\x1b[c") { // the shell wants to know which terminal this is
				master.WriteString("\x1b[?62;c")
			}
			if err != nil {
				return
			}
		}
	}()
	return x
}

// press types keys and waits until the terminal shows all words after that.
func (x *terminal) press(keys string, words ...string) {
	x.t.Helper()
	x.mu.Lock()
	x.seen.Reset()
	x.mu.Unlock()
	if _, err := x.keys.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
	x.shows(words...)
}

// shows waits until the terminal has shown all words, and returns what it has shown.
func (x *terminal) shows(words ...string) string {
	x.t.Helper()
	var text string
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		x.mu.Lock()
		text = x.seen.String()
		x.mu.Unlock()
		all := true
		for _, word := range words {
			all = all && strings.Contains(text, word)
		}
		if all {
			return text
		}
	}
	x.t.Fatalf("the terminal shows %q, want %q", text, words)
	return ""
}

// onPath returns a folder with the program.
func onPath(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(bin, "greed")); err != nil {
		t.Fatal(err)
	}
	return bin
}

// TestShells presses Tab in real shells: after a command line that ends in a space, in which the word to
// be completed is empty, and after one that ends in the beginning of a word.
func TestShells(t *testing.T) {
	bin := onPath(t)
	const ready = "the shell is ready"
	for _, shell := range []struct {
		name string
		argv []string
		load string
		tab  string // keys that show all continuations
	}{
		{"bash", []string{"bash", "--norc", "--noprofile", "-i"}, `source <(greed completion bash)`, "\t\t"},
		{"zsh", []string{"zsh", "-f", "-i"}, `autoload -U compinit; compinit -u; source <(greed completion zsh)`, "\t\t"},
		{"fish", []string{"fish", "--no-config", "-i"}, `greed completion fish | source`, "\t"},
	} {
		t.Run(shell.name, func(t *testing.T) {
			if _, err := exec.LookPath(shell.name); err != nil {
				t.Skipf("there is no %s", shell.name)
			}
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"molecules.smi", "other.smi"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("CCO ethanol\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			x := openTerminal(t, 100, bin, dir, nil, shell.argv...)
			x.press(shell.load+"; echo the shell is \"ready\"\r", ready)
			clear := "\x15" // Ctrl-U empties the line
			x.press("greed "+shell.tab, "search", "mcs", "dataset", "verify")
			x.press(clear+"greed index "+shell.tab, "build", "compact", "snapshot")
			x.press(clear+"greed search CCO --mode "+shell.tab, "proven", "checked", "predicted")
			x.press(clear+"greed search CCO "+shell.tab, "molecules.smi", "other.smi")
			x.press(clear+"greed vers"+shell.tab, "version")
			x.press(clear+"greed search CCO mol\t", "molecules.smi")
		})
	}
}
