package postgres_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/pgtest"
	"github.com/greedgraph/greed/postgres"
)

// molecules returns the first n bundled molecules, with attributes.
func molecules(t testing.TB, n int) []dataset.Record {
	t.Helper()
	list, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].Attributes = map[string]any{"weight": float64(i%1000) / 10, "class": fmt.Sprintf("c'%d\\\t\n", i%3), `'; drop table x; -- "`: []any{"a", 1.0, true, nil}}
		if i%3 == 0 {
			list[i].Block = fmt.Sprintf("drawn %d\n\tby hand\n\nM  END\n", i)
		}
	}
	return list[:n]
}

func each(list []dataset.Record) iter.Seq2[dataset.Record, error] {
	return func(yield func(dataset.Record, error) bool) {
		for _, rec := range list {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func create(t testing.TB, at string, list []dataset.Record) *postgres.DB {
	t.Helper()
	if n, err := postgres.Create(t.Context(), at, &dataset.Rules{}, each(list)); err != nil || n != len(list) {
		t.Fatal(n, err)
	}
	db, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// text is what must come back of a record.
func text(rec dataset.Record) string {
	b := new(strings.Builder)
	fmt.Fprintf(b, "%q %q %q %q %v %q %v", rec.ID, rec.Name, rec.SMILES, rec.Block, rec.Attributes, rec.NodeIDs, rec.Graph.Directed())
	for v := range rec.Graph.N() {
		fmt.Fprintf(b, " %q/%v", rec.Graph.LabelText(v), rec.Graph.Label(v) == graph.Wildcard)
	}
	for e := range rec.Graph.Edges() {
		fmt.Fprintf(b, " %d-%d %q/%v", e.From, e.To, rec.Graph.Vocabulary().EdgeText(e.Label), e.Label == graph.Wildcard)
	}
	return b.String()
}

// contents returns the records after a generation as texts, in order, and the ids that
// were removed since.
func contents(t testing.TB, db *postgres.DB, generation int64) (list, removed []string, now int64) {
	t.Helper()
	err := db.View(t.Context(), func(s *postgres.Snapshot) (err error) {
		now = s.Generation
		if removed, err = s.Removed(t.Context(), generation); err != nil {
			return err
		}
		slices.Sort(removed)
		return s.Since(t.Context(), generation, graph.NewVocabulary(), func(rec dataset.Record) error {
			list = append(list, text(rec))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, removed, now
}

func texts(list []dataset.Record) (all []string) {
	for _, rec := range list {
		all = append(all, text(rec))
	}
	return all
}

// TestWithAServer runs the tests that need a server on one, each in a schema of its own.
func TestWithAServer(t *testing.T) {
	server := pgtest.Start(t)
	for name, test := range map[string]func(t *testing.T, at string){
		"records": testRecordsComeBack,
		"map":     testLikeAMap,
		"numbers": testNumbers,
		"refused": testWhatCannotBe,
	} {
		t.Run(name, func(t *testing.T) { test(t, server.URL()+"&schema="+name) })
	}
}

// testRecordsComeBack reads what was written, of molecules and of graphs of every kind.
func testRecordsComeBack(t *testing.T, at string) {
	for i, directed := range []bool{false, true} {
		rng, vocab := rand.New(rand.NewPCG(7, uint64(i))), graph.NewVocabulary()
		var list []dataset.Record
		for j := range 100 {
			g := gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 8, Density: 0.4, NodeLabels: 3, EdgeLabels: 2, Directed: directed, Wildcards: 0.1})
			rec := dataset.Record{ID: fmt.Sprintf("%d;\\é\u202e", j), Name: strings.Repeat("long ", 2000), Graph: g}
			for v := range g.N() {
				rec.NodeIDs = append(rec.NodeIDs, fmt.Sprint("n", v))
			}
			list = append(list, rec)
		}
		list[0].ID = strings.Repeat("an id longer than an index takes", 500)
		if !directed {
			list = append(list, molecules(t, 200)...)
		}
		db := create(t, fmt.Sprint(at, i), list)
		got, _, _ := contents(t, db, 0)
		if diff := cmp.Diff(texts(list), got); diff != "" {
			t.Error(diff)
		}
	}
}

// testLikeAMap applies random changes and compares with a map, all records and those since
// an earlier generation.
func testLikeAMap(t *testing.T, at string) {
	list := molecules(t, 60)
	db := create(t, at, list[:20])
	want, rng := make(map[string]string), rand.New(rand.NewPCG(1, 2))
	for _, rec := range list[:20] {
		want[rec.ID] = text(rec)
	}
	follower, reached := maps.Clone(want), int64(1)
	for round := range 30 {
		var c postgres.Change
		out := postgres.Outcome{}
		next := maps.Clone(want)
		for range rng.IntN(5) {
			id := list[rng.IntN(len(list))].ID
			if _, there := next[id]; there {
				out.Deleted++
			}
			delete(next, id)
			c.Delete = append(c.Delete, id)
		}
		put := make(map[string]bool)
		for range rng.IntN(6) {
			rec := list[rng.IntN(len(list))]
			rec.Name = fmt.Sprint("round ", round, " ", rng.IntN(100))
			c.Put = append(c.Put, rec)
			if _, there := next[rec.ID]; there && !put[rec.ID] {
				out.Replaced++
			}
			put[rec.ID] = true
			next[rec.ID] = text(rec)
		}
		got, err := db.Apply(t.Context(), c)
		if err != nil || got != out {
			t.Fatalf("round %d: %+v, %v, want %+v", round, got, err, out)
		}
		want = next
		all, _, now := contents(t, db, 0)
		if expected := slices.Sorted(maps.Values(want)); !slices.Equal(slices.Sorted(slices.Values(all)), expected) {
			t.Fatalf("round %d: %s", round, cmp.Diff(expected, all))
		}
		if rng.IntN(3) > 0 {
			continue
		}
		// Whoever has an earlier generation gets from it to this one.
		changed, removed, _ := contents(t, db, reached)
		for _, id := range removed {
			delete(follower, id)
		}
		for _, line := range changed {
			for _, rec := range list {
				if strings.HasPrefix(line, fmt.Sprintf("%q ", rec.ID)) {
					follower[rec.ID] = line
				}
			}
		}
		if reached = now; !maps.Equal(follower, want) {
			t.Fatalf("round %d: who follows has %s", round, cmp.Diff(want, follower))
		}
	}
}

// testNumbers adds graphs without ids from several sides at once, among some whose ids are
// numbers.
func testNumbers(t *testing.T, at string) {
	records := molecules(t, 90)
	for i := range 20 {
		records[i].ID = fmt.Sprint(2 * i)
	}
	db := create(t, at, records[:20])
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
	if all, _, now := contents(t, db, 0); len(all) != 60 || now != 9 {
		t.Errorf("%d graphs in generation %d, want 60 in 9", len(all), now)
	}
}

// testWhatCannotBe: it is refused, and leaves everything as it was.
func testWhatCannotBe(t *testing.T, at string) {
	if _, err := postgres.Open(t.Context(), at); !errors.Is(err, postgres.ErrDatabase) {
		t.Errorf("an empty database: %v", err)
	}
	for _, at := range []string{"postgres://localhost:1/x?connect_timeout=1", "http://u:secret@localhost", "postgres://%zz"} {
		if _, err := postgres.Open(t.Context(), at); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", at, err)
		}
	}
	records := molecules(t, 4)
	bad := slices.Clone(records)
	bad[1].Name = "a\x00b"
	twice := append(slices.Clone(records), records[0])
	for name, list := range map[string][]dataset.Record{"a zero byte": bad, "an id twice": twice} {
		if _, err := postgres.Create(t.Context(), at, nil, each(list)); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := postgres.Open(t.Context(), at); !errors.Is(err, postgres.ErrDatabase) {
			t.Errorf("after %s: %v", name, err)
		}
	}
	db := create(t, at, records[:3])
	if _, err := postgres.Create(t.Context(), at, nil, each(records)); !errors.Is(err, postgres.ErrExists) {
		t.Errorf("a second time: %v", err)
	}
	b := graph.NewBuilder(graph.NewVocabulary(), true)
	b.AddNode("C")
	directed, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := contents(t, db, 0)
	for name, want := range map[string]struct {
		rec dataset.Record
		err error
	}{
		"an empty id":        {dataset.Record{Graph: records[0].Graph}, postgres.ErrRecord},
		"no graph":           {dataset.Record{ID: "x"}, postgres.ErrRecord},
		"the other kind":     {dataset.Record{ID: "x", Graph: directed}, dataset.ErrMixed},
		"a text not UTF-8":   {dataset.Record{ID: "x\xff", Graph: records[0].Graph}, postgres.ErrRecord},
		"an attribute's NUL": {dataset.Record{ID: "x", Graph: records[0].Graph, Attributes: map[string]any{"a": "\x00"}}, postgres.ErrRecord},
	} {
		_, err := db.Apply(t.Context(), postgres.Change{Delete: []string{records[0].ID, "\x00"}, Put: []dataset.Record{records[3], want.rec}})
		if !errors.Is(err, want.err) {
			t.Errorf("%s: %v, want %v", name, err, want.err)
		}
	}
	if after, removed, now := contents(t, db, 0); !slices.Equal(before, after) || len(removed) > 0 || now != 1 {
		t.Errorf("a change that failed left generation %d, %q", now, removed)
	}
}
