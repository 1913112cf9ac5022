package vectorindex

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// grid holds the vectors of cells for ℓ1 norms in 8 bits a coordinate, with
// one step for all coordinates of a frame: sums of differences of codes are
// four times as fast as those of [coded]. Coordinates are padded as
// kernel.Ops.ScreenGrid wants them.
type grid struct {
	hinge, greatest bool
	pairs           []int
	place           []int     // of a coordinate among the padded ones, [dim]
	padded          int       // how many those are, a multiple of kernel.Lane
	base            []float32 // [frames, padded]
	step            []float32 // [frames]
	bits            []uint8   // [cells, Σ pairs, 32, 2]
	slacks          []float64 // [cells]
}

// leastStep keeps queries within the bounds of float32 when they are divided
// by it; see wild.
const leastStep = 0x1p-60

func newGrid(m *memory, n norm.Norm, cells int) *grid {
	g := &grid{hinge: n.Hinge, greatest: n.Combine == norm.Max}
	at := 0
	for _, w := range n.Widths {
		for i := range w {
			g.place = append(g.place, at+i)
		}
		g.pairs = append(g.pairs, (w+1)/2)
		at += (w + 1) / 2 * 2
	}
	g.padded = kernel.Pad(at)
	frames := (cells + frameCells - 1) / frameCells
	g.base = take[float32](m, frames*g.padded)
	g.step = take[float32](m, frames)
	g.bits = take[uint8](m, cells*at*cellVectors)
	g.slacks = take[float64](m, cells)
	return g
}

func (g *grid) slack() []float64 { return g.slacks }

func (g *grid) prefetch(cell int) {
	kernel.Prefetch(g.frameBase(cell / frameCells))
	kernel.Prefetch(g.codes(cell))
}

// codes returns the codes of a cell.
func (g *grid) codes(cell int) []uint8 {
	size := len(g.bits) / len(g.slacks)
	return g.bits[cell*size : (cell+1)*size]
}

func (g *grid) frameBase(frame int) []float32 {
	return g.base[frame*g.padded : (frame+1)*g.padded]
}

func (g *grid) bytes() int { return len(g.bits)/len(g.slacks) + 4*g.padded }

func (g *grid) encode(c int, rows []float32) {
	dim := len(g.place)
	frame := c / frameCells
	base, step, slack := g.frameBase(frame), float32(leastStep), 0.0
	for i, p := range g.place {
		low, high := rows[i], rows[i]
		for at := i; at < len(rows); at += dim {
			low, high = min(low, rows[at]), max(high, rows[at])
		}
		if low < -wild || high > wild {
			slack = math.Inf(1)
			continue
		}
		base[p], step = low, max(step, stepOf(low, high))
	}
	g.step[frame] = step
	for v := range len(rows) / dim {
		codes := g.codes(c + v/cellVectors)
		for i, p := range g.place {
			k := (float64(rows[v*dim+i])-float64(base[p]))/float64(step) + 0.5
			codes[(p/2*cellVectors+v%cellVectors)*2+p%2] = uint8(max(0, min(k, 255)))
		}
		g.slacks[c+v/cellVectors] = slack + g.rounding(step)
	}
}

// rounding bounds what float32 arithmetic changes: t and what follows from it
// by 2⁻²¹ of the range of codes for each coordinate; what is beyond that range
// counts for the margins of kernel.Norm.Below.
func (g *grid) rounding(step float32) float64 {
	return float64(g.padded) * 256 * float64(step) * 0x1p-21
}

func (g *grid) decode(dst []float64, cell, v int) {
	base, step, codes := g.frameBase(cell/frameCells), float64(g.step[cell/frameCells]), g.codes(cell)
	for i, p := range g.place {
		dst[i] = float64(base[p]) + step*float64(codes[(p/2*cellVectors+v)*2+p%2])
	}
}

// gridQuery is a query brought into the grid of one frame after the other.
type gridQuery struct {
	grid   *grid
	ops    kernel.Ops
	q      []float32 // padded
	frame  int       // of what follows; −1: none
	cell   []uint8
	rest   []float32
	offset []float32
}

func (g *grid) query(ops kernel.Ops) cellQuery {
	return &gridQuery{
		grid: g, ops: ops, q: make([]float32, g.padded), cell: make([]uint8, g.padded),
		rest: make([]float32, g.padded), offset: make([]float32, len(g.pairs)),
	}
}

func (q *gridQuery) set(vector []float32) {
	for i, p := range q.grid.place {
		q.q[p] = vector[i]
	}
	q.frame = -1
}

func (q *gridQuery) screen(dst *[cellVectors]float32, cell int) {
	g := q.grid
	frame := cell / frameCells
	if frame != q.frame {
		q.frame = frame
		q.ops.SnapToGrid(q.cell, q.rest, q.q, g.frameBase(frame), 1/g.step[frame], g.hinge)
		rest := q.rest
		for b, p := range g.pairs {
			q.offset[b] = sum(rest[:2*p])
			rest = rest[2*p:]
		}
	}
	q.ops.ScreenGrid(dst, q.cell, g.codes(cell), q.offset, g.pairs, g.step[frame], g.hinge, g.greatest)
}

// sum adds up in an order that lets additions overlap.
func sum(x []float32) float32 {
	var a, b, c, d float32
	for len(x) >= 4 {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
		x = x[4:]
	}
	for _, y := range x {
		a += y
	}
	return (a + b) + (c + d)
}
