// Package embedding holds the vectors that a model gives to graphs, with the
// ids of the graphs and the norm and the fingerprint of the model, and keeps
// them in files.
package embedding

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/norm"
)

// Set is a list of embeddings. The zero Set with a Norm is empty and ready to
// use.
type Set struct {
	// Model is the fingerprint of the model that made the vectors, or "" if
	// they come from elsewhere. Vectors of two models are never comparable.
	Model string
	// Norm is the distance that the model means.
	Norm norm.Norm
	// IDs names the graphs, each once.
	IDs []string
	// Vectors is [len(IDs), Norm.Dim()], row-major and finite.
	Vectors []float32
}

// ErrMismatch is wrapped where sets of different models or norms meet.
var ErrMismatch = errors.New("embeddings of different models")

// Len returns the number of embeddings.
func (s *Set) Len() int { return len(s.IDs) }

// Vector returns embedding i, [dim], which is part of s.Vectors.
func (s *Set) Vector(i int) []float32 {
	dim := s.Norm.Dim()
	return s.Vectors[i*dim : (i+1)*dim : (i+1)*dim]
}

// Append adds an embedding and copies its vector. It panics if the vector has
// another dimension than the norm; ids are checked by [Set.Check] alone.
func (s *Set) Append(id string, vector []float32) {
	if len(vector) != s.Norm.Dim() {
		panic(fmt.Sprintf("embedding: vector of %d coordinates, want %d", len(vector), s.Norm.Dim()))
	}
	s.IDs = append(s.IDs, id)
	s.Vectors = append(s.Vectors, vector...)
}

// AppendSet adds all embeddings of another set. It returns an error that wraps
// [ErrMismatch] if the other's model or norm is not that of s.
func (s *Set) AppendSet(o *Set) error {
	if s.Model != o.Model {
		return fmt.Errorf("%w: %q and %q", ErrMismatch, s.Model, o.Model)
	}
	if !s.Norm.Equal(o.Norm) {
		return fmt.Errorf("%w: norms %v and %v", ErrMismatch, s.Norm, o.Norm)
	}
	s.IDs = append(s.IDs, o.IDs...)
	s.Vectors = append(s.Vectors, o.Vectors...)
	return nil
}

// Check returns an error unless the norm is valid, every id occurs once, and
// there is one finite vector for each.
func (s *Set) Check() error {
	if err := s.Norm.Check(); err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	dim := s.Norm.Dim()
	if len(s.Vectors) != len(s.IDs)*dim {
		return fmt.Errorf("embedding: %d values for %d ids and %d dimensions", len(s.Vectors), len(s.IDs), dim)
	}
	for i, x := range s.Vectors {
		if x-x != 0 {
			return fmt.Errorf("embedding: coordinate %d of %q is %v", i%dim, s.IDs[i/dim], x)
		}
	}
	seen := make(map[string]struct{}, len(s.IDs))
	for _, id := range s.IDs {
		if _, again := seen[id]; again {
			return fmt.Errorf("embedding: id %q occurs twice", id)
		}
		seen[id] = struct{}{}
	}
	return nil
}
