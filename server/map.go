package server

import (
	"context"
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
)

// Map is a collection in two dimensions. Points are near each other if the vectors of
// their graphs are, as far as a plane can show it.
type Map struct {
	IDs    []string  `json:"ids"`
	Points []float32 `json:"points" doc:"x and y of each graph, one after the other"`
	// Shown is how many of the graphs are on the map: a sample of large collections.
	Shown    int        `json:"shown"`
	Of       int        `json:"of"`
	Variance [2]float64 `json:"variance" doc:"The share of the variance of the vectors that each axis shows, from 0 to 1"`
}

// mapPoints is how many graphs a map shows at most.
const mapPoints = 100_000

type mapInput struct {
	CollectionPath
	Task string `query:"task" enum:"ged,sed" default:"ged"`
}

func (s *Server) registerMap(api huma.API) {
	ofCollection(s, api, huma.Operation{
		OperationID: "getMap", Method: http.MethodGet, Path: "/v1/collections/{name}/map", Summary: "The collection's vectors in two dimensions", Tags: []string{"collections"},
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, sh *hosted, in *mapInput) (*Map, error) {
		task, err := sh.task(in.Task)
		if err != nil {
			return nil, err
		}
		p, err := sh.projection(ctx, task)
		if err != nil {
			return nil, err
		}
		return &p.Map, nil
	})
}

// projection is a map with the directions that it shows.
type projection struct {
	Map
	mean   []float64
	across [2][]float64
}

// projection returns the map of the collection for a task.
func (s *hosted) projection(ctx context.Context, task greed.Task) (*projection, error) {
	return s.maps[task].get(ctx, s, func() (*projection, error) {
		ids, vectors, dim, err := s.Collection.Sample(ctx, task, mapPoints)
		if err != nil {
			return nil, err
		}
		p := &projection{Map: Map{IDs: append([]string{}, ids...), Shown: len(ids), Of: s.Collection.Len()}}
		p.fit(vectors, dim)
		p.Points = make([]float32, 0, 2*len(ids))
		for at := 0; at < len(vectors); at += dim {
			xy := p.project(vectors[at : at+dim])
			p.Points = append(p.Points, xy[0], xy[1])
		}
		return p, nil
	})
}

// fit finds the two directions in which vectors, [n, dim], vary most: the first
// principal components, by power iteration on the covariance from a fixed start.
func (p *projection) fit(vectors []float32, dim int) {
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

// project returns the position of a vector on the map.
func (p *projection) project(z []float32) (xy [2]float32) {
	for k, direction := range p.across {
		sum := 0.0
		for i, x := range z {
			sum += (float64(x) - p.mean[i]) * direction[i]
		}
		xy[k] = float32(sum)
	}
	return xy
}
