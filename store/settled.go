package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/filelock"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// settled describes the file that holds, laid out to be mapped, what searches
// need of the first slots: records, signatures, counts and the indexes of embeddings.
// It says nothing that the database and the vectors do not say, but with it
// collections of millions open at once. A slot never changes what it holds,
// other than by becoming empty, so that the file stays true; the slots beyond
// are read one by one.
type settled struct {
	File    int    `json:"file"`
	Slots   int    `json:"slots"`
	Records int    `json:"records"` // in those slots when it was written
	Sum     uint64 `json:"sum"`     // of their checksums, as manifest.Sum
	// Sections follow each other in the file, each padded to a multiple of
	// sectionAlign bytes.
	Sections []section `json:"sections"`
}

// section is a part of the file with its CRC-32C.
type section struct {
	Name   string `json:"name"`
	Length int64  `json:"length"`
	Sum    uint32 `json:"sum"`
}

const (
	recordStarts    = "record starts"    // [slots+1] int64: where the record of a slot begins; an empty slot has no bytes
	recordPayloads  = "records"          // as in the database
	signatureStarts = "signature starts" // [slots+1] int64
	signatureWords  = "signatures"       // as bound.Signatures has them; of an empty slot that of an empty graph
	sheetOrder      = "sheet order"      // these five are the parts of a screen.Sheet; a file from before it has none
	sheetCounts     = "sheet counts"
	branchStarts    = "branch starts"
	branchLists     = "branch lists"
	branchKinds     = "branches"
	treePrefix      = "tree " // and the number of the vector file: index.BoxTree
)

const (
	sectionAlign  = 64
	settledPrefix = "settled-"
	newSettled    = settledPrefix + "*.new" // while it is written
)

func (e *settled) fileName() string { return fmt.Sprintf("%s%08d", settledPrefix, e.File) }

// treeName returns the name of the section with the index of an embedding.
func treeName(e Embedding) string { return fmt.Sprintf("%s%d", treePrefix, e.File) }

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

func padding(length int64) int64 { return (sectionAlign - length%sectionAlign) % sectionAlign }

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
	tree, err := index.NewBoxTree(t.norm, t.vectors)
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

// find returns the section with a name and where it begins, or nil.
func (e *settled) find(name string) *placed {
	at := int64(0)
	for i := range e.Sections {
		c := &e.Sections[i]
		if c.Name == name {
			return &placed{*c, at}
		}
		at += c.Length + padding(c.Length)
	}
	return nil
}

// placed is a section with its offset in the file.
type placed struct {
	section
	offset int64
}

// size returns the length of the file.
func (e *settled) size() int64 {
	total := int64(0)
	for _, c := range e.Sections {
		total += c.Length + padding(c.Length)
	}
	return total
}

// check returns an error unless the numbers can be relied on.
func (e *settled) check(m *manifest) error {
	if e.Slots < 0 || e.Slots > m.Slots || e.Records < 0 || e.Records > e.Slots || e.File < 0 || e.File >= m.NextFile {
		return fmt.Errorf("%w: settled file %d with %d records in %d slots of %d", ErrFormat, e.File, e.Records, e.Slots, m.Slots)
	}
	for _, c := range e.Sections {
		if c.Length < 0 || c.Length > 1<<48 {
			return fmt.Errorf("%w: section %q of %d bytes", ErrFormat, c.Name, c.Length)
		}
	}
	return nil
}
