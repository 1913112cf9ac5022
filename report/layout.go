package report

import (
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

// skeleton is a graph without labels and directions.
type skeleton struct {
	n     int
	edges [][2]int
}

// edgesOf returns the edges between the given nodes of g, by the positions of their ends.
func edgesOf(g *graph.Graph, drawn []int) (edges [][2]int) {
	at := make(map[int]int)
	for i, v := range drawn {
		at[v] = i
	}
	for e := range g.Edges() {
		i, ok1 := at[e.From]
		j, ok2 := at[e.To]
		if ok1 && ok2 {
			edges = append(edges, [2]int{i, j})
		}
	}
	return edges
}

const (
	layoutTries = 4
	layoutSteps = 200
)

// layOut returns positions of the nodes, [n], such that distances are about as long as
// shortest paths: the best of some runs of stress majorization (Gansner, Koren and North,
// 2004) from random places, always the same.
func layOut(s skeleton) [][2]float64 {
	want := s.paths()
	var best [][2]float64
	least := math.Inf(1)
	for try := range layoutTries {
		rng := rand.New(rand.NewPCG(uint64(try), 0x51ed270b))
		at := make([][2]float64, s.n)
		size := math.Sqrt(float64(s.n)) + 1
		for i := range at {
			at[i] = [2]float64{size * rng.Float64(), size * rng.Float64()}
		}
		for range layoutSteps {
			relax(at, want)
		}
		if e := stress(at, want); e < least || best == nil {
			best, least = at, e
		}
	}
	return best
}

// paths returns the lengths of shortest paths, [n][n]. Parts that are not connected are a
// little apart.
func (s skeleton) paths() [][]float64 {
	next := make([][]int, s.n)
	for _, e := range s.edges {
		next[e[0]] = append(next[e[0]], e[1])
		next[e[1]] = append(next[e[1]], e[0])
	}
	apart := math.Sqrt(float64(s.n)) + 1
	all := make([][]float64, s.n)
	for i := range all {
		all[i] = make([]float64, s.n)
		for j := range all[i] {
			all[i][j] = apart
		}
		all[i][i] = 0
		queue := []int{i}
		seen := map[int]bool{i: true}
		for len(queue) > 0 {
			v := queue[0]
			queue = queue[1:]
			for _, w := range next[v] {
				if !seen[w] {
					seen[w] = true
					all[i][w] = all[i][v] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	return all
}

// relax moves every node to where the others want it, with weights 1/d².
func relax(at [][2]float64, want [][]float64) {
	for i := range at {
		var x, y, weight float64
		for j := range at {
			if i == j {
				continue
			}
			d := want[i][j]
			w := 1 / (d * d)
			dx, dy := at[i][0]-at[j][0], at[i][1]-at[j][1]
			pull := 0.0
			if length := math.Hypot(dx, dy); length > 1e-9 {
				pull = d / length
			}
			x += w * (at[j][0] + dx*pull)
			y += w * (at[j][1] + dy*pull)
			weight += w
		}
		if weight > 0 {
			at[i] = [2]float64{x / weight, y / weight}
		}
	}
}

func stress(at [][2]float64, want [][]float64) float64 {
	sum := 0.0
	for i := range at {
		for j := range i {
			d := want[i][j]
			e := math.Hypot(at[i][0]-at[j][0], at[i][1]-at[j][1]) - d
			sum += e * e / (d * d)
		}
	}
	return sum
}
