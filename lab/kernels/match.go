package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// matches are the parts of sweeps over stars that are matched exactly, in AVX2.
func matches(c *build.Context) {
	for _, slots := range []int{3, 4} {
		matchStar(avx2(c), slots)
		matchMany(avx2(c), slots)
		liftStar(avx2(c), slots)
	}
	allowStar(avx2(c))
}

// matched is the greatest number of columns of stars that are matched, and of rows of those that rests is for.
const matched = 4

// rests finds the heaviest matchings of so many rows with the columns but one each, and with all, and calls found with each. As
// three rows leave out one of four columns, found is called with 0 for all of these. row loads a row, whose columns beyond the
// slots weigh nothing.
func (a isa) rests(slots, rows int, zero reg.VecVirtual, row func(int) []reg.VecVirtual, found func(c int, rest reg.VecVirtual)) {
	if slots == matched {
		found(slots, zero)
	}
	t := a.vector()
	most := func(x ...reg.VecVirtual) reg.VecVirtual {
		a.VPMAXSW(x[0], x[1], t)
		for _, y := range x[2:] {
			a.VPMAXSW(y, t, t)
		}
		return t
	}
	if rows == 0 {
		for c := range matched {
			found(c, zero)
		}
		return
	}
	x := row(0)
	if rows == 1 {
		for c := range matched {
			var others []reg.VecVirtual
			for d := range slots {
				if d != c {
					others = append(others, x[d])
				}
			}
			found(c, most(others...))
		}
		return
	}
	y := row(1)
	var pairs [matched][matched]reg.VecVirtual
	for c := range matched {
		for d := range c {
			p := a.vector()
			switch {
			case c < slots:
				a.VPADDSW(x[c], y[d], p)
				a.VPADDSW(x[d], y[c], t)
				a.VPMAXSW(t, p, p)
			case rows > 2: // the fourth of three weighs nothing
				a.VPMAXSW(x[d], y[d], p)
			}
			pairs[c][d], pairs[d][c] = p, p
		}
	}
	if rows == 2 {
		for c := range matched {
			var others []reg.VecVirtual
			for d := range slots {
				for e := range d {
					if d != c && e != c {
						others = append(others, pairs[d][e])
					}
				}
			}
			if len(others) == 1 {
				found(c, others[0])
			} else {
				found(c, most(others...))
			}
		}
		return
	}
	z, sum := row(2), a.vector()
	for c := range matched {
		var others []int
		for d := range matched {
			if d != c {
				others = append(others, d)
			}
		}
		a.VPADDSW(z[others[0]], pairs[others[1]][others[2]], sum)
		a.VPADDSW(z[others[1]], pairs[others[0]][others[2]], t)
		a.VPMAXSW(t, sum, sum)
		if others[2] < slots {
			a.VPADDSW(z[others[2]], pairs[others[0]][others[1]], t)
			a.VPMAXSW(t, sum, sum)
		} else {
			a.VPMAXSW(pairs[others[0]][others[1]], sum, sum)
		}
		found(c, sum)
	}
}

// subsets returns the sets of columns, as bits, the larger first, that extend keeps what rows earn with, and the line of
// each. Line c is of all columns but c, and the next of all.
func subsets(slots int) (sets []int, line map[int]int) {
	all := 1<<slots - 1
	line = map[int]int{}
	for c := range slots {
		line[all&^(1<<c)] = c
	}
	for size := slots; size > 0; size-- {
		for set := range all + 1 {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			sets = append(sets, set)
			if _, ok := line[set]; !ok {
				line[set] = len(line)
			}
		}
	}
	return sets, line
}

// extend takes a further row into what rows earn with sets of columns.
func (a isa) extend(slots int, row []reg.VecVirtual, at func(line int) operand.Mem) {
	sets, line := subsets(slots)
	most, t := a.vector(), a.vector()
	for _, set := range sets {
		here := at(line[set])
		a.load(here, most)
		for c := range slots {
			switch others := set &^ (1 << c); others {
			case set:
			case 0:
				a.VPMAXSW(row[c], most, most)
			default:
				a.VPADDSW(at(line[others]), row[c], t)
				a.VPMAXSW(t, most, most)
			}
		}
		a.store(most, here)
	}
}

// matchMany is for stars of more rows than rests is for.
func matchMany(a isa, slots int) {
	a.function(string(label("matchMany%d", slots)), "func(rest, shares *int16, own, rows, lanes int)",
		"sets rest as Ops.match does, for so many columns and any number of rows.")
	b := newStarBlock(a)
	sets, _ := subsets(slots)
	scratch := a.AllocLocal(len(sets) * a.bytes())
	at := func(line int) operand.Mem { return scratch.Offset(line * a.bytes()) }
	zero, block := a.zeroed(), label("block")
	a.label(block)
	for line := range sets {
		a.store(zero, at(line))
	}
	share, next, own := b.first(a.param("shares")), a.GP64(), a.param("own")
	a.down("row", a.param("rows"), func() {
		a.LEAQ(operand.Mem{Base: share, Index: b.stride, Scale: 2}, next)
		a.SUBQ(operand.Imm(1), own)
		a.JC(operand.LabelRef("left_out"))
		a.extend(slots, a.positive(slots, zero, func(c int) operand.Mem {
			line := operand.Mem{Base: []reg.GPVirtual{share, share, next, next}[c]}
			if c%2 == 1 {
				line.Index, line.Scale = b.stride, 1
			}
			return line
		}), at)
		a.Label("left_out")
		a.LEAQ(operand.Mem{Base: next, Index: b.stride, Scale: uint8(slots - 2)}, share)
	})
	rest, x := b.first(a.param("rest")), a.vector()
	for c := range slots + 1 {
		a.load(at(c), x)
		a.store(x, operand.Mem{Base: rest})
		a.ADDQ(b.stride, rest)
	}
	b.next(block)
	a.done()
}

// positive loads the values above 0 of a row of which at names the columns.
func (a isa) positive(slots int, zero reg.VecVirtual, at func(c int) operand.Mem) []reg.VecVirtual {
	var row []reg.VecVirtual
	for c := range matched {
		if c >= slots {
			row = append(row, zero)
			continue
		}
		x := a.vector()
		a.VPMAXSW(at(c), zero, x)
		row = append(row, x)
	}
	return row
}

func matchStar(a isa, slots int) {
	a.function(string(label("matchStar%d", slots)), "func(total, rest, base, less, own, row1, row2, row3 *int16, rows, lanes int) int",
		"is Ops.match for so many columns; of larger stars it takes rest.")
	b := newStarBlock(a)
	zero, greatest := a.zeroed(), a.vector()
	a.VPCMPEQW(greatest, greatest, greatest)
	a.VPSLLW(operand.Imm(15), greatest, greatest) // the least number
	block := label("block")
	a.label(block)
	// Lines of a row are b.stride apart.
	lines := func(name string) func(c int) operand.Mem {
		p, p3 := b.first(a.param(name)), a.GP64()
		a.LEAQ(operand.Mem{Base: p, Index: b.stride, Scale: 2}, p3)
		a.ADDQ(b.stride, p3)
		return func(c int) operand.Mem {
			switch c {
			case 4:
				return operand.Mem{Base: p, Index: b.stride, Scale: 4}
			case 3:
				return operand.Mem{Base: p3}
			case 2:
				return operand.Mem{Base: p, Index: b.stride, Scale: 2}
			case 1:
				return operand.Mem{Base: p, Index: b.stride, Scale: 1}
			}
			return operand.Mem{Base: p}
		}
	}
	count := a.param("rows")
	for rows := range matched {
		a.CMPQ(count, operand.U8(uint64(rows+1)))
		a.JLE(label("rows%d", rows))
	}
	a.JMP(label("total")) // rest is known
	for rows := range matched {
		a.label(label("rows%d", rows))
		rest := lines("rest")
		a.rests(slots, rows, zero, func(i int) []reg.VecVirtual {
			return a.positive(slots, zero, lines([]string{"row1", "row2", "row3"}[i]))
		}, func(c int, x reg.VecVirtual) { a.store(x, rest(c)) })
		a.JMP(label("total"))
	}
	a.label(label("total"))
	rest, best, x := lines("rest"), a.vector(), a.vector()
	a.zero(best)
	a.CMPQ(count, operand.U8(0))
	a.JE(label("alone"))
	own := lines("own")
	for c := range slots {
		a.VPMAXSW(own(c), zero, x)
		a.VPADDSW(rest(c), x, x)
		a.VPMAXSW(x, best, best)
	}
	a.VPMAXSW(rest(slots), best, best)
	a.label(label("alone"))
	a.VPADDSW(b.here(a.param("base")), best, best)
	a.store(best, b.here(a.param("total")))
	a.VPSUBSW(b.here(a.param("less")), best, best)
	a.VPMAXSW(best, greatest, greatest)
	b.next(block)
	a.Store(a.greatest(greatest), a.ReturnIndex(0))
	a.done()
}

func allowStar(a isa) {
	a.function("allowStar", "func(each, top, cap, total, less, part *int16, lanes int, u, rowPart, allPart int16)", "is Ops.allow.")
	b := newStarBlock(a)
	u, row, all, spare, total, t := a.vector(), a.vector(), a.vector(), a.vector(), a.vector(), a.vector()
	a.broadcast("u", u)
	a.broadcast("rowPart", row)
	a.broadcast("allPart", all)
	block := label("block")
	a.label(block)
	a.load(b.here(a.param("total")), total)
	a.VPADDSW(b.here(a.param("less")), u, spare)
	a.VPSUBSW(total, spare, spare)
	a.VPADDSW(spare, spare, spare)
	a.VPMAXSW(b.here(a.param("part")), row, t)
	a.VPMULHW(t, spare, t)
	a.store(t, b.here(a.param("each")))
	a.store(total, b.here(a.param("cap")))
	a.VPMULHW(all, spare, t)
	a.VPADDSW(total, t, t)
	a.store(t, b.here(a.param("top")))
	b.next(block)
	a.done()
}

func liftStar(a isa, slots int) {
	a.function(string(label("liftStar%d", slots)), "func(share, most, total, rest, each, top, cap, base, less *int16, lanes int, least int16)",
		"is Ops.lift for so many columns.")
	b := newStarBlock(a)
	zero, leasts := a.zeroed(), a.vector()
	a.broadcast("least", leasts)
	best, left, least, base := a.vector(), a.vector(), a.vector(), a.vector()
	block := label("block")
	a.label(block)
	caps := b.here(a.param("cap"))
	a.load(caps, left)
	a.VPADDSW(b.here(a.param("each")), left, left)
	a.VPMINSW(b.here(a.param("top")), left, left)
	a.store(left, caps)
	a.load(b.here(a.param("base")), base)
	a.VPSUBSW(base, left, left)
	a.VPADDSW(b.here(a.param("less")), leasts, least)
	a.VPSUBSW(base, least, least)
	a.zero(best)
	share, most, rest := b.first(a.param("share")), b.first(a.param("most")), b.first(a.param("rest"))
	x, y, sum, t := a.vector(), a.vector(), a.vector(), a.vector()
	for range slots {
		a.load(operand.Mem{Base: rest}, x)
		a.load(operand.Mem{Base: share}, y)
		a.VPADDSW(x, y, sum)
		a.VPCMPGTW(sum, least, sum)
		a.VPSRAW(operand.Imm(15), y, y)
		a.VPOR(sum, y, y)
		a.VPSUBSW(x, left, t)
		a.VPMINSW(operand.Mem{Base: most}, t, t)
		a.VPOR(y, t, t)
		a.store(t, operand.Mem{Base: share})
		a.VPMAXSW(t, zero, t)
		a.VPADDSW(x, t, t)
		a.VPMAXSW(t, best, best)
		for _, p := range []reg.GPVirtual{share, most, rest} {
			a.ADDQ(b.stride, p)
		}
	}
	a.VPMAXSW(operand.Mem{Base: rest}, best, best)
	a.VPADDSW(base, best, best)
	a.store(best, b.here(a.param("total")))
	b.next(block)
	a.done()
}
