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

// SplitPoint is splitPoint, and the sizes that its units come from.
var SplitPoint = splitPoint

// CellVectors, FrameCells and NodeBoxes are the sizes of cells, frames and nodes.
const (
	CellVectors = cellVectors
	FrameCells  = frameCells
	NodeBoxes   = nodeBoxes
)
