package vectorindex

import (
	"fmt"
	"math"
)

// Check returns an error unless every position occurs once, and every vector
// lies inside the boxes around it and as near to its codes as the slack says.
func (t *BoxTree) Check() error {
	seen := make([]bool, t.n)
	for _, p := range t.positions {
		if p < 0 || int(p) >= t.n || seen[p] {
			return fmt.Errorf("vectorindex: position %d is missing or occurs twice", p)
		}
		seen[p] = true
	}
	for cell := range (t.n + cellVectors - 1) / cellVectors {
		if e := t.codingError(cell); e > t.cells.slacks[cell] {
			return fmt.Errorf("vectorindex: cell %d is coded with an error of %g, more than the slack %g", cell, e,
				t.cells.slacks[cell])
		}
		for _, p := range t.cell(cell) {
			if err := t.checkBoxes(cell, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkBoxes checks the boxes around a vector of a cell.
func (t *BoxTree) checkBoxes(cell int, p int32) error {
	inner := t.appendBox(nil, t.vector(p))
	box := make([]float64, len(inner))
	node := cell
	for h, l := range t.levels {
		if l.first[node] > p {
			return fmt.Errorf("vectorindex: vector %d comes before the first of box %d at height %d", p, node, h)
		}
		if group := node / nodeBoxes; !math.IsInf(l.boxes.slacks[group], 1) {
			l.boxes.decode(box, group, node%nodeBoxes)
			for i, x := range inner {
				if float64(x) > box[i] {
					return fmt.Errorf("vectorindex: vector %d outside box %d at height %d", p, node, h)
				}
			}
		}
		node /= nodeBoxes
	}
	return nil
}
