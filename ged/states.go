package ged

// The states from the root down to the one that is searched are kept by depth. Each goes on where the one above is.

// program returns the linear program at depth k.
func (g *strongSearch) program(k int) *linear {
	for len(g.programs) <= k {
		g.programs = append(g.programs, new(linear))
	}
	return g.programs[k]
}

// inherit copies the dual above depth k to k. It reports whether there was time.
func (g *strongSearch) inherit(k int) bool {
	if k == len(g.duals) {
		g.duals = append(g.duals, new(dual))
	}
	return g.duals[k-1].copyTo(g.duals[k], g.p.clock)
}

// inheritProgram sets the program at depth k to what the dual there leaves of the one
// above. It reports whether there was time.
func (g *strongSearch) inheritProgram(k int) bool {
	return !g.linear || g.program(k).shrink(g.program(k-1), g.duals[k], &g.ascent)
}

// fits reports whether there is memory for the strong search of p, and time to set
// it up.
func (g *strongSearch) fits(p *problem, b *budget) bool {
	need := strongBytes(p)
	return need <= b.memory/4 && b.Affords(need)
}

// stateBytes bounds the memory that one state takes.
func (g *strongSearch) stateBytes() int64 {
	if g.linear {
		return strongBytes(g.p) + linearBytes(g.p)
	}
	return strongBytes(g.p)
}

// strongBytes bounds the memory that one state takes without its linear program.
func strongBytes(p *problem) int64 {
	return 8 * (int64(len(p.row.arcs))*int64(len(p.col.arcs)) + int64(p.row.n)*int64(p.col.n))
}
