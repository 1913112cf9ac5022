package greed

import (
	"context"
	"fmt"
	"math"
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

	mean   []float64
	across [2][]float64
}

// mostPoints is how many graphs a plane shows at most.
const mostPoints = 100_000

// Plane returns the collection in the plane in which the vectors of its model for a task vary most. The
// error wraps [ErrNoModel], or is the context's.
func (c *Collection) Plane(ctx context.Context, task Task) (*Plane, error) {
	ids, vectors, dim, err := c.Sample(ctx, task, mostPoints)
	switch {
	case err != nil:
		return nil, err
	case dim == 0:
		return nil, fmt.Errorf("%w for %v", ErrNoModel, task)
	}
	p := &Plane{IDs: append([]string{}, ids...), Shown: len(ids), Of: c.Len(), Points: make([]float32, 0, 2*len(ids))}
	p.fit(vectors, dim)
	for at := 0; at < len(vectors); at += dim {
		xy := p.Project(vectors[at : at+dim])
		p.Points = append(p.Points, xy[0], xy[1])
	}
	return p, nil
}

// Project returns where a vector is in the plane.
func (p *Plane) Project(z []float32) (xy [2]float32) {
	for k, direction := range p.across {
		sum := 0.0
		for i, x := range z {
			sum += (float64(x) - p.mean[i]) * direction[i]
		}
		xy[k] = float32(sum)
	}
	return xy
}

// fit finds the two directions in which vectors, [n, dim], vary most: the first
// principal components, by power iteration on the covariance from a fixed start.
func (p *Plane) fit(vectors []float32, dim int) {
	p.mean = make([]float64, dim)
	n := float64(max(1, len(vectors)/max(1, dim)))
	for i, x := range vectors {
		p.mean[i%dim] += float64(x) / n
	}
	covariance := make([]float64, dim*dim)
	row := make([]float64, dim)
	for at := 0; at < len(vectors); at += dim {
		for i := range row {
			row[i] = float64(vectors[at+i]) - p.mean[i]
		}
		for i, x := range row {
			for j, y := range row[:i+1] {
				covariance[i*dim+j] += x * y
			}
		}
	}
	for i := range dim {
		for j := range i {
			covariance[j*dim+i] = covariance[i*dim+j]
		}
	}
	for k := range p.across {
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
			for _, other := range p.across[:k] {
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
		p.across[k] = direction
	}
	all := 0.0
	for i := range dim {
		all += covariance[i*dim+i]
	}
	for k, direction := range p.across {
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
