package vectorindex

import (
	"context"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/norm"
)

// Joined presents several indexes as one: the positions of each follow those of
// the one before. It adds vectors to an index that is slow to build, by a small
// index beside it.
type Joined struct {
	norm  norm.Norm
	parts []Index
	start []int // the position of the first vector of each part, and the end
}

// Join joins indexes, of which there is one at least. It panics if their norms
// differ.
func Join(parts ...Index) *Joined {
	j := &Joined{norm: parts[0].Norm(), parts: slices.Clone(parts), start: []int{0}}
	for i, p := range parts {
		if !p.Norm().Equal(j.norm) {
			panic(fmt.Sprintf("vectorindex: join of norms %v and %v", j.norm, p.Norm()))
		}
		j.start = append(j.start, j.start[i]+p.Len())
	}
	return j
}

// Norm returns the distance.
func (j *Joined) Norm() norm.Norm { return j.norm }

// Len returns the number of vectors of all parts.
func (j *Joined) Len() int { return j.start[len(j.parts)] }

// KNN returns the k nearest vectors of each query.
func (j *Joined) KNN(ctx context.Context, queries []Query, k int) ([]Result, error) {
	results, err := j.ask(queries, func(p Index, q []Query) ([]Result, error) { return p.KNN(ctx, q, k) })
	for i := range results {
		results[i].Hits = results[i].Hits[:max(0, min(k, len(results[i].Hits)))]
	}
	return results, err
}

// Range returns the vectors within theta of each query.
func (j *Joined) Range(ctx context.Context, queries []Query, theta float64) ([]Result, error) {
	if err := checkTheta(theta); err != nil {
		return nil, err
	}
	return j.ask(queries, func(p Index, q []Query) ([]Result, error) { return p.Range(ctx, q, theta) })
}

// ask merges the answers of all parts.
func (j *Joined) ask(queries []Query, f func(Index, []Query) ([]Result, error)) ([]Result, error) {
	merged := make([]Result, len(queries))
	own := make([]Query, len(queries))
	for i, p := range j.parts {
		start := j.start[i]
		for k, q := range queries {
			own[k] = q
			if q.Accept != nil {
				own[k].Accept = func(position int) bool { return q.Accept(start + position) }
			}
		}
		results, err := f(p, own)
		if err != nil {
			return nil, err
		}
		for k, r := range results {
			m := &merged[k]
			for _, h := range r.Hits {
				m.Hits = append(m.Hits, Hit{start + h.Position, h.Distance})
			}
		}
	}
	for k := range merged {
		slices.SortFunc(merged[k].Hits, compareHits)
	}
	return merged, nil
}

// Check checks all parts.
func (j *Joined) Check() error {
	for i, p := range j.parts {
		if err := p.Check(); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}
