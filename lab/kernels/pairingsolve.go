package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairingSide says which side of a pairing is near.
type pairingSide struct {
	name                           string
	near, far, nearMatch, farMatch int
	free                           int
	cols                           bool
}

// profits loads the profits of near node x.
func (w pairingWriter) profits(s pairingSide, p, x reg.GPVirtual, v reg.VecVirtual) {
	i := w.isa.GP64()
	w.isa.MOVQ(x, i)
	if !s.cols {
		w.isa.SHLQ(operand.Imm(5), i)
		w.isa.VMOVDQU(operand.Mem{Base: p, Disp: pairProfit, Index: i, Scale: 1}, v)
		return
	}
	half := w.isa.XMM()
	for h, to := range []reg.Register{v.AsX(), half} {
		w.isa.VPXOR(to, to, to)
		for k := range 8 {
			w.isa.VPINSRW(operand.Imm(uint64(k)), operand.Mem{Base: p, Disp: pairProfit + (8*h+k)*pairingLine, Index: i, Scale: 2}, to, to)
		}
	}
	w.isa.VINSERTI128(operand.Imm(1), half, v, v)
}

func (w pairingWriter) solve() {
	w.isa.function("solvePairing", "func(p *int16, need int) bool", "is SolvePairing.")
	p := w.isa.param("p")
	parameter, err := w.isa.Param("need").Resolve()
	if err != nil {
		panic(err)
	}
	need := parameter.Addr
	bound := w.isa.GP64()
	low := label("low")
	w.isa.MOVQ(lineAt(p, pairBound), bound)
	w.isa.CMPQ(bound, need)
	w.isa.JL(low)
	far := w.isa.YMM() // 4095
	g := w.isa.GP64()
	w.isa.MOVL(operand.U32(4095), g.As32())
	w.spread16(g, far)
	scratch := w.isa.AllocLocal(2 * pairingLine)
	rows := pairingSide{"Row", pairU, pairV, pairRowMatch, pairColMatch, pairRows, false}
	cols := pairingSide{"Col", pairV, pairU, pairColMatch, pairRowMatch, pairCols, true}
	pendingRows, pendingCols := w.isa.GP64(), w.isa.GP64()
	w.reduceAll(rows, p, bound, pendingRows, far)
	w.isa.CMPQ(bound, need)
	w.isa.JL(low)
	w.reduceAll(cols, p, bound, pendingCols, far)
	w.isa.CMPQ(bound, need)
	w.isa.JL(low)
	w.augmentAll(rows, p, bound, pendingRows, need, far, scratch, low)
	w.augmentAll(cols, p, bound, pendingCols, need, far, scratch, low)
	yes, no := w.isa.GP64(), w.isa.GP64()
	w.isa.MOVL(operand.U32(1), yes.As32())
	w.answer(p, bound, yes)
	w.isa.label(low)
	w.isa.XORL(no.As32(), no.As32())
	w.answer(p, bound, no)
}

// answer returns the bound and whether it is enough.
func (w pairingWriter) answer(p, bound, enough reg.GPVirtual) {
	w.isa.MOVQ(bound, lineAt(p, pairBound))
	w.isa.Store(enough.As8(), w.isa.ReturnIndex(0))
	w.isa.done()
}

// reduceAll lowers the duals of the unmatched nodes of a side; pending are these nodes.
func (w pairingWriter) reduceAll(s pairingSide, p, bound, pending reg.GPVirtual, far reg.VecVirtual) {
	zero, v := w.isa.YMM(), w.isa.YMM()
	next, done := label("reduce%s", s.name), label("reduced%s", s.name)
	matched := w.isa.YMM()
	w.isa.VPXOR(zero, zero, zero)
	w.isa.VPCMPGTW(lineAt(p, s.nearMatch), zero, matched) // -1 where there is no match
	w.isa.VMOVDQU(lineAt(p, s.near), v)
	w.isa.VPCMPGTW(zero, v, v)
	w.isa.VPAND(v, matched, v)
	w.maskOf(v, pending)
	w.isa.ANDQ(lineAt(p, s.free), pending)
	left, x, before, least, lane := w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64()
	w.isa.MOVQ(pending, left)
	w.isa.TESTQ(left, left)
	w.isa.JZ(done)
	d, line := w.isa.YMM(), w.isa.YMM()
	w.isa.label(next)
	w.isa.TZCNTQ(left, x)
	w.profits(s, p, x, line)
	w.isa.VPBROADCASTW(entry(p, s.near, x), d)
	w.isa.VPADDW(lineAt(p, s.far), d, d)
	w.isa.VPSUBW(line, d, d)
	w.nearest(d, far, least, lane)
	w.isa.MOVWLZX(entry(p, s.near, x), before.As32())
	unmatched := label("unmatched%s", s.name)
	short := label("short%s", s.name)
	w.isa.CMPL(least.As32(), before.As32())
	w.isa.JL(short)
	w.isa.MOVL(before.As32(), least.As32())
	w.isa.JMP(unmatched)
	w.isa.label(short)
	w.isa.CMPW(entry(p, s.farMatch, lane), operand.Imm(0))
	w.isa.JGE(unmatched)
	w.isa.MOVW(lane.As16(), entry(p, s.nearMatch, x))
	w.isa.MOVW(x.As16(), entry(p, s.farMatch, lane))
	w.isa.label(unmatched)
	w.isa.SUBL(least.As32(), before.As32())
	w.isa.MOVW(before.As16(), entry(p, s.near, x))
	w.isa.SUBQ(least, bound)
	w.nextBit(left, x, next)
	w.isa.label(done)
}

// augmentAll looks for a path from each node of left that is still unmatched, and goes to low once
// the bound is below need.
func (w pairingWriter) augmentAll(s pairingSide, p, bound, left reg.GPVirtual, need operand.Mem, limit reg.VecVirtual, scratch operand.Mem, low operand.LabelRef) {
	here := func(name string) operand.LabelRef { return label("%s%s", name, s.name) }
	top, skip, done, search, found, out := here("augment"), here("skip"), here("augmented"), here("search"), here("found"), here("out")
	x := w.isa.GP64()
	w.isa.TESTQ(left, left)
	w.isa.JZ(done)
	w.isa.label(top)
	w.isa.TZCNTQ(left, x)
	w.isa.CMPW(entry(p, s.nearMatch, x), operand.Imm(0))
	w.isa.JGE(skip)
	shortest := w.isa.GP64()
	w.isa.MOVWLZX(entry(p, s.near, x), shortest.As32())
	w.isa.TESTL(shortest.As32(), shortest.As32())
	w.isa.JZ(skip)

	far, dist, from, blocked := w.isa.YMM(), w.isa.YMM(), w.isa.YMM(), w.isa.YMM()
	d, line, less := w.isa.YMM(), w.isa.YMM(), w.isa.YMM()
	next, base, last, end, value, lane, scanned := w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64()
	w.isa.VMOVDQU(lineAt(p, s.far), far)
	w.isa.VPCMPEQW(dist, dist, dist)
	w.isa.VPSRLW(operand.Imm(1), dist, dist)
	w.isa.VPXOR(from, from, from)
	w.isa.VPXOR(blocked, blocked, blocked)
	w.isa.XORL(scanned.As32(), scanned.As32())
	w.isa.MOVQ(x, next)
	w.isa.MOVQ(x, last)
	w.isa.MOVQ(shortest, base)
	w.isa.label(search)
	w.profits(s, p, next, line)
	w.spread16(base, d)
	w.isa.VPADDW(far, d, d)
	w.isa.VPSUBW(line, d, d)
	w.isa.VPCMPGTW(d, dist, less)
	w.isa.VPMINSW(d, dist, dist)
	w.spread16(next, d)
	w.isa.VPBLENDVB(less, d, from, from)
	w.isa.VPOR(blocked, dist, d)
	w.nearest(d, limit, value, lane)
	spare := w.isa.GP64()
	w.isa.MOVQ(bound, spare)
	w.isa.SUBQ(need, spare)
	w.isa.MOVQ(operand.I32(-1), end)
	w.isa.CMPL(value.As32(), shortest.As32())
	atFar := here("far")
	w.isa.JL(atFar)
	// Nothing is nearer than where the path may end already.
	w.isa.CMPQ(shortest, spare)
	w.isa.JLE(found)
	w.isa.SUBQ(shortest, bound)
	w.isa.JMP(low)
	w.isa.label(atFar)
	over := here("over")
	w.isa.CMPQ(value, spare)
	w.isa.JG(over)
	w.isa.MOVWQSX(entry(p, s.farMatch, lane), next)
	w.isa.TESTQ(next, next)
	free := here("free")
	w.isa.JS(free)
	w.isa.BTSL(lane.As32(), scanned.As32())
	w.lanesOf(scanned, blocked)
	w.isa.MOVWLZX(entry(p, s.near, next), base.As32())
	w.isa.ADDL(value.As32(), base.As32())
	w.isa.CMPL(base.As32(), shortest.As32())
	w.isa.JGE(search)
	w.isa.MOVL(base.As32(), shortest.As32())
	w.isa.MOVQ(next, last)
	w.isa.JMP(search)
	w.isa.label(over)
	w.isa.SUBQ(value, bound)
	w.isa.JMP(low)
	w.isa.label(free)
	w.isa.MOVL(value.As32(), shortest.As32())
	w.isa.MOVQ(lane, end)

	w.isa.label(found)
	w.isa.SUBW(shortest.As16(), entry(p, s.near, x))
	w.isa.SUBQ(shortest, bound)
	// The shift of far nodes that were scanned, and of the near nodes matched to them.
	w.spread16(shortest, d)
	w.isa.VPSUBW(dist, d, d)
	w.isa.VPXOR(line, line, line)
	w.isa.VPMAXSW(line, d, d)
	w.isa.VPAND(blocked, d, d)
	w.isa.VPADDW(d, far, far)
	w.isa.VMOVDQU(far, lineAt(p, s.far))
	w.isa.VMOVDQU(d, scratch)
	w.isa.VMOVDQU(from, scratch.Offset(pairingLine))
	shift, shifted := here("shift"), here("shifted")
	y, near := w.isa.GP64(), w.isa.GP64()
	w.isa.TESTL(scanned.As32(), scanned.As32())
	w.isa.JZ(shifted)
	w.isa.label(shift)
	w.isa.TZCNTL(scanned.As32(), y.As32())
	w.isa.MOVWQSX(entry(p, s.farMatch, y), near)
	by := w.isa.GP64()
	w.isa.MOVW(scratch.Idx(y, 2), by.As16())
	w.isa.SUBW(by.As16(), entry(p, s.near, near))
	w.nextBit(scanned, y, shift)
	w.isa.label(shifted)
	flip := here("flip")
	w.isa.TESTQ(end, end)
	w.isa.JNS(flip)
	w.isa.CMPQ(last, x)
	w.isa.JE(out)
	w.isa.MOVWQSX(entry(p, s.nearMatch, last), end)
	w.isa.MOVW(operand.Imm(0xffff), entry(p, s.nearMatch, last))
	w.isa.label(flip)
	w.isa.MOVWQSX(scratch.Offset(pairingLine).Idx(end, 2), near)
	w.isa.MOVWQSX(entry(p, s.nearMatch, near), y)
	w.isa.MOVW(end.As16(), entry(p, s.nearMatch, near))
	w.isa.MOVW(near.As16(), entry(p, s.farMatch, end))
	w.isa.MOVQ(y, end)
	w.isa.CMPQ(near, x)
	w.isa.JNE(flip)
	w.isa.label(out)
	w.isa.CMPQ(bound, need)
	w.isa.JL(low)

	w.isa.label(skip)
	w.nextBit(left, x, top)
	w.isa.label(done)
}
