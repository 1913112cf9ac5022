package growth

import "testing"

var sink int

// TestMeasures: what grows with the square of its input is found, and what grows with its
// input is not.
func TestMeasures(t *testing.T) {
	loop := func(times func(n int) int) func(int) func() {
		return func(n int) func() {
			return func() {
				for i := range times(n) {
					sink += i ^ sink
				}
			}
		}
	}
	e := extentOf()
	if r := e.measure(Case{Element: "line", Make: loop(func(n int) int { return 100 * n })}); r.Factor > e.allowed || r.Factor < 1.3 {
		t.Errorf("linear work: %+v", r)
	}
	if r := e.measure(Case{Element: "square", Make: loop(func(n int) int { return n * n })}); r.Factor <= e.allowed {
		t.Errorf("quadratic work: %+v", r)
	}
	if r := e.measure(Case{Element: "nothing", Make: loop(func(int) int { return 1 })}); r.Factor > e.allowed {
		t.Errorf("constant work: %+v", r)
	}
}
