package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func sums(c *build.Context) {
	for _, a := range []isa{avx2(c), avx512(c)} {
		sumRows(a)
		sumMessages(a)
		sumMessagesGrad(a)
	}
}

// byColumns writes code once for blocks of 64 columns and once for the blocks
// of 16 that remain; body is given the offset of the block in bytes, and the
// number of vectors.
func (a isa) byColumns(name string, width reg.GPVirtual, body func(name string, column reg.GPVirtual, vectors int)) {
	column, left := a.GP64(), a.GP64()
	a.XORQ(column, column)
	a.MOVQ(width, left)
	for _, n := range []int{64, 16} {
		loop, next := label("%s_%d", name, n), label("%s_%d_end", name, n)
		a.label(loop)
		a.CMPQ(left, operand.U32(4*n))
		a.JL(next)
		body(string(loop), column, n/a.lanes())
		a.ADDQ(operand.U32(4*n), column)
		a.SUBQ(operand.U32(4*n), left)
		a.JMP(loop)
		a.label(next)
	}
}

// place returns the memory of vector j of a block that starts at column.
func (a isa) place(row, column reg.GPVirtual, j int) operand.Mem {
	return operand.Mem{Base: row, Index: column, Scale: 1, Disp: j * a.bytes()}
}

// selfTerm sets acc to self times a row, or to zero if self is 0.
func (a isa) selfTerm(name string, acc []reg.VecVirtual, self reg.VecVirtual, row, column reg.GPVirtual) {
	none, done := label("%s_none", name), label("%s_self", name)
	use := a.param("useSelf")
	a.TESTQ(use, use)
	a.JZ(none)
	for j, v := range acc {
		a.VMULPS(a.place(row, column, j), self, v)
	}
	a.JMP(done)
	a.label(none)
	for _, v := range acc {
		a.zero(v)
	}
	a.label(done)
}

// listed loads an entry of a list as an unsigned number and leaves the
// function unless it is less than the bound.
func (a isa) listed(list, e reg.GPVirtual, bound operand.Op) reg.GPVirtual {
	i := a.GP64()
	a.MOVL(operand.Mem{Base: list, Index: e, Scale: 4}, i.As32())
	a.CMPQ(i, bound)
	a.JAE(label("bad"))
	return i
}

// address returns base + i*stride, destroying i.
func (a isa) address(i reg.GPVirtual, stride, base operand.Op) reg.GPVirtual {
	a.IMULQ(stride, i)
	a.ADDQ(base, i)
	return i
}

// memory returns a parameter as an operand, for those used too seldom to
// deserve a register.
func (a isa) memory(name string) operand.Op {
	m, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.Addr
}

// finish ends a function that returns whether all was well.
func (a isa) finish() {
	for _, end := range []struct {
		name string
		ok   uint64
	}{{"end", 1}, {"bad", 0}} {
		a.label(operand.LabelRef(end.name))
		ok := a.GP8()
		a.MOVB(operand.U8(end.ok), ok)
		a.Store(ok, a.ReturnIndex(0))
		a.done()
	}
}

func sumRows(a isa) {
	a.function("sumRows", "func(dst, own, src *float32, ldd, lds, width int, start, index *int32, n, rows int, self float32, useSelf, accumulate int) bool",
		"is SumRows with strides and width in bytes; own is the row of src that belongs to the first list.")
	d, s, own := a.param("dst"), a.param("src"), a.param("own")
	start, index, n, width := a.param("start"), a.param("index"), a.param("n"), a.param("width")
	self := a.scalar("self")
	rows, lds := a.memory("rows"), a.param("lds")

	a.label("row")
	a.byColumns("columns", width, func(name string, column reg.GPVirtual, vectors int) {
		acc := a.vectors(vectors)
		a.selfTerm(name, acc, self, own, column)
		e, end := a.GP64(), a.GP64()
		a.MOVLQSX(operand.Mem{Base: start}, e)
		a.MOVLQSX(operand.Mem{Base: start, Disp: 4}, end)
		a.eachListed(name, e, end, func() {
			i := a.GP64()
			direct, go_ := label("%s_direct", name), label("%s_have", name)
			a.TESTQ(index, index)
			a.JZ(direct)
			a.MOVL(operand.Mem{Base: index, Index: e, Scale: 4}, i.As32())
			a.CMPQ(i, rows)
			a.JAE(label("bad"))
			a.JMP(go_)
			a.label(direct)
			a.MOVQ(e, i)
			a.label(go_)
			row := a.address(i, lds, s)
			for j, v := range acc {
				a.VADDPS(a.place(row, column, j), v, v)
			}
		})
		store := label("%s_store", name)
		add := a.param("accumulate")
		a.TESTQ(add, add)
		a.JZ(store)
		for j, v := range acc {
			a.VADDPS(a.place(d, column, j), v, v)
		}
		a.label(store)
		for j, v := range acc {
			a.VMOVUPS(v, a.place(d, column, j))
		}
	})
	a.ADDQ(a.memory("ldd"), d)
	a.ADDQ(lds, own)
	a.ADDQ(operand.Imm(4), start)
	a.DECQ(n)
	a.JNZ(label("row"))
	a.finish()
}

// eachListed writes a loop over the places e to end of a list.
func (a isa) eachListed(name string, e, end reg.GPVirtual, body func()) {
	loop, done := label("%s_arc", name), label("%s_arcs", name)
	a.label(loop)
	a.CMPQ(e, end)
	a.JGE(done)
	body()
	a.INCQ(e)
	a.JMP(loop)
	a.label(done)
}

func sumMessages(a isa) {
	a.function("sumMessages", "func(dst, own, src, table *float32, ldd, lds, ldt, width int, start, index, label *int32, n, rows, labels int, self float32, useSelf int) bool",
		"is SumMessages with strides and width in bytes; own is the row of src that belongs to the first list.")
	d, s, own := a.param("dst"), a.param("src"), a.param("own")
	start, index, labels, width := a.param("start"), a.param("index"), a.param("label"), a.param("width")
	self := a.scalar("self")
	zero := a.zeroed()
	n := a.param("n")

	a.label("row")
	a.byColumns("columns", width, func(name string, column reg.GPVirtual, vectors int) {
		acc := a.vectors(vectors)
		a.selfTerm(name, acc, self, own, column)
		e, end := a.GP64(), a.GP64()
		a.MOVLQSX(operand.Mem{Base: start}, e)
		a.MOVLQSX(operand.Mem{Base: start, Disp: 4}, end)
		a.eachListed(name, e, end, func() {
			row := a.address(a.listed(index, e, a.memory("rows")), a.memory("lds"), s)
			text := a.address(a.listed(labels, e, a.memory("labels")), a.memory("ldt"), a.memory("table"))
			for j, v := range acc {
				x := a.vector()
				a.VMOVUPS(a.place(row, column, j), x)
				a.VADDPS(a.place(text, column, j), x, x)
				a.relu(x, zero, x)
				a.VADDPS(x, v, v)
			}
		})
		for j, v := range acc {
			a.VMOVUPS(v, a.place(d, column, j))
		}
	})
	a.ADDQ(a.memory("ldd"), d)
	a.ADDQ(a.memory("lds"), own)
	a.ADDQ(operand.Imm(4), start)
	a.DECQ(n)
	a.JNZ(label("row"))
	a.finish()
}

func sumMessagesGrad(a isa) {
	a.function("sumMessagesGrad", "func(dSrc, dTable, own, grad, src, table *float32, ldds, lddt, ldg, lds, ldt, width int, start, index, label *int32, n, rows, labels int, self float32, useSelf int) bool",
		"is SumMessagesGrad with strides and width in bytes; own and src are the rows that belong to the first list.")
	d, own, x := a.param("dSrc"), a.param("own"), a.param("src")
	start, index, labels, width := a.param("start"), a.param("index"), a.param("label"), a.param("width")
	self := a.scalar("self")
	zero, scratch := a.zeroed(), a.vector()

	a.label("row")
	a.byColumns("columns", width, func(name string, column reg.GPVirtual, vectors int) {
		acc := a.vectors(vectors)
		a.selfTerm(name, acc, self, own, column)
		e, end := a.GP64(), a.GP64()
		a.MOVLQSX(operand.Mem{Base: start}, e)
		a.MOVLQSX(operand.Mem{Base: start, Disp: 4}, end)
		a.eachListed(name, e, end, func() {
			g := a.address(a.listed(index, e, a.memory("rows")), a.memory("ldg"), a.memory("grad"))
			l := a.listed(labels, e, a.memory("labels"))
			dt := a.GP64()
			a.MOVQ(l, dt)
			text := a.address(l, a.memory("ldt"), a.memory("table"))
			a.address(dt, a.memory("lddt"), a.memory("dTable"))
			for j, v := range acc {
				y, m := a.vector(), a.vector()
				a.VMOVUPS(a.place(x, column, j), m)
				a.VADDPS(a.place(text, column, j), m, m)
				a.VMOVUPS(a.place(g, column, j), y)
				a.where(y, zero, m, scratch)
				a.VADDPS(y, v, v)
				a.VADDPS(a.place(dt, column, j), y, y)
				a.VMOVUPS(y, a.place(dt, column, j))
			}
		})
		for j, v := range acc {
			a.VMOVUPS(v, a.place(d, column, j))
		}
	})
	a.ADDQ(a.memory("ldds"), d)
	a.ADDQ(a.memory("ldg"), own)
	a.ADDQ(a.memory("lds"), x)
	a.ADDQ(operand.Imm(4), start)
	a.DECQ(a.memory("n"))
	a.JNZ(label("row"))
	a.finish()
}
