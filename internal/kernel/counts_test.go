package kernel

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func randomBytes(rng *rand.Rand, n, most int) []uint8 {
	off := rng.IntN(5)
	b := make([]uint8, off+n)[off:]
	for i := range b {
		b[i] = uint8(rng.IntN(most + 1))
	}
	return b
}

func TestCompareCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, widths := range [][]int{{1}, {2, 1}, {1, 16, 8, 8}, {64, 3}} {
		for _, most := range []int{0, 3, 40, 255} {
			n := 0
			for _, w := range widths {
				n += w
			}
			q, low := randomBytes(rng, n, most), randomBytes(rng, n*CountLane, most)
			high := randomBytes(rng, n*CountLane, most)
			for i := range high {
				high[i] = max(high[i], low[i])
			}
			for _, bounds := range [][2][]uint8{{low, low}, {low, high}} {
				for _, level := range Levels() {
					checkCounts(t, At(level), q, bounds[0], bounds[1], widths)
				}
			}
		}
	}
}

func checkCounts(t *testing.T, o Ops, q, low, high []uint8, widths []int) {
	t.Helper()
	size := len(widths) * CountLane
	over, under := bytes.Repeat([]byte{7}, size+2), bytes.Repeat([]byte{7}, size+2)
	o.CompareCounts(over[1:1+size], under[1:1+size], q, low, high, widths)
	if over[0] != 7 || over[size+1] != 7 || under[0] != 7 || under[size+1] != 7 {
		t.Fatalf("%v, %v: a guard changed", o.Level(), widths)
	}
	at := 0
	for g, w := range widths {
		for v := range CountLane {
			more, less := 0, 0
			for i := at; i < at+w; i++ {
				more += max(0, int(q[i])-int(high[i*CountLane+v]))
				less += max(0, int(low[i*CountLane+v])-int(q[i]))
			}
			if a, b := over[1+g*CountLane+v], under[1+g*CountLane+v]; int(a) != min(255, more) || int(b) != min(255, less) {
				t.Fatalf("%v, %v, group %d, vector %d: %d and %d, want %d and %d", o.Level(), widths, g, v, a, b, more, less)
			}
		}
		at += w
	}
}

func TestFewEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	some, none := 0, 0
	for trial := range 400 {
		top := []int{2, 6, 40, 255}[trial%4]
		over, under := randomBytes(rng, 5*CountLane, top), randomBytes(rng, 4*CountLane, top)
		use := randomBytes(rng, 8, 1)
		for i := range use {
			use[i] *= 255
		}
		most := uint8(rng.IntN(min(256, 2*top+2)))
		want := uint64(0)
		for v := range CountLane {
			at := func(side []uint8, g, mask int) int { return int(side[g*CountLane+v] & use[mask]) }
			nodes := max(at(over, 0, 0), at(over, 1, 1), at(under, 0, 4), at(under, 1, 5))
			edges := max(at(over, 2, 2), at(under, 2, 6), (at(over, 3, 3)+1)/2+(at(under, 3, 7)+1)/2)
			if most == 255 || nodes+edges <= int(most) { // sums are saturated
				want |= 1 << v
			}
		}
		for _, level := range Levels() {
			if got := At(level).FewEdits(over, under, use, most); got != want {
				t.Fatalf("%v, at most %d, use %v: %b, want %b", level, most, use, got, want)
			}
		}
		if want == 0 {
			none++
		} else if want != math.MaxUint64 {
			some++
		}
	}
	if some < 50 || none < 20 {
		t.Errorf("%d trials with some lanes, %d with none", some, none)
	}
}

func BenchmarkCompareCounts(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	widths := []int{1, 16, 8, 8}
	q, low := randomBytes(rng, 33, 30), randomBytes(rng, 33*CountLane, 30)
	over, under := make([]uint8, len(widths)*CountLane), make([]uint8, len(widths)*CountLane)
	for _, level := range Levels() {
		o := At(level)
		b.Run(fmt.Sprintf("level=%v", level), func(b *testing.B) {
			for b.Loop() {
				o.CompareCounts(over, under, q, low, low, widths)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/CountLane, "ns/vector")
		})
		b.Run(fmt.Sprintf("few/level=%v", level), func(b *testing.B) {
			use := []uint8{255, 255, 255, 255, 255, 255, 255, 255}
			for b.Loop() {
				o.FewEdits(over, under, use, 4)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/CountLane, "ns/vector")
		})
	}
}
