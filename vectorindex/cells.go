package vectorindex

import (
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// cells holds the vectors of a [BoxTree] in 8 bits a coordinate, by cells of
// cellVectors.
type cells interface {
	// encode makes the cells of a frame, from the given one on, of rows,
	// [count, dim].
	encode(cell int, rows []float32)
	// decode writes to dst, [dim], what a slot of a cell stands for.
	decode(dst []float64, cell, slot int)
	// slack holds for each cell what must be subtracted from a screened distance
	// to bound the distance to the vector. encode sets it for the rounding of the
	// kernel; the tree adds the error of coding.
	slack() []float64
	// prefetch asks for the memory of a cell.
	prefetch(cell int)
	// bytes returns the size of a cell with its frame.
	bytes() int
	// query returns a query without a vector, for one goroutine.
	query(ops kernel.Ops) cellQuery
}

// cellQuery is a query to cells.
type cellQuery interface {
	// set gives the query its vector.
	set(vector []float32)
	// screen computes the distances to what the codes of a cell stand for, as
	// kernel.Ops.Screen would.
	screen(dst *[cellVectors]float32, cell int)
}

// newCells returns room for count cells. ℓ1 norms get a grid, with one step for
// all coordinates, because it sums differences of codes several times as fast;
// other norms get a step for each coordinate.
func newCells(m *memory, n norm.Norm, count int) cells {
	if n.Kind == norm.L1 {
		return newGrid(m, n, count)
	}
	return &codedCells{newCoded(m, count, cellVectors, n.Dim(), frameCells), kernelNorm(n)}
}

// codedCells are cells with a step for each coordinate.
type codedCells struct {
	coded
	norm kernel.Norm
}

func (c *codedCells) encode(cell int, rows []float32) { c.coded.encode(cell, rows, false, &c.norm) }

func (c *codedCells) slack() []float64 { return c.slacks }

func (c *codedCells) prefetch(cell int) {
	codes, _ := c.group(cell)
	kernel.Prefetch(codes.Base)
	kernel.Prefetch(codes.Step)
	kernel.Prefetch(codes.Codes)
}

func (c *codedCells) query(ops kernel.Ops) cellQuery { return &codedQuery{cells: c, ops: ops} }

type codedQuery struct {
	cells  *codedCells
	ops    kernel.Ops
	vector []float32
}

func (q *codedQuery) set(vector []float32) { q.vector = vector }

func (q *codedQuery) screen(dst *[cellVectors]float32, cell int) {
	codes, _ := q.cells.group(cell)
	q.ops.ScreenCodes(dst[:], q.vector, &codes, &q.cells.norm)
}
