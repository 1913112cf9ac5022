package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

// TestLikeAMap does random things to a collection and to a map, and compares
// them: puts, replacements, deletions, new models, compaction, copies, opening
// again.
func TestLikeAMap(t *testing.T) {
	t.Parallel()
	place := inMemory(t)
	rapid.Check(t, func(r *rapid.T) {
		folder, err := os.MkdirTemp(place, "")
		must(r, err)
		defer os.RemoveAll(folder)
		dir := empty(r, folder)
		vocab := graph.NewVocabulary()
		want := make(map[string]dataset.Record)
		version, models, copies := 0, 0, 0
		agree := func(dir string) {
			c := load(r, dir)
			if len(c.Records) != len(want) {
				r.Fatalf("%d records, want %d", len(c.Records), len(want))
			}
			for _, rec := range c.Records {
				same(r, rec, want[rec.ID])
			}
			vectorsFit(t, c)
			placesFit(r, dir, c.Records)
			sound(r, dir)
		}
		r.Repeat(map[string]func(*rapid.T){
			"put": func(r *rapid.T) {
				var records []dataset.Record
				again := 0
				for _, id := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "é\n"}), 1, 4).Draw(r, "ids") {
					version++
					rec := newRecord(vocab, id, version)
					if _, ok := want[id]; ok {
						again++
					}
					want[id] = rec
					records = append(records, rec)
				}
				replaced, err := addAt(context.Background(), dir, records, 1)
				must(r, err)
				if replaced != again {
					r.Fatalf("%d replaced, want %d", replaced, again)
				}
			},
			"delete": func(r *rapid.T) {
				id := rapid.SampledFrom([]string{"a", "b", "none", ""}).Draw(r, "id")
				_, have := want[id]
				delete(want, id)
				use(r, dir, func(s *Store) {
					absent, err := s.Delete(context.Background(), []string{id})
					must(r, err)
					if len(absent) == 0 != have {
						r.Fatalf("there were not %q", absent)
					}
				})
			},
			"get": func(r *rapid.T) {
				id := rapid.SampledFrom([]string{"a", "b", "none", ""}).Draw(r, "id")
				use(r, dir, func(s *Store) {
					must(r, s.View(context.Background(), func(snap *Snapshot) error {
						rec, err := snap.Get(id)
						if w, ok := want[id]; ok {
							must(r, err)
							same(r, rec, w)
						} else if !errors.Is(err, ErrNotFound) {
							r.Fatalf("error %v", err)
						}
						return nil
					}))
				})
			},
			"reembed": func(r *rapid.T) {
				models++
				task := rapid.SampledFrom([]edit.Task{edit.GED, edit.SED}).Draw(r, "task")
				must(r, reembedAt(context.Background(), dir, fmt.Sprint("m", models), newModel(task, uint64(models)), false, 1, nil))
			},
			"compact": func(r *rapid.T) {
				_, _, err := compactAt(context.Background(), dir, 1)
				must(r, err)
				use(r, dir, func(s *Store) {
					must(r, s.View(context.Background(), func(snap *Snapshot) error {
						if snap.Slots() != len(want) {
							r.Fatalf("%d slots for %d records", snap.Slots(), len(want))
						}
						return nil
					}))
				})
			},
			"copy": func(r *rapid.T) {
				copies++
				to := filepath.Join(folder, fmt.Sprint("copy", copies))
				use(r, dir, func(s *Store) { must(r, s.CopyTo(context.Background(), to)) })
				agree(to)
			},
			"read": func(*rapid.T) { agree(dir) },
		})
		agree(dir)
	})
}

// TestReadersSeeWholeChanges: while one goroutine puts pairs, others find both
// or none, and a copy made meanwhile is sound.
func TestReadersSeeWholeChanges(t *testing.T) {
	dir := empty(t, inMemory(t))
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, s.AddForeign(context.Background(), "x", edit.GED, norm.Single(norm.L2, 3, false)))
	done := make(chan error, 1)
	const pairs = 30
	go func() {
		var err error
		for i := 0; i < pairs && err == nil; i++ {
			x := float32(i)
			_, err = s.Put(context.Background(), []dataset.Record{{ID: fmt.Sprint(i, "a")}, {ID: fmt.Sprint(i, "b")}}, map[string][]float32{"x": {x, x, x, x, x, x}})
		}
		done <- err
	}()
	for running := true; running; {
		select {
		case err := <-done:
			must(t, err)
			running = false
		default:
		}
		must(t, s.View(context.Background(), func(snap *Snapshot) error {
			rows, err := snap.Vectors("x")
			if err != nil {
				return err
			}
			n := 0
			err = snap.Range(0, snap.Slots(), func(slot int, rec dataset.Record) error { n++; return nil })
			if n != snap.Len() || n%2 != 0 || len(rows) != 3*n {
				t.Errorf("%d records, %d values, want %d", n, len(rows), snap.Len())
			}
			for i, x := range rows {
				if int(x) != i/6 {
					t.Errorf("value %d is %v", i, x)
				}
			}
			return err
		}))
	}
	must(t, s.CopyTo(context.Background(), dir+"2"))
	must(t, s.Close())
	sound(t, dir)
	sound(t, dir+"2")
}

// TestReembedWhileGraphsAreAdded: what is put between pieces gets its vectors,
// and the old embedding serves to the end.
func TestReembedWhileGraphsAreAdded(t *testing.T) {
	dir := empty(t, inMemory(t))
	ctx := context.Background()
	old, renewed := newModel(edit.GED, 1), newModel(edit.GED, 2)
	use(t, dir, func(s *Store) { must(t, s.AddEmbedding(context.Background(), "old", old)) })
	vocab := graph.NewVocabulary()
	add := func(from, to int) {
		var records []dataset.Record
		for i := from; i < to; i++ {
			records = append(records, newRecord(vocab, fmt.Sprint(i), i))
		}
		_, err := addAt(ctx, dir, records, 1)
		must(t, err)
	}
	const many = 5000
	add(0, many)
	visits := 0
	must(t, reembedAt(ctx, dir, "new", renewed, true, 2, func(int) {
		if visits++; visits > 1 {
			return
		}
		add(many-10, many+30)
		c := load(t, dir)
		if c.Engines[0].Model.Fingerprint() != old.Fingerprint() {
			t.Error("the new model serves before it is complete")
		}
	}))
	c := load(t, dir)
	if len(c.Engines) != 1 || c.Engines[0].Model.Fingerprint() != renewed.Fingerprint() || len(c.Records) != many+30 {
		t.Errorf("%d engines, %d records", len(c.Engines), len(c.Records))
	}
	vectorsFit(t, c)
	sound(t, dir)
	for name, want := range map[string]error{"old": ErrExists, "new": ErrExists, "": ErrVectors} {
		if err := reembedAt(ctx, dir, name, renewed, true, 1, nil); !errors.Is(err, want) {
			t.Errorf("name %q: error %v", name, err)
		}
	}
}

// TestUnfinishedEmbedding: what a stopped reembed of an earlier program left is dropped, and
// its name is free.
func TestUnfinishedEmbedding(t *testing.T) {
	dir := filled(t, inMemory(t), 30)
	m := newModel(edit.GED, 2)
	leave := func() {
		use(t, dir, func(s *Store) {
			must(t, s.update(t.Context(), func(snap *Snapshot) error {
				e := Embedding{Name: "new", Task: edit.GED, Model: m.Fingerprint(), Norm: m.Norm(), Rows: 7, File: snap.m.NextFile}
				snap.m.NextFile++
				snap.m.Embeddings = append(snap.m.Embeddings, e)
				_, err := s.createVectors(e)
				return err
			}))
		})
	}
	leave()
	_, err := addAt(t.Context(), dir, []dataset.Record{newRecord(graph.NewVocabulary(), "one more", 7)}, 1)
	must(t, err)
	sound(t, dir)
	vectorsFit(t, load(t, dir))
	leave()
	must(t, reembedAt(t.Context(), dir, "new", m, false, 1, nil))
	sound(t, dir)
	if c := load(t, dir); len(c.Engines) != 1 || c.Engines[0].Model.Fingerprint() != m.Fingerprint() {
		t.Errorf("%d engines", len(c.Engines))
	}
}

// TestNeighbourhoods: records are the neighbourhoods, in order, made anew.
func TestNeighbourhoods(t *testing.T) {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	const n = 600
	for range n {
		b.AddNode("C")
	}
	for v := 1; v < n; v++ {
		must(t, b.AddEdge(v/10*10-min(v/10*10, 7*(1-min(v%10, 1))), v, "1"))
	}
	g, err := b.Build()
	must(t, err)
	dir := filepath.Join(inMemory(t), "index")
	ctx := context.Background()
	must(t, Build(dir, func(s *Store) error {
		return s.PutNeighbourhoods(ctx, LargeGraph{dataset.Record{ID: "large", Graph: g}, 2, 15, 2}, map[string]*model.Model{"ged": newModel(edit.GED, 1)}, nil)
	}))
	c := load(t, dir)
	cut := 0
	for v, rec := range c.Records {
		nodes, truncated := g.Neighbourhood(v, 2, 15)
		if truncated {
			cut++
		}
		if rec.ID != fmt.Sprint(v) || !graph.Isomorphic(graph.In(vocab, rec.Graph), g.Induced(nodes)) {
			t.Fatalf("record %d is %s", v, rec.ID)
		}
	}
	if len(c.Records) != n || cut == 0 || cut == n {
		t.Errorf("%d records, %d cut", len(c.Records), cut)
	}
	vectorsFit(t, c)
	use(t, dir, func(s *Store) {
		must(t, s.View(context.Background(), func(snap *Snapshot) error {
			if h := snap.Neighbourhoods(); h.Truncated != cut {
				t.Errorf("%d cut, want %d", h.Truncated, cut)
			}
			return nil
		}))
		if _, err := s.Put(context.Background(), []dataset.Record{newRecord(vocab, "x", 1)}, nil); !errors.Is(err, ErrKind) {
			t.Errorf("put among neighbourhoods: error %v", err)
		}
		_, err := s.Delete(context.Background(), []string{"5"})
		must(t, err)
	})
	_, _, err = compactAt(context.Background(), dir, 1)
	must(t, err)
	if c := load(t, dir); len(c.Records) != n-1 || c.Records[5].ID != "6" {
		t.Error("compacting lost the centres")
	}
	sound(t, dir)
}

// TestRefusals: what cannot be done says so and changes nothing.
func TestRefusals(t *testing.T) {
	dir := empty(t, inMemory(t))
	if err := Build(dir, func(*Store) error { return nil }); !errors.Is(err, ErrExists) {
		t.Errorf("built over another: error %v", err)
	}
	failed := errors.New("failed")
	other := filepath.Join(t.TempDir(), "other")
	if err := Build(other, func(*Store) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(other + "*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if _, err := Open(t.TempDir(), Options{}); !errors.Is(err, ErrFormat) {
		t.Errorf("empty folder: error %v", err)
	}
	use(t, dir, func(s *Store) {
		must(t, s.exclusively(t.Context(), func(*Snapshot) error {
			if _, err := Open(dir, Options{Wait: time.Millisecond}); !errors.Is(err, ErrLocked) {
				t.Errorf("two writers: error %v", err)
			}
			return nil
		}))
		must(t, s.AddForeign(context.Background(), "x", edit.GED, norm.Single(norm.L1, 2, false)))
		if err := s.AddForeign(context.Background(), "x", edit.GED, norm.Single(norm.L1, 2, false)); !errors.Is(err, ErrExists) {
			t.Errorf("a name given twice: error %v", err)
		}
		for name, rows := range map[string]map[string][]float32{
			"none": nil, "few": {"x": {1}}, "unknown": {"x": {1, 2}, "y": {1}}, "infinite": {"x": {1, float32(math.Inf(1))}},
		} {
			if _, err := s.Put(context.Background(), []dataset.Record{{ID: "a"}}, rows); !errors.Is(err, ErrVectors) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		for _, id := range []string{"", "\xff", string(make([]byte, MaxID+1))} {
			if _, err := s.Put(context.Background(), []dataset.Record{{ID: "a"}, {ID: id}}, map[string][]float32{"x": {1, 2, 3, 4}}); err == nil {
				t.Errorf("id %.10q was accepted", id)
			}
		}
		must(t, s.View(context.Background(), func(snap *Snapshot) error {
			if snap.Len() != 0 || snap.Slots() != 0 {
				t.Error("a change that failed left something")
			}
			return nil
		}))
		_, err := s.Put(context.Background(), []dataset.Record{{ID: "a"}}, map[string][]float32{"x": {1, 2}})
		must(t, err)
	})
	if _, err := loadAt(t.Context(), dir); !errors.Is(err, ErrKind) {
		t.Errorf("vectors without graphs: error %v", err)
	}
	sound(t, dir)
}

// TestNewerVersionIsRefused.
func TestNewerVersionIsRefused(t *testing.T) {
	dir := empty(t, inMemory(t))
	use(t, dir, func(s *Store) {
		must(t, s.transact(t.Context(), true, func(db *bolt.DB) error {
			return db.Update(func(tx *bolt.Tx) error {
				m, err := readManifest(tx)
				must(t, err)
				m.Version++
				return m.write(tx)
			})
		}))
	})
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "newer greed") {
		t.Errorf("error %v", err)
	}
	dir = filled(t, inMemory(t), 3)
	files, err := filepath.Glob(filepath.Join(dir, vectorsPrefix+"*"))
	must(t, err)
	data, err := os.ReadFile(files[0])
	must(t, err)
	data[len(vectorsMagic)]++
	must(t, os.WriteFile(files[0], data, 0o666))
	if _, err := loadAt(t.Context(), dir); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), filepath.Base(files[0])) {
		t.Errorf("vectors of a later version: error %v", err)
	}
}

// TestLeftoversAreSwept: what a killed process leaves goes when the next opens.
func TestLeftoversAreSwept(t *testing.T) {
	dir := empty(t, inMemory(t))
	for _, name := range []string{"vectors-00000007", newDatabase} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666))
	}
	use(t, dir, func(s *Store) {
		_, err := s.Delete(t.Context(), nil)
		must(t, err)
	})
	entries, err := os.ReadDir(dir)
	must(t, err)
	names := make(map[string]bool)
	for _, e := range entries {
		names[e.Name()] = true
	}
	if got := slices.Sorted(maps.Keys(names)); len(got) != 1 || got[0] != databaseFile {
		t.Errorf("left: %v", got)
	}
}
