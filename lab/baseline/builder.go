package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// builder adds parameters and remembers how they begin. Widths are padded to what
// the kernels take. Padding begins at zero, and the gradient of a zero that only
// zeros come from and go to is zero, so it stays there: a network of 100 columns is
// one of 100 columns.
type builder struct {
	ps     *nn.Params
	inits  []func(*rand.Rand)
	count  int         // trainable numbers, without padding
	labels []*nn.Param // tables whose row 0 stands for unknown labels
}

// start is how the weights of a map begin.
type start int

const (
	glorot  start = iota // ±√(6/(in+out)), Glorot and Bengio 2010
	uniform              // ±1/√in, the default of PyTorch's Linear, biases too
)

func (b *builder) init(s start, p *nn.Param, fanIn, fanOut int, fill func(draw func() float32)) {
	bound := math.Sqrt(6 / float64(fanIn+fanOut))
	if s == uniform {
		bound = 1 / math.Sqrt(float64(fanIn))
	}
	b.inits = append(b.inits, func(rng *rand.Rand) {
		fill(func() float32 { return float32((2*rng.Float64() - 1) * bound) })
	})
}

// done draws the first values. No parameter may be added afterwards.
func (b *builder) done(rng *rand.Rand) {
	for _, f := range b.inits {
		f(rng)
	}
}

// dense is a linear map and its bias, which may be nil.
type dense struct{ w, b *nn.Param }

// dense adds a map from matrices side by side, of the given widths, to out columns.
func (b *builder) dense(name string, s start, out int, in ...int) dense {
	d := b.matrix(name, s, out, in...)
	d.b = b.ps.Add(name+".b", 1, kernel.Pad(out))
	b.count += out
	if s == uniform {
		fanIn := 0
		for _, n := range in {
			fanIn += n
		}
		b.init(s, d.b, fanIn, out, func(draw func() float32) {
			v := b.ps.Value(d.b)
			for j := range out {
				v[j] = draw()
			}
		})
	}
	return d
}

// matrix is dense without a bias.
func (b *builder) matrix(name string, s start, out int, in ...int) dense {
	rows, fanIn := 0, 0
	for _, n := range in {
		rows += kernel.Pad(n)
		fanIn += n
	}
	w := b.ps.Add(name+".w", rows, kernel.Pad(out))
	b.count += fanIn * out
	b.init(s, w, fanIn, out, func(draw func() float32) {
		v, at := b.ps.Value(w), 0
		for _, n := range in {
			for i := range n {
				row := v[(at+i)*w.Cols:]
				for j := range out {
					row[j] = draw()
				}
			}
			at += kernel.Pad(n)
		}
	})
	return dense{w: w}
}

// bias adds a row of zeros, or of ones.
func (b *builder) bias(name string, width int, value float32) *nn.Param {
	p := b.ps.Add(name, 1, kernel.Pad(width))
	b.count += width
	b.inits = append(b.inits, func(*rand.Rand) {
		for j := range width {
			b.ps.Value(p)[j] = value
		}
	})
	return p
}

// row adds a map to one number, without its bias.
func (b *builder) row(name string, width int) *nn.Param {
	p := b.ps.Add(name, 1, kernel.Pad(width))
	b.count += width
	b.init(glorot, p, width, 1, func(draw func() float32) {
		v := b.ps.Value(p)
		for j := range width {
			v[j] = draw()
		}
	})
	return p
}

// column adds a column of ones.
func (b *builder) column(name string, rows int) *nn.Param {
	p := b.ps.Add(name, rows, 1)
	b.count += rows
	b.inits = append(b.inits, func(*rand.Rand) {
		for i := range rows {
			b.ps.Value(p)[i] = 1
		}
	})
	return p
}

// number adds one number, zero at first.
func (b *builder) number(name string) *nn.Param {
	b.count++
	return b.ps.Add(name, 1, 1)
}

// table adds the map of one-hot vectors: a row for each of rows values. Row 0 of a
// table of labels is for those that were not learnt.
func (b *builder) table(name string, s start, rows, out int, labels bool) *nn.Param {
	p := b.ps.Add(name, rows, kernel.Pad(out))
	first := 0
	if labels {
		first = 1
		b.labels = append(b.labels, p)
	}
	b.count += (rows - first) * out
	b.init(s, p, rows-first, out, func(draw func() float32) {
		v := b.ps.Value(p)
		for i := first; i < rows; i++ {
			for j := range out {
				v[i*p.Cols+j] = draw()
			}
		}
	})
	return p
}

// apply returns x·W + b, or max(0, x·W + b).
func (d dense) apply(t *nn.Tape, x *nn.Var, relu bool) *nn.Var { return t.Linear(x, d.w, d.b, relu) }

// gcn is a stack of graph convolutions (Kipf and Welling 2017), of which the first
// reads labels and, where they are seen, degrees.
type gcn struct {
	labels, degrees *nn.Param
	first           *nn.Param // its bias
	rest            []dense
}

func (b *builder) gcn(name string, s shape, widths ...int) *gcn {
	g := &gcn{labels: b.table(name+".0.labels", glorot, s.Nodes, widths[0], true)}
	if s.Degrees {
		g.degrees = b.table(name+".0.degrees", glorot, nn.Degree.Rows(), widths[0], false)
	}
	g.first = b.bias(name+".0.b", widths[0], 0)
	for i, w := range widths[1:] {
		g.rest = append(g.rest, b.dense(fmt.Sprintf("%s.%d", name, i+1), glorot, w, widths[i]))
	}
	return g
}

// look returns the sum of the rows of the features of each node.
func look(t *nn.Tape, b *nn.Batch, labels, degrees *nn.Param) *nn.Var {
	x := t.Lookup(labels, b.Node)
	if degrees != nil {
		x = t.AddLookup(x, degrees, b.Local[nn.Degree])
	}
	return x
}

// layers returns what every layer makes of the last, before its ReLU; the last one has
// none.
func (g *gcn) layers(t *nn.Tape, b *nn.Batch) []*nn.Var {
	x := ops.GCN(t, look(t, b, g.labels, g.degrees), b)
	all := []*nn.Var{ops.Bias(t, x, g.first, false)}
	for i, d := range g.rest {
		all = append(all, d.apply(t, ops.GCN(t, t.ReLU(all[i]), b), false))
	}
	return all
}

// last returns the states after the last layer.
func (g *gcn) last(t *nn.Tape, b *nn.Batch) *nn.Var {
	all := g.layers(t, b)
	return all[len(all)-1]
}

// attention pools nodes by how much each agrees with the whole graph (SimGNN,
// equation 3).
type attention struct{ w dense }

func (b *builder) attention(name string, width int) attention {
	return attention{b.matrix(name, glorot, width, width)}
}

func (a attention) pool(t *nn.Tape, x *nn.Var, segment []int32) *nn.Var {
	context := ops.Tanh(t, a.w.apply(t, ops.SegmentMean(t, x, segment), false))
	weight := ops.Sigmoid(t, ops.RowDot(t, x, ops.Spread(t, context, segment)))
	return ops.SegmentSum(t, ops.MulColumn(t, x, weight), segment)
}

// tensor is a neural tensor layer (Socher et al. 2013; SimGNN, equation 4).
type tensor struct {
	bilinear dense
	linear   dense
}

func (b *builder) tensor(name string, width, maps int) tensor {
	return tensor{b.matrix(name+".bilinear", glorot, maps*width, width), b.dense(name+".linear", glorot, maps, width, width)}
}

// apply returns max(0, x·Wₖ·y + V·[x; y] + b), [P, maps].
func (n tensor) apply(t *nn.Tape, x, y *nn.Var) *nn.Var {
	both := ops.PartDot(t, n.bilinear.apply(t, x, false), y)
	return t.ReLU(t.Add(both, n.linear.apply(t, t.Concat(x, y), false)))
}

// tower is a stack of linear maps with a ReLU after each, ending in one number.
type tower struct {
	maps []dense
	last dense
}

func (b *builder) tower(name string, s start, widths []int, in ...int) tower {
	var f tower
	for i, w := range widths {
		f.maps = append(f.maps, b.dense(fmt.Sprintf("%s.%d", name, i), s, w, in...))
		in = []int{w}
	}
	f.last = b.dense(fmt.Sprintf("%s.%d", name, len(widths)), s, 1, in...)
	return f
}

// apply returns column 0 of the last map: [R, 16], of which the others are padding.
func (f tower) apply(t *nn.Tape, x *nn.Var) *nn.Var {
	for _, d := range f.maps {
		x = d.apply(t, x, true)
	}
	return f.last.apply(t, x, false)
}
