// Package embedding holds the vectors that a model gives to graphs, with the
// ids of the graphs and the norm and the fingerprint of the model, and writes
// them for other programs.
package embedding

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

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

// Manhattan returns the vectors with one more coordinate each, [n, dim+1], by which a hinge
// of ℓ1 becomes a Manhattan distance, for databases that know no hinge. With the constant c
// that it returns, the distance from q to x is
//
//	Σ max(0, q−x) = ½(‖(q, 0) − (x, c−Σx)‖₁ + Σq − c)
//
// because |d| = 2·max(0, d) − d, and c ≥ Σx for every x. All but rounding in float32 is
// exact, and the order of the nearest is the same. Other norms are an error.
func (s *Set) Manhattan() (rows []float32, c float64, err error) {
	n := s.Norm
	if n.Kind != norm.L1 || !n.Hinge || n.Combine != norm.Sum && len(n.Widths) > 1 {
		return nil, 0, fmt.Errorf("embedding: the distance %v is not a hinge of l1 summed over blocks, the only one that becomes a Manhattan distance with one more coordinate", n)
	}
	sums := make([]float64, s.Len())
	for i := range sums {
		for _, x := range s.Vector(i) {
			sums[i] += float64(x)
		}
		if i == 0 || sums[i] > c {
			c = sums[i]
		}
	}
	rows = make([]float32, 0, len(s.Vectors)+len(sums))
	for i, sum := range sums {
		rows = append(append(rows, s.Vector(i)...), float32(c-sum))
	}
	return rows, c, nil
}

// WriteParquet writes a Parquet file with the columns id and vector. Its metadata hold the
// model under "greed.model" and the norm, as JSON, under "greed.norm".
func (s *Set) WriteParquet(w io.Writer) error {
	text, err := json.Marshal(s.Norm)
	if err != nil {
		return err
	}
	type row struct {
		ID     string    `parquet:"id"`
		Vector []float32 `parquet:"vector,list"`
	}
	rows := make([]row, s.Len())
	for i, id := range s.IDs {
		rows[i] = row{id, s.Vector(i)}
	}
	out := parquet.NewGenericWriter[row](w, parquet.KeyValueMetadata("greed.model", s.Model), parquet.KeyValueMetadata("greed.norm", string(text)))
	if _, err := out.Write(rows); err != nil {
		return err
	}
	return out.Close()
}
