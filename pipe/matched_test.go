package pipe

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// randomPair is a pair of graphs with costs for each element.
type randomPair struct {
	n        [2]int
	directed bool
	ends     [2][]int32
	costs    map[string][]float64
	roots    []int
}

func newRandomPair(rng *rand.Rand) randomPair {
	p := randomPair{directed: rng.IntN(2) == 0, costs: make(map[string][]float64)}
	for side := range p.n {
		p.n[side] = rng.IntN(5)
		for u := range p.n[side] {
			for v := range p.n[side] {
				if u != v && (p.directed || u < v) && rng.IntN(5) < 2 {
					p.ends[side] = append(p.ends[side], int32(u), int32(v))
				}
			}
		}
	}
	kinds := []struct {
		name string
		n, m int
	}{{"node", p.n[0], p.n[1]}, {"edge", len(p.ends[0]) / 2, len(p.ends[1]) / 2}}
	step := []float64{1, 0.5, math.Pi / 7}[rng.IntN(3)]
	most := 1 + rng.IntN(5) // few different costs make few labels
	for _, k := range kinds {
		for name, size := range map[string]int{"substitute": k.n * k.m, "delete": k.n, "insert": k.m} {
			list := make([]float64, size)
			for i := range list {
				list[i] = step * float64(rng.IntN(most))
			}
			p.costs[k.name+"."+name] = list
		}
	}
	if p.n[0] > 0 && p.n[1] > 0 && rng.IntN(3) == 0 {
		p.roots = []int{rng.IntN(p.n[0]), rng.IntN(p.n[1])}
	}
	return p
}

// mapCost is the cost of a node map by the definition of NetworkX.
func (p randomPair) mapCost(m []int) float64 {
	total := 0.0
	image := make([]bool, p.n[1])
	for v, w := range m {
		if w < 0 {
			total += p.costs["node.delete"][v]
			continue
		}
		image[w] = true
		total += p.costs["node.substitute"][v*p.n[1]+w]
	}
	for w, taken := range image {
		if !taken {
			total += p.costs["node.insert"][w]
		}
	}
	edges := len(p.ends[1]) / 2
	used := make([]bool, edges)
	for g := range len(p.ends[0]) / 2 {
		least := p.costs["edge.delete"][g]
		x, y := m[p.ends[0][2*g]], m[p.ends[0][2*g+1]]
		for h := range edges {
			a, b := int(p.ends[1][2*h]), int(p.ends[1][2*h+1])
			if x >= 0 && y >= 0 && (x == a && y == b || !p.directed && x == b && y == a) {
				used[h] = true
				least = min(p.costs["edge.substitute"][g*edges+h], least+p.costs["edge.insert"][h])
			}
		}
		total += least
	}
	for h, done := range used {
		if !done {
			total += p.costs["edge.insert"][h]
		}
	}
	return total
}

// best enumerates all node maps.
func (p randomPair) best() (least float64, maps map[string]bool) {
	costs := make(map[string]float64)
	least = math.Inf(1)
	used := make([]bool, p.n[1])
	var m []int
	var from func()
	from = func() {
		if len(m) == p.n[0] {
			if p.roots != nil && m[p.roots[0]] != p.roots[1] {
				return
			}
			costs[fmt.Sprint(m)] = p.mapCost(m)
			least = min(least, p.mapCost(m))
			return
		}
		for w := -1; w < p.n[1]; w++ {
			if w >= 0 && used[w] {
				continue
			}
			m = append(m, w)
			if w >= 0 {
				used[w] = true
			}
			from()
			if w >= 0 {
				used[w] = false
			}
			m = m[:len(m)-1]
		}
	}
	from()
	maps = make(map[string]bool)
	for text, cost := range costs {
		if cost < least+1e-7 {
			maps[text] = true
		}
	}
	return least, maps
}

func (p randomPair) arrays() []numbers {
	e, f := len(p.ends[0])/2, len(p.ends[1])/2
	shapes := map[string][]int{
		"node.substitute": {p.n[0], p.n[1]}, "node.delete": {p.n[0]}, "node.insert": {p.n[1]},
		"edge.substitute": {e, f}, "edge.delete": {e}, "edge.insert": {f},
	}
	list := []numbers{{"query.ends", p.ends[0], []int{e, 2}}, {"target.ends", p.ends[1], []int{f, 2}}}
	for name, values := range p.costs {
		list = append(list, numbers{name, values, shapes[name]})
	}
	return list
}

// TestMatchedAgainstAllMaps compares with the definition: distances, all optimal
// maps, and bounds from above.
func TestMatchedAgainstAllMaps(t *testing.T) {
	c := newClient(t)
	for seed := range uint64(400) {
		p := newRandomPair(rand.New(rand.NewPCG(seed, 0)))
		least, maps := p.best()
		args := map[string]any{"nodes": p.n, "directed": p.directed, "all": true}
		if p.roots != nil {
			args["roots"] = p.roots
		}
		r := c.ask("matched", args, p.arrays()...)
		var got struct{ Lower, Upper float64 }
		if err := json.Unmarshal(r.Result, &got); err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Lower-least) > 1e-7 || math.Abs(got.Upper-least) > 1e-7 {
			t.Fatalf("seed %d: bounds %v to %v, want %v of %+v", seed, got.Lower, got.Upper, least, p)
		}
		x := r.arrays["maps"]
		flat, err := r.arrays.ints("maps", 2)
		if err != nil {
			t.Fatal(err)
		}
		if x.shape[0] != len(maps) {
			t.Fatalf("seed %d: %d optimal maps, want %d of %+v", seed, x.shape[0], len(maps), p)
		}
		for i := range x.shape[0] {
			m := make([]int, p.n[0])
			for v := range m {
				m[v] = int(flat[i*p.n[0]+v])
			}
			if !maps[fmt.Sprint(m)] {
				t.Fatalf("seed %d: map %v is not optimal", seed, m)
			}
		}
		args["all"] = false
		for _, upper := range []float64{least - 0.01, least, least + 1} {
			args["upper"] = upper
			r := c.ask("matched", args, p.arrays()...)
			if found := r.arrays["maps"].shape[0]; (found == 1) != (upper >= least) {
				t.Fatalf("seed %d: %d maps within %v of %v", seed, found, upper, least)
			}
		}
	}
}
