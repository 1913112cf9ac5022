package store

import (
	"errors"
	"fmt"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// MaxID is the greatest length of an id, in bytes.
const MaxID = 4096

// Put adds records; one with an id that the collection has replaces it. Each
// complete embedding needs rows under its name, [len(records), dim]; those
// still being filled get theirs later. Graphs of another vocabulary are
// translated. It returns how many records were replaced. On an error nothing
// is changed; it wraps [ErrVectors] if the rows do not fit.
func (s *Store) Put(records []dataset.Record, rows map[string][]float32) (replaced int, err error) {
	err = s.update(func(tx *bolt.Tx, m *manifest) error {
		if m.Hoods != nil {
			return fmt.Errorf("%w: it holds the neighbourhoods of one graph, to which nothing can be added", ErrKind)
		}
		replaced, err = s.put(tx, m, records, noCentre, rows)
		return err
	})
	if err != nil {
		replaced = 0
	}
	return replaced, err
}

// put enters records: the neighbourhoods of consecutive nodes from centre on, or
// if that is noCentre, graphs.
func (s *Store) put(tx *bolt.Tx, m *manifest, records []dataset.Record, centre int, rows map[string][]float32) (replaced int, err error) {
	if err := s.extendAll(tx, m, len(records), rows); err != nil {
		return 0, err
	}
	for i, rec := range records {
		if err := checkID(rec.ID); err != nil {
			return 0, err
		}
		if rec.Graph != nil {
			rec.Graph = graph.In(s.vocab, rec.Graph)
		}
		c := noCentre
		if centre != noCentre {
			c = centre + i
		}
		payload, err := encode(rec, c)
		if err != nil {
			return 0, fmt.Errorf("graph %q: %w", rec.ID, err)
		}
		again, err := remove(tx, m, rec.ID)
		if err != nil {
			return 0, err
		}
		if again {
			replaced++
		}
		sum, err := put(tx, recordsBucket, slotKey(m.Slots), payload)
		if err != nil {
			return 0, err
		}
		if _, err := put(tx, idsBucket, []byte(rec.ID), slotKey(m.Slots)); err != nil {
			return 0, err
		}
		m.Slots++
		m.Records++
		m.Sum += uint64(sum)
	}
	return replaced, writeLabels(tx, m, s.vocab)
}

func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("an id is empty")
	case len(id) > MaxID:
		return fmt.Errorf("the id that begins with %.40q has %d bytes, want at most %d", id, len(id), MaxID)
	case !utf8.ValidString(id):
		return fmt.Errorf("id %q is not UTF-8", id)
	}
	return nil
}

// extendAll adds n rows to every complete embedding.
func (s *Store) extendAll(tx *bolt.Tx, m *manifest, n int, rows map[string][]float32) error {
	for name := range rows {
		if e := m.find(name); e == nil || e.Rows != m.Slots {
			return fmt.Errorf("%w: no complete embedding %q", ErrVectors, name)
		}
	}
	for i := range m.Embeddings {
		e := &m.Embeddings[i]
		if e.Rows != m.Slots {
			continue
		}
		if len(rows[e.Name]) != n*e.Norm.Dim() {
			return fmt.Errorf("%w: %d values for %d vectors of embedding %q, which has %d coordinates", ErrVectors, len(rows[e.Name]), n, e.Name, e.Norm.Dim())
		}
		if err := s.extend(tx, e, rows[e.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) extend(tx *bolt.Tx, e *Embedding, rows []float32) error {
	v, err := s.openVectors(*e)
	if err != nil {
		return err
	}
	if err := v.append(tx, e.Rows, rows); err != nil {
		return err
	}
	e.Rows += len(rows) / e.Norm.Dim()
	return nil
}

// Delete removes records by their ids and returns how many there were. Their
// room is given back by [Compact].
func (s *Store) Delete(ids []string) (deleted int, err error) {
	err = s.update(func(tx *bolt.Tx, m *manifest) error {
		deleted = 0
		for _, id := range ids {
			found, err := remove(tx, m, id)
			if err != nil {
				return err
			}
			if found {
				deleted++
			}
		}
		return nil
	})
	if err != nil {
		deleted = 0
	}
	return deleted, err
}

// remove empties the slot of an id and tells whether there was one.
func remove(tx *bolt.Tx, m *manifest, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	key, _, err := get(tx, idsBucket, []byte(id))
	if key == nil || err != nil {
		return false, err
	}
	_, sum, err := get(tx, recordsBucket, key)
	if err != nil {
		return false, err
	}
	if err := tx.Bucket(recordsBucket).Delete(key); err != nil {
		return false, err
	}
	m.Records--
	m.Sum -= uint64(sum)
	return true, tx.Bucket(idsBucket).Delete([]byte(id))
}
