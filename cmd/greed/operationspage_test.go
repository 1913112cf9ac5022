package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestOperations runs the commands of docs/operations.md, one after the other. They listen
// at ports that are free here.
func TestOperations(t *testing.T) {
	for _, needed := range []string{"sh", "curl", "tar"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip("there is no ", needed)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := "service= mirror=\ntrap 'kill $service $mirror' EXIT\n"
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 7 {
		t.Fatalf("the page has %d commands", len(blocks))
	}
	for _, block := range blocks {
		script += block[1]
	}
	script = strings.NewReplacer("127.0.0.1:8080", freePort(t), "127.0.0.1:8081", freePort(t)).Replace(script)
	dir := t.TempDir()
	for name, text := range map[string]string{"molecules.smi": "C methane\nCC ethane\nc1ccccc1 benzene\n", "more.smi": "CCO ethanol\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // should a service never be ready
	defer cancel()
	run := exec.CommandContext(ctx, "sh", "-eux", "-c", script)
	run.Dir, run.WaitDelay = dir, time.Second
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// freePort returns an address at which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestDashboard: the service has every figure that the dashboard and the alerts ask for.
func TestDashboard(t *testing.T) {
	s := serve(t, "--demo")
	defer s.stop(t)
	for _, path := range []string{"/v1/collections/demo/search?smiles=CCO&k=1", "/livez"} {
		answer, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	answer, err := http.Get(s.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	figures, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	has := make(map[string]bool)
	for line := range strings.Lines(string(figures)) {
		name, _, _ := strings.Cut(line, "{")
		name, _, _ = strings.Cut(name, " ")
		has[name] = true
	}
	asked := 0
	for _, file := range []string{"dashboard.json", "alerts.yml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "examples", "operations", file))
		if err != nil {
			t.Fatal(err)
		}
		if file == "dashboard.json" && !json.Valid(text) {
			t.Errorf("%s is no JSON", file)
		}
		for _, name := range regexp.MustCompile(`\b(greed|process|go)_[a-z_]+`).FindAllString(string(text), -1) {
			asked++
			if !has[name] {
				t.Errorf("%s: there is no figure %s", file, name)
			}
		}
	}
	if asked < 15 {
		t.Errorf("%d figures are asked for", asked)
	}
}
