package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/graph"
)

// lasting returns how long a test is to go on: as the environment variable says, and
// else a little while.
func lasting(t *testing.T, variable string, otherwise time.Duration) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	switch {
	case text == "" && testing.Short():
		return otherwise / 4
	case text == "":
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		t.Fatalf("%s=%s is not a time such as 10m", variable, text)
	}
	return d
}

// program is one that a test starts and may kill.
type program struct {
	*exec.Cmd
	URL  string
	said lockedBuffer // what it printed
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serve starts a service and waits until it listens.
func serve(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{Cmd: exec.Command("greed", append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "none"}, args...)...)}
	out, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for p.URL == "" {
		if !lines.Scan() {
			t.Fatalf("the service does not start: %v %s", p.Wait(), &p.said)
		}
		fmt.Fprintln(&p.said, lines.Text())
		if _, rest, ok := strings.Cut(lines.Text(), "serving on "); ok {
			p.URL, _, _ = strings.Cut(rest, ": ")
		}
	}
	go io.Copy(&p.said, out)
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// stop ends a service as a supervisor does.
func (p *program) stop(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the service ended with %v: %s", err, &p.said)
	}
}

// molecules returns the bundled molecules, which all tests share.
var molecules = sync.OnceValues(func() ([]greed.Record, error) { return bundle.Records(graph.NewVocabulary()) })

// indexOf keeps some of the bundled molecules, with both models, in a folder.
func indexOf(t *testing.T, dir string, n int) {
	t.Helper()
	records, err := molecules()
	if err != nil {
		t.Fatal(err)
	}
	saveIndex(t, dir, records[:n])
}

// saveIndex keeps records with both bundled models in a folder.
func saveIndex(t *testing.T, dir string, records []greed.Record) {
	t.Helper()
	c, err := greed.FromRecords(records[0].Graph.Vocabulary(), records)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AttachBundled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(dir); err != nil {
		t.Fatal(err)
	}
}

// batchOf is how many graphs a batch of a [writer] has.
const batchOf = 5

// writer sends batches to a service. Batch n replaces the graphs of slot n modulo
// slotCount, each under the name n. So whatever happens, the graphs of a slot have one
// name, of a batch at least as late as the last that was acknowledged.
type writer struct {
	name         string
	next         int   // the batch to be sent
	acknowledged []int // by slot, the last batch; -1 before the first
	sent         []int // by slot, the last batch
	total        int   // acknowledged
}

const slotCount = 20

func newWriter(name string) *writer {
	w := &writer{name: name, acknowledged: make([]int, slotCount), sent: make([]int, slotCount)}
	for i := range slotCount {
		w.acknowledged[i], w.sent[i] = -1, -1
	}
	return w
}

func (w *writer) id(slot, i int) string { return fmt.Sprintf("%s-%d-%d", w.name, slot, i) }

// batch returns the next batch as a body.
func (w *writer) batch() string {
	var b strings.Builder
	for i := range batchOf {
		fmt.Fprintf(&b, "{\"id\":%q,\"smiles\":%q,\"name\":\"%d\"}\n", w.id(w.next%slotCount, i), strings.Repeat("C", 1+(w.next+i)%30), w.next)
	}
	return b.String()
}

// send sends the next batch and returns the status, 0 if there was no answer.
func (w *writer) send(client *http.Client, url string) int {
	slot := w.next % slotCount
	w.sent[slot] = w.next
	answer, err := client.Post(url+"/v1/collections/own/graphs", "application/x-ndjson", strings.NewReader(w.batch()))
	if err != nil {
		w.next++
		return 0
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
	if answer.StatusCode == http.StatusOK {
		w.acknowledged[slot] = w.next
		w.total++
	}
	w.next++
	return answer.StatusCode
}

// check fails unless every slot holds one whole batch that may be there.
func (w *writer) check(t *testing.T, c *greed.Collection) {
	t.Helper()
	for slot := range slotCount {
		var names []string
		for i := range batchOf {
			if rec, ok := c.Get(w.id(slot, i)); ok {
				names = append(names, rec.Name)
			}
		}
		if len(names) == 0 && w.acknowledged[slot] < 0 {
			continue
		}
		got := -1
		for _, name := range names {
			if name != names[0] {
				t.Fatalf("%s: slot %d has graphs of batches %v", w.name, slot, names)
			}
			fmt.Sscan(name, &got)
		}
		if len(names) != batchOf || got < w.acknowledged[slot] || got > w.sent[slot] {
			t.Fatalf("%s: slot %d has %d graphs of batch %d; batch %d was acknowledged, %d sent", w.name, slot, len(names), got, w.acknowledged[slot], w.sent[slot])
		}
	}
}

// killsVariable says how long TestKilledWriters goes on; docs/resilience.md names it.
const killsVariable = "GREED_KILLS"

// TestKilledWriters kills processes that write to one index, two services and one that
// compacts it, at random moments. Every batch that was acknowledged is there, and every
// batch whole.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(lasting(t, killsVariable, time.Second))
	dir := filepath.Join(t.TempDir(), "own.index")
	indexOf(t, dir, 200)
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	writers := []*writer{newWriter("a"), newWriter("b")}
	kills, killedCompacting := 0, 0
	for round := 0; round < 2 || writers[0].total+writers[1].total == 0 || time.Now().Before(end); round++ {
		services := []*program{serve(t, dir), serve(t, dir)}
		var all sync.WaitGroup
		for i, p := range services {
			after := time.Duration(rng.IntN(300)) * time.Millisecond
			all.Go(func() {
				time.Sleep(after)
				p.Process.Kill()
			})
			all.Go(func() {
				client := &http.Client{Transport: &http.Transport{}}
				defer client.CloseIdleConnections()
				for {
					switch status := writers[i].send(client, p.URL); status {
					case 0:
						return // killed
					case http.StatusOK, http.StatusServiceUnavailable:
					default:
						t.Errorf("round %d: status %d", round, status)
						return
					}
				}
			})
			kills++
		}
		if round%3 == 1 {
			compact := exec.Command("greed", "index", "compact", dir)
			after := time.Duration(rng.IntN(400)) * time.Millisecond
			if err := compact.Start(); err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				time.Sleep(after)
				compact.Process.Kill()
			})
			if compact.Wait() != nil {
				killedCompacting++
			}
		}
		all.Wait()
		for _, p := range services {
			p.Wait()
		}
		c, err := greed.Open(t.Context(), greed.Source{Path: dir})
		if err != nil {
			t.Fatalf("seed %d, round %d: %v", seed, round, err)
		}
		for _, w := range writers {
			w.check(t, c)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if round%20 == 0 {
			sound(t, dir)
		}
		if t.Failed() {
			t.Fatalf("seed %d, round %d", seed, round)
		}
	}
	sound(t, dir)
	t.Logf("seed %d: %d services and %d compactions killed; %d and %d batches acknowledged, all whole", seed, kills, killedCompacting, writers[0].total, writers[1].total)
}

// sound fails if greed index check finds anything in an index.
func sound(t *testing.T, dir string) {
	t.Helper()
	if out, err := greedOnce(t.Context(), "index", "check", dir); err != nil {
		t.Fatalf("greed index check: %v: %s", err, out)
	}
}

// greedOnce runs the program to its end and returns what it printed.
func greedOnce(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "greed", args...).CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) && !exit.Exited() {
		err = fmt.Errorf("killed: %w", err)
	}
	return string(out), err
}
