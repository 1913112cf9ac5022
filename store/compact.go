package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// compactBatch is how many slots are moved in one transaction.
const compactBatch = 4096

// Compact writes the collection at dir anew, without the room that replaced
// and deleted records left, and returns its size on disk before and after.
// Nobody else may have it open; others wait. Whatever stops it, the collection
// is the old one or the new one. It is settled
// anew.
func Compact(ctx context.Context, dir string, workers int) (before, after int64, err error) {
	err = with(dir, Options{}, func(s *Store) error {
		before, err = diskUse(dir)
		if err != nil {
			return err
		}
		return s.View(func(snap *Snapshot) error { return s.compact(snap) })
	})
	if err != nil {
		return before, before, err
	}
	// Opening removes the old files.
	if err := with(dir, Options{}, func(*Store) error { return nil }); err != nil {
		return before, before, err
	}
	if err := Settle(ctx, dir, workers); err != nil {
		return before, before, err
	}
	after, err = diskUse(dir)
	return before, after, err
}

func (s *Store) compact(old *Snapshot) error {
	path := filepath.Join(s.dir, newDatabase)
	if err := create(path); err != nil {
		return err
	}
	opt := boltOptions(Options{})
	opt.NoSync = true // until it is whole
	db, err := bolt.Open(path, 0o666, opt)
	if err != nil {
		return err
	}
	if err := errors.Join(s.moveTo(db, old), db.Sync(), db.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if err := os.Rename(path, filepath.Join(s.dir, databaseFile)); err != nil {
		return err
	}
	return s.fs.SyncDir(s.dir)
}

// moveTo fills a database with the records in order, without empty slots, and
// new vector files.
func (s *Store) moveTo(db *bolt.DB, old *Snapshot) error {
	m := *old.m
	m.Slots, m.Settled = 0, nil
	m.Moves++
	m.Embeddings = old.Embeddings()
	sources := make([][]float32, len(m.Embeddings))
	targets := make([]*vectorFile, len(m.Embeddings))
	for i := range m.Embeddings {
		e := &m.Embeddings[i]
		var err error
		if sources[i], err = old.Vectors(e.Name); err != nil {
			return err
		}
		e.File = m.NextFile
		m.NextFile++
		e.Rows = 0
		if targets[i], err = s.createVectors(*e); err != nil {
			return err
		}
	}
	err := db.Update(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{labelsBucket, modelsBucket, wholeBucket} {
			if err := copyBucket(tx, old.tx, name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c := old.tx.Bucket(recordsBucket).Cursor()
	key, value := c.First()
	for key != nil {
		err := db.Update(func(tx *bolt.Tx) error {
			first := m.Slots
			rows := make([][]float32, len(m.Embeddings))
			for ; key != nil && m.Slots < first+compactBatch; key, value = c.Next() {
				slot, err := s.moveRecord(tx, &m, key, value)
				if err != nil {
					return err
				}
				for i, e := range m.Embeddings {
					if dim := e.Norm.Dim(); (slot+1)*dim <= len(sources[i]) {
						rows[i] = append(rows[i], sources[i][slot*dim:(slot+1)*dim]...)
					}
				}
			}
			for i := range m.Embeddings {
				e := &m.Embeddings[i]
				if err := targets[i].append(tx, e.Rows, rows[i]); err != nil {
					return err
				}
				e.Rows += len(rows[i]) / e.Norm.Dim()
			}
			return m.write(tx)
		})
		if err != nil {
			return err
		}
	}
	return db.Update(m.write)
}

// moveRecord enters a record in the next slot and returns its old one.
func (s *Store) moveRecord(tx *bolt.Tx, m *manifest, key, value []byte) (int, error) {
	slot, err := slotOf(key)
	if err != nil {
		return 0, err
	}
	payload, sum, err := unseal(recordsBucket, key, value)
	if err != nil {
		return 0, err
	}
	rec, _, err := decode(payload, s.vocab)
	if err != nil {
		return 0, err
	}
	m.Sum -= uint64(sum)
	if sum, err = put(tx, recordsBucket, slotKey(m.Slots), payload); err != nil {
		return 0, err
	}
	m.Sum += uint64(sum)
	_, err = put(tx, idsBucket, []byte(rec.ID), slotKey(m.Slots))
	m.Slots++
	return slot, err
}

func copyBucket(dst, src *bolt.Tx, name []byte) error {
	return src.Bucket(name).ForEach(func(key, value []byte) error {
		if _, _, err := unseal(name, key, value); err != nil {
			return err
		}
		return dst.Bucket(name).Put(bytes.Clone(key), bytes.Clone(value))
	})
}

// diskUse returns the bytes of the files in dir.
func diskUse(dir string) (int64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		total += info.Size()
	}
	return total, nil
}
