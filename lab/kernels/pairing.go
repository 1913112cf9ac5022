package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in Pairing and PairingGraphs.
const (
	pairingLine = 32

	pairProfit   = 0
	pairStar     = 16 * pairingLine
	pairU        = 32 * pairingLine
	pairV        = pairU + pairingLine
	pairRowMatch = pairV + pairingLine
	pairColMatch = pairRowMatch + pairingLine
	pairRows     = pairColMatch + pairingLine
	pairCols     = pairRows + 8
	pairBound    = pairCols + 8
	pairRowEdges = pairBound + 16
	pairColEdges = pairRowEdges + 8*pairingLine

	graphsRowNext = 0
	graphsColNext = 8 * pairingLine
	graphsWeight  = 16 * pairingLine
	graphsKinds   = graphsWeight + 16

	forbidden = -20000
)

// pairings are written in AVX2 only: a line is one of its vectors.
func pairings(c *build.Context) {
	table := func(name string, values int, value func(int) operand.Constant) operand.Mem {
		m := c.StaticGlobal(name)
		c.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range values {
			c.AppendDatum(value(i))
		}
		return m
	}
	w := pairingWriter{
		isa:     avx2(c),
		bits:    table("pairingBits", 16, func(i int) operand.Constant { return operand.U16(1 << i) }),
		lanes:   table("pairingLanes", 16, func(i int) operand.Constant { return operand.U16(i) }),
		nibbles: table("pairingNibbles", 32, func(i int) operand.Constant { return operand.U8(bits.OnesCount(uint(i % 16))) }),
	}
	w.solve()
	w.narrow()
	w.fix()
}

type pairingWriter struct {
	isa                  isa
	bits, lanes, nibbles operand.Mem // 1, 2, 4, …; 0, 1, 2, …; the bits of 0 to 15, twice
}

// lineAt is a field, and entry the number of one of its lines.
func lineAt(p reg.Register, disp int) operand.Mem { return operand.Mem{Base: p, Disp: disp} }

func entry(p reg.Register, disp int, i reg.Register) operand.Mem {
	return operand.Mem{Base: p, Disp: disp, Index: i, Scale: 2}
}

// spread16 sets all lanes of v to the low 16 bits of g.
func (w pairingWriter) spread16(g reg.GPVirtual, v reg.VecVirtual) {
	x := w.isa.XMM()
	w.isa.VMOVD(g.As32(), x)
	w.isa.VPBROADCASTW(x, v)
}

// lanesOf sets lanes of v to -1 where the low 16 bits of mask have a bit, else to 0.
func (w pairingWriter) lanesOf(mask reg.GPVirtual, v reg.VecVirtual) {
	w.spread16(mask, v)
	w.isa.VPAND(w.bits, v, v)
	w.isa.VPCMPEQW(w.bits, v, v)
}

// maskOf sets mask to a bit for every lane of v, which are 0 or -1.
func (w pairingWriter) maskOf(v reg.VecVirtual, mask reg.GPVirtual) {
	t := w.isa.XMM()
	w.isa.VEXTRACTI128(operand.Imm(1), v, t)
	w.isa.VPACKSSWB(t, v.AsX(), t)
	w.isa.VPMOVMSKB(t, mask.As32())
}

// nearest sets value to the least lane of v, none of which is negative but as excluded, and
// lane to the first such lane. Lanes of 4095 or more are as far as can be.
func (w pairingWriter) nearest(v, far reg.VecVirtual, value, lane reg.GPVirtual) {
	t, x := w.isa.YMM(), w.isa.XMM()
	w.isa.VPMINUW(far, v, t)
	w.isa.VPSLLW(operand.Imm(4), t, t)
	w.isa.VPOR(w.lanes, t, t)
	w.isa.VEXTRACTI128(operand.Imm(1), t, x)
	w.isa.VPMINUW(x, t.AsX(), x)
	w.isa.VPHMINPOSUW(x, x)
	w.isa.VMOVD(x, value.As32())
	w.isa.MOVWLZX(value.As16(), value.As32())
	w.isa.MOVL(value.As32(), lane.As32())
	w.isa.ANDL(operand.Imm(15), lane.As32())
	w.isa.SHRL(operand.Imm(4), value.As32())
}

// line sets at to the offset of line i of a matrix.
func (w pairingWriter) line(i, at reg.GPVirtual) {
	w.isa.MOVQ(i, at)
	w.isa.SHLQ(operand.Imm(5), at)
}

// nextBit takes the lowest bit from mask and goes to again if another is left.
func (w pairingWriter) nextBit(mask, scratch reg.GPVirtual, again operand.LabelRef) {
	w.isa.LEAQ(operand.Mem{Base: mask, Disp: -1}, scratch)
	w.isa.ANDQ(scratch, mask)
	w.isa.JNZ(again)
}

// forbid returns a register whose lanes are all forbidden.
func (w pairingWriter) forbid() reg.VecVirtual {
	g, v := w.isa.GP64(), w.isa.YMM()
	w.isa.MOVL(operand.U32(forbidden&0xffff), g.As32())
	w.spread16(g, v)
	return v
}

// looseMatch undoes the match of a and b, and sets lost to 1, unless it is tight.
func (w pairingWriter) looseMatch(p, a, b reg.GPVirtual, tight operand.LabelRef, lost reg.GPVirtual) {
	i, t := w.isa.GP64(), w.isa.GP64()
	w.isa.MOVQ(a, i)
	w.isa.SHLQ(operand.Imm(4), i)
	w.isa.ADDQ(b, i)
	w.isa.MOVW(entry(p, pairU, a), t.As16())
	w.isa.ADDW(entry(p, pairV, b), t.As16())
	w.isa.CMPW(t.As16(), entry(p, pairProfit, i))
	w.isa.JE(tight)
	w.isa.MOVW(operand.Imm(0xffff), entry(p, pairRowMatch, a))
	w.isa.MOVW(operand.Imm(0xffff), entry(p, pairColMatch, b))
	if lost != nil {
		w.isa.MOVL(operand.U32(1), lost.As32())
	}
}

// unmatch undoes the match of node x of the side whose matches are at near.
func (w pairingWriter) unmatch(p, x reg.GPVirtual, near, far int, done operand.LabelRef) {
	y := w.isa.GP64()
	w.isa.MOVWQSX(entry(p, near, x), y)
	w.isa.TESTQ(y, y)
	w.isa.JS(done)
	w.isa.MOVW(operand.Imm(0xffff), entry(p, near, x))
	w.isa.MOVW(operand.Imm(0xffff), entry(p, far, y))
	w.isa.label(done)
}
