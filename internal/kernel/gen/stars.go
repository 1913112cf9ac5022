package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func stars(c *build.Context) {
	for _, a := range []isa{avx2(c), avx512(c)} {
		boundStars(a)
		raiseStars(a)
		nearestLanes(a)
	}
}

// starBlock walks over lanes, a vector of them at a time. Registers are few, so every
// block loads its parameters anew.
type starBlock struct {
	isa
	stride reg.GPVirtual // bytes of all lanes
	at     reg.GPVirtual // offset of the block in bytes
}

func newStarBlock(a isa) starBlock {
	b := starBlock{isa: a, stride: a.param("lanes"), at: a.GP64()}
	a.ADDQ(b.stride, b.stride)
	a.XORQ(b.at, b.at)
	return b
}

// next goes on with the next block, or past the loop at top.
func (b starBlock) next(top operand.LabelRef) {
	b.ADDQ(operand.U32(uint32(b.bytes())), b.at)
	b.CMPQ(b.at, b.stride)
	b.JL(top)
}

// first returns a register with the block's place in the lines at base.
func (b starBlock) first(base reg.GPVirtual) reg.GPVirtual {
	p := b.GP64()
	b.LEAQ(operand.Mem{Base: base, Index: b.at, Scale: 1}, p)
	return p
}

func (b starBlock) here(base reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: base, Index: b.at, Scale: 1}
}

func boundStars(a isa) {
	a.function("boundStars", "func(total, byCol, rowMost, colMost, shares, base, less *int16, rows, cols, lanes int) int",
		"is BoundStars for at least one row and one column.")
	colMost, cols := a.param("colMost"), a.param("cols")
	b := newStarBlock(a)
	zero, greatest := a.zeroed(), a.vector()
	a.least(greatest)
	block := label("block")
	a.label(block)
	col0, left := b.first(colMost), a.GP64()
	a.MOVQ(cols, left)
	a.down("clean", left, func() {
		a.store(zero, operand.Mem{Base: col0})
		a.ADDQ(b.stride, col0)
	})

	rowSum, best, x, t := a.zeroed(), a.vector(), a.vector(), a.vector()
	share, most := b.first(a.param("shares")), b.first(a.param("rowMost"))
	a.down("row", a.param("rows"), func() {
		a.zero(best)
		b.LEAQ(b.here(colMost), col0)
		a.MOVQ(cols, left)
		a.down("col", left, func() {
			a.load(operand.Mem{Base: share}, x)
			a.VPMAXSW(x, best, best)
			a.VPMAXSW(operand.Mem{Base: col0}, x, t)
			a.store(t, operand.Mem{Base: col0})
			a.ADDQ(b.stride, share)
			a.ADDQ(b.stride, col0)
		})
		a.store(best, operand.Mem{Base: most})
		a.ADDQ(b.stride, most)
		a.VPADDSW(best, rowSum, rowSum)
	})

	colSum := a.zeroed()
	b.LEAQ(b.here(colMost), col0)
	a.MOVQ(cols, left)
	a.down("sum", left, func() {
		a.VPADDSW(operand.Mem{Base: col0}, colSum, colSum)
		a.ADDQ(b.stride, col0)
	})

	a.greater(rowSum, colSum, t)
	a.store(t, b.here(a.param("byCol")))
	a.VPMINSW(rowSum, colSum, t)
	a.VPADDSW(b.here(a.param("base")), t, t)
	a.store(t, b.here(a.param("total")))
	a.VPSUBSW(b.here(a.param("less")), t, t)
	a.VPMAXSW(t, greatest, greatest)
	b.next(block)
	a.Store(a.greatest(greatest), a.ReturnIndex(0))
	a.done()
}

func raiseStars(a isa) {
	a.function("raiseStars", "func(shares, most, total, byCol, rowMost, colMost, less, part *int16, rows, cols, lanes int, u, rowPart int16)",
		"is RaiseStars for at least one row and one column.")
	colMost, cols := a.param("colMost"), a.param("cols")
	b := newStarBlock(a)
	block := label("block")
	each, mask, t, x, y := a.vector(), a.vector(), a.vector(), a.vector(), a.vector()
	a.label(block)
	a.load(b.here(a.param("byCol")), mask)
	a.broadcast("u", each)
	a.VPADDSW(b.here(a.param("less")), each, each)
	a.VPSUBSW(b.here(a.param("total")), each, each)
	a.VPADDSW(each, each, each)
	a.broadcast("rowPart", t)
	a.andNot(mask, t, t)
	a.load(b.here(a.param("part")), x)
	a.and(mask, x, x)
	a.or(x, t, t)
	a.VPMULHW(t, each, each)

	share, most, highest := b.first(a.param("shares")), b.first(a.param("rowMost")), b.first(a.param("most"))
	rowsLeft, col0, left := a.param("rows"), a.GP64(), a.GP64()
	a.down("row", rowsLeft, func() {
		a.load(operand.Mem{Base: most}, x)
		a.andNot(mask, x, x)
		b.LEAQ(b.here(colMost), col0)
		a.MOVQ(cols, left)
		a.down("col", left, func() {
			a.load(operand.Mem{Base: col0}, t)
			a.and(mask, t, t)
			a.or(x, t, t)
			a.VPADDSW(each, t, t)
			a.VPMINSW(operand.Mem{Base: highest}, t, t)
			a.load(operand.Mem{Base: share}, y)
			a.VPSRAW(operand.Imm(15), y, y) // -1 stays
			a.or(y, t, t)
			a.store(t, operand.Mem{Base: share})
			a.ADDQ(b.stride, share)
			a.ADDQ(b.stride, highest)
			a.ADDQ(b.stride, col0)
		})
		a.ADDQ(b.stride, most)
	})
	b.next(block)
	a.done()
}

func nearestLanes(a isa) {
	a.function("nearestLanes", "func(near, from, open, length, gain *int16, lanes int, line, origin int16) (nearest uint64, distance int)",
		"is NearestLanes.")
	near, from, open, length, gain := a.param("near"), a.param("from"), a.param("open"), a.param("length"), a.param("gain")
	b := newStarBlock(a)
	line, origin, least := a.vector(), a.vector(), a.vector()
	a.broadcast("line", line)
	a.broadcast("origin", origin)
	a.least(least)
	a.not(least) // the greatest
	block, search, done := label("block"), label("search"), label("done")
	x, y, old, closed, better, t := a.vector(), a.vector(), a.vector(), a.vector(), a.vector(), a.vector()
	a.label(block)
	a.VPADDSW(b.here(length), line, x)
	a.VPSUBSW(b.here(gain), x, x)
	a.load(b.here(near), old)
	a.load(b.here(open), closed)
	a.greater(old, x, better)
	a.andNot(closed, better, better)
	a.load(b.here(from), t)
	a.andNot(better, t, t)
	a.and(better, origin, y)
	a.or(y, t, t)
	a.store(t, b.here(from))
	a.and(better, x, x)
	a.andNot(better, old, old)
	a.or(x, old, old)
	a.store(old, b.here(near))
	// Closed lanes are as far as can be.
	a.VPSRLW(operand.Imm(1), closed, t)
	a.andNot(closed, old, old)
	a.or(t, old, old)
	a.VPMINSW(old, least, least)
	b.next(block)

	a.not(least)
	distance := a.greatest(least)
	a.NOTQ(distance)
	a.Store(distance, a.ReturnIndex(1))
	nearest := a.GP64()
	a.XORQ(nearest, nearest)
	a.CMPQ(distance, operand.U32(1<<15-1))
	a.JE(done)
	g := a.GP32()
	a.MOVL(distance.As32(), g)
	a.spread(g, line)
	mask := a.GP64()
	a.label(search) // from the last block to the first
	a.SUBQ(operand.U32(uint32(a.bytes())), b.at)
	a.load(b.here(near), x)
	a.load(b.here(open), closed)
	a.equal(x, line, t)
	a.andNot(closed, t, t)
	a.signs(t, mask)
	a.SHLQ(operand.Imm(uint64(a.bytes()/2)), nearest)
	a.ORQ(mask, nearest)
	a.TESTQ(b.at, b.at)
	a.JNZ(search)
	a.label(done)
	a.Store(nearest, a.ReturnIndex(0))
	a.done()
}

// not inverts all bits of v.
func (a isa) not(v reg.VecVirtual) {
	ones := a.vector()
	if a.wide {
		a.VPTERNLOGD(operand.Imm(0xff), ones, ones, ones)
		a.VPXORD(ones, v, v)
	} else {
		a.VPCMPEQW(ones, ones, ones)
		a.VPXOR(ones, v, v)
	}
}

// spread sets all 16-bit values of v to that of g.
func (a isa) spread(g reg.GPVirtual, v reg.VecVirtual) {
	if a.wide {
		a.VPBROADCASTW(g, v)
		return
	}
	x := a.XMM()
	a.VMOVD(g, x)
	a.VPBROADCASTW(x, v)
}

// equal sets 16-bit values of dst to -1 where x = y, and to 0 elsewhere.
func (a isa) equal(x, y, dst reg.VecVirtual) {
	if a.wide {
		k := a.K()
		a.VPCMPEQW(x, y, k)
		a.VPMOVM2W(k, dst)
		return
	}
	a.VPCMPEQW(x, y, dst)
}

// signs sets a bit of mask for every 16-bit value of v that is -1; the others are 0.
func (a isa) signs(v reg.VecVirtual, mask reg.GPVirtual) {
	if a.wide {
		k := a.K()
		a.VPMOVW2M(v, k)
		a.KMOVQ(k, mask)
		return
	}
	x, t := v.AsX(), a.XMM()
	a.VEXTRACTI128(operand.Imm(1), v, t)
	a.VPACKSSWB(t, x, x)
	a.VPMOVMSKB(x, mask.As32())
}

// least sets all 16-bit values of v to the least there is.
func (a isa) least(v reg.VecVirtual) {
	if a.wide {
		a.VPTERNLOGD(operand.Imm(0xff), v, v, v)
	} else {
		a.VPCMPEQW(v, v, v)
	}
	a.VPSLLW(operand.Imm(15), v, v)
}

// greater sets 16-bit values of dst to -1 where x > y, and to 0 elsewhere.
func (a isa) greater(x, y, dst reg.VecVirtual) {
	if a.wide {
		k := a.K()
		a.VPCMPGTW(y, x, k)
		a.VPMOVM2W(k, dst)
		return
	}
	a.VPCMPGTW(y, x, dst)
}

// broadcast loads a 16-bit parameter into all values of v.
func (a isa) broadcast(name string, v reg.VecVirtual) {
	m, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	a.VPBROADCASTW(m.Addr, v)
}

func (a isa) and(x, y, dst reg.VecVirtual) {
	if a.wide {
		a.VPANDD(x, y, dst)
	} else {
		a.VPAND(x, y, dst)
	}
}

// andNot keeps the bits of x where mask has none.
func (a isa) andNot(mask, x, dst reg.VecVirtual) {
	if a.wide {
		a.VPANDND(x, mask, dst)
	} else {
		a.VPANDN(x, mask, dst)
	}
}

func (a isa) or(x, y, dst reg.VecVirtual) {
	if a.wide {
		a.VPORD(x, y, dst)
	} else {
		a.VPOR(x, y, dst)
	}
}

// greatest returns a register with the greatest 16-bit value of v, which it changes.
func (a isa) greatest(v reg.VecVirtual) reg.GPVirtual {
	y := v.AsY()
	half := a.YMM()
	if a.wide {
		a.VEXTRACTI64X4(operand.Imm(1), v, half)
		a.VPMAXSW(half, y, y)
	}
	x, t := v.AsX(), a.XMM()
	a.VEXTRACTI128(operand.Imm(1), y, t)
	a.VPMAXSW(t, x, x)
	for _, by := range []uint64{8, 4, 2} {
		a.VPSRLDQ(operand.Imm(by), x, t)
		a.VPMAXSW(t, x, x)
	}
	g := a.GP32()
	a.VMOVD(x, g)
	r := a.GP64()
	a.MOVWQSX(g.As16(), r)
	return r
}
