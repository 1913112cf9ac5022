package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func sweeps(c *build.Context) {
	for _, vectors := range []int{1, 2} {
		for _, slots := range []int{3, 4} {
			s := sweep{isa: avx512(c), slots: slots, vectors: vectors, row: uint64(vectors * starBytes)}
			s.write()
		}
	}
}

// sweep writes SweepStars for one number of slots, and of vectors for the lanes of each.
type sweep struct {
	isa
	slots, vectors int
	row            uint64             // bytes of all lanes
	next           [][]reg.VecVirtual // the lane at the other end of half-edges of lanes; of two vectors they are read anew
	low            []reg.Register     // of one vector: which of their reverses are in the third slot or the fourth
	cols           [][]reg.VecVirtual // heaviest shares of the columns of a star
	sum            []reg.VecVirtual   // of heaviest shares of its rows
	v              []reg.VecVirtual
}

const starBytes = 64 // of a vector

// line returns the bytes of all slots.
func (s *sweep) line() operand.U32 { return operand.U32(uint64(s.slots) * s.row) }

// masks returns the bytes of the masks in the scratch; heaviest shares of the rows of a star follow.
func (s *sweep) masks() int { return s.vectors * 32 * int(s.row) }

// at returns the place of a vector of a slot.
func (s *sweep) at(base reg.GPVirtual, slot, vector int) operand.Mem {
	return operand.Mem{Base: base, Disp: (slot*s.vectors + vector) * starBytes}
}

// lanes returns a vector for each lane.
func (s *sweep) lanes() []reg.VecVirtual { return s.isa.vectors(s.vectors) }

// rowOf returns how far the lanes of a row are from those of the first.
func (s *sweep) rowOf(row reg.GPVirtual) reg.GPVirtual {
	p := s.GP64()
	s.IMUL3Q(operand.U32(s.row), row, p)
	return p
}

func (s *sweep) write() {
	s.function(string(label("sweepStars%dx%d", s.slots, 32*s.vectors)), "func(shares, weight, node, profit, v *int16, u *int32, tight *uint64, start, split, to, back, kind *int32, next, reverse, part, rowPart, scratch *int16, rows, bound, need, raise, backwards int, spare, none, third int16) int",
		"is SweepStars for so many slots and lanes.")
	s.v = s.lanes()
	from := s.param("v")
	for h := range s.vectors {
		s.load(s.at(from, 0, h), s.v[h])
	}
	s.exclude()

	s.sum = s.lanes()
	for range s.slots {
		s.cols = append(s.cols, s.lanes())
	}
	if s.vectors == 1 {
		next, reverse := s.param("next"), s.param("reverse")
		third, t := s.vector(), s.vector()
		s.broadcast("third", third)
		for c := range s.slots {
			n, k := s.vector(), s.K()
			s.load(s.at(next, c, 0), n)
			s.load(s.at(reverse, c, 0), t)
			s.VPTESTMW(third, t, k)
			s.next, s.low = append(s.next, []reg.VecVirtual{n}), append(s.low, k)
		}
	}

	row, bound := s.GP64(), s.param("bound")
	s.XORQ(row, row)
	s.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.JE(operand.LabelRef("rows"))
	s.MOVQ(s.onStack("rows"), row)
	s.DECQ(row)
	s.Label("rows")
	s.one(row, bound)
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
		for h := range s.vectors {
			s.VPBROADCASTW(operand.Mem{Base: u}, t)
			s.VPADDSW(s.v[h], t, t)
			s.VPSUBSW(s.at(profit, 0, h), t, t)
			s.VPCMPGTW(spare, t, above)
			s.load(s.at(nodes, 0, h), node)
			s.VPCMPEQW(none, node, never)
			s.KORD(above, never, above)
			s.VPMOVM2W(above, t)
			s.store(t, s.at(mask, 0, h))
			s.VPBLENDMW(none, node, above, node)
			s.store(node, s.at(nodes, 0, h))
		}
		for _, p := range []reg.GPVirtual{nodes, profit, mask} {
			s.ADDQ(operand.U32(s.row), p)
		}
		s.ADDQ(operand.U8(4), u)
	})
}

// one goes on with one row.
func (s *sweep) one(row, bound reg.GPVirtual) {
	first, last, start := s.GP64(), s.GP64(), s.param("start")
	s.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4}, first)
	s.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4, Disp: 4}, last)

	total, t := s.lanes(), s.lanes()
	s.bound("bound", row, first, last, total, true)
	var byCol []reg.Register
	for range s.vectors {
		byCol = append(byCol, s.K())
	}
	s.total(row, total, byCol)
	for h := range s.vectors {
		s.VPSUBSW(s.v[h], total[h], t[h])
		if h > 0 {
			s.VPMAXSW(t[h], t[0], t[0])
		}
	}
	most := s.greatest(t[0])
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
	s.total(row, total, byCol)
	s.Label("keep")
	profit := s.rowOf(row)
	s.ADDQ(s.onStack("profit"), profit)
	least, equal, tight, lanes := s.vector(), s.K(), s.GP64(), s.GP64()
	s.VPBROADCASTW(most.As32(), least)
	s.XORQ(tight, tight)
	for h := s.vectors - 1; h >= 0; h-- {
		s.store(total[h], s.at(profit, 0, h))
		s.VPSUBSW(s.v[h], total[h], t[h])
		s.VPCMPEQW(t[h], least, equal)
		s.KMOVD(equal, lanes.As32())
		s.SHLQ(operand.Imm(32), tight)
		s.ORQ(lanes, tight)
	}
	s.MOVQ(tight, operand.Mem{Base: s.param("tight"), Index: row, Scale: 8})
}

// shares returns the place of the shares of half-edge x.
func (s *sweep) shares(x reg.GPVirtual) reg.GPVirtual {
	p := s.GP64()
	s.IMUL3Q(s.line(), x, p)
	s.ADDQ(s.onStack("shares"), p)
	return p
}

// bound sets s.sum and s.cols. If mask is true it takes the shares of pairs excluded, and
// clobbers own.
func (s *sweep) bound(name string, row, first, last reg.GPVirtual, own []reg.VecVirtual, mask bool) {
	share, left := s.shares(first), s.GP64()
	s.MOVQ(last, left)
	s.SUBQ(first, left)
	for h := range s.vectors {
		s.zero(s.sum[h])
		for _, c := range s.cols {
			s.zero(c[h])
		}
	}
	z, t, best, other := s.vector(), s.vector(), s.lanes(), s.lanes()
	scratch, most, to, at := s.param("scratch"), s.GP64(), s.GP64(), s.GP64()
	next := s.GP64()
	if mask {
		s.MOVQ(s.onStack("next"), next)
		mine := s.rowOf(row)
		s.ADDQ(scratch, mine)
		for h := range s.vectors {
			s.load(s.at(mine, 0, h), own[h])
		}
		s.LEAQ(operand.Mem{Base: scratch, Disp: s.masks()}, most)
		s.MOVQ(s.onStack("to"), to)
		s.LEAQ(operand.Mem{Base: to, Index: first, Scale: 4}, to)
	}
	s.downFrom(name, left, func() {
		if mask {
			s.MOVLQSX(operand.Mem{Base: to}, at)
			s.IMUL3Q(operand.U32(s.row), at, at)
			s.ADDQ(scratch, at)
		}
		for h := range s.vectors {
			s.zero(best[h])
			if mask {
				s.load(s.at(at, 0, h), other[h])
			}
		}
		for c := range s.slots {
			for h := range s.vectors {
				here := s.at(share, c, h)
				s.load(here, z)
				if mask {
					if s.vectors == 1 {
						s.VPERMW(other[0], s.next[c][0], t)
					} else {
						s.load(s.at(next, c, h), t)
						s.VPERMI2W(other[1], other[0], t)
					}
					s.VPTERNLOGD(operand.Imm(0xfe), own[h], t, z) // any of the three
					s.store(z, here)
				}
				s.VPMAXSW(z, best[h], best[h])
				s.VPMAXSW(z, s.cols[c][h], s.cols[c][h])
			}
		}
		s.ADDQ(s.line(), share)
		for h := range s.vectors {
			s.VPADDSW(best[h], s.sum[h], s.sum[h])
			if mask {
				s.store(best[h], s.at(most, 0, h))
			}
		}
		if mask {
			s.ADDQ(operand.U32(s.row), most)
			s.ADDQ(operand.U8(4), to)
		}
	})
}

// total bounds what a row earns. byCol says where columns give the lesser bound.
func (s *sweep) total(row reg.GPVirtual, total []reg.VecVirtual, byCol []reg.Register) {
	node := s.rowOf(row)
	s.ADDQ(s.onStack("node"), node)
	for h := range s.vectors {
		s.VPADDSW(s.cols[0][h], s.cols[1][h], total[h])
		for _, c := range s.cols[2:] {
			s.VPADDSW(c[h], total[h], total[h])
		}
		s.VPCMPGTW(total[h], s.sum[h], byCol[h])
		s.VPMINSW(s.sum[h], total[h], total[h])
		s.VPADDSW(s.at(node, 0, h), total[h], total[h])
	}
}

// raise raises the shares of half-edges, and lowers those of their reverses.
func (s *sweep) raise(first, from, to, u reg.GPVirtual, total []reg.VecVirtual, byCol []reg.Register) {
	each, t := s.lanes(), s.vector()
	left, parts, part := s.GP64(), s.param("rowPart"), s.param("part")
	s.MOVQ(to, left)
	s.SUBQ(from, left)
	for h := range s.vectors {
		s.VPBROADCASTW(operand.Mem{Base: parts, Index: left, Scale: 2}, t)
		s.VPBLENDMW(s.at(part, 0, h), t, byCol[h], t)
		s.VPBROADCASTW(u.As32(), each[h])
		s.VPADDSW(s.v[h], each[h], each[h])
		s.VPSUBSW(total[h], each[h], each[h])
		s.VPADDSW(each[h], each[h], each[h])
		s.VPMULHW(t, each[h], each[h])
	}

	share, weight := s.shares(from), s.GP64()
	most, back, kind, at := s.GP64(), s.GP64(), s.GP64(), s.GP64()
	s.MOVQ(from, most)
	s.SUBQ(first, most)
	s.IMUL3Q(operand.U32(s.row), most, most)
	s.ADDQ(s.onStack("scratch"), most)
	s.ADDQ(operand.U32(uint32(s.masks())), most)
	s.MOVQ(s.onStack("back"), back)
	s.LEAQ(operand.Mem{Base: back, Index: from, Scale: 4}, back)
	s.MOVQ(s.onStack("kind"), kind)
	s.LEAQ(operand.Mem{Base: kind, Index: from, Scale: 4}, kind)
	reverse := s.param("reverse")
	w, sign := s.vector(), s.vector()
	var rest [][]reg.VecVirtual
	for range s.slots {
		rest = append(rest, s.lanes())
	}
	s.down("raise", left, func() {
		s.MOVLQSX(operand.Mem{Base: kind}, weight)
		s.IMUL3Q(s.line(), weight, weight)
		s.ADDQ(s.onStack("weight"), weight)
		for c := range s.slots {
			for h := range s.vectors {
				here := s.at(share, c, h)
				s.load(s.at(most, 0, h), t)
				s.VPBLENDMW(s.cols[c][h], t, byCol[h], t)
				s.VPADDSW(each[h], t, t)
				s.load(s.at(weight, c, h), w)
				s.VPMINSW(w, t, t)
				s.VPSRAW(operand.Imm(15), here, sign) // -1 stays
				s.VPORD(sign, t, t)
				s.store(t, here)
				s.VPSUBW(t, w, rest[c][h])
				s.VPORD(sign, rest[c][h], rest[c][h])
			}
		}
		s.MOVLQSX(operand.Mem{Base: back}, at)
		s.IMUL3Q(s.line(), at, at)
		s.ADDQ(s.onStack("shares"), at)
		for c := range s.slots {
			for h := range s.vectors {
				s.reverse(s.at(reverse, c, h), c, rest, t)
				s.store(t, s.at(at, c, h))
			}
		}
		s.ADDQ(s.line(), share)
		s.ADDQ(operand.U32(s.row), most)
		s.ADDQ(operand.U8(4), back)
		s.ADDQ(operand.U8(4), kind)
	})
}

// reverse sets dst to the values of rest at the places of a vector of slot c.
func (s *sweep) reverse(places operand.Mem, c int, rest [][]reg.VecVirtual, dst reg.VecVirtual) {
	w := s.vector()
	s.load(places, dst)
	if s.vectors == 1 {
		s.load(places, w)
		s.VPERMI2W(rest[1][0], rest[0][0], dst)
		if s.slots == 3 {
			s.VPERMW(rest[2][0], w, s.low[c], dst)
		} else {
			s.VPERMI2W(rest[3][0], rest[2][0], w)
			s.VPBLENDMW(w, dst, s.low[c], dst)
		}
		return
	}
	odd, high := s.K(), s.K() // the second slot or the fourth, and these two or the third
	bit := s.vector()
	s.VPSLLW(operand.Imm(9), dst, bit)
	s.VPMOVW2M(bit, odd)
	s.VPSLLW(operand.Imm(8), dst, bit)
	s.VPMOVW2M(bit, high)
	s.VPERMI2W(rest[0][1], rest[0][0], dst)
	s.load(places, w)
	s.VPERMI2W(rest[1][1], rest[1][0], w)
	s.VPBLENDMW(w, dst, odd, dst)
	s.load(places, w)
	s.VPERMI2W(rest[2][1], rest[2][0], w)
	if s.slots == 4 {
		s.load(places, bit)
		s.VPERMI2W(rest[3][1], rest[3][0], bit)
		s.VPBLENDMW(bit, w, odd, w)
	}
	s.VPBLENDMW(w, dst, high, dst)
}
