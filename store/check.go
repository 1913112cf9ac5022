package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
)

// Report is what [Check] found.
type Report struct {
	Records    int      `json:"records"`
	Embeddings int      `json:"embeddings"`
	Blocks     int      `json:"blocks"` // of vectors
	Problems   []string `json:"problems"`
}

func (r *Report) add(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// Check reads everything in a collection and reports what differs from what was
// written. It returns an error only if the collection cannot be opened, or if ctx ends.
func Check(ctx context.Context, dir string) (*Report, error) {
	r := &Report{Problems: []string{}}
	s, err := Open(dir, Options{})
	if err == nil {
		err = s.Hold(ctx, func(snap *Snapshot) error { return r.check(ctx, snap) })
		err = errors.Join(err, s.Close())
	}
	if errors.Is(err, ErrDamaged) {
		r.add("%v", err)
		err = nil
	}
	return r, err
}

func (r *Report) check(ctx context.Context, s *Snapshot) error {
	for err := range s.tx.Check() {
		r.add("%s: %v", databaseFile, err)
	}
	if len(r.Problems) > 0 {
		return nil // do not follow damaged page numbers
	}
	for _, name := range buckets() {
		r.checkEntries(s, name)
	}
	if err := r.checkRecords(ctx, s); err != nil {
		return err
	}
	r.checkRemovals(s)
	r.checkSegment(s)
	return r.checkEmbeddings(ctx, s)
}

// checkEntries verifies the checksums of a bucket's entries.
func (r *Report) checkEntries(s *Snapshot, bucket []byte) {
	b := s.tx.Bucket(bucket)
	if b == nil {
		r.add("%s: bucket %s is missing", databaseFile, bucket)
		return
	}
	var last []byte
	c := b.Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if last != nil && bytes.Compare(last, key) >= 0 {
			r.add("%s: %s: %q comes after %q", databaseFile, bucket, key, last)
		}
		last = key
		if _, _, err := unseal(bucket, key, value); err != nil {
			r.add("%s: %v", databaseFile, err)
		}
	}
}

// checkRecords reads every record and looks it up by its id.
func (r *Report) checkRecords(ctx context.Context, s *Snapshot) error {
	sum, blocks := uint64(0), 0
	var direction dataset.Direction
	for stored, err := range s.stored(0) {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Records++
		var rec dataset.Record
		if err == nil {
			rec, err = s.decode(stored.payload)
		}
		if err != nil {
			r.add("slot %d: %v", stored.slot, err)
			continue
		}
		sum += uint64(stored.sum)
		block, err := s.Block(stored.slot)
		if err != nil {
			r.add("slot %d: %v", stored.slot, err)
		} else if block != "" {
			blocks++
		}
		if rec.Graph != nil {
			if err := direction.Check(rec); err != nil {
				r.add("%v", err)
			} else if !direction.Known() {
				direction = dataset.DirectionOf(rec)
			}
		}
		at, _, err := get(s.tx, idsBucket, []byte(rec.ID))
		if err != nil || !bytes.Equal(at, slotKey(stored.slot)) {
			r.add("graph %q is not found by its id", rec.ID)
		}
	}
	entries := func(bucket []byte) (n int) {
		c := s.tx.Bucket(bucket).Cursor()
		for key, _ := c.First(); key != nil; key, _ = c.Next() {
			n++
		}
		return n
	}
	ids := entries(idsBucket)
	if left := entries(molBucket) - blocks; left != 0 {
		r.add("MOL blocks of deleted records: %d", left)
	}
	if r.Records != s.m.Records || ids != s.m.Records || sum != s.m.Sum {
		r.add("found %d records and %d ids, expected %d", r.Records, ids, s.m.Records)
	}
	return nil
}

// checkRemovals checks the list of emptied slots.
func (r *Report) checkRemovals(s *Snapshot) {
	for i := range s.m.Removed {
		slot, err := s.removal(i)
		if err != nil {
			r.add("removal %d: %v", i, err)
			continue
		}
		if slot >= s.m.Slots || s.tx.Bucket(recordsBucket).Get(slotKey(slot)) != nil {
			r.add("removal %d: slot %d is not empty", i, slot)
		}
	}
}

// checkSegment compares the segment with the database.
func (r *Report) checkSegment(s *Snapshot) {
	if s.m.Segment == nil {
		return
	}
	segment, err := s.openSegment()
	if err == nil {
		err = segment.verifyAll()
	}
	if err != nil {
		r.add("%v", err)
		return
	}
	records := s.tx.Bucket(recordsBucket)
	for slot := range segment.Len() {
		payload := segment.payload(slot)
		key := slotKey(slot)
		if value := records.Get(key); value != nil && (len(value) < 4 || !bytes.Equal(value[4:], payload)) {
			r.add("%s: slot %d differs from the database", s.m.Segment.fileName(), slot)
		}
	}
	last := ""
	for _, slot := range segment.ByID() {
		id := segment.ID(int(slot))
		if id <= last {
			r.add("%s: the order of ids: %q comes after %q", s.m.Segment.fileName(), id, last)
		}
		last = id
	}
}

// checkEmbeddings reads every block of vectors and every model.
func (r *Report) checkEmbeddings(ctx context.Context, s *Snapshot) error {
	for _, e := range s.m.Embeddings {
		r.Embeddings++
		if e.Model != "" {
			if _, err := s.Model(e.Model); err != nil {
				r.add("embedding %s: %v", e.Name, err)
			}
		}
		v, err := s.store.openVectors(e)
		if err != nil {
			r.add("embedding %s: %v", e.Name, err)
			continue
		}
		data, err := v.bytes(e.Rows)
		if err != nil {
			r.add("embedding %s: %v", e.Name, err)
			continue
		}
		for block := 0; block*v.blockRows() < e.Rows; block++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.Blocks++
			if err := v.verify(s.tx, data, block, e.Rows); err != nil {
				r.add("embedding %s: %v", e.Name, err)
			}
		}
	}
	return nil
}
