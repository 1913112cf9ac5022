package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// killsVariable says how often to kill; README names it.
const killsVariable = "GREED_LIVE_KILLS"

// group is how many ids a writer keeps: after step i those of one half are there,
// all with version i, and those of the other half are not.
const group = 10

func groupID(writer, i int) string { return fmt.Sprint("w", writer, "-", i) }

// swap is step i of a writer.
func swap(writer, i int) live.Change {
	var c live.Change
	for k := range group {
		id := groupID(writer, k)
		if k%2 == i%2 {
			c.Put = append(c.Put, record(id, i))
		} else {
			c.Delete = append(c.Delete, id)
		}
	}
	return c
}

// swapUntilKilled does step after step and tells of each when it is done. The
// first writer also lays the index out anew.
func swapUntilKilled(dir string, writer int) error {
	c, err := live.Open(background(), dir)
	if err != nil {
		return err
	}
	first := 0
	if rec, ok, err := c.Get(groupID(writer, 0)); ok && err == nil {
		first = version(rec) + 1
	} else if rec, ok, err := c.Get(groupID(writer, 1)); ok && err == nil {
		first = version(rec) + 1
	}
	fmt.Println("ready", first)
	for i := first; ; i++ {
		if _, err := c.Apply(background(), swap(writer, i)); err != nil {
			return err
		}
		fmt.Println("done", i)
		if writer == 0 && i%5 == 4 {
			if err := rewriteIndex(dir, i%2 == 0); err != nil {
				return err
			}
		}
	}
}

func rewriteIndex(dir string, compact bool) error {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	if compact {
		_, _, err = s.Compact(background(), 1)
	} else {
		err = s.WriteSegment(background(), 1)
	}
	return errors.Join(err, s.Close())
}

func version(r live.Record) int { return int(r.Attributes["version"].(float64)) }

// TestWritersAreKilled lets two processes change one index in turn, with batches
// that delete and put, and kills one of them at a random moment, again and again.
// Nothing that they said was done is missing, and every batch is there whole or not
// at all.
func TestWritersAreKilled(t *testing.T) {
	kills := sweep.Trials(120)
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		kills, err = strconv.Atoi(text)
		must(t, err)
	}
	t.Parallel()
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(50))
	ours := open(t, dir)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	type writer struct {
		cmd  *exec.Cmd
		done chan int // the last step that was told, when its output ends
	}
	start := func(i int) *writer {
		cmd, lines := child(t, fmt.Sprint("swap:", i), dir)
		w := &writer{cmd, make(chan int, 1)}
		ready := make(chan struct{})
		go func() {
			last := -1
			for lines.Scan() {
				var n int
				if _, err := fmt.Sscanf(lines.Text(), "ready %d", &n); err == nil {
					last = n - 1
					close(ready)
				}
				if _, err := fmt.Sscanf(lines.Text(), "done %d", &n); err == nil {
					last = n
				}
			}
			w.done <- last
		}()
		<-ready
		return w
	}
	writers := []*writer{start(0), start(1)}
	acknowledged := []int{-1, -1}
	end := func(i int) {
		_ = writers[i].cmd.Process.Kill()
		acknowledged[i] = <-writers[i].done
		_ = writers[i].cmd.Wait()
	}
	for range kills {
		time.Sleep(time.Duration(rng.Int64N(int64(40 * time.Millisecond))))
		i := rng.IntN(2)
		end(i)
		inspect(t, ours, i, acknowledged[i])
		writers[i] = start(i)
	}
	for i := range writers {
		end(i)
		inspect(t, ours, i, acknowledged[i])
	}
	r, err := store.Check(context.Background(), dir)
	must(t, err)
	if len(r.Problems) > 0 {
		t.Errorf("problems: %v", r.Problems)
	}
	t.Logf("%d kills, %d and %d changes acknowledged", kills+2, acknowledged[0]+1, acknowledged[1]+1)
	if acknowledged[0] < 0 || acknowledged[1] < 0 {
		t.Error("a writer did nothing")
	}
}

// inspect fails unless a writer's ids are as after the step that it told of last,
// or the next, which had no time to be told.
func inspect(t *testing.T, c *live.Collection, writer, last int) {
	t.Helper()
	_, err := c.Refresh(background())
	must(t, err)
	step := -1
	found := make(map[int]int)
	for k := range group {
		rec, ok, err := c.Get(groupID(writer, k))
		must(t, err)
		if ok {
			found[k] = version(rec)
			step = max(step, found[k])
		}
	}
	if step != last && step != last+1 {
		t.Fatalf("writer %d told of step %d, there is step %d", writer, last, step)
	}
	for k := range group {
		v, ok := found[k]
		if want := step >= 0 && k%2 == step%2; ok != want || ok && v != step {
			t.Fatalf("writer %d: after step %d, id %d is there: %v, of step %d", writer, step, k, ok, v)
		}
	}
}

// TestTurns: while another process puts thousands of graphs, a change of ours waits
// for a few of its transactions at most, not for all.
func TestTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("two processes take turns, which the race detector does not see")
	}
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(50))
	c := open(t, dir)
	generation := func() uint64 {
		s := c.Acquire()
		defer s.Release()
		return s.Generation
	}
	begin := generation()
	cmd, lines := child(t, "add:20000", dir)
	for lines.Scan() && lines.Text() != "ready" {
	}
	var others []uint64 // how many changes of the other went before each of ours
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	for running := true; running; {
		select {
		case err := <-over:
			must(t, err)
			running = false
		default:
			_, err := c.Refresh(background())
			must(t, err)
			before := generation()
			_, err = c.Apply(background(), live.Change{Put: []live.Record{record("ours", len(others))}})
			must(t, err)
			others = append(others, generation()-before-1)
		}
	}
	slices.Sort(others)
	t.Logf("changes of the other before each of ours: %v", others)
	_, err := c.Refresh(background())
	must(t, err)
	if made := int(generation()-begin) - len(others); made < 75 {
		t.Errorf("the other made %d changes, so that we could wait for all of one", made)
	}
	// Between the refresh and the turn there is time for one or two of them, and for many
	// while a busy machine does not let us run at all. That is seldom: judge by the middle.
	if len(others) < 3 || others[len(others)/2] > 20 {
		t.Errorf("changes of the other before each of ours: %v", others)
	}
}
