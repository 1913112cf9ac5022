package join_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

func records(rng *rand.Rand, vocab *graph.Vocabulary, name string, n int) []dataset.Record {
	list := make([]dataset.Record, n)
	for i := range list {
		list[i] = dataset.Record{ID: fmt.Sprint(name, i), Graph: gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 5, Density: 0.4, NodeLabels: 2, EdgeLabels: 2})}
	}
	return list
}

func collection(list []dataset.Record) *search.Collection {
	vocab := graph.NewVocabulary()
	if len(list) > 0 {
		vocab = list[0].Graph.Vocabulary()
	}
	return search.NewCollection(vocab, list)
}

// run returns the pairs of a job, whose journal is path with an ending.
func run(ctx context.Context, j join.Job, path string) (rows []truth.Row, err error) {
	_, err = j.RunTo(ctx, path, func(all truth.Rows, _ io.Writer) error {
		for _, r := range all.All {
			rows = append(rows, r)
		}
		return nil
	})
	return rows, err
}

// TestJoin compares with the brute force over all pairs.
func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	vocab := graph.NewVocabulary()
	a, b := records(rng, vocab, "a", 40), records(rng, vocab, "b", 25)
	rings, _ := edit.Named("rings")
	uneven := edit.Costs{NodeInsert: 1, NodeDelete: 2, NodeSubstitute: 1, EdgeInsert: 1, EdgeDelete: 0.5, EdgeSubstitute: 1}
	for trial, of := range []struct {
		queries, targets []dataset.Record
		job              join.Job
	}{
		{a, nil, join.Job{Radius: 2, Costs: edit.Uniform()}},
		{a, nil, join.Job{Radius: 2, Costs: edit.Uniform(), Task: edit.SED}},
		{a, nil, join.Job{Radius: 2.5, Costs: uneven, Workers: 3}},
		{a, nil, join.Job{Radius: 3, Costs: rings}},
		{a, b, join.Job{Radius: 3, Costs: edit.Uniform(), Workers: 1}},
		{b, a, join.Job{Radius: 1, Costs: edit.Uniform(), Task: edit.SED}},
		{nil, a, join.Job{Radius: 1, Costs: edit.Uniform()}},
		{a, []dataset.Record{}, join.Job{Radius: 1, Costs: edit.Uniform()}},
	} {
		j := of.job
		p, err := edit.Price(j.Task, j.Costs)
		if err != nil {
			t.Fatal(err)
		}
		// Every third graph is deleted.
		hold := func(list []dataset.Record) *search.Collection {
			var drop []int
			for i := range list {
				if i%3 == 1 {
					drop = append(drop, i)
				}
			}
			c := collection(list)
			c.Drop(drop)
			return c
		}
		j.Queries = hold(of.queries)
		targets, once := of.targets, false
		if targets == nil {
			targets, once = of.queries, j.Task == edit.GED && j.Costs != uneven
		} else {
			j.Targets = hold(targets)
		}
		var want []truth.Row
		for q := range of.queries {
			for g := range targets {
				if q%3 == 1 || g%3 == 1 || of.targets == nil && (g == q || once && g < q) {
					continue
				}
				if d, _ := gedtest.BruteForce(p, of.queries[q].Graph, targets[g].Graph); d <= j.Radius {
					want = append(want, truth.Row{Query: of.queries[q].ID, Target: targets[g].ID, Lower: d, Upper: d})
				}
			}
		}
		got, err := run(t.Context(), j, filepath.Join(t.TempDir(), "pairs"))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("job %d: pairs %v\nwant %v", trial, got, want)
		}
	}
}

// TestResume: a job that was stopped anywhere ends with the file of one that was
// not, and does not do twice what it has done.
func TestResume(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	list := records(rng, graph.NewVocabulary(), "g", 60)
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.csv")
	job := join.Job{Queries: collection(list), Radius: 2, Costs: edit.Uniform()}
	if _, err := job.RunFile(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "parts.csv")
	last := 0
	for stops := 0; ; stops++ {
		ctx, stop := context.WithCancel(t.Context())
		job.Progress = func(p join.Progress) {
			if p.Done <= last {
				t.Errorf("query %d is done again", p.Done)
			}
			if last = p.Done; p.Done%7 == 0 {
				stop()
			}
		}
		_, err := job.RunFile(ctx, path)
		stop()
		if err == nil {
			if stops < 5 {
				t.Errorf("stopped %d times only", stops)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || stops > 60 {
			t.Fatal(err)
		}
		// A frame cut short, as a kill leaves it.
		f, err := os.OpenFile(path+".journal", os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte{9, 0, 0, 0, 1}); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, pairs\n%s\nwant\n%s", err, got, want)
	}
	if _, err := os.Stat(path + ".journal"); err == nil {
		t.Error("the journal is left")
	}
}

// TestLongJournal: a job of many graphs that is stopped again and again resumes where it was,
// each time from a longer journal. GREED_JOURNAL is how many graphs there are.
func TestLongJournal(t *testing.T) {
	count := 3000
	if text := os.Getenv("GREED_JOURNAL"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	list := records(rand.New(rand.NewPCG(8, 8)), graph.NewVocabulary(), "g", 40)
	vocab := list[0].Graph.Vocabulary()
	for i := len(list); i < count; i++ { // paths of many lengths, so that few are near each other
		b := graph.NewBuilder(vocab, false)
		for v := range 1 + i%97 {
			b.AddNode(fmt.Sprint("L", i/97%1000))
			if v > 0 {
				if err := b.AddEdge(v-1, v, "1"); err != nil {
					t.Fatal(err)
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, dataset.Record{ID: fmt.Sprint("p", i), Graph: g})
	}
	job := join.Job{Queries: collection(list), Radius: 0, Costs: edit.Uniform()}
	dir := t.TempDir()
	whole, path := filepath.Join(dir, "whole.csv"), filepath.Join(dir, "parts.csv")
	begin := time.Now()
	if _, err := job.RunFile(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d graphs take %v", count, time.Since(begin))
	last := 0
	for stops := 1; ; stops++ {
		ctx, stop := context.WithCancel(t.Context())
		job.Progress = func(p join.Progress) {
			if p.Done <= last {
				t.Errorf("graph %d is done again", p.Done)
			}
			if last = p.Done; p.Done >= stops*count/4 {
				stop()
			}
		}
		begin := time.Now()
		_, err := job.RunFile(ctx, path)
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || stops > 4 {
			t.Fatal(err)
		}
		info, err := os.Stat(path + ".journal")
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("stopped at %d after %v; the journal has %d bytes", last, time.Since(begin), info.Size())
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %d bytes, want %d", err, len(got), len(want))
	}
}

// TestForeignJournals are not gone on with.
func TestForeignJournals(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 4))
	list := records(rng, graph.NewVocabulary(), "g", 9)
	path := filepath.Join(t.TempDir(), "pairs")
	job := join.Job{Queries: collection(list), Radius: 2, Costs: edit.Uniform()}
	full := errors.New("the disk is full")
	if _, err := job.RunTo(t.Context(), path, func(truth.Rows, io.Writer) error { return full }); !errors.Is(err, full) {
		t.Fatal(err)
	}
	other := job
	other.Radius = 3
	if _, err := run(t.Context(), other, path); !errors.Is(err, truth.ErrJournal) {
		t.Errorf("another radius: %v", err)
	}
	if err := os.WriteFile(path+".journal", []byte("something else, of more than forty bytes in all"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), job, path); !errors.Is(err, truth.ErrJournal) {
		t.Errorf("another file: %v", err)
	}
	for _, bad := range []join.Job{
		{Queries: collection(list), Radius: -1, Costs: edit.Uniform()},
		{Queries: collection(list), Radius: 1, Costs: edit.Costs{NodeInsert: -1}},
		{Queries: collection(list), Radius: 1, Costs: edit.Uniform(), Task: edit.MCS},
	} {
		if _, err := run(t.Context(), bad, filepath.Join(t.TempDir(), "pairs")); err == nil {
			t.Errorf("radius %v, costs %+v, task %v are accepted", bad.Radius, bad.Costs, bad.Task)
		}
	}
}

// lossy is a segment whose graphs cannot be read from the given number of readings on.
type lossy struct {
	records []dataset.Record
	signed  bound.Signatures
	sheet   screen.Sheet
	whole   int64
	read    atomic.Int64
}

var errLossy = errors.New("the disk is damaged")

func (s *lossy) Len() int { return len(s.records) }
func (s *lossy) Record(i int) dataset.Record {
	s.read.Add(1)
	return s.records[i]
}
func (s *lossy) About(i int) dataset.Record { return s.Record(i) }
func (s *lossy) ID(i int) string            { return s.Record(i).ID }
func (s *lossy) AttributeText(int) []byte   { return nil }
func (s *lossy) Graph(i int, _ *graph.Scratch) *graph.Graph {
	return s.Record(i).Graph
}
func (s *lossy) Form(i int) graph.Form         { return s.Record(i).Graph }
func (s *lossy) Vocabulary() *graph.Vocabulary { return s.records[0].Graph.Vocabulary() }
func (s *lossy) Signatures() *bound.Signatures { return &s.signed }
func (s *lossy) Sheet() *screen.Sheet          { return &s.sheet }
func (s *lossy) Rest(int)                      {}
func (s *lossy) Err() error {
	if s.read.Load() > s.whole {
		return errLossy
	}
	return nil
}

// TestLostGraphs: where a graph could not be read, whenever that was, there are no pairs, and the journal
// has none of the query that it was read for.
func TestLostGraphs(t *testing.T) {
	list := records(rand.New(rand.NewPCG(7, 4)), graph.NewVocabulary(), "g", 40)
	s := &lossy{records: list, whole: math.MaxInt64}
	for _, r := range list {
		s.signed.Append(r.Graph)
		s.sheet.Append(r.Graph)
	}
	segmented := search.NewSegmented(list[0].Graph.Vocabulary(), s, nil)
	job := join.Job{Queries: segmented, Radius: 2, Costs: edit.Uniform()}
	// The same where only the other collection is damaged.
	between := join.Job{Queries: collection(list), Targets: segmented, Radius: 2, Costs: edit.Uniform()}
	s.whole = 0
	if _, err := between.RunFile(t.Context(), filepath.Join(t.TempDir(), "pairs.csv")); !errors.Is(err, errLossy) {
		t.Fatalf("targets that cannot be read: error %v", err)
	}
	s.whole = math.MaxInt64
	s.read.Store(0)
	path := filepath.Join(t.TempDir(), "pairs.csv")
	want, err := run(t.Context(), job, path+".whole")
	if err != nil {
		t.Fatal(err)
	}
	for all := s.read.Load(); all > 0; all -= 20 {
		s.whole = rand.Int64N(all)
		s.read.Store(0)
		if _, err := job.RunFile(t.Context(), path); !errors.Is(err, errLossy) {
			t.Fatalf("%d of %d readings: error %v", s.whole, all, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%d of %d readings: the pairs were written", s.whole, all)
		}
		s.whole = math.MaxInt64
		got, err := run(t.Context(), job, path)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, pairs %v\nwant %v", err, got, want)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoTimeLeft: a query for which there is no time left is not searched for, and what comes of it is nothing.
func TestNoTimeLeft(t *testing.T) {
	list := records(rand.New(rand.NewPCG(7, 4)), graph.NewVocabulary(), "g", 12)
	of := collection(list)
	s := join.Search{
		Query: func(i int) int { return i }, Queries: len(list), Of: of, In: of, Self: true, Radius: 100, Costs: edit.Uniform(),
		Time: func(i int) time.Duration { return time.Duration(i%3-1) * time.Hour }, // -1, 0, 1
	}
	err := s.Run(t.Context(), func(i int, found []truth.Pair) error {
		if searched := i%3 == 2; searched != (found != nil) || searched && len(found) != len(list)-1-i {
			t.Errorf("query %d: %v", i, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
