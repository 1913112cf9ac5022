package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// nearest writes a function of numbers of 64 bits, two vectors of four at a time. The last two begin as late
// as they can, since to relax a node twice does no harm.
func nearest(c *build.Context) {
	places := c.StaticGlobal("nearestPlaces")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		c.AppendDatum(operand.U64(i))
	}
	a := avx2(c)
	a.function("nearestNode", "func(dist, from, length, gain *int, n, line, origin, most int) (at, distance int)", "is NearestNode for at least 8 nodes.")
	dist, from, length, gain := a.param("dist"), a.param("from"), a.param("length"), a.param("gain")
	last, i := a.param("n"), a.GP64()
	line, origin := a.everywhere("line"), a.everywhere("origin")
	// The nearest nodes of either vector, lane by lane. They say where their vectors begin.
	least, at := []reg.VecVirtual{a.everywhere("most"), a.everywhere("most")}, a.vectors(2)
	zero, positive, place := a.zeroed(), a.vector(), a.vector()
	for _, v := range at {
		a.VPCMPEQQ(v, v, v) // none
	}
	a.VPSRLQ(operand.Imm(1), at[0], positive)
	a.SUBQ(operand.Imm(8), last)
	a.XORQ(i, i)

	a.label("loop")
	a.VMOVQ(i, place.AsX())
	a.VPBROADCASTQ(place.AsX(), place)
	for k := range 2 {
		node := func(base reg.GPVirtual) operand.Mem {
			return operand.Mem{Base: base, Index: i, Scale: 8, Disp: k * a.bytes()}
		}
		d, more, less := a.vector(), a.vector(), a.vector()
		a.load(node(dist), d)
		a.VPADDQ(node(length), line, more)
		a.VPSUBQ(node(gain), more, more)
		a.VPSUBQ(d, more, more)
		a.VPCMPGTQ(more, zero, less)
		a.VPMASKMOVQ(origin, less, node(from))
		a.VPAND(less, more, more)
		a.VPADDQ(more, d, d)
		a.store(d, node(dist))
		a.VPAND(positive, d, d)
		a.VPCMPGTQ(d, least[k], less)
		a.VBLENDVPD(less, d, least[k], least[k])
		a.VBLENDVPD(less, place, at[k], at[k])
	}
	a.CMPQ(i, last)
	a.JE(operand.LabelRef("found"))
	a.ADDQ(operand.Imm(8), i)
	a.CMPQ(i, last)
	a.CMOVQGT(last, i)
	a.JMP(operand.LabelRef("loop"))

	a.label("found")
	t, u, less := a.vector(), a.vector(), a.vector()
	for k, v := range at {
		a.VPCMPGTQ(v, zero, less)
		a.VPADDQ(places.Offset(k*a.bytes()), v, t)
		a.VBLENDVPD(less, v, t, v)
	}
	first := func(d, y reg.VecVirtual) {
		a.VPCMPGTQ(d, least[0], less)
		a.VPCMPEQQ(d, least[0], t)
		a.VPCMPGTQ(y, at[0], u)
		a.VPAND(t, u, u)
		a.VPOR(u, less, less)
		a.VBLENDVPD(less, d, least[0], least[0])
		a.VBLENDVPD(less, y, at[0], at[0])
	}
	first(least[1], at[1])
	a.VEXTRACTI128(operand.Imm(1), least[0], least[1].AsX())
	a.VEXTRACTI128(operand.Imm(1), at[0], at[1].AsX())
	first(least[1], at[1])
	a.VPSRLDQ(operand.Imm(8), least[0], least[1])
	a.VPSRLDQ(operand.Imm(8), at[0], at[1])
	first(least[1], at[1])
	r := a.GP64()
	a.VMOVQ(at[0].AsX(), r)
	a.Store(r, a.ReturnIndex(0))
	a.VMOVQ(least[0].AsX(), r)
	a.Store(r, a.ReturnIndex(1))
	a.done()
}

// everywhere loads a parameter of 64 bits into all lanes.
func (a isa) everywhere(name string) reg.VecVirtual {
	m, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := a.vector()
	a.VPBROADCASTQ(m.Addr, v)
	return v
}
