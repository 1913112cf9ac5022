package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/greedgraph/greed"
)

// NearestOptions say what [Nearest] measures.
type NearestOptions struct {
	Collection string // as [greed.Open] opens it
	Queries    int    // members of it
	Skip       int    // members that are passed over first
	K          int
	NoModel    bool          // search without the models of the collection
	Time       time.Duration // of a proven search
	Cut        time.Duration // of a search that is cut short; 0: none is
	Query      func(NearestQuery)
}

// NearestQuery is what [Nearest] measured of one query.
type NearestQuery struct {
	ID      string  `json:"id"`
	Nodes   int     `json:"nodes"`
	Last    float64 `json:"last"` // upper bound of the farthest answer
	Seconds float64 `json:"seconds"`
	Proven  bool    `json:"proven"`
	Found   int     `json:"found"` // answers that the search cut short has, too
}

// NearestRow is what [Nearest] measured of all queries.
type NearestRow struct {
	Graphs  int `json:"graphs"`
	Queries int `json:"queries"`
	Proven  int `json:"proven"`
	// Seconds of processor time of a query.
	Mean     float64 `json:"mean"`
	Median   float64 `json:"median"`
	P95      float64 `json:"p95"`
	Greatest float64 `json:"greatest"`
	// InTime counts the proven queries for which the search cut short has all answers with their distances.
	InTime  int     `json:"in_time"`
	CutMean float64 `json:"cut_mean"` // seconds of processor time of a search cut short
	// Digest is a hash of the answers' ids and bounds and of what is proven.
	Digest string `json:"digest"`
}

// Nearest searches for the nearest of members of a collection, which are left out themselves, with one worker.
// Members are taken in an order that is drawn once and for all.
func Nearest(ctx context.Context, o NearestOptions) (r NearestRow, err error) {
	c, err := greed.Open(ctx, greed.Source{Path: o.Collection})
	if err != nil {
		return r, err
	}
	defer c.Close()
	r.Graphs = c.Len()
	order := newRand(40).Perm(r.Graphs)
	order = order[min(o.Skip, len(order)):]
	order = order[:min(o.Queries, len(order))]
	r.Queries = len(order)
	var times []time.Duration
	var all []*greed.Found
	var cutTime time.Duration
	for _, i := range order {
		q := c.Record(i)
		opt := greed.Options{Task: greed.GED, K: o.K, NoModel: o.NoModel, Time: o.Time, Workers: 1,
			Accept: func(position int) bool { return position != i }}
		begin := processorTime()
		found, err := c.Search(ctx, q.Graph, opt)
		if err != nil {
			return r, fmt.Errorf("%s: %w", q.ID, err)
		}
		spent := processorTime() - begin
		times, all = append(times, spent), append(all, found)
		one := NearestQuery{ID: q.ID, Nodes: q.Graph.N(), Seconds: spent.Seconds(), Proven: found.Certified}
		if n := len(found.Answers); n > 0 {
			one.Last = *found.Answers[n-1].Upper
		}
		if o.Cut > 0 {
			opt.Time = o.Cut
			begin = processorTime()
			early, err := c.Search(ctx, q.Graph, opt)
			if err != nil {
				return r, fmt.Errorf("%s: %w", q.ID, err)
			}
			cutTime += processorTime() - begin
			one.Found = sameDistances(found, early)
		}
		if one.Proven {
			r.Proven++
			if one.Found == len(found.Answers) {
				r.InTime++
			}
		}
		if o.Query != nil {
			o.Query(one)
		}
	}
	r.Mean, r.Median = mean(times).Seconds(), quantile(times, .5).Seconds()
	r.P95, r.Greatest = quantile(times, .95).Seconds(), quantile(times, 1).Seconds()
	r.CutMean = cutTime.Seconds() / float64(max(1, len(times)))
	_, r.Digest, err = digest(all, false)
	return r, err
}

// sameDistances returns how many answers of a proven search have the upper bound of the answer at their place in
// another. Any of several equally near graphs counts.
func sameDistances(proven, other *greed.Found) (same int) {
	for i := range min(len(proven.Answers), len(other.Answers)) {
		if *proven.Answers[i].Upper == *other.Answers[i].Upper {
			same++
		}
	}
	return same
}
