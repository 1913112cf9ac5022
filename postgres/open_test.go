package postgres_test

import (
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/pgtest"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/searchtest"
)

// TestOpenIsTrue: wherever time interrupts a search, what it says is true of all graphs.
func TestOpenIsTrue(t *testing.T) {
	servers := pgtest.Start(t, 1)
	list := molecules(t, 300)
	dir, at := newIndex(t, list, true), addresses(servers, "open")[0]
	if err := export(t, dir, at, postgres.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	db := open(t, at)
	interrupted := 0
	for i, q := range queries(t, list) {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			solver, err := ged.NewSolver(task, edit.Uniform())
			if err != nil {
				t.Fatal(err)
			}
			truth := make(map[string]float64)
			for _, rec := range list {
				r, err := solver.Distance(t.Context(), graph.Adopt(rec.Graph.Vocabulary(), q.Graph), rec.Graph, ged.Options{})
				if err != nil || !r.Exact {
					t.Fatal(r, err)
				}
				truth[rec.ID] = r.Upper
			}
			for _, opt := range []search.Options{{K: 1}, {K: 5}, {K: 3, Radius: new(4.0)}, {Radius: new(3.0)}, {K: 4, Mode: search.Checked}} {
				for _, opt.NoModel = range []bool{true, false} {
					opt.Task = task
					for limit := time.Duration(1); limit < 32*time.Millisecond; limit = max(2*limit, time.Millisecond) {
						opt.Time = limit
						err := db.View(t.Context(), func(s *postgres.Snapshot) error {
							r, err := s.Search(t.Context(), q.Graph, opt)
							if err != nil {
								return err
							}
							if !r.Proven() {
								interrupted++
							}
							if err := searchtest.Judge(r.Result, r.In, graph.Adopt(r.In.Vocabulary(), q.Graph), opt.Radius, truth); err != nil {
								t.Errorf("query %d, %+v: %v", i, opt, err)
							}
							return nil
						})
						if err != nil {
							t.Fatal(err)
						}
						if t.Failed() {
							break
						}
					}
				}
			}
		}
	}
	if interrupted < 100 {
		t.Errorf("%d searches were interrupted: the test is too easy", interrupted)
	}
}

// TestOpenOfMany: a millisecond or five are too little for the molecules that come with the
// program. What a search for the nearest then says could be nearer is counted.
func TestOpenOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("copies thousands of molecules to a database")
	}
	servers := pgtest.Start(t, 1)
	list := molecules(t, 4999)
	dir, at := newIndex(t, list, false), addresses(servers, "many")[0]
	if err := export(t, dir, at, postgres.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	db := open(t, at)
	solver, err := ged.NewSolver(edit.SED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	interrupted := 0
	for _, i := range []int{100, 1300} {
		truth := make(map[string]float64)
		for _, rec := range list {
			r, err := solver.Distance(t.Context(), list[i].Graph, rec.Graph, ged.Options{})
			if err != nil || !r.Exact {
				t.Fatal(r, err)
			}
			truth[rec.ID] = r.Upper
		}
		for _, limit := range []time.Duration{time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			for _, k := range []int{1, 10} {
				opt := search.Options{Task: edit.SED, K: k, Time: limit}
				err := db.View(t.Context(), func(s *postgres.Snapshot) error {
					r, err := s.Search(t.Context(), list[i].Graph, opt)
					if err != nil {
						return err
					}
					if !r.Proven() {
						interrupted++
					}
					last, nearer := r.Answers[len(r.Answers)-1].Upper, 0
					for _, d := range truth {
						if d < last {
							nearer++
						}
					}
					t.Logf("%s, k %d, %v: the last is up to %v away, %d may be nearer, %d are", list[i].ID, k, limit, last, len(r.Missing), nearer)
					return searchtest.Judge(r.Result, r.In, graph.Adopt(r.In.Vocabulary(), list[i].Graph), nil, truth)
				})
				if err != nil {
					t.Errorf("query %s, k %d, %v: %v", list[i].ID, k, limit, err)
				}
			}
		}
	}
	if interrupted == 0 {
		t.Error("no search was interrupted: the test is too easy")
	}
}
