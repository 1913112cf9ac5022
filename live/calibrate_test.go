package live_test

import (
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
)

// TestCalibrationOfAnother: whoever has an index open takes up its calibrations with the next refresh, also together
// with changes and after its own, keeps its vectors, and can change the index afterwards.
func TestCalibrationOfAnother(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(20))
	one, two := open(t, dir), open(t, dir)
	radius := func(c *live.Collection) float64 {
		t.Helper()
		now := c.Acquire()
		defer now.Release()
		m := now.Model(edit.GED)
		row, _, err := now.Vectors(background(), edit.GED)
		if err != nil || len(row(now.Positions()-1)) != m.Norm().Dim() {
			t.Fatalf("the last vector is of another model: %v", err)
		}
		if print := now.Fingerprint(edit.GED); print != m.Fingerprint() || print == "" {
			t.Errorf("the model %s is called %s", m.Fingerprint(), print)
		}
		if m.Calibration() == nil {
			return 0
		}
		return m.Calibration().Radius
	}
	calibrate := func(c *live.Collection, radius float64) {
		t.Helper()
		_, err := c.Calibrate(background(), edit.GED, &model.Calibration{Radius: radius})
		must(t, err)
	}
	put := func(c *live.Collection, id string) {
		t.Helper()
		_, err := c.Apply(background(), live.Change{Put: []live.Record{record(id, 1)}})
		must(t, err)
	}
	graphs := func(c *live.Collection) int {
		now := c.Acquire()
		defer now.Release()
		return now.Len()
	}
	refresh := func(c *live.Collection) {
		t.Helper()
		_, err := c.Refresh(background())
		must(t, err)
	}
	if radius(two) != 0 {
		t.Fatal("the index is calibrated")
	}
	calibrate(one, 3)
	put(two, "before") // its change takes up the calibration
	refresh(two)
	if got := radius(two); got != 3 {
		t.Errorf("after the calibration of another: a radius of %v", got)
	}
	put(one, "more")
	calibrate(one, 4)
	before := two.Tag()
	refresh(two)
	if after := two.Tag(); after == before || after != one.Tag() {
		t.Errorf("the state %s became %s, and is %s", before, after, one.Tag())
	}
	if got := radius(two); got != 4 || graphs(two) != 22 {
		t.Errorf("with a change: a radius of %v, %d graphs", got, graphs(two))
	}
	calibrate(two, 5)
	refresh(one)
	put(one, "last")
	if got := radius(one); got != 5 || graphs(one) != 23 {
		t.Errorf("the other way: a radius of %v, %d graphs", got, graphs(one))
	}
}
