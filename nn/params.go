package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Param is a trainable matrix of a [Params], [Rows, Cols] row-major. The weight of a linear
// map is [in, out], a bias [1, out].
type Param struct {
	Name       string
	Rows, Cols int
	Grows      bool // no value is negative
	offset     int
}

// Params holds all parameters of a network in one slice, so that optimisers, averages and
// files see a single vector. Gradients are in [Tape]s, one per worker.
type Params struct {
	list []*Param
	size int
	flat []float32 // made when first needed

	transposed []float32 // weights as [out, in], at the same offsets
}

// lineFloats is the number of float32 in a cache line; parameters are aligned to it.
const lineFloats = 16

// Add adds a rows×cols parameter of zeros. Names are unique within a set.
func (ps *Params) Add(name string, rows, cols int) *Param {
	for _, p := range ps.list {
		if p.Name == name {
			panic("nn: parameter " + name + " added twice")
		}
	}
	p := &Param{Name: name, Rows: rows, Cols: cols, offset: ps.size}
	ps.size += (rows*cols + lineFloats - 1) / lineFloats * lineFloats
	ps.list = append(ps.list, p)
	return p
}

// All returns the parameters in the order in which they were added.
func (ps *Params) All() []*Param { return ps.list }

// Flat returns all values, padding included. It is the storage itself, which the next call of
// Add may move.
func (ps *Params) Flat() []float32 {
	if len(ps.flat) < ps.size {
		ps.flat = append(ps.flat, make([]float32, ps.size-len(ps.flat))...)
	}
	return ps.flat
}

// Value returns the storage of p, [p.Rows, p.Cols] row-major.
func (ps *Params) Value(p *Param) []float32 { return p.Of(ps.Flat()) }

// Count returns the number of trainable numbers.
func (ps *Params) Count() int {
	n := 0
	for _, p := range ps.list {
		n += p.Rows * p.Cols
	}
	return n
}

// Of returns the part of flat, laid out as [Params.Flat], that belongs to p.
func (p *Param) Of(flat []float32) []float32 {
	return flat[p.offset : p.offset+p.Rows*p.Cols : p.offset+p.Rows*p.Cols]
}

// InitUniform fills p with independent uniform values from ±1/√fanIn, as PyTorch's Linear
// does by default, or with their absolute values if p must not be negative.
func (ps *Params) InitUniform(p *Param, fanIn int, rng *rand.Rand) {
	bound := 1 / math.Sqrt(float64(fanIn))
	for i := range ps.Value(p) {
		x := (2*rng.Float64() - 1) * bound
		if p.Grows {
			x = math.Abs(x)
		}
		ps.Value(p)[i] = float32(x)
	}
}

// Prepare updates the transposed weights, which gradients of inputs need. Call it after the
// values have changed and before a backward pass.
func (ps *Params) Prepare() {
	flat := ps.Flat()
	if len(ps.transposed) != len(flat) {
		ps.transposed = make([]float32, len(flat))
	}
	for _, p := range ps.list {
		if p.Rows == 1 {
			continue
		}
		Transpose(p.Of(ps.transposed), p.Of(flat), p.Rows, p.Cols)
	}
}

// Clamp sets negative values in the range [from, to) of [Params.Flat] to 0 if their parameter
// must not be negative.
func (ps *Params) Clamp(from, to int) {
	for _, p := range ps.list {
		if !p.Grows {
			continue
		}
		for k := max(from, p.offset); k < min(to, p.offset+p.Rows*p.Cols); k++ {
			ps.flat[k] = max(0, ps.flat[k])
		}
	}
}

// Check returns an error that names the first parameter with a value that is infinite, not a
// number, or negative where that is not allowed.
func (ps *Params) Check() error {
	for _, p := range ps.list {
		for _, x := range ps.Value(p) {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) || p.Grows && x < 0 {
				return fmt.Errorf("nn: parameter %s has the value %v", p.Name, x)
			}
		}
	}
	return nil
}
