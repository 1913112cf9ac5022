package norm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/norm"
)

func drawNorm(t *rapid.T) norm.Norm {
	n := norm.Norm{
		Widths:  rapid.SliceOfN(rapid.IntRange(1, 5), 1, 4).Draw(t, "widths"),
		Kind:    rapid.SampledFrom([]norm.Kind{norm.L1, norm.L2}).Draw(t, "kind"),
		Combine: rapid.SampledFrom([]norm.Combine{norm.Sum, norm.Max}).Draw(t, "combine"),
		Hinge:   rapid.Bool().Draw(t, "hinge"),
	}
	if err := n.Check(); err != nil {
		t.Fatal(err)
	}
	return n
}

// drawVector draws multiples of 1/8 up to 16, whose differences are exact.
func drawVector(t *rapid.T, dim int, name string) []float32 {
	x := make([]float32, dim)
	for i := range x {
		x[i] = float32(rapid.IntRange(-128, 128).Draw(t, fmt.Sprintf("%s[%d]", name, i))) / 8
	}
	return x
}

// distanceByDefinition computes the blocks apart, then combines them.
func distanceByDefinition(n norm.Norm, q, x []float32) float64 {
	var blocks []float64
	at := 0
	for _, w := range n.Widths {
		sum := 0.0
		for i := at; i < at+w; i++ {
			d := float64(q[i]) - float64(x[i])
			if n.Hinge && d < 0 {
				d = 0
			}
			if n.Kind == norm.L1 {
				sum += math.Abs(d)
			} else {
				sum += d * d
			}
		}
		if n.Kind == norm.L2 {
			sum = math.Sqrt(sum)
		}
		blocks = append(blocks, sum)
		at += w
	}
	if n.Combine == norm.Max {
		return slices.Max(blocks)
	}
	total := 0.0
	for _, b := range blocks {
		total += b
	}
	return total
}

func TestDistanceByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNorm(t)
		q, x := drawVector(t, n.Dim(), "q"), drawVector(t, n.Dim(), "x")
		if got, want := n.Distance(q, x), distanceByDefinition(n, q, x); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestDistanceAxioms(t *testing.T) {
	const slack = 1e-12 // relative; sums of at most 20 exact differences
	rapid.Check(t, func(t *rapid.T) {
		n := drawNorm(t)
		x, y, z := drawVector(t, n.Dim(), "x"), drawVector(t, n.Dim(), "y"), drawVector(t, n.Dim(), "z")
		xy, yz, xz := n.Distance(x, y), n.Distance(y, z), n.Distance(x, z)
		if n.Distance(x, x) != 0 {
			t.Fatalf("distance to itself is %v", n.Distance(x, x))
		}
		if xy < 0 || xz > (xy+yz)*(1+slack) {
			t.Fatalf("triangle: %v > %v + %v", xz, xy, yz)
		}
		if !n.Hinge {
			if n.Distance(y, x) != xy {
				t.Fatalf("not symmetric: %v and %v", xy, n.Distance(y, x))
			}
			if xy == 0 && !slices.Equal(x, y) {
				t.Fatal("zero between different vectors")
			}
			return
		}
		both := n
		both.Hinge = false
		if xy > both.Distance(x, y) {
			t.Fatalf("hinge %v exceeds the norm %v", xy, both.Distance(x, y))
		}
		dominated := true
		for i := range x {
			dominated = dominated && x[i] <= y[i]
		}
		if dominated != (xy == 0) {
			t.Fatalf("distance %v, dominated %t", xy, dominated)
		}
	})
}

// TestHingeIsMonotone holds what box and quantisation bounds rest on: raising
// the target never raises the distance.
func TestHingeIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNorm(t)
		n.Hinge = true
		q, x := drawVector(t, n.Dim(), "q"), drawVector(t, n.Dim(), "x")
		before := n.Distance(q, x)
		for i, up := range drawVector(t, n.Dim(), "up") {
			x[i] += float32(math.Abs(float64(up)))
		}
		if after := n.Distance(q, x); after > before {
			t.Fatalf("%v rose to %v", before, after)
		}
	})
}

func TestDistanceExamples(t *testing.T) {
	q, x := []float32{3, 0, 1, 1}, []float32{0, 4, 1, 3}
	for _, c := range []struct {
		n    norm.Norm
		want float64
	}{
		{norm.Single(norm.L1, 4, false), 9},
		{norm.Single(norm.L2, 4, false), math.Sqrt(29)},
		{norm.Single(norm.L1, 4, true), 3},
		{norm.Norm{Widths: []int{2, 2}, Kind: norm.L2, Combine: norm.Sum}, 7},
		{norm.Norm{Widths: []int{2, 2}, Kind: norm.L2, Combine: norm.Max}, 5},
		{norm.Norm{Widths: []int{1, 3}, Kind: norm.L1, Combine: norm.Max, Hinge: true}, 3},
	} {
		if got := c.n.Distance(q, x); got != c.want {
			t.Errorf("%+v: %v, want %v", c.n, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for want, n := range map[string]norm.Norm{
		"l1":                 norm.Single(norm.L1, 64, false),
		"l1:max:8x8":         norm.Blocks(norm.L1, norm.Max, 8, 8, true),
		"l2:sum:100x2,44x1":  {Widths: []int{100, 100, 44}, Kind: norm.L2, Combine: norm.Sum},
		"l1:max:2x1,3x2,2x1": {Widths: []int{2, 3, 3, 2}, Kind: norm.L1, Combine: norm.Max},
	} {
		if got := n.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestDistanceOfUnusualNumbers: a coordinate that is not a number must not pass
// for a small distance.
func TestDistanceOfUnusualNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, kind := range []norm.Kind{norm.L1, norm.L2} {
		for _, combine := range []norm.Combine{norm.Sum, norm.Max} {
			for _, hinge := range []bool{false, true} {
				n := norm.Norm{Widths: []int{1, 1}, Kind: kind, Combine: combine, Hinge: hinge}
				for at := range 2 {
					q, x := []float32{1, 1}, []float32{0, 0}
					q[at] = nan
					if got := n.Distance(q, x); !math.IsNaN(got) {
						t.Errorf("%+v: NaN at %d gives %v", n, at, got)
					}
					q[at] = inf
					if got := n.Distance(q, x); !math.IsInf(got, 1) {
						t.Errorf("%+v: Inf at %d gives %v", n, at, got)
					}
				}
			}
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	good := norm.Norm{Widths: []int{64, norm.MaxBlock}, Kind: norm.L1, Combine: norm.Max}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for want, damage := range map[string]func(*norm.Norm){
		"no blocks":                  func(n *norm.Norm) { n.Widths = nil },
		"block of width 0":           func(n *norm.Norm) { n.Widths = []int{8, 0} },
		"block of width 101":         func(n *norm.Norm) { n.Widths = []int{101} },
		`unknown kind "l3"`:          func(n *norm.Norm) { n.Kind = "l3" },
		`unknown combination "mean"`: func(n *norm.Norm) { n.Combine = "mean" },
	} {
		n := good
		damage(&n)
		if err := n.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if n.Equal(good) {
			t.Errorf("%+v equals %+v", n, good)
		}
	}
}

func TestNormJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNorm(t)
		data, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var back norm.Norm
		if err := json.Unmarshal(data, &back); err != nil || !back.Equal(n) || !n.Equal(back) {
			t.Fatalf("%s read back as %+v, %v", data, back, err)
		}
		other := n
		other.Hinge = !n.Hinge
		if n.Equal(other) {
			t.Fatal("hinge does not count")
		}
		other = n
		other.Widths = append(slices.Clone(n.Widths[1:]), n.Widths[0]+1)
		if n.Equal(other) {
			t.Fatal("widths do not count")
		}
	})
}

func TestDistancePanicsOnLengths(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "norm: ") {
			t.Errorf("recovered %v", r)
		}
	}()
	norm.Single(norm.L2, 3, false).Distance(make([]float32, 3), make([]float32, 2))
}
