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
	i := w.GP64()
	w.MOVQ(x, i)
	if !s.cols {
		w.SHLQ(operand.Imm(5), i)
		w.VMOVDQU(operand.Mem{Base: p, Disp: pairProfit, Index: i, Scale: 1}, v)
		return
	}
	half := w.XMM()
	for h, to := range []reg.Register{v.AsX(), half} {
		w.VPXOR(to, to, to)
		for k := range 8 {
			w.VPINSRW(operand.Imm(uint64(k)), operand.Mem{Base: p, Disp: pairProfit + (8*h+k)*pairingLine, Index: i, Scale: 2}, to, to)
		}
	}
	w.VINSERTI128(operand.Imm(1), half, v, v)
}

func (w pairingWriter) solve() {
	w.function("solvePairing", "func(p *int16, need int) bool", "is SolvePairing.")
	p := w.param("p")
	parameter, err := w.Param("need").Resolve()
	if err != nil {
		panic(err)
	}
	need := parameter.Addr
	bound := w.GP64()
	low := label("low")
	w.MOVQ(lineAt(p, pairBound), bound)
	w.CMPQ(bound, need)
	w.JL(low)
	far := w.YMM() // 4095
	g := w.GP64()
	w.MOVL(operand.U32(4095), g.As32())
	w.spread16(g, far)
	scratch := w.AllocLocal(2 * pairingLine)
	rows := pairingSide{"Row", pairU, pairV, pairRowMatch, pairColMatch, pairRows, false}
	cols := pairingSide{"Col", pairV, pairU, pairColMatch, pairRowMatch, pairCols, true}
	pendingRows, pendingCols := w.GP64(), w.GP64()
	w.reduceAll(rows, p, bound, pendingRows, far)
	w.CMPQ(bound, need)
	w.JL(low)
	w.reduceAll(cols, p, bound, pendingCols, far)
	w.CMPQ(bound, need)
	w.JL(low)
	w.augmentAll(rows, p, bound, pendingRows, need, far, scratch, low)
	w.augmentAll(cols, p, bound, pendingCols, need, far, scratch, low)
	yes, no := w.GP64(), w.GP64()
	w.MOVL(operand.U32(1), yes.As32())
	w.answer(p, bound, yes)
	w.label(low)
	w.XORL(no.As32(), no.As32())
	w.answer(p, bound, no)
}

// answer returns the bound and whether it is enough.
func (w pairingWriter) answer(p, bound, enough reg.GPVirtual) {
	w.MOVQ(bound, lineAt(p, pairBound))
	w.Store(enough.As8(), w.ReturnIndex(0))
	w.done()
}

// reduceAll lowers the duals of the unmatched nodes of a side; pending are these nodes.
func (w pairingWriter) reduceAll(s pairingSide, p, bound, pending reg.GPVirtual, far reg.VecVirtual) {
	zero, v := w.YMM(), w.YMM()
	next, done := label("reduce%s", s.name), label("reduced%s", s.name)
	matched := w.YMM()
	w.VPXOR(zero, zero, zero)
	w.VPCMPGTW(lineAt(p, s.nearMatch), zero, matched) // -1 where there is no match
	w.VMOVDQU(lineAt(p, s.near), v)
	w.VPCMPGTW(zero, v, v)
	w.VPAND(v, matched, v)
	w.maskOf(v, pending)
	w.ANDQ(lineAt(p, s.free), pending)
	left, x, before, least, lane := w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64()
	w.MOVQ(pending, left)
	w.TESTQ(left, left)
	w.JZ(done)
	d, line := w.YMM(), w.YMM()
	w.label(next)
	w.TZCNTQ(left, x)
	w.profits(s, p, x, line)
	w.VPBROADCASTW(entry(p, s.near, x), d)
	w.VPADDW(lineAt(p, s.far), d, d)
	w.VPSUBW(line, d, d)
	w.nearest(d, far, least, lane)
	w.MOVWLZX(entry(p, s.near, x), before.As32())
	unmatched := label("unmatched%s", s.name)
	short := label("short%s", s.name)
	w.CMPL(least.As32(), before.As32())
	w.JL(short)
	w.MOVL(before.As32(), least.As32())
	w.JMP(unmatched)
	w.label(short)
	w.CMPW(entry(p, s.farMatch, lane), operand.Imm(0))
	w.JGE(unmatched)
	w.MOVW(lane.As16(), entry(p, s.nearMatch, x))
	w.MOVW(x.As16(), entry(p, s.farMatch, lane))
	w.label(unmatched)
	w.SUBL(least.As32(), before.As32())
	w.MOVW(before.As16(), entry(p, s.near, x))
	w.SUBQ(least, bound)
	w.nextBit(left, x, next)
	w.label(done)
}

// augmentAll looks for a path from each node of left that is still unmatched, and goes to low once
// the bound is below need.
func (w pairingWriter) augmentAll(s pairingSide, p, bound, left reg.GPVirtual, need operand.Mem, limit reg.VecVirtual, scratch operand.Mem, low operand.LabelRef) {
	here := func(name string) operand.LabelRef { return label("%s%s", name, s.name) }
	top, skip, done, search, found, out := here("augment"), here("skip"), here("augmented"), here("search"), here("found"), here("out")
	x := w.GP64()
	w.TESTQ(left, left)
	w.JZ(done)
	w.label(top)
	w.TZCNTQ(left, x)
	w.CMPW(entry(p, s.nearMatch, x), operand.Imm(0))
	w.JGE(skip)
	shortest := w.GP64()
	w.MOVWLZX(entry(p, s.near, x), shortest.As32())
	w.TESTL(shortest.As32(), shortest.As32())
	w.JZ(skip)

	far, dist, from, blocked := w.YMM(), w.YMM(), w.YMM(), w.YMM()
	d, line, less := w.YMM(), w.YMM(), w.YMM()
	next, base, last, end, value, lane, scanned := w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64()
	w.VMOVDQU(lineAt(p, s.far), far)
	w.VPCMPEQW(dist, dist, dist)
	w.VPSRLW(operand.Imm(1), dist, dist)
	w.VPXOR(from, from, from)
	w.VPXOR(blocked, blocked, blocked)
	w.XORL(scanned.As32(), scanned.As32())
	w.MOVQ(x, next)
	w.MOVQ(x, last)
	w.MOVQ(shortest, base)
	w.label(search)
	w.profits(s, p, next, line)
	w.spread16(base, d)
	w.VPADDW(far, d, d)
	w.VPSUBW(line, d, d)
	w.VPCMPGTW(d, dist, less)
	w.VPMINSW(d, dist, dist)
	w.spread16(next, d)
	w.VPBLENDVB(less, d, from, from)
	w.VPOR(blocked, dist, d)
	w.nearest(d, limit, value, lane)
	spare := w.GP64()
	w.MOVQ(bound, spare)
	w.SUBQ(need, spare)
	w.MOVQ(operand.I32(-1), end)
	w.CMPL(value.As32(), shortest.As32())
	atFar := here("far")
	w.JL(atFar)
	// Nothing is nearer than where the path may end already.
	w.CMPQ(shortest, spare)
	w.JLE(found)
	w.SUBQ(shortest, bound)
	w.JMP(low)
	w.label(atFar)
	over := here("over")
	w.CMPQ(value, spare)
	w.JG(over)
	w.MOVWQSX(entry(p, s.farMatch, lane), next)
	w.TESTQ(next, next)
	free := here("free")
	w.JS(free)
	w.BTSL(lane.As32(), scanned.As32())
	w.lanesOf(scanned, blocked)
	w.MOVWLZX(entry(p, s.near, next), base.As32())
	w.ADDL(value.As32(), base.As32())
	w.CMPL(base.As32(), shortest.As32())
	w.JGE(search)
	w.MOVL(base.As32(), shortest.As32())
	w.MOVQ(next, last)
	w.JMP(search)
	w.label(over)
	w.SUBQ(value, bound)
	w.JMP(low)
	w.label(free)
	w.MOVL(value.As32(), shortest.As32())
	w.MOVQ(lane, end)

	w.label(found)
	w.SUBW(shortest.As16(), entry(p, s.near, x))
	w.SUBQ(shortest, bound)
	// The shift of far nodes that were scanned, and of the near nodes matched to them.
	w.spread16(shortest, d)
	w.VPSUBW(dist, d, d)
	w.VPXOR(line, line, line)
	w.VPMAXSW(line, d, d)
	w.VPAND(blocked, d, d)
	w.VPADDW(d, far, far)
	w.VMOVDQU(far, lineAt(p, s.far))
	w.VMOVDQU(d, scratch)
	w.VMOVDQU(from, scratch.Offset(pairingLine))
	shift, shifted := here("shift"), here("shifted")
	y, near := w.GP64(), w.GP64()
	w.TESTL(scanned.As32(), scanned.As32())
	w.JZ(shifted)
	w.label(shift)
	w.TZCNTL(scanned.As32(), y.As32())
	w.MOVWQSX(entry(p, s.farMatch, y), near)
	by := w.GP64()
	w.MOVW(scratch.Idx(y, 2), by.As16())
	w.SUBW(by.As16(), entry(p, s.near, near))
	w.nextBit(scanned, y, shift)
	w.label(shifted)
	flip := here("flip")
	w.TESTQ(end, end)
	w.JNS(flip)
	w.CMPQ(last, x)
	w.JE(out)
	w.MOVWQSX(entry(p, s.nearMatch, last), end)
	w.MOVW(operand.Imm(0xffff), entry(p, s.nearMatch, last))
	w.label(flip)
	w.MOVWQSX(scratch.Offset(pairingLine).Idx(end, 2), near)
	w.MOVWQSX(entry(p, s.nearMatch, near), y)
	w.MOVW(end.As16(), entry(p, s.nearMatch, near))
	w.MOVW(near.As16(), entry(p, s.farMatch, end))
	w.MOVQ(y, end)
	w.CMPQ(near, x)
	w.JNE(flip)
	w.label(out)
	w.CMPQ(bound, need)
	w.JL(low)

	w.label(skip)
	w.nextBit(left, x, top)
	w.label(done)
}
