package model_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/graphtest"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/internal/safetensors"
	"github.com/greedgraph/greed/internal/sweep"
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

func softmax(a []float64) []float64 {
	sum := 0.0
	b := make([]float64, len(a))
	for i, x := range a {
		b[i] = math.Exp(x)
		sum += b[i]
	}
	for i := range b {
		b[i] /= sum
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

func (r reference) embed(prefix string, g *graph.Graph) vector {
	z := r.direct(prefix, g)
	if len(z) == r.config.Norm.Dim() {
		return z
	}
	var pool vector
	if r.config.Layers > 0 {
		pool = r.pool(prefix, r.states(prefix, g))
	}
	pool = append(pool, r.counts(g)...)
	learnt := r.linear(prefix+"post.2", relu(r.linear(prefix+"post.0", pool)))
	if r.config.Skip {
		learnt = plus(learnt, 1, r.linear(prefix+"skip", pool))
	}
	return append(learnt, z...)
}

// direct returns the coordinates that are weighted sums of counts.
func (r reference) direct(prefix string, g *graph.Graph) vector {
	z := make(vector, r.config.Direct)
	counts := r.counts(g)
	for i := range z {
		z[i] = dot(counts, r.row(prefix+"direct.weight", i))
	}
	return z
}

// states returns the states of the nodes in all rounds, side by side.
func (r reference) states(prefix string, g *graph.Graph) []vector {
	x := make([]vector, g.N())
	for v := range x {
		if row := int(g.Label(v)); !r.config.NoPre {
			x[v] = r.row(prefix+"pre.weight", row)
		} else {
			x[v] = make(vector, len(r.of(prefix+"pre.unknown")))
			x[v][row] = 1
		}
	}
	if r.config.Features {
		shortest, edges := graphtest.Cycles(g)
		for v := range x {
			x[v] = plus(x[v], 1, r.row(prefix+"pre.degree.weight", len(r.neighbours(g, v, ""))))
			x[v] = plus(x[v], 1, r.row(prefix+"pre.cycle.weight", min(max(0, shortest[v]-2), 7)))
			x[v] = plus(x[v], 1, r.row(prefix+"pre.cycle_edges.weight", min(edges[v], 7)))
		}
	}
	states := slices.Clone(x)
	residual := x
	if r.config.NoPre {
		residual = nil
	}
	for i := range r.config.Layers {
		x = r.layer(prefix+"layers."+string(rune('0'+i))+".", g, x)
		if i%2 == 1 {
			for v := range x {
				if residual != nil {
					x[v] = plus(x[v], 1, residual[v])
				}
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
		if r.config.Conv == model.SAGE {
			in = slices.Clone(x[v])
		}
		for _, way := range ways {
			if r.config.Conv == model.GAT {
				out[v] = plus(r.attend(name+way, g, x, v, way), 1, out[v])
			} else {
				in = append(in, r.gather(name, g, x, v, way)...)
			}
		}
		switch r.config.Conv {
		case model.GIN, model.GINE:
			out[v] = r.linear(name+"mlp.2", relu(r.linear(name+"mlp.0", in)))
		case model.GCN, model.SAGE:
			out[v] = r.linear(name+"linear", in)
		}
	}
	return out
}

func (r reference) gather(name string, g *graph.Graph, x []vector, v int, way string) vector {
	list := r.neighbours(g, v, way)
	sum := make(vector, len(x[v]))
	opposite := map[string]string{"": "", "along.": "against.", "against.": "along."}[way]
	for _, n := range list {
		switch r.config.Conv {
		case model.GINE:
			sum = plus(sum, 1, relu(plus(x[n.u], 1, r.row(name+"edge.weight", n.edge))))
		case model.GCN:
			sum = plus(sum, 1/math.Sqrt(float64((1+len(list))*(1+len(r.neighbours(g, n.u, opposite))))), x[n.u])
		case model.SAGE:
			sum = plus(sum, 1/float64(len(list)), x[n.u])
		default:
			sum = plus(sum, 1, x[n.u])
		}
	}
	switch r.config.Conv {
	case model.GIN, model.GINE:
		sum = plus(sum, 1+r.of(name + way + "eps")[0], x[v])
	case model.GCN:
		sum = plus(sum, 1/math.Sqrt(float64((1+len(list))*(1+len(r.neighbours(g, v, opposite))))), x[v])
	}
	return sum
}

func (r reference) attend(name string, g *graph.Graph, x []vector, v int, way string) vector {
	ends := []int{v}
	for _, n := range r.neighbours(g, v, way) {
		ends = append(ends, n.u)
	}
	own := dot(r.of(name+"to"), r.linear(name+"linear", x[v]))
	var scores []float64
	for _, u := range ends {
		s := own + dot(r.of(name+"from"), r.linear(name+"linear", x[u]))
		scores = append(scores, max(s, 0.2*s))
	}
	sum := make(vector, r.config.Hidden)
	for i, alpha := range softmax(scores) {
		sum = plus(sum, alpha, r.linear(name+"linear", x[ends[i]]))
	}
	return sum
}

func (r reference) pool(prefix string, states []vector) vector {
	weight := make([]float64, len(states))
	for v, x := range states {
		weight[v] = 1
		if r.config.Pool == model.AttentionPool {
			weight[v] = dot(r.of(prefix+"pool"), x)
		}
	}
	switch r.config.Pool {
	case model.MeanPool:
		for v := range weight {
			weight[v] /= float64(len(states))
		}
	case model.AttentionPool:
		weight = softmax(weight)
	case model.MaxPool:
		greatest := slices.Clone(states[0])
		for _, x := range states {
			for j := range x {
				greatest[j] = max(greatest[j], x[j])
			}
		}
		return greatest
	}
	sum := make(vector, len(states[0]))
	for v, x := range states {
		sum = plus(sum, weight[v], x)
	}
	return sum
}

func (r reference) distance(m *model.Model, q, t *graph.Graph) float64 {
	prefix := ""
	if r.config.Dual {
		prefix = "target."
	}
	zq, zt := r.embed("", q), r.embed(prefix, t)
	if r.config.Head == model.MLPHead {
		h := relu(r.linear("head.0", append(zq, zt...)))
		return max(0, dot(r.of("head.2.weight"), h)+r.of("head.2.bias")[0])
	}
	return m.Norm().Distance(single(zq), single(zt))
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
