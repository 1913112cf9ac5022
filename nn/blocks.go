package nn

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
func (t *Tape) BlockRows(x *Var, b *Blocks) *Var { return t.runs(x, b.X, b.Rows()) }

// BlockCols returns the rows of y that belong to the columns of the blocks, one block
// after the other: [Cols, C].
func (t *Tape) BlockCols(y *Var, b *Blocks) *Var { return t.runs(y, b.Y, b.Cols()) }

// runs copies runs of rows of x, count in all.
func (t *Tape) runs(x *Var, runs [][2]int32, count int) *Var {
	out := t.result(count, x.Cols)
	at := 0
	for _, r := range runs {
		at += copy(out.Value[at:], x.Value[int(r[0])*x.Cols:int(r[1])*x.Cols])
	}
	return t.record(record{back: backRuns, x: x, out: out, spans: runs})
}

func backRuns(t *Tape, r *record) {
	at, c := 0, r.x.Cols
	for _, s := range r.spans {
		n := int(s[1]-s[0]) * c
		t.ops.Add(r.x.Grad[int(s[0])*c:][:n], r.out.Grad[at:][:n])
		at += n
	}
}

// CellDots returns the inner products of the rows that meet in each cell: [cells, 1].
// x and y have the same width.
func (t *Tape) CellDots(x, y *Var, b *Blocks) *Var {
	mustMatch("number of columns", y.Cols, x.Cols)
	out := t.result(b.Cells(), 1)
	c, at := x.Cols, 0
	for k := range b.X {
		for i := int(b.X[k][0]); i < int(b.X[k][1]); i++ {
			for j := int(b.Y[k][0]); j < int(b.Y[k][1]); j++ {
				out.Value[at] = float32(t.ops.Dot(x.Value[i*c:][:c], y.Value[j*c:][:c]))
				at++
			}
		}
	}
	return t.record(record{back: backCellDots, x: x, y: y, out: out, blocks: b})
}

func backCellDots(t *Tape, r *record) {
	b, c, at := r.blocks, r.x.Cols, 0
	for k := range b.X {
		for i := int(b.X[k][0]); i < int(b.X[k][1]); i++ {
			for j := int(b.Y[k][0]); j < int(b.Y[k][1]); j++ {
				if g := r.out.Grad[at]; g != 0 {
					t.ops.Axpy(r.x.Grad[i*c:][:c], g, r.y.Value[j*c:][:c])
					t.ops.Axpy(r.y.Grad[j*c:][:c], g, r.x.Value[i*c:][:c])
				}
				at++
			}
		}
	}
}

// CellSums returns, for every row of every block, the sum of the rows of y in its
// block, each times its cell of w, [cells, 1]: [Rows, C]. With weights that are a
// [Tape.SegmentSoftmax] over [Blocks.Row] it is attention.
func (t *Tape) CellSums(w, y *Var, b *Blocks) *Var {
	mustMatch("number of cells", w.Rows, b.Cells())
	out := t.result(b.Rows(), y.Cols)
	clear(out.Value)
	c, at, row := y.Cols, 0, 0
	for k := range b.X {
		for range b.X[k][1] - b.X[k][0] {
			for j := int(b.Y[k][0]); j < int(b.Y[k][1]); j++ {
				t.ops.Axpy(out.Value[row*c:][:c], w.Value[at], y.Value[j*c:][:c])
				at++
			}
			row++
		}
	}
	return t.record(record{back: backCellSums, x: w, y: y, out: out, blocks: b})
}

func backCellSums(t *Tape, r *record) {
	b, c, at, row := r.blocks, r.y.Cols, 0, 0
	for k := range b.X {
		for range b.X[k][1] - b.X[k][0] {
			grad := r.out.Grad[row*c:][:c]
			for j := int(b.Y[k][0]); j < int(b.Y[k][1]); j++ {
				r.x.Grad[at] += float32(t.ops.Dot(grad, r.y.Value[j*c:][:c]))
				t.ops.Axpy(r.y.Grad[j*c:][:c], r.x.Value[at], grad)
				at++
			}
			row++
		}
	}
}
