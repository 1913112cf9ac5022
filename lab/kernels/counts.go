package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// counts are written in AVX2 only: the two take as long in AVX-512.
func counts(c *build.Context) {
	compareCounts(avx2(c))
	fewEdits(avx2(c))
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
	width := a.GP64()
	a.down("group", nw, func() {
		for i := range parts {
			a.zero(overs[i])
			a.zero(unders[i])
		}
		a.MOVQ(operand.Mem{Base: widths}, width)
		a.down("column", width, func() {
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
		})
		for i := range parts {
			a.store(overs[i], part(over, i))
			a.store(unders[i], part(under, i))
		}
		a.ADDQ(operand.Imm(countLane), over)
		a.ADDQ(operand.Imm(countLane), under)
		a.ADDQ(operand.Imm(8), widths)
	})
	a.done()
}

func fewEdits(a isa) {
	a.function("fewEdits", "func(over, under, use *uint8, most uint8) uint64", "is FewEdits.")
	over, under, use := a.param("over"), a.param("under"), a.param("use")
	masks := a.vectors(8)
	for i := range masks {
		a.VPBROADCASTB(operand.Mem{Base: use, Disp: i}, masks[i])
	}
	limit, err := a.Param("most").Resolve()
	if err != nil {
		panic(err)
	}
	most, zero := a.vector(), a.zeroed()
	a.VPBROADCASTB(limit.Addr, most)
	lanes, part := a.GP64(), a.GP64()
	nodes, edges, t, u := a.vector(), a.vector(), a.vector(), a.vector()
	for i := range countLane / a.bytes() {
		// used sets v to group g of one side, or to 0.
		used := func(side reg.GPVirtual, g, mask int, v reg.VecVirtual) {
			a.load(operand.Mem{Base: side, Disp: g*countLane + i*a.bytes()}, v)
			a.VPAND(masks[mask], v, v)
		}
		used(over, 0, 0, nodes)
		for k, side := range []reg.GPVirtual{over, under} {
			for g := range 2 {
				if k+g > 0 {
					used(side, g, 4*k+g, t)
					a.VPMAXUB(t, nodes, nodes)
				}
			}
		}
		used(over, 2, 2, edges)
		used(under, 2, 6, t)
		a.VPMAXUB(t, edges, edges)
		used(over, 3, 3, t)
		used(under, 3, 7, u)
		a.VPAVGB(zero, t, t) // half, rounded up
		a.VPAVGB(zero, u, u)
		a.VPADDUSB(u, t, t)
		a.VPMAXUB(t, edges, edges)
		a.VPADDUSB(edges, nodes, nodes)
		a.VPMINUB(most, nodes, t)
		a.VPCMPEQB(t, nodes, t) // nodes ≤ most
		a.VPMOVMSKB(t, part.As32())
		if i == 0 {
			a.MOVQ(part, lanes)
		} else {
			a.SHLQ(operand.Imm(32), part)
			a.ORQ(part, lanes)
		}
	}
	a.Store(lanes, a.ReturnIndex(0))
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
