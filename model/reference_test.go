package model_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/internal/safetensors"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
)

// reference computes what docs/formats.md says from the tensors of a file, node
// by node in float64.
type reference struct {
	config   model.Config
	directed bool
	tensors  map[string]safetensors.Tensor
}

func newReference(t *testing.T, m *model.Model) reference {
	t.Helper()
	var buf bytes.Buffer
	if err := m.Write(&buf); err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Parse(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	r := reference{m.Metadata().Config, m.Metadata().Training.Directed, make(map[string]safetensors.Tensor)}
	for _, x := range f.Tensors {
		r.tensors[x.Name] = x
	}
	return r
}

type vector []float64

// of returns the vector or the first row of the tensor.
func (r reference) of(name string) vector { return r.row(name, 0) }

func (r reference) row(name string, i int) vector {
	x := r.tensors[name]
	c := x.Shape[len(x.Shape)-1]
	var row vector
	for _, a := range x.Data[i*c : (i+1)*c] {
		row = append(row, float64(a))
	}
	return row
}

func (r reference) linear(name string, x vector) vector {
	y := r.of(name + ".bias")
	for i := range y {
		y[i] += dot(r.row(name+".weight", i), x)
	}
	return y
}

func dot(a, b vector) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func plus(a vector, scale float64, b vector) vector {
	c := slices.Clone(a)
	for i, x := range b {
		c[i] += scale * x
	}
	return c
}

func relu(a vector) vector {
	b := slices.Clone(a)
	for i, x := range b {
		b[i] = max(0, x)
	}
	return b
}

// neighbour is one arc into a node: the other end and the row of its label.
type neighbour struct{ u, edge int }

// neighbours returns the arcs into v: all, or those of one way.
func (r reference) neighbours(g *graph.Graph, v int, way string) (list []neighbour) {
	if way != "against." {
		for _, a := range g.Out(v) {
			edge := int(a.Label)
			if r.directed {
				edge *= 2
			}
			list = append(list, neighbour{int(a.To), edge})
		}
	}
	if r.directed && way != "along." {
		for _, a := range g.In(v) {
			list = append(list, neighbour{int(a.To), 2*int(a.Label) + 1})
		}
	}
	return list
}

func (r reference) embed(g *graph.Graph) vector {
	z := r.direct(g)
	if len(z) == r.config.Norm.Dim() {
		return z
	}
	var pool vector
	if r.config.Layers > 0 {
		states := r.states(g)
		pool = make(vector, len(states[0]))
		for _, x := range states {
			pool = plus(pool, 1, x)
		}
	}
	pool = append(pool, r.counts(g)...)
	learnt := r.linear("post.2", relu(r.linear("post.0", pool)))
	if r.config.Skip {
		learnt = plus(learnt, 1, r.linear("skip", pool))
	}
	return append(learnt, z...)
}

// direct returns the coordinates that are weighted sums of counts.
func (r reference) direct(g *graph.Graph) vector {
	z := make(vector, r.config.Direct)
	counts := r.counts(g)
	for i := range z {
		z[i] = dot(counts, r.row("direct.weight", i))
	}
	return z
}

// states returns the states of the nodes in all rounds, side by side.
func (r reference) states(g *graph.Graph) []vector {
	x := make([]vector, g.N())
	for v := range x {
		x[v] = r.row("pre.weight", int(g.Label(v)))
	}
	if r.config.Features {
		shortest, edges := graphtest.Cycles(g)
		for v := range x {
			x[v] = plus(x[v], 1, r.row("pre.degree.weight", len(r.neighbours(g, v, ""))))
			x[v] = plus(x[v], 1, r.row("pre.cycle.weight", min(max(0, shortest[v]-2), 7)))
			x[v] = plus(x[v], 1, r.row("pre.cycle_edges.weight", min(edges[v], 7)))
		}
	}
	states := slices.Clone(x)
	residual := x
	for i := range r.config.Layers {
		x = r.layer("layers."+string(rune('0'+i))+".", g, x)
		if i%2 == 1 {
			for v := range x {
				x[v] = plus(x[v], 1, residual[v])
			}
			residual = slices.Clone(x)
		}
		for v := range x {
			x[v] = relu(x[v])
			states[v] = append(slices.Clone(states[v]), x[v]...)
		}
	}
	return states
}

// counts returns the counts of the tallies, and zeros up to a multiple of 16.
func (r reference) counts(g *graph.Graph) (counts vector) {
	for _, x := range r.config.Counts {
		values := make([]int, g.N())
		switch x.Statistic {
		case nn.StatTowards, nn.StatEdge:
			for v := range values {
				for _, n := range r.neighbours(g, v, "") {
					// The labels of edges are seen by GINE, and directions there or apart.
					edge := n.edge
					switch {
					case r.config.Conv != model.GINE && r.config.Apart:
						edge %= 2
					case r.config.Conv != model.GINE:
						edge = 0
					}
					forward := v < n.u
					if r.directed && (r.config.Conv == model.GINE || r.config.Apart) {
						forward = n.edge%2 == 0
					}
					ends := int32(g.Label(v)) == x.Label && int32(g.Label(n.u)) == x.Other
					if !r.directed || r.config.Conv != model.GINE && !r.config.Apart {
						ends = ends || int32(g.Label(v)) == x.Other && int32(g.Label(n.u)) == x.Label
					}
					if x.Statistic == nn.StatTowards && int32(edge) == x.Edge && int32(g.Label(n.u)) == x.Other ||
						x.Statistic == nn.StatEdge && int32(edge) == x.Edge && forward && (x.Other == 0 || ends) {
						values[v]++
					}
				}
			}
		default:
			values = graphtest.Statistic(g, string(x.Statistic))
		}
		for k, most := range x.Caps {
			count := 0
			for v, value := range values {
				switch {
				case x.Statistic == nn.StatEdge:
					count += value
				case value > k && (x.Label == 0 || int32(g.Label(v)) == x.Label):
					count++
				}
			}
			counts = append(counts, float64(min(count, int(most))))
		}
	}
	return append(counts, make(vector, (16-len(counts)%16)%16)...)
}

func (r reference) layer(name string, g *graph.Graph, x []vector) []vector {
	ways := []string{""}
	if r.config.Apart {
		ways = []string{"along.", "against."}
	}
	out := make([]vector, len(x))
	for v := range x {
		var in vector
		for _, way := range ways {
			in = append(in, r.gather(name, g, x, v, way)...)
		}
		out[v] = r.linear(name+"mlp.2", relu(r.linear(name+"mlp.0", in)))
	}
	return out
}

func (r reference) gather(name string, g *graph.Graph, x []vector, v int, way string) vector {
	sum := make(vector, len(x[v]))
	for _, n := range r.neighbours(g, v, way) {
		if r.config.Conv == model.GINE {
			sum = plus(sum, 1, relu(plus(x[n.u], 1, r.row(name+"edge.weight", n.edge))))
		} else {
			sum = plus(sum, 1, x[n.u])
		}
	}
	return plus(sum, 1+r.of(name + way + "eps")[0], x[v])
}

func (r reference) distance(m *model.Model, q, t *graph.Graph) float64 {
	return m.Norm().Distance(single(r.embed(q)), single(r.embed(t)))
}

func single(z vector) (f []float32) {
	for _, x := range z {
		f = append(f, float32(x))
	}
	return f
}

// TestFilesSayWhatModelsDo: a plain reading of docs/formats.md gives the same
// distances, for every kind of model.
func TestFilesSayWhatModelsDo(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		r := newReference(t, m)
		for range sweep.Trials(20) {
			q, x := draw(), draw()
			want := r.distance(m, q, x)
			if got := predict(t, m.WithLevel(kernel.Generic), q, x); math.Abs(got-want) > 1e-4*(1+want) {
				t.Fatalf("predicts %v, the file says %v", got, want)
			}
		}
	})
}
