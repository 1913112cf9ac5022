package vectorindex

import (
	"math"
	"slices"
)

// build makes cells and boxes of vectors whose positions are arranged.
func (t *BoxTree) build() {
	boxes, first := t.buildCells()
	for i := range t.levels {
		copy(t.levels[i].first, first)
		boxes, first = t.buildLevel(&t.levels[i], boxes)
	}
}

// buildCells codes the vectors and returns the boxes of the cells, one after
// the other, and their least positions.
func (t *BoxTree) buildCells() (boxes []float32, first []int32) {
	count := (t.n + cellVectors - 1) / cellVectors
	boxes = make([]float32, 0, count*t.box.Dim())
	rows := make([]float32, 0, frameCells*cellVectors*t.dim)
	inner := make([]float32, 0, t.box.Dim())
	for from := 0; from < count; from += frameCells {
		rows = rows[:0]
		to := min(from+frameCells, count)
		for c := from; c < to; c++ {
			box, least := t.lowest(), int32(math.MaxInt32)
			for _, p := range t.cell(c) {
				rows = append(rows, t.vector(p)...)
				widen(box, t.appendBox(inner[:0], t.vector(p)))
				least = min(least, p)
			}
			boxes, first = append(boxes, box...), append(first, least)
		}
		t.cells.encode(from, rows, false, &t.kernel)
		for c := from; c < to; c++ {
			t.cells.slacks[c] += t.codingError(c)
		}
	}
	return boxes, first
}

// cell returns the positions of the vectors of a cell.
func (t *BoxTree) cell(c int) []int32 {
	return t.positions[c*cellVectors : min((c+1)*cellVectors, t.n)]
}

// lowest returns a box that holds nothing.
func (t *BoxTree) lowest() []float32 {
	return slices.Repeat([]float32{-math.MaxFloat32}, t.box.Dim())
}

// codingError returns the greatest distance from a vector of a cell to its coded
// form. By the triangle inequality, the distance to the coded form less this bounds
// the distance to the vector.
func (t *BoxTree) codingError(cell int) float64 {
	most := 0.0
	y, difference := make([]float64, t.dim), make([]float64, t.dim)
	for slot, p := range t.cell(cell) {
		t.cells.decode(y, cell, slot)
		for i, x := range t.vector(p) {
			difference[i] = float64(x) - y[i]
		}
		most = max(most, t.size(difference))
	}
	return most * (1 + 0x1p-40) // it was computed in float64
}

// size returns the norm of differences.
func (t *BoxTree) size(differences []float64) float64 {
	total := 0.0
	for _, w := range t.kernel.Widths {
		sum := 0.0
		for _, d := range differences[:w] {
			if t.kernel.Hinge {
				d = max(0, d)
			}
			if t.kernel.L2 {
				sum += d * d
			} else {
				sum += math.Abs(d)
			}
		}
		differences = differences[w:]
		if t.kernel.L2 {
			sum = math.Sqrt(sum)
		}
		if t.kernel.Max {
			total = max(total, sum)
		} else {
			total += sum
		}
	}
	return total
}

// buildLevel codes boxes, nodeBoxes to a node, and returns the boxes of the
// nodes with their least positions.
func (t *BoxTree) buildLevel(l *level, boxes []float32) (above []float32, firstAbove []int32) {
	coordinates := t.box.Dim()
	for from := 0; from < l.nodes; from += nodeBoxes {
		node, to := from/nodeBoxes, min(from+nodeBoxes, l.nodes)
		rows := boxes[from*coordinates : to*coordinates]
		l.boxes.encode(node, rows, true, &t.box)
		box, least := t.lowest(), int32(math.MaxInt32)
		for i := from; i < to; i++ {
			widen(box, boxes[i*coordinates:(i+1)*coordinates])
			least = min(least, l.first[i])
		}
		above = append(above, box...)
		firstAbove = append(firstAbove, least)
	}
	return above, firstAbove
}
