package kernel

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// randomProgram returns a program of groups of up to 4 by 4. Pairs of edges may be anyone's
// reverse.
func randomProgram(rng *rand.Rand, groups, rows, cols int) *Program {
	p := &Program{}
	sides := (rows + cols + CellLane - 1) / CellLane * CellLane
	duals, pairs := sides, 0
	for range groups {
		g := CellGroup{Rows: int32(rng.IntN(5)), Cols: int32(rng.IntN(5)), Dual: int32(duals), Pair: int32(pairs)}
		p.Groups = append(p.Groups, g)
		duals += int(g.Rows+g.Cols) * CellLane
		pairs += int(g.Rows*g.Cols) * CellLane
	}
	n := groups * CellLane
	for to, size := range map[*[]float32]int{
		&p.X: n, &p.X0: n, &p.Node: n, &p.Step: n, &p.Far: n + CellLane,
		&p.Dual: duals, &p.Dual0: duals, &p.Last: duals, &p.Width: duals,
		&p.Y: pairs, &p.Y0: pairs, &p.Weight: pairs, &p.Sum: pairs, &p.Next: pairs,
	} {
		*to = make([]float32, size)
	}
	for _, values := range [][]float32{p.X, p.X0, p.Node, p.Step, p.Dual, p.Dual0, p.Width, p.Y, p.Y0, p.Weight} {
		for i := range values {
			values[i] = 0.01 + rng.Float32()
		}
	}
	p.Row, p.Col, p.Reverse = make([]int32, n), make([]int32, n), make([]int32, pairs)
	for i := range n {
		p.Row[i], p.Col[i] = int32(rng.IntN(rows)), int32(rows+rng.IntN(cols))
	}
	for range sides / CellLane {
		count := rng.IntN(2 + n/4)
		p.Counts = append(p.Counts, int32(count))
		for range count * CellLane {
			p.Cells = append(p.Cells, int32(rng.IntN(n+1)))
		}
	}
	for i := range p.Reverse {
		p.Reverse[i] = int32(rng.IntN(pairs))
	}
	if n > 0 {
		p.Node[n-1] = Unused
	}
	if pairs > 0 {
		p.Weight[pairs-1] = Unused
	}
	p.SetSums()
	return p
}

func (p *Program) clone() *Program {
	c := *p
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		if f, ok := v.Field(i).Interface, v.Type().Field(i).IsExported(); ok {
			if s, ok := f().([]float32); ok {
				v.Field(i).Set(reflect.ValueOf(slices.Clone(s)))
			}
		}
	}
	c.columns = nil
	c.SetSums()
	return &c
}

func TestStepProgram(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for trial := range 60 {
		start := randomProgram(rng, trial%7, 1+trial%5, 3)
		var want *Program
		for _, level := range Levels() {
			p := start.clone()
			for step := range 4 {
				At(level).StepProgram(p, float32(step+1)/float32(step+2), 0.3, 0.7)
			}
			p.columns = nil
			if want == nil {
				want = p
			} else if !reflect.DeepEqual(p, want) {
				a, b := reflect.ValueOf(*p), reflect.ValueOf(*want)
				for i := range a.NumField() {
					if a.Type().Field(i).IsExported() && !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
						t.Fatalf("trial %d: %s of %v is %v, want %v", trial, a.Type().Field(i).Name, level, a.Field(i).Interface(), b.Field(i).Interface())
					}
				}
			}
		}
		sums := slices.Clone(want.Sum)
		want.SetSums()
		if !slices.Equal(sums, want.Sum) {
			t.Fatalf("trial %d: the sums are not those of the dual values", trial)
		}
	}
}

// The assembly knows the places of the fields of Program by their order.
func TestProgramFields(t *testing.T) {
	typ := reflect.TypeFor[Program]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Name == "Moved" {
			return
		}
		if f.Type.Kind() != reflect.Slice || f.Offset != uintptr(24*i) {
			t.Errorf("%s is at %d", f.Name, f.Offset)
		}
	}
	t.Error("no field Moved")
}

func BenchmarkStepProgram(b *testing.B) {
	p := randomProgram(rand.New(rand.NewPCG(1, 1)), 400, 40, 40)
	for _, level := range Levels() {
		b.Run(fmt.Sprint(level), func(b *testing.B) {
			for b.Loop() {
				At(level).StepProgram(p, 0.5, 0.3, 0.7)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Y)), "ns/pair")
		})
	}
}
