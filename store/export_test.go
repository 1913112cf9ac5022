package store

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestExport: Parquet and sets hold the records in order with their vectors.
func TestExport(t *testing.T) {
	dir := filled(t, inMemory(t), 2*exportBatch)
	c := load(t, dir)
	must(t, with(dir, Options{}, func(s *Store) error {
		return s.View(context.Background(), func(snap *Snapshot) error {
			var file bytes.Buffer
			must(t, snap.WriteParquet(t.Context(), &file, "ged"))
			rows, err := parquet.Read[exported](bytes.NewReader(file.Bytes()), int64(file.Len()))
			must(t, err)
			set, err := snap.Set(t.Context(), "ged")
			must(t, err)

			if len(rows) != len(c.Records) || set.Len() != len(c.Records) || set.Model != c.Engines[0].Model.Fingerprint() {
				t.Fatalf("%d rows and %d vectors for %d records", len(rows), set.Len(), len(c.Records))
			}
			for i, want := range c.Records {
				vector := c.Engines[0].Vectors[16*i : 16*(i+1)]
				if rows[i].ID != want.ID || set.IDs[i] != want.ID || fmt.Sprint(rows[i].Vector) != fmt.Sprint(vector) || fmt.Sprint(set.Vector(i)) != fmt.Sprint(vector) {
					t.Fatalf("row %d is %+v", i, rows[i])
				}
				var link dataset.NodeLink
				must(t, link.UnmarshalJSON([]byte(rows[i].Graph)))
				got, err := link.Record(dataset.Options{Vocabulary: graph.NewVocabulary()})
				must(t, err)
				same(t, got, want)
			}
			if _, err := snap.WriteManhattan(t.Context(), &file, "ged"); err == nil {
				t.Error("vectors for GED were written for Manhattan distances")
			}
			if err := snap.WriteParquet(t.Context(), &file, "none"); err == nil {
				t.Error("vectors of no embedding were written")
			}
			return nil
		})
	}))
}
