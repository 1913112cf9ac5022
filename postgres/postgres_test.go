package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/pgtest"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/search"
)

// shards are the servers of a test: the first is that of the collection, and one of those
// that hold its graphs.
func addresses(servers []*pgtest.Server, schema string) []string {
	var list []string
	for _, s := range servers {
		list = append(list, s.URL()+"&schema="+schema)
	}
	return list
}

// answer is what of an answer must be the same everywhere.
type answer struct {
	ID        string
	Lower     float64
	Upper     float64
	Predicted float64
}

func answersOf(r *search.Result, in *search.Collection) []answer {
	var list []answer
	for _, a := range r.Answers {
		x := answer{in.About(a.Position).ID, a.Lower, a.Upper, -1}
		if a.Predicted != nil {
			x.Predicted = *a.Predicted
		}
		list = append(list, x)
	}
	return list
}

// same compares a search here and there. Among equals at the end of the k nearest, either
// may be chosen.
func same(t *testing.T, name string, local *live.Collection, db *postgres.DB, q *graph.Graph, opt search.Options) {
	t.Helper()
	state := local.Acquire()
	defer state.Release()
	want, err := state.Search(t.Context(), graph.Adopt(state.Vocabulary(), q), opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var got *postgres.Result
	err = db.View(t.Context(), func(s *postgres.Snapshot) error {
		got, err = s.Search(t.Context(), q, opt)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	w, g := answersOf(want, state.Collection), answersOf(got.Result, got.In)
	if opt.Mode != search.Predicted && len(w) == opt.K && len(w) == len(g) && opt.K > 0 {
		last := w[len(w)-1].Upper
		for _, list := range [][]answer{w, g} {
			for i := range list {
				if list[i].Upper == last {
					list[i] = answer{Lower: last, Upper: last}
				}
			}
		}
	}
	less := func(list []answer) map[answer]int {
		m := make(map[answer]int)
		for _, a := range list {
			m[a]++
		}
		return m
	}
	if diff := cmp.Diff(less(w), less(g)); diff != "" {
		t.Errorf("%s: local and database differ:\n%s", name, diff)
	}
	if want.Proven() != got.Proven() || want.Complete != got.Complete || opt.Mode != search.Predicted && want.Stats.Graphs != got.Stats.Graphs || want.Model != got.Model {
		t.Errorf("%s: proven %v, complete %v, graphs %d, model %v; local %v, %v, %d, %v", name, got.Proven(), got.Complete, got.Stats.Graphs, got.Model, want.Proven(), want.Complete, want.Stats.Graphs, want.Model)
	}
	for i, a := range got.Answers {
		if rec := got.In.Record(a.Position); a.Map != nil {
			if cost := edit.InducedCost(got.Pricing, graph.Adopt(rec.Graph.Vocabulary(), q), rec.Graph, a.Map); math.Abs(cost-a.Upper) > 1e-9 {
				t.Errorf("%s: answer %d has a map of cost %v and the upper bound %v", name, i, cost, a.Upper)
			}
		}
	}
}

// compare compares searches of every kind.
func compare(t *testing.T, local *live.Collection, db *postgres.DB, queries []dataset.Record) {
	t.Helper()
	radius := func(x float64) *float64 { return &x }
	filters := func(texts ...string) []search.Filter {
		var list []search.Filter
		for _, text := range texts {
			f, err := search.ParseFilter(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, f)
		}
		return list
	}
	cheap := edit.Uniform()
	cheap.NodeSubstitute, cheap.EdgeInsert, cheap.EdgeSubstitute = 0.5, 2, 0
	for i, q := range queries {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			for name, opt := range map[string]search.Options{
				"predicted k":            {Mode: search.Predicted, K: 7},
				"predicted radius":       {Mode: search.Predicted, Radius: radius(5)},
				"checked k":              {Mode: search.Checked, K: 3, Time: search.NoLimit},
				"checked radius":         {Mode: search.Checked, Radius: radius(1), Time: search.NoLimit},
				"proven k":               {K: 5, Time: search.NoLimit},
				"proven radius":          {Radius: radius(2), Time: search.NoLimit},
				"proven k, radius":       {K: 2, Radius: radius(1), Time: search.NoLimit},
				"no model k":             {K: 2, NoModel: true, Time: search.NoLimit},
				"no model radius":        {Radius: radius(1), NoModel: true, Time: search.NoLimit},
				"costs":                  {Radius: radius(1), NoModel: true, Costs: &cheap, Time: search.NoLimit},
				"costs, not a model's":   {Radius: radius(1), Costs: &cheap, Time: search.NoLimit},
				"k, not a model's costs": {K: 3, Costs: &cheap, Time: search.NoLimit},
				"number":                 {Mode: search.Predicted, K: 5, Filters: filters("weight<30")},
				"text":                   {K: 2, Filters: filters(`class=c'1\`), Time: search.NoLimit},
				"in":                     {Radius: radius(2), Filters: filters(`class in c'1\,c'2\`, "weight>=50"), Time: search.NoLimit},
				"hexadecimal":            {Mode: search.Predicted, K: 9, Filters: filters("odd=16")},
				"list":                   {Mode: search.Predicted, K: 9, Filters: filters("odd=[a 1]")},
				"truth":                  {Mode: search.Predicted, K: 9, Filters: filters("odd=true")},
				"spaces":                 {Mode: search.Predicted, K: 9, Filters: filters("odd=10")},
				"exists":                 {Mode: search.Predicted, K: 9, Filters: filters("odd exists", "id exists")},
				"hostile attribute":      {Mode: search.Predicted, K: 9, Filters: filters(`'; drop table x; -- "=1`)},
				"none":                   {Mode: search.Checked, K: 2, Filters: filters("id=none")},
			} {
				opt.Task = task
				opt.Workers = 1
				same(t, fmt.Sprintf("query %d, %v, %s", i, task, name), local, db, q.Graph, opt)
			}
		}
	}
}

func queries(t *testing.T, list []dataset.Record) []dataset.Record {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 3))
	var small []dataset.Record
	for len(small) < 2 {
		if r := list[rng.IntN(len(list))]; r.Graph.N() < 12 {
			small = append(small, r)
		}
	}
	rec, _, err := dataset.ReadOne("C1CC1[Zr]", dataset.Options{Vocabulary: graph.NewVocabulary(), Format: "smiles"})
	if err != nil {
		t.Fatal(err)
	}
	return append(small, rec)
}

// TestAnswersAreThoseOfTheIndex compares an index, a server and three servers, before and
// after changes.
func TestAnswersAreThoseOfTheIndex(t *testing.T) {
	servers := pgtest.Start(t, 3)
	records := molecules(t, 260)
	records[3].ID, records[5].ID = `a "hostile'; drop schema greed;\ --`, "line\nand\ttab\\N"
	dir := newIndex(t, records[:200], true)
	one, many := addresses(servers, "one"), addresses(servers, `Many "x"`)
	if err := export(t, dir, one[0], postgres.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := export(t, dir, many[0], postgres.ExportOptions{Shards: many}); err != nil {
		t.Fatal(err)
	}
	if err := export(t, dir, one[0], postgres.ExportOptions{}); !errors.Is(err, postgres.ErrExists) {
		t.Errorf("a second export: %v", err)
	}
	local := openIndex(t, dir)
	dbs := []*postgres.DB{open(t, one[0]), open(t, many[0])}
	few := queries(t, records)
	compare(t, local, dbs[0], few)
	compare(t, local, dbs[1], few[:1])
	// Changes: new records, replaced ones, one given twice, deleted ones.
	again := records[10]
	again.Graph = records[250].Graph
	change := live.Change{Put: append(append([]dataset.Record{}, records[200:]...), again, records[20], records[20]), Delete: []string{records[1].ID, records[3].ID, "unknown", records[5].ID}}
	want, err := local.Apply(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	for _, db := range dbs {
		got, err := db.Apply(t.Context(), postgres.Change{Put: change.Put, Delete: change.Delete})
		if err != nil {
			t.Fatal(err)
		}
		if got.Deleted != want.Deleted || got.Replaced != 2 {
			t.Errorf("%+v, local %+v", got, want)
		}
		if err := db.View(t.Context(), func(s *postgres.Snapshot) error { return s.Check(t.Context()) }); err != nil {
			t.Error(err)
		}
		compare(t, local, db, few[1:2])
	}
	// One server stopped: an error names it, and there is no answer.
	servers[2].Stop()
	err = dbs[1].View(t.Context(), func(s *postgres.Snapshot) error {
		_, err := s.Search(t.Context(), records[0].Graph, search.Options{})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "shard_3") {
		t.Errorf("with a server stopped: %v", err)
	}
	if _, err := dbs[1].Apply(t.Context(), postgres.Change{Delete: []string{records[30].ID, records[31].ID, records[32].ID, records[33].ID, records[34].ID}}); err == nil {
		t.Error("a change with a server stopped")
	}
	servers[2].Run(t)
	if err := dbs[1].View(t.Context(), func(s *postgres.Snapshot) error { return s.Check(t.Context()) }); err != nil {
		t.Error(err)
	}
	same(t, "after a stop", local, dbs[1], records[0].Graph, search.Options{K: 3, Time: search.NoLimit})
}

// TestAnswersAreOfOneState searches while a writer replaces graphs, always as many.
func TestAnswersAreOfOneState(t *testing.T) {
	servers := pgtest.Start(t, 2)
	records := molecules(t, 60)
	at := addresses(servers, "greed")
	if err := export(t, newIndex(t, records[:40], true), at[0], postgres.ExportOptions{Shards: at, Scan: true}); err != nil {
		t.Fatal(err)
	}
	db := open(t, at[0])
	// Of every state, all graphs of one half are there and none of the other.
	ids := func(from int) (list []string) {
		for _, r := range records[from : from+20] {
			list = append(list, r.ID)
		}
		return list
	}
	if _, err := db.Apply(t.Context(), postgres.Change{Delete: ids(20)}); err != nil {
		t.Fatal(err)
	}
	var done atomic.Bool
	var searches atomic.Int64
	var wait sync.WaitGroup
	readers := 8
	if os.Getenv("GREED_POSTGRES_FIGURES") != "" {
		readers = 100
	}
	for i := range readers {
		db := db
		if i >= 8 { // a pool has 4 connections
			db = open(t, at[0])
		}
		wait.Go(func() {
			for !done.Load() {
				err := db.View(context.Background(), func(s *postgres.Snapshot) error {
					e, err := s.Embedding("ged")
					if err != nil {
						return err
					}
					hits, err := s.Nearest(context.Background(), e, make([]float32, e.Norm.Dim()), 0, math.Inf(1), nil)
					if err != nil {
						return err
					}
					halves := make(map[int]int)
					for _, h := range hits {
						for i, r := range records[:40] {
							if r.ID == h.Record.ID {
								halves[i/20]++
							}
						}
					}
					if len(hits) != 20 || len(halves) != 1 || s.Len() != 20 {
						t.Errorf("%d graphs, of the halves %v", len(hits), halves)
					}
					searches.Add(1)
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 12 {
		from, to := i%2*20, (i+1)%2*20
		out, err := db.Apply(t.Context(), postgres.Change{Delete: ids(from), Put: records[to : to+20]})
		if err != nil || out.Deleted != 20 {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	done.Store(true)
	wait.Wait()
	if searches.Load() < 10 {
		t.Errorf("%d searches only", searches.Load())
	}
	t.Logf("%d searches by %d readers", searches.Load(), readers)
}

// TestCostsByTable compares searches by costs that depend on labels and on attributes,
// which counts do not bound.
func TestCostsByTable(t *testing.T) {
	servers := pgtest.Start(t, 1)
	rng := rand.New(rand.NewPCG(7, 8))
	vocab := graph.NewVocabulary()
	var records []dataset.Record
	for i := range 30 {
		b := graph.NewBuilder(vocab, true)
		n := 1 + rng.IntN(4)
		for range n {
			b.AddNode(fmt.Sprintf("%c|%d", 'a'+rng.IntN(2), rng.IntN(20)))
		}
		for v := 1; v < n; v++ {
			if err := b.AddEdge(rng.IntN(v), v, fmt.Sprintf("%d.5", rng.IntN(3))); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, dataset.Record{ID: fmt.Sprint(i), Graph: g})
	}
	dir, at := newIndex(t, records, false), addresses(servers, "tables")[0]
	if err := export(t, dir, at, postgres.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	local, db := openIndex(t, dir), open(t, at)
	unit := &edit.Default{Insert: 1, Delete: 1, Substitute: 1}
	parts := edit.Uniform()
	parts.Nodes = &edit.Table{Default: unit, Parts: []edit.Difference{{Attributes: []string{"type"}, Differ: 1.5}, {Attributes: []string{"minutes"}, Weight: 0.125}}}
	parts.Edges = &edit.Table{Default: unit, Parts: []edit.Difference{{Attributes: []string{"angle"}, Weight: 0.5, Period: 2}}}
	named := edit.Uniform()
	named.Edges = &edit.Table{Default: unit, Substitute: map[string]map[string]float64{"0.5": {"1.5": 0.25}, "1.5": {"0.5": 0.25}}}
	rings := edit.Rings()
	radius := 2.0
	for i := range 4 {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			for name, costs := range map[string]*edit.Costs{"attributes": &parts, "named": &named, "rings": &rings} {
				for _, opt := range []search.Options{{K: 4}, {Radius: &radius}, {K: 3, Radius: &radius}} {
					opt.Task, opt.Costs, opt.NoModel, opt.Time, opt.Workers = task, costs, true, search.NoLimit, 1
					same(t, fmt.Sprintf("query %d, %v, %s", i, task, name), local, db, records[i].Graph, opt)
				}
			}
		}
	}
	// A label without a cost is an error here as there.
	bare := edit.Uniform()
	bare.Edges = &edit.Table{Insert: map[string]float64{"0.5": 1}, Delete: map[string]float64{"0.5": 1}}
	err := db.View(t.Context(), func(s *postgres.Snapshot) error {
		_, err := s.Search(t.Context(), records[0].Graph, search.Options{K: 2, Costs: &bare, NoModel: true})
		return err
	})
	if !errors.Is(err, edit.ErrCosts) {
		t.Errorf("a table without a label: %v", err)
	}
}

// TestNumbers adds graphs without ids from several sides at once, among some whose ids are
// numbers.
func TestNumbers(t *testing.T) {
	servers := pgtest.Start(t, 2)
	records := molecules(t, 90)
	for i := range 20 {
		records[i].ID = fmt.Sprint(2 * i)
	}
	at := addresses(servers, "numbers")
	if err := export(t, newIndex(t, records[:20], false), at[0], postgres.ExportOptions{Shards: at}); err != nil {
		t.Fatal(err)
	}
	db := open(t, at[0])
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for j := range 2 {
				put := slices.Clone(records[20+15*i+5*j : 20+15*i+5*j+5])
				for k := range put[:4] {
					put[k].ID = ""
				}
				put[4].ID = fmt.Sprint(100 + 2*i + j)
				out, err := db.Apply(t.Context(), postgres.Change{Put: put, Number: true})
				if err != nil || out.Replaced != 0 {
					t.Errorf("%+v, %v", out, err)
				}
			}
		})
	}
	wait.Wait()
	err := db.View(t.Context(), func(s *postgres.Snapshot) error {
		if s.Len() != 60 {
			t.Errorf("%d graphs, want 60", s.Len())
		}
		return s.Check(t.Context())
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := db.Apply(t.Context(), postgres.Change{Put: []dataset.Record{{Graph: records[0].Graph}}}); !errors.Is(err, postgres.ErrRecord) {
		t.Errorf("an empty id: %v", err)
	}
}

func TestWhatIsNoCollection(t *testing.T) {
	servers := pgtest.Start(t, 1)
	if _, err := postgres.Open(t.Context(), servers[0].URL()); !errors.Is(err, postgres.ErrDatabase) {
		t.Errorf("an empty database: %v", err)
	}
	for _, at := range []string{"postgres://localhost:1/x?connect_timeout=1", "http://localhost", "postgres://%zz"} {
		if _, err := postgres.Open(t.Context(), at); err == nil {
			t.Errorf("%s opens", at)
		}
	}
	records := molecules(t, 3)
	records[1].Name = "a\x00b"
	at := servers[0].URL()
	if err := export(t, newIndex(t, records, false), at, postgres.ExportOptions{}); !errors.Is(err, postgres.ErrRecord) {
		t.Errorf("a zero byte: %v", err)
	}
	if _, err := postgres.Open(t.Context(), at); !errors.Is(err, postgres.ErrDatabase) {
		t.Errorf("after an export that failed: %v", err)
	}
	records[1].Name = ""
	if err := export(t, newIndex(t, records, false), at, postgres.ExportOptions{}); err != nil {
		t.Errorf("again: %v", err)
	}
}
