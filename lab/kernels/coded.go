package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// codes writes a function like screen, for values that are stored in 8 bits,
// slots of them in a row.
func codes(c *build.Context) {
	a := avx2(c)
	a.function("coded", "func(dst, q, base, step *float32, codes *uint8, widths *int, nw, slots, flags int)",
		"computes distances to vectors in 8 bits; slots is a multiple of 16.")
	how := screen{a}
	g := measure{isa: a, how: how}
	g.dst, g.x, g.stride = a.param("dst"), a.param("codes"), a.param("slots")
	left := a.GP64()
	a.MOVQ(g.stride, left)
	g.setScratch()
	step := a.vector()
	g.acc, g.total = a.vectors(how.blocks()*how.parts()), a.vectors(how.blocks()*how.parts())
	g.loops(left, 16, func(g measure) { g.coded(step) })
	a.done()
}

// coded writes the code for blocks of values in 8 bits.
func (g measure) coded(step reg.VecVirtual) {
	x, i, widths, nw := g.isa.GP64(), g.isa.GP64(), g.isa.param("widths"), g.isa.param("nw")
	q, base, steps := g.isa.param("q"), g.isa.param("base"), g.isa.param("step")
	g.isa.MOVQ(g.x, x)
	g.isa.XORQ(i, i)
	g.norms(widths, nw, func() reg.GPVirtual { return g.isa.param("flags") }, func(kind int) {
		g.isa.VBROADCASTSS(operand.Mem{Base: q, Index: i, Scale: 4}, g.scratch.q)
		g.isa.VBROADCASTSS(operand.Mem{Base: base, Index: i, Scale: 4}, step)
		g.isa.VSUBPS(step, g.scratch.q, g.scratch.q)
		g.isa.VBROADCASTSS(operand.Mem{Base: steps, Index: i, Scale: 4}, step)
		t := g.scratch.t
		for j, v := range g.acc {
			g.isa.VPMOVZXBD(operand.Mem{Base: x, Disp: j * g.isa.lanes()}, t)
			g.isa.VCVTDQ2PS(t, t)
			g.isa.VFNMADD213PS(g.scratch.q, step, t) // t = q − step·t
			screen{g.isa}.add(kind, v, &g.scratch)
		}
		g.isa.INCQ(i)
		g.isa.ADDQ(g.stride, x)
	})
	g.isa.ADDQ(operand.Imm(uint64(16*g.count)), g.x)
}
