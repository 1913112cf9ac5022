package eval

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestGridAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		scale := rapid.SampledFrom([]float64{1, 0.01, 0.3, 1000}).Draw(t, "scale")
		for i := range in.Pairs {
			in.Pairs[i].Lower *= scale
			in.Pairs[i].Upper *= scale
		}
		g := newGrid(in)
		if g.Distances.Bins > mostBins || g.Sizes.Bins > mostBins {
			t.Fatalf("%d distances, %d sizes", g.Distances.Bins, g.Sizes.Bins)
		}
		total, squares := 0, 0.0
		for s, row := range g.Cells {
			pairs := 0
			for _, c := range row {
				pairs += c.Pairs
				if c.Pairs > 0 {
					squares += float64(c.RMSE*c.RMSE) * float64(c.Pairs)
				}
			}
			if pairs != g.BySize[s].Pairs {
				t.Fatalf("%d pairs in the cells of a size, %d of the size", pairs, g.BySize[s].Pairs)
			}
			total += pairs
		}
		if total != len(in.Pairs) {
			t.Fatalf("%d of %d pairs are in cells", total, len(in.Pairs))
		}
		byTarget, squaresByTarget := 0, 0.0
		for i, c := range g.ByTarget {
			byTarget += c.Pairs
			if c.Pairs > 0 {
				squaresByTarget += float64(c.RMSE*c.RMSE) * float64(c.Pairs)
			}
			for _, p := range in.Pairs {
				if n := in.Targets[p.Target].N(); g.Targets.bin(float64(n)) == i && c.Pairs == 0 {
					t.Fatalf("a target of %d nodes, but none in its bin", n)
				}
			}
		}
		if byTarget != len(in.Pairs) || math.Abs(squares-squaresByTarget) > 1e-6*squares {
			t.Fatalf("%d of %d pairs are in sizes of targets, with squares %v of %v", byTarget, len(in.Pairs), squaresByTarget, squares)
		}
		r, err := Evaluate(in)
		if err != nil {
			t.Fatal(err)
		}
		sameFigure(t, "RMSE from cells", r.All.RMSE, math.Sqrt(squares/float64(total)))
		for _, p := range in.Pairs {
			i := g.Distances.bin(middle(p))
			if x := middle(p); math.Abs(x-g.Distances.Middle(i)) > g.Distances.Width*(0.5+1e-6) {
				t.Fatalf("%v is in the bin around %v", x, g.Distances.Middle(i))
			}
		}
	})
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		lowest, highest, finest float64
		want                    Axis
	}{
		{0, 8, 1, Axis{0, 1, 9}},
		{0, 24, 1, Axis{0, 1, 25}},
		{0, 25, 1, Axis{0, 2, 13}},
		{5, 25, 1, Axis{5, 1, 21}},
		{7, 620, 1, Axis{0, 50, 13}},
		{0, 0, 1, Axis{0, 1, 1}},
		{0, 0, 0, Axis{0, 1, 1}},
		{0, 2, 0, Axis{0, 0.1, 21}},
	} {
		if got := newAxis(c.lowest, c.highest, c.finest); got != c.want {
			t.Errorf("%v to %v, at least %v: %v, want %v", c.lowest, c.highest, c.finest, got, c.want)
		}
	}
}
