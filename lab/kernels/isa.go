package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is a set of instructions to write kernels for.
type isa struct {
	*build.Context
	suffix string // of function names
	wide   bool   // AVX-512
}

func avx2(c *build.Context) isa   { return isa{c, "AVX2", false} }
func avx512(c *build.Context) isa { return isa{c, "AVX512", true} }

// lanes returns the number of float32 values in a vector.
func (a isa) lanes() int {
	if a.wide {
		return 16
	}
	return 8
}

func (a isa) bytes() int { return 4 * a.lanes() }

func (a isa) vector() reg.VecVirtual {
	if a.wide {
		return a.ZMM()
	}
	return a.YMM()
}

func (a isa) vectors(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = a.vector()
	}
	return v
}

func (a isa) zero(v reg.VecVirtual) {
	if a.wide {
		a.VPXORD(v, v, v)
	} else {
		a.VXORPS(v, v, v)
	}
}

func (a isa) zeroed() reg.VecVirtual {
	v := a.vector()
	a.zero(v)
	return v
}

// where keeps v where mask > 0 and sets it to +0 elsewhere; mask may be
// memory. It clobbers scratch. It is for AVX2.
func (a isa) where(v, zero reg.VecVirtual, mask operand.Op, scratch reg.VecVirtual) {
	a.VCMPPS(operand.Imm(0x11), mask, zero, scratch) // zero < mask, ordered
	a.VANDPS(scratch, v, v)
}

// relu sets dst to max(0, v), and NaN where v is NaN: of two operands, the
// instruction returns the second of Intel's order unless the first is greater.
func (a isa) relu(v operand.Op, zero, dst reg.VecVirtual) { a.VMAXPS(v, zero, dst) }

// function starts a function of the given signature.
func (a isa) function(name, signature, doc string) {
	name += a.suffix
	a.Function(name)
	a.Attributes(attr.NOSPLIT)
	a.SignatureExpr(signature)
	a.Pragma("noescape")
	a.Doc(name + " " + doc)
}

// param loads a parameter into a new register.
func (a isa) param(name string) reg.GPVirtual {
	r := a.GP64()
	a.Load(a.Param(name), r)
	return r
}

// bytesParam loads a count of float32 values as a count of bytes.
func (a isa) bytesParam(name string) reg.GPVirtual {
	r := a.param(name)
	a.SHLQ(operand.Imm(2), r)
	return r
}

// scalar loads a float32 parameter into all lanes.
func (a isa) scalar(name string) reg.VecVirtual {
	m, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := a.vector()
	a.VBROADCASTSS(m.Addr, v)
	return v
}

func (a isa) done() {
	a.VZEROUPPER()
	a.RET()
}

func label(format string, args ...any) operand.LabelRef {
	return operand.LabelRef(fmt.Sprintf(format, args...))
}

func (a isa) label(l operand.LabelRef) { a.Label(string(l)) }

// down writes a loop that counts down a number above 0.
func (a isa) down(name string, n operand.Op, body func()) {
	a.Label(name)
	body()
	a.DECQ(n)
	a.JNZ(operand.LabelRef(name))
}

// downFrom is down for a number that may be 0.
func (a isa) downFrom(name string, n reg.GPVirtual, body func()) {
	none := label("%s_done", name)
	a.TESTQ(n, n)
	a.JZ(none)
	a.down(name, n, body)
	a.label(none)
}
