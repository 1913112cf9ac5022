package ops

import "github.com/greedgraph/greed/nn"

// Blocks pairs runs of rows of two matrices: block k is the rows of one from X[k]
// and the rows of another from Y[k], and has a cell for each row of the first with
// each row of the second. Cells of all blocks are one column, block after block, each
// row-major.
type Blocks struct {
	X, Y [][2]int32 // [K] the first row and the one after the last
	Row  []int32    // [rows+1] cells of row r, counted over all blocks, are Row[r]:Row[r+1]
	Col  []int32    // [K+1] columns of block k, counted over all blocks, are Col[k]:Col[k+1]
	Of   []int32    // [K+1] rows of block k are Of[k]:Of[k+1]
}

// Reset empties the blocks, keeping their memory.
func (b *Blocks) Reset() {
	b.X, b.Y = b.X[:0], b.Y[:0]
	b.Row, b.Col, b.Of = append(b.Row[:0], 0), append(b.Col[:0], 0), append(b.Of[:0], 0)
}

// Add appends a block.
func (b *Blocks) Add(xBegin, xEnd, yBegin, yEnd int32) {
	b.X = append(b.X, [2]int32{xBegin, xEnd})
	b.Y = append(b.Y, [2]int32{yBegin, yEnd})
	for range xEnd - xBegin {
		b.Row = append(b.Row, b.Row[len(b.Row)-1]+yEnd-yBegin)
	}
	b.Col = append(b.Col, b.Col[len(b.Col)-1]+yEnd-yBegin)
	b.Of = append(b.Of, int32(len(b.Row)-1))
}

// Len returns the number of blocks.
func (b *Blocks) Len() int { return len(b.X) }

// Cells returns the number of cells.
func (b *Blocks) Cells() int { return int(b.Row[len(b.Row)-1]) }

// Rows returns the number of rows of all blocks together.
func (b *Blocks) Rows() int { return len(b.Row) - 1 }

// Cols returns the number of columns of all blocks together.
func (b *Blocks) Cols() int { return int(b.Col[len(b.Col)-1]) }

// BlockRows returns the rows of x that belong to the blocks, one block after the
// other: [Rows, C].
func BlockRows(t *nn.Tape, x *nn.Var, b *Blocks) *nn.Var { return runs(t, x, b.X, b.Rows()) }

// BlockCols returns the rows of y that belong to the columns of the blocks, one block
// after the other: [Cols, C].
func BlockCols(t *nn.Tape, y *nn.Var, b *Blocks) *nn.Var { return runs(t, y, b.Y, b.Cols()) }

// runs copies runs of rows of x, count in all.
func runs(t *nn.Tape, x *nn.Var, runs [][2]int32, count int) *nn.Var {
	out := t.Output(count, x.Cols)
	at, c := 0, x.Cols
	for _, r := range runs {
		at += copy(out.Value[at:], x.Value[int(r[0])*c:int(r[1])*c])
	}
	return t.Then(out, func() {
		at := 0
		for _, s := range runs {
			n := int(s[1]-s[0]) * c
			t.Ops().Add(x.Grad[int(s[0])*c:][:n], out.Grad[at:][:n])
			at += n
		}
	})
}

// cells calls visit for every cell, in order, with the rows of the two matrices that meet in it
// and the row of the blocks that it is in.
func (b *Blocks) cells(visit func(cell, i, j, row int)) {
	cell, row := 0, 0
	for k := range b.X {
		for i := b.X[k][0]; i < b.X[k][1]; i++ {
			for j := b.Y[k][0]; j < b.Y[k][1]; j++ {
				visit(cell, int(i), int(j), row)
				cell++
			}
			row++
		}
	}
}

// CellDots returns the inner products of the rows that meet in each cell: [cells, 1].
// x and y have the same width.
func CellDots(t *nn.Tape, x, y *nn.Var, b *Blocks) *nn.Var {
	mustMatch("number of columns", y.Cols, x.Cols)
	out, c, ops := t.Output(b.Cells(), 1), x.Cols, t.Ops()
	b.cells(func(cell, i, j, _ int) {
		out.Value[cell] = float32(ops.Dot(x.Value[i*c:][:c], y.Value[j*c:][:c]))
	})
	return t.Then(out, func() {
		b.cells(func(cell, i, j, _ int) {
			if g := out.Grad[cell]; g != 0 {
				ops.Axpy(x.Grad[i*c:][:c], g, y.Value[j*c:][:c])
				ops.Axpy(y.Grad[j*c:][:c], g, x.Value[i*c:][:c])
			}
		})
	})
}

// CellSums returns, for every row of every block, the sum of the rows of y in its
// block, each times its cell of w, [cells, 1]: [Rows, C]. With weights that are a
// [SegmentSoftmax] over [Blocks.Row] it is attention.
func CellSums(t *nn.Tape, w, y *nn.Var, b *Blocks) *nn.Var {
	mustMatch("number of cells", w.Rows, b.Cells())
	out, c, ops := t.Output(b.Rows(), y.Cols), y.Cols, t.Ops()
	clear(out.Value)
	b.cells(func(cell, _, j, row int) { ops.Axpy(out.Value[row*c:][:c], w.Value[cell], y.Value[j*c:][:c]) })
	return t.Then(out, func() {
		b.cells(func(cell, _, j, row int) {
			grad := out.Grad[row*c:][:c]
			w.Grad[cell] += float32(ops.Dot(grad, y.Value[j*c:][:c]))
			ops.Axpy(y.Grad[j*c:][:c], w.Value[cell], grad)
		})
	})
}
