package vectorindex

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
)

// coded holds groups of vectors in 8 bits a coordinate. Every sharing consecutive
// groups have a frame in common: the base and the step of every coordinate.
type coded struct {
	slots, dim int
	sharing    int
	frames     []float32 // [⌈groups/sharing⌉, 2, dim]
	bits       []uint8   // [groups, dim, slots]
	slacks     []float64 // [groups]; see group
}

// wild is the size beyond which values are not coded, since differences of
// float32 values, and their quotients by steps, may overflow. Groups with such
// values have infinite slack, so that every bound is 0.
const wild = 0x1p60

func newCoded(m *memory, groups, slots, dim, sharing int) coded {
	frames := (groups + sharing - 1) / sharing
	return coded{
		slots: slots, dim: dim, sharing: sharing,
		frames: take[float32](m, frames*2*dim), bits: take[uint8](m, groups*dim*slots),
		slacks: take[float64](m, groups),
	}
}

// group returns group g and its slack: if the codes of vector x stand for y, then
// d(q, x) ≥ d(q, y) − slack, rounding in the kernel included.
func (c *coded) group(g int) (kernel.Codes, float64) {
	frame := c.frames[g/c.sharing*2*c.dim:][:2*c.dim]
	size := c.dim * c.slots
	return kernel.Codes{
		Slots: c.slots, Base: frame[:c.dim], Step: frame[c.dim:], Codes: c.bits[g*size : (g+1)*size],
	}, c.slacks[g]
}

// encode makes the groups of a frame, from group g on, of rows, [count, dim].
// With up, values are rounded up, and otherwise to the nearest step. It leaves
// the slack that rounding in the kernel needs.
func (c *coded) encode(g int, rows []float32, up bool, n *kernel.Norm) {
	codes, _ := c.group(g)
	slack := 0.0
	for i := range c.dim {
		low, high := rows[i], rows[i]
		for at := i; at < len(rows); at += c.dim {
			low, high = min(low, rows[at]), max(high, rows[at])
		}
		if low < -wild || high > wild {
			slack = math.Inf(1)
			continue // the codes do not matter
		}
		codes.Base[i], codes.Step[i] = low, stepOf(low, high)
	}
	slack += n.CodeError(codes.Step)
	for from := 0; from < len(rows); from += c.slots * c.dim {
		c.encodeGroup(g, rows[from:min(from+c.slots*c.dim, len(rows))], up)
		c.slacks[g] = slack
		g++
	}
}

func (c *coded) encodeGroup(g int, rows []float32, up bool) {
	codes, _ := c.group(g)
	for i := range c.dim {
		base, step := float64(codes.Base[i]), float64(codes.Step[i])
		if step == 0 {
			continue
		}
		inverse, row := 1/step, codes.Codes[i*c.slots:]
		for v, at := 0, i; at < len(rows); v, at = v+1, at+c.dim {
			x := float64(rows[at])
			k := min((x-base)*inverse+0.5, 255)
			if up {
				k = math.Floor(k)
				for base+k*step < x {
					k++
				}
			}
			row[v] = uint8(k)
		}
	}
}

// stepOf returns the least step that makes 255 of them reach from low to high.
func stepOf(low, high float32) float32 {
	reach := float64(high) - float64(low)
	step := float32(reach / 255)
	for float64(low)+255*float64(step) < float64(high) {
		step = math.Nextafter32(step, math.MaxFloat32)
	}
	return step
}

// decode writes to dst, [dim], what slot v of group g stands for.
func (c *coded) decode(dst []float64, g, v int) {
	codes, _ := c.group(g)
	for i := range dst {
		dst[i] = float64(codes.Base[i]) + float64(codes.Step[i])*float64(codes.Codes[i*c.slots+v])
	}
}
