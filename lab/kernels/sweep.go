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
	isa            isa
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
	p := s.isa.GP64()
	s.isa.IMUL3Q(operand.U32(s.row), row, p)
	return p
}

func (s *sweep) write() {
	s.isa.function(string(label("sweepStars%dx%d", s.slots, 32*s.vectors)), "func(shares, weight, node, profit, v *int16, u *int32, tight *uint64, start, split, to, back, kind *int32, next, reverse, part, rowPart, scratch *int16, rows, bound, need, raise, backwards int, spare, none, third int16) int",
		"is SweepStars for so many slots and lanes.")
	s.v = s.lanes()
	from := s.isa.param("v")
	for h := range s.vectors {
		s.isa.load(s.at(from, 0, h), s.v[h])
	}
	s.exclude()

	s.none = s.isa.zeroed()
	if s.vectors == 1 {
		next, reverse := s.isa.param("next"), s.isa.param("reverse")
		third, t := s.isa.vector(), s.isa.vector()
		s.isa.broadcast("third", third)
		for c := range s.slots {
			n, k := s.isa.vector(), s.isa.K()
			s.isa.load(s.at(next, c, 0), n)
			s.isa.load(s.at(reverse, c, 0), t)
			s.isa.VPTESTMW(third, t, k)
			s.next, s.low = append(s.next, []reg.VecVirtual{n}), append(s.low, k)
		}
	}

	row, bound := s.isa.GP64(), s.isa.param("bound")
	s.isa.XORQ(row, row)
	s.isa.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.isa.JE(operand.LabelRef("rows"))
	s.isa.MOVQ(s.onStack("rows"), row)
	s.isa.DECQ(row)
	s.isa.Label("rows")
	s.one(row, bound)
	s.isa.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.isa.JNE(operand.LabelRef("before"))
	s.isa.INCQ(row)
	s.isa.CMPQ(row, s.onStack("rows"))
	s.isa.JL(operand.LabelRef("rows"))
	s.isa.JMP(operand.LabelRef("done"))
	s.isa.Label("before")
	s.isa.DECQ(row)
	s.isa.JNS(operand.LabelRef("rows"))
	s.isa.Label("done")
	s.isa.Store(bound, s.isa.ReturnIndex(0))
	s.isa.done()
}

// onStack returns where a parameter is.
func (s *sweep) onStack(name string) operand.Op {
	m, err := s.isa.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.Addr
}

// exclude makes the masks of the pairs that are excluded.
func (s *sweep) exclude() {
	spare, none, node, t := s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector()
	s.isa.broadcast("spare", spare)
	s.isa.broadcast("none", none)
	nodes, profit, u, mask := s.isa.param("node"), s.isa.param("profit"), s.isa.param("u"), s.isa.param("scratch")
	above, never := s.isa.K(), s.isa.K()
	s.isa.down("exclude", s.isa.param("rows"), func() {
		for h := range s.vectors {
			s.isa.VPBROADCASTW(operand.Mem{Base: u}, t)
			s.isa.VPADDSW(s.v[h], t, t)
			s.isa.VPSUBSW(s.at(profit, 0, h), t, t)
			s.isa.VPCMPGTW(spare, t, above)
			s.isa.load(s.at(nodes, 0, h), node)
			s.isa.VPCMPEQW(none, node, never)
			s.isa.KORD(above, never, above)
			s.isa.VPMOVM2W(above, t)
			s.isa.store(t, s.at(mask, 0, h))
			s.isa.VPBLENDMW(none, node, above, node)
			s.isa.store(node, s.at(nodes, 0, h))
		}
		for _, p := range []reg.GPVirtual{nodes, profit, mask} {
			s.isa.ADDQ(operand.U32(s.row), p)
		}
		s.isa.ADDQ(operand.U8(4), u)
	})
}

// one goes on with one row: it finds what its stars earn, and raises their half-edges one after another.
func (s *sweep) one(row, bound reg.GPVirtual) {
	first, last, start := s.isa.GP64(), s.isa.GP64(), s.isa.param("start")
	s.isa.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4}, first)
	s.isa.MOVLQSX(operand.Mem{Base: start, Index: row, Scale: 4, Disp: 4}, last)
	s.mask(row, first, last)

	x, to, split, u := s.isa.GP64(), s.isa.GP64(), s.isa.param("split"), s.isa.GP64()
	s.isa.MOVLQSX(operand.Mem{Base: split, Index: row, Scale: 4}, split)
	s.isa.MOVQ(split, x)
	s.isa.MOVQ(last, to)
	s.isa.CMPQ(s.onStack("backwards"), operand.U8(0))
	s.isa.JE(operand.LabelRef("ahead"))
	s.isa.MOVQ(first, x)
	s.isa.MOVQ(split, to)
	s.isa.Label("ahead")
	s.isa.CMPQ(s.onStack("raise"), operand.U8(0))
	s.isa.CMOVQEQ(x, to)
	s.isa.CMPQ(x, to)
	s.isa.CMOVQEQ(first, x)
	s.isa.CMOVQEQ(first, to)
	total, each, top, left, least := s.lanes(), s.lanes(), s.lanes(), s.lanes(), s.lanes()
	raised, t := s.isa.GP64(), s.isa.vector()
	s.isa.XORQ(raised, raised)

	s.isa.Label("match")
	share := s.shares(x)
	s.rest(share, first, last)
	s.isa.TESTQ(raised, raised)
	s.isa.JNZ(operand.LabelRef("lift"))
	s.total(row, share, first, last, total)
	for h := range s.vectors {
		s.isa.VPSUBSW(s.v[h], total[h], each[h])
		if h > 0 {
			s.isa.VPMAXSW(each[h], each[0], each[0])
		}
	}
	s.isa.MOVQ(s.isa.greatest(each[0]), u)
	us, old := s.isa.param("u"), s.isa.GP64()
	s.isa.MOVLQSX(operand.Mem{Base: us, Index: row, Scale: 4}, old)
	s.isa.MOVL(u.As32(), operand.Mem{Base: us, Index: row, Scale: 4})
	s.isa.ADDQ(u, bound)
	s.isa.SUBQ(old, bound)
	s.isa.CMPQ(s.onStack("raise"), operand.U8(0))
	s.isa.JE(operand.LabelRef("keep"))
	s.isa.CMPQ(bound, s.onStack("need"))
	s.isa.JL(operand.LabelRef("done"))
	s.isa.CMPQ(x, to)
	s.isa.JGE(operand.LabelRef("keep"))
	s.allow(row, x, to, u, total, each, top, left, least)
	s.isa.INCQ(raised)
	s.isa.Label("lift")
	s.lift(row, x, total, each, top, left, least)
	s.isa.INCQ(x)
	s.isa.CMPQ(x, to)
	s.isa.JL(operand.LabelRef("match"))

	s.isa.Label("keep")
	profit := s.rowOf(row)
	s.isa.ADDQ(s.onStack("profit"), profit)
	equal, tight, lanes := s.isa.K(), s.isa.GP64(), s.isa.GP64()
	s.isa.VPBROADCASTW(u.As32(), each[0])
	s.isa.XORQ(tight, tight)
	for h := s.vectors - 1; h >= 0; h-- {
		s.isa.store(total[h], s.at(profit, 0, h))
		s.isa.VPSUBSW(s.v[h], total[h], t)
		s.isa.VPCMPEQW(t, each[0], equal)
		s.isa.KMOVD(equal, lanes.As32())
		s.isa.SHLQ(operand.Imm(32), tight)
		s.isa.ORQ(lanes, tight)
	}
	s.isa.MOVQ(tight, operand.Mem{Base: s.isa.param("tight"), Index: row, Scale: 8})
}

// shares returns the place of the shares of half-edge x.
func (s *sweep) shares(x reg.GPVirtual) reg.GPVirtual {
	p := s.isa.GP64()
	s.isa.IMUL3Q(s.line(), x, p)
	s.isa.ADDQ(s.onStack("shares"), p)
	return p
}

// mask takes the shares of the pairs of a row that are excluded.
func (s *sweep) mask(row, first, last reg.GPVirtual) {
	share, left, scratch, own := s.shares(first), s.isa.GP64(), s.isa.param("scratch"), s.lanes()
	s.isa.MOVQ(last, left)
	s.isa.SUBQ(first, left)
	mine := s.rowOf(row)
	s.isa.ADDQ(scratch, mine)
	for h := range s.vectors {
		s.isa.load(s.at(mine, 0, h), own[h])
	}
	to, at, next, t, other := s.isa.param("to"), s.isa.GP64(), s.isa.param("next"), s.isa.vector(), s.lanes()
	s.isa.LEAQ(operand.Mem{Base: to, Index: first, Scale: 4}, to)
	s.isa.downFrom("mask", left, func() {
		s.isa.MOVLQSX(operand.Mem{Base: to}, at)
		s.isa.IMUL3Q(operand.U32(s.row), at, at)
		s.isa.ADDQ(scratch, at)
		for h := range s.vectors {
			s.isa.load(s.at(at, 0, h), other[h])
		}
		for c := range s.slots {
			for h := range s.vectors {
				here := s.at(share, c, h)
				if s.vectors == 1 {
					s.isa.VPERMW(other[0], s.next[c][0], t)
				} else {
					s.isa.load(s.at(next, c, h), t)
					s.isa.VPERMI2W(other[1], other[0], t)
				}
				s.isa.VPTERNLOGD(operand.Imm(0xfe), here, own[h], t) // any of the three
				s.isa.store(t, here)
			}
		}
		s.isa.ADDQ(s.line(), share)
		s.isa.ADDQ(operand.U8(4), to)
	})
}

// rest finds the matchings of the half-edges of a star but the one whose shares are given.
func (s *sweep) rest(share, first, last reg.GPVirtual) {
	left, begin, end, into := s.isa.GP64(), s.shares(first), s.shares(last), s.left()
	s.isa.MOVQ(last, left)
	s.isa.SUBQ(first, left)
	row := s.isa.GP64()
	s.isa.MOVQ(share, row)
	for rows := range matched {
		s.isa.CMPQ(left, operand.U8(uint64(rows+1)))
		s.isa.JLE(label("rows%d", rows))
	}
	sets, _ := subsets(s.slots)
	for line := range sets {
		for h := range s.vectors {
			s.isa.store(s.none, s.at(into, line, h))
		}
	}
	s.isa.Label("more")
	s.isa.ADDQ(s.line(), row)
	s.isa.CMPQ(row, end)
	s.isa.CMOVQEQ(begin, row)
	s.isa.CMPQ(row, share)
	s.isa.JE(operand.LabelRef("rested"))
	for h := range s.vectors {
		s.isa.extend(s.slots, s.isa.positive(s.slots, s.none, func(c int) operand.Mem { return s.at(row, c, h) }), func(line int) operand.Mem { return s.at(into, line, h) })
	}
	s.isa.JMP(operand.LabelRef("more"))
	for rows := range matched {
		s.isa.label(label("rows%d", rows))
		var others []reg.GPVirtual
		for range rows {
			s.isa.ADDQ(s.line(), row)
			s.isa.CMPQ(row, end)
			s.isa.CMOVQEQ(begin, row)
			other := s.isa.GP64()
			s.isa.MOVQ(row, other)
			others = append(others, other)
		}
		for h := range s.vectors {
			s.isa.rests(s.slots, rows, s.none, func(i int) []reg.VecVirtual {
				return s.isa.positive(s.slots, s.none, func(c int) operand.Mem { return s.at(others[i], c, h) })
			}, func(c int, x reg.VecVirtual) { s.isa.store(x, s.at(into, c, h)) })
		}
		s.isa.JMP(label("rested"))
	}
	s.isa.label("rested")
}

// left returns where rest leaves what it finds.
func (s *sweep) left() reg.GPVirtual {
	p := s.isa.param("scratch")
	s.isa.ADDQ(operand.U32(uint32(s.masks())), p)
	return p
}

// total finds what a row earns.
func (s *sweep) total(row, share, first, last reg.GPVirtual, total []reg.VecVirtual) {
	node, rest, x := s.rowOf(row), s.left(), s.isa.vector()
	s.isa.ADDQ(s.onStack("node"), node)
	for h := range s.vectors {
		s.isa.zero(total[h])
	}
	s.isa.CMPQ(first, last)
	s.isa.JE(operand.LabelRef("alone"))
	for h := range s.vectors {
		for c := range s.slots {
			s.isa.VPMAXSW(s.at(share, c, h), s.none, x)
			s.isa.VPADDSW(s.at(rest, c, h), x, x)
			s.isa.VPMAXSW(x, total[h], total[h])
		}
		s.isa.VPMAXSW(s.at(rest, s.slots, h), total[h], total[h])
	}
	s.isa.Label("alone")
	for h := range s.vectors {
		s.isa.VPADDSW(s.at(node, 0, h), total[h], total[h])
	}
}

// allow says how far half-edges x to to may be raised; see Ops.allow and Ops.lift.
func (s *sweep) allow(row, x, to, u reg.GPVirtual, total, each, top, left, least []reg.VecVirtual) {
	count, parts, part, node, t, all := s.isa.GP64(), s.isa.param("rowPart"), s.isa.param("part"), s.rowOf(row), s.isa.vector(), s.isa.vector()
	s.isa.ADDQ(s.onStack("node"), node)
	s.isa.MOVQ(to, count)
	s.isa.SUBQ(x, count)
	s.isa.VPBROADCASTW(operand.Mem{Base: parts, Disp: 2}, all)
	for h := range s.vectors {
		s.isa.VPBROADCASTW(u.As32(), least[h])
		s.isa.VPADDSW(s.v[h], least[h], each[h])
		s.isa.VPSUBSW(total[h], each[h], each[h])
		s.isa.VPADDSW(each[h], each[h], each[h])
		s.isa.VPMULHW(all, each[h], top[h])
		s.isa.VPADDSW(total[h], top[h], top[h])
		s.isa.VPBROADCASTW(operand.Mem{Base: parts, Index: count, Scale: 2}, t)
		s.isa.VPMAXSW(s.at(part, 0, h), t, t)
		s.isa.VPMULHW(t, each[h], each[h])
		s.isa.VMOVDQA64(total[h], left[h])
		s.isa.broadcast("spare", t)
		s.isa.VPSUBSW(t, least[h], least[h])
		s.isa.VPADDSW(s.v[h], least[h], least[h])
		s.isa.VPSUBSW(s.at(node, 0, h), least[h], least[h])
	}
}

// lift raises the shares of half-edge x, and lowers those of its reverse.
func (s *sweep) lift(row, x reg.GPVirtual, total, each, top, left, least []reg.VecVirtual) {
	share, matching, node, weight, at := s.shares(x), s.left(), s.rowOf(row), s.isa.GP64(), s.isa.GP64()
	s.isa.ADDQ(s.onStack("node"), node)
	s.isa.MOVLQSX(operand.Mem{Base: s.isa.param("kind"), Index: x, Scale: 4}, weight)
	s.isa.IMUL3Q(s.line(), weight, weight)
	s.isa.ADDQ(s.onStack("weight"), weight)
	s.isa.MOVLQSX(operand.Mem{Base: s.isa.param("back"), Index: x, Scale: 4}, at)
	s.isa.IMUL3Q(s.line(), at, at)
	s.isa.ADDQ(s.onStack("shares"), at)
	most, r, w, t, sign := s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector()
	low, none := s.isa.K(), s.isa.K()
	var rest [][]reg.VecVirtual
	for range s.slots {
		rest = append(rest, s.lanes())
	}
	for h := range s.vectors {
		s.isa.VPADDSW(each[h], left[h], left[h])
		s.isa.VPMINSW(top[h], left[h], left[h])
		s.isa.VPSUBSW(s.at(node, 0, h), left[h], most)
		s.isa.zero(total[h])
		for c := range s.slots {
			here := s.at(share, c, h)
			s.isa.load(here, t)
			s.isa.load(s.at(matching, c, h), r)
			s.isa.VPMOVW2M(t, none)
			s.isa.VPADDSW(t, r, t)
			s.isa.VPCMPGTW(t, least[h], low)
			s.isa.KORD(low, none, none)
			s.isa.VPMOVM2W(none, sign)
			s.isa.load(s.at(weight, c, h), w)
			s.isa.VPSUBSW(r, most, t)
			s.isa.VPMINSW(w, t, t)
			s.isa.VPSUBW(t, w, rest[c][h])
			s.isa.VPORD(sign, t, t)
			s.isa.VPORD(sign, rest[c][h], rest[c][h])
			s.isa.store(t, here)
			s.isa.VPMAXSW(t, s.none, t)
			s.isa.VPADDSW(r, t, t)
			s.isa.VPMAXSW(t, total[h], total[h])
		}
		s.isa.VPMAXSW(s.at(matching, s.slots, h), total[h], total[h])
		s.isa.VPADDSW(s.at(node, 0, h), total[h], total[h])
	}
	reverse := s.isa.param("reverse")
	for c := range s.slots {
		for h := range s.vectors {
			s.reverse(s.at(reverse, c, h), c, rest, t)
			s.isa.store(t, s.at(at, c, h))
		}
	}
}

// reverse sets dst to the values of rest at the places of a vector of slot c.
func (s *sweep) reverse(places operand.Mem, c int, rest [][]reg.VecVirtual, dst reg.VecVirtual) {
	w := s.isa.vector()
	s.isa.load(places, dst)
	if s.vectors == 1 {
		s.isa.load(places, w)
		s.isa.VPERMI2W(rest[1][0], rest[0][0], dst)
		if s.slots == 3 {
			s.isa.VPERMW(rest[2][0], w, s.low[c], dst)
		} else {
			s.isa.VPERMI2W(rest[3][0], rest[2][0], w)
			s.isa.VPBLENDMW(w, dst, s.low[c], dst)
		}
		return
	}
	odd, high := s.isa.K(), s.isa.K() // the second slot or the fourth, and these two or the third
	bit := s.isa.vector()
	s.isa.VPSLLW(operand.Imm(9), dst, bit)
	s.isa.VPMOVW2M(bit, odd)
	s.isa.VPSLLW(operand.Imm(8), dst, bit)
	s.isa.VPMOVW2M(bit, high)
	s.isa.VPERMI2W(rest[0][1], rest[0][0], dst)
	s.isa.load(places, w)
	s.isa.VPERMI2W(rest[1][1], rest[1][0], w)
	s.isa.VPBLENDMW(w, dst, odd, dst)
	s.isa.load(places, w)
	s.isa.VPERMI2W(rest[2][1], rest[2][0], w)
	if s.slots == 4 {
		s.isa.load(places, bit)
		s.isa.VPERMI2W(rest[3][1], rest[3][0], bit)
		s.isa.VPBLENDMW(bit, w, odd, w)
	}
	s.isa.VPBLENDMW(w, dst, high, dst)
}
