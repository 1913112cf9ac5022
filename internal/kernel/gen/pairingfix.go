package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
	w.line(k, shift)
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
	w.line(k, shift)
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
	w.line(a, shift)
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
	w.nextBit(left, t, rowTop)
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
		w.nextBit(next, t, top)
		w.label(done)
	}
	w.done()
}
