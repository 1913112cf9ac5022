package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bits of flags, as in the dispatcher.
const (
	flagAccumulate = 1
	flagReLU       = 2
)

const tileRows = 6

func gemm(c *build.Context) {
	gemmPanel(avx2(c), 2)
	for vectors := 1; vectors <= 4; vectors++ {
		gemmPanel(avx512(c), vectors)
	}
}

// tile is what the code of one tile of C needs.
type tile struct {
	isa           isa
	rows, vectors int
	name          string

	c, a, b          reg.GPVirtual
	ldc, rs, cs, ldb reg.GPVirtual

	acc [][]reg.VecVirtual // of a full tile
	y   []reg.VecVirtual   // a row of B
	x   reg.VecVirtual     // a value of A; zero in the end
}

// gemmPanel writes a function for a panel of C, [m, vectors·lanes], which it
// cuts into tiles of 6 rows and one of the rest.
func gemmPanel(a isa, vectors int) {
	name := map[int]string{16: "gemm16", 32: "gemm32", 48: "gemm48", 64: "gemm64"}[vectors*a.lanes()]
	a.function(name, "func(c, a, b, bias *float32, ldc, rs, cs, ldb, m, k, flags int)",
		"computes a panel of C, k > 0; strides are in values.")
	t := tile{isa: a, vectors: vectors}
	t.c, t.a = a.param("c"), a.param("a")
	t.ldc, t.rs, t.cs, t.ldb = a.bytesParam("ldc"), a.bytesParam("rs"), a.bytesParam("cs"), a.bytesParam("ldb")
	m := a.param("m")
	t.acc = make([][]reg.VecVirtual, tileRows)
	for i := range t.acc {
		t.acc[i] = a.vectors(vectors)
	}
	t.y, t.x = a.vectors(vectors), a.vector()

	a.label("loop")
	a.CMPQ(m, operand.Imm(tileRows))
	a.JL(label("tail"))
	t.rows, t.name = tileRows, "full"
	t.emit()
	t.advance(t.c, t.ldc)
	t.advance(t.a, t.rs)
	a.SUBQ(operand.Imm(tileRows), m)
	a.JMP(label("loop"))

	a.label("tail")
	for rows := tileRows - 1; rows > 0; rows-- {
		a.CMPQ(m, operand.Imm(uint64(rows)))
		a.JE(label("tail%d", rows))
	}
	a.done()
	for rows := tileRows - 1; rows > 0; rows-- {
		t.rows, t.name = rows, string(label("tail%d", rows))
		a.label(operand.LabelRef(t.name))
		t.emit()
		a.done()
	}
}

// advance moves a pointer by six strides.
func (t tile) advance(p, stride reg.GPVirtual) {
	t.isa.LEAQ(operand.Mem{Base: p, Index: stride, Scale: 4}, p)
	t.isa.LEAQ(operand.Mem{Base: p, Index: stride, Scale: 2}, p)
}

// rowBase returns a register that points three rows beyond p, or p itself if
// the tile has no more rows than that.
func (t tile) rowBase(p, stride reg.GPVirtual) reg.GPVirtual {
	if t.rows <= 3 {
		return p
	}
	q := t.isa.GP64()
	t.isa.LEAQ(operand.Mem{Base: p, Index: stride, Scale: 2}, q)
	t.isa.ADDQ(stride, q)
	return q
}

// at addresses a row, 0 to 5, from p and from three rows beyond it.
func at(p, p3, stride reg.GPVirtual, row int) operand.Mem {
	m := operand.Mem{Base: p}
	if row >= 3 {
		m.Base = p3
	}
	if row%3 > 0 {
		m.Index, m.Scale = stride, uint8(row%3)
	}
	return m
}

func (t tile) emit() {
	acc := t.acc[:t.rows]
	t.start(acc)

	// The loop over k.
	a0 := t.isa.GP64()
	t.isa.MOVQ(t.a, a0)
	a3 := a0
	if t.rows > 3 {
		a3 = t.rowBase(a0, t.rs)
	}
	b, k := t.isa.param("b"), t.isa.param("k")
	loop := label("%s_k", t.name)
	t.isa.label(loop)
	for j := range t.y {
		t.isa.VMOVUPS(operand.Mem{Base: b, Disp: j * t.isa.bytes()}, t.y[j])
	}
	for i := range acc {
		t.isa.VBROADCASTSS(at(a0, a3, t.rs, i), t.x)
		for j := range t.y {
			t.isa.VFMADD231PS(t.y[j], t.x, acc[i][j])
		}
	}
	t.isa.ADDQ(t.cs, a0)
	if t.rows > 3 {
		t.isa.ADDQ(t.cs, a3)
	}
	t.isa.ADDQ(t.ldb, b)
	t.isa.DECQ(k)
	t.isa.JNZ(loop)

	t.finish(acc)
}

// start loads C, the bias or zero.
func (t tile) start(acc [][]reg.VecVirtual) {
	accumulate, bias, done := label("%s_add", t.name), label("%s_bias", t.name), label("%s_go", t.name)
	flags := t.isa.param("flags")
	t.isa.TESTQ(operand.U32(flagAccumulate), flags)
	t.isa.JNZ(accumulate)
	from := t.isa.param("bias")
	t.isa.TESTQ(from, from)
	t.isa.JNZ(bias)
	for i := range acc {
		for j := range acc[i] {
			t.isa.zero(acc[i][j])
		}
	}
	t.isa.JMP(done)

	t.isa.label(bias)
	for j := range acc[0] {
		t.isa.VMOVUPS(operand.Mem{Base: from, Disp: j * t.isa.bytes()}, acc[0][j])
		for i := 1; i < t.rows; i++ {
			t.isa.VMOVAPS(acc[0][j], acc[i][j])
		}
	}
	t.isa.JMP(done)

	t.isa.label(accumulate)
	c3 := t.rowBase(t.c, t.ldc)
	for i := range acc {
		for j := range acc[i] {
			t.isa.VMOVUPS(at(t.c, c3, t.ldc, i).Offset(j*t.isa.bytes()), acc[i][j])
		}
	}
	t.isa.label(done)
}

// finish applies ReLU and stores C.
func (t tile) finish(acc [][]reg.VecVirtual) {
	store := label("%s_store", t.name)
	t.isa.zero(t.x)
	flags := t.isa.param("flags")
	t.isa.TESTQ(operand.U32(flagReLU), flags)
	t.isa.JZ(store)
	for i := range acc {
		for j := range acc[i] {
			t.isa.relu(acc[i][j], t.x, acc[i][j])
		}
	}
	t.isa.label(store)
	c3 := t.rowBase(t.c, t.ldc)
	for i := range acc {
		for j := range acc[i] {
			t.isa.VMOVUPS(acc[i][j], at(t.c, c3, t.ldc, i).Offset(j*t.isa.bytes()))
		}
	}
}
