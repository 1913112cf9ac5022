package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNearestNode(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for n := range 40 {
		for _, size := range []int{3, 1000, 1 << 58} { // few distances make ties
			values := func() []int {
				v := make([]int, n+2)
				for i := range v {
					v[i] = rng.IntN(size)
				}
				return v
			}
			dist, from, length, gain := values(), values(), values(), values()
			for y := range dist {
				if rng.IntN(4) == 0 {
					dist[y] = -1 << 62
				}
				if rng.IntN(4) == 0 {
					gain[y] = -1 << 60
				}
			}
			line, origin, most := size+rng.IntN(size), rng.IntN(size), 1+rng.IntN(2*size)
			wantDist, wantFrom := slices.Clone(dist), slices.Clone(from)
			at, nearest := -1, most
			for y := 1; y <= n; y++ {
				if x := line + length[y] - gain[y]; x < dist[y] {
					wantDist[y], wantFrom[y] = x, origin
				}
				if d := wantDist[y] & math.MaxInt; d < nearest {
					at, nearest = y-1, d
				}
			}
			for _, level := range Levels() {
				gotDist, gotFrom := slices.Clone(dist), slices.Clone(from)
				in := func(s []int) []int { return s[1 : n+1] }
				place, distance := At(level).NearestNode(in(gotDist), in(gotFrom), in(length), in(gain), line, origin, most)
				if place != at || distance != nearest || !slices.Equal(gotDist, wantDist) || !slices.Equal(gotFrom, wantFrom) {
					t.Fatalf("%v, %d nodes up to %d: node %d at %d, want %d at %d\n%v\n%v\n%v\n%v", level, n, size, place, distance, at, nearest, gotDist, wantDist, gotFrom, wantFrom)
				}
			}
		}
	}
}

func BenchmarkNearestNode(b *testing.B) {
	dist, from, length, gain := make([]int, 81), make([]int, 81), make([]int, 81), make([]int, 81)
	rng := rand.New(rand.NewPCG(4, 4))
	for y := range dist {
		dist[y], length[y], gain[y] = rng.IntN(1000), rng.IntN(1000), rng.IntN(1000)
	}
	for _, level := range Levels() {
		b.Run(level.String(), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				At(level).NearestNode(dist, from, length, gain, 1000+i&1023, 1, 1000)
			}
		})
	}
}
