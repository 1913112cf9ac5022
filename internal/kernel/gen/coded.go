package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func codes(c *build.Context) {
	coded(avx2(c))
	coded(avx512(c))
}

// coded writes a function like screen, for values that are stored in 8 bits,
// slots of them in a row.
func coded(a isa) {
	a.function("coded", "func(dst, q, base, step *float32, codes *uint8, widths *int, nw, slots, flags int)",
		"computes distances to vectors in 8 bits; slots is a multiple of 16.")
	how := screen{a}
	g := measure{isa: a, how: how}
	g.dst, g.x, g.stride = a.param("dst"), a.param("codes"), a.param("slots")
	left := a.GP64()
	a.MOVQ(g.stride, left)
	g.setScratch()
	step := a.vector()
	counts := map[string]int{"four": 4, "two": 2, "one": 1}
	g.acc, g.total = a.vectors(how.blocks()*how.parts()), a.vectors(how.blocks()*how.parts())
	for _, g.name = range []string{"four", "two", "one"} {
		if g.count = counts[g.name]; g.count > how.blocks() {
			continue
		}
		loop, next := label("%s", g.name), label("%s_end", g.name)
		a.label(loop)
		a.CMPQ(left, operand.Imm(uint64(16*g.count)))
		a.JL(next)
		g.emitCoded(step)
		a.SUBQ(operand.Imm(uint64(16*g.count)), left)
		a.JMP(loop)
		a.label(next)
	}
	a.done()
}

func (g measure) emitCoded(step reg.VecVirtual) {
	parts := g.count * g.how.parts()
	acc, total := g.acc[:parts], g.total[:parts]
	for _, v := range total {
		g.zero(v)
	}
	x, i, widths, nw := g.GP64(), g.GP64(), g.param("widths"), g.param("nw")
	q, base, steps := g.param("q"), g.param("base"), g.param("step")
	g.MOVQ(g.x, x)
	g.XORQ(i, i)
	block := label("%s_block", g.name)
	g.label(block)
	for _, v := range acc {
		g.zero(v)
	}
	flags := g.param("flags")
	g.byKind(flags, func(kind int) {
		width := g.GP64()
		g.MOVQ(operand.Mem{Base: widths}, width)
		loop := label("%s_kind%d", g.name, kind)
		g.label(loop)
		g.VBROADCASTSS(operand.Mem{Base: q, Index: i, Scale: 4}, g.scratch.q)
		g.VBROADCASTSS(operand.Mem{Base: base, Index: i, Scale: 4}, step)
		g.VSUBPS(step, g.scratch.q, g.scratch.q)
		g.VBROADCASTSS(operand.Mem{Base: steps, Index: i, Scale: 4}, step)
		t := g.scratch.t
		for j, v := range acc {
			g.VPMOVZXBD(operand.Mem{Base: x, Disp: j * g.lanes()}, t)
			g.VCVTDQ2PS(t, t)
			g.VFNMADD213PS(g.scratch.q, step, t) // t = q − step·t
			screen{g.isa}.add(kind, v, &g.scratch)
		}
		g.INCQ(i)
		g.ADDQ(g.stride, x)
		g.DECQ(width)
		g.JNZ(loop)
	})
	g.combineBlock(flags, acc, total)
	g.ADDQ(operand.Imm(8), widths)
	g.DECQ(nw)
	g.JNZ(block)

	for j, v := range total {
		g.VMOVUPS(v, operand.Mem{Base: g.dst, Disp: j * g.bytes()})
	}
	g.ADDQ(operand.U32(uint32(parts*g.bytes())), g.dst)
	g.ADDQ(operand.Imm(uint64(16*g.count)), g.x)
}
