package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/internal/filelock"
)

// Compact rewrites the collection without the space of replaced and deleted records,
// and writes its segment. It returns the size on disk before and after. Other processes
// continue meanwhile, and their changes are carried over. If Compact is stopped at any
// point, the collection is either the old or the new one.
func (s *Store) Compact(ctx context.Context, workers int) (before, after int64, err error) {
	if before, err = s.diskUse(); err != nil {
		return 0, 0, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if err := s.compact(ctx, workers, func(*manifest) bool { return true }, nil); err != nil {
		return before, before, err
	}
	after, err = s.diskUse()
	return before, after, err
}

// CompactIfDue calls [Store.Compact] if most slots are empty, also once another process
// has compacted the collection meanwhile.
func (s *Store) CompactIfDue(ctx context.Context, workers int) error {
	err := s.compact(ctx, workers, func(m *manifest) bool { return CompactionDue(m.Records, m.Slots) }, nil)
	if errors.Is(err, errNotDue) {
		return nil
	}
	return err
}

// errNotDue says that a collection needs no compaction.
var errNotDue = errors.New("not due")

// compact compacts the collection if that is due once nobody else does it, and makes made.
func (s *Store) compact(ctx context.Context, workers int, due func(*manifest) bool, made *reembedding) (err error) {
	c := &compaction{store: s, made: made, path: filepath.Join(s.dir, newDatabase), moved: make(map[int]int)}
	if err := c.create(ctx); err != nil {
		return err
	}
	defer func() { err = c.close(err) }()
	err = s.update(ctx, func(snap *Snapshot) error {
		if !due(snap.m) {
			return errNotDue
		}
		return c.begin(snap)
	})
	if err != nil {
		return err
	}
	if err := c.catchUp(ctx); err != nil {
		return err
	}
	// Write the segment first, so that whoever loads the new collection finds its indexes.
	if err := c.writeSegment(ctx, workers); err != nil {
		return err
	}
	if err := s.fs.SyncDir(s.dir); err != nil { // the names of the new files
		return err
	}
	for {
		if err := c.catchUp(ctx); err != nil {
			return err
		}
		// Flush most of the data now, so that little is left to flush while others wait. What
		// they write meanwhile would be too much for the last step, so catch up once more.
		if err := c.flush(); err != nil {
			return err
		}
		if err := c.catchUp(ctx); err != nil {
			return err
		}
		if err := s.exclusively(ctx, func(snap *Snapshot) error { return c.finish(ctx, snap) }); !errors.Is(err,
			errMany) {
			return err
		}
	}
}

// close closes the new files. If the compaction failed before they replaced the old ones,
// it removes them.
func (c *compaction) close(err error) error {
	err = errors.Join(err, c.held.Release(), c.db.Close())
	for _, f := range c.files {
		err = errors.Join(err, f.Close())
	}
	if c.segment != nil && c.renamed {
		err = errors.Join(err, c.segment.file.Close())
	}
	if err != nil && !c.renamed {
		c.discard()
	}
	return err
}

// catchUp copies piece after piece until few changes came during the last.
func (c *compaction) catchUp(ctx context.Context) error {
	for {
		if few, err := c.copyPiece(ctx); few || err != nil {
			return err
		}
	}
}

// copyPiece copies what one short transaction can read of what is left, and reports
// whether at most fewChanges remained.
func (c *compaction) copyPiece(ctx context.Context) (few bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	err = c.store.View(ctx, func(snap *Snapshot) error {
		err := c.read(snap, c.store.piece, steadyBytes)
		few = c.next == snap.m.Slots && len(c.gone)+len(c.came) <= fewChanges
		return err
	})
	if err != nil {
		return false, err
	}
	if err := guard(c.store.dir, func() error { return c.enter(ctx) }); err != nil {
		return false, err
	}
	if c.made != nil && c.made.progress != nil {
		c.made.progress(c.next)
	}
	if c.unflushed >= steadyBytes {
		return few, c.flush()
	}
	return few, nil
}

// create makes the new database. Its lock keeps other compactions away. A database that
// a killed process left is removed.
func (c *compaction) create(ctx context.Context) (err error) {
	f, err := c.store.holdNew(ctx, c.path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil { // if it cannot be removed now, the next sweep removes it
			_, _ = filelock.RemoveAbandoned(c.path, c.store.fs.Remove)
		}
	}()
	if err := f.Truncate(0); err != nil {
		return errors.Join(err, f.Close())
	}
	opt := boltOptions()
	opt.NoSync = true // until it is complete
	opt.OpenFile = func(string, int, os.FileMode) (*os.File, error) { return f, nil }
	if c.db, err = bolt.Open(c.path, 0o666, opt); err != nil {
		_ = f.Close() // unless bolt has
		return err
	}
	if err := c.db.Update(makeBuckets); err != nil {
		return errors.Join(err, c.db.Close())
	}
	return nil
}

// holdNew opens or creates the file at path and locks it. Another compaction may hold it
// for long, and a process that looks for abandoned files for a moment.
func (s *Store) holdNew(ctx context.Context, path string) (*os.File, error) {
	deadline := time.Now().Add(s.wait)
	return filelock.Make(func() (*os.File, error) {
		f, err := s.fs.OpenDatabase(path, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		err = s.await(ctx, deadline, f, true)
		if errors.Is(err, ErrLocked) {
			err = fmt.Errorf("%w; it is being compacted", err)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	})
}

// removal returns the slot that was emptied by a removal.
func (s *Snapshot) removal(number int) (int, error) {
	key, _, err := get(s.tx, removedBucket, slotKey(number))
	if err != nil {
		return 0, err
	}
	return slotOf(key)
}

// sameEmbeddings reports whether a later state has the same embeddings.
func (m *manifest) sameEmbeddings(later *manifest) bool {
	return slices.EqualFunc(m.Embeddings, later.Embeddings, func(a, b Embedding) bool {
		return a.File == b.File && a.Serves == b.Serves
	})
}

// discard removes the files of a compaction that failed.
func (c *compaction) discard() {
	// If a file cannot be removed now, the next sweep removes it.
	_ = os.Remove(c.path)
	if c.segment != nil {
		_ = c.segment.discard()
	}
	for _, f := range c.files {
		_ = c.store.fs.Remove(f.path)
	}
}

// diskUse returns the size of the collection's files in bytes.
func (s *Store) diskUse() (int64, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // another process swept it
			continue
		}
		if err != nil {
			return 0, err
		}
		total += info.Size()
	}
	return total, nil
}
