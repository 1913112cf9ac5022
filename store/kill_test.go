package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/norm"
)

const (
	killVariable = "GREED_STORE_TEST_WRITER" // folder that the child writes to
	// killsVariable says how often to kill; README names it.
	killsVariable = "GREED_STORE_KILLS"
)

// killedRows are what the writing process gives record i.
func killedRows(i int) []float32 { return []float32{float32(i), float32(-i), 0.5} }

func killedID(i int) string { return strconv.Itoa(i % 40) }

// TestWriterIsKilled starts a process that puts, deletes, copies and compacts,
// and kills it at a random moment, again and again. Nothing that it said was
// done may be missing, and what it was doing is there whole or not at all.
func TestWriterIsKilled(t *testing.T) {
	if dir := os.Getenv(killVariable); dir != "" {
		writeUntilKilled(t, dir)
		return
	}
	kills := sweep.Trials(160)
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		kills, err = strconv.Atoi(text)
		must(t, err)
	}
	t.Parallel()
	dir := empty(t, inMemory(t))
	use(t, dir, func(s *Store) {
		must(t, s.AddForeign(context.Background(), "x", edit.GED, norm.Single(norm.L1, 3, false)))
	})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	done := 0 // steps that are known to be done
	for k := range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWriterIsKilled$")
		cmd.Env = append(os.Environ(), killVariable+"="+dir, "GREED_STORE_TEST_STEP="+strconv.Itoa(done))
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		begun := false // the kill follows the start of the work
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if n, ok := strings.CutPrefix(lines.Text(), "done "); ok {
				done, err = strconv.Atoi(n)
				must(t, err)
			}
			if !begun {
				begun = true
				time.AfterFunc(time.Duration(rng.Int64N(int64(20*time.Millisecond))), func() { _ = cmd.Process.Kill() })
			}
		}
		_ = cmd.Wait() // killed
		if !begun {
			t.Fatal("the writer did not start")
		}
		done = afterKill(t, dir, done, k)
	}
	t.Logf("%d steps, %d kills", done, kills)
}

// discard removes a folder, which is whole or not there whenever the process is
// killed.
func discard(t *testing.T, dir string) {
	must(t, os.RemoveAll(dir+".gone"))
	if err := os.Rename(dir, dir+".gone"); !errors.Is(err, fs.ErrNotExist) {
		must(t, err)
	}
	must(t, os.RemoveAll(dir+".gone"))
}

// writeUntilKilled does step after step, from the one that the variable names.
// Step i puts record i under an id that comes again, and one beside it; some
// steps do more.
func writeUntilKilled(t *testing.T, dir string) {
	first, err := strconv.Atoi(os.Getenv("GREED_STORE_TEST_STEP"))
	must(t, err)
	vocab := graph.NewVocabulary()
	fmt.Println("ready")
	for i := first; ; i++ {
		switch {
		case i%11 == 7:
			_, _, err := compactAt(context.Background(), dir, 1)
			must(t, err)
		case i%17 == 3:
			must(t, writeSegmentAt(context.Background(), dir, 1))
		case i%13 == 5:
			discard(t, dir+".copy")
			discard(t, dir+".copy.tmp")
			use(t, dir, func(s *Store) { must(t, s.CopyTo(context.Background(), dir+".copy")) })
		}
		use(t, dir, func(s *Store) {
			twin := newRecord(vocab, "twin", i)
			_, err := s.Put(context.Background(), []dataset.Record{newRecord(vocab, killedID(i), i), twin}, map[string][]float32{"x": append(killedRows(i), killedRows(i)...)})
			must(t, err)
		})
		fmt.Println("done", i+1)
	}
}

// afterKill fails unless exactly the first steps are in the collection: done
// of them, or one more, which had no time to say so. It returns their number.
func afterKill(t *testing.T, dir string, done, k int) int {
	t.Helper()
	sound(t, dir)
	if Exists(dir + ".copy") {
		sound(t, dir+".copy")
	}
	vocab := graph.NewVocabulary()
	must(t, with(dir, Options{}, func(s *Store) error {
		return s.View(context.Background(), func(snap *Snapshot) error {
			twin, err := snap.Get("twin")
			if done == 0 && errors.Is(err, ErrNotFound) {
				return nil
			}
			must(t, err)
			last := int(twin.Attributes["version"].(float64))
			if last+1 != done && last != done {
				t.Fatalf("kill %d: step %d was acknowledged, the last that is found is %d", k, done-1, last)
			}
			done = last + 1
			rows, err := snap.Vectors("x")
			must(t, err)
			found := 0
			err = snap.Range(0, snap.Slots(), func(slot int, rec dataset.Record) error {
				found++
				i := last
				if rec.ID != "twin" {
					for i = last; killedID(i) != rec.ID; i-- {
					}
				}
				same(t, rec, newRecord(vocab, rec.ID, i))
				if fmt.Sprint(rows[3*slot:3*slot+3]) != fmt.Sprint(killedRows(i)) {
					t.Fatalf("kill %d: record %s has vector %v, want %v", k, rec.ID, rows[3*slot:3*slot+3], killedRows(i))
				}
				return nil
			})
			if want := min(done, 40) + 1; found != want {
				t.Fatalf("kill %d: %d records, want %d", k, found, want)
			}
			return err
		})
	}))
	return done
}
