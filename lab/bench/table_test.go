package bench

import (
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	yes, no := true, false
	table := Table{Scale: 0.1, Interrupted: true, Rows: []Row{
		{
			Name: "ged/x", Pairs: 7840, Runs: 3, Core: 0.5,
			Figures: []Figure{
				{Name: "time a pair", Unit: unitMicros, Value: 18.234, Target: &Target{AtMost, 20}, Met: &yes},
				{Name: "proven", Unit: unitShare, Value: 0.99995, Target: &Target{AtLeast, 1}, Met: &no},
				{Name: "MAE", Unit: unitEdits, Value: 0.0512, Target: &Target{Published, 0.052}},
			},
			Open: []OpenPair{{"a", "b", 3, 5}},
		},
		{Name: "ged/y", Skipped: "no such file"},
	}}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `| row   | pairs | runs | core | figure      | measured     | target                |        |
|-------|-------|------|------|-------------|--------------|-----------------------|--------|
| ged/x | 7840  | 3    | 50 % | time a pair | 18.2 µs      | at most 20 µs         | met    |
|       |       |      |      | proven      | 99.995 %     | at least 100 %        | missed |
|       |       |      |      | MAE         | 0.0512 edits | published 0.052 edits |        |
| ged/y |       | 0    |      |             |              |                       |        |

- Only 10 % of the pairs were measured (--pairs-scale): a quick look, not the full measurement.
- Interrupted: rows with fewer pairs or runs, or none, were not measured to the end.
- ged/x: query a, target b not solved: 3 to 5
- ged/y was skipped: no such file
- Other programs ran on this core, too (see the column core): alone, the pairs would have taken less time, and more of them would have been solved within the limit.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{
		{0, "", "0"},
		{0.002, "", "0.002"},
		{0.00123456, "", "0.00123"},
		{20, unitMicros, "20 µs"},
		{12345.6, unitMillis, "12346 ms"},
		{1, unitShare, "100 %"},
		{1.2, unitShare, "120 %"},
		{0.9946, unitShare, "99.46 %"},
		{1 - 1.0/78400, unitShare, "99.998 %"},
	} {
		if got := quantity(c.x, c.unit); got != c.want {
			t.Errorf("quantity(%v, %q) = %s, want %s", c.x, c.unit, got, c.want)
		}
	}
}
