package store

import (
	"bytes"
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

// Compact writes the collection anew, without the room that replaced and deleted
// records left, and settled. It returns its size on disk before and after.
// Others go on meanwhile: what they change is carried over. Whatever stops it, the
// collection is the old one or the new one.
func (s *Store) Compact(ctx context.Context, workers int) (before, after int64, err error) {
	if before, err = s.diskUse(); err != nil {
		return 0, 0, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if err := s.compact(ctx, workers); err != nil {
		return before, before, err
	}
	after, err = s.diskUse()
	return before, after, err
}

// compaction fills a new database with the records in order, without empty slots,
// and new vector files. It reads in pieces, between which others write.
type compaction struct {
	store   *Store
	db      *bolt.DB // the new one
	path    string
	old     manifest // as it was when it began
	m       manifest // of the new one
	files   []*vectorFile
	settled *settledWriter // nil: not written
	// renamed says that the new database is in the place of the old one.
	renamed bool

	// What of the old collection is read: the slots before next, of which those
	// that held a record have a place in the new one, and the first removals.
	next, removals int
	place          map[int]int
	copied         bool // labels, models and the large graph
	// What is read and not entered: the new slots of records that went, and
	// records that came, with their rows in each embedding.
	gone []int
	came []movedRecord
	rows [][]float32 // of the old embeddings
	// unflushed is how many bytes were entered since the last flush.
	unflushed int
	held      Held // their memory
}

// movedRecord is a record on its way to the new database.
type movedRecord struct {
	slot    int // the old one
	payload []byte
}

// fewChanges is how many changes are carried over at last, while others wait.
const fewChanges = 200

// errMany says that there are more.
var errMany = errors.New("too many changes to finish")

func (s *Store) compact(ctx context.Context, workers int) (err error) {
	c := &compaction{store: s, path: filepath.Join(s.dir, newDatabase), place: make(map[int]int)}
	if err := c.create(); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, c.held.Release(), c.db.Close())
		for _, f := range c.files {
			err = errors.Join(err, f.Close())
		}
		if c.settled != nil && c.renamed {
			err = errors.Join(err, c.settled.file.Close())
		}
		if err != nil && !c.renamed {
			c.discard()
		}
	}()
	if err := s.update(ctx, c.begin); err != nil {
		return err
	}
	for laidOut := false; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		whole := false
		err := s.View(ctx, func(snap *Snapshot) (err error) {
			err = c.read(snap, s.piece)
			whole = c.next == snap.m.Slots && len(c.gone)+len(c.came) <= fewChanges
			return err
		})
		if err == nil {
			err = guard(s.dir, c.enter)
		}
		if err == nil && c.unflushed >= steadyBytes {
			err = c.flush()
		}
		if err != nil {
			return err
		}
		if !whole {
			continue
		}
		if !laidOut {
			// Who loads the new collection finds indexes in it.
			if c.settled, err = s.layOut(ctx, workers, c.view); err != nil {
				return err
			}
			laidOut = true
			continue
		}
		// What is on the disk by now is not flushed while others wait.
		if err := c.flush(); err != nil {
			return err
		}
		if err := s.keepOut(ctx, c.finish); !errors.Is(err, errMany) {
			return err
		}
	}
}

// view calls read with the new collection, which nobody else has.
func (c *compaction) view(_ context.Context, read func(*Snapshot) error) error {
	return c.db.View(func(tx *bolt.Tx) error {
		m := c.m
		snap := &Snapshot{store: c.store, tx: tx, m: &m, made: make(map[int]*vectorFile)}
		for _, f := range c.files {
			snap.made[f.number] = f
		}
		var err error
		if snap.labels, err = newLabels().read(tx, &m); err != nil {
			return err
		}
		defer snap.held.Release()
		return read(snap)
	})
}

// create makes the new database, whose lock keeps off others who compact. One that
// a killed process left goes.
func (c *compaction) create() error {
	f, err := hold(c.path)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return errors.Join(err, f.Close())
	}
	opt := boltOptions()
	opt.NoSync = true // until it is whole
	opt.OpenFile = func(string, int, os.FileMode) (*os.File, error) { return f, nil }
	if c.db, err = bolt.Open(c.path, 0o666, opt); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := c.db.Update(makeBuckets); err != nil {
		return errors.Join(err, c.db.Close())
	}
	return nil
}

// hold opens the file at path, or makes it, and locks it.
func hold(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		free, err := filelock.Try(f, true)
		if err == nil && !free {
			err = fmt.Errorf("%s: %w: it is being compacted", filepath.Dir(path), ErrLocked)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if held, err := filelock.Hold(f, path); held && err == nil {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// begin takes numbers for the new vector files.
func (c *compaction) begin(s *Snapshot) error {
	c.m = *s.m
	c.m.Slots, c.m.Records, c.m.Sum, c.m.Removed, c.m.Settled = 0, 0, 0, 0, nil
	c.m.Moves++
	c.m.Embeddings = slices.Clone(s.m.Embeddings)
	for i := range c.m.Embeddings {
		e := &c.m.Embeddings[i]
		e.File, e.Rows = s.m.NextFile, 0
		s.m.NextFile++
		f, err := c.store.newVectors(*e)
		if err != nil {
			return err
		}
		c.files = append(c.files, f)
		// Until the new manifest names it, the lock says that it is no leftover.
		if held, err := f.Hold(f.path); err != nil || !held {
			return errors.Join(fmt.Errorf("%s: %w", f.path, ErrLocked), err)
		}
	}
	c.old = *s.m
	c.removals = s.m.Removed
	return nil
}

// read takes up what went and what came since the last time, the latter as far as
// there is time.
func (c *compaction) read(s *Snapshot, limit time.Duration) error {
	if c.old.Moves != s.m.Moves || !c.old.sameEmbeddings(s.m) {
		return fmt.Errorf("%s: %w: it was given another model, or compacted, meanwhile; try again", s.store.dir, ErrVectors)
	}
	for ; c.removals < s.m.Removed; c.removals++ {
		slot, err := s.removal(c.removals)
		if err != nil {
			return err
		}
		if place, ok := c.place[slot]; ok {
			c.gone = append(c.gone, place)
			delete(c.place, slot)
		}
	}
	begin := time.Now()
	end := s.m.Slots
	cursor := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := cursor.Seek(slotKey(c.next)); key != nil; key, value = cursor.Next() {
		slot, err := slotOf(key)
		if err != nil {
			return err
		}
		if len(c.came)%64 == 63 && time.Since(begin) > limit {
			end = slot
			break
		}
		payload, _, err := unseal(recordsBucket, key, value)
		if err != nil {
			return err
		}
		c.place[slot] = c.m.Slots + len(c.came)
		c.came = append(c.came, movedRecord{slot, bytes.Clone(payload)})
	}
	c.next = end
	if err := c.copyRest(s); err != nil {
		return err
	}
	return c.readRows(s)
}

// copyRest brings what is neither record nor vector to the new database, where it
// is new.
func (c *compaction) copyRest(s *Snapshot) error {
	if c.m.NodeLabels == s.m.NodeLabels && c.m.EdgeLabels == s.m.EdgeLabels && c.copied {
		return nil
	}
	c.m.NodeLabels, c.m.EdgeLabels, c.copied = s.m.NodeLabels, s.m.EdgeLabels, true
	return c.db.Update(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{labelsBucket, modelsBucket, wholeBucket} {
			if err := copyBucket(tx, s.tx, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// readRows gets hold of the rows of the slots that were read.
func (c *compaction) readRows(s *Snapshot) error {
	c.rows = c.rows[:0]
	for _, e := range s.m.Embeddings {
		// Whole blocks of them, which share a checksum.
		v, err := s.store.openVectors(e)
		if err != nil {
			return err
		}
		per := v.blockRows()
		e.Rows = min(e.Rows, (c.next+per-1)/per*per)
		rows, err := s.rows(e)
		if err != nil {
			return err
		}
		c.rows = append(c.rows, rows)
	}
	err := c.held.Release()
	c.held = s.held.take()
	return err
}

// removal returns the slot that a removal emptied.
func (s *Snapshot) removal(number int) (int, error) {
	key, _, err := get(s.tx, removedBucket, slotKey(number))
	if err != nil {
		return 0, err
	}
	return slotOf(key)
}

// sameEmbeddings reports whether a later state has the same embeddings, as far
// complete.
func (m *manifest) sameEmbeddings(later *manifest) bool {
	return slices.EqualFunc(m.Embeddings, later.Embeddings, func(a, b Embedding) bool {
		return a.File == b.File && a.Serves == b.Serves && (a.Rows == b.Rows || a.Rows == m.Slots && b.Rows == later.Slots)
	})
}

// enter brings what was read to the new database and the new vector files.
func (c *compaction) enter() error {
	return c.db.Update(func(tx *bolt.Tx) error {
		for _, slot := range c.gone {
			if err := c.leave(tx, slot); err != nil {
				return err
			}
		}
		rows := make([][]float32, len(c.files))
		for _, r := range c.came {
			if err := c.move(tx, r.payload); err != nil {
				return err
			}
			c.unflushed += len(r.payload)
			for i := range c.m.Embeddings {
				if dim := c.files[i].dim; (r.slot+1)*dim <= len(c.rows[i]) {
					rows[i] = append(rows[i], c.rows[i][r.slot*dim:(r.slot+1)*dim]...)
				}
			}
		}
		for i, f := range c.files {
			e := &c.m.Embeddings[i]
			if err := f.write(c.store.fs, e.Rows, rows[i]); err != nil {
				return err
			}
			if err := f.seal(tx, e.Rows, rows[i]); err != nil {
				return err
			}
			e.Rows += len(rows[i]) / f.dim
			c.unflushed += 4 * len(rows[i])
		}
		c.gone, c.came = c.gone[:0], c.came[:0]
		return c.m.write(tx)
	})
}

// move enters a record in the next slot.
func (c *compaction) move(tx *bolt.Tx, payload []byte) error {
	rec, err := decodeAbout(payload)
	if err != nil {
		return err
	}
	key := slotKey(c.m.Slots)
	sum, err := put(tx, recordsBucket, key, payload)
	if err != nil {
		return err
	}
	c.m.Slots++
	c.m.Records++
	c.m.Sum += uint64(sum)
	_, err = put(tx, idsBucket, []byte(rec.ID), key)
	return err
}

// leave empties a slot whose record went after it was moved.
func (c *compaction) leave(tx *bolt.Tx, slot int) error {
	key := slotKey(slot)
	payload, sum, err := get(tx, recordsBucket, key)
	if err != nil {
		return err
	}
	rec, err := decodeAbout(payload)
	if err != nil {
		return err
	}
	c.m.Records--
	c.m.Sum -= uint64(sum)
	return errors.Join(tx.Bucket(idsBucket).Delete([]byte(rec.ID)), tx.Bucket(recordsBucket).Delete(key))
}

// flush brings the new files to the disk.
func (c *compaction) flush() error {
	c.unflushed = 0
	for _, f := range c.files {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return c.db.Sync()
}

// finish carries over the last changes, which nobody adds to, and puts the new
// database in the place of the old one.
func (c *compaction) finish(s *Snapshot) error {
	if s.m.Slots-c.next+s.m.Removed-c.removals > fewChanges {
		return errMany
	}
	if err := c.read(s, time.Hour); err != nil {
		return err
	}
	if err := c.enter(); err != nil {
		return err
	}
	if c.m.Records != s.m.Records {
		return s.miscounted()
	}
	c.m.Generation = s.m.Generation + 1
	c.m.NextFile, c.m.Hoods, c.m.Version = s.m.NextFile, s.m.Hoods, Version
	if w := c.settled; w != nil {
		w.settled.File = c.m.NextFile
		c.m.NextFile++
		c.m.Settled = &w.settled
		if err := os.Rename(w.file.Name(), filepath.Join(c.store.dir, w.settled.fileName())); err != nil {
			return err
		}
	}
	if err := c.db.Update(c.m.write); err != nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	if err := c.store.fs.SyncDir(c.store.dir); err != nil { // the vector files' names
		return err
	}
	if err := os.Rename(c.path, filepath.Join(c.store.dir, databaseFile)); err != nil {
		return err
	}
	c.renamed = true
	for _, e := range s.m.Embeddings {
		s.obsolete(e.fileName())
	}
	if s.m.Settled != nil {
		s.obsolete(s.m.Settled.fileName())
	}
	return c.store.fs.SyncDir(c.store.dir)
}

// discard removes the files of a compaction that failed.
func (c *compaction) discard() {
	// One that cannot be removed now the next sweep removes.
	_ = os.Remove(c.path)
	if c.settled != nil {
		_ = c.settled.discard()
	}
	for _, f := range c.files {
		_ = c.store.fs.Remove(f.path)
	}
}

func copyBucket(dst, src *bolt.Tx, name []byte) error {
	return src.Bucket(name).ForEach(func(key, value []byte) error {
		if _, _, err := unseal(name, key, value); err != nil {
			return err
		}
		return dst.Bucket(name).Put(bytes.Clone(key), bytes.Clone(value))
	})
}

// diskUse returns the bytes of the files of the collection.
func (s *Store) diskUse() (int64, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // swept meanwhile
			continue
		}
		if err != nil {
			return 0, err
		}
		total += info.Size()
	}
	return total, nil
}
