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
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// settled describes the file that holds, laid out to be mapped, what searches
// need of the first slots: records, signatures and the indexes of embeddings.
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
	treePrefix      = "tree "            // and the number of the vector file: index.BoxTree
)

const (
	sectionAlign  = 64
	settledPrefix = "settled-"
	newSettled    = settledPrefix + "*.new" // while it is written
	// abandoned is the age from which one that is not finished never will be.
	abandoned = 24 * time.Hour
)

func (e *settled) fileName() string { return fmt.Sprintf("%s%08d", settledPrefix, e.File) }

// treeName returns the name of the section with the index of an embedding.
func treeName(e Embedding) string { return fmt.Sprintf("%s%d", treePrefix, e.File) }

const (
	leastUnsettled = 4096 // slots beyond the settled ones that are worth settling
	unsettledShare = 8    // or one in so many, if that is more
)

// SettleGrown calls [Settle] if the slots beyond those settled, or an embedding
// that serves without a saved index, make opening slow.
func SettleGrown(ctx context.Context, dir string, workers int) error {
	grown := false
	err := with(dir, Options{ReadOnly: true}, func(s *Store) error {
		return s.View(func(snap *Snapshot) error {
			slots, saved := 0, snap.m.Settled
			if saved != nil {
				slots = saved.Slots
			}
			grown = snap.m.Slots-slots > max(leastUnsettled, slots/unsettledShare)
			for _, e := range snap.m.Embeddings {
				if e.Serves && e.Model != "" && saved != nil && saved.find(treeName(e)) == nil {
					grown = true
				}
			}
			return nil
		})
	})
	if err != nil || !grown {
		return err
	}
	return Settle(ctx, dir, workers)
}

// Settle makes searches of the collection at dir open at once: it writes the
// records, their signatures and indexes of the embeddings that serve to a file
// that is mapped when it is opened. Others can read the collection meanwhile,
// and write to it but for the time in which the records are copied. A
// collection of foreign vectors stays as it is.
func Settle(ctx context.Context, dir string, workers int) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	f, err := os.CreateTemp(dir, newSettled)
	if err != nil {
		return err
	}
	w := &settledWriter{file: f, out: bufio.NewWriterSize(f, 1<<20)}
	done := false
	defer func() {
		if !done {
			_ = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}()
	moves, trees, err := w.copyRecords(ctx, dir, workers)
	if err != nil || trees == nil {
		return err
	}
	for _, t := range trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.writeTree(t); err != nil {
			return err
		}
	}
	if err := errors.Join(w.out.Flush(), f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	err = with(dir, Options{}, func(s *Store) error { return s.adopt(f.Name(), w.settled, moves) })
	done = err == nil
	return err
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

// copyRecords writes records and signatures, and returns the embeddings to
// index, nil if the records have no graphs, and how often the collection was
// compacted. It holds the collection open, so that others may only read.
func (w *settledWriter) copyRecords(ctx context.Context, dir string, workers int) (moves int, trees []treeOf, err error) {
	err = with(dir, Options{ReadOnly: true}, func(s *Store) error {
		return s.View(func(snap *Snapshot) error {
			m := snap.m
			moves = m.Moves
			w.settled.Slots, w.settled.Records, w.settled.Sum = m.Slots, m.Records, m.Sum
			copied, err := snap.copyRecords(ctx, w, workers)
			if err != nil || !copied {
				return err
			}
			trees = []treeOf{}
			for _, e := range m.Embeddings {
				if !e.Serves || e.Model == "" || e.Rows != m.Slots {
					continue
				}
				rows, err := snap.lasting(e)
				if err != nil {
					return err
				}
				trees = append(trees, treeOf{treeName(e), e.Norm, rows})
			}
			return nil
		})
	})
	return moves, trees, err
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

// adopt gives a finished file its name, unless the collection was compacted
// since it was begun: then slots are others.
func (s *Store) adopt(path string, e settled, moves int) error {
	return s.update(func(tx *bolt.Tx, m *manifest) error {
		if m.Moves != moves {
			return os.Remove(path)
		}
		e.File = m.NextFile
		m.NextFile++
		m.Settled = &e
		if err := os.Rename(path, filepath.Join(s.dir, e.fileName())); err != nil {
			return err
		}
		return atomicfile.SyncDir(s.dir)
	})
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
