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
	isa
	bits, lanes, nibbles operand.Mem // 1, 2, 4, …; 0, 1, 2, …; the bits of 0 to 15, twice
}

// lineAt is a field, and entry the number of one of its lines.
func lineAt(p reg.Register, disp int) operand.Mem { return operand.Mem{Base: p, Disp: disp} }

func entry(p reg.Register, disp int, i reg.Register) operand.Mem {
	return operand.Mem{Base: p, Disp: disp, Index: i, Scale: 2}
}

// spread16 sets all lanes of v to the low 16 bits of g.
func (w pairingWriter) spread16(g reg.GPVirtual, v reg.VecVirtual) {
	x := w.XMM()
	w.VMOVD(g.As32(), x)
	w.VPBROADCASTW(x, v)
}

// lanesOf sets lanes of v to -1 where the low 16 bits of mask have a bit, else to 0.
func (w pairingWriter) lanesOf(mask reg.GPVirtual, v reg.VecVirtual) {
	w.spread16(mask, v)
	w.VPAND(w.bits, v, v)
	w.VPCMPEQW(w.bits, v, v)
}

// maskOf sets mask to a bit for every lane of v, which are 0 or -1.
func (w pairingWriter) maskOf(v reg.VecVirtual, mask reg.GPVirtual) {
	t := w.XMM()
	w.VEXTRACTI128(operand.Imm(1), v, t)
	w.VPACKSSWB(t, v.AsX(), t)
	w.VPMOVMSKB(t, mask.As32())
}

// nearest sets value to the least lane of v, none of which is negative but as excluded, and
// lane to the first such lane. Lanes of 4095 or more are as far as can be.
func (w pairingWriter) nearest(v, far reg.VecVirtual, value, lane reg.GPVirtual) {
	t, x := w.YMM(), w.XMM()
	w.VPMINUW(far, v, t)
	w.VPSLLW(operand.Imm(4), t, t)
	w.VPOR(w.lanes, t, t)
	w.VEXTRACTI128(operand.Imm(1), t, x)
	w.VPMINUW(x, t.AsX(), x)
	w.VPHMINPOSUW(x, x)
	w.VMOVD(x, value.As32())
	w.MOVWLZX(value.As16(), value.As32())
	w.MOVL(value.As32(), lane.As32())
	w.ANDL(operand.Imm(15), lane.As32())
	w.SHRL(operand.Imm(4), value.As32())
}

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
	w.MOVQ(bound, lineAt(p, pairBound))
	yes := w.GP64()
	w.MOVL(operand.U32(1), yes.As32())
	w.Store(yes.As8(), w.ReturnIndex(0))
	w.done()
	w.label(low)
	w.MOVQ(bound, lineAt(p, pairBound))
	no := w.GP64()
	w.XORL(no.As32(), no.As32())
	w.Store(no.As8(), w.ReturnIndex(0))
	w.done()
}

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
	w.LEAQ(operand.Mem{Base: left, Disp: -1}, x)
	w.ANDQ(x, left)
	w.JNZ(next)
	w.label(done)
}

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
	w.LEAL(operand.Mem{Base: scanned, Disp: -1}, y.As32())
	w.ANDL(y.As32(), scanned.As32())
	w.JNZ(shift)
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
	w.LEAQ(operand.Mem{Base: left, Disp: -1}, x)
	w.ANDQ(x, left)
	w.JNZ(top)
	w.label(done)
}

// forbid returns a register whose lanes are all forbidden.
func (w pairingWriter) forbid() reg.VecVirtual {
	g, v := w.GP64(), w.YMM()
	w.MOVL(operand.U32(forbidden&0xffff), g.As32())
	w.spread16(g, v)
	return v
}

func (w pairingWriter) narrow() {
	w.function("narrowPairing", "func(p *int16, graphs *uint16, spare int) (row, lost int)", "is NarrowPairing.")
	p, g := w.param("p"), w.param("graphs")
	none := label("none")
	left := w.AllocLocal(pairingLine) // the pairs left of each row, as bits
	rows, a, row, best, t := w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64()
	w.MOVQ(lineAt(p, pairRows), rows)
	w.MOVL(operand.U32(1<<30), best.As32())
	w.XORL(row.As32(), row.As32())
	spare := w.YMM()
	{
		s := w.param("spare")
		w.spread16(s, spare)
	}
	out := w.forbid()
	v, most, line, keep := w.YMM(), w.YMM(), w.YMM(), w.YMM()
	w.VMOVDQU(lineAt(p, pairV), v)
	top, worse := label("top"), label("worse")
	mask, score, at32 := w.GP64(), w.GP64(), w.GP64()
	w.label(top)
	w.TZCNTQ(rows, a)
	w.MOVQ(a, at32)
	w.SHLQ(operand.Imm(5), at32)
	profit := operand.Mem{Base: p, Disp: pairProfit, Index: at32, Scale: 1}
	star := operand.Mem{Base: p, Disp: pairStar, Index: at32, Scale: 1}
	w.VPBROADCASTW(entry(p, pairU, a), most)
	w.VPSUBW(spare, most, most)
	w.VMOVDQU(profit, line)
	w.VPSUBW(v, line, keep)
	w.VPCMPGTW(keep, most, keep) // -1 where excluded
	w.VPBLENDVB(keep, out, line, line)
	w.VMOVDQU(line, profit)
	w.maskOf(keep, mask)
	w.XORL(operand.U32(0xffff), mask.As32())
	w.MOVW(mask.As16(), left.Idx(a, 2))
	w.JZ(none) // flags of XORL: MOVW leaves them
	w.POPCNTL(mask.As32(), score.As32())
	w.MOVWLZX(entry(p, pairRowEdges, a), t.As32())
	w.SHLL(operand.Imm(2), t.As32())
	w.SUBL(t.As32(), score.As32())
	w.CMPL(score.As32(), best.As32())
	w.JGE(worse)
	w.MOVL(score.As32(), best.As32())
	w.MOVQ(a, row)
	w.label(worse)
	w.LEAQ(operand.Mem{Base: rows, Disp: -1}, t)
	w.ANDQ(t, rows)
	w.JNZ(top)

	// The stars.
	lost := w.GP64()
	w.XORL(lost.As32(), lost.As32())
	w.MOVQ(lineAt(p, pairRows), rows)
	cols, zero, low, table := w.YMM(), w.YMM(), w.YMM(), w.YMM()
	w.VPBROADCASTW(lineAt(p, pairCols), cols)
	w.VPXOR(zero, zero, zero)
	w.VMOVDQU(w.nibbles, table)
	n := w.GP64()
	w.MOVL(operand.U32(0x0f0f), n.As32())
	w.spread16(n, low)
	rowTop, kindTop, edgeTop, edgesDone, same, tight := label("row"), label("kind"), label("edge"), label("edges"), label("same"), label("tight")
	sum, ends, count, x := w.YMM(), w.YMM(), w.YMM(), w.YMM()
	k, next, any, b := w.GP64(), w.GP64(), w.GP64(), w.GP64()
	w.label(rowTop)
	w.TZCNTQ(rows, a)
	w.VPXOR(sum, sum, sum)
	kinds := w.GP64()
	w.MOVQ(lineAt(g, graphsKinds), kinds)
	w.XORL(k.As32(), k.As32())
	w.label(kindTop)
	w.MOVQ(k, at32)
	w.SHLQ(operand.Imm(5), at32)
	w.VPAND(operand.Mem{Base: g, Disp: graphsColNext, Index: at32, Scale: 1}, cols, ends)
	w.LEAQ(operand.Mem{Base: at32, Index: a, Scale: 2}, at32)
	w.MOVWLZX(operand.Mem{Base: g, Disp: graphsRowNext, Index: at32, Scale: 1}, next.As32())
	w.ANDQ(lineAt(p, pairRows), next)
	w.XORL(any.As32(), any.As32())
	w.POPCNTL(next.As32(), b.As32())
	w.spread16(b, count)
	w.TESTL(next.As32(), next.As32())
	w.JZ(edgesDone)
	w.label(edgeTop)
	w.TZCNTL(next.As32(), b.As32())
	w.VPBROADCASTW(left.Idx(b, 2), x)
	w.MOVWLZX(left.Idx(b, 2), b.As32())
	w.ORL(b.As32(), any.As32())
	w.VPAND(ends, x, x)
	w.VPCMPEQW(zero, x, x)
	w.VPADDW(x, count, count) // one less where the edge earns nothing
	w.LEAL(operand.Mem{Base: next, Disp: -1}, b.As32())
	w.ANDL(b.As32(), next.As32())
	w.JNZ(edgeTop)
	w.label(edgesDone)
	w.spread16(any, x)
	w.VPAND(x, ends, ends)
	// Bits of every lane, by nibbles.
	w.VPAND(low, ends, x)
	w.VPSRLW(operand.Imm(4), ends, ends)
	w.VPAND(low, ends, ends)
	w.VPSHUFB(x, table, x)
	w.VPSHUFB(ends, table, ends)
	w.VPADDB(x, ends, ends)
	w.VPSRLW(operand.Imm(8), ends, x)
	w.VPADDB(x, ends, ends)
	w.VPSLLW(operand.Imm(8), ends, ends)
	w.VPSRLW(operand.Imm(8), ends, ends)
	w.VPMINSW(ends, count, count)
	w.VPBROADCASTW(entry(g, graphsWeight, k), x)
	w.VPMULLW(x, count, count)
	w.VPADDW(count, sum, sum)
	w.INCQ(k)
	w.CMPQ(k, kinds)
	w.JL(kindTop)
	w.MOVQ(a, at32)
	w.SHLQ(operand.Imm(5), at32)
	w.VMOVDQU(star, x)
	w.VPSUBW(sum, x, ends)
	w.VPMAXSW(zero, ends, ends) // by how much the star falls
	w.VPTEST(ends, ends)
	w.JZ(same)
	w.VPSUBW(ends, x, x)
	w.VMOVDQU(x, star)
	w.VMOVDQU(profit, x)
	w.VPSUBW(ends, x, x)
	w.VMOVDQU(x, profit)
	w.MOVWQSX(entry(p, pairRowMatch, a), b)
	w.TESTQ(b, b)
	w.JS(same)
	w.looseMatch(p, a, b, tight, lost)
	w.label(tight)
	w.label(same)
	w.LEAQ(operand.Mem{Base: rows, Disp: -1}, t)
	w.ANDQ(t, rows)
	w.JNZ(rowTop)
	w.Store(row, w.ReturnIndex(0))
	w.Store(lost, w.ReturnIndex(1))
	w.done()

	w.label(none)
	w.MOVQ(operand.I32(-1), row)
	w.Store(row, w.ReturnIndex(0))
	w.XORL(t.As32(), t.As32())
	w.Store(t, w.ReturnIndex(1))
	w.done()
}

// looseMatch undoes the match of a and b, and sets lost to 1, unless it is tight.
func (w pairingWriter) looseMatch(p, a, b reg.GPVirtual, tight operand.LabelRef, lost reg.GPVirtual) {
	i, t := w.GP64(), w.GP64()
	w.MOVQ(a, i)
	w.SHLQ(operand.Imm(4), i)
	w.ADDQ(b, i)
	w.MOVW(entry(p, pairU, a), t.As16())
	w.ADDW(entry(p, pairV, b), t.As16())
	w.CMPW(t.As16(), entry(p, pairProfit, i))
	w.JE(tight)
	w.MOVW(operand.Imm(0xffff), entry(p, pairRowMatch, a))
	w.MOVW(operand.Imm(0xffff), entry(p, pairColMatch, b))
	if lost != nil {
		w.MOVL(operand.U32(1), lost.As32())
	}
}

// unmatch undoes the match of node x of the side whose matches are at near.
func (w pairingWriter) unmatch(p, x reg.GPVirtual, near, far int, done operand.LabelRef) {
	y := w.GP64()
	w.MOVWQSX(entry(p, near, x), y)
	w.TESTQ(y, y)
	w.JS(done)
	w.MOVW(operand.Imm(0xffff), entry(p, near, x))
	w.MOVW(operand.Imm(0xffff), entry(p, far, y))
	w.label(done)
}

func (w pairingWriter) fix() {
	w.function("fixPairing", "func(p, from *int16, graphs *uint16, i, j int)", "is FixPairing.")
	p, from, g, i, j := w.param("p"), w.param("from"), w.param("graphs"), w.param("i"), w.param("j")
	gains := w.AllocLocal(8 * pairingLine)  // of each kind, at the columns next to j
	nextTo := w.AllocLocal(8 * pairingLine) // of each kind: -1 for the rows next to i
	rows, cols, t, k, ij := w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64()

	// What the pair earns.
	w.MOVQ(i, ij)
	w.SHLQ(operand.Imm(4), ij)
	w.ADDQ(j, ij)
	bound := w.GP64()
	w.MOVQ(lineAt(from, pairBound), bound)
	for _, x := range []struct {
		m   operand.Mem
		add bool
	}{{entry(from, pairProfit, ij), true}, {entry(from, pairStar, ij), false}, {entry(from, pairU, i), false}, {entry(from, pairV, j), false}} {
		w.MOVWQSX(x.m, t)
		if x.add {
			w.ADDQ(t, bound)
		} else {
			w.SUBQ(t, bound)
		}
	}
	w.MOVQ(lineAt(from, pairRows), rows)
	w.BTRQ(i, rows)
	w.MOVQ(rows, lineAt(p, pairRows))
	w.MOVQ(lineAt(from, pairCols), cols)
	w.BTRQ(j, cols)
	w.MOVQ(cols, lineAt(p, pairCols))
	line := w.YMM()
	for _, disp := range []int{pairU, pairV, pairRowMatch, pairColMatch} {
		w.VMOVDQU(lineAt(from, disp), line)
		w.VMOVDQU(line, lineAt(p, disp))
	}
	w.MOVW(operand.U16(0), entry(p, pairU, i))
	w.MOVW(operand.U16(0), entry(p, pairV, j))
	w.unmatch(p, i, pairRowMatch, pairColMatch, label("unmatchedRow"))
	w.unmatch(p, j, pairColMatch, pairRowMatch, label("unmatchedCol"))

	kinds, next, shift := w.GP64(), w.GP64(), w.GP64()
	w.MOVQ(lineAt(g, graphsKinds), kinds)
	w.XORL(k.As32(), k.As32())
	kindTop := label("kind")
	gain := w.YMM()
	w.label(kindTop)
	w.MOVQ(k, shift)
	w.SHLQ(operand.Imm(5), shift)
	field := func(p reg.Register, disp int) operand.Mem {
		return operand.Mem{Base: p, Disp: disp, Index: shift, Scale: 1}
	}
	for _, s := range []struct {
		id                 reg.GPVirtual
		next, edges, nodes int
		free               reg.GPVirtual
		to                 operand.Mem
	}{{i, graphsRowNext, pairRowEdges, 0, rows, nextTo}, {j, graphsColNext, pairColEdges, 1, cols, gains}} {
		w.LEAQ(operand.Mem{Base: shift, Index: s.id, Scale: 2}, next)
		w.MOVWLZX(operand.Mem{Base: g, Disp: s.next, Index: next, Scale: 1}, next.As32())
		w.ANDL(s.free.As32(), next.As32())
		w.lanesOf(next, line)
		w.VPADDW(field(from, s.edges), line, gain)
		w.VMOVDQU(gain, field(p, s.edges))
		if s.nodes == 1 {
			w.VPBROADCASTW(entry(g, graphsWeight, k), gain)
			w.VPAND(gain, line, line)
		}
		w.VMOVDQU(line, s.to.Idx(shift, 1))
	}
	w.INCQ(k)
	w.CMPQ(k, kinds)
	w.JL(kindTop)

	out, gone, v, most := w.forbid(), w.YMM(), w.YMM(), w.YMM()
	for a := range 16 {
		w.VMOVDQU(out, lineAt(p, pairProfit+a*pairingLine))
	}
	bit := w.GP64()
	w.XORL(bit.As32(), bit.As32())
	w.BTSQ(j, bit)
	w.lanesOf(bit, gone)
	w.VMOVDQU(lineAt(p, pairV), v)
	w.VMOVDQU(v, most)
	a, left := w.GP64(), w.GP64()
	rowTop, rowsDone, starTop := label("row"), label("rows"), label("star")
	edge, star, x := w.YMM(), w.YMM(), w.YMM()
	w.MOVQ(rows, left)
	w.TESTQ(left, left)
	w.JZ(rowsDone)
	w.label(rowTop)
	w.TZCNTQ(left, a)
	w.VPXOR(edge, edge, edge)
	w.VPXOR(star, star, star)
	w.XORL(k.As32(), k.As32())
	w.label(starTop)
	w.MOVQ(k, shift)
	w.SHLQ(operand.Imm(5), shift)
	w.LEAQ(operand.Mem{Base: shift, Index: a, Scale: 2}, next)
	w.VPBROADCASTW(nextTo.Idx(next, 1), x)
	w.VPAND(gains.Idx(shift, 1), x, x)
	w.VPADDW(x, edge, edge)
	w.VPBROADCASTW(operand.Mem{Base: p, Disp: pairRowEdges, Index: next, Scale: 1}, x)
	w.VPMINSW(field(p, pairColEdges), x, x)
	w.VPBROADCASTW(entry(g, graphsWeight, k), line)
	w.VPMULLW(line, x, x)
	w.VPADDW(x, star, star)
	w.INCQ(k)
	w.CMPQ(k, kinds)
	w.JL(starTop)
	w.MOVQ(a, shift)
	w.SHLQ(operand.Imm(5), shift)
	w.VMOVDQU(field(from, pairStar), x)
	w.VPSUBW(edge, x, line)
	w.VPMINSW(line, star, star)
	w.VMOVDQU(star, field(p, pairStar))
	w.VPSUBW(x, star, star)
	w.VPADDW(edge, edge, edge)
	w.VPADDW(edge, star, star)
	w.VPADDW(field(from, pairProfit), star, star)
	w.VPBLENDVB(gone, out, star, star)
	w.VMOVDQU(star, field(p, pairProfit))
	w.VPBROADCASTW(entry(p, pairU, a), x)
	w.VPSUBW(x, star, star)
	w.VPBROADCASTW(nextTo.Idx(a, 2), x)
	w.VPAND(x, star, star)
	w.VPMAXSW(star, most, most)
	w.LEAQ(operand.Mem{Base: left, Disp: -1}, t)
	w.ANDQ(t, left)
	w.JNZ(rowTop)
	w.label(rowsDone)

	// The duals of columns rise as far as they must.
	w.VMOVDQU(most, lineAt(p, pairV))
	w.VPSUBW(v, most, most)
	w.VPCMPEQW(x, x, x)
	w.VPSRLW(operand.Imm(15), x, x)
	w.VPMADDWD(x, most, most)
	half := w.XMM()
	w.VEXTRACTI128(operand.Imm(1), most, half)
	w.VPADDD(half, most.AsX(), half)
	for _, by := range []uint64{8, 4} {
		w.VPSRLDQ(operand.Imm(by), half, star.AsX())
		w.VPADDD(star.AsX(), half, half)
	}
	w.VMOVD(half, t.As32())
	w.ADDQ(t, bound)
	w.MOVQ(bound, lineAt(p, pairBound))

	for _, s := range []struct {
		name    string
		id      reg.GPVirtual
		next    int
		free    reg.GPVirtual
		near    int
		fromRow bool
	}{{"Row", i, graphsRowNext, rows, pairRowMatch, true}, {"Col", j, graphsColNext, cols, pairColMatch, false}} {
		top, tight, done := label("loosen%s", s.name), label("tight%s", s.name), label("loosened%s", s.name)
		y := w.GP64()
		w.MOVWLZX(entry(g, s.next, s.id), next.As32())
		w.ANDL(s.free.As32(), next.As32())
		w.JZ(done)
		w.label(top)
		w.TZCNTL(next.As32(), a.As32())
		w.MOVWQSX(entry(p, s.near, a), y)
		w.TESTQ(y, y)
		w.JS(tight)
		if s.fromRow {
			w.looseMatch(p, a, y, tight, nil)
		} else {
			w.looseMatch(p, y, a, tight, nil)
		}
		w.label(tight)
		w.LEAL(operand.Mem{Base: next, Disp: -1}, t.As32())
		w.ANDL(t.As32(), next.As32())
		w.JNZ(top)
		w.label(done)
	}
	w.done()
}
