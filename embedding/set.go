// Package embedding holds the vectors that a model gives to graphs, with the
// ids of the graphs and the norm and the fingerprint of the model, and writes
// them for other programs.
package embedding

import (
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

// Len returns the number of embeddings.
func (s *Set) Len() int { return len(s.IDs) }

// Vector returns embedding i, [dim], which is part of s.Vectors.
func (s *Set) Vector(i int) []float32 {
	dim := s.Norm.Dim()
	return s.Vectors[i*dim : (i+1)*dim : (i+1)*dim]
}

// Append adds an embedding and copies its vector. It panics if the vector has
// another dimension than the norm; ids and values are not checked.
func (s *Set) Append(id string, vector []float32) {
	if len(vector) != s.Norm.Dim() {
		panic(fmt.Sprintf("embedding: vector of %d coordinates, want %d", len(vector), s.Norm.Dim()))
	}
	s.IDs = append(s.IDs, id)
	s.Vectors = append(s.Vectors, vector...)
}
