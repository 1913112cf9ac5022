// Package join finds all pairs of graphs within a distance of each other. It runs a proven
// search for every graph of one collection, on all cores, and resumes after a stop.
package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/journal"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/truth"
)

// Job describes a join that is written to a file. Neither its graphs nor its pairs need be in memory:
// graphs are read when they are needed, and pairs are kept in the journal.
type Job struct {
	Queries *search.Collection
	// Targets are what is searched for the queries. If nil, these are the queries
	// themselves; then a pair comes once if the distance is the same both ways, and
	// otherwise in both orders.
	Targets *search.Collection
	// Only are the numbers of the queries to search for, increasing; nil: all. Graphs are numbered
	// from 0, deleted ones left out.
	Only    []int
	Task    edit.Task
	Costs   edit.Costs
	Radius  float64
	Time    time.Duration // for the search of one query; 0 means no limit
	Workers int           // 0 means one per core
	// Inputs, if not nil, is given all records before the search: those of Queries, then of Targets if there are any.
	Inputs Inputs
	// Read, if not nil, is called for every graph that is read before the search.
	Read func()
	// Progress, if not nil, is called after every query on the caller's goroutine.
	Progress func(Progress)
}

// Inputs takes up what a job reads.
type Inputs interface {
	// Take takes the next record, which may lack its graph, and that as [truth.AppendGraph] has it.
	Take(rec dataset.Record, g []byte)
	// End says that a collection has no more records.
	End()
}

// Progress is how far a job is.
type Progress struct {
	Done  int // queries
	Pairs int // found so far
	Open  int // pairs whose bounds do not tell whether they are within the radius, or how far apart they are
}

// RunFile runs the job and writes the pairs to path under the records' ids, as .csv,
// .tsv or .parquet. The journal, path with ".journal" appended, is removed at the
// end. An equal job without a time limit leaves an equal file.
func (j Job) RunFile(ctx context.Context, path string) (Progress, error) {
	write, err := truth.Writer(path)
	if err != nil {
		return Progress{}, err
	}
	return j.RunTo(ctx, path, write)
}

// RunTo runs the job and lets write put the pairs into the file at path, ordered by query and then by
// target, each with the number of its query: all within the radius and, where time was short, those that
// may be. The journal is that of [Job.RunFile]. If it belongs to another job, the error wraps
// [truth.ErrJournal].
func (j Job) RunTo(ctx context.Context, path string, write func(truth.Rows, io.Writer) error) (p Progress, err error) {
	if j.Task == edit.MCS {
		return p, fmt.Errorf("join: %w", edit.ErrCosts)
	}
	if !search.FiniteRadius(j.Radius) {
		return p, fmt.Errorf("join: the radius is %v: ask for a finite distance of at least 0", j.Radius)
	}
	if err := j.Costs.Check(); err != nil {
		return p, err
	}
	queries, targets := numbered(j.Queries), numbered(cmp.Or(j.Targets, j.Queries))
	fingerprint, err := j.fingerprint(ctx, queries, targets)
	if err != nil {
		return p, err
	}
	kept := path + journal.Ending
	l, err := openLog(kept, fingerprint, j.units(queries), max(queries.Len(), targets.Len()))
	if err != nil {
		return p, err
	}
	err = j.write(ctx, l, queries, targets, path, write)
	if err := errors.Join(err, l.close()); err != nil {
		return l.Progress, err
	}
	return l.Progress, os.Remove(kept) // an open file cannot be removed everywhere
}

// write searches for what the journal lacks and writes the file.
func (j Job) write(ctx context.Context, l *finished, queries, targets graphs, path string,
	write func(truth.Rows, io.Writer) error) error {
	if err := j.search(ctx, l, queries, targets); err != nil {
		return err
	}
	err := atomicfile.Write(path, func(w io.Writer) error {
		var failed error
		err := write(truth.Rows{All: j.rows(l, queries, targets, &failed)}, w)
		return errors.Join(err, failed, j.lost())
	})
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// errEnough ends the reading of the journal.
var errEnough = errors.New("enough")

// rows yields the pairs in the journal. What reading it meets is left in failed.
func (j Job) rows(l *finished, queries, targets graphs, failed *error) iter.Seq2[int, truth.Row] {
	return func(yield func(int, truth.Row) bool) {
		err := l.each(func(p truth.Pair) error {
			query := j.query(int(p.Query))
			r := truth.Row{Query: queries.id(query), Target: targets.id(int(p.Target)), Lower: p.Lower, Upper: p.Upper}
			if !yield(query, r) {
				return errEnough
			}
			return nil
		})
		if !errors.Is(err, errEnough) {
			*failed = err
		}
	}
}

// lost returns an error if a graph could not be read: then it was taken for an empty one.
func (j Job) lost() error {
	err := j.Queries.Err()
	if err == nil && j.Targets != nil {
		err = j.Targets.Err()
	}
	return err
}

// units returns the number of queries to search for.
func (j Job) units(queries graphs) int {
	if j.Only != nil {
		return len(j.Only)
	}
	return queries.Len()
}

// query returns the number of the i-th query to search for.
func (j Job) query(i int) int {
	if j.Only != nil {
		return j.Only[i]
	}
	return i
}

// search puts the pairs of every query that is not done into the journal.
func (j Job) search(ctx context.Context, l *finished, queries, targets graphs) error {
	first := l.Done
	s := Search{
		Query:   func(i int) int { return queries.position(j.query(first + i)) },
		Queries: j.units(queries) - first,
		Of:      j.Queries, In: targets.Collection, Self: j.Targets == nil,
		Task: j.Task, Costs: j.Costs, Radius: j.Radius, Workers: j.Workers,
	}
	if j.Time > 0 {
		s.Time = func(int) time.Duration { return j.Time }
	}
	return s.Run(ctx, func(_ int, found []truth.Pair) error {
		if err := j.lost(); err != nil {
			return err
		}
		for i := range found {
			found[i].Target = int32(targets.number(int(found[i].Target)))
		}
		if err := l.put(found); err != nil {
			return err
		}
		if j.Progress != nil {
			j.Progress(l.Progress)
		}
		return nil
	})
}

// fingerprint hashes everything that the pairs depend on.
func (j Job) fingerprint(ctx context.Context, queries, targets graphs) ([truth.FingerprintSize]byte, error) {
	settings := struct {
		Join   bool
		Task   edit.Task
		Costs  edit.Costs
		Radius uint64
		Time   time.Duration
		Self   bool
		Only   []int `json:",omitempty"`
	}{true, j.Task, j.Costs, math.Float64bits(j.Radius), j.Time, j.Targets == nil, j.Only}
	sum := truth.Fingerprint(settings, nil, func(h *truth.Hash) {
		j.hash(ctx, queries, h)
		if j.Targets == nil {
			h.Number(0)
		} else {
			j.hash(ctx, targets, h)
		}
	})
	return sum, cmp.Or(ctx.Err(), j.lost())
}

// graphs are those of a collection that were not deleted, numbered from 0.
type graphs struct {
	*search.Collection
	positions []int // nil: numbers are positions
}

func numbered(in *search.Collection) graphs {
	g := graphs{Collection: in}
	if in.Len() < in.Positions() {
		g.positions = slices.Collect(in.Live())
	}
	return g
}

func (g graphs) position(number int) int {
	if g.positions != nil {
		return g.positions[number]
	}
	return number
}

func (g graphs) number(position int) int {
	if g.positions != nil {
		position, _ = slices.BinarySearch(g.positions, position)
	}
	return position
}

func (g graphs) id(number int) string {
	g.Rest(1)
	return g.ID(g.position(number))
}

// hash hashes the graphs, until the context ends.
func (j Job) hash(ctx context.Context, g graphs, h *truth.Hash) {
	h.Number(g.Len())
	var encoded []byte
	for p := range g.Live() {
		if ctx.Err() != nil {
			return
		}
		encoded = truth.AppendGraph(encoded[:0], g.Form(p))
		h.Write(encoded)
		if j.Inputs != nil {
			j.Inputs.Take(g.About(p), encoded)
		}
		if j.Read != nil {
			j.Read()
		}
		g.Rest(1)
	}
	if j.Inputs != nil {
		j.Inputs.End()
	}
}
