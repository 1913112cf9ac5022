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

// stepProgram goes through the groups one by one. Registers are few, so it loads the places
// of arrays anew where it needs them.
func stepProgram(a isa) {
	a.function("stepProgram", "func(p *byte, columns *float32, groups int, keep, back, pace, quarter, long float32)",
		"is StepProgram for at least one group, without the swap.")
	p, columns, left := a.param("p"), operand.NewParamAddr("columns", 8), a.param("groups")
	s := programStepper{isa: a, p: p, keep: a.scalar("keep"), back: a.scalar("back"), one: a.vector(), zero: a.zeroed()}
	a.ones(s.one)
	sumX, sumY, sumDual := a.zeroed(), a.zeroed(), a.zeroed()
	group, cell := s.field(programGroups), a.GP64()
	a.XORQ(cell, cell)
	a.label("group")
	rows, cols, dual, at := s.size(group, 0), s.size(group, 4), s.size(group, 8), s.size(group, 12)
	a.SHLQ(operand.Imm(2), dual)
	a.SHLQ(operand.Imm(2), at)

	// The cells.
	x, t, far := a.vector(), a.vector(), a.vector()
	a.VMOVUPS(s.here(programNode, cell), x)
	s.gather(programRowDual, programRow, cell, t)
	a.VSUBPS(t, x, x)
	s.gather(programColDual, programCol, cell, t)
	a.VSUBPS(t, x, x)
	count, place := a.GP64(), s.field(programDual)
	a.LEAQ(operand.Mem{Base: rows, Index: cols, Scale: 1}, count)
	a.ADDQ(dual, place)
	a.downFrom("slope", count, func() {
		a.VADDPS(operand.Mem{Base: place}, x, x)
		a.ADDQ(operand.Imm(cellBytes), place)
	})
	step, old := a.vector(), a.vector()
	a.VMOVUPS(s.here(programStep, cell), step)
	a.VMOVUPS(s.here(programX, cell), old)
	pace := a.scalar("pace")
	a.VMULPS(step, pace, t)
	a.VMULPS(x, t, t)
	s.reflect(old, t, far)
	a.VSUBPS(old, far, t)
	a.VMULPS(t, t, t)
	a.VDIVPS(step, t, t)
	a.VADDPS(t, sumX, sumX)
	a.VMOVUPS(far, s.here(programFar, cell))
	s.toAnchor(far, s.here(programX0, cell), t)
	a.VMOVUPS(t, s.here(programX, cell))
	minus := a.vector()
	a.VSUBPS(far, s.zero, minus)
	a.MOVQ(columns, place)
	a.MOVQ(cols, count)
	a.downFrom("fill", count, func() {
		a.VMOVUPS(minus, operand.Mem{Base: place})
		a.ADDQ(operand.Imm(cellBytes), place)
	})

	// The pairs of edges, and the constraints of the rows.
	load, quarter, long := a.vector(), a.scalar("quarter"), a.scalar("long")
	rowsLeft, first := a.GP64(), a.GP64()
	a.MOVQ(at, first)
	a.MOVQ(rows, rowsLeft)
	a.downFrom("row", rowsLeft, func() {
		a.VMOVAPS(minus, load)
		a.MOVQ(columns, place)
		a.MOVQ(cols, count)
		a.downFrom("pair", count, func() {
			s.gather(programSum, programReverse, at, t)
			a.VADDPS(s.here(programSum, at), t, t)
			a.VMOVUPS(s.here(programWeight, at), x)
			a.VSUBPS(t, x, t)
			a.VMULPS(t, quarter, t)
			a.VMOVUPS(s.here(programY, at), old)
			s.reflect(old, t, far)
			a.VSUBPS(old, far, t)
			a.VMULPS(t, t, t)
			a.VADDPS(t, sumY, sumY)
			a.VADDPS(far, load, load)
			a.VADDPS(operand.Mem{Base: place}, far, t)
			a.VMOVUPS(t, operand.Mem{Base: place})
			s.toAnchor(far, s.here(programY0, at), t)
			a.VMOVUPS(t, s.here(programY, at))
			a.ADDQ(operand.Imm(cellBytes), at)
			a.ADDQ(operand.Imm(cellBytes), place)
		})
		s.turn(dual, load, long, sumDual)
		a.ADDQ(operand.Imm(cellBytes), dual)
	})

	// The constraints of the columns.
	a.MOVQ(columns, place)
	a.MOVQ(cols, count)
	a.downFrom("col", count, func() {
		a.VMOVUPS(operand.Mem{Base: place}, load)
		s.turn(dual, load, long, sumDual)
		a.ADDQ(operand.Imm(cellBytes), dual)
		a.ADDQ(operand.Imm(cellBytes), place)
	})

	// The sums of the new dual values. dual is at the end of the group's constraints.
	rowDual, colDual := s.field(programDual), a.GP64()
	a.ADDQ(dual, rowDual)
	a.MOVQ(cols, count)
	a.SHLQ(operand.Imm(5), count)
	a.SUBQ(count, rowDual)
	a.MOVQ(rowDual, colDual)
	a.MOVLQSX(operand.Mem{Base: group}, rowsLeft)
	a.MOVQ(rowsLeft, count)
	a.SHLQ(operand.Imm(5), count)
	a.SUBQ(count, rowDual)
	target := s.field(programNext)
	a.ADDQ(first, target)
	a.downFrom("again", rowsLeft, func() {
		a.VMOVUPS(operand.Mem{Base: rowDual}, x)
		a.MOVQ(colDual, place)
		a.MOVQ(cols, count)
		a.downFrom("sum", count, func() {
			a.VADDPS(operand.Mem{Base: place}, x, t)
			a.VMOVUPS(t, operand.Mem{Base: target})
			a.ADDQ(operand.Imm(cellBytes), place)
			a.ADDQ(operand.Imm(cellBytes), target)
		})
		a.ADDQ(operand.Imm(cellBytes), rowDual)
	})

	a.ADDQ(operand.Imm(16), group)
	a.ADDQ(operand.Imm(cellBytes), cell)
	a.DECQ(left)
	a.JNZ(label("group"))
	for i, v := range []reg.VecVirtual{sumX, sumY, sumDual} {
		a.VMOVUPS(v, operand.Mem{Base: p, Disp: programMoved + i*cellBytes})
	}
	a.done()
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

// gather loads values of the array from by the numbers in index, each by a load of its own:
// VGATHERDPS is microcode on some processors, and a step took a quarter longer with it.
func (s programStepper) gather(from, index int, at reg.GPVirtual, dst reg.VecVirtual) {
	numbers, base := s.field(index), s.field(from)
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

// turn moves the dual values at the given place under a load, and destroys it.
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
}

// ones sets all values of v to 1.
func (a isa) ones(v reg.VecVirtual) {
	g, x := a.GP32(), a.XMM()
	a.MOVL(operand.U32(0x3f800000), g)
	a.VMOVD(g, x)
	a.VBROADCASTSS(x, v)
}
