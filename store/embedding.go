package store

import (
	"bytes"
	"context"
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

// AddEmbedding adds an embedding to an empty collection and keeps its model. It serves if no
// other embedding serves the model's task. A name that is taken is an error that wraps
// [ErrExists]. To a collection with records, [Store.Reembed] gives another embedding.
func (s *Store) AddEmbedding(ctx context.Context, name string, m *model.Model) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	text, err := modelText(m)
	if err != nil {
		return err
	}
	e := Embedding{Name: name, Task: m.Metadata().Task, Model: m.Fingerprint(), Norm: m.Norm()}
	return s.update(ctx, func(snap *Snapshot) error {
		if _, err := put(snap.tx, modelsBucket, []byte(e.Model), text); err != nil {
			return err
		}
		return snap.addEmbedding(e)
	})
}

// modelText returns a model as it is kept.
func modelText(m *model.Model) ([]byte, error) {
	var b bytes.Buffer
	err := m.Write(&b)
	return b.Bytes(), err
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
	if m.Slots > 0 {
		return fmt.Errorf("%w: an embedding without rows for a collection with records", ErrVectors)
	}
	if err := m.free(e.Name); err != nil {
		return err
	}
	e.Serves = m.serving(e.Task) == nil
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
