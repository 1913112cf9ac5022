package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stars are written in AVX2 only: where AVX-512 helps, sweeps do their work.
func stars(c *build.Context) {
	boundStars(avx2(c))
	raiseStars(avx2(c))
	nearestLanes(avx2(c))
	excludes(avx2(c))
	excludeLanes(avx2(c))
	markReverses(avx2(c))
	tightRows(avx2(c))
	takeShares(avx2(c))
	giveShares(avx2(c))
}

// takeShares goes through all half-edges of a row; what is taken of them is the same in each slot.
func takeShares(a isa) {
	a.function("takeShares", "func(own, shares *int16, reverses *int32, out, back *int16, edges, slots, lanes int)",
		"sets own[x, c, v] |= out[v] and shares[reverses[x], c, v] |= back[c, v], for one half-edge x at least.")
	own, shares, reverses := a.param("own"), a.param("shares"), a.param("reverses")
	outs, backs := a.param("out"), a.param("back")
	edges, lanes, slots := a.param("edges"), a.param("lanes"), a.param("slots")
	line, slot, left, other, out, back := a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.MOVQ(slots, line)
	a.IMULQ(lanes, line)
	a.SHLQ(operand.Imm(1), line)
	a.SHRQ(operand.Imm(4), lanes)
	x, y := a.vector(), a.vector()
	a.down("edges", edges, func() {
		a.MOVLQSX(operand.Mem{Base: reverses}, other)
		a.IMULQ(line, other)
		a.ADDQ(shares, other)
		a.ADDQ(operand.Imm(4), reverses)
		a.MOVQ(backs, back)
		a.MOVQ(slots, slot)
		a.down("slots", slot, func() {
			a.MOVQ(lanes, left)
			a.MOVQ(outs, out)
			a.down("lanes", left, func() {
				a.load(operand.Mem{Base: out}, x)
				a.load(operand.Mem{Base: back}, y)
				a.VPOR(operand.Mem{Base: own}, x, x)
				a.store(x, operand.Mem{Base: own})
				a.VPOR(operand.Mem{Base: other}, y, y)
				a.store(y, operand.Mem{Base: other})
				for _, p := range []reg.GPVirtual{own, other, out, back} {
					a.ADDQ(operand.Imm(uint64(a.bytes())), p)
				}
			})
		})
	})
	a.done()
}

// giveShares goes through the places one by one: in AVX2 no instruction moves 16-bit values to any lane.
func giveShares(a isa) {
	a.function("giveShares", "func(other, own, weight, places, reverse *int16, n int)",
		"sets other[reverse[at]] = (weight[at] - own[at]) | own[at]>>15 for each of n places, at least one.")
	other, own, weight := a.param("other"), a.param("own"), a.param("weight")
	places, reverse, left := a.param("places"), a.param("reverse"), a.param("n")
	a.down("places", left, func() {
		at, share, rest, to := a.GP64(), a.GP64(), a.GP64(), a.GP64()
		a.MOVWQZX(operand.Mem{Base: places}, at)
		a.MOVWLSX(operand.Mem{Base: own, Index: at, Scale: 2}, share.As32())
		a.MOVWLSX(operand.Mem{Base: weight, Index: at, Scale: 2}, rest.As32())
		a.MOVWQZX(operand.Mem{Base: reverse, Index: at, Scale: 2}, to)
		a.SUBL(share.As32(), rest.As32())
		a.SARL(operand.Imm(15), share.As32())
		a.ORL(share.As32(), rest.As32())
		a.MOVW(rest.As16(), operand.Mem{Base: other, Index: to, Scale: 2})
		a.ADDQ(operand.Imm(2), places)
	})
	a.done()
}

// excludes looks for a row that excludes a lane; most do not.
func excludes(a isa) {
	a.function("excludes", "func(node, profit, v *int16, us *int32, row, rows, lanes int, spare int32, none int16) int",
		"returns the first row from row on of which excludeGeneric excludes a lane or u - spare exceeds 16 bits, or rows.")
	nodes, profits, vs, us := a.param("node"), a.param("profit"), a.param("v"), a.param("us")
	row, rows, lanes, spare := a.param("row"), a.param("rows"), a.param("lanes"), a.GP32()
	a.Load(a.Param("spare"), spare)
	none := a.vector()
	a.broadcast("none", none)
	at, v, left, t, t16 := a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64()
	u, old, mask, x, some := a.vector(), a.vector(), a.vector(), a.vector(), a.vector()
	a.MOVQ(row, at) // the place of the first lane of the row
	a.IMULQ(lanes, at)
	a.Label("row")
	a.CMPQ(row, rows)
	a.JGE(operand.LabelRef("out"))
	a.MOVL(operand.Mem{Base: us, Index: row, Scale: 4}, t.As32())
	a.SUBL(spare, t.As32())
	a.MOVWLSX(t.As16(), t16.As32())
	a.CMPL(t.As32(), t16.As32())
	a.JNE(operand.LabelRef("out"))
	a.CMPL(t.As32(), operand.I32(-1<<15))
	a.JE(operand.LabelRef("out"))
	a.VMOVD(t.As32(), u.AsX())
	a.VPBROADCASTW(u.AsX(), u)
	a.VPXOR(some, some, some)
	a.MOVQ(lanes, left)
	a.MOVQ(vs, v)
	a.Label("lanes")
	a.load(operand.Mem{Base: profits, Index: at, Scale: 2}, old)
	a.VPSUBSW(operand.Mem{Base: v}, old, x)
	a.VPCMPGTW(x, u, mask)
	a.VPCMPEQW(operand.Mem{Base: nodes, Index: at, Scale: 2}, none, x)
	a.VPOR(x, mask, mask)
	a.VPCMPEQW(old, none, x)
	a.VPANDN(mask, x, mask)
	a.VPOR(mask, some, some)
	a.ADDQ(operand.Imm(16), at)
	a.ADDQ(operand.Imm(32), v)
	a.SUBQ(operand.Imm(16), left)
	a.JNZ(operand.LabelRef("lanes"))
	a.VPTEST(some, some)
	a.JNZ(operand.LabelRef("out"))
	a.INCQ(row)
	a.JMP(operand.LabelRef("row"))
	a.Label("out")
	a.Store(row, a.ReturnIndex(0))
	a.done()
}

// excludeLanes and tightLanes read one block of lanes.
func excludeLanes(a isa) {
	a.function("excludeLanes", "func(node, profit, v, out *int16, u, none int16) uint64", "is excludeGeneric.")
	node, profit, v, out := a.param("node"), a.param("profit"), a.param("v"), a.param("out")
	u, none := a.vector(), a.vector()
	a.broadcast("u", u)
	a.broadcast("none", none)
	masks, x, t := a.vectors(2), a.vector(), a.vector()
	for k, mask := range masks {
		here := func(p reg.GPVirtual) operand.Mem { return operand.Mem{Base: p, Disp: k * a.bytes()} }
		old, new := a.vector(), a.vector()
		a.load(here(profit), old)
		a.VPCMPEQW(old, none, t)
		a.VPSUBSW(here(v), old, x)
		a.VPCMPGTW(x, u, mask)
		a.load(here(node), new)
		a.VPCMPEQW(new, none, x)
		a.VPOR(x, mask, mask)
		a.VPANDN(mask, t, mask)
		a.store(mask, here(out))
		a.VPBLENDVB(mask, none, old, old)
		a.store(old, here(profit))
		a.VPBLENDVB(mask, none, new, new)
		a.store(new, here(node))
	}
	a.returnMask(masks)
}

// markReverses goes through the bits of a block of lanes.
func markReverses(a isa) {
	a.function("markReverses", "func(back, reverse *int16, bits uint64, from, slots, lanes int)",
		"is markGeneric for at least one bit.")
	back, reverses, left, from := a.param("back"), a.param("reverse"), a.param("bits"), a.param("from")
	a.LEAQ(operand.Mem{Base: reverses, Index: from, Scale: 2}, reverses)
	slots, lanes := a.param("slots"), a.param("lanes")
	j, at, r, slot, p := a.GP64(), a.GP64(), a.GP64(), a.GP64(), a.GP64()
	minus := a.GP64()
	a.MOVQ(operand.I32(-1), minus)
	a.Label("lane")
	a.TESTQ(left, left)
	a.JZ(operand.LabelRef("out"))
	a.BSFQ(left, j)
	a.LEAQ(operand.Mem{Base: left, Disp: -1}, r)
	a.ANDQ(r, left)
	a.LEAQ(operand.Mem{Base: reverses, Index: j, Scale: 2}, p)
	a.LEAQ(operand.Mem{Base: from, Index: j, Scale: 1}, at)
	a.MOVQ(slots, slot)
	a.Label("slot")
	a.MOVWQZX(operand.Mem{Base: p}, r)
	a.CMPQ(r, at)
	a.JE(operand.LabelRef("lane"))
	a.MOVW(minus.As16(), operand.Mem{Base: back, Index: r, Scale: 2})
	a.ADDQ(lanes, at)
	a.LEAQ(operand.Mem{Base: p, Index: lanes, Scale: 2}, p)
	a.DECQ(slot)
	a.JNZ(operand.LabelRef("slot"))
	a.JMP(operand.LabelRef("lane"))
	a.Label("out")
	a.RET()
}

// tightRows reads one block of lanes of each row, or two.
func tightRows(a isa) {
	a.function("tightRows", "func(profit, v *int16, us *int32, tight *uint64, rows, lanes int)",
		"sets tight[i] to tightGeneric of the first 64 lanes of each row, of which there is one at least.")
	profit, v, us, tight := a.param("profit"), a.param("v"), a.param("us"), a.param("tight")
	rows, lanes := a.param("rows"), a.param("lanes")
	u, masks := a.vector(), a.vectors(2)
	block := func(n int) reg.GPVirtual {
		for k, mask := range masks {
			at := (2*n + k) * a.bytes()
			a.load(operand.Mem{Base: profit, Disp: at}, mask)
			a.VPSUBW(operand.Mem{Base: v, Disp: at}, mask, mask)
			a.VPCMPEQW(mask, u, mask)
		}
		return a.mask(masks)
	}
	a.down("rows", rows, func() {
		a.VPBROADCASTW(operand.Mem{Base: us}, u)
		bits := block(0)
		a.CMPQ(lanes, operand.Imm(32))
		a.JLE(operand.LabelRef("one"))
		more := block(1)
		a.SHLQ(operand.Imm(32), more)
		a.ORQ(more, bits)
		a.Label("one")
		a.MOVQ(bits, operand.Mem{Base: tight})
		a.LEAQ(operand.Mem{Base: profit, Index: lanes, Scale: 2}, profit)
		a.ADDQ(operand.Imm(4), us)
		a.ADDQ(operand.Imm(8), tight)
	})
	a.done()
}

// returnMask returns what mask does.
func (a isa) returnMask(v []reg.VecVirtual) {
	a.Store(a.mask(v), a.ReturnIndex(0))
	a.done()
}

// mask returns a bit for each of the 16-bit values of two vectors, which are 0 or -1.
func (a isa) mask(v []reg.VecVirtual) reg.GPVirtual {
	bits := a.GP64()
	a.VPACKSSWB(v[1], v[0], v[0])
	a.VPERMQ(operand.Imm(0xd8), v[0], v[0])
	a.VPMOVMSKB(v[0], bits.As32())
	return bits
}

// starBlock walks over lanes, a vector of them at a time. Registers are few, so every
// block loads its parameters anew.
type starBlock struct {
	isa    isa
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
	b.isa.ADDQ(operand.U32(uint32(b.isa.bytes())), b.at)
	b.isa.CMPQ(b.at, b.stride)
	b.isa.JL(top)
}

// first returns a register with the block's place in the lines at base.
func (b starBlock) first(base reg.GPVirtual) reg.GPVirtual {
	p := b.isa.GP64()
	b.isa.LEAQ(operand.Mem{Base: base, Index: b.at, Scale: 1}, p)
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
	a.VPCMPEQW(greatest, greatest, greatest)
	a.VPSLLW(operand.Imm(15), greatest, greatest) // the least number
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
		b.isa.LEAQ(b.here(colMost), col0)
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
	b.isa.LEAQ(b.here(colMost), col0)
	a.MOVQ(cols, left)
	a.down("sum", left, func() {
		a.VPADDSW(operand.Mem{Base: col0}, colSum, colSum)
		a.ADDQ(b.stride, col0)
	})

	a.VPCMPGTW(colSum, rowSum, t)
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
	a.VPANDN(t, mask, t)
	a.load(b.here(a.param("part")), x)
	a.VPAND(mask, x, x)
	a.VPOR(x, t, t)
	a.VPMULHW(t, each, each)

	share, most, highest := b.first(a.param("shares")), b.first(a.param("rowMost")), b.first(a.param("most"))
	rowsLeft, col0, left := a.param("rows"), a.GP64(), a.GP64()
	a.down("row", rowsLeft, func() {
		a.load(operand.Mem{Base: most}, x)
		a.VPANDN(x, mask, x)
		b.isa.LEAQ(b.here(colMost), col0)
		a.MOVQ(cols, left)
		a.down("col", left, func() {
			a.load(operand.Mem{Base: col0}, t)
			a.VPAND(mask, t, t)
			a.VPOR(x, t, t)
			a.VPADDSW(each, t, t)
			a.VPMINSW(operand.Mem{Base: highest}, t, t)
			a.load(operand.Mem{Base: share}, y)
			a.VPSRAW(operand.Imm(15), y, y) // -1 stays
			a.VPOR(y, t, t)
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
	ones := a.vector()
	a.VPCMPEQW(ones, ones, ones)
	a.VPSRLW(operand.Imm(1), ones, least) // the greatest number
	block, search, done := label("block"), label("search"), label("done")
	x, y, old, closed, better, t := a.vector(), a.vector(), a.vector(), a.vector(), a.vector(), a.vector()
	a.label(block)
	a.VPADDSW(b.here(length), line, x)
	a.VPSUBSW(b.here(gain), x, x)
	a.load(b.here(near), old)
	a.load(b.here(open), closed)
	a.VPCMPGTW(x, old, better)
	a.VPANDN(better, closed, better)
	a.load(b.here(from), t)
	a.VPANDN(t, better, t)
	a.VPAND(better, origin, y)
	a.VPOR(y, t, t)
	a.store(t, b.here(from))
	a.VPAND(better, x, x)
	a.VPANDN(old, better, old)
	a.VPOR(x, old, old)
	a.store(old, b.here(near))
	// Closed lanes are as far as can be.
	a.VPSRLW(operand.Imm(1), closed, t)
	a.VPANDN(old, closed, old)
	a.VPOR(t, old, old)
	a.VPMINSW(old, least, least)
	b.next(block)

	a.VPXOR(ones, least, least)
	distance := a.greatest(least)
	a.NOTQ(distance)
	a.Store(distance, a.ReturnIndex(1))
	nearest := a.GP64()
	a.XORQ(nearest, nearest)
	a.CMPQ(distance, operand.U32(1<<15-1))
	a.JE(done)
	low, high, mask := a.XMM(), a.XMM(), a.GP64()
	a.VMOVD(distance.As32(), low)
	a.VPBROADCASTW(low, line)
	a.label(search) // from the last block to the first
	a.SUBQ(operand.U32(uint32(a.bytes())), b.at)
	a.load(b.here(near), x)
	a.load(b.here(open), closed)
	a.VPCMPEQW(x, line, t)
	a.VPANDN(t, closed, t)
	a.VEXTRACTI128(operand.Imm(1), t, high)
	a.VPACKSSWB(high, t.AsX(), low)
	a.VPMOVMSKB(low, mask.As32())
	a.SHLQ(operand.Imm(uint64(a.bytes()/2)), nearest)
	a.ORQ(mask, nearest)
	a.TESTQ(b.at, b.at)
	a.JNZ(search)
	a.label(done)
	a.Store(nearest, a.ReturnIndex(0))
	a.done()
}

// broadcast loads a 16-bit parameter into all values of v.
func (a isa) broadcast(name string, v reg.VecVirtual) {
	m, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	a.VPBROADCASTW(m.Addr, v)
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
