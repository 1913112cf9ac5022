package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

// AddEmbedding adds an empty embedding and keeps its model. [Store.Extend] fills it;
// once it is complete, [Store.Put] extends it. In an empty collection it is complete at
// once, and serves if no other embedding serves the model's task. A name that is taken
// is an error that wraps [ErrExists].
func (s *Store) AddEmbedding(ctx context.Context, name string, m *model.Model) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		return err
	}
	e := Embedding{Name: name, Task: m.Metadata().Task, Model: m.Fingerprint(), Norm: m.Norm()}
	return s.update(ctx, func(snap *Snapshot) error {
		if _, err := put(snap.tx, modelsBucket, []byte(e.Model), text.Bytes()); err != nil {
			return err
		}
		return snap.addEmbedding(e)
	})
}

// AddForeign adds an embedding made by another program, with its norm.
func (s *Store) AddForeign(ctx context.Context, name string, task edit.Task, n norm.Norm) error {
	if err := n.Check(); err != nil {
		return err
	}
	return s.update(ctx, func(snap *Snapshot) error {
		return snap.addEmbedding(Embedding{Name: name, Task: task, Norm: n})
	})
}

func (s *Snapshot) addEmbedding(e Embedding) error {
	m := s.m
	if e.Name == "" {
		return fmt.Errorf("%w: an embedding without a name", ErrVectors)
	}
	if m.find(e.Name) != nil {
		return fmt.Errorf("embedding %q: %w: give another name", e.Name, ErrExists)
	}
	e.Serves = m.Slots == 0 && m.serving(e.Task) == nil
	e.File = m.NextFile
	m.NextFile++
	m.Embeddings = append(m.Embeddings, e)
	_, err := s.store.createVectors(e)
	s.store.forgetEmbedders()
	return err
}

// serving returns the embedding that searches for a task use, or nil.
func (m *manifest) serving(task edit.Task) *Embedding {
	for i := range m.Embeddings {
		if e := &m.Embeddings[i]; e.Serves && e.Task == task {
			return e
		}
	}
	return nil
}

// Extend writes the rows of an embedding from a slot on, which must be the first slot
// without a row; otherwise the error wraps [ErrVectors]. The rows of empty slots are
// ignored.
func (s *Store) Extend(ctx context.Context, name string, from int, rows []float32) error {
	return s.update(ctx, func(snap *Snapshot) error {
		m := snap.m
		e, err := m.named(name)
		if err != nil {
			return err
		}
		if dim := e.Norm.Dim(); from != e.Rows || len(rows)%dim != 0 || len(rows)/dim > m.Slots-from {
			return fmt.Errorf("%w: %d values from slot %d on for embedding %q, which has %d of %d rows", ErrVectors, len(rows), from, name, e.Rows, m.Slots)
		}
		s.forgetEmbedders()
		return snap.extend([]*Embedding{e}, map[string][]float32{name: rows})
	})
}

// Serve makes searches use an embedding in place of the one that serves its task, which
// is dropped unless keep is true. If the embedding is not complete, the error wraps
// [ErrVectors].
func (s *Store) Serve(ctx context.Context, name string, keep bool) error {
	return s.update(ctx, func(snap *Snapshot) error {
		m := snap.m
		e, err := m.named(name)
		if err != nil {
			return err
		}
		if err := m.complete(*e); err != nil {
			return err
		}
		old := m.serving(e.Task)
		e.Serves = true
		if old == nil || old.Name == name {
			return nil
		}
		old.Serves = false
		if keep {
			return nil
		}
		return snap.drop(old.Name)
	})
}

// drop removes an embedding, the checksums of its rows, and its model unless another
// embedding uses it.
func (s *Snapshot) drop(name string) error {
	m := s.m
	s.store.forgetEmbedders()
	e := *m.find(name)
	s.obsolete(e.fileName())
	m.Embeddings = slices.DeleteFunc(m.Embeddings, func(o Embedding) bool { return o.Name == name })
	blocks := s.tx.Bucket(blocksBucket)
	prefix := slotKey(e.File)
	var keys [][]byte
	c := blocks.Cursor()
	for key, _ := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = c.Next() {
		keys = append(keys, bytes.Clone(key))
	}
	for _, key := range keys {
		if err := blocks.Delete(key); err != nil {
			return err
		}
	}
	if e.Model == "" || slices.ContainsFunc(m.Embeddings, func(o Embedding) bool { return o.Model == e.Model }) {
		return nil
	}
	return s.tx.Bucket(modelsBucket).Delete([]byte(e.Model))
}
