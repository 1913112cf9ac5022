package truth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/journal"
)

// Job is pairs to be bounded with a journal, so that a run that was stopped or
// killed goes on where it was. Queries and targets share a vocabulary.
type Job struct {
	Bounder
	Queries, Targets []*graph.Graph
	Pairs            []Pair
	Maps             bool   // keep node maps too
	Journal          string // path; created if it does not exist
}

// Run bounds the pairs in place and returns them as a table. Bounds that the
// journal holds are taken from it. If it belongs to other pairs, graphs, costs or
// limits, the error wraps [ErrJournal]. If the context ends, the journal keeps
// what was done and Run returns the context's error. The caller removes the
// journal once the table is stored.
//
// The table is the same whatever was interrupted and however many workers there
// were, as long as Limits sets no time: where a time limit strikes, the bounds
// depend on the speed of the machine.
func (j Job) Run(ctx context.Context) (*Table, error) {
	if err := j.Costs.Check(); err != nil {
		return nil, err
	}
	table := &Table{Pairs: j.Pairs}
	if j.Maps {
		table.Maps = make([]edit.NodeMap, len(j.Pairs))
	}
	file, todo, err := openJournal(j.Journal, j.fingerprint(), table)
	if err != nil {
		return nil, err
	}
	w := work{Bounder: j.Bounder, queries: j.Queries, targets: j.Targets, pairs: j.Pairs, todo: todo}
	err = w.run(ctx, func() sink { return &journalist{journal.NewFrame(file), table} })
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	return table, nil
}

// RunFile runs the job and writes the table to path, as CSV or Parquet by its
// ending, under the given ids. An equal job leaves an equal file, byte by byte, under
// the condition stated at [Job.Run].
func (j Job) RunFile(ctx context.Context, path string, queryIDs, targetIDs []string) (*Table, error) {
	write, err := Writer(path)
	if err != nil {
		return nil, err
	}
	return j.RunTo(ctx, path, func(t *Table, w io.Writer) error { return write(t.Rows(queryIDs, targetIDs), w) })
}

// RunTo runs the job and lets write put the table into the file at path. The journal,
// by default path with ".journal" appended, is removed at the end.
func (j Job) RunTo(ctx context.Context, path string, write func(*Table, io.Writer) error) (*Table, error) {
	j.Journal = cmp.Or(j.Journal, path+journal.Ending)
	table, err := j.Run(ctx)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(path, func(w io.Writer) error { return write(table, w) }); err != nil {
		return nil, err
	}
	return table, os.Remove(j.Journal)
}

// Writer returns what writes rows to a file of this name, by its ending.
func Writer(path string) (func(Rows, io.Writer) error, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return Rows.WriteCSV, nil
	case ".tsv":
		return Rows.WriteTSV, nil
	case ".parquet":
		return Rows.WriteParquet, nil
	}
	return nil, fmt.Errorf("truth: %s: pairs are written as .csv, .tsv or .parquet", path)
}
