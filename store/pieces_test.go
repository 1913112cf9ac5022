package store

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestPiecesOfCompaction: however fast it reads, a compaction takes a bounded number of
// bytes at a time, since the flushes of other writers wait for what it writes.
func TestPiecesOfCompaction(t *testing.T) {
	dir := empty(t, t.TempDir())
	use(t, dir, func(s *Store) {
		must(t, s.AddEmbedding(t.Context(), "ged", newModel(edit.GED, 1)))
		vocab, rng := graph.NewVocabulary(), rand.New(rand.NewPCG(1, 2))
		const records = 300
		var list []dataset.Record
		longest := 0
		for i := range records {
			rec := newRecord(vocab, string(rune('a'+i)), i)
			rec.Name = string(make([]byte, rng.IntN(2000)))
			longest = max(longest, len(rec.Name))
			list = append(list, rec)
		}
		_, _, err := s.Add(t.Context(), list, true, 1)
		must(t, err)

		c := &compaction{store: s, path: filepath.Join(dir, newDatabase), moved: make(map[int]int)}
		must(t, c.create(t.Context()))
		must(t, s.update(t.Context(), c.begin))
		row := 4 * c.files[0].dim
		for pieces := 0; c.next < records; pieces++ {
			begin := c.next
			must(t, s.View(t.Context(), func(snap *Snapshot) error { return c.read(snap, time.Hour, 20000) }))
			bytes := 0
			for _, r := range c.came {
				bytes += len(r.payload) + row
			}
			if n := c.next - begin; n != len(c.came) || n == 0 {
				t.Fatalf("%d slots were read, %d records came", n, len(c.came))
			}
			if bytes > 20000+longest+1000 || bytes < 20000 && c.next < records {
				t.Errorf("piece %d has %d bytes", pieces, bytes)
			}
			must(t, c.enter(t.Context()))
		}
		if c.m.Records != records || c.m.Embeddings[0].Rows != records {
			t.Errorf("%d records, %d rows of %d", c.m.Records, c.m.Embeddings[0].Rows, records)
		}
		must(t, c.held.Release())
		must(t, c.db.Close())
		for _, f := range c.files {
			must(t, f.Close())
		}
		c.discard()
		_, _, err = s.Compact(t.Context(), 1)
		must(t, err)
	})
	sound(t, dir)
}
