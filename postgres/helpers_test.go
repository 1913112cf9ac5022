package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// molecules returns the first n bundled molecules, with attributes.
func molecules(t testing.TB, n int) []dataset.Record {
	t.Helper()
	list, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range list {
		list[i].Attributes = map[string]any{"weight": float64(rng.IntN(1000)) / 10, "class": fmt.Sprintf("c'%d\\", i%3)}
		switch i % 7 {
		case 0:
			list[i].Attributes["odd"] = "0x10"
		case 1:
			list[i].Attributes["odd"] = []any{"a", 1.0}
		case 2:
			list[i].Attributes["odd"] = " 1e1 "
		case 3:
			list[i].Attributes["odd"] = true
		case 4:
			list[i].Attributes["odd"] = 16
		case 5:
			list[i].Attributes["odd"] = "1e400"
		case 6:
			list[i].Attributes[`'; drop table x; -- "`] = i % 2
		}
	}
	return list[:n]
}

// newIndex makes an index of records with the bundled models.
func newIndex(t testing.TB, records []dataset.Record, models bool) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "x.index")
	err := store.Build(dir, func(st *store.Store) error {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			if !models {
				break
			}
			m, err := bundle.Model(task)
			if err != nil {
				return err
			}
			if err := st.AddEmbedding(t.Context(), task.String(), m); err != nil {
				return err
			}
		}
		_, err := st.Add(t.Context(), records, false, 2)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// export copies an index to a database.
func export(t testing.TB, dir, to string, opt postgres.ExportOptions) error {
	t.Helper()
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	return st.View(t.Context(), func(snap *store.Snapshot) error {
		_, err := postgres.Export(t.Context(), to, snap, opt)
		return err
	})
}

func open(t testing.TB, at string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

func openIndex(t testing.TB, dir string) *live.Collection {
	t.Helper()
	c, err := live.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}
