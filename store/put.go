package store

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// MaxID is the greatest length of an id, in bytes.
const MaxID = 4096

// put writes records. If centre is not noCentre, they are the neighbourhoods of
// consecutive nodes from centre on.
func (s *Snapshot) put(records []dataset.Record, centre int, rows map[string][]float32,
	isNew bool) (replaced int, err error) {
	tx, m := s.tx, s.m
	for i := range records {
		if err := checkID(records[i].ID); err != nil {
			return 0, err
		}
	}
	if isNew {
		if err := s.checkNew(records); err != nil {
			return 0, err
		}
	}
	of := number(tx, m, &s.labels)
	var blocks packer
	if err := s.extendAll(len(records), rows); err != nil {
		return 0, err
	}
	for i, rec := range records {
		if rec.Graph != nil {
			rec.Graph = graph.In(s.labels.vocab, rec.Graph)
		}
		if m.NoBlocks {
			rec.Block = ""
		}
		c := noCentre
		if centre != noCentre {
			c = centre + i
		}
		payload, err := encode(rec, c, of)
		if err != nil {
			return 0, fmt.Errorf("graph %q: %w", rec.ID, err)
		}
		if !isNew {
			again, err := s.remove(rec.ID)
			if err != nil {
				return 0, err
			}
			if again {
				replaced++
			}
		}
		var block []byte
		if rec.Block != "" {
			block = blocks.compress(rec.Block)
		}
		if err := m.fill(tx, rec.ID, payload, block); err != nil {
			return 0, err
		}
	}
	return replaced, nil
}

// fill puts a record, with its compressed MOL block if it has one, into the next slot.
func (m *manifest) fill(tx *bolt.Tx, id string, payload, block []byte) error {
	key := slotKey(m.Slots)
	sum, err := put(tx, recordsBucket, key, payload)
	if err != nil {
		return err
	}
	if block != nil {
		if _, err := put(tx, molBucket, key, block); err != nil {
			return err
		}
	}
	m.Slots++
	m.Records++
	m.Sum += uint64(sum)
	_, err = put(tx, idsBucket, []byte(id), key)
	return err
}

// empty empties the slot of a record with a checksum, and notes that.
func (m *manifest) empty(tx *bolt.Tx, slot int, id string, sum uint32) error {
	key := slotKey(slot)
	if _, err := put(tx, removedBucket, slotKey(m.Removed), key); err != nil {
		return err
	}
	m.Removed++
	m.Records--
	m.Sum -= uint64(sum)
	return errors.Join(tx.Bucket(recordsBucket).Delete(key), tx.Bucket(molBucket).Delete(key),
		tx.Bucket(idsBucket).Delete([]byte(id)))
}

// checkNew returns a [*DuplicateError] if the id of a record exists or occurs twice.
func (s *Snapshot) checkNew(records []dataset.Record) error {
	slots := make(map[string]int, len(records))
	for i, rec := range records {
		slot, have := slots[rec.ID]
		if !have {
			var err error
			if slot, have, err = s.slot(rec.ID); err != nil {
				return err
			}
		}
		if have {
			return &DuplicateError{rec.ID, slot, i}
		}
		slots[rec.ID] = s.m.Slots + i
	}
	return nil
}

// checkDirection returns an error unless the graphs are of one direction (without graphs,
// directed, undirected), and that of the collection.
func (s *Snapshot) checkDirection(records []dataset.Record) error {
	first := records[0]
	key, value := s.tx.Bucket(recordsBucket).Cursor().First()
	if key != nil {
		payload, _, err := unseal(recordsBucket, key, value)
		if err != nil {
			return err
		}
		if first, _, err = decode(payload, s.labels); err != nil {
			return err
		}
	} else if first.Graph == nil && slices.ContainsFunc(s.m.Embeddings,
		func(e Embedding) bool { return e.Model != "" }) {
		return fmt.Errorf("%w: record %q has no graph", ErrRecord, first.ID)
	}
	var direction dataset.Direction
	if first.Graph != nil {
		direction = dataset.DirectionOf(first)
	}
	for _, rec := range records {
		if (rec.Graph == nil) != (first.Graph == nil) {
			return fmt.Errorf("%w: record %q has %s, the others have %s", ErrRecord, rec.ID, aGraph(rec), aGraph(first))
		}
		if rec.Graph == nil {
			continue
		}
		if err := direction.Check(rec); err != nil {
			return fmt.Errorf("%w: %w", ErrRecord, err)
		}
	}
	return nil
}

func aGraph(rec dataset.Record) string {
	if rec.Graph == nil {
		return "no graph"
	}
	return "one"
}

// CheckRecords returns an error, which wraps [ErrRecord], unless every record has a
// graph and an id that can be stored.
func CheckRecords(records []dataset.Record) error {
	for _, rec := range records {
		if err := checkID(rec.ID); err != nil {
			return err
		}
		if rec.Graph == nil {
			return fmt.Errorf("%w: record %q has no graph", ErrRecord, rec.ID)
		}
	}
	return nil
}

func checkID(id string) error {
	switch {
	case id == "":
		return fmt.Errorf("%w: an id is empty", ErrRecord)
	case len(id) > MaxID:
		return fmt.Errorf("%w: the id that begins with %.40q has %d bytes, want at most %d", ErrRecord, id, len(id),
			MaxID)
	case !utf8.ValidString(id):
		return fmt.Errorf("%w: the id %q is not UTF-8", ErrRecord, id)
	}
	return nil
}

// extendAll adds n rows to every embedding. When it returns, they are on the disk.
func (s *Snapshot) extendAll(n int, rows map[string][]float32) error {
	m := s.m
	for name := range rows {
		if m.find(name) == nil {
			return fmt.Errorf("%w: no embedding %q", ErrVectors, name)
		}
	}
	for _, e := range m.Embeddings {
		if len(rows[e.Name]) != n*e.Norm.Dim() {
			return fmt.Errorf("%w: %d values for %d vectors of embedding %q, which has %d coordinates", ErrVectors,
				len(rows[e.Name]), n, e.Name, e.Norm.Dim())
		}
	}
	files, flush := make([]*vectorFile, len(m.Embeddings)), make([]func() error, len(m.Embeddings))
	for i, e := range m.Embeddings {
		v, err := s.store.openVectors(e)
		if err != nil {
			return err
		}
		if err := v.write(s.store.fs, e.Rows, rows[e.Name]); err != nil {
			return err
		}
		files[i], flush[i] = v, v.writes.Sync
	}
	if err := together(flush...); err != nil {
		return err
	}
	for i := range m.Embeddings {
		e := &m.Embeddings[i]
		if err := files[i].seal(s.tx, e.Rows, rows[e.Name]); err != nil {
			return err
		}
		e.Rows += len(rows[e.Name]) / e.Norm.Dim()
	}
	return nil
}

// slot returns the slot of the record with an id, and whether there is one.
func (s *Snapshot) slot(id string) (slot int, have bool, err error) {
	if id == "" {
		return 0, false, nil
	}
	key, _, err := get(s.tx, idsBucket, []byte(id))
	if key == nil || err != nil {
		return 0, false, err
	}
	slot, err = slotOf(key)
	return slot, err == nil, err
}

// remove empties the slot of an id, notes the removal, and reports whether the id
// existed.
func (s *Snapshot) remove(id string) (bool, error) {
	slot, have, err := s.slot(id)
	if !have || err != nil {
		return false, err
	}
	_, sum, err := get(s.tx, recordsBucket, slotKey(slot))
	if err == nil {
		err = s.m.empty(s.tx, slot, id, sum)
	}
	return err == nil, err
}
