package edit

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestTransport compares the cheapest transport with all ways to carry one piece after another.
func TestTransport(t *testing.T) {
	r := rand.New(rand.NewPCG(58, 4))
	for trial := range 3000 {
		n, m := 1+r.IntN(3), 1+r.IntN(4)
		supply, demand := make([]int, n), make([]int, m)
		for range 1 + r.IntN(5) { // no more is carried than there is room for
			supply[r.IntN(n)]++
			demand[r.IntN(m)]++
		}
		demand[r.IntN(m)] += r.IntN(3)
		cost := make([]float64, n*m)
		for k := range cost {
			cost[k] = float64(r.IntN(9)-4) + float64(r.IntN(2))*r.Float64()
		}
		flow := transport(cost, supply, demand)
		total := 0.0
		for i := range n {
			for j := range m {
				if flow[i*m+j] < 0 {
					t.Fatalf("trial %d: flow %v", trial, flow)
				}
				total += float64(flow[i*m+j]) * cost[i*m+j]
			}
		}
		for i := range n {
			sum := 0
			for j := range m {
				sum += flow[i*m+j]
			}
			if sum != supply[i] {
				t.Fatalf("trial %d: %d of %d leave", trial, sum, supply[i])
			}
		}
		for j := range m {
			sum := 0
			for i := range n {
				sum += flow[i*m+j]
			}
			if sum > demand[j] {
				t.Fatalf("trial %d: %d arrive, %d may", trial, sum, demand[j])
			}
		}
		var least func(i, left int) float64
		least = func(i, left int) float64 {
			for i < n && left == 0 {
				if i++; i < n {
					left = supply[i]
				}
			}
			if i == n {
				return 0
			}
			best := math.Inf(1)
			for j := range m {
				if demand[j] > 0 {
					demand[j]--
					best = min(best, cost[i*m+j]+least(i, left-1))
					demand[j]++
				}
			}
			return best
		}
		if want := least(0, supply[0]); math.Abs(total-want) > 1e-9 {
			t.Fatalf("trial %d: %v, want %v\ncost %v, supply %v, demand %v, flow %v", trial, total, want, cost, supply, demand, flow)
		}
	}
}

// TestMostMatched: what a table could not match in time is refused, and weights match any number.
func TestMostMatched(t *testing.T) {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	b.AddNode("A")
	for k := range mostMatched + 1 {
		if err := b.AddEdge(0, 0, strconv.Itoa(k)); err != nil {
			t.Fatal(err)
		}
	}
	g := b.MustBuild()
	c := Uniform()
	if p, err := Price(GED, c, g, g); err != nil || InducedCost(p, g, g, NodeMap{0}) != 0 || InducedCost(p, g, g, NodeMap{Deleted}) != 2*(mostMatched+2) {
		t.Errorf("weights: %v", err)
	}
	c.Edges = &Table{Default: &Default{Insert: 1, Delete: 1, Substitute: 1}}
	if _, err := Price(GED, c, g, g); !errors.Is(err, ErrCosts) {
		t.Errorf("error %v, want ErrCosts", err)
	}
}
