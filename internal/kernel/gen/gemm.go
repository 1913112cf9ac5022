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
	isa
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
	t.LEAQ(operand.Mem{Base: p, Index: stride, Scale: 4}, p)
	t.LEAQ(operand.Mem{Base: p, Index: stride, Scale: 2}, p)
}

// rowBase returns a register that points three rows beyond p, or p itself if
// the tile has no more rows than that.
func (t tile) rowBase(p, stride reg.GPVirtual) reg.GPVirtual {
	if t.rows <= 3 {
		return p
	}
	q := t.GP64()
	t.LEAQ(operand.Mem{Base: p, Index: stride, Scale: 2}, q)
	t.ADDQ(stride, q)
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
	a0 := t.GP64()
	t.MOVQ(t.a, a0)
	a3 := a0
	if t.rows > 3 {
		a3 = t.rowBase(a0, t.rs)
	}
	b, k := t.param("b"), t.param("k")
	loop := label("%s_k", t.name)
	t.label(loop)
	for j := range t.y {
		t.VMOVUPS(operand.Mem{Base: b, Disp: j * t.bytes()}, t.y[j])
	}
	for i := range acc {
		t.VBROADCASTSS(at(a0, a3, t.rs, i), t.x)
		for j := range t.y {
			t.VFMADD231PS(t.y[j], t.x, acc[i][j])
		}
	}
	t.ADDQ(t.cs, a0)
	if t.rows > 3 {
		t.ADDQ(t.cs, a3)
	}
	t.ADDQ(t.ldb, b)
	t.DECQ(k)
	t.JNZ(loop)

	t.finish(acc)
}

// start loads C, the bias or zero.
func (t tile) start(acc [][]reg.VecVirtual) {
	accumulate, bias, done := label("%s_add", t.name), label("%s_bias", t.name), label("%s_go", t.name)
	flags := t.param("flags")
	t.TESTQ(operand.U32(flagAccumulate), flags)
	t.JNZ(accumulate)
	from := t.param("bias")
	t.TESTQ(from, from)
	t.JNZ(bias)
	for i := range acc {
		for j := range acc[i] {
			t.zero(acc[i][j])
		}
	}
	t.JMP(done)

	t.label(bias)
	for j := range acc[0] {
		t.VMOVUPS(operand.Mem{Base: from, Disp: j * t.bytes()}, acc[0][j])
		for i := 1; i < t.rows; i++ {
			t.VMOVAPS(acc[0][j], acc[i][j])
		}
	}
	t.JMP(done)

	t.label(accumulate)
	c3 := t.rowBase(t.c, t.ldc)
	for i := range acc {
		for j := range acc[i] {
			t.VMOVUPS(at(t.c, c3, t.ldc, i).Offset(j*t.bytes()), acc[i][j])
		}
	}
	t.label(done)
}

// finish applies ReLU and stores C.
func (t tile) finish(acc [][]reg.VecVirtual) {
	store := label("%s_store", t.name)
	t.zero(t.x)
	flags := t.param("flags")
	t.TESTQ(operand.U32(flagReLU), flags)
	t.JZ(store)
	for i := range acc {
		for j := range acc[i] {
			t.relu(acc[i][j], t.x, acc[i][j])
		}
	}
	t.label(store)
	c3 := t.rowBase(t.c, t.ldc)
	for i := range acc {
		for j := range acc[i] {
			t.VMOVUPS(acc[i][j], at(t.c, c3, t.ldc, i).Offset(j*t.bytes()))
		}
	}
}
