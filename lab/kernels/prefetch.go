package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// prefetch writes a function that needs no instructions beyond those of every
// amd64 machine.
func prefetch(c *build.Context) {
	c.Function("prefetch")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(p *byte, n int)")
	c.Pragma("noescape")
	c.Doc("prefetch asks for the lines of n bytes, n > 0.")
	p, n := c.GP64(), c.GP64()
	c.Load(c.Param("p"), p)
	c.Load(c.Param("n"), n)
	c.Label("loop")
	c.PREFETCHT0(operand.Mem{Base: p})
	c.ADDQ(operand.Imm(64), p)
	c.SUBQ(operand.Imm(64), n)
	c.JG(operand.LabelRef("loop"))
	c.RET()
}
