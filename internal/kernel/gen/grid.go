package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const gridLane = 32

func grids(c *build.Context) {
	for _, a := range []isa{avx2(c), avx512(c)} {
		snapToGrid(a)
		screenGrid(a)
	}
}

// constant loads the bits of a float32, or any others, into all lanes.
func (a isa) constant(bits uint32) reg.VecVirtual {
	r, v := a.GP32(), a.vector()
	a.MOVL(operand.U32(bits), r)
	a.VMOVD(r, v.AsX())
	a.VPBROADCASTD(v.AsX(), v)
	return v
}

func snapToGrid(a isa) {
	a.function("snapToGrid", "func(cell *uint8, rest, q, base *float32, n int, inverse float32, hinge int)",
		"is SnapToGrid for n values, a positive multiple of 16.")
	cell, rest, q, base, n := a.param("cell"), a.param("rest"), a.param("q"), a.param("base"), a.param("n")
	inverse, hinge := a.scalar("inverse"), a.param("hinge")
	zero, most, magnitude := a.zeroed(), a.constant(0x437f0000), a.constant(0x7fffffff) // 255.0
	i := a.GP64()
	a.XORQ(i, i)
	a.label("loop")
	at := func(p reg.GPVirtual) operand.Mem { return operand.Mem{Base: p, Index: i, Scale: 4} }
	t, c, k := a.vector(), a.vector(), a.vector()
	a.VMOVUPS(at(q), t)
	a.VSUBPS(at(base), t, t)
	a.VMULPS(inverse, t, t)
	a.VMAXPS(zero, t, c)
	a.VMINPS(most, c, c)
	a.VCVTPS2DQ(c, k)
	bytes := operand.Mem{Base: cell, Index: i, Scale: 1}
	if a.wide {
		x := a.XMM()
		a.VPMOVUSDB(k, x)
		a.VMOVDQU(x, bytes)
	} else {
		x := a.XMM()
		a.VEXTRACTI128(operand.Imm(1), k, x)
		a.VPACKUSDW(x, k.AsX(), x)
		a.VPACKUSWB(x, x, x)
		a.VMOVQ(x, bytes)
	}
	a.VCVTDQ2PS(k, k)
	a.VSUBPS(k, c, k)
	a.VANDPS(magnitude, k, k)
	a.VSUBPS(c, t, t)
	both, done := label("both"), label("done")
	a.TESTQ(hinge, hinge)
	a.JZ(both)
	a.relu(t, zero, t)
	a.JMP(done)
	a.label(both)
	a.VANDPS(magnitude, t, t)
	a.label(done)
	a.VSUBPS(k, t, t)
	a.VMOVUPS(t, at(rest))
	a.ADDQ(operand.Imm(uint64(a.lanes())), i)
	a.CMPQ(i, n)
	a.JL(label("loop"))
	a.done()
}

func screenGrid(a isa) {
	a.function("screenGrid", "func(dst *float32, cell, codes *uint8, offset *float32, pairs *int, nb int, step float32, flags int)",
		"is ScreenGrid.")
	cell, codes, offset, pairs, nb := a.param("cell"), a.param("codes"), a.param("offset"), a.param("pairs"), a.param("nb")
	flags := a.param("flags")
	zero := a.zeroed()
	ones := a.constant(0x01010101)
	sums := a.vectors(2 * gridLane / a.bytes()) // 16-bit
	totals := a.vectors(gridLane / a.lanes())
	for _, v := range totals {
		a.zero(v)
	}

	a.label("block")
	for _, v := range sums {
		a.zero(v)
	}
	n := a.GP64()
	a.MOVQ(operand.Mem{Base: pairs}, n)
	ready := label("ready")
	a.TESTQ(operand.U32(flagHinge), flags)
	a.JZ(label("plain"))
	for _, hinge := range []bool{true, false} {
		loop := label("hinge")
		if !hinge {
			loop = label("plain")
		}
		a.label(loop)
		q := a.vector()
		a.VPBROADCASTW(operand.Mem{Base: cell}, q)
		for j, v := range sums {
			x, d := a.vector(), a.vector()
			m := operand.Mem{Base: codes, Disp: j * a.bytes()}
			a.VPSUBUSB(m, q, d) // q − x
			if !hinge {
				a.loadBytes(m, x)
				a.VPSUBUSB(q, x, x)
				a.orBits(x, d)
			}
			a.VPMADDUBSW(ones, d, d)
			a.VPADDW(d, v, v)
		}
		a.ADDQ(operand.Imm(2), cell)
		a.ADDQ(operand.Imm(2*gridLane), codes)
		a.DECQ(n)
		a.JNZ(loop)
		if hinge {
			a.JMP(ready)
		}
	}
	a.label(ready)
	floats := a.widen(sums)
	o := a.vector()
	a.VBROADCASTSS(operand.Mem{Base: offset}, o)
	for _, v := range floats {
		a.VADDPS(o, v, v)
		a.VMAXPS(zero, v, v)
	}
	add, next := label("add"), label("next")
	a.TESTQ(operand.U32(flagMax), flags)
	a.JZ(add)
	for j, v := range floats {
		a.VMAXPS(v, totals[j], totals[j])
	}
	a.JMP(next)
	a.label(add)
	for j, v := range floats {
		a.VADDPS(v, totals[j], totals[j])
	}
	a.label(next)
	a.ADDQ(operand.Imm(4), offset)
	a.ADDQ(operand.Imm(8), pairs)
	a.DECQ(nb)
	a.JNZ(label("block"))

	dst, step := a.param("dst"), a.scalar("step")
	for j, v := range totals {
		a.VMULPS(step, v, v)
		a.VMOVUPS(v, operand.Mem{Base: dst, Disp: j * a.bytes()})
	}
	a.done()
}

func (a isa) loadBytes(m operand.Mem, v reg.VecVirtual) {
	if a.wide {
		a.VMOVDQU8(m, v)
	} else {
		a.VMOVDQU(m, v)
	}
}

func (a isa) orBits(x, v reg.VecVirtual) {
	if a.wide {
		a.VPORQ(x, v, v)
	} else {
		a.VPOR(x, v, v)
	}
}

// widen returns unsigned 16-bit numbers as floats, in order.
func (a isa) widen(sums []reg.VecVirtual) []reg.VecVirtual {
	var floats []reg.VecVirtual
	for _, v := range sums {
		low, high := a.vector(), a.vector()
		if a.wide {
			half := a.YMM()
			a.VEXTRACTI64X4(operand.Imm(1), v, half)
			a.VPMOVZXWD(v.AsY(), low)
			a.VPMOVZXWD(half, high)
		} else {
			half := a.XMM()
			a.VEXTRACTI128(operand.Imm(1), v, half)
			a.VPMOVZXWD(v.AsX(), low)
			a.VPMOVZXWD(half, high)
		}
		for _, f := range []reg.VecVirtual{low, high} {
			a.VCVTDQ2PS(f, f)
			floats = append(floats, f)
		}
	}
	return floats
}
