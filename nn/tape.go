// Package nn implements reverse-mode automatic differentiation over float32 matrices, the
// operations that graph encoders need, and the optimisers that train them.
//
// A [Tape] runs operations forward and records them; [Tape.Backward] runs through the record
// in reverse. All memory comes from the tape and is reused after [Tape.Reset], so a training
// loop stops allocating once it has seen its largest batch.
//
// Dimensions: G graphs, V nodes and A arcs of a [Batch]; R rows and C columns of a matrix,
// row-major.
package nn

import (
	"fmt"

	"github.com/greedgraph/greed/internal/kernel"
)

// Var is a matrix computed on a tape, [R, C], and on a training tape also the gradient of the
// loss with respect to it. It is valid until [Tape.Reset].
type Var struct {
	Rows, Cols  int
	Value, Grad []float32
}

// Tape records operations on the parameters of a Params. It is not safe for concurrent use.
// Several tapes may share the Params while none of them changes it.
type Tape struct {
	params  *Params
	ops     kernel.Ops
	train   bool
	grads   []float32 // as params.Flat, the sum over Backward calls
	arena   arena
	vars    [][]Var
	used    int
	records []record
	all     [2]int32 // the list of all rows, for sums
}

// record is an operation that was run. Given the gradient of out, back adds to the gradients
// of the inputs.
type record struct {
	back    func(*Tape, *record)
	x, y    *Var
	out     *Var
	w, b    *Param
	eps     *Param
	batch   *Batch
	index   []int32
	columns int
	way     Way
	relu    bool
}

// NewTape returns a tape over ps, to which all parameters must have been added. It computes
// with ops. Only a training tape supports Backward.
func NewTape(ps *Params, ops kernel.Ops, train bool) *Tape {
	t := &Tape{params: ps, ops: ops, train: train}
	size := len(ps.Flat())
	if train {
		t.grads = make([]float32, size)
	}
	return t
}

// Input returns a matrix of zeros that the caller fills and uses as an input of operations.
// On a training tape it has its gradient after Backward.
func (t *Tape) Input(rows, cols int) *Var {
	v := t.result(rows, cols)
	clear(v.Value)
	return v
}

// Output returns a matrix for the result of an operation of another package. Its value is
// undefined and its gradient zero.
func (t *Tape) Output(rows, cols int) *Var { return t.result(rows, cols) }

// Then records how out, the result of an operation of another package, is differentiated:
// given the gradient of out, back adds to the gradients of the inputs. It returns out.
func (t *Tape) Then(out *Var, back func()) *Var {
	return t.record(record{back: func(*Tape, *record) { back() }, out: out})
}

// Params returns the parameters that the tape works on.
func (t *Tape) Params() *Params { return t.params }

// Ops returns the kernels that the tape computes with.
func (t *Tape) Ops() kernel.Ops { return t.ops }

// Reset discards all operations and Vars. Gradients of parameters stay until [Tape.ZeroGrad].
func (t *Tape) Reset() {
	t.arena.reset()
	t.used = 0
	t.records = t.records[:0]
}

// Grads returns the gradients of all parameters, laid out as [Params.Flat].
func (t *Tape) Grads() []float32 { return t.grads }

// ZeroGrad sets the gradients of all parameters to zero.
func (t *Tape) ZeroGrad() { clear(t.grads) }

// Backward propagates the gradients that the caller has set in outputs, and adds to the
// gradients of the parameters.
func (t *Tape) Backward() {
	if !t.train {
		panic("nn: Backward on a tape that is not for training")
	}
	for i := len(t.records) - 1; i >= 0; i-- {
		r := &t.records[i]
		r.back(t, r)
	}
}

const varsPerBlock = 64

// result returns a new Var for the output of an operation. Its value is undefined and its
// gradient zero.
func (t *Tape) result(rows, cols int) *Var {
	if t.used == len(t.vars)*varsPerBlock {
		t.vars = append(t.vars, make([]Var, varsPerBlock))
	}
	v := &t.vars[t.used/varsPerBlock][t.used%varsPerBlock]
	t.used++
	*v = Var{Rows: rows, Cols: cols, Value: t.arena.take(rows * cols)}
	if t.train {
		v.Grad = t.arena.take(rows * cols)
		clear(v.Grad)
	}
	return v
}

func (t *Tape) record(r record) *Var {
	if t.train {
		t.records = append(t.records, r)
	}
	return r.out
}

func (t *Tape) value(p *Param) []float32 { return p.Of(t.params.flat) }
func (t *Tape) grad(p *Param) []float32  { return p.Of(t.grads) }

// matrix returns all given rows of a width in the form that the kernels take.
func matrix(data []float32, width int) kernel.Matrix {
	return kernel.Matrix{Data: data, Stride: width}
}

func mustMatch(what string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("nn: %s is %d, want %d", what, got, want))
	}
}

// arena hands out slices of large blocks.
type arena struct {
	blocks [][]float32
	block  int
	at     int
}

const arenaBlock = 1 << 18

func (a *arena) reset() { a.block, a.at = 0, 0 }

func (a *arena) take(size int) []float32 {
	n := (size + lineFloats - 1) / lineFloats * lineFloats
	for a.block < len(a.blocks) && a.at+n > len(a.blocks[a.block]) {
		a.block++
		a.at = 0
	}
	if a.block == len(a.blocks) {
		a.blocks = append(a.blocks, make([]float32, max(n, arenaBlock)))
	}
	s := a.blocks[a.block][a.at : a.at+size : a.at+size]
	a.at += n
	return s
}
