package postgres_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/pgtest"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// TestFigures compares searches of many vectors over three servers with the scan here, and
// prints times. It runs if GREED_POSTGRES_FIGURES says how many; GREED_POSTGRES_TREES=1
// makes trees.
func TestFigures(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("GREED_POSTGRES_FIGURES"))
	if n == 0 {
		t.Skip("set GREED_POSTGRES_FIGURES to a number of vectors")
	}
	trees := os.Getenv("GREED_POSTGRES_TREES") != ""
	servers := pgtest.Start(t, 3)
	tasks := []edit.Task{edit.GED, edit.SED}
	models, rows := make([]*model.Model, 2), make([][]float32, 2)
	rng := rand.New(rand.NewPCG(1, 2))
	for i, task := range tasks {
		m, err := bundle.Model(task)
		if err != nil {
			t.Fatal(err)
		}
		all, err := bundle.Vectors(m)
		if err != nil {
			t.Fatal(err)
		}
		models[i] = m
		for range n/(len(all)/m.Norm().Dim()) + 1 {
			for _, x := range all {
				rows[i] = append(rows[i], x+float32(rng.NormFloat64()*0.05))
			}
		}
		rows[i] = rows[i][:n*m.Norm().Dim()]
	}
	dir := filepath.Join(t.TempDir(), "v.index")
	err := store.Build(dir, func(st *store.Store) error {
		for i, task := range tasks {
			if err := st.AddForeign(t.Context(), task.String(), task, models[i].Norm()); err != nil {
				return err
			}
		}
		for from := 0; from < n; from += 8192 {
			to := min(n, from+8192)
			batch, given := make([]dataset.Record, to-from), make(map[string][]float32)
			for i := range batch {
				batch[i].ID = strconv.Itoa(from + i)
			}
			for i, task := range tasks {
				dim := models[i].Norm().Dim()
				given[task.String()] = rows[i][from*dim : to*dim]
			}
			if _, err := st.Put(t.Context(), batch, given); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	at := addresses(servers, "figures")
	begin := time.Now()
	if err := export(t, dir, at[0], postgres.ExportOptions{Shards: at, Scan: !trees}); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d graphs with two vectors of 64 to three servers, trees %v: %.0f s\n", n, trees, time.Since(begin).Seconds())
	db := open(t, at[0])
	for i, task := range tasks {
		norm := models[i].Norm()
		flat, err := vectorindex.NewFlat(norm, rows[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"10 nearest", "within 1.5"} {
			var here, there []float64
			answers := 0
			for q := range 100 {
				at := rng.IntN(n) * norm.Dim()
				query := slices.Clone(rows[i][at : at+norm.Dim()])
				for j := range query {
					query[j] += float32(rng.NormFloat64() * 0.05)
				}
				k, radius := 10, math.MaxFloat64
				list := []vectorindex.Query{{Vector: query}}
				begin := time.Now()
				want, err := flat.KNN(t.Context(), list, k)
				if kind != "10 nearest" {
					k, radius = 0, 1.5
					begin = time.Now()
					want, err = flat.Range(t.Context(), list, radius)
				}
				here = append(here, time.Since(begin).Seconds())
				if err != nil {
					t.Fatal(err)
				}
				var got []postgres.Hit
				begin = time.Now()
				err = db.View(t.Context(), func(s *postgres.Snapshot) error {
					e, err := s.Embedding(task.String())
					if err != nil {
						return err
					}
					got, err = s.Nearest(t.Context(), e, query, k, radius, nil)
					return err
				})
				there = append(there, time.Since(begin).Seconds())
				if err != nil {
					t.Fatal(err)
				}
				same := len(got) == len(want[0].Hits)
				for j := 0; same && j < len(got); j++ {
					same = got[j].Distance == want[0].Hits[j].Distance && got[j].Record.ID == strconv.Itoa(want[0].Hits[j].Position)
				}
				if !same {
					t.Fatalf("%v, %s, query %d: %v, want %v", task, kind, q, got, want[0].Hits)
				}
				answers += len(got)
			}
			slices.Sort(here)
			slices.Sort(there)
			fmt.Printf("%v, %s: %d answers to 100 queries, ids and distances the same; median %.1f ms, 95th %.1f ms; our scan %.2f ms\n",
				task, kind, answers, 1e3*there[50], 1e3*there[95], 1e3*here[50])
		}
	}
}
