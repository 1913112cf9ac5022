package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomEdges returns the neighbours of n nodes, of which each has at most so many.
func randomEdges(rng *rand.Rand, n, most int) [][]int {
	list := make([][]int, n)
	for range 2 * n {
		a, b := rng.IntN(n), rng.IntN(n)
		if a != b && len(list[a]) < most && len(list[b]) < most && !slices.Contains(list[a], b) {
			list[a], list[b] = append(list[a], b), append(list[b], a)
		}
	}
	for _, to := range list {
		slices.Sort(to)
	}
	return list
}

// newStarNet returns a random net of rows and of so many lanes in use, and its first state. Half-edges weigh less than twice
// the scale, nodes less than three times as much, and lanes have duals less than spread.
func newStarNet(rng *rand.Rand, rows, used, lanes, slots, degree int, both bool, scale, spread int) (*StarNet, *StarState) {
	n := &StarNet{Rows: rows, Slots: slots, Lanes: lanes, Both: both, Start: []int32{0}}
	edges, cols := randomEdges(rng, rows, degree), randomEdges(rng, used, slots)
	begin := func(i int) int32 { return n.Start[i] }
	for i, to := range edges {
		n.Start = append(n.Start, begin(i)+int32(len(to)))
		n.Most = max(n.Most, len(to))
	}
	for i, to := range edges {
		at, _ := slices.BinarySearch(to, i)
		n.Split = append(n.Split, begin(i)+int32(at))
		for _, j := range to {
			n.To = append(n.To, int32(j))
			n.Back = append(n.Back, begin(j)+int32(slices.Index(edges[j], i)))
		}
	}
	for at := range slots * lanes {
		n.Next, n.Reverse = append(n.Next, int16(at%lanes)), append(n.Reverse, int16(at))
	}
	n.Part = make([]int16, lanes)
	for j, to := range cols {
		for slot, k := range to {
			at := slot*lanes + j
			n.Places = append(n.Places, int16(at))
			n.Next[at], n.Reverse[at] = int16(k), int16(slices.Index(cols[k], j)*lanes+k)
			n.Part[j] = int16(1 << 14 / len(to))
		}
	}
	for k := range degree + 1 {
		n.RowPart = append(n.RowPart, int16(1<<14/max(1, k)))
	}
	s := &StarState{U: make([]int32, rows), Tight: make([]uint64, rows), V: make([]int16, lanes)}
	kinds := rng.IntN(3) + 1
	n.Weight = slices.Repeat([]int16{-1}, kinds*slots*lanes)
	for kind := range kinds {
		weight := n.Weight[kind*slots*lanes:]
		for _, at := range n.Places {
			if back := n.Reverse[at]; at <= back { // from both ends
				weight[at] = int16(rng.IntN(2 * scale))
				weight[back] = weight[at]
			}
		}
	}
	n.Kind = make([]int32, len(n.To))
	for x, y := range n.Back {
		if int32(x) <= y {
			n.Kind[x] = int32(rng.IntN(kinds))
			n.Kind[y] = n.Kind[x]
		}
	}
	s.Shares = slices.Repeat([]int16{-1}, len(n.To)*slots*lanes)
	for x, y := range n.Back {
		for _, at := range n.Places {
			if int32(x) < y { // halves of odd weights add up, too
				weight := n.Weight[int(n.Kind[x])*slots*lanes+int(at)]
				s.Shares[x*slots*lanes+int(at)] = weight / 2
				s.Shares[int(y)*slots*lanes+int(n.Reverse[at])] = weight - weight/2
			}
		}
	}
	for range rows {
		for j := range lanes {
			node := int16(rng.IntN(3 * scale))
			if j >= used || rng.IntN(8) == 0 {
				node = NoProfit
			}
			s.Node = append(s.Node, node)
			s.Profit = append(s.Profit, max(node, 0)+int16(j%2)) // is set by the first sweep
		}
	}
	for j := range s.V {
		s.V[j] = int16(rng.IntN(spread))
	}
	return n, s
}

func (s *StarState) clone() *StarState {
	return &StarState{slices.Clone(s.Shares), slices.Clone(s.Node), slices.Clone(s.Profit), slices.Clone(s.U), slices.Clone(s.V), slices.Clone(s.Tight)}
}

// TestSweepStars: sweeps at all levels give the same, which bounds what rows earn and leaves
// the sum of both shares of an edge.
func TestSweepStars(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	risen, excluded := 0, 0
	for trial := range 400 {
		slots, lanes := 3+trial%2, StarLane
		switch trial % 10 {
		case 1, 4, 8:
			lanes = 2 * StarLane
		case 3:
			lanes = 3 * StarLane
		case 5:
			slots = 1 + rng.IntN(6)
		}
		used := 1 + rng.IntN(lanes)
		rows := 1 + rng.IntN(used)
		scale, spread := 100, 300
		if trial%3 == 2 { // as great as deciders have them
			scale, spread = 240, 7000
		}
		n, s := newStarNet(rng, rows, used, lanes, slots, 1+rng.IntN(7), trial%7 == 6, scale, spread)
		w := Sweep{Spare: NoSpare}
		for pass := range 6 {
			name := fmt.Sprintf("trial %d, pass %d: %d rows, %d of %d lanes, %d slots", trial, pass, rows, used, lanes, slots)
			before := s
			want := s.clone()
			bound := Ops{}.SweepStars(n, want, w)
			for _, level := range Levels()[1:] {
				got := s.clone()
				if b := At(level).SweepStars(n, got, w); b != bound {
					t.Fatalf("%s, %v: bound %d, want %d", name, level, b, bound)
				}
				if bound < w.Need && w.Raise {
					continue // ended early
				}
				for i, pair := range [][2][]int16{{got.Shares, want.Shares}, {got.Node, want.Node}, {got.Profit, want.Profit}, {got.V, want.V}} {
					if !slices.Equal(pair[0], pair[1]) {
						t.Fatalf("%s, %v: result %d is\n%v, want\n%v", name, level, i, pair[0], pair[1])
					}
				}
				if !slices.Equal(got.U, want.U) || !slices.Equal(got.Tight, want.Tight) {
					t.Fatalf("%s, %v: u is %v and tight %x, want %v and %x", name, level, got.U, got.Tight, want.U, want.Tight)
				}
			}
			if bound < w.Need && w.Raise {
				break
			}
			s = want
			sum := int32(0)
			for i, u := range s.U {
				sum += u
				for j, v := range s.V {
					p := s.Profit[i*lanes+j]
					if p == NoProfit && before.Node[i*lanes+j] != NoProfit {
						excluded++
					}
					if (s.Node[i*lanes+j] == NoProfit) != (p == NoProfit) || p != NoProfit && u+int32(v) < int32(p) {
						t.Fatalf("%s: row %d earns %d with lane %d, but u and v are %d and %d", name, i, p, j, u, v)
					}
				}
			}
			for x, y := range n.Back {
				for _, at := range n.Places {
					here, there := x*slots*lanes+int(at), int(y)*slots*lanes+int(n.Reverse[at])
					if a, b := s.Shares[here], s.Shares[there]; a < 0 != (b < 0) || a >= 0 && a+b != n.Weight[int(n.Kind[x])*slots*lanes+int(at)] {
						t.Fatalf("%s: shares %d and %d do not add up to the weight", name, a, b)
					}
				}
			}
			if pass > 0 && sum < w.Bound {
				risen++
			}
			// Lower duals of lanes make room for more, at random.
			for j := range s.V {
				s.V[j] = max(0, s.V[j]+int16(rng.IntN(40))-20)
			}
			for i := range s.U { // bounds again
				s.U[i] = int32(referenceMost(s.Profit[i*lanes:][:lanes], s.V))
			}
			w = Sweep{Spare: int16(150 + rng.IntN(spread)), Raise: true, Backwards: pass%2 == 1}
			for _, u := range s.U {
				w.Bound += u
			}
			w.Need = w.Bound - int32(rng.IntN(2000))
		}
	}
	if risen < 100 || excluded < 1000 {
		t.Errorf("%d sweeps lowered the bound, %d pairs were excluded", risen, excluded)
	}
}

func BenchmarkSweep(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	n, s := newStarNet(rng, 25, 27, StarLane, 3, 3, false, 100, 300)
	for _, level := range Levels() {
		b.Run(fmt.Sprintf("level=%v", level), func(b *testing.B) {
			o := At(level)
			o.SweepStars(n, s, Sweep{Spare: NoSpare})
			for b.Loop() {
				o.SweepStars(n, s, Sweep{Spare: NoSpare, Raise: true, Need: -1 << 30})
			}
		})
	}
}

// TestBlocksOfLanes compares what is excluded and what is tight at all levels, at the ends of what 16 bits hold, too.
func TestBlocksOfLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	ends := []int16{NoProfit, NoProfit, -1 << 15, 1<<15 - 1, -1, 0, 1}
	value := func(least int16) int16 {
		if rng.IntN(2) == 0 {
			return max(least, ends[rng.IntN(len(ends))])
		}
		return max(least, int16(rng.IntN(40)-20))
	}
	seen := 0
	for trial := range 5000 {
		var node, profit, v block
		for j := range v {
			node[j], profit[j], v[j] = value(-1<<15), value(-1<<15), value(0)
		}
		u := int32(value(-1 << 15))
		if trial%8 == 0 {
			u -= 1<<15 - 1
		}
		tight := tightGeneric(&profit, &v, int16(u))
		// Every lane has one half-edge, whose reverse is in the other slot of the lane beside it.
		net := func() *StarNet {
			return &StarNet{Slots: 2, Lanes: StarLane, out: make([]int16, StarLane), back: make([]int16, 2*StarLane)}
		}
		want, wantNode, wantProfit := net(), node, profit
		for at := range 2 * StarLane {
			want.Reverse = append(want.Reverse, int16((at+StarLane^1)%(2*StarLane)))
		}
		for at := StarLane; at < 2*StarLane; at += 3 {
			want.Reverse[at] = int16(at) // none
		}
		excluded := Ops{}.excludeBlock(want, &wantNode, &wantProfit, &v, 0, u)
		for j := range v { // as both are described
			isOut := profit[j] != NoProfit && (node[j] == NoProfit || int(u)+int(v[j])-int(profit[j]) > 0)
			if isOut != (excluded>>j&1 != 0) || isOut != (want.out[j] < 0) || isOut && wantProfit[j] != NoProfit ||
				isOut && want.back[want.Reverse[j]] != -1 || (profit[j]-v[j] == int16(u)) != (tight>>j&1 != 0) {
				t.Fatalf("lane %d: node %d, profit %d, v %d, u %d", j, node[j], profit[j], v[j], u)
			}
			if isOut {
				seen++
			}
		}
		for _, l := range Levels()[1:] {
			got, gotNode, gotProfit := net(), node, profit
			got.Reverse = want.Reverse
			if lanes := At(l).excludeBlock(got, &gotNode, &gotProfit, &v, 0, u); lanes != excluded ||
				gotNode != wantNode || gotProfit != wantProfit || !slices.Equal(got.out, want.out) ||
				!slices.Equal(got.back, want.back) {
				t.Fatalf("%v, u %d: %032b are excluded, want %032b; %v and %v", l, u, lanes, excluded, got, want)
			}
			tights := []uint64{0}
			At(l).tight(&StarNet{Rows: 1, Lanes: StarLane}, &StarState{Profit: profit[:], V: v[:], U: []int32{u}, Tight: tights})
			if tights[0] != tight {
				t.Fatalf("%v, u %d: %032b are tight, want %032b", l, u, tights[0], tight)
			}
			row := 0
			if excluded == 0 && u > math.MinInt16 && u <= math.MaxInt16 {
				row = 1
			}
			s := &StarState{Node: node[:], Profit: profit[:], V: v[:], U: []int32{u}}
			if got := At(l).excludes(&StarNet{Rows: 1, Lanes: StarLane}, s, 0, 0); got != row {
				t.Fatalf("%v, u %d: %032b are excluded, the first row with any is %d", l, u, excluded, got)
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d lanes are excluded", seen)
	}
}
