package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomArcs returns the arcs of a random undirected graph, each with its
// opposite, and their labels.
func randomArcs(rng *rand.Rand, nodes, edges, labels int) (Lists, []int32) {
	type arc struct{ to, label int32 }
	adjacent := make([][]arc, nodes)
	for range edges {
		u, v, l := rng.IntN(nodes), rng.IntN(nodes), int32(rng.IntN(labels))
		adjacent[u] = append(adjacent[u], arc{int32(v), l})
		adjacent[v] = append(adjacent[v], arc{int32(u), l})
	}
	lists, text := Lists{Start: []int32{0}, Index: []int32{}}, []int32{}
	for _, arcs := range adjacent {
		for _, a := range arcs {
			lists.Index = append(lists.Index, a.to)
			text = append(text, a.label)
		}
		lists.Start = append(lists.Start, int32(len(lists.Index)))
	}
	return lists, text
}

func copyMatrix(m Matrix) Matrix { return Matrix{slices.Clone(m.Data), m.Stride} }

// sameBits compares all values, guards included; NaN equals NaN.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) && !(got[i] != got[i] && want[i] != want[i]) {
			t.Fatalf("%s: value %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func sumRowsScalar(dst, src Matrix, width int, lists Lists, self float32, accumulate bool) {
	for r := range lists.Len() {
		for c := range width {
			s := float32(0)
			if self != 0 {
				s = self * src.Data[r*src.Stride+c]
			}
			for e := lists.Start[r]; e < lists.Start[r+1]; e++ {
				i := e
				if lists.Index != nil {
					i = lists.Index[e]
				}
				s += src.Data[int(i)*src.Stride+c]
			}
			if accumulate {
				s = dst.Data[r*dst.Stride+c] + s
			}
			dst.Data[r*dst.Stride+c] = s
		}
	}
}

func TestSumRowsScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, level := range Levels() {
		for width := 0; width <= 10*Lane; width += Lane {
			for range 8 {
				nodes := 1 + rng.IntN(12)
				lists, _ := randomArcs(rng, nodes, rng.IntN(20), 1)
				if rng.IntN(3) == 0 {
					lists.Index = nil
					for i := range lists.Start {
						lists.Start[i] = min(lists.Start[i], int32(nodes))
					}
				}
				src, dst := randomMatrix(rng, nodes, width), randomMatrix(rng, nodes, width)
				spoil(rng, src.Data)
				self := []float32{0, 1, 1.3}[rng.IntN(3)]
				accumulate := rng.IntN(2) == 0
				want := copyMatrix(dst)
				sumRowsScalar(want, src, width, lists, self, accumulate)
				At(level).SumRows(dst, src, width, lists, self, accumulate)
				sameBits(t, fmt.Sprintf("%v, width %d, %d nodes, self %v, accumulate %t", level, width, nodes, self, accumulate), dst.Data, want.Data)
			}
		}
	}
}

// spoil puts in NaN and infinities at times.
func spoil(rng *rand.Rand, v []float32) {
	if len(v) == 0 || rng.IntN(4) > 0 {
		return
	}
	for range 3 {
		v[rng.IntN(len(v))] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}[rng.IntN(3)]
	}
}

func TestSumMessagesScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, level := range Levels() {
		o := At(level)
		for width := 0; width <= 10*Lane; width += Lane {
			for range 8 {
				nodes, labels := 1+rng.IntN(12), 1+rng.IntN(4)
				m := &Messages{Width: width, Self: []float32{0, 1, 1.3}[rng.IntN(3)]}
				m.Arcs, m.Label = randomArcs(rng, nodes, rng.IntN(20), labels)
				m.Src, m.Table = randomMatrix(rng, nodes, width), randomMatrix(rng, labels, width)
				spoil(rng, m.Src.Data)
				what := fmt.Sprintf("%v, width %d, %d nodes, self %v", level, width, nodes, m.Self)

				dst := randomMatrix(rng, nodes, width)
				want := copyMatrix(dst)
				messagesScalar(want, m)
				o.SumMessages(dst, m)
				sameBits(t, what, dst.Data, want.Data)

				grad, dSrc, dTable := randomMatrix(rng, nodes, width), randomMatrix(rng, nodes, width), randomMatrix(rng, labels, width)
				wantSrc, wantTable := copyMatrix(dSrc), copyMatrix(dTable)
				messagesGradScalar(wantSrc, wantTable, grad, m)
				o.SumMessagesGrad(dSrc, dTable, grad, m)
				sameBits(t, what+", dSrc", dSrc.Data, wantSrc.Data)
				sameBits(t, what+", dTable", dTable.Data, wantTable.Data)
			}
		}
	}
}

func messagesScalar(dst Matrix, m *Messages) {
	for v := range m.Arcs.Len() {
		for c := range m.Width {
			s := float32(0)
			if m.Self != 0 {
				s = m.Self * m.Src.Data[v*m.Src.Stride+c]
			}
			for e := m.Arcs.Start[v]; e < m.Arcs.Start[v+1]; e++ {
				y := m.Src.Data[int(m.Arcs.Index[e])*m.Src.Stride+c] + m.Table.Data[int(m.Label[e])*m.Table.Stride+c]
				if y < 0 {
					y = 0
				}
				s += y
			}
			dst.Data[v*dst.Stride+c] = s
		}
	}
}

func messagesGradScalar(dSrc, dTable, grad Matrix, m *Messages) {
	for u := range m.Arcs.Len() {
		for c := range m.Width {
			s := float32(0)
			if m.Self != 0 {
				s = m.Self * grad.Data[u*grad.Stride+c]
			}
			for e := m.Arcs.Start[u]; e < m.Arcs.Start[u+1]; e++ {
				l := int(m.Label[e])
				g := float32(0)
				if m.Src.Data[u*m.Src.Stride+c]+m.Table.Data[l*m.Table.Stride+c] > 0 {
					g = grad.Data[int(m.Arcs.Index[e])*grad.Stride+c]
				}
				s += g
				dTable.Data[l*dTable.Stride+c] += g
			}
			dSrc.Data[u*dSrc.Stride+c] = s
		}
	}
}

// TestSumLong crosses the parts in which the assembly is called.
func TestSumLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	nodes := 9001
	lists, label := randomArcs(rng, nodes, 2*nodes, 3)
	src, grad, table := randomMatrix(rng, nodes, Lane), randomMatrix(rng, nodes, Lane), randomMatrix(rng, 3, Lane)
	m := &Messages{Arcs: lists, Label: label, Src: src, Table: table, Width: Lane, Self: 1.5}
	results := map[Level][]Matrix{}
	for _, level := range Levels() {
		o := At(level)
		zero := func(rows int) Matrix { return Matrix{make([]float32, rows*Lane), Lane} }
		a, b, c, d := zero(nodes), zero(nodes), zero(nodes), zero(3)
		o.SumRows(a, src, Lane, lists, 1.5, false)
		o.SumMessages(b, m)
		o.SumMessagesGrad(c, d, grad, m)
		results[level] = []Matrix{a, b, c, d}
		for i, r := range results[level] {
			sameBits(t, fmt.Sprintf("%v, result %d", level, i), r.Data, results[Generic][i].Data)
		}
	}
}

func TestSumBadIndex(t *testing.T) {
	for _, level := range Levels() {
		for _, bad := range []int32{-1, 2, math.MaxInt32, math.MinInt32} {
			o := At(level)
			x := Matrix{make([]float32, 2*Lane), Lane}
			dst := Matrix{make([]float32, 2*Lane), Lane}
			lists := Lists{Start: []int32{0, 1, 1}, Index: []int32{bad}}
			good := Lists{Start: []int32{0, 1, 1}, Index: []int32{0}}
			panics(t, func() { o.SumRows(dst, x, Lane, lists, 1, false) })
			for _, m := range []*Messages{
				{Arcs: lists, Label: []int32{0}, Src: x, Table: x, Width: Lane, Self: 1},
				{Arcs: good, Label: []int32{bad}, Src: x, Table: x, Width: Lane, Self: 1},
			} {
				panics(t, func() { o.SumMessages(dst, m) })
				panics(t, func() { o.SumMessagesGrad(dst, x, x, m) })
			}
		}
	}
}

func panics(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

func BenchmarkSum(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 4))
	const nodes, width = 900, 64
	lists, label := randomArcs(rng, nodes, nodes, 4)
	src, grad, table := Matrix{randomValues(rng, nodes*width), width}, Matrix{randomValues(rng, nodes*width), width}, Matrix{randomValues(rng, 4*width), width}
	m := &Messages{Arcs: lists, Label: label, Src: src, Table: table, Width: width, Self: 1}
	dst, dTable := Matrix{make([]float32, nodes*width), width}, Matrix{make([]float32, 4*width), width}
	for _, level := range Levels() {
		o := At(level)
		for name, f := range map[string]func(){
			"rows":          func() { o.SumRows(dst, src, width, lists, 1, false) },
			"messages":      func() { o.SumMessages(dst, m) },
			"messages-grad": func() { o.SumMessagesGrad(dst, dTable, grad, m) },
		} {
			b.Run(fmt.Sprintf("%s/nodes=%d/width=%d/level=%v", name, nodes, width, level), func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
	}
}
