package main

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"syscall"
	"testing"
)

// TestLogIsJSON: every line of standard error is JSON with --log json, the first one, too, which says where the
// service is.
func TestLogIsJSON(t *testing.T) {
	cmd := exec.Command("greed", "serve", "--demo", "--listen", "127.0.0.1:0", "--log", "json")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		var line struct{ Msg, URL string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Errorf("line %d is not JSON: %s", n, lines.Text())
		}
		if n == 0 && (line.Msg != "serving" || line.URL == "") {
			t.Errorf("the first line does not say where the service is: %s", lines.Text())
		}
		if n == 0 {
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
