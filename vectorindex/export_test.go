package vectorindex

import (
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// NewFlatAt is NewFlat at a level of instructions.
func NewFlatAt(n norm.Norm, vectors []float32, level kernel.Level) (*Flat, error) {
	return newFlat(n, vectors, kernel.At(level))
}

// NewBoxTreeAt is NewBoxTree at a level of instructions.
func NewBoxTreeAt(n norm.Norm, vectors []float32, level kernel.Level) (*BoxTree, error) {
	return newBoxTree(n, vectors, kernel.At(level))
}
