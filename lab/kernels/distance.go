package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bits of flags of distances, as in the dispatcher.
const (
	flagL2    = 1
	flagHinge = 2
	flagMax   = 4
)

// distances are written in AVX2 only: screening takes as long in AVX-512.
func distances(c *build.Context) {
	a := avx2(c)
	distance(a, "screen", "float32", screen{a})
	distance(a, "exact", "float64", exact{a})
	find(a)
}

// arithmetic is how distances are added up. A block has 16 vectors, dimension
// by dimension.
type arithmetic interface {
	// blocks is how many blocks are worked on at once: one or two.
	blocks() int
	// parts is how many registers hold the sums of a block.
	parts() int
	// term adds to acc, for values x of a block and q of the query.
	term(kind int, x operand.Mem, acc reg.VecVirtual, r *scratch)
	// root takes square roots.
	root(v reg.VecVirtual)
	// combine adds v to total or takes the greater.
	combine(max bool, v, total reg.VecVirtual)
}

// scratch holds the query's value in all lanes, zero, the bits of a magnitude
// and room for one vector.
type scratch struct{ q, zero, magnitude, t reg.VecVirtual }

// measure writes the code for count blocks at once.
type measure struct {
	isa   isa
	how   arithmetic
	name  string
	count int

	dst, x, stride reg.GPVirtual
	scratch        scratch
	acc, total     []reg.VecVirtual
}

// distance writes a function that fills dst for n blocks.
func distance(a isa, name, element string, how arithmetic) {
	a.function(name, "func(dst *"+element+", q, blocks *float32, widths *int, nw, n, stride, flags int)",
		"computes distances to n blocks, each stride bytes long.")
	g := measure{isa: a, how: how}
	g.dst, g.x, g.stride = a.param("dst"), a.param("blocks"), a.param("stride")
	n := a.param("n")
	g.setScratch()
	g.acc, g.total = a.vectors(how.blocks()*how.parts()), a.vectors(how.blocks()*how.parts())
	g.loops(n, 1, measure.plain)
	a.done()
}

func (g *measure) setScratch() {
	g.scratch = scratch{g.isa.vector(), g.isa.zeroed(), g.isa.vector(), g.isa.vector()}
	bits := g.isa.GP32()
	g.isa.MOVL(operand.U32(0x7fffffff), bits)
	g.isa.VMOVD(bits, g.scratch.magnitude.AsX())
	g.isa.VPBROADCASTD(g.scratch.magnitude.AsX(), g.scratch.magnitude)
}

// loops writes loops over what is left: over as many blocks at once as there are registers
// for, then over single ones. Each block is size of what is left.
func (g measure) loops(left reg.GPVirtual, size int, emit func(measure)) {
	for g.count = g.how.blocks(); g.count > 0; g.count-- {
		g.name = string(label("blocks%d", g.count))
		g.acc, g.total = g.acc[:g.count*g.how.parts()], g.total[:g.count*g.how.parts()]
		next, some := label("%s_end", g.name), operand.Imm(uint64(g.count*size))
		g.isa.Label(g.name)
		g.isa.CMPQ(left, some)
		g.isa.JL(next)
		for _, v := range g.total {
			g.isa.zero(v)
		}
		emit(g)
		g.isa.SUBQ(some, left)
		g.isa.JMP(label("%s", g.name))
		g.isa.label(next)
	}
}

// plain writes the code for blocks of float32.
func (g measure) plain() {
	x, q, widths, nw, flags := g.isa.GP64(), g.isa.param("q"), g.isa.param("widths"), g.isa.param("nw"), g.isa.param("flags")
	g.isa.MOVQ(g.x, x)
	g.norms(widths, nw, func() reg.GPVirtual { return flags }, func(kind int) {
		g.isa.VBROADCASTSS(operand.Mem{Base: q}, g.scratch.q)
		parts := g.how.parts()
		for i, v := range g.acc {
			m := operand.Mem{Base: x, Disp: i % parts * 64 / parts}
			if i >= parts { // the second block
				m.Index, m.Scale = g.stride, 1
			}
			g.how.term(kind, m, v, &g.scratch)
		}
		g.isa.ADDQ(operand.Imm(4), q)
		g.isa.ADDQ(operand.Imm(64), x)
	})
	for range g.count {
		g.isa.ADDQ(g.stride, g.x)
	}
}

// norms adds up the norms of nw parts of the vectors, of which term adds a dimension, and
// stores the distances.
func (g measure) norms(widths, nw reg.GPVirtual, flags func() reg.GPVirtual, term func(kind int)) {
	g.isa.down(g.name+"_block", nw, func() {
		for _, v := range g.acc {
			g.isa.zero(v)
		}
		flags := flags()
		g.byKind(flags, func(kind int) {
			width := g.isa.GP64()
			g.isa.MOVQ(operand.Mem{Base: widths}, width)
			g.isa.down(fmt.Sprintf("%s_kind%d", g.name, kind), width, func() { term(kind) })
		})
		g.combineBlock(flags)
		g.isa.ADDQ(operand.Imm(8), widths)
	})
	for i, v := range g.total {
		g.isa.VMOVUPS(v, operand.Mem{Base: g.dst, Disp: i * g.isa.bytes()})
	}
	g.isa.ADDQ(operand.U32(uint32(len(g.total)*g.isa.bytes())), g.dst)
}

// byKind writes body for the four kinds of terms, of which flags choose one.
func (g measure) byKind(flags reg.GPVirtual, body func(kind int)) {
	kind := g.isa.GP64()
	g.isa.MOVQ(flags, kind)
	g.isa.ANDQ(operand.Imm(flagL2|flagHinge), kind)
	ready := label("%s_ready", g.name)
	for k := range 4 {
		other := label("%s_not%d", g.name, k)
		if k < 3 {
			g.isa.CMPQ(kind, operand.Imm(uint64(k)))
			g.isa.JNE(other)
		}
		body(k)
		if k < 3 {
			g.isa.JMP(ready)
			g.isa.label(other)
		}
	}
	g.isa.label(ready)
}

// combineBlock ends a block of the norm.
func (g measure) combineBlock(flags reg.GPVirtual) {
	l1, sum, done := label("%s_l1", g.name), label("%s_sum", g.name), label("%s_done", g.name)
	g.isa.TESTQ(operand.U32(flagL2), flags)
	g.isa.JZ(l1)
	for _, v := range g.acc {
		g.how.root(v)
	}
	g.isa.label(l1)
	g.isa.TESTQ(operand.U32(flagMax), flags)
	g.isa.JZ(sum)
	for i, v := range g.acc {
		g.how.combine(true, v, g.total[i])
	}
	g.isa.JMP(done)
	g.isa.label(sum)
	for i, v := range g.acc {
		g.how.combine(false, v, g.total[i])
	}
	g.isa.label(done)
}

// screen adds up in float32.
type screen struct{ isa isa }

func (screen) parts() int  { return 2 }
func (screen) blocks() int { return 2 }

func (s screen) term(kind int, x operand.Mem, acc reg.VecVirtual, r *scratch) {
	s.isa.VSUBPS(x, r.q, r.t)
	s.add(kind, acc, r)
}

// add adds the term of the difference r.t.
func (s screen) add(kind int, acc reg.VecVirtual, r *scratch) {
	switch {
	case kind&flagHinge != 0:
		s.isa.VMAXPS(r.zero, r.t, r.t)
	case kind&flagL2 == 0:
		s.isa.VANDPS(r.magnitude, r.t, r.t)
	}
	if kind&flagL2 != 0 {
		s.isa.VFMADD231PS(r.t, r.t, acc)
	} else {
		s.isa.VADDPS(r.t, acc, acc)
	}
}

func (s screen) root(v reg.VecVirtual) { s.isa.VSQRTPS(v, v) }

func (s screen) combine(max bool, v, total reg.VecVirtual) {
	if max {
		s.isa.VMAXPS(v, total, total)
	} else {
		s.isa.VADDPS(v, total, total)
	}
}

// exact takes differences in float32 and adds up in float64. Squares of
// float32 values are exact there, so that fusing changes nothing.
type exact struct{ isa isa }

func (exact) parts() int  { return 4 }
func (exact) blocks() int { return 1 }

func (e exact) term(kind int, x operand.Mem, acc reg.VecVirtual, r *scratch) {
	q, zero, t, magnitude := r.q.AsX(), r.zero.AsX(), r.t.AsX(), r.magnitude.AsX()
	e.isa.VSUBPS(x, q, t)
	switch {
	case kind&flagHinge != 0:
		e.isa.VMAXPS(zero, t, t)
	case kind&flagL2 == 0:
		e.isa.VANDPS(magnitude, t, t)
	}
	e.isa.VCVTPS2PD(t, r.t)
	if kind&flagL2 != 0 {
		e.isa.VFMADD231PD(r.t, r.t, acc)
	} else {
		e.isa.VADDPD(r.t, acc, acc)
	}
}

func (e exact) root(v reg.VecVirtual) { e.isa.VSQRTPD(v, v) }

func (e exact) combine(max bool, v, total reg.VecVirtual) {
	if max {
		e.isa.VMAXPD(v, total, total)
	} else {
		e.isa.VADDPD(v, total, total)
	}
}

// find writes a function that returns the place of the first of n values, a
// positive multiple of 16, that is at most the limit, and n if there is none.
func find(a isa) {
	a.function("find", "func(values *float32, n int, limit float32) int",
		"returns the place of the first value that is at most limit, n if there is none.")
	values, n, i := a.param("values"), a.param("n"), a.GP64()
	limit := a.scalar("limit")
	a.XORQ(i, i)
	a.label("loop")
	bits := a.GP32()
	m := operand.Mem{Base: values, Index: i, Scale: 4}
	t := a.vector()
	a.VCMPPS(operand.Imm(0x1d), m, limit, t) // limit >= value, ordered
	a.VMOVMSKPS(t, bits)
	a.TESTL(bits, bits)
	a.JNZ(label("found"))
	a.ADDQ(operand.Imm(uint64(a.lanes())), i)
	a.CMPQ(i, n)
	a.JL(label("loop"))
	a.Store(n, a.ReturnIndex(0))
	a.done()
	a.label("found")
	a.BSFL(bits, bits)
	a.ADDQ(bits.As64(), i)
	a.Store(i, a.ReturnIndex(0))
	a.done()
}
