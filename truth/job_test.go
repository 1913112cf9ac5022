package truth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

func testJob(maps bool, workers int) Job {
	vocab := graph.NewVocabulary()
	j := Job{Queries: collection(vocab, 1, 15), Targets: collection(vocab, 2, 20), Maps: maps}
	j.Pairs = AllPairs(len(j.Queries), len(j.Targets))
	j.Bounder = Bounder{Costs: edit.Uniform(), Workers: workers, NewSolver: fake{}.new}
	return j
}

func numbered(prefix string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(prefix, i)
	}
	return ids
}

func runFile(t *testing.T, ctx context.Context, j Job, path string) error {
	t.Helper()
	_, err := j.RunFile(ctx, path, numbered("q", len(j.Queries)), numbered("t", len(j.Targets)))
	return err
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestInterruptedJobsEndAlike stops jobs again and again, with any number of
// workers, and compares the files that they end with.
func TestInterruptedJobsEndAlike(t *testing.T) {
	for _, name := range []string{"pairs.csv", "pairs.tsv", "pairs.parquet"} {
		for _, maps := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), name)
			if err := runFile(t, context.Background(), testJob(maps, 1), path); err != nil {
				t.Fatal(err)
			}
			want := read(t, path)
			for workers := 1; workers <= 4; workers++ {
				path := filepath.Join(t.TempDir(), name)
				runs := 0
				for err := context.Canceled; err != nil; runs++ {
					job := testJob(maps, workers)
					ctx, step := stopAfter(70)
					job.NewSolver = fake{before: step}.new
					if err = runFile(t, ctx, job, path); err != nil && !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(want, read(t, path)) {
					t.Errorf("%s, maps %v, %d workers: another file after %d runs", name, maps, workers, runs)
				}
				// How much is done before a stop is noticed depends on the machine.
				if runs < 2 {
					t.Error("the job was not stopped once")
				}
				if _, err := os.Stat(path + ".journal"); err == nil {
					t.Error("the journal is left")
				}
			}
		}
	}
}

// TestJournalCutAnywhere goes on from journals that end in the middle.
func TestJournalCutAnywhere(t *testing.T) {
	dir := t.TempDir()
	small := func() Job {
		j := testJob(true, 1)
		j.Queries, j.Pairs = j.Queries[:2], AllPairs(2, len(j.Targets))
		j.Journal = filepath.Join(dir, "journal")
		return j
	}
	if _, err := small().Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole := read(t, filepath.Join(dir, "journal"))
	path := filepath.Join(dir, "pairs.csv")
	if err := runFile(t, context.Background(), small(), path); err != nil {
		t.Fatal(err)
	}
	want := read(t, path)
	for length := 0; length <= len(whole); length += 1 + length/40 {
		j := small()
		if err := os.WriteFile(j.Journal, whole[:length], 0o666); err != nil {
			t.Fatal(err)
		}
		if err := runFile(t, context.Background(), j, path); err != nil {
			t.Fatalf("journal of %d bytes: %v", length, err)
		}
		if !bytes.Equal(want, read(t, path)) {
			t.Fatalf("journal of %d bytes: another file", length)
		}
	}
}

func TestJournalOfAnotherJob(t *testing.T) {
	dir := t.TempDir()
	base := testJob(false, 1)
	base.Journal = filepath.Join(dir, "journal")
	ctx, step := stopAfter(50)
	base.NewSolver = fake{before: step}.new
	if _, err := base.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Job){
		"task":    func(j *Job) { j.Task = edit.SED },
		"costs":   func(j *Job) { j.Costs = edit.Chem1() },
		"limits":  func(j *Job) { j.Limits.States = 9 },
		"method":  func(j *Job) { j.Method = "beam" },
		"maps":    func(j *Job) { j.Maps = true },
		"pairs":   func(j *Job) { j.Pairs = j.Pairs[1:] },
		"queries": func(j *Job) { j.Queries[0] = j.Queries[1] },
		"targets": func(j *Job) { j.Targets[0] = j.Targets[1] },
	} {
		j := testJob(false, 1)
		j.Journal = base.Journal
		change(&j)
		if _, err := j.Run(context.Background()); !errors.Is(err, ErrJournal) {
			t.Errorf("other %s: %v", name, err)
		}
	}
	for name, content := range map[string]string{"text": "query,target,lower,upper\n" + string(make([]byte, 99)), "short text": "query"} {
		j := testJob(false, 1)
		j.Journal = filepath.Join(dir, "other")
		if err := os.WriteFile(j.Journal, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Run(context.Background()); !errors.Is(err, ErrJournal) {
			t.Errorf("%s: %v", name, err)
		}
		if string(read(t, j.Journal)) != content {
			t.Errorf("%s: the file was changed", name)
		}
	}
	other := testJob(false, 3)
	other.Journal = base.Journal
	if _, err := other.Run(context.Background()); err != nil {
		t.Errorf("the same job with more workers: %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	j := testJob(false, 1)
	if err := runFile(t, context.Background(), j, filepath.Join(t.TempDir(), "pairs.xlsx")); err == nil {
		t.Error("wrote a spreadsheet")
	}
	j.Costs.NodeDelete = -1
	if err := runFile(t, context.Background(), j, filepath.Join(t.TempDir(), "pairs.csv")); !errors.Is(err, edit.ErrCosts) {
		t.Errorf("negative costs: %v", err)
	}
}

// TestKilledJobGoesOn kills a process at work and goes on.
func TestKilledJobGoesOn(t *testing.T) {
	const variable = "TRUTH_TEST_KILLED_JOB"
	slow := testJob(true, 2)
	var calls atomic.Int64
	slow.NewSolver = fake{sleep: 20 * time.Millisecond, before: func() error {
		if calls.Add(1) > int64(len(slow.Pairs)/4*3) { // it must not end before it is killed
			time.Sleep(10 * time.Minute)
		}
		return nil
	}}.new
	if path := os.Getenv(variable); path != "" {
		if err := runFile(t, context.Background(), slow, path); err != nil {
			t.Fatal(err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "pairs.csv")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledJobGoesOn$")
	cmd.Env = append(os.Environ(), variable+"="+path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		time.Sleep(10 * time.Millisecond)
		if info, err := os.Stat(path + ".journal"); err == nil && info.Size() > int64(len(journalMagic)+FingerprintSize) {
			break
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the kill is its error
	job := testJob(true, 2)
	ctx, step := stopAfter(int64(len(job.Pairs))) // reached only if nothing was kept
	job.NewSolver = fake{before: step}.new
	if err := runFile(t, ctx, job, path); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "pairs.csv")
	if err := runFile(t, context.Background(), testJob(true, 1), fresh); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, path), read(t, fresh)) {
		t.Error("another file")
	}
}

// FuzzJournal reads any bytes as the records of a journal.
func FuzzJournal(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 9})
	f.Add(append(make([]byte, 17), 2, 0, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		j := testJob(true, 1)
		table := &Table{Pairs: j.Pairs, Maps: make([]edit.NodeMap, len(j.Pairs))}
		done := make([]bool, len(j.Pairs))
		if replay(data, table, done) != nil {
			return
		}
		todo := spansOf(done)
		for i, s := range todo {
			if s.begin >= s.end || i > 0 && s.begin <= todo[i-1].end {
				t.Fatalf("spans %v", todo)
			}
		}
	})
}
