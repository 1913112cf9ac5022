package postgres_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/pgtest"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// foreign is an embedding of another program: its vectors, one after the other.
type foreign struct {
	name    string
	task    edit.Task
	norm    norm.Norm
	vectors []float32
}

// foreigners returns embeddings of n graphs with few coordinates, which have trees, and with
// many, which are scanned. Of some vectors many or all are equal, or differ by less than
// PostgreSQL and greed round apart.
func foreigners(n int) []foreign {
	rng := rand.New(rand.NewPCG(11, 12))
	fill := map[string]func(i int) float32{
		"any":    func(int) float32 { return rng.Float32() * 10 },
		"few":    func(int) float32 { return float32(rng.IntN(3)) },
		"equal":  func(int) float32 { return 0.7 },
		"almost": func(int) float32 { return 0.7 + float32(rng.IntN(3)-1)*6e-8 },
	}
	var list []foreign
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		hinge := task == edit.SED
		for _, c := range []struct {
			norm norm.Norm
			fill string
		}{
			{norm.Single(norm.L1, 4, hinge), "any"},
			{norm.Single(norm.L2, 5, hinge), "any"},
			{norm.Single(norm.L1, 6, hinge), "few"},
			{norm.Single(norm.L2, 8, hinge), "equal"},
			{norm.Single(norm.L1, 8, hinge), "almost"},
			{norm.Blocks(norm.L2, norm.Max, 4, 2, hinge), "any"},
			{norm.Blocks(norm.L2, norm.Sum, 4, 3, hinge), "few"},
			{norm.Single(norm.L1, 64, hinge), "any"},
			{norm.Single(norm.L1, 12, hinge), "few"},
			{norm.Single(norm.L1, 12, hinge), "equal"},
			{norm.Single(norm.L2, 12, hinge), "almost"},
		} {
			f := foreign{fmt.Sprintf("%v %d %v %s", task, c.norm.Dim(), c.norm, c.fill), task, c.norm, make([]float32, n*c.norm.Dim())}
			for i := range f.vectors {
				f.vectors[i] = fill[c.fill](i)
			}
			list = append(list, f)
		}
	}
	return list
}

// TestNearestIsThatOfAScan compares searches by vectors with those here, over trees and by
// scans, on one server and on two.
func TestNearestIsThatOfAScan(t *testing.T) {
	servers := pgtest.Start(t, 2)
	const n = 200
	all := foreigners(n)
	dir := filepath.Join(t.TempDir(), "x.index")
	records := make([]dataset.Record, n)
	given := make(map[string][]float32)
	for i := range records {
		records[i].ID = strconv.Itoa(i)
		// PostgreSQL cannot compare lists, so that it gives these and others.
		records[i].Attributes = map[string]any{"list": []any{"a", i % 40}}
	}
	err := store.Build(dir, func(st *store.Store) error {
		for _, f := range all {
			if err := st.AddForeign(t.Context(), f.name, f.task, f.norm); err != nil {
				return err
			}
			given[f.name] = f.vectors
		}
		_, err := st.Put(t.Context(), records, given)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	one, many := addresses(servers, "one")[0], addresses(servers, "many")
	dbs := make(map[string]*postgres.DB)
	for at, opt := range map[string]postgres.ExportOptions{one: {}, many[0]: {Shards: many}} {
		if err := export(t, dir, at, opt); err != nil {
			t.Fatal(err)
		}
		dbs[at] = open(t, at)
	}
	filter, err := search.ParseFilter("list=[a 7]")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		dim := f.norm.Dim()
		flat, err := vectorindex.NewFlat(f.norm, f.vectors)
		if err != nil {
			t.Fatal(err)
		}
		away := slices.Clone(f.vectors[:dim])
		for i := range away {
			away[i] += 0.3 // no distance is 0
		}
		for what, query := range map[string][]float32{"one of them": f.vectors[5*dim : 6*dim], "another": away} {
			every, err := flat.KNN(t.Context(), []vectorindex.Query{{Vector: query}}, n)
			if err != nil {
				t.Fatal(err)
			}
			tenth := every[0].Hits[9].Distance
			for at, db := range dbs {
				for _, c := range []struct {
					k       int
					radius  float64
					filters []search.Filter
				}{
					{10, math.Inf(1), nil}, {n / 2, math.Inf(1), nil}, {3 * n, math.Inf(1), nil},
					{0, tenth, nil}, {7, tenth, nil}, {1, math.Inf(1), []search.Filter{filter}}, {20, math.Inf(1), []search.Filter{filter}},
				} {
					var want []vectorindex.Hit
					for _, h := range every[0].Hits {
						if h.Distance <= c.radius && (c.filters == nil || h.Position%40 == 7) && (c.k == 0 || len(want) < c.k) {
							want = append(want, h)
						}
					}
					var got []postgres.Hit
					err := db.View(t.Context(), func(s *postgres.Snapshot) error {
						e, err := s.Embedding(f.name)
						if err != nil {
							return err
						}
						got, err = s.Nearest(t.Context(), e, query, c.k, c.radius, c.filters)
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					same := len(got) == len(want)
					for i := 0; same && i < len(got); i++ {
						same = got[i].Distance == want[i].Distance && got[i].Record.ID == strconv.Itoa(want[i].Position)
					}
					if !same {
						t.Fatalf("%s, %s, %s, k %d, radius %v, %d filters:\n%v\nwant\n%v", f.name, what, at, c.k, c.radius, len(c.filters), got, want)
					}
				}
			}
		}
	}
}
