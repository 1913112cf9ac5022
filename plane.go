package greed

import (
	"context"
	"fmt"
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/live"
)

// Plane is a collection in two dimensions. Points are near each other if the vectors of
// their graphs are, as far as a plane can show it.
type Plane struct {
	IDs    []string  `json:"ids"`
	Points []float32 `json:"points" doc:"x and y of each graph, one after the other"`
	// Shown is how many of the graphs are on the map: a sample of large collections.
	Shown    int        `json:"shown"`
	Of       int        `json:"of"`
	Variance [2]float64 `json:"variance" doc:"${plane_variance}"`

	across [2][]float32
	mean   [2]float64 // of the vectors, in these directions
}

// mostPoints is how many graphs a plane shows at most.
const mostPoints = 100_000

// Plane returns the collection in the plane in which the vectors of its model for a task vary most. The
// error wraps [ErrNoModel], or is the context's.
func (c *Collection) Plane(ctx context.Context, task Task) (*Plane, error) {
	p := &Plane{IDs: []string{}, Points: []float32{}, Of: c.Len()}
	dim, err := c.spread(ctx, task, mostPoints, func(in *live.State, positions []int32, row func(int) []float32) {
		p.fit(func(i int) []float32 { return row(int(positions[i])) }, len(positions))
		p.IDs, p.Points = make([]string, len(positions)), make([]float32, 0, 2*len(positions))
		for i, at := range positions {
			xy := p.Project(row(int(at)))
			p.IDs[i], p.Points = in.ID(int(at)), append(p.Points, xy[0], xy[1])
		}
	})
	if err == nil && dim == 0 {
		err = fmt.Errorf("%w for %v", ErrNoModel, task)
	}
	if err != nil {
		return nil, err
	}
	p.Shown = len(p.IDs)
	return p, nil
}

// Project returns where a vector is in the plane. Without graphs there is only its origin.
func (p *Plane) Project(z []float32) (xy [2]float32) {
	for k, direction := range p.across {
		if direction != nil {
			xy[k] = float32(kernel.Best().Dot(z, direction) - p.mean[k])
		}
	}
	return xy
}

// fit finds the two directions in which n vectors vary most: the first principal components, by power iteration on the
// covariance from a fixed start.
func (p *Plane) fit(row func(i int) []float32, n int) {
	dim := len(row(0))
	mean, covariance := covarianceOf(row, n)
	var across [2][]float64
	for k := range across {
		direction := make([]float64, dim)
		for i := range direction {
			direction[i] = 1 / math.Sqrt(float64(dim)) * float64(1-2*(i&k))
		}
		for range powerSteps {
			next := make([]float64, dim)
			for i := range next {
				for j, d := range direction {
					next[i] += covariance[i*dim+j] * d
				}
			}
			for _, other := range across[:k] {
				subtract(next, other, dot(next, other))
			}
			length := math.Sqrt(dot(next, next))
			if length == 0 {
				break // they vary in no other direction
			}
			for i := range next {
				next[i] /= length
			}
			direction = next
		}
		across[k] = direction
		p.mean[k] = 0
		for i, x := range direction {
			p.across[k] = append(p.across[k], float32(x))
			p.mean[k] += mean[i] * float64(float32(x))
		}
	}
	all := 0.0
	for i := range dim {
		all += covariance[i*dim+i]
	}
	for k, direction := range across {
		along := 0.0
		for i, x := range direction {
			along += x * dot(covariance[i*dim:(i+1)*dim], direction)
		}
		if all > 0 {
			p.Variance[k] = along / all
		}
	}
}

const powerSteps = 100

// covarianceRows is how many products are added up in float32.
const covarianceRows = 256

// covarianceOf returns the mean of n vectors, and n times their covariance, [dim, dim].
func covarianceOf(row func(i int) []float32, n int) (mean, sums []float64) {
	ops, first := kernel.Best(), row(0)
	dim := len(first)
	mean, sums = make([]float64, dim), make([]float64, dim*dim)
	// Of each vector less the first, so that little cancels, and with a 1 after it, which adds them up.
	stride := (dim + kernel.Lane) / kernel.Lane * kernel.Lane
	block, product := make([]float32, covarianceRows*stride), make([]float32, (dim+1)*stride)
	for from := 0; from < n; from += covarianceRows {
		rows := min(covarianceRows, n-from)
		for r := range rows {
			own := block[r*stride : r*stride+dim+1]
			copy(own, row(from+r))
			ops.Axpy(own[:dim], -1, first)
			own[dim] = 1
		}
		in := kernel.Matrix{Data: block, Stride: stride}
		ops.Gemm(&kernel.Product{M: dim + 1, N: stride, K: rows, A: in, TransposeA: true, B: in,
			C: kernel.Matrix{Data: product, Stride: stride}})
		for i := range dim {
			mean[i] += float64(product[dim*stride+i]) / float64(n)
			for j, x := range product[i*stride : i*stride+dim] {
				sums[i*dim+j] += float64(x)
			}
		}
	}
	for i, x := range mean {
		for j, y := range mean {
			sums[i*dim+j] -= float64(n) * x * y
		}
	}
	for i, x := range first {
		mean[i] += float64(x)
	}
	return mean, sums
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func subtract(dst, a []float64, times float64) {
	for i, x := range a {
		dst[i] -= times * x
	}
}
