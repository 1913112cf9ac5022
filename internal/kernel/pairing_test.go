package kernel

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomPairing returns two random graphs and the state in which nothing is fixed.
func randomPairing(rng *rand.Rand) (*PairingGraphs, *Pairing) {
	n, m := 1+rng.IntN(PairingSize), 1+rng.IntN(PairingSize)
	g, p := &PairingGraphs{Kinds: 1 + rng.IntN(PairingKinds)}, new(Pairing)
	p.Empty(n, m)
	for k := range g.Kinds {
		g.Weight[k] = int16(rng.IntN(4))
	}
	edges := func(n int, next *[PairingKinds][PairingSize]uint16, count *[PairingKinds]PairingLine) {
		for range rng.IntN(3 * n) {
			v, w := rng.IntN(n), rng.IntN(n)
			if v == w || next[0][v]>>w&1 != 0 {
				continue
			}
			kinds := []int{0}
			if k := rng.IntN(g.Kinds); k > 0 {
				kinds = append(kinds, k)
			}
			for _, k := range kinds {
				next[k][v] |= 1 << w
				next[k][w] |= 1 << v
				count[k][v]++
				count[k][w]++
			}
		}
	}
	edges(n, &g.RowNext, &p.RowEdges)
	edges(m, &g.ColNext, &p.ColEdges)
	for a := range n {
		for b := range m {
			for k := range g.Kinds {
				p.Star[a][b] += g.Weight[k] * min(p.RowEdges[k][a], p.ColEdges[k][b])
			}
			p.Profit[a][b] = p.Star[a][b] + 2*int16(rng.IntN(5))
			p.U[a] = max(p.U[a], p.Profit[a][b])
		}
		p.Bound += int(p.U[a])
	}
	return g, p
}

// visible is what a pairing says: the rest is scratch.
func visible(p *Pairing) Pairing {
	s := *p
	for a := range s.Profit {
		for b := range s.Profit[a] {
			if s.Profit[a][b] < Forbidden/2 {
				s.Profit[a][b], s.Star[a][b] = Forbidden, 0
			}
		}
		for k := range s.RowEdges {
			if s.Rows>>a&1 == 0 {
				s.RowEdges[k][a] = 0
			}
			if s.Cols>>a&1 == 0 {
				s.ColEdges[k][a] = 0
			}
		}
	}
	return s
}

// checkDuals fails unless the duals of p are feasible, and 0 where nothing is free, and
// matches tight. It returns the sum of the duals and whether they are optimal.
func checkDuals(t *testing.T, p *Pairing) (sum int, optimal bool) {
	t.Helper()
	optimal = true
	for a := range PairingSize {
		sum += int(p.U[a]) + int(p.V[a])
		optimal = optimal && (p.U[a] == 0 || p.RowMatch[a] >= 0) && (p.V[a] == 0 || p.ColMatch[a] >= 0)
		if p.U[a] < 0 || p.V[a] < 0 || p.Rows>>a&1 == 0 && p.U[a] != 0 || p.Cols>>a&1 == 0 && p.V[a] != 0 {
			t.Fatalf("duals %d and %d of %d", p.U[a], p.V[a], a)
		}
		for b := range PairingSize {
			slack := p.U[a] + p.V[b] - p.Profit[a][b]
			matched := int(p.RowMatch[a]) == b
			if slack < 0 || matched != (int(p.ColMatch[b]) == a) || matched && slack != 0 {
				t.Fatalf("pair %d, %d: slack %d, matched %d and %d", a, b, slack, p.RowMatch[a], p.ColMatch[b])
			}
		}
	}
	return sum, optimal
}

func TestPairing(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 16))
	for range 1000 {
		g, first := randomPairing(rng)
		at := make([]*Pairing, len(Levels()))
		for i := range at {
			at[i] = new(Pairing)
			*at[i] = *first
		}
		fixed := 0 // what fixed pairs earn
		for step := range 12 {
			// The same step at all levels: need, spare, and the pair are of the first.
			p := at[0]
			a, b := rng.IntN(PairingSize), rng.IntN(PairingSize)
			if m := p.RowMatch[a]; m >= 0 && rng.IntN(2) == 0 {
				b = int(m)
			}
			kind, need, spare := rng.IntN(4), p.Bound-rng.IntN(12), int16(rng.IntN(12))
			if rng.IntN(2) == 0 {
				need = -1 << 40
			}
			possible := p.Profit[a][b] > Forbidden/2
			before := *p
			type outcome struct {
				row       int
				lost, yes bool
				state     Pairing
			}
			var want outcome
			for i, level := range Levels() {
				o, got := At(level), outcome{}
				switch {
				case kind == 0:
					got.yes = o.SolvePairing(at[i], need)
				case kind == 1 && p.Rows != 0:
					got.row, got.lost = o.NarrowPairing(at[i], g, spare)
					if got.row < 0 {
						continue // how far it came says nothing
					}
				case kind == 2 && possible:
					next := &Pairing{Rows: -1}
					o.FixPairing(next, at[i], g, a, b)
					at[i] = next
				case kind == 3:
					at[i].Exclude(a, b)
				}
				got.state = visible(at[i])
				if i == 0 {
					want = got
				} else if !reflect.DeepEqual(got, want) {
					t.Fatalf("step %d, kind %d, %v:\n%+v, want\n%+v, before\n%+v", step, kind, level, got, want, before)
				}
			}
			p = at[0]
			if kind == 1 && before.Rows != 0 && want.state.Rows == 0 {
				break // a row has no pair left
			}
			if kind == 2 && possible {
				fixed += int(before.Profit[a][b] - before.Star[a][b])
				if p.Rows != before.Rows&^(1<<a) || p.Cols != before.Cols&^(1<<b) {
					t.Fatalf("%b and %b free after %d, %d", p.Rows, p.Cols, a, b)
				}
			}
			sum, optimal := checkDuals(t, p)
			if kind == 0 && want.yes != (p.Bound >= need) {
				t.Fatalf("solved to %d, of need %d: %v", p.Bound, need, want.yes)
			}
			if kind == 0 && want.yes && !optimal {
				t.Fatalf("solved, but not optimal: %+v", p)
			}
			if kind == 0 && !want.yes {
				break // the duals need not have fallen as the bound did
			}
			if sum+fixed != p.Bound {
				t.Fatalf("step %d, kind %d: duals of %d and %d fixed, bound %d", step, kind, sum, fixed, p.Bound)
			}
			if free := bits.OnesCount(uint(p.Rows)); free == 0 {
				break
			}
		}
	}
}
