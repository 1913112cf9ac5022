package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
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

// Check reads everything in a collection and names what is not as it was
// written. The error is that of a collection that cannot be opened.
func Check(ctx context.Context, dir string) (*Report, error) {
	r := &Report{Problems: []string{}}
	if err := r.checkRoots(filepath.Join(dir, databaseFile)); err != nil {
		return nil, err
	}
	err := with(dir, Options{ReadOnly: true}, func(s *Store) error {
		if err := s.walk(); err != nil {
			return err
		}
		return s.View(func(snap *Snapshot) error {
			for _, name := range buckets() {
				r.checkEntries(snap.tx, name)
			}
			for err := range snap.tx.Check() {
				r.add("%s: %v", databaseFile, err)
			}
			if err := r.checkRecords(ctx, snap); err != nil {
				return err
			}
			r.checkSettled(snap)
			return r.checkEmbeddings(ctx, snap)
		})
	})
	if errors.Is(err, ErrDamaged) {
		r.add("%v", err)
		err = nil
	}
	return r, err
}

// checkRoots reads the two root pages of the database file. It would open with
// one of them torn, as it was before the last change.
func (r *Report) checkRoots(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", filepath.Dir(path), ErrFormat, err)
	}
	for i := range 2 {
		if _, err := readRootPage(f, i); err != nil {
			r.add("%s: %v", databaseFile, err)
		}
	}
	return f.Close()
}

// checkEntries compares the entries of a bucket with their checksums.
func (r *Report) checkEntries(tx *bolt.Tx, bucket []byte) {
	b := tx.Bucket(bucket)
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

// checkRecords reads every record and looks for it under its id.
func (r *Report) checkRecords(ctx context.Context, s *Snapshot) error {
	sum := uint64(0)
	c := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Records++
		slot, rec, own, err := s.record(key, value)
		if err != nil {
			r.add("slot %d: %v", slot, err)
			continue
		}
		sum += uint64(own)
		at, _, err := get(s.tx, idsBucket, []byte(rec.ID))
		if err != nil || !bytes.Equal(at, key) {
			r.add("graph %q is not found by its id", rec.ID)
		}
	}
	ids := 0
	c = s.tx.Bucket(idsBucket).Cursor()
	for key, _ := c.First(); key != nil; key, _ = c.Next() {
		ids++
	}
	if r.Records != s.m.Records || ids != s.m.Records || sum != s.m.Sum {
		r.add("%d records and %d ids are not the %d that were put", r.Records, ids, s.m.Records)
	}
	return nil
}

// checkSettled compares the settled file with the database.
func (r *Report) checkSettled(s *Snapshot) {
	if s.m.Settled == nil {
		return
	}
	shelf, err := s.openShelf()
	if err != nil {
		r.add("%v", err)
		return
	}
	records := s.tx.Bucket(recordsBucket)
	for slot := range shelf.Len() {
		payload := shelf.payload(slot)
		key := slotKey(slot)
		if value := records.Get(key); value != nil && (len(value) < 4 || !bytes.Equal(value[4:], payload)) {
			r.add("%s: slot %d is not what the database has", s.m.Settled.fileName(), slot)
		}
	}
	if err := shelf.unmap(); err != nil {
		r.add("%s: %v", s.m.Settled.fileName(), err)
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
