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
	programRowDual
	programColDual
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
// the constraints, and for the sums. What one group takes from its cells to its sums is a long
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
	group, left := s.field(programGroups), s.param("groups")
	s.down(name, left, func() {
		body(group)
		s.ADDQ(operand.Imm(16), group)
	})
}

// cells moves the cells.
func (s programStepper) cells() {
	pace, moved := s.scalar("pace"), s.zeroed()
	x, t, far, step, old := s.vector(), s.vector(), s.vector(), s.vector(), s.vector()
	cell, dual := s.GP64(), s.field(programDual)
	s.XORQ(cell, cell)
	s.groups("cells", func(group reg.GPVirtual) {
		s.VMOVUPS(s.here(programNode, cell), x)
		s.gather(s.field(programRowDual), s.field(programRow), cell, t)
		s.VSUBPS(t, x, x)
		s.gather(s.field(programColDual), s.field(programCol), cell, t)
		s.VSUBPS(t, x, x)
		constraints := s.size(group, 0)
		s.ADDQ(s.size(group, 4), constraints)
		s.downFrom("slope", constraints, func() {
			s.VADDPS(operand.Mem{Base: dual}, x, x)
			s.ADDQ(operand.Imm(cellBytes), dual)
		})
		s.VMOVUPS(s.here(programStep, cell), step)
		s.VMOVUPS(s.here(programX, cell), old)
		s.VMULPS(step, pace, t)
		s.VMULPS(x, t, t)
		s.reflect(old, t, far)
		s.VSUBPS(old, far, t)
		s.VMULPS(t, t, t)
		s.VDIVPS(step, t, t)
		s.VADDPS(t, moved, moved)
		s.VMOVUPS(far, s.here(programFar, cell))
		s.toAnchor(far, s.here(programX0, cell), t)
		s.VMOVUPS(t, s.here(programX, cell))
		s.ADDQ(operand.Imm(cellBytes), cell)
	})
	s.VMOVUPS(moved, operand.Mem{Base: s.p, Disp: programMoved})
}

// pairs moves the pairs of edges, and the constraints under the loads of both.
func (s programStepper) pairs() {
	columns := operand.NewParamAddr("columns", 8)
	quarter, long := s.scalar("quarter"), s.scalar("long")
	movedPair, movedDual := s.zeroed(), s.zeroed()
	x, t, far, old, minus, load := s.vector(), s.vector(), s.vector(), s.vector(), s.vector(), s.vector()
	cell, at, dual := s.field(programFar), s.GP64(), s.GP64()
	s.XORQ(at, at)
	s.XORQ(dual, dual)
	sum, reverse, y := s.field(programSum), s.field(programReverse), s.field(programY)
	place, count := s.GP64(), s.GP64()
	s.groups("pairs", func(group reg.GPVirtual) {
		rows, cols := s.size(group, 0), s.size(group, 4)
		s.VSUBPS(operand.Mem{Base: cell}, s.zero, minus)
		s.ADDQ(operand.Imm(cellBytes), cell)
		s.MOVQ(columns, place)
		s.MOVQ(cols, count)
		s.downFrom("fill", count, func() {
			s.VMOVUPS(minus, operand.Mem{Base: place})
			s.ADDQ(operand.Imm(cellBytes), place)
		})
		s.downFrom("row", rows, func() {
			s.VMOVAPS(minus, load)
			s.MOVQ(columns, place)
			s.MOVQ(cols, count)
			s.downFrom("pair", count, func() {
				s.gather(sum, reverse, at, t)
				s.VADDPS(operand.Mem{Base: sum, Index: at, Scale: 1}, t, t)
				s.VMOVUPS(s.here(programWeight, at), x)
				s.VSUBPS(t, x, t)
				s.VMULPS(t, quarter, t)
				s.VMOVUPS(operand.Mem{Base: y, Index: at, Scale: 1}, old)
				s.reflect(old, t, far)
				s.VSUBPS(old, far, t)
				s.VMULPS(t, t, t)
				s.VADDPS(t, movedPair, movedPair)
				s.VADDPS(far, load, load)
				s.VADDPS(operand.Mem{Base: place}, far, t)
				s.VMOVUPS(t, operand.Mem{Base: place})
				s.toAnchor(far, s.here(programY0, at), t)
				s.VMOVUPS(t, operand.Mem{Base: y, Index: at, Scale: 1})
				s.ADDQ(operand.Imm(cellBytes), at)
				s.ADDQ(operand.Imm(cellBytes), place)
			})
			s.turn(dual, load, long, movedDual)
		})
		s.MOVQ(columns, place)
		s.downFrom("col", cols, func() {
			s.VMOVUPS(operand.Mem{Base: place}, load)
			s.turn(dual, load, long, movedDual)
			s.ADDQ(operand.Imm(cellBytes), place)
		})
	})
	s.VMOVUPS(movedPair, operand.Mem{Base: s.p, Disp: programMoved + cellBytes})
	s.VMOVUPS(movedDual, operand.Mem{Base: s.p, Disp: programMoved + 2*cellBytes})
}

// sums sets the sums of the new dual values.
func (s programStepper) sums() {
	row, to := s.field(programDual), s.field(programNext)
	x, t := s.vector(), s.vector()
	column, count := s.GP64(), s.GP64()
	s.groups("sums", func(group reg.GPVirtual) {
		rows, cols := s.size(group, 0), s.size(group, 4)
		first := s.GP64()
		s.MOVQ(rows, first)
		s.SHLQ(operand.Imm(5), first)
		s.ADDQ(row, first)
		s.downFrom("again", rows, func() {
			s.VMOVUPS(operand.Mem{Base: row}, x)
			s.MOVQ(first, column)
			s.MOVQ(cols, count)
			s.downFrom("sum", count, func() {
				s.VADDPS(operand.Mem{Base: column}, x, t)
				s.VMOVUPS(t, operand.Mem{Base: to})
				s.ADDQ(operand.Imm(cellBytes), column)
				s.ADDQ(operand.Imm(cellBytes), to)
			})
			s.ADDQ(operand.Imm(cellBytes), row)
		})
		s.SHLQ(operand.Imm(5), cols)
		s.ADDQ(cols, row)
	})
}

// programStepper has what the parts of stepProgram share.
type programStepper struct {
	isa
	p                     reg.GPVirtual
	keep, back, one, zero reg.VecVirtual
}

// field returns a register with the place of an array.
func (s programStepper) field(disp int) reg.GPVirtual {
	r := s.GP64()
	s.MOVQ(operand.Mem{Base: s.p, Disp: disp}, r)
	return r
}

// here returns a place in an array.
func (s programStepper) here(disp int, at reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: s.field(disp), Index: at, Scale: 1}
}

// size loads a number of a group.
func (s programStepper) size(group reg.GPVirtual, disp int) reg.GPVirtual {
	r := s.GP64()
	s.MOVLQSX(operand.Mem{Base: group, Disp: disp}, r)
	return r
}

// gather loads values of the array at base by the numbers from at on, each by a load of its own:
// VGATHERDPS is microcode on some processors, and a step took a quarter longer with it.
func (s programStepper) gather(base, numbers, at reg.GPVirtual, dst reg.VecVirtual) {
	low, high := dst.AsX(), s.XMM()
	for i := range 8 {
		number := s.GP32()
		s.MOVL(operand.Mem{Base: numbers, Index: at, Scale: 1, Disp: 4 * i}, number)
		half := low
		if i >= 4 {
			half = high
		}
		value := operand.Mem{Base: base, Index: number.As64(), Scale: 4}
		if i%4 == 0 {
			s.VMOVSS(value, half)
		} else {
			s.VINSERTPS(operand.Imm(uint64(i%4*16)), value, half, half)
		}
	}
	s.VINSERTF128(operand.Imm(1), high, dst, dst)
}

// reflect sets far to 2·min(1, max(0, old + by)) - old, and destroys by.
func (s programStepper) reflect(old, by, far reg.VecVirtual) {
	s.VADDPS(by, old, by)
	s.VMAXPS(s.zero, by, by)
	s.VMINPS(s.one, by, by)
	s.VADDPS(by, by, by)
	s.VSUBPS(old, by, far)
}

// toAnchor sets dst to keep·far + back·anchor.
func (s programStepper) toAnchor(far reg.VecVirtual, anchor operand.Mem, dst reg.VecVirtual) {
	t := s.vector()
	s.VMULPS(anchor, s.back, t)
	s.VMULPS(far, s.keep, dst)
	s.VADDPS(t, dst, dst)
}

// turn moves the dual values at the given place under a load, and destroys it. The place
// becomes that of the next ones.
func (s programStepper) turn(at reg.GPVirtual, load, long, sum reg.VecVirtual) {
	width, old, far := s.vector(), s.vector(), s.vector()
	s.VMOVUPS(s.here(programWidth, at), width)
	s.VMOVUPS(s.here(programDual, at), old)
	s.VMULPS(width, long, far)
	s.VMULPS(load, far, far)
	s.VADDPS(far, old, far)
	s.VMAXPS(s.zero, far, far)
	s.VMOVUPS(far, s.here(programLast, at))
	s.VSUBPS(old, far, load)
	s.VMULPS(load, load, load)
	s.VDIVPS(width, load, load)
	s.VADDPS(load, sum, sum)
	s.VADDPS(far, far, far)
	s.VSUBPS(old, far, far)
	s.toAnchor(far, s.here(programDual0, at), load)
	s.VMOVUPS(load, s.here(programDual, at))
	s.ADDQ(operand.Imm(cellBytes), at)
}

// ones sets all values of v to 1.
func (a isa) ones(v reg.VecVirtual) {
	g, x := a.GP32(), a.XMM()
	a.MOVL(operand.U32(0x3f800000), g)
	a.VMOVD(g, x)
	a.VBROADCASTSS(x, v)
}
