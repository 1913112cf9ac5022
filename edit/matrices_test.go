package edit

import "testing"

// TestElementsWithEqualCostsShareLabels keeps the solver's fast case: costs that
// labels can say need no table.
func TestElementsWithEqualCostsShareLabels(t *testing.T) {
	match := ElementCosts{ // C C O against O C N, by element
		Substitute: []float64{2, 0, 2, 2, 0, 2, 0, 2, 2},
		Delete:     []float64{3, 3, 3}, Insert: []float64{4, 4, 4},
	}
	l := match.label()
	if l.table != nil || l.del != 3 || l.ins != 4 || l.sub != 2 {
		t.Fatalf("labelled %+v, want three numbers", l)
	}
	if l.query[0] != l.query[1] || l.query[0] != l.target[1] || l.query[2] != l.target[0] || l.target[2] == l.target[0] {
		t.Errorf("labels are %v and %v", l.query, l.target)
	}
	match.Insert[0] = 5
	if l := match.label(); l.table == nil {
		t.Errorf("labelled %+v without a table", l)
	}
}
