package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func program(c *build.Context) { stepProgram(avx2(c)) }

// The fields of kernel.Program in their order: slices, and how far the step moved.
const (
	programGroups = 24 * iota
	programX
	programX0
	programNode
	programStep
	programRow
	programCol
	programFar
	programCounts
	programCells
	programDual
	programDual0
	programLast
	programWidth
	programY
	programY0
	programWeight
	programReverse
	programSum
	programNext
	programMoved
)

// cellBytes is the size of one value of the cells of a group.
const cellBytes = 32

// stepProgram goes through the groups three times: for the cells, for the pairs of edges and
// the constraints, after the sides, and for the sums. What one group takes from its cells to its sums is a long
// chain of dependent instructions, and a processor looks ahead over too few of them to start on
// the next groups meanwhile. Registers are few, so it loads the places of most arrays anew where
// it needs them.
func stepProgram(a isa) {
	a.function("stepProgram", "func(p *byte, columns *float32, groups int, keep, back, pace, quarter, long float32)",
		"is StepProgram for at least one group, without the swap.")
	s := programStepper{isa: a, p: a.param("p"), keep: a.scalar("keep"), back: a.scalar("back"), one: a.vector(), zero: a.zeroed()}
	a.ones(s.one)
	s.cells()
	s.pairs()
	s.sums()
	a.done()
}

// groups goes through the groups, whose numbers body gets in registers of its own.
func (s programStepper) groups(name string, body func(group reg.GPVirtual)) {
	group, left := s.field(programGroups), s.isa.param("groups")
	s.isa.down(name, left, func() {
		body(group)
		s.isa.ADDQ(operand.Imm(16), group)
	})
}

// cells moves the cells.
func (s programStepper) cells() {
	pace, moved := s.isa.scalar("pace"), s.isa.zeroed()
	x, t, far, step, old := s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector()
	cell, first, dual := s.isa.GP64(), s.field(programDual), s.groupDuals()
	s.isa.XORQ(cell, cell)
	s.groups("cells", func(group reg.GPVirtual) {
		s.isa.VMOVUPS(s.here(programNode, cell), x)
		s.gather(first, s.field(programRow), cell, t)
		s.isa.VSUBPS(t, x, x)
		s.gather(first, s.field(programCol), cell, t)
		s.isa.VSUBPS(t, x, x)
		constraints := s.size(group, 0)
		s.isa.ADDQ(s.size(group, 4), constraints)
		s.isa.downFrom("slope", constraints, func() {
			s.isa.VADDPS(operand.Mem{Base: dual}, x, x)
			s.isa.ADDQ(operand.Imm(cellBytes), dual)
		})
		s.isa.VMOVUPS(s.here(programStep, cell), step)
		s.isa.VMOVUPS(s.here(programX, cell), old)
		s.isa.VMULPS(step, pace, t)
		s.isa.VMULPS(x, t, t)
		s.reflect(old, t, far)
		s.isa.VSUBPS(old, far, t)
		s.isa.VMULPS(t, t, t)
		s.isa.VDIVPS(step, t, t)
		s.isa.VADDPS(t, moved, moved)
		s.isa.VMOVUPS(far, s.here(programFar, cell))
		s.toAnchor(far, s.here(programX0, cell), t)
		s.isa.VMOVUPS(t, s.here(programX, cell))
		s.isa.ADDQ(operand.Imm(cellBytes), cell)
	})
	s.isa.VMOVUPS(moved, operand.Mem{Base: s.p, Disp: programMoved})
}

// sides moves the dual values of the sides, which begin at dual, under the sums of their cells.
func (s programStepper) sides(dual reg.GPVirtual, long, moved reg.VecVirtual) {
	far, cells, counts, left := s.field(programFar), s.field(programCells), s.field(programCounts), s.field(programCounts+8)
	load, t, at := s.isa.vector(), s.isa.vector(), s.isa.GP64()
	s.isa.XORQ(at, at)
	s.isa.downFrom("sides", left, func() {
		s.isa.VSUBPS(s.one, s.zero, load)
		s.isa.downFrom("side", s.size(counts, 0), func() {
			s.gather(far, cells, at, t)
			s.isa.VADDPS(t, load, load)
			s.isa.ADDQ(operand.Imm(cellBytes), at)
		})
		s.turn(dual, load, long, moved)
		s.isa.ADDQ(operand.Imm(4), counts)
	})
}

// groupDuals returns where the dual values of the first group are.
func (s programStepper) groupDuals() reg.GPVirtual {
	r := s.field(programCounts + 8)
	s.isa.SHLQ(operand.Imm(5), r)
	s.isa.ADDQ(operand.Mem{Base: s.p, Disp: programDual}, r)
	return r
}

// pairs moves the pairs of edges, and the constraints under the loads of both.
func (s programStepper) pairs() {
	columns := operand.NewParamAddr("columns", 8)
	quarter, long := s.isa.scalar("quarter"), s.isa.scalar("long")
	movedPair, movedDual := s.isa.zeroed(), s.isa.zeroed()
	x, t, far, old, minus, load := s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector(), s.isa.vector()
	cell, at, dual := s.field(programFar), s.isa.GP64(), s.isa.GP64()
	s.isa.XORQ(at, at)
	s.isa.XORQ(dual, dual)
	s.sides(dual, long, movedDual)
	sum, reverse, y := s.field(programSum), s.field(programReverse), s.field(programY)
	place, count := s.isa.GP64(), s.isa.GP64()
	s.groups("pairs", func(group reg.GPVirtual) {
		rows, cols := s.size(group, 0), s.size(group, 4)
		s.isa.VSUBPS(operand.Mem{Base: cell}, s.zero, minus)
		s.isa.ADDQ(operand.Imm(cellBytes), cell)
		s.isa.MOVQ(columns, place)
		s.isa.MOVQ(cols, count)
		s.isa.downFrom("fill", count, func() {
			s.isa.VMOVUPS(minus, operand.Mem{Base: place})
			s.isa.ADDQ(operand.Imm(cellBytes), place)
		})
		s.isa.downFrom("row", rows, func() {
			s.isa.VMOVAPS(minus, load)
			s.isa.MOVQ(columns, place)
			s.isa.MOVQ(cols, count)
			s.isa.downFrom("pair", count, func() {
				s.gather(sum, reverse, at, t)
				s.isa.VADDPS(operand.Mem{Base: sum, Index: at, Scale: 1}, t, t)
				s.isa.VMOVUPS(s.here(programWeight, at), x)
				s.isa.VSUBPS(t, x, t)
				s.isa.VMULPS(t, quarter, t)
				s.isa.VMOVUPS(operand.Mem{Base: y, Index: at, Scale: 1}, old)
				s.reflect(old, t, far)
				s.isa.VSUBPS(old, far, t)
				s.isa.VMULPS(t, t, t)
				s.isa.VADDPS(t, movedPair, movedPair)
				s.isa.VADDPS(far, load, load)
				s.isa.VADDPS(operand.Mem{Base: place}, far, t)
				s.isa.VMOVUPS(t, operand.Mem{Base: place})
				s.toAnchor(far, s.here(programY0, at), t)
				s.isa.VMOVUPS(t, operand.Mem{Base: y, Index: at, Scale: 1})
				s.isa.ADDQ(operand.Imm(cellBytes), at)
				s.isa.ADDQ(operand.Imm(cellBytes), place)
			})
			s.turn(dual, load, long, movedDual)
		})
		s.isa.MOVQ(columns, place)
		s.isa.downFrom("col", cols, func() {
			s.isa.VMOVUPS(operand.Mem{Base: place}, load)
			s.turn(dual, load, long, movedDual)
			s.isa.ADDQ(operand.Imm(cellBytes), place)
		})
	})
	s.isa.VMOVUPS(movedPair, operand.Mem{Base: s.p, Disp: programMoved + cellBytes})
	s.isa.VMOVUPS(movedDual, operand.Mem{Base: s.p, Disp: programMoved + 2*cellBytes})
}

// sums sets the sums of the new dual values.
func (s programStepper) sums() {
	row, to := s.groupDuals(), s.field(programNext)
	x, t := s.isa.vector(), s.isa.vector()
	column, count := s.isa.GP64(), s.isa.GP64()
	s.groups("sums", func(group reg.GPVirtual) {
		rows, cols := s.size(group, 0), s.size(group, 4)
		first := s.isa.GP64()
		s.isa.MOVQ(rows, first)
		s.isa.SHLQ(operand.Imm(5), first)
		s.isa.ADDQ(row, first)
		s.isa.downFrom("again", rows, func() {
			s.isa.VMOVUPS(operand.Mem{Base: row}, x)
			s.isa.MOVQ(first, column)
			s.isa.MOVQ(cols, count)
			s.isa.downFrom("sum", count, func() {
				s.isa.VADDPS(operand.Mem{Base: column}, x, t)
				s.isa.VMOVUPS(t, operand.Mem{Base: to})
				s.isa.ADDQ(operand.Imm(cellBytes), column)
				s.isa.ADDQ(operand.Imm(cellBytes), to)
			})
			s.isa.ADDQ(operand.Imm(cellBytes), row)
		})
		s.isa.SHLQ(operand.Imm(5), cols)
		s.isa.ADDQ(cols, row)
	})
}

// programStepper has what the parts of stepProgram share.
type programStepper struct {
	isa                   isa
	p                     reg.GPVirtual
	keep, back, one, zero reg.VecVirtual
}

// field returns a register with the place of an array.
func (s programStepper) field(disp int) reg.GPVirtual {
	r := s.isa.GP64()
	s.isa.MOVQ(operand.Mem{Base: s.p, Disp: disp}, r)
	return r
}

// here returns a place in an array.
func (s programStepper) here(disp int, at reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: s.field(disp), Index: at, Scale: 1}
}

// size loads a number of a group.
func (s programStepper) size(group reg.GPVirtual, disp int) reg.GPVirtual {
	r := s.isa.GP64()
	s.isa.MOVLQSX(operand.Mem{Base: group, Disp: disp}, r)
	return r
}

// gather loads values of the array at base by the numbers from at on, each by a load of its own:
// VGATHERDPS is microcode on some processors, and a step took a quarter longer with it.
func (s programStepper) gather(base, numbers, at reg.GPVirtual, dst reg.VecVirtual) {
	low, high := dst.AsX(), s.isa.XMM()
	for i := range 8 {
		number := s.isa.GP32()
		s.isa.MOVL(operand.Mem{Base: numbers, Index: at, Scale: 1, Disp: 4 * i}, number)
		half := low
		if i >= 4 {
			half = high
		}
		value := operand.Mem{Base: base, Index: number.As64(), Scale: 4}
		if i%4 == 0 {
			s.isa.VMOVSS(value, half)
		} else {
			s.isa.VINSERTPS(operand.Imm(uint64(i%4*16)), value, half, half)
		}
	}
	s.isa.VINSERTF128(operand.Imm(1), high, dst, dst)
}

// reflect sets far to 2·min(1, max(0, old + by)) - old, and destroys by.
func (s programStepper) reflect(old, by, far reg.VecVirtual) {
	s.isa.VADDPS(by, old, by)
	s.isa.VMAXPS(s.zero, by, by)
	s.isa.VMINPS(s.one, by, by)
	s.isa.VADDPS(by, by, by)
	s.isa.VSUBPS(old, by, far)
}

// toAnchor sets dst to keep·far + back·anchor.
func (s programStepper) toAnchor(far reg.VecVirtual, anchor operand.Mem, dst reg.VecVirtual) {
	t := s.isa.vector()
	s.isa.VMULPS(anchor, s.back, t)
	s.isa.VMULPS(far, s.keep, dst)
	s.isa.VADDPS(t, dst, dst)
}

// turn moves the dual values at the given place under a load, and destroys it. The place
// becomes that of the next ones.
func (s programStepper) turn(at reg.GPVirtual, load, long, sum reg.VecVirtual) {
	width, old, far := s.isa.vector(), s.isa.vector(), s.isa.vector()
	s.isa.VMOVUPS(s.here(programWidth, at), width)
	s.isa.VMOVUPS(s.here(programDual, at), old)
	s.isa.VMULPS(width, long, far)
	s.isa.VMULPS(load, far, far)
	s.isa.VADDPS(far, old, far)
	s.isa.VMAXPS(s.zero, far, far)
	s.isa.VMOVUPS(far, s.here(programLast, at))
	s.isa.VSUBPS(old, far, load)
	s.isa.VMULPS(load, load, load)
	s.isa.VDIVPS(width, load, load)
	s.isa.VADDPS(load, sum, sum)
	s.isa.VADDPS(far, far, far)
	s.isa.VSUBPS(old, far, far)
	s.toAnchor(far, s.here(programDual0, at), load)
	s.isa.VMOVUPS(load, s.here(programDual, at))
	s.isa.ADDQ(operand.Imm(cellBytes), at)
}

// ones sets all values of v to 1.
func (a isa) ones(v reg.VecVirtual) {
	g, x := a.GP32(), a.XMM()
	a.MOVL(operand.U32(0x3f800000), g)
	a.VMOVD(g, x)
	a.VBROADCASTSS(x, v)
}
