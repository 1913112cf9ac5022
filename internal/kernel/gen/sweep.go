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
	v              []reg.VecVirtual
	none           reg.VecVirtual // zero
}

const starBytes = 64 // of a vector

// line returns the bytes of all slots.
func (s *sweep) line() operand.U32 { return operand.U32(uint64(s.slots) * s.row) }

// masks returns the bytes of the masks in the scratch; what is left of matchings follows.
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

	s.none = s.zeroed()
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

// one goes on with one row: it finds what its stars earn, and raises their half-edges one after another.
func (s *sweep) one(row, bound reg.GPVirtual) {
	first, last, start := s.GP64(), s.GP64(), s.param("start")
	s.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4}, first)
	s.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4, Disp: 4}, last)
	s.mask(row, first, last)

	x, to, split, u := s.GP64(), s.GP64(), s.param("split"), s.GP64()
	s.MOVLQSX(operand.Mem{Base: split, Index: row, Scale: 4}, split)
	s.MOVQ(split, x)
	s.MOVQ(last, to)
	s.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.JE(operand.LabelRef("ahead"))
	s.MOVQ(first, x)
	s.MOVQ(split, to)
	s.Label("ahead")
	s.CMPQ(s.onStack("raise"), operand.U8(0))
	s.CMOVQEQ(x, to)
	s.CMPQ(x, to)
	s.CMOVQEQ(first, x)
	s.CMOVQEQ(first, to)
	total, each, top, left, least := s.lanes(), s.lanes(), s.lanes(), s.lanes(), s.lanes()
	raised, t := s.GP64(), s.vector()
	s.XORQ(raised, raised)

	s.Label("match")
	share := s.shares(x)
	s.rest(share, first, last)
	s.TESTQ(raised, raised)
	s.JNZ(operand.LabelRef("lift"))
	s.total(row, share, first, last, total)
	for h := range s.vectors {
		s.VPSUBSW(s.v[h], total[h], each[h])
		if h > 0 {
			s.VPMAXSW(each[h], each[0], each[0])
		}
	}
	s.MOVQ(s.greatest(each[0]), u)
	us, old := s.param("u"), s.GP64()
	s.MOVLQSX(operand.Mem{Base: us, Index: row, Scale: 4}, old)
	s.MOVL(u.As32(), operand.Mem{Base: us, Index: row, Scale: 4})
	s.ADDQ(u, bound)
	s.SUBQ(old, bound)
	s.CMPQ(s.onStack("raise"), operand.U8(0))
	s.JE(operand.LabelRef("keep"))
	s.CMPQ(bound, s.onStack("need"))
	s.JL(operand.LabelRef("done"))
	s.CMPQ(x, to)
	s.JGE(operand.LabelRef("keep"))
	s.allow(row, x, to, u, total, each, top, left, least)
	s.INCQ(raised)
	s.Label("lift")
	s.lift(row, x, total, each, top, left, least)
	s.INCQ(x)
	s.CMPQ(x, to)
	s.JL(operand.LabelRef("match"))

	s.Label("keep")
	profit := s.rowOf(row)
	s.ADDQ(s.onStack("profit"), profit)
	equal, tight, lanes := s.K(), s.GP64(), s.GP64()
	s.VPBROADCASTW(u.As32(), each[0])
	s.XORQ(tight, tight)
	for h := s.vectors - 1; h >= 0; h-- {
		s.store(total[h], s.at(profit, 0, h))
		s.VPSUBSW(s.v[h], total[h], t)
		s.VPCMPEQW(t, each[0], equal)
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

// mask takes the shares of the pairs of a row that are excluded.
func (s *sweep) mask(row, first, last reg.GPVirtual) {
	share, left, scratch, own := s.shares(first), s.GP64(), s.param("scratch"), s.lanes()
	s.MOVQ(last, left)
	s.SUBQ(first, left)
	mine := s.rowOf(row)
	s.ADDQ(scratch, mine)
	for h := range s.vectors {
		s.load(s.at(mine, 0, h), own[h])
	}
	to, at, next, t, other := s.param("to"), s.GP64(), s.param("next"), s.vector(), s.lanes()
	s.LEAQ(operand.Mem{Base: to, Index: first, Scale: 4}, to)
	s.downFrom("mask", left, func() {
		s.MOVLQSX(operand.Mem{Base: to}, at)
		s.IMUL3Q(operand.U32(s.row), at, at)
		s.ADDQ(scratch, at)
		for h := range s.vectors {
			s.load(s.at(at, 0, h), other[h])
		}
		for c := range s.slots {
			for h := range s.vectors {
				here := s.at(share, c, h)
				if s.vectors == 1 {
					s.VPERMW(other[0], s.next[c][0], t)
				} else {
					s.load(s.at(next, c, h), t)
					s.VPERMI2W(other[1], other[0], t)
				}
				s.VPTERNLOGD(operand.Imm(0xfe), here, own[h], t) // any of the three
				s.store(t, here)
			}
		}
		s.ADDQ(s.line(), share)
		s.ADDQ(operand.U8(4), to)
	})
}

// rest finds the matchings of the half-edges of a star but the one whose shares are given.
func (s *sweep) rest(share, first, last reg.GPVirtual) {
	left, begin, end, into := s.GP64(), s.shares(first), s.shares(last), s.left()
	s.MOVQ(last, left)
	s.SUBQ(first, left)
	row := s.GP64()
	s.MOVQ(share, row)
	for rows := range matched {
		s.CMPQ(left, operand.U8(uint64(rows+1)))
		s.JLE(label("rows%d", rows))
	}
	sets, _ := subsets(s.slots)
	for line := range sets {
		for h := range s.vectors {
			s.store(s.none, s.at(into, line, h))
		}
	}
	s.Label("more")
	s.ADDQ(s.line(), row)
	s.CMPQ(row, end)
	s.CMOVQEQ(begin, row)
	s.CMPQ(row, share)
	s.JE(operand.LabelRef("rested"))
	for h := range s.vectors {
		s.extend(s.slots, s.positive(s.slots, s.none, func(c int) operand.Mem { return s.at(row, c, h) }), func(line int) operand.Mem { return s.at(into, line, h) })
	}
	s.JMP(operand.LabelRef("more"))
	for rows := range matched {
		s.label(label("rows%d", rows))
		var others []reg.GPVirtual
		for range rows {
			s.ADDQ(s.line(), row)
			s.CMPQ(row, end)
			s.CMOVQEQ(begin, row)
			other := s.GP64()
			s.MOVQ(row, other)
			others = append(others, other)
		}
		for h := range s.vectors {
			s.rests(s.slots, rows, s.none, func(i int) []reg.VecVirtual {
				return s.positive(s.slots, s.none, func(c int) operand.Mem { return s.at(others[i], c, h) })
			}, func(c int, x reg.VecVirtual) { s.store(x, s.at(into, c, h)) })
		}
		s.JMP(label("rested"))
	}
	s.label("rested")
}

// left returns where rest leaves what it finds.
func (s *sweep) left() reg.GPVirtual {
	p := s.param("scratch")
	s.ADDQ(operand.U32(uint32(s.masks())), p)
	return p
}

// total finds what a row earns.
func (s *sweep) total(row, share, first, last reg.GPVirtual, total []reg.VecVirtual) {
	node, rest, x := s.rowOf(row), s.left(), s.vector()
	s.ADDQ(s.onStack("node"), node)
	for h := range s.vectors {
		s.zero(total[h])
	}
	s.CMPQ(first, last)
	s.JE(operand.LabelRef("alone"))
	for h := range s.vectors {
		for c := range s.slots {
			s.VPMAXSW(s.at(share, c, h), s.none, x)
			s.VPADDSW(s.at(rest, c, h), x, x)
			s.VPMAXSW(x, total[h], total[h])
		}
		s.VPMAXSW(s.at(rest, s.slots, h), total[h], total[h])
	}
	s.Label("alone")
	for h := range s.vectors {
		s.VPADDSW(s.at(node, 0, h), total[h], total[h])
	}
}

// allow says how far half-edges x to to may be raised; see Ops.allow and Ops.lift.
func (s *sweep) allow(row, x, to, u reg.GPVirtual, total, each, top, left, least []reg.VecVirtual) {
	count, parts, part, node, t, all := s.GP64(), s.param("rowPart"), s.param("part"), s.rowOf(row), s.vector(), s.vector()
	s.ADDQ(s.onStack("node"), node)
	s.MOVQ(to, count)
	s.SUBQ(x, count)
	s.VPBROADCASTW(operand.Mem{Base: parts, Disp: 2}, all)
	for h := range s.vectors {
		s.VPBROADCASTW(u.As32(), least[h])
		s.VPADDSW(s.v[h], least[h], each[h])
		s.VPSUBSW(total[h], each[h], each[h])
		s.VPADDSW(each[h], each[h], each[h])
		s.VPMULHW(all, each[h], top[h])
		s.VPADDSW(total[h], top[h], top[h])
		s.VPBROADCASTW(operand.Mem{Base: parts, Index: count, Scale: 2}, t)
		s.VPMAXSW(s.at(part, 0, h), t, t)
		s.VPMULHW(t, each[h], each[h])
		s.VMOVDQA64(total[h], left[h])
		s.broadcast("spare", t)
		s.VPSUBSW(t, least[h], least[h])
		s.VPADDSW(s.v[h], least[h], least[h])
		s.VPSUBSW(s.at(node, 0, h), least[h], least[h])
	}
}

// lift raises the shares of half-edge x, and lowers those of its reverse.
func (s *sweep) lift(row, x reg.GPVirtual, total, each, top, left, least []reg.VecVirtual) {
	share, matching, node, weight, at := s.shares(x), s.left(), s.rowOf(row), s.GP64(), s.GP64()
	s.ADDQ(s.onStack("node"), node)
	s.MOVLQSX(operand.Mem{Base: s.param("kind"), Index: x, Scale: 4}, weight)
	s.IMUL3Q(s.line(), weight, weight)
	s.ADDQ(s.onStack("weight"), weight)
	s.MOVLQSX(operand.Mem{Base: s.param("back"), Index: x, Scale: 4}, at)
	s.IMUL3Q(s.line(), at, at)
	s.ADDQ(s.onStack("shares"), at)
	most, r, w, t, sign := s.vector(), s.vector(), s.vector(), s.vector(), s.vector()
	low, none := s.K(), s.K()
	var rest [][]reg.VecVirtual
	for range s.slots {
		rest = append(rest, s.lanes())
	}
	for h := range s.vectors {
		s.VPADDSW(each[h], left[h], left[h])
		s.VPMINSW(top[h], left[h], left[h])
		s.VPSUBSW(s.at(node, 0, h), left[h], most)
		s.zero(total[h])
		for c := range s.slots {
			here := s.at(share, c, h)
			s.load(here, t)
			s.load(s.at(matching, c, h), r)
			s.VPMOVW2M(t, none)
			s.VPADDSW(t, r, t)
			s.VPCMPGTW(t, least[h], low)
			s.KORD(low, none, none)
			s.VPMOVM2W(none, sign)
			s.load(s.at(weight, c, h), w)
			s.VPSUBSW(r, most, t)
			s.VPMINSW(w, t, t)
			s.VPSUBW(t, w, rest[c][h])
			s.VPORD(sign, t, t)
			s.VPORD(sign, rest[c][h], rest[c][h])
			s.store(t, here)
			s.VPMAXSW(t, s.none, t)
			s.VPADDSW(r, t, t)
			s.VPMAXSW(t, total[h], total[h])
		}
		s.VPMAXSW(s.at(matching, s.slots, h), total[h], total[h])
		s.VPADDSW(s.at(node, 0, h), total[h], total[h])
	}
	reverse := s.param("reverse")
	for c := range s.slots {
		for h := range s.vectors {
			s.reverse(s.at(reverse, c, h), c, rest, t)
			s.store(t, s.at(at, c, h))
		}
	}
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
