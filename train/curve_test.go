package train

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/report"
)

// TestCurveOfResumedTraining: what is kept and read again, with steps that were done twice
// and a line that a kill cut short, is the curve of one uninterrupted training.
func TestCurveOfResumedTraining(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curve")
	step := func(trial string, n int, mae float64) Progress {
		return Progress{Trial: trial, Step: n, Loss: 2 * mae, Valid: Metrics{RMSE: mae + 1, MAE: mae}}
	}
	for _, p := range []Progress{step("l1", 100, 9), step("", 500, 3), step("", 1000, 2)} {
		if err := new(Curve).Add(p).Append(path); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"step":1500,"los`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	c, err := ReadCurve(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Add(step("", 1000, 1.5))
	c.Add(step("", 1500, 1))
	got := c.Section()
	want := []report.Point{{X: 500, Y: 3}, {X: 1000, Y: 1.5}, {X: 1500, Y: 1}}
	if d := cmp.Diff(want, got.Blocks[0].Plot.Series[1].Points); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]report.Point{{X: 100, Y: 9}}, got.Blocks[2].Plot.Series[0].Points); d != "" {
		t.Error(d)
	}
	if c, err := ReadCurve(path + "-none"); err != nil || len(c.points) != 0 {
		t.Errorf("no file: %v, %v", c, err)
	}
}
