package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// TestScale prints what GREED_SCALE graphs take, in time, memory and disk: an index, its
// opening, searches, and the join within 1. They are the bundled molecules, then copies of them
// after at most 9 edits, in the folder GREED_SCALE_DIR, which keeps them and the index. The index has the bundled
// model for GED, or none if GREED_SCALE_MODEL is none. GREED_SCALE_PART is the share of the join that is run, such as
// 1/100.
func TestScale(t *testing.T) {
	count, _ := strconv.Atoi(os.Getenv("GREED_SCALE"))
	dir := os.Getenv("GREED_SCALE_DIR")
	if count == 0 || dir == "" {
		t.Skip("GREED_SCALE says how many graphs, GREED_SCALE_DIR where they are kept")
	}
	const queries = 20
	modelled := os.Getenv("GREED_SCALE_MODEL") != "none"
	file, asked, index := filepath.Join(dir, "copies.tve"), filepath.Join(dir, "queries.tve"), filepath.Join(dir, "copies.index")
	if _, err := os.Stat(asked); err != nil {
		writeCopies(t, asked, 0, -queries, 2)
	}
	parts, _ := strconv.Atoi(os.Getenv("GREED_SCALE_PARTS"))
	names := []string{index}
	if parts > 1 {
		index, names = filepath.Join(dir, "part-*.index"), nil
	}
	for i := range parts {
		names = append(names, filepath.Join(dir, fmt.Sprintf("part-%d.index", i+1)))
	}
	for i, name := range names {
		if _, err := os.Stat(name); err == nil {
			continue
		}
		from, to := i*count/len(names), (i+1)*count/len(names)
		if _, err := os.Stat(file); err != nil {
			writeCopies(t, file, from, to-from, uint64(1+2*i))
		}
		build := []string{"index", "build", file, "-o", name}
		if modelled {
			build = append(build, "--model", filepath.Join("..", "..", "bundle", "ged.safetensors"))
		}
		costs(t, "build", build...)
		if len(names) > 1 {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	var disk int64
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && slices.Contains(names, filepath.Dir(path)) {
			info, err := e.Info()
			if err != nil {
				return err
			}
			disk += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("disk: %d MB", disk>>20)
	costs(t, "open", "index", "info", index)
	questions := [][]string{{"--radius", "2", "--time-limit", "10s"}, {"--radius", "4", "--time-limit", "10s"}, {"-k", "10", "--time-limit", "10s"}}
	if modelled {
		questions = append(questions, []string{"-k", "1", "--mode", "predicted"})
	}
	for _, question := range questions {
		costs(t, fmt.Sprint(queries, " searches ", question), append([]string{"search", asked, index, "--json"}, question...)...)
	}
	join := []string{"join", index, "--radius", "1", "-o", filepath.Join(dir, "near.parquet")}
	share := os.Getenv("GREED_SCALE_PART")
	if share == "none" {
		return
	}
	if share != "" {
		join = []string{"join", index, "--radius", "1", "--part", share, "-o", filepath.Join(dir, "near.part")}
	}
	costs(t, "join within 1", join...)
}

// writeCopies writes so many of the bundled molecules and of the edited copies that follow, from the graph of a
// number, or, where count is negative, so many copies alone.
func writeCopies(t *testing.T, name string, from, count int, seed uint64) {
	t.Helper()
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	var all []*graph.Graph
	for _, r := range records {
		all = append(all, r.Graph)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := dataset.NewWriter(f, "tve")
	if err != nil {
		t.Fatal(err)
	}
	editor, rng := sample.NewEditor(all, 100), rand.New(rand.NewPCG(seed, seed))
	for i := from; i < from+max(count, -count); i++ {
		g := all[i%len(all)]
		if count < 0 || i >= len(all) {
			g, _ = editor.Edit(rng, all[rng.IntN(len(all))], rng.IntN(10))
		}
		if err := w.Write(dataset.Record{ID: strconv.Itoa(i), Graph: g}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// costs runs the program, and prints what that takes: of memory, all that is resident and what of it is anonymous,
// which is not that of mapped files.
func costs(t *testing.T, what string, args ...string) {
	t.Helper()
	cmd := exec.Command("greed", args...)
	var said, answers bytes.Buffer
	cmd.Stdout, cmd.Stderr = &answers, &said
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over, most := make(chan struct{}), make(chan int)
	go func() {
		greatest := 0
		for {
			greatest = max(greatest, anonymous(cmd.Process.Pid))
			select {
			case <-over:
				most <- greatest
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	err := cmd.Wait()
	close(over)
	own := <-most
	if err != nil {
		t.Fatalf("%s: %v %s", what, err, &said)
	}
	used := cmd.ProcessState
	t.Logf("%s: %v, %v of the processors, %d MB at most, %d MB of them its own, %d open", what,
		time.Since(begin).Round(time.Millisecond), (used.UserTime() + used.SystemTime()).Round(time.Millisecond),
		used.SysUsage().(*syscall.Rusage).Maxrss>>10, own>>20, bytes.Count(answers.Bytes(), []byte(`"status":"open"`)))
}
