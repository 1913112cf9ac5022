package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/graph"
)

// compaction copies the records in order, without empty slots, to a new database and
// new vector files. It reads in pieces, so that others can write in between.
type compaction struct {
	store   *Store
	db      *bolt.DB // the new one
	path    string
	old     manifest // the old manifest at the start
	m       manifest // the new manifest
	files   []*vectorFile
	segment *segmentWriter // nil if there is no segment
	// segmentFile is its number.
	segmentFile int
	// renamed says that the new database has replaced the old one.
	renamed bool
	made    *reembedding // nil: the embeddings stay
	source  []int        // see [reembedding.embeddings]
	large   *graph.Graph // whose neighbourhoods made embeds; nil otherwise

	// Progress in the old collection: all slots before next were read, and so were the
	// first removals.
	next, removals int
	moved          map[int]int // old slot to new
	// Labels that no record uses stay behind, so the others are numbered anew.
	from, to labels
	// What was read but not yet written: the new slots of records that were removed, and
	// new records with their rows in each embedding.
	gone []int
	came []movedRecord
	rows [][]float32 // of the old embeddings, where there are any
	// unflushed is how many bytes were written since the last flush.
	unflushed int
	held      Held // memory of the rows
}

// movedRecord is a record on its way to the new database.
type movedRecord struct {
	storedRecord
	block []byte // the MOL block, compressed; nil: none
}

// fewChanges is how many changes may be left for the last step, during which others
// wait.
const fewChanges = 200

// errMany says that too many changes are left for the last step.
var errMany = errors.New("too many changes to finish")

// view calls read with the new collection, which no other process has opened.
func (c *compaction) view(_ context.Context, read func(*Snapshot) error) error {
	return c.db.View(func(tx *bolt.Tx) error {
		m := c.m
		snap := &Snapshot{Known: Known{m: &m}, store: c.store, tx: tx, made: make(map[int]*vectorFile)}
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

// writeSegment writes the segment of the new collection under the name that it keeps. Until the
// new manifest names the file, its lock shows that it is in use.
func (c *compaction) writeSegment(ctx context.Context, workers int) (err error) {
	if c.segment, err = c.store.createSegment(ctx, workers, c.view); err != nil || c.segment == nil {
		return err
	}
	c.segment.layout.File = c.segmentFile
	c.m.Segment = &c.segment.layout
	return c.segment.rename(c.store)
}

// begin reserves numbers for the new files, and copies what never changes.
func (c *compaction) begin(s *Snapshot) error {
	c.m = *s.m
	c.m.Slots, c.m.Records, c.m.Sum, c.m.Removed, c.m.Segment = 0, 0, 0, 0, nil
	c.m.NodeLabels, c.m.EdgeLabels = 0, 0
	c.m.Moves++
	c.from = s.labels
	c.to = labels{c.from.vocab, c.m.Moves, noLabels(), noLabels()}
	var err error
	if c.m.Embeddings, c.source, err = c.made.embeddings(s.m); err != nil {
		return err
	}
	if c.made != nil && s.m.Neighbourhoods != nil {
		if c.large, err = s.Whole(); err != nil {
			return err
		}
	}
	for i := range c.m.Embeddings {
		e := &c.m.Embeddings[i]
		e.File, e.Rows = s.m.NextFile, 0
		s.m.NextFile++
		f, err := c.store.newVectors(*e)
		if err != nil {
			return err
		}
		c.files = append(c.files, f)
		// Until the new manifest names the file, its lock shows that it is in use.
		if held, err := f.Hold(f.path); err != nil || !held {
			return errors.Join(fmt.Errorf("%s: %w", f.path, ErrLocked), err)
		}
	}
	c.segmentFile = s.m.NextFile
	s.m.NextFile++
	c.old = *s.m
	c.removals = s.m.Removed
	return c.copyFixed(s)
}

// read collects removals, and new records as far as the time and a number of bytes allow,
// since the last call.
func (c *compaction) read(s *Snapshot, limit time.Duration, most int) (err error) {
	if c.old.Moves != s.m.Moves || !c.old.sameEmbeddings(s.m) {
		return fmt.Errorf("%s: %w: meanwhile it was given another model or compacted; try again", s.store.dir,
			ErrVectors)
	}
	if c.from, err = c.from.read(s.tx, s.m); err != nil {
		return err
	}
	for ; c.removals < s.m.Removed; c.removals++ {
		slot, err := s.removal(c.removals)
		if err != nil {
			return err
		}
		if to, ok := c.moved[slot]; ok {
			c.gone = append(c.gone, to)
			delete(c.moved, slot)
		}
	}
	begin, bytesRead := time.Now(), 0
	end := s.m.Slots
	for r, err := range s.stored(c.next) {
		if err != nil {
			return err
		}
		if bytesRead >= most || len(c.came)%64 == 63 && time.Since(begin) > limit {
			end = r.slot
			break
		}
		block, err := s.packed(slotKey(r.slot), r.payload)
		if err != nil {
			return err
		}
		bytesRead += len(r.payload) + len(block)
		for _, f := range c.files {
			bytesRead += 4 * f.dim
		}
		c.moved[r.slot] = c.m.Slots + len(c.came)
		r.payload = bytes.Clone(r.payload)
		c.came = append(c.came, movedRecord{r, bytes.Clone(block)})
	}
	c.next = end
	return c.readRows(s)
}

// copyFixed copies what never changes: models and the large graph.
func (c *compaction) copyFixed(s *Snapshot) error {
	return c.db.Update(func(tx *bolt.Tx) error {
		for i, e := range c.m.Embeddings {
			if e.Model == "" {
				continue
			}
			text, _, err := get(s.tx, modelsBucket, []byte(e.Model))
			if c.source[i] < 0 {
				text, err = modelText(c.made.model)
			}
			if err == nil && text != nil {
				_, err = put(tx, modelsBucket, []byte(e.Model), bytes.Clone(text))
			}
			if err != nil {
				return err
			}
		}
		large, _, err := get(s.tx, wholeBucket, wholeBucket)
		if large == nil || err != nil {
			return err
		}
		if large, err = c.renumber(tx, large); err == nil {
			_, err = put(tx, wholeBucket, wholeBucket, large)
		}
		return err
	})
}

// renumber returns a stored record with the new numbers of its labels.
func (c *compaction) renumber(tx *bolt.Tx, payload []byte) ([]byte, error) {
	payload, err := renumber(payload, c.from, number(tx, &c.m, &c.to))
	if err != nil {
		err = fmt.Errorf("%w: a record: %w", ErrDamaged, err)
	}
	return payload, err
}

// readRows maps the rows of the slots that were read.
func (c *compaction) readRows(s *Snapshot) error {
	c.rows = c.rows[:0]
	for _, i := range c.source {
		if i < 0 {
			c.rows = append(c.rows, nil)
			continue
		}
		e := s.m.Embeddings[i]
		// Read whole blocks: each has one checksum.
		v, err := s.store.openVectors(e)
		if err != nil {
			return err
		}
		per := v.blockRows()
		e.Rows = min(e.Rows, (c.next+per-1)/per*per)
		rows, err := s.rowsFrom(e, 0)
		if err != nil {
			return err
		}
		c.rows = append(c.rows, rows)
	}
	err := c.held.Release()
	c.held = s.held.take()
	return err
}

// enter writes what was read to the new database and the new vector files.
func (c *compaction) enter(ctx context.Context) error {
	rows := make([][]float32, len(c.files))
	for i, from := range c.source {
		var err error
		if from >= 0 {
			continue
		}
		if rows[i], err = c.made.embed(ctx, c); err != nil {
			return err
		}
	}
	return c.db.Update(func(tx *bolt.Tx) error {
		for _, slot := range c.gone {
			if err := c.leave(tx, slot); err != nil {
				return err
			}
		}
		for _, r := range c.came {
			if err := c.move(tx, r); err != nil {
				return err
			}
			c.unflushed += len(r.payload) + len(r.block)
			for i, from := range c.source {
				if dim := c.files[i].dim; from >= 0 {
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

// move writes a record to the next slot.
func (c *compaction) move(tx *bolt.Tx, r movedRecord) error {
	rec, err := decodeAbout(r.payload)
	if err != nil {
		return err
	}
	payload, err := c.renumber(tx, r.payload)
	if err != nil {
		return err
	}
	return c.m.fill(tx, rec.ID, payload, r.block)
}

// leave empties the slot of a record that was removed after it was moved.
func (c *compaction) leave(tx *bolt.Tx, slot int) error {
	payload, sum, err := get(tx, recordsBucket, slotKey(slot))
	if err != nil {
		return err
	}
	rec, err := decodeAbout(payload)
	if err != nil {
		return err
	}
	return c.m.empty(tx, slot, rec.ID, sum)
}

// flush writes the new files to the disk.
func (c *compaction) flush() error {
	c.unflushed = 0
	flushes := []func() error{c.db.Sync}
	for _, f := range c.files {
		flushes = append(flushes, f.Sync)
	}
	return together(flushes...)
}

// finish carries over the last changes while nobody else writes, and then replaces the
// old database by the new one.
func (c *compaction) finish(ctx context.Context, s *Snapshot) error {
	if s.m.Slots-c.next+s.m.Removed-c.removals > fewChanges {
		return errMany
	}
	if err := c.read(s, time.Hour, math.MaxInt); err != nil {
		return err
	}
	if err := c.enter(ctx); err != nil {
		return err
	}
	if c.m.Records != s.m.Records {
		return s.miscounted()
	}
	c.m.Generation = s.m.Generation + 1
	c.m.NextFile, c.m.Neighbourhoods = s.m.NextFile, s.m.Neighbourhoods
	c.m.Rules, c.m.Source, c.m.NoBlocks = s.m.Rules, s.m.Source, s.m.NoBlocks
	if err := c.db.Update(c.m.write); err != nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	if err := c.store.fs.Rename(c.path, filepath.Join(c.store.dir, databaseFile)); err != nil {
		return err
	}
	c.renamed = true
	for _, e := range s.m.Embeddings {
		s.obsolete(e.fileName())
	}
	if s.m.Segment != nil {
		s.obsolete(s.m.Segment.fileName())
	}
	return c.store.flushName(&c.m)
}
