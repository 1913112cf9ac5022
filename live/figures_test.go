package live_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/lab/testing/processor"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/store"
)

const (
	// figuresVariable says for how many molecules to measure; docs/benchmarks.md
	// names it.
	figuresVariable = "GREED_LIVE_FIGURES"
	// writesVariable says how often each kind of writer writes then.
	writesVariable = "GREED_LIVE_WRITES"
	childVariable  = "GREED_LIVE_TEST_CHILD" // what another process is to do, and where
)

func background() context.Context { return context.Background() }

// TestMain runs what a test wants another process to do.
func TestMain(m *testing.M) {
	if what, dir, ok := strings.Cut(os.Getenv(childVariable), " "); ok {
		if err := runChild(what, dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	sweep.Main(m)
}

// child starts this program anew to do something in a folder.
func child(t *testing.T, what, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+what+" "+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

func runChild(what, dir string) error {
	name, rest, _ := strings.Cut(what, ":")
	n, err := strconv.Atoi(rest)
	if err != nil {
		return err
	}
	switch name {
	case "put":
		return putMany(dir, n, true)
	case "add":
		return addMany(dir, n)
	case "compact":
		fmt.Println("ready")
		return rewriteIndex(dir, true)
	case "swap":
		return swapUntilKilled(dir, n)
	}
	return errors.New("unknown work")
}

// putMany puts n records one by one under 100 ids.
func putMany(dir string, n int, told bool) error {
	c, err := live.Open(background(), dir)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range n {
		if _, err := c.Apply(background(), live.Change{Put: []live.Record{record(fmt.Sprint("other", i%100), i)}}); err != nil {
			return err
		}
		if told {
			fmt.Println(i, time.Now().UnixNano())
		}
	}
	return nil
}

// addMany adds n records as greed index add does.
func addMany(dir string, n int) error {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	list := numbered(n)
	fmt.Println("ready")
	_, _, err = s.Add(background(), list, false, 1)
	return err
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// syncs measures what a PUT cannot do without: two vector files are flushed, then
// the pages of the database, then its root page.
func syncs(t *testing.T, dir string, n int) time.Duration {
	var files []*os.File
	for i := range 3 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprint("sync", i)))
		must(t, err)
		defer os.Remove(f.Name())
		defer f.Close()
		files = append(files, f)
	}
	page := make([]byte, 4096)
	var took []time.Duration
	for i := range n {
		begin := time.Now()
		for _, f := range files[:2] {
			_, err := f.WriteAt(page[:256], int64(256*i))
			must(t, err)
			must(t, f.Sync())
		}
		for _, pages := range []int{8, 1} {
			for p := range pages {
				_, err := files[2].WriteAt(page, int64(4096*p))
				must(t, err)
			}
			must(t, files[2].Sync())
		}
		took = append(took, time.Since(begin))
	}
	return median(took)
}

// TestFigures measures what docs/benchmarks.md says of a collection that changes.
func TestFigures(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv(figuresVariable))
	if err != nil {
		t.Skipf("set %s to a number of molecules, such as 100000", figuresVariable)
	}
	writes := 1000
	if text := os.Getenv(writesVariable); text != "" {
		writes, err = strconv.Atoi(text)
		must(t, err)
	}
	records := molecules(t, n+writes)
	folder := t.TempDir()
	dir := filepath.Join(folder, "index")
	begin := time.Now()
	build(t, dir, bundledModels(t), records[:n])
	t.Logf("built %d molecules in %v", n, time.Since(begin))
	begin = time.Now()
	c := open(t, dir)
	t.Logf("opened in %v", time.Since(begin))

	rng := rand.New(rand.NewPCG(2, 2))
	fresh := func() live.Record {
		r := records[rng.IntN(len(records))]
		r.ID = records[rng.IntN(n)].ID // replaces another
		return r
	}
	put := func(n int) time.Duration {
		change := live.Change{}
		for range n {
			change.Put = append(change.Put, fresh())
		}
		begin := time.Now()
		_, err := c.Apply(background(), change)
		must(t, err)
		return time.Since(begin)
	}
	put(1)
	before, maps := heap(), 0
	maps, _ = mappings(t, dir)
	sync := syncs(t, folder, 300)
	var took []time.Duration
	used := processor.Time()
	for range writes {
		took = append(took, put(1))
	}
	used = processor.Time() - used
	must(t, c.Maintained())
	m := median(took)
	t.Logf("PUT: median %v, p95 %v; the disk's own flushes %v; beyond them %v (want at most 3 ms); processor time %v",
		m, took[len(took)*95/100], sync, m-sync, used/time.Duration(writes))
	took = took[:0]
	used = processor.Time()
	for range 10 {
		took = append(took, put(1000))
	}
	used = processor.Time() - used
	m = median(took)
	t.Logf("batches of 1,000: median %v, %.0f graphs a second (want 5,000); processor time %v a graph", m, 1000/m.Seconds(), used/10000)
	must(t, c.Maintained())

	seen := visibility(t, c, dir, writes)
	must(t, c.Maintained())
	t.Logf("a write of another process is seen after %v in the median, %v at most (want 50 ms)", median(seen), seen[len(seen)-1])
	for _, what := range []string{"add:20000", "compact:0"} {
		waits := waits(t, c, dir, what)
		t.Logf("while another process does %s: %d PUTs, median %v, %v at most", what, len(waits), median(waits), waits[len(waits)-1])
	}
	for range 3 {
		afterCompaction(t, c, dir)
	}
	must(t, c.Maintained())
	count, _ := mappings(t, dir)
	after := heap()
	t.Logf("after %d PUTs, 10 batches and %d writes of another process: %d mappings, were %d; heap %.1f MB, was %.1f MB (%.2f times); %s",
		writes, writes, count, maps, float64(after)/1e6, float64(before)/1e6, float64(after)/float64(before), peak())
	runtime.KeepAlive(records)
	if float64(count) > 1.2*float64(maps) || float64(after) > 1.2*float64(before) {
		t.Error("it grew")
	}
}

// visibility returns how long after its acknowledgement each of n writes of another
// process was found here, where the collection is refreshed as the service does.
func visibility(t *testing.T, c *live.Collection, dir string, n int) []time.Duration {
	t.Helper()
	cmd, lines := child(t, fmt.Sprint("put:", n), dir)
	wrote := make(map[int]time.Time)
	told := make(chan struct{})
	go func() {
		defer close(told)
		for lines.Scan() {
			var i int
			var at int64
			if _, err := fmt.Sscan(lines.Text(), &i, &at); err == nil {
				wrote[i] = time.Unix(0, at)
			}
		}
	}()
	found := make(map[int]time.Time)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for last := -1; last < n-1; <-tick.C {
		changed, err := c.Refresh(background())
		must(t, err)
		if !changed {
			continue
		}
		at := time.Now()
		newest := last
		for id := range 100 {
			if rec, ok, err := c.Get(fmt.Sprint("other", id)); ok && err == nil {
				newest = max(newest, int(rec.Attributes["version"].(float64)))
			}
		}
		for ; last < newest; last++ {
			found[last+1] = at
		}
	}
	<-told
	must(t, cmd.Wait())
	var list []time.Duration
	for i, at := range found {
		if w, ok := wrote[i]; ok {
			list = append(list, max(0, at.Sub(w)))
		}
	}
	slices.Sort(list)
	return list
}

// waits returns how long PUTs take while another process does something that takes
// long.
func waits(t *testing.T, c *live.Collection, dir, what string) []time.Duration {
	t.Helper()
	cmd, lines := child(t, what, dir)
	for lines.Scan() && lines.Text() != "ready" {
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	var took []time.Duration
	for {
		select {
		case err := <-over:
			must(t, err)
			return took
		default:
			begin := time.Now()
			_, err := c.Apply(background(), live.Change{Put: []live.Record{record("ours", len(took))}})
			must(t, err)
			took = append(took, time.Since(begin))
		}
	}
}

// afterCompaction logs what the first PUT costs after another process has compacted, and
// the first read after that, which waits until the collection is loaded.
func afterCompaction(t *testing.T, c *live.Collection, dir string) {
	t.Helper()
	cmd, _ := child(t, "compact:0", dir)
	must(t, cmd.Wait())
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin, used, all := time.Now(), thread(), processor.Time()
	_, err := c.Apply(background(), live.Change{Put: []live.Record{record("after", 1)}})
	must(t, err)
	took, own := time.Since(begin), thread()-used
	_, ok, err := c.Get("after")
	must(t, err)
	if !ok {
		t.Error("the record is missing")
	}
	t.Logf("after a compaction by another process: the first PUT takes %v, of them %v processor time; a read behind it answers %v after it; both, and loading, take %v processor time",
		took, own, time.Since(begin)-took, processor.Time()-all)
}

// peak returns what the system says of the memory of this process.
func peak() string {
	text, _ := os.ReadFile("/proc/self/status")
	var parts []string
	for line := range strings.Lines(string(text)) {
		for _, name := range []string{"VmHWM", "VmRSS", "RssAnon"} {
			if strings.HasPrefix(line, name) {
				parts = append(parts, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	return strings.Join(parts, ", ")
}
