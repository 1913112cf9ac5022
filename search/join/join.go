// Package join finds all pairs of graphs within a distance of each other. It runs a proven
// search for every graph of one collection, on all cores, and resumes after a stop.
package join

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/truth"
)

// Job describes a join. Queries and targets share a vocabulary.
type Job struct {
	Queries []dataset.Record
	// Targets are what is searched for the queries. If nil, these are the queries
	// themselves; then a pair comes once if the distance is the same both ways, and
	// otherwise in both orders.
	Targets []dataset.Record
	// Only are the positions of the queries to search for, increasing; nil: all.
	Only    []int
	Task    edit.Task
	Costs   edit.Costs
	Radius  float64
	Time    time.Duration // for the search of one query; 0 means no limit
	Workers int           // 0 means one per core
	// Progress, if not nil, is called after every query on the caller's goroutine.
	Progress func(Progress)
}

// Progress tells how far a job is.
type Progress struct {
	Done  int // queries
	Pairs int // found so far
	Open  int // pairs whose bounds do not tell whether they are within the radius, or how far apart they are
}

// Run returns the pairs, ordered by query and then by target: all within the radius
// and, where time was short, those that may be. The journal at the given path holds
// what is done. If it belongs to another job, the error wraps [truth.ErrJournal].
func (j Job) Run(ctx context.Context, journal string) (*truth.Table, error) {
	if j.Task == edit.MCS {
		return nil, fmt.Errorf("join: %w", edit.ErrCosts)
	}
	if !(j.Radius >= 0) {
		return nil, fmt.Errorf("join: the radius is %v: ask for a distance of at least 0", j.Radius)
	}
	if err := j.Costs.Check(); err != nil {
		return nil, err
	}
	l, err := openLog(journal, j.fingerprint(), j.units(), max(len(j.Queries), len(j.Targets)))
	if err != nil {
		return nil, err
	}
	table := &truth.Table{Pairs: l.pairs}
	for i := range table.Pairs {
		p := &table.Pairs[i]
		p.Query = int32(j.query(int(p.Query)))
	}
	p := Progress{Done: l.done, Pairs: len(table.Pairs)}
	for _, pair := range table.Pairs {
		p.note(pair)
	}
	err = j.search(ctx, l.done, func(found []truth.Pair) error {
		table.Pairs = append(table.Pairs, found...)
		p.Done++
		p.Pairs = len(table.Pairs)
		for _, pair := range found {
			p.note(pair)
		}
		if j.Progress != nil {
			j.Progress(p)
		}
		return l.put(found)
	})
	if closed := l.close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return table, nil
}

// units returns the number of queries to search for.
func (j Job) units() int {
	if j.Only != nil {
		return len(j.Only)
	}
	return len(j.Queries)
}

// query returns the position of the i-th query to search for.
func (j Job) query(i int) int {
	if j.Only != nil {
		return j.Only[i]
	}
	return i
}

func (p *Progress) note(pair truth.Pair) {
	if !pair.Exact() {
		p.Open++
	}
}

// RunFile runs the job and writes the pairs to path under the records' ids, as .csv,
// .tsv or .parquet. The journal, path with ".journal" appended, is removed at the
// end. An equal job without a time limit leaves an equal file.
func (j Job) RunFile(ctx context.Context, path string) (*truth.Table, error) {
	write, err := truth.Writer(path)
	if err != nil {
		return nil, err
	}
	targets := j.Targets
	if targets == nil {
		targets = j.Queries
	}
	return j.RunTo(ctx, path, func(t *truth.Table, w io.Writer) error {
		return write(t, w, dataset.IDs(j.Queries), dataset.IDs(targets))
	})
}

// RunTo runs the job and lets write put the pairs into the file at path. The journal is
// that of [Job.RunFile].
func (j Job) RunTo(ctx context.Context, path string, write func(*truth.Table, io.Writer) error) (*truth.Table, error) {
	journal := path + ".journal"
	table, err := j.Run(ctx, journal)
	if err != nil {
		return nil, err
	}
	err = atomicfile.Write(path, func(w io.Writer) error { return write(table, w) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return table, os.Remove(journal)
}

// search calls emit with the pairs of every query from the first that is not done.
func (j Job) search(ctx context.Context, done int, emit func([]truth.Pair) error) error {
	records := j.Targets
	if records == nil {
		records = j.Queries
	}
	if len(records) == 0 || done == j.units() {
		for range j.units() - done {
			if err := emit(nil); err != nil {
				return err
			}
		}
		return nil
	}
	s := Search{
		Query: func(position int) dataset.Record { return j.Queries[position] },
		In:    search.NewCollection(records[0].Graph.Vocabulary(), records), Self: j.Targets == nil,
		Task: j.Task, Costs: j.Costs, Radius: j.Radius, Workers: j.Workers,
	}
	for i := done; i < j.units(); i++ {
		s.Queries = append(s.Queries, j.query(i))
	}
	if j.Time > 0 {
		s.Time = func(int) time.Duration { return j.Time }
	}
	return s.Run(ctx, func(_ int, found []truth.Pair) error { return emit(found) })
}

// fingerprint hashes everything that the pairs depend on.
func (j Job) fingerprint() [truth.FingerprintSize]byte {
	settings := struct {
		Join   bool
		Task   edit.Task
		Costs  edit.Costs
		Radius uint64
		Time   time.Duration
		Self   bool
		Only   []int `json:",omitempty"`
	}{true, j.Task, j.Costs, math.Float64bits(j.Radius), j.Time, j.Targets == nil, j.Only}
	return truth.Fingerprint(settings, nil, dataset.Graphs(j.Queries), dataset.Graphs(j.Targets))
}
