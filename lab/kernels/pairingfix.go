package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (w pairingWriter) fix() {
	w.isa.function("fixPairing", "func(p, from *int16, graphs *uint16, i, j int)", "is FixPairing.")
	p, from, g, i, j := w.isa.param("p"), w.isa.param("from"), w.isa.param("graphs"), w.isa.param("i"), w.isa.param("j")
	gains := w.isa.AllocLocal(8 * pairingLine)  // of each kind, at the columns next to j
	nextTo := w.isa.AllocLocal(8 * pairingLine) // of each kind: -1 for the rows next to i
	rows, cols, t, k, ij := w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64(), w.isa.GP64()

	// What the pair earns.
	w.isa.MOVQ(i, ij)
	w.isa.SHLQ(operand.Imm(4), ij)
	w.isa.ADDQ(j, ij)
	bound := w.isa.GP64()
	w.isa.MOVQ(lineAt(from, pairBound), bound)
	for _, x := range []struct {
		m   operand.Mem
		add bool
	}{{entry(from, pairProfit, ij), true}, {entry(from, pairStar, ij), false}, {entry(from, pairU, i), false}, {entry(from, pairV, j), false}} {
		w.isa.MOVWQSX(x.m, t)
		if x.add {
			w.isa.ADDQ(t, bound)
		} else {
			w.isa.SUBQ(t, bound)
		}
	}
	w.isa.MOVQ(lineAt(from, pairRows), rows)
	w.isa.BTRQ(i, rows)
	w.isa.MOVQ(rows, lineAt(p, pairRows))
	w.isa.MOVQ(lineAt(from, pairCols), cols)
	w.isa.BTRQ(j, cols)
	w.isa.MOVQ(cols, lineAt(p, pairCols))
	line := w.isa.YMM()
	for _, disp := range []int{pairU, pairV, pairRowMatch, pairColMatch} {
		w.isa.VMOVDQU(lineAt(from, disp), line)
		w.isa.VMOVDQU(line, lineAt(p, disp))
	}
	w.isa.MOVW(operand.U16(0), entry(p, pairU, i))
	w.isa.MOVW(operand.U16(0), entry(p, pairV, j))
	w.unmatch(p, i, pairRowMatch, pairColMatch, label("unmatchedRow"))
	w.unmatch(p, j, pairColMatch, pairRowMatch, label("unmatchedCol"))

	kinds, next, shift := w.isa.GP64(), w.isa.GP64(), w.isa.GP64()
	w.isa.MOVQ(lineAt(g, graphsKinds), kinds)
	w.isa.XORL(k.As32(), k.As32())
	kindTop := label("kind")
	gain := w.isa.YMM()
	w.isa.label(kindTop)
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
		w.isa.LEAQ(operand.Mem{Base: shift, Index: s.id, Scale: 2}, next)
		w.isa.MOVWLZX(operand.Mem{Base: g, Disp: s.next, Index: next, Scale: 1}, next.As32())
		w.isa.ANDL(s.free.As32(), next.As32())
		w.lanesOf(next, line)
		w.isa.VPADDW(field(from, s.edges), line, gain)
		w.isa.VMOVDQU(gain, field(p, s.edges))
		if s.nodes == 1 {
			w.isa.VPBROADCASTW(entry(g, graphsWeight, k), gain)
			w.isa.VPAND(gain, line, line)
		}
		w.isa.VMOVDQU(line, s.to.Idx(shift, 1))
	}
	w.isa.INCQ(k)
	w.isa.CMPQ(k, kinds)
	w.isa.JL(kindTop)

	out, gone, v, most := w.forbid(), w.isa.YMM(), w.isa.YMM(), w.isa.YMM()
	for a := range 16 {
		w.isa.VMOVDQU(out, lineAt(p, pairProfit+a*pairingLine))
	}
	bit := w.isa.GP64()
	w.isa.XORL(bit.As32(), bit.As32())
	w.isa.BTSQ(j, bit)
	w.lanesOf(bit, gone)
	w.isa.VMOVDQU(lineAt(p, pairV), v)
	w.isa.VMOVDQU(v, most)
	a, left := w.isa.GP64(), w.isa.GP64()
	rowTop, rowsDone, starTop := label("row"), label("rows"), label("star")
	edge, star, x := w.isa.YMM(), w.isa.YMM(), w.isa.YMM()
	w.isa.MOVQ(rows, left)
	w.isa.TESTQ(left, left)
	w.isa.JZ(rowsDone)
	w.isa.label(rowTop)
	w.isa.TZCNTQ(left, a)
	w.isa.VPXOR(edge, edge, edge)
	w.isa.VPXOR(star, star, star)
	w.isa.XORL(k.As32(), k.As32())
	w.isa.label(starTop)
	w.line(k, shift)
	w.isa.LEAQ(operand.Mem{Base: shift, Index: a, Scale: 2}, next)
	w.isa.VPBROADCASTW(nextTo.Idx(next, 1), x)
	w.isa.VPAND(gains.Idx(shift, 1), x, x)
	w.isa.VPADDW(x, edge, edge)
	w.isa.VPBROADCASTW(operand.Mem{Base: p, Disp: pairRowEdges, Index: next, Scale: 1}, x)
	w.isa.VPMINSW(field(p, pairColEdges), x, x)
	w.isa.VPBROADCASTW(entry(g, graphsWeight, k), line)
	w.isa.VPMULLW(line, x, x)
	w.isa.VPADDW(x, star, star)
	w.isa.INCQ(k)
	w.isa.CMPQ(k, kinds)
	w.isa.JL(starTop)
	w.line(a, shift)
	w.isa.VMOVDQU(field(from, pairStar), x)
	w.isa.VPSUBW(edge, x, line)
	w.isa.VPMINSW(line, star, star)
	w.isa.VMOVDQU(star, field(p, pairStar))
	w.isa.VPSUBW(x, star, star)
	w.isa.VPADDW(edge, edge, edge)
	w.isa.VPADDW(edge, star, star)
	w.isa.VPADDW(field(from, pairProfit), star, star)
	w.isa.VPBLENDVB(gone, out, star, star)
	w.isa.VMOVDQU(star, field(p, pairProfit))
	w.isa.VPBROADCASTW(entry(p, pairU, a), x)
	w.isa.VPSUBW(x, star, star)
	w.isa.VPBROADCASTW(nextTo.Idx(a, 2), x)
	w.isa.VPAND(x, star, star)
	w.isa.VPMAXSW(star, most, most)
	w.nextBit(left, t, rowTop)
	w.isa.label(rowsDone)

	// The duals of columns rise as far as they must.
	w.isa.VMOVDQU(most, lineAt(p, pairV))
	w.isa.VPSUBW(v, most, most)
	w.isa.VPCMPEQW(x, x, x)
	w.isa.VPSRLW(operand.Imm(15), x, x)
	w.isa.VPMADDWD(x, most, most)
	half := w.isa.XMM()
	w.isa.VEXTRACTI128(operand.Imm(1), most, half)
	w.isa.VPADDD(half, most.AsX(), half)
	for _, by := range []uint64{8, 4} {
		w.isa.VPSRLDQ(operand.Imm(by), half, star.AsX())
		w.isa.VPADDD(star.AsX(), half, half)
	}
	w.isa.VMOVD(half, t.As32())
	w.isa.ADDQ(t, bound)
	w.isa.MOVQ(bound, lineAt(p, pairBound))

	for _, s := range []struct {
		name    string
		id      reg.GPVirtual
		next    int
		free    reg.GPVirtual
		near    int
		fromRow bool
	}{{"Row", i, graphsRowNext, rows, pairRowMatch, true}, {"Col", j, graphsColNext, cols, pairColMatch, false}} {
		top, tight, done := label("loosen%s", s.name), label("tight%s", s.name), label("loosened%s", s.name)
		y := w.isa.GP64()
		w.isa.MOVWLZX(entry(g, s.next, s.id), next.As32())
		w.isa.ANDL(s.free.As32(), next.As32())
		w.isa.JZ(done)
		w.isa.label(top)
		w.isa.TZCNTL(next.As32(), a.As32())
		w.isa.MOVWQSX(entry(p, s.near, a), y)
		w.isa.TESTQ(y, y)
		w.isa.JS(tight)
		if s.fromRow {
			w.looseMatch(p, a, y, tight, nil)
		} else {
			w.looseMatch(p, y, a, tight, nil)
		}
		w.isa.label(tight)
		w.nextBit(next, t, top)
		w.isa.label(done)
	}
	w.isa.done()
}
