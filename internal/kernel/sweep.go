package kernel

import (
	"fmt"
	"math"
	"math/bits"
)

// NoProfit is what a row earns with a lane that is excluded.
const NoProfit = -30000

// StarNet says how the stars of rows hang together. Every edge between two rows is a
// half-edge at both, and so is every edge between two lanes. A half-edge of a row and one
// of a lane weigh something together if they are alike.
type StarNet struct {
	Rows, Slots, Lanes int
	Most               int     // half-edges of a row
	Start              []int32 // [Rows + 1] the half-edges of rows
	Split              []int32 // [Rows] the first half-edge that leads to a later row; those before lead to earlier ones
	To, Back           []int32 // [half-edges] the row at the other end, and the reverse
	Kind               []int32 // [half-edges] those of a kind weigh the same
	Weight             []int16 // [kinds, Slots, Lanes]; -1 where there is none
	// [Slots, Lanes] the lane at the other end, and the place of the reverse, or the place itself where there is none;
	// slots are filled from the first
	Next, Reverse []int16
	Places        []int16 // of the half-edges of lanes
	Part          []int16 // [Lanes] by what part of its allowance a star that its columns bound raises each share
	// the same of stars that their rows bound, by the number of half-edges raised; stars that are matched take the greater
	// part
	RowPart []int16
	// Both says that all half-edges are raised, and not only those that lead ahead.
	Both bool

	bounds StarBounds
	match  starMatch
	out    []int16 // [Lanes] -1 for lanes that a row excludes, else 0
	back   []int16 // [Slots, Lanes] the same for the reverses of their half-edges; 0 between calls
	masks  [3 * StarLane * 2 * StarLane]int16
}

// StarState says how edges share their weights between both ends, and bounds what a row
// earns with a lane: u[row] + v[lane] ≥ profit[row, lane].
type StarState struct {
	Shares       []int16  // [half-edges, Slots, Lanes]; -1 where an end is excluded or weighs nothing
	Node, Profit []int16  // [Rows, Lanes] without shares and with them; NoProfit where excluded
	U            []int32  // [Rows]
	V            []int16  // [Lanes], 0 or more; sums are within 16 bits
	Tight        []uint64 // [Rows] the first 64 lanes for which a sweep found that u[row] + v[lane] = profit[row, lane]
}

// Sweep says how to go through the rows.
type Sweep struct {
	Spare       int16 // pairs with u[row] + v[lane] - profit[row, lane] above it are excluded first; see also NoSpare
	Raise       bool  // shares, as far as u and v permit: those of half-edges that lead to rows yet to come
	Backwards   bool  // from the last row to the first
	Bound, Need int32 // to which changes of u are added, and below which a sweep that raises ends
}

// NoSpare excludes no pairs but those that have no profit at their nodes.
const NoSpare = math.MaxInt16

// SweepStars brings profits and u up to date, row by row, and returns the bound. Of a pair
// that is excluded it takes all shares. If it ends early, the state says nothing. Bits are
// the same at all levels.
func (o Ops) SweepStars(n *StarNet, s *StarState, w Sweep) (bound int32) {
	n.check(s)
	if o.level == AVX512 && n.matched() && n.Lanes <= 2*StarLane && n.Rows <= n.Lanes && n.Rows > 0 {
		return sweepStars(n, s, w)
	}
	for i := o.excludes(n, s, 0, w.Spare); i < n.Rows; i = o.excludes(n, s, i+1, w.Spare) {
		o.exclude(n, s, i, w.Spare)
	}
	if n.matched() {
		return o.sweepMatched(n, s, w)
	}
	return o.sweepRows(n, s, w)
}

// sweepStars is SweepStars in AVX-512 for 32 or 64 lanes, and 3 or 4 slots.
func sweepStars(n *StarNet, s *StarState, w Sweep) int32 {
	f := sweepStars3x32AVX512
	switch {
	case n.Slots == 4 && n.Lanes == 64:
		f = sweepStars4x64AVX512
	case n.Slots == 4:
		f = sweepStars4x32AVX512
	case n.Lanes == 64:
		f = sweepStars3x64AVX512
	}
	return int32(f(first(s.Shares), first(n.Weight), &s.Node[0], &s.Profit[0], &s.V[0], &s.U[0], &s.Tight[0], &n.Start[0],
		&n.Split[0], first(n.To), first(n.Back), first(n.Kind), &n.Next[0], &n.Reverse[0], &n.Part[0], &n.RowPart[0],
		&n.masks[0], n.Rows, int(w.Bound), int(w.Need), bit(w.Raise), bit(w.Backwards), w.Spare, NoProfit, 2*StarLane))
}

// first returns where the values are, if there are any.
func first[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

func (o Ops) sweepRows(n *StarNet, s *StarState, w Sweep) int32 {
	bound := w.Bound
	n.setup()
	for k := range n.Rows {
		i := k
		if w.Backwards {
			i = n.Rows - 1 - k
		}
		if bound += o.price(n, s, i); w.Raise {
			if bound < w.Need {
				return bound
			}
			o.raise(n, s, i, w.Backwards)
		}
	}
	for i := range n.Rows {
		if w.Raise {
			bound += o.price(n, s, i)
		}
	}
	o.tight(n, s)
	return bound
}

// tight finds the lanes of which rows would take any.
func (o Ops) tight(n *StarNet, s *StarState) {
	if o.level != Generic && n.Rows > 0 {
		tightRowsAVX2(&s.Profit[0], &s.V[0], &s.U[0], &s.Tight[0], n.Rows, n.Lanes)
		return
	}
	for i := range n.Rows {
		s.Tight[i] = 0
		for from := 0; from < min(n.Lanes, 64); from += StarLane {
			profit, v := (*block)(s.Profit[i*n.Lanes+from:]), (*block)(s.V[from:])
			s.Tight[i] |= tightGeneric(profit, v, int16(s.U[i])) << from
		}
	}
}

func tightGeneric(profit, v *block, u int16) (lanes uint64) {
	for j := range v {
		if profit[j]-v[j] == u {
			lanes |= 1 << j
		}
	}
	return lanes
}

// setup makes room for the bounds of the largest star.
func (n *StarNet) setup() {
	b := &n.bounds
	for _, x := range []struct {
		to   *[]int16
		size int
	}{{&b.ByCol, 1}, {&b.RowMost, max(1, n.Most)}, {&b.ColMost, n.Slots}} {
		if size := x.size * n.Lanes; cap(*x.to) < size {
			*x.to = make([]int16, size)
		} else {
			*x.to = (*x.to)[:size]
		}
	}
}

// excludes returns the first row from i on that may exclude lanes, or the number of rows.
func (o Ops) excludes(n *StarNet, s *StarState, i int, spare int16) int {
	if o.level == Generic || i >= n.Rows {
		return i
	}
	return excludesAVX2(&s.Node[0], &s.Profit[0], &s.V[0], &s.U[0], i, n.Rows, n.Lanes, int32(spare), NoProfit)
}

// exclude takes the shares of the pairs of row i that are excluded, and profits as a sign of that.
func (o Ops) exclude(n *StarNet, s *StarState, i int, spare int16) {
	node, profit := s.Node[i*n.Lanes:][:n.Lanes], s.Profit[i*n.Lanes:][:n.Lanes]
	line := n.Slots * n.Lanes
	if len(n.out) != n.Lanes || len(n.back) != line {
		n.out, n.back = zeroed(n.out, n.Lanes), zeroed(n.back, line)
	}
	u := s.U[i] - int32(spare)
	lanes := uint64(0)
	for from := 0; from < n.Lanes; from += StarLane {
		lanes |= o.excludeBlock(n, (*block)(node[from:]), (*block)(profit[from:]), (*block)(s.V[from:]), from, u)
	}
	if lanes == 0 {
		return
	}
	first, edges := int(n.Start[i]), int(n.Start[i+1]-n.Start[i])
	if o.level != Generic && edges > 0 {
		takeSharesAVX2(&s.Shares[first*line], &s.Shares[0], &n.Back[first], &n.out[0], &n.back[0], edges, n.Slots, n.Lanes)
	} else {
		takeSharesGeneric(n, s, first, edges)
	}
	clear(n.back)
}

func takeSharesGeneric(n *StarNet, s *StarState, first, edges int) {
	line := n.Slots * n.Lanes
	for x := first; x < first+edges; x++ {
		own, other := s.Shares[x*line:][:line], s.Shares[int(n.Back[x])*line:][:line]
		for at := range own {
			own[at] |= n.out[at%n.Lanes]
			other[at] |= n.back[at]
		}
	}
}

// zeroed returns n zeros, in the memory of s if it is large enough.
func zeroed(s []int16, n int) []int16 {
	if cap(s) < n {
		return make([]int16, n)
	}
	clear(s[:n])
	return s[:n]
}

// excludeBlock excludes lanes of the block that begins with lane from, marks them and the reverses of their half-edges,
// and returns which they are. Those that were excluded before are none of them. Differences are those of 16 bits with
// saturation, which lose nothing where u is greater than the least of these numbers.
func (o Ops) excludeBlock(n *StarNet, node, profit, v *block, from int, u int32) (lanes uint64) {
	out := (*block)(n.out[from:])
	if o.level == Generic || u <= math.MinInt16 || u > math.MaxInt16 {
		lanes = excludeGeneric(node, profit, v, out, u)
	} else {
		lanes = excludeLanesAVX2(&node[0], &profit[0], &v[0], &out[0], int16(u), NoProfit)
	}
	switch {
	case lanes == 0:
	case o.level == Generic:
		n.markGeneric(lanes, from)
	default:
		markReversesAVX2(&n.back[0], &n.Reverse[0], lanes, from, n.Slots, n.Lanes)
	}
	return lanes
}

func excludeGeneric(node, profit, v, out *block, u int32) (lanes uint64) {
	for j, p := range profit {
		out[j] = 0
		if p != NoProfit && (u+int32(v[j]) > int32(p) || node[j] == NoProfit) {
			lanes |= 1 << j
			node[j], profit[j], out[j] = NoProfit, NoProfit, -1
		}
	}
	return lanes
}

// markGeneric marks the reverses of the half-edges of lanes, of which the first bit is lane from.
func (n *StarNet) markGeneric(lanes uint64, from int) {
	for ; lanes != 0; lanes &= lanes - 1 {
		j := from + bits.TrailingZeros64(lanes)
		for at := j; at < len(n.back) && int(n.Reverse[at]) != at; at += n.Lanes {
			n.back[n.Reverse[at]] = -1
		}
	}
}

// price sets the profits of row i and the least u that bounds them, and returns by how much that changes.
func (o Ops) price(n *StarNet, s *StarState, i int) int32 {
	n.bounds.Total = s.Profit[i*n.Lanes:][:n.Lanes]
	u := int32(o.BoundStars(&n.bounds, n.stars(s, n.Start[i], n.Start[i+1]), s.Node[i*n.Lanes:][:n.Lanes], s.V))
	change := u - s.U[i]
	s.U[i] = u
	return change
}

func (n *StarNet) stars(s *StarState, x0, x1 int32) *Stars {
	line := n.Slots * n.Lanes
	return &Stars{Rows: int(x1 - x0), Cols: n.Slots, Lanes: n.Lanes, Shares: s.Shares[int(x0)*line : int(x1)*line]}
}

// raise raises shares of row i after price, and lowers those of their reverses.
func (o Ops) raise(n *StarNet, s *StarState, i int, backwards bool) {
	first := n.Start[i]
	from, to := n.Split[i], n.Start[i+1]
	switch {
	case n.Both:
		from = first
	case backwards:
		from, to = first, n.Split[i]
	}
	if from == to {
		return
	}
	line := n.Slots * n.Lanes
	bounds := n.bounds
	bounds.RowMost = bounds.RowMost[int(from-first)*n.Lanes:]
	for x := from; x < to; x++ {
		own, weight := s.Shares[int(x)*line:][:line], n.Weight[int(n.Kind[x])*line:][:line]
		o.RaiseStars(n.stars(s, x, x+1), weight, &bounds, s.V, n.Part, int16(s.U[i]), n.RowPart[to-from])
		bounds.RowMost = bounds.RowMost[n.Lanes:]
		o.reverse(n, s, x, own, weight)
	}
}

// reverse leaves to the reverses of half-edge x what its shares do not take.
func (o Ops) reverse(n *StarNet, s *StarState, x int32, own, weight []int16) {
	line := n.Slots * n.Lanes
	other := s.Shares[int(n.Back[x])*line:][:line]
	if o.level != Generic && len(n.Places) > 0 {
		giveSharesAVX2(&other[0], &own[0], &weight[0], &n.Places[0], &n.Reverse[0], len(n.Places))
		return
	}
	for _, at := range n.Places {
		share := own[at]
		other[n.Reverse[at]] = (weight[at] - share) | share>>15 // -1 stays
	}
}

func (n *StarNet) check(s *StarState) {
	line := n.Slots * n.Lanes
	if n.Rows < 0 || n.Slots < 1 || n.Lanes < StarLane || n.Lanes%StarLane != 0 || len(n.Start) != n.Rows+1 ||
		len(n.RowPart) <= n.Most {
		panic(fmt.Sprintf("kernel: a net of %d stars, %d slots and %d lanes", n.Rows, n.Slots, n.Lanes))
	}
	edges := int(n.Start[n.Rows])
	for _, x := range []struct {
		length, want int
	}{
		{len(n.Split), n.Rows}, {len(n.To), edges}, {len(n.Back), edges}, {len(n.Kind), edges}, {len(n.Weight) % line, 0},
		{len(n.Next), line},
		{len(n.Reverse), line}, {len(n.Part), n.Lanes}, {len(s.Shares), edges * line}, {len(s.Node), n.Rows * n.Lanes},
		{len(s.Profit), n.Rows * n.Lanes}, {len(s.V), n.Lanes}, {min(len(s.U), n.Rows), n.Rows},
		{min(len(s.Tight), n.Rows), n.Rows},
	} {
		if x.length != x.want {
			panic(fmt.Sprintf("kernel: a net of %d stars with %d values, not %d", n.Rows, x.length, x.want))
		}
	}
}
