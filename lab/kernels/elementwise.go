package main

import (
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementwise is written in AVX2 only: these kernels wait for memory and for division.
func elementwise(c *build.Context) {
	a := avx2(c)
	a.each("add", "dst src", "", func(l loop) {
		x := l.load("dst")
		l.isa.VADDPS(l.at("src"), x, x)
		l.store(x, "dst")
	})
	a.each("axpy", "dst src", "a", func(l loop) {
		x := l.isa.vector()
		l.isa.VMULPS(l.at("src"), l.k["a"], x)
		l.isa.VADDPS(l.at("dst"), x, x)
		l.store(x, "dst")
	})
	a.each("scale", "dst", "a", func(l loop) {
		x := l.isa.vector()
		l.isa.VMULPS(l.at("dst"), l.k["a"], x)
		l.store(x, "dst")
	})
	a.each("relu", "dst src", "", func(l loop) {
		x := l.isa.vector()
		l.isa.relu(l.at("src"), l.isa.zeroed(), x)
		l.store(x, "dst")
	})
	a.each("reluGrad", "dst mask", "", func(l loop) {
		x := l.load("dst")
		l.isa.where(x, l.isa.zeroed(), l.at("mask"), l.isa.vector())
		l.store(x, "dst")
	})
	a.each("adamW", "w m v grad", "decay step root beta1 beta2 oneLess1 oneLess2 epsilon gradScale", adamW)
	dot(a)
}

// loop is a place in a loop over slices.
type loop struct {
	isa      isa
	pointers map[string]reg.GPVirtual
	i        reg.GPVirtual             // in bytes
	k        map[string]reg.VecVirtual // the scalars, in all lanes
}

func (l loop) at(name string) operand.Mem {
	return operand.Mem{Base: l.pointers[name], Index: l.i, Scale: 1}
}

func (l loop) load(name string) reg.VecVirtual {
	x := l.isa.vector()
	l.isa.VMOVUPS(l.at(name), x)
	return x
}

func (l loop) store(x reg.VecVirtual, name string) { l.isa.VMOVUPS(x, l.at(name)) }

// each writes a function of the named slices and scalars over n values, a
// positive multiple of 16.
func (a isa) each(name, slices, scalars string, body func(loop)) {
	signature := "func(" + strings.Join(strings.Fields(slices), ", ") + " *float32, n int"
	if scalars != "" {
		signature += ", " + strings.Join(strings.Fields(scalars), ", ") + " float32"
	}
	a.function(name, signature+")", "treats n values, a positive multiple of 16.")
	l := loop{a, map[string]reg.GPVirtual{}, a.GP64(), map[string]reg.VecVirtual{}}
	for _, p := range strings.Fields(slices) {
		l.pointers[p] = a.param(p)
	}
	for _, p := range strings.Fields(scalars) {
		l.k[p] = a.scalar(p)
	}
	n := a.bytesParam("n")
	a.XORQ(l.i, l.i)
	a.label("loop")
	body(l)
	a.ADDQ(operand.Imm(uint64(a.bytes())), l.i)
	a.CMPQ(l.i, n)
	a.JL(label("loop"))
	a.done()
}

func adamW(l loop) {
	x, y := l.isa.vector(), l.isa.vector()
	l.isa.VMULPS(l.at("grad"), l.k["gradScale"], x)
	l.isa.VMULPS(x, l.k["oneLess1"], y)
	m := l.isa.vector()
	l.isa.VMULPS(l.at("m"), l.k["beta1"], m)
	l.isa.VADDPS(y, m, m)
	l.store(m, "m")
	l.isa.VMULPS(x, x, x)
	l.isa.VMULPS(x, l.k["oneLess2"], x)
	v := l.isa.vector()
	l.isa.VMULPS(l.at("v"), l.k["beta2"], v)
	l.isa.VADDPS(x, v, v)
	l.store(v, "v")
	l.isa.VSQRTPS(v, v)
	l.isa.VMULPS(v, l.k["root"], v)
	l.isa.VADDPS(l.k["epsilon"], v, v)
	l.isa.VMULPS(m, l.k["step"], m)
	l.isa.VDIVPS(v, m, m)
	l.isa.VMULPS(l.at("w"), l.k["decay"], x)
	l.isa.VSUBPS(m, x, x)
	l.store(x, "w")
}

// dot writes a function that adds to sixteen sums. The products are exact, so
// that fusing them with the sums changes nothing.
func dot(a isa) {
	a.function("dot", "func(sums *[16]float64, a, b *float32, n int)", "treats n values, a positive multiple of 16.")
	sums, x, y, n := a.param("sums"), a.param("a"), a.param("b"), a.bytesParam("n")
	acc := a.vectors(2 * 16 / a.lanes())
	half := a.bytes() / 2 // of float32, that fill a vector of float64
	for j, v := range acc {
		a.VMOVUPD(operand.Mem{Base: sums, Disp: j * a.bytes()}, v)
	}
	i := a.GP64()
	a.XORQ(i, i)
	a.label("loop")
	for j, v := range acc {
		p, q := a.vector(), a.vector()
		a.VCVTPS2PD(operand.Mem{Base: x, Index: i, Scale: 1, Disp: j * half}, p)
		a.VCVTPS2PD(operand.Mem{Base: y, Index: i, Scale: 1, Disp: j * half}, q)
		a.VFMADD231PD(p, q, v)
	}
	a.ADDQ(operand.Imm(64), i)
	a.CMPQ(i, n)
	a.JL(label("loop"))
	for j, v := range acc {
		a.VMOVUPD(v, operand.Mem{Base: sums, Disp: j * a.bytes()})
	}
	a.done()
}
