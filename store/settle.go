package store

import (
	"bufio"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/filelock"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// When collections are to be settled: these are the only figures for that.
const (
	leastUnsettled = 4096 // graphs beyond the settled ones that are worth settling
	unsettledShare = 8    // or one in so many of these, if that is more
)

// Due reports whether a collection is to be settled of whose slots, empty ones
// among them, the first settled are. Who adds graphs asks when it has done so,
// never before it answers: settling takes long.
func Due(settled, slots int) bool {
	return slots-settled > max(leastUnsettled, settled/unsettledShare)
}

// Sparse reports whether a collection is to be compacted: most slots are empty.
func Sparse(records, slots int) bool { return slots-records > max(leastUnsettled, records) }

// SettleGrown calls [Store.Settle] if that is due, or if an embedding that serves
// has no saved index.
func (s *Store) SettleGrown(ctx context.Context, workers int) error {
	grown := false
	err := s.View(ctx, func(snap *Snapshot) error {
		grown = Due(snap.Settled(), snap.m.Slots)
		for _, e := range snap.m.serve() {
			if saved := snap.m.Settled; saved != nil && saved.find(treeName(e)) == nil {
				grown = true
			}
		}
		return nil
	})
	if err != nil || !grown {
		return err
	}
	return s.Settle(ctx, workers)
}

// Settle makes searches of the collection open at once: it writes the records,
// their signatures and indexes of the embeddings that serve to a file that is
// mapped when it is opened. Others can read and write meanwhile. A collection of
// foreign vectors stays as it is.
func (s *Store) Settle(ctx context.Context, workers int) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for {
		// Compacted meanwhile: once more, of the new slots.
		if err := s.settle(ctx, workers); !errors.Is(err, ErrAnew) {
			return err
		}
	}
}

func (s *Store) settle(ctx context.Context, workers int) error {
	w, err := s.layOut(ctx, workers, s.View)
	if err != nil || w == nil {
		return err
	}
	done, err := s.adopt(ctx, w.file.Name(), w.settled, w.moves)
	if !done {
		return errors.Join(err, w.discard())
	}
	return errors.Join(err, w.file.Close())
}

// layOut writes the settled file of what view shows, which is to get its name yet.
// It returns nil if the records have no graphs.
func (s *Store) layOut(ctx context.Context, workers int, view func(context.Context, func(*Snapshot) error) error) (*settledWriter, error) {
	f, err := createHeld(s.dir, newSettled)
	if err != nil {
		return nil, err
	}
	w := &settledWriter{file: f, out: bufio.NewWriterSize(&steady{File: f}, 1<<20)}
	c := &recordCopier{piece: s.piece, view: view, writer: w, workers: workers}
	err = c.run(ctx)
	for _, t := range c.trees {
		if err == nil && !c.foreign {
			err = guard(s.dir, func() error { return w.writeTree(t) })
		}
		if err == nil {
			err = ctx.Err()
		}
	}
	w.moves = c.moves
	if err = errors.Join(err, w.out.Flush(), f.Chmod(0o644), f.Sync(), c.held.Release()); err != nil || c.foreign {
		return nil, errors.Join(err, w.discard())
	}
	return w, nil
}

// discard removes the file.
func (w *settledWriter) discard() error { return errors.Join(w.file.Close(), os.Remove(w.file.Name())) }

// createHeld makes a file for work that takes longer than a transaction, and holds
// it, so that others do not take it for left behind.
func createHeld(dir, pattern string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		held, err := filelock.Hold(f, f.Name())
		if held && err == nil {
			return f, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
}

// treeOf is an embedding to index.
type treeOf struct {
	name    string
	norm    norm.Norm
	vectors []float32
}

// settledWriter writes sections one after the other.
type settledWriter struct {
	settled settled
	moves   int // of the collection when it was begun
	file    *os.File
	out     *bufio.Writer
}

// section writes what write writes.
func (w *settledWriter) section(name string, write func(io.Writer) error) error {
	c := &summing{to: w.out}
	if err := write(c); err != nil {
		return err
	}
	w.settled.Sections = append(w.settled.Sections, section{name, c.length, c.sum})
	_, err := w.out.Write(make([]byte, padding(c.length)))
	return err
}

// summing counts and checksums what goes through it.
type summing struct {
	to     io.Writer
	length int64
	sum    uint32
}

func (c *summing) Write(b []byte) (int, error) {
	c.length += int64(len(b))
	c.sum = crc32.Update(c.sum, castagnoli(), b)
	return c.to.Write(b)
}

func (w *settledWriter) writeTree(t treeOf) error {
	tree, err := vectorindex.NewBoxTree(t.norm, t.vectors)
	if err != nil {
		return err
	}
	return w.section(t.name, func(out io.Writer) error {
		_, err := tree.WriteTo(out)
		return err
	})
}

func int64s(values []int64) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(kernel.Bytes(values))
		return err
	}
}

// adopt gives a finished file its name and reports whether it did: not if the
// collection was compacted since it was begun, for then slots are others.
func (s *Store) adopt(ctx context.Context, path string, e settled, moves int) (done bool, err error) {
	err = s.update(ctx, func(snap *Snapshot) error {
		m := snap.m
		if m.Moves != moves {
			return nil
		}
		e.File = m.NextFile
		m.NextFile++
		var old string
		if m.Settled != nil {
			old = m.Settled.fileName()
		}
		m.Settled = &e
		if err := os.Rename(path, filepath.Join(s.dir, e.fileName())); err != nil {
			return err
		}
		done = true
		snap.obsolete(old)
		return atomicfile.SyncDir(s.dir)
	})
	return done, err
}
