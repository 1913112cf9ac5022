package postgres_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/pgtest"
	"github.com/greedgraph/greed/internal/processor"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// drawn returns the vectors of the bundled molecules and of copies of them after 0 to 9
// edits, as greed-lab index has; for SED every other one is a fragment of a copy.
func drawn(t *testing.T, task edit.Task, n int) (*model.Model, []float32) {
	t.Helper()
	m, err := bundle.Model(task)
	if err != nil {
		t.Fatal(err)
	}
	var all []*graph.Graph
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		all = append(all, r.Graph)
	}
	editor := sample.NewEditor(all, 70)
	rng := rand.New(rand.NewPCG(1, uint64(task)))
	rows := make([]float32, 0, n*m.Norm().Dim())
	for done := 0; done < n; {
		list := make([]*graph.Graph, min(20_000, n-done))
		for i := range list {
			if done+i < len(all) {
				list[i] = all[done+i]
				continue
			}
			g, _ := editor.Edit(rng, all[rng.IntN(len(all))], rng.IntN(10))
			if task == edit.SED && i%2 == 1 {
				g = sample.BFS{Depth: 5, Keep: 0.8}.Draw(rng, g, rng.IntN(g.N()))
			}
			list[i] = g
		}
		z, err := m.Embed(t.Context(), list, 0)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, z...)
		done += len(list)
	}
	return m, rows
}

// median returns the median and the 95th percentile of seconds, in milliseconds.
func median(list []float64) string {
	slices.Sort(list)
	return fmt.Sprintf("%.1f (%.1f)", 1e3*list[len(list)/2], 1e3*list[len(list)*95/100])
}

// processors returns the processor seconds of servers.
func processors(servers []*pgtest.Server) float64 {
	total := 0.0
	for _, s := range servers {
		total += s.Processor().Seconds()
	}
	return total
}

// bytesOf returns the bytes of the tables of graphs with their indexes, on all servers.
func bytesOf(t *testing.T, servers []*pgtest.Server, schema string) (table, indexes int64) {
	t.Helper()
	for _, s := range servers {
		conn, err := pgx.Connect(t.Context(), s.URL())
		if err != nil {
			t.Fatal(err)
		}
		var heap, rest int64
		err = conn.QueryRow(t.Context(), "select pg_table_size($1::regclass), pg_indexes_size($1::regclass)", schema+".graphs").Scan(&heap, &rest)
		_ = conn.Close(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		table, indexes = table+heap, indexes+rest
	}
	return table, indexes
}

// plainSQL returns the seconds of the ten nearest by one statement that anybody may write, over
// the tables of all servers, and the distances.
func plainSQL(t *testing.T, conn *pgx.Conn, schema, column string, query []float32, hinge bool) (seconds float64, distances []float64) {
	t.Helper()
	low, high := make([]string, len(query)), make([]string, len(query))
	for i, x := range query {
		low[i] = strconv.FormatFloat(float64(x), 'g', -1, 64)
		if high[i] = low[i]; hinge {
			high[i] = "1e38"
		}
	}
	box := "'(" + strings.Join(low, ",") + "),(" + strings.Join(high, ",") + ")'::cube"
	var parts []string
	for i := range 3 {
		parts = append(parts, fmt.Sprintf(`select id, "%s" <#> %s as d from %s.graphs_%d`, column, box, schema, i+1))
	}
	begin := time.Now()
	rows, err := conn.Query(t.Context(), "select d from ("+strings.Join(parts, " union all ")+") as x order by d limit 10")
	if err != nil {
		t.Fatal(err)
	}
	if distances, err = pgx.CollectRows(rows, pgx.RowTo[float64]); err != nil {
		t.Fatal(err)
	}
	return time.Since(begin).Seconds(), distances
}

// TestFigures compares searches of many vectors over three servers with those here, and
// prints times. It runs if GREED_POSTGRES_FIGURES says how many.
func TestFigures(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("GREED_POSTGRES_FIGURES"))
	if n == 0 {
		t.Skip("set GREED_POSTGRES_FIGURES to a number of vectors")
	}
	const patience = 10 * time.Minute // for the queries of one kind
	start := time.Now()
	tasks := []edit.Task{edit.GED, edit.SED}
	models, rows := make([]*model.Model, 2), make([][]float32, 2)
	queries := make([][]float32, 2)
	for i, task := range tasks {
		models[i], rows[i] = drawn(t, task, n+100)
		all := rows[i]
		rows[i], queries[i] = all[:n*models[i].Norm().Dim()], all[n*models[i].Norm().Dim():]
	}
	fmt.Printf("%d vectors for each task: %.0f s\n", n, time.Since(start).Seconds())
	servers := pgtest.Start(t, 3)
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
	fmt.Printf("index written after %.0f s\n", time.Since(start).Seconds())
	at := addresses(servers, "figures")
	begin, before, here := time.Now(), processors(servers), processor.Time()
	if err := export(t, dir, at[0], postgres.ExportOptions{Shards: at}); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d graphs with two vectors of 64 to three servers: %.0f s; processor seconds: greed %.1f, servers %.1f\n",
		n, time.Since(begin).Seconds(), (processor.Time() - here).Seconds(), processors(servers)-before)
	table, indexes := bytesOf(t, servers, "figures")
	fmt.Printf("bytes a row: table %.0f, its indexes %.0f\n", float64(table)/float64(n), float64(indexes)/float64(n))
	fmt.Println("times are medians (95th percentiles) of up to 100 queries in ms")
	db := open(t, at[0])
	plain, err := pgx.Connect(t.Context(), servers[0].URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close(t.Context()) }()
	for i, task := range tasks {
		norm := models[i].Norm()
		flat, err := vectorindex.NewFlat(norm, rows[i])
		if err != nil {
			t.Fatal(err)
		}
		tree, err := vectorindex.NewBoxTree(norm, rows[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"10 nearest", "range of 0.1 %"} {
			var scan, index, there, sql []float64
			var spent, greed float64 // processor seconds of the searches
			answers, asked, began := 0, 0, time.Now()
			for q := range 100 {
				if time.Since(began) > patience {
					break
				}
				if q == 10 {
					fmt.Printf("%v, %s: 10 queries took %.0f s\n", task, kind, time.Since(began).Seconds())
				}
				asked++
				query := queries[i][q*norm.Dim() : (q+1)*norm.Dim()]
				list := []vectorindex.Query{{Vector: query}}
				k, radius := 10, math.MaxFloat64
				if kind != "10 nearest" {
					nearest, err := flat.KNN(t.Context(), list, max(1, n/1000))
					if err != nil {
						t.Fatal(err)
					}
					k, radius = 0, nearest[0].Hits[len(nearest[0].Hits)-1].Distance
				}
				var want []vectorindex.Result
				for _, here := range []struct {
					index vectorindex.Index
					times *[]float64
				}{{flat, &scan}, {tree, &index}} {
					begin := time.Now()
					if k > 0 {
						want, err = here.index.KNN(t.Context(), list, k)
					} else {
						want, err = here.index.Range(t.Context(), list, radius)
					}
					*here.times = append(*here.times, time.Since(begin).Seconds())
					if err != nil {
						t.Fatal(err)
					}
				}
				var got []postgres.Hit
				begin, before, here := time.Now(), processors(servers), processor.Time()
				err = db.View(t.Context(), func(s *postgres.Snapshot) error {
					e, err := s.Embedding(task.String())
					if err != nil {
						return err
					}
					got, err = s.Nearest(t.Context(), e, query, k, radius, nil)
					return err
				})
				there, greed = append(there, time.Since(begin).Seconds()), greed+(processor.Time()-here).Seconds()
				if err != nil {
					t.Fatal(err)
				}
				spent += processors(servers) - before
				if k > 0 && q < 10 {
					seconds, distances := plainSQL(t, plain, "figures", "vector "+task.String()+" 1", query, norm.Hinge)
					sql = append(sql, seconds)
					for j, d := range distances {
						if w := want[0].Hits[j].Distance; math.Abs(d-w) > 1e-4*(1+w) {
							t.Fatalf("%v, query %d: plain SQL has a distance of %v, want %v", task, q, d, w)
						}
					}
				}
				same := len(got) == len(want[0].Hits)
				for j := 0; same && j < len(got); j++ {
					same = got[j].Distance == want[0].Hits[j].Distance && got[j].Record.ID == strconv.Itoa(want[0].Hits[j].Position)
				}
				if !same {
					t.Fatalf("%v, %s, query %d: %v, want %v", task, kind, q, got, want[0].Hits)
				}
				answers += len(want[0].Hits)
			}
			fmt.Printf("%v, %s: %d queries, %d answers, ids and distances the same; PostgreSQL %s, scan here %s, index here %s\n",
				task, kind, asked, answers, median(there), median(scan), median(index))
			fmt.Printf("%v, %s: processor ms a query: servers %.0f, greed %.0f\n", task, kind, 1e3*spent/float64(asked), 1e3*greed/float64(asked))
			if len(sql) > 0 {
				fmt.Printf("%v, %s: plain SQL over the tables of the servers, %d queries: %s\n", task, kind, len(sql), median(sql))
			}
		}
	}
	servers[1].Stop()
	err = db.View(t.Context(), func(s *postgres.Snapshot) error {
		e, err := s.Embedding("ged")
		if err != nil {
			return err
		}
		_, err = s.Nearest(t.Context(), e, rows[0][:e.Norm.Dim()], 10, math.MaxFloat64, nil)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "shard_2") {
		t.Errorf("with a server stopped: %v", err)
	}
	fmt.Println("with a server stopped:", err)
}
