package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func sweeps(c *build.Context) {
	for _, slots := range []int{3, 4} {
		s := sweep{isa: avx512(c), slots: slots}
		s.write()
	}
}

// sweep writes SweepStars for one number of slots and 32 lanes: a vector for each slot.
type sweep struct {
	isa
	slots int
	next  []reg.VecVirtual // the lane at the other end of half-edges of lanes
	low   []reg.Register   // which of their reverses are in the third slot or the fourth
	cols  []reg.VecVirtual // heaviest shares of the columns of a star
	sum   reg.VecVirtual   // of heaviest shares of its rows
	v     reg.VecVirtual
}

const (
	starBytes = 64             // of a vector
	starRows  = 32 * starBytes // of masks in the scratch; heaviest shares of the rows of a star follow
)

func (s *sweep) write() {
	s.function(string(label("sweepStars%d", s.slots)), "func(shares, weight, node, profit, v *int16, u *int32, tight *uint32, start, split, to, back, kind *int32, next, reverse, part, rowPart, scratch *int16, rows, bound, need, raise, backwards int, spare, none, third int16) int",
		"is SweepStars for 32 lanes.")
	s.v = s.vector()
	s.load(operand.Mem{Base: s.param("v")}, s.v)
	s.exclude()

	next, reverse := s.param("next"), s.param("reverse")
	third, t := s.vector(), s.vector()
	s.broadcast("third", third)
	s.sum = s.vector()
	for c := range s.slots {
		n, k := s.vector(), s.K()
		s.load(operand.Mem{Base: next, Disp: c * starBytes}, n)
		s.load(operand.Mem{Base: reverse, Disp: c * starBytes}, t)
		s.VPTESTMW(third, t, k)
		s.next, s.low, s.cols = append(s.next, n), append(s.low, k), append(s.cols, s.vector())
	}

	row, bound := s.GP64(), s.param("bound")
	s.XORQ(row, row)
	s.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.JE(operand.LabelRef("rows"))
	s.MOVQ(s.onStack("rows"), row)
	s.DECQ(row)
	s.Label("rows")
	s.row(row, bound)
	s.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.JNE(operand.LabelRef("before"))
	s.INCQ(row)
	s.CMPQ(row, s.onStack("rows"))
	s.JL(operand.LabelRef("rows"))
	s.JMP(operand.LabelRef("done"))
	s.Label("before")
	s.DECQ(row)
	s.JNS(operand.LabelRef("rows"))
	s.Label("done")
	s.Store(bound, s.ReturnIndex(0))
	s.done()
}

// onStack returns where a parameter is.
func (s *sweep) onStack(name string) operand.Op {
	m, err := s.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.Addr
}

// exclude makes the masks of the pairs that are excluded.
func (s *sweep) exclude() {
	spare, none, node, t := s.vector(), s.vector(), s.vector(), s.vector()
	s.broadcast("spare", spare)
	s.broadcast("none", none)
	nodes, profit, u, mask := s.param("node"), s.param("profit"), s.param("u"), s.param("scratch")
	above, never := s.K(), s.K()
	s.down("exclude", s.param("rows"), func() {
		s.VPBROADCASTW(operand.Mem{Base: u}, t)
		s.VPADDSW(s.v, t, t)
		s.VPSUBSW(operand.Mem{Base: profit}, t, t)
		s.VPCMPGTW(spare, t, above)
		s.load(operand.Mem{Base: nodes}, node)
		s.VPCMPEQW(none, node, never)
		s.KORD(above, never, above)
		s.VPMOVM2W(above, t)
		s.store(t, operand.Mem{Base: mask})
		s.VPBLENDMW(none, node, above, node)
		s.store(node, operand.Mem{Base: nodes})
		for _, p := range []reg.GPVirtual{nodes, profit, mask} {
			s.ADDQ(operand.U8(starBytes), p)
		}
		s.ADDQ(operand.U8(4), u)
	})
}

// row goes on with one row.
func (s *sweep) row(row, bound reg.GPVirtual) {
	first, last, t := s.GP64(), s.GP64(), s.vector()
	start := s.param("start")
	s.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4}, first)
	s.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4, Disp: 4}, last)

	total := s.vector()
	s.bound("bound", row, first, last, total, true)
	byCol := s.K()
	s.total(row, total, byCol)
	s.VPSUBSW(s.v, total, t)
	most := s.greatest(t)
	u, old := s.param("u"), s.GP64()
	s.MOVLQSX(operand.Mem{Base: u, Index: row, Scale: 4}, old)
	s.MOVL(most.As32(), operand.Mem{Base: u, Index: row, Scale: 4})
	s.ADDQ(most, bound)
	s.SUBQ(old, bound)

	s.CMPQ(s.onStack("raise"), operand.U8(0))
	s.JE(operand.LabelRef("keep"))
	s.CMPQ(bound, s.onStack("need"))
	s.JL(operand.LabelRef("done"))
	from, to, split := s.GP64(), s.GP64(), s.param("split")
	s.MOVLQSX(operand.Mem{Base: split, Index: row, Scale: 4}, from)
	s.MOVQ(last, to)
	s.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.JE(operand.LabelRef("ahead"))
	s.MOVQ(from, to)
	s.MOVQ(first, from)
	s.Label("ahead")
	s.CMPQ(from, to)
	s.JGE(operand.LabelRef("keep"))
	s.raise(first, from, to, most, total, byCol)
	s.bound("again", row, first, last, total, false)
	s.total(row, total, s.K())
	s.Label("keep")
	at := s.GP64()
	s.MOVQ(row, at)
	s.SHLQ(operand.Imm(6), at)
	s.store(total, operand.Mem{Base: s.param("profit"), Index: at, Scale: 1})
	s.VPSUBSW(s.v, total, t)
	s.VPBROADCASTW(most.As32(), total)
	equal, lanes := s.K(), s.GP32()
	s.VPCMPEQW(t, total, equal)
	s.KMOVD(equal, lanes)
	s.MOVL(lanes, operand.Mem{Base: s.param("tight"), Index: row, Scale: 4})
}

// shares returns the place of the shares of half-edge x.
func (s *sweep) shares(x reg.GPVirtual) reg.GPVirtual {
	p := s.GP64()
	s.IMUL3Q(operand.U32(uint32(s.slots*starBytes)), x, p)
	s.ADDQ(s.onStack("shares"), p)
	return p
}

// bound sets s.sum and s.cols, and takes the shares of pairs excluded if mask is true.
func (s *sweep) bound(name string, row, first, last reg.GPVirtual, own reg.VecVirtual, mask bool) {
	share, left := s.shares(first), s.GP64()
	s.MOVQ(last, left)
	s.SUBQ(first, left)
	s.zero(s.sum)
	for _, c := range s.cols {
		s.zero(c)
	}
	z, best, other, t := s.vector(), s.vector(), s.vector(), s.vector()
	scratch, most, to, at := s.param("scratch"), s.GP64(), s.GP64(), s.GP64()
	if mask {
		s.MOVQ(row, at)
		s.SHLQ(operand.Imm(6), at)
		s.load(operand.Mem{Base: scratch, Index: at, Scale: 1}, own)
		s.LEAQ(operand.Mem{Base: scratch, Disp: starRows}, most)
		s.MOVQ(s.onStack("to"), to)
		s.LEAQ(operand.Mem{Base: to, Index: first, Scale: 4}, to)
	}
	s.downFrom(name, left, func() {
		s.zero(best)
		if mask {
			s.MOVLQSX(operand.Mem{Base: to}, at)
			s.SHLQ(operand.Imm(6), at)
			s.load(operand.Mem{Base: scratch, Index: at, Scale: 1}, other)
		}
		for c := range s.slots {
			here := operand.Mem{Base: share, Disp: c * starBytes}
			s.load(here, z)
			if mask {
				s.VPERMW(other, s.next[c], t)
				s.VPTERNLOGD(operand.Imm(0xfe), own, t, z) // any of the three
				s.store(z, here)
			}
			s.VPMAXSW(z, best, best)
			s.VPMAXSW(z, s.cols[c], s.cols[c])
		}
		s.VPADDSW(best, s.sum, s.sum)
		s.ADDQ(operand.U32(uint32(s.slots*starBytes)), share)
		if mask {
			s.store(best, operand.Mem{Base: most})
			s.ADDQ(operand.U8(starBytes), most)
			s.ADDQ(operand.U8(4), to)
		}
	})
}

// total bounds what a row earns. byCol says where columns give the lesser bound.
func (s *sweep) total(row reg.GPVirtual, total reg.VecVirtual, byCol reg.Register) {
	s.VPADDSW(s.cols[0], s.cols[1], total)
	for _, c := range s.cols[2:] {
		s.VPADDSW(c, total, total)
	}
	s.VPCMPGTW(total, s.sum, byCol)
	s.VPMINSW(s.sum, total, total)
	at := s.GP64()
	s.MOVQ(row, at)
	s.SHLQ(operand.Imm(6), at)
	s.VPADDSW(operand.Mem{Base: s.param("node"), Index: at, Scale: 1}, total, total)
}

// raise raises the shares of half-edges, and lowers those of their reverses.
func (s *sweep) raise(first, from, to, u reg.GPVirtual, total reg.VecVirtual, byCol reg.Register) {
	each, t := s.vector(), s.vector()
	left, parts := s.GP64(), s.param("rowPart")
	s.MOVQ(to, left)
	s.SUBQ(from, left)
	s.VPBROADCASTW(operand.Mem{Base: parts, Index: left, Scale: 2}, t)
	s.VPBLENDMW(operand.Mem{Base: s.param("part")}, t, byCol, t)
	s.VPBROADCASTW(u.As32(), each)
	s.VPADDSW(s.v, each, each)
	s.VPSUBSW(total, each, each)
	s.VPADDSW(each, each, each)
	s.VPMULHW(t, each, each)

	share, weight := s.shares(from), s.GP64()
	most, back, kind, at := s.GP64(), s.GP64(), s.GP64(), s.GP64()
	s.MOVQ(from, most)
	s.SUBQ(first, most)
	s.SHLQ(operand.Imm(6), most)
	s.ADDQ(s.onStack("scratch"), most)
	s.MOVQ(s.onStack("back"), back)
	s.LEAQ(operand.Mem{Base: back, Index: from, Scale: 4}, back)
	s.MOVQ(s.onStack("kind"), kind)
	s.LEAQ(operand.Mem{Base: kind, Index: from, Scale: 4}, kind)
	reverse, shares := s.param("reverse"), s.param("shares")
	heaviest, w, sign := s.vector(), s.vector(), s.vector()
	rest := s.vectors(s.slots)
	s.down("raise", left, func() {
		s.load(operand.Mem{Base: most, Disp: starRows}, heaviest)
		s.MOVLQSX(operand.Mem{Base: kind}, weight)
		s.IMUL3Q(operand.U32(uint32(s.slots*starBytes)), weight, weight)
		s.ADDQ(s.onStack("weight"), weight)
		for c := range s.slots {
			here := operand.Mem{Base: share, Disp: c * starBytes}
			s.VPBLENDMW(s.cols[c], heaviest, byCol, t)
			s.VPADDSW(each, t, t)
			s.load(operand.Mem{Base: weight, Disp: c * starBytes}, w)
			s.VPMINSW(w, t, t)
			s.VPSRAW(operand.Imm(15), here, sign) // -1 stays
			s.or(sign, t, t)
			s.store(t, here)
			s.VPSUBW(t, w, rest[c])
			s.or(sign, rest[c], rest[c])
		}
		s.MOVLQSX(operand.Mem{Base: back}, at)
		s.IMUL3Q(operand.U32(uint32(s.slots*starBytes)), at, at)
		s.ADDQ(shares, at)
		for c := range s.slots {
			s.load(operand.Mem{Base: reverse, Disp: c * starBytes}, w)
			s.load(operand.Mem{Base: reverse, Disp: c * starBytes}, t)
			s.VPERMI2W(rest[1], rest[0], t)
			if s.slots == 3 {
				s.VPERMW(rest[2], w, s.low[c], t)
			} else {
				s.VPERMI2W(rest[3], rest[2], w)
				s.VPBLENDMW(w, t, s.low[c], t)
			}
			s.store(t, operand.Mem{Base: at, Disp: c * starBytes})
		}
		s.ADDQ(operand.U32(uint32(s.slots*starBytes)), share)
		s.ADDQ(operand.U8(starBytes), most)
		s.ADDQ(operand.U8(4), back)
		s.ADDQ(operand.U8(4), kind)
	})
}
