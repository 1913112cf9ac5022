package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func counts(c *build.Context) {
	for _, a := range []isa{avx2(c), avx512(c)} {
		compareCounts(a)
	}
}

const countLane = 64

func compareCounts(a isa) {
	a.function("compareCounts", "func(over, under, q, low, high *uint8, widths *int, nw int)",
		"is CompareCounts for at least one group, none of which is empty.")
	over, under, q, low, high := a.param("over"), a.param("under"), a.param("q"), a.param("low"), a.param("high")
	widths, nw := a.param("widths"), a.param("nw")
	parts := countLane / a.bytes()
	overs, unders := a.vectors(parts), a.vectors(parts)
	value, t := a.vector(), a.vector()
	part := func(base reg.GPVirtual, i int) operand.Mem { return operand.Mem{Base: base, Disp: i * a.bytes()} }
	group, column := label("group"), label("column")
	width := a.GP64()
	a.label(group)
	for i := range parts {
		a.zero(overs[i])
		a.zero(unders[i])
	}
	a.MOVQ(operand.Mem{Base: widths}, width)
	a.label(column)
	a.VPBROADCASTB(operand.Mem{Base: q}, value)
	for i := range parts {
		a.VPSUBUSB(part(high, i), value, t) // t = max(0, value − high)
		a.VPADDUSB(t, overs[i], overs[i])
		a.load(part(low, i), t)
		a.VPSUBUSB(value, t, t)
		a.VPADDUSB(t, unders[i], unders[i])
	}
	a.INCQ(q)
	a.ADDQ(operand.Imm(countLane), low)
	a.ADDQ(operand.Imm(countLane), high)
	a.DECQ(width)
	a.JNZ(column)
	for i := range parts {
		a.store(overs[i], part(over, i))
		a.store(unders[i], part(under, i))
	}
	a.ADDQ(operand.Imm(countLane), over)
	a.ADDQ(operand.Imm(countLane), under)
	a.ADDQ(operand.Imm(8), widths)
	a.DECQ(nw)
	a.JNZ(group)
	a.done()
}

// load and store move a vector of integers from and to memory.
func (a isa) load(from operand.Mem, v reg.VecVirtual) {
	if a.wide {
		a.VMOVDQU8(from, v)
	} else {
		a.VMOVDQU(from, v)
	}
}

func (a isa) store(v reg.VecVirtual, to operand.Mem) {
	if a.wide {
		a.VMOVDQU8(v, to)
	} else {
		a.VMOVDQU(v, to)
	}
}
