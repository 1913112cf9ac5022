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

	"github.com/greedgraph/greed/internal/filelock"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// These figures alone decide when a new segment is written and when a collection is compacted.
const (
	leastOutside = 4096 // graphs after the segment that make a new one worth while
	outsideShare = 8    // or one in this many of those in it, if that is more
)

// SegmentDue reports whether a new segment should be written, given how many slots,
// empty ones included, are in the segment and in all. Writers call it after they have answered, never before:
// writing it takes long.
func SegmentDue(segment, slots int) bool {
	return slots-segment > max(leastOutside, segment/outsideShare)
}

// CompactionDue reports whether most slots are empty, so that the collection should be
// compacted.
func CompactionDue(records, slots int) bool { return slots-records > max(leastOutside, records) }

// WriteSegmentIfDue calls [Store.WriteSegment] if that is due.
func (s *Store) WriteSegmentIfDue(ctx context.Context, workers int) error {
	due := false
	err := s.View(ctx, func(snap *Snapshot) error {
		due = SegmentDue(snap.SegmentSlots(), snap.m.Slots)
		return nil
	})
	if err != nil || !due {
		return err
	}
	return s.WriteSegment(ctx, workers)
}

// WriteSegment lets the collection open at once: it writes the records, their signatures and
// the vector indexes of the embeddings that serve to a file, which is mapped when it is
// opened. Others can read and write meanwhile. A collection of foreign vectors stays as
// it is.
func (s *Store) WriteSegment(ctx context.Context, workers int) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for {
		// It was compacted meanwhile: write those of the new slots.
		if err := s.writeSegment(ctx, workers); !errors.Is(err, ErrRewritten) {
			return err
		}
	}
}

func (s *Store) writeSegment(ctx context.Context, workers int) error {
	w, err := s.createSegment(ctx, workers, s.View)
	if w == nil {
		return err
	}
	done, err := s.adopt(ctx, w)
	if !done {
		return errors.Join(err, w.discard())
	}
	return errors.Join(err, w.file.Close())
}

// createSegment writes the segment of the state in view, under a temporary name. It
// returns nil if the records have no graphs.
func (s *Store) createSegment(ctx context.Context, workers int, view func(context.Context,
	func(*Snapshot) error) error) (*segmentWriter, error) {
	// The work outlasts transactions: the file's lock shows others that it is in use.
	f, err := filelock.Make(func() (*os.File, error) { return os.CreateTemp(s.dir, newSegment) })
	if err != nil {
		return nil, err
	}
	w := &segmentWriter{file: f, path: f.Name(), out: bufio.NewWriterSize(&steady{File: f}, 1<<20)}
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
func (w *segmentWriter) discard() error { return errors.Join(w.file.Close(), os.Remove(w.path)) }

// rename gives the file the name of its number.
func (w *segmentWriter) rename(s *Store) error {
	path := filepath.Join(s.dir, w.layout.fileName())
	err := s.fs.Rename(w.path, path)
	if err == nil {
		w.path = path
	}
	return err
}

// treeOf is an embedding for which a vector index is to be built.
type treeOf struct {
	name    string
	norm    norm.Norm
	vectors []float32
	verify  func() error // verifies their checksums
}

// segmentWriter writes sections one after the other.
type segmentWriter struct {
	layout segmentLayout
	moves  int // of the collection at the start
	file   *os.File
	path   string
	out    *bufio.Writer
}

// section lets write write the next section.
func (w *segmentWriter) section(name string, write func(io.Writer) error) error {
	c := &summing{to: w.out}
	if err := write(c); err != nil {
		return err
	}
	w.layout.Sections = append(w.layout.Sections, section{name, c.length, c.sum})
	_, err := w.out.Write(make([]byte, padding(c.length)))
	return err
}

// summing counts and checksums the bytes that pass through.
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

func (w *segmentWriter) writeTree(t treeOf) error {
	if err := t.verify(); err != nil {
		return err
	}
	tree, err := vectorindex.NewBoxTree(t.norm, t.vectors)
	if err != nil {
		return err
	}
	return w.section(t.name, func(out io.Writer) error {
		_, err := tree.WriteTo(out)
		return err
	})
}

// adopt makes a finished file the segment and reports whether it did. It does not if
// the collection was compacted meanwhile, because that renumbers the slots.
func (s *Store) adopt(ctx context.Context, w *segmentWriter) (done bool, err error) {
	err = s.update(ctx, func(snap *Snapshot) error {
		m := snap.m
		if m.Moves != w.moves {
			return nil
		}
		w.layout.File = m.NextFile
		m.NextFile++
		var old string
		if m.Segment != nil {
			old = m.Segment.fileName()
		}
		m.Segment = &w.layout
		if err := w.rename(s); err != nil {
			return err
		}
		done = true
		snap.obsolete(old)
		return s.fs.SyncDir(s.dir)
	})
	return done, err
}
