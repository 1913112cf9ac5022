package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sums are written in AVX2 only: they wait for memory.
func sums(c *build.Context) {
	sumRows(avx2(c))
	sumMessages(avx2(c))
	sumMessagesGrad(avx2(c))
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

// lists is what sums over lists share: they write to dst self times the row at own, or
// nothing if useSelf is 0, and what the entries of a list add.
type lists struct {
	isa                    isa
	dst, own, start, width reg.GPVirtual
	self                   reg.VecVirtual
}

// sum writes the rest of a function, which goes through n lists: term adds what entry e of a
// list gives to a block of columns, last what is added to all, and each pointer of steps is
// moved by its stride.
func (l lists) sum(n operand.Op, steps [][2]operand.Op, term func(name string, e, column reg.GPVirtual, acc []reg.VecVirtual), last func(name string, column reg.GPVirtual, acc []reg.VecVirtual)) {
	l.isa.down("row", n, func() {
		l.isa.byColumns("columns", l.width, func(name string, column reg.GPVirtual, vectors int) {
			acc := l.isa.vectors(vectors)
			none, done := label("%s_none", name), label("%s_self", name)
			use := l.isa.param("useSelf")
			l.isa.TESTQ(use, use)
			l.isa.JZ(none)
			for j, v := range acc {
				l.isa.VMULPS(l.isa.place(l.own, column, j), l.self, v)
			}
			l.isa.JMP(done)
			l.isa.label(none)
			for _, v := range acc {
				l.isa.zero(v)
			}
			l.isa.label(done)

			e, end := l.isa.GP64(), l.isa.GP64()
			l.isa.MOVLQSX(operand.Mem{Base: l.start}, e)
			l.isa.MOVLQSX(operand.Mem{Base: l.start, Disp: 4}, end)
			entry, entries := label("%s_arc", name), label("%s_arcs", name)
			l.isa.label(entry)
			l.isa.CMPQ(e, end)
			l.isa.JGE(entries)
			term(name, e, column, acc)
			l.isa.INCQ(e)
			l.isa.JMP(entry)
			l.isa.label(entries)
			last(name, column, acc)
			for j, v := range acc {
				l.isa.VMOVUPS(v, l.isa.place(l.dst, column, j))
			}
		})
		for _, step := range steps {
			l.isa.ADDQ(step[0], step[1])
		}
		l.isa.ADDQ(operand.Imm(4), l.start)
	})
	for _, end := range []struct {
		name string
		ok   uint64
	}{{"end", 1}, {"bad", 0}} {
		l.isa.Label(end.name)
		ok := l.isa.GP8()
		l.isa.MOVB(operand.U8(end.ok), ok)
		l.isa.Store(ok, l.isa.ReturnIndex(0))
		l.isa.done()
	}
}

func nothing(string, reg.GPVirtual, []reg.VecVirtual) {}

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

func sumRows(a isa) {
	a.function("sumRows", "func(dst, own, src *float32, ldd, lds, width int, start, index *int32, n, rows int, self float32, useSelf, accumulate int) bool",
		"is SumRows with strides and width in bytes; own is the row of src that belongs to the first list.")
	d, s, own := a.param("dst"), a.param("src"), a.param("own")
	start, index, n, width := a.param("start"), a.param("index"), a.param("n"), a.param("width")
	l := lists{a, d, own, start, width, a.scalar("self")}
	rows, lds := a.memory("rows"), a.param("lds")
	l.sum(n, [][2]operand.Op{{a.memory("ldd"), d}, {lds, own}}, func(name string, e, column reg.GPVirtual, acc []reg.VecVirtual) {
		i := a.GP64()
		direct, have := label("%s_direct", name), label("%s_have", name)
		a.TESTQ(index, index)
		a.JZ(direct)
		a.MOVL(operand.Mem{Base: index, Index: e, Scale: 4}, i.As32())
		a.CMPQ(i, rows)
		a.JAE(label("bad"))
		a.JMP(have)
		a.label(direct)
		a.MOVQ(e, i)
		a.label(have)
		row := a.address(i, lds, s)
		for j, v := range acc {
			a.VADDPS(a.place(row, column, j), v, v)
		}
	}, func(name string, column reg.GPVirtual, acc []reg.VecVirtual) {
		store := label("%s_store", name)
		add := a.param("accumulate")
		a.TESTQ(add, add)
		a.JZ(store)
		for j, v := range acc {
			a.VADDPS(a.place(d, column, j), v, v)
		}
		a.label(store)
	})
}

func sumMessages(a isa) {
	a.function("sumMessages", "func(dst, own, src, table *float32, ldd, lds, ldt, width int, start, index, label *int32, n, rows, labels int, self float32, useSelf int) bool",
		"is SumMessages with strides and width in bytes; own is the row of src that belongs to the first list.")
	d, s, own := a.param("dst"), a.param("src"), a.param("own")
	start, index, labels, width := a.param("start"), a.param("index"), a.param("label"), a.param("width")
	l := lists{a, d, own, start, width, a.scalar("self")}
	zero := a.zeroed()
	n := a.param("n")
	l.sum(n, [][2]operand.Op{{a.memory("ldd"), d}, {a.memory("lds"), own}}, func(_ string, e, column reg.GPVirtual, acc []reg.VecVirtual) {
		row := a.address(a.listed(index, e, a.memory("rows")), a.memory("lds"), s)
		text := a.address(a.listed(labels, e, a.memory("labels")), a.memory("ldt"), a.memory("table"))
		for j, v := range acc {
			x := a.vector()
			a.VMOVUPS(a.place(row, column, j), x)
			a.VADDPS(a.place(text, column, j), x, x)
			a.relu(x, zero, x)
			a.VADDPS(x, v, v)
		}
	}, nothing)
}

func sumMessagesGrad(a isa) {
	a.function("sumMessagesGrad", "func(dSrc, dTable, own, grad, src, table *float32, ldds, lddt, ldg, lds, ldt, width int, start, index, label *int32, n, rows, labels int, self float32, useSelf int) bool",
		"is SumMessagesGrad with strides and width in bytes; own and src are the rows that belong to the first list.")
	d, own, x := a.param("dSrc"), a.param("own"), a.param("src")
	start, index, labels, width := a.param("start"), a.param("index"), a.param("label"), a.param("width")
	l := lists{a, d, own, start, width, a.scalar("self")}
	zero, scratch := a.zeroed(), a.vector()
	steps := [][2]operand.Op{{a.memory("ldds"), d}, {a.memory("ldg"), own}, {a.memory("lds"), x}}
	l.sum(a.memory("n"), steps, func(_ string, e, column reg.GPVirtual, acc []reg.VecVirtual) {
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
	}, nothing)
}
