package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestNewIDs: a build that is not to replace names both records of an id, in one
// batch or in two.
func TestNewIDs(t *testing.T) {
	vocab := graph.NewVocabulary()
	for _, batches := range [][]int{{6}, {4, 2}} {
		dir := filepath.Join(inMemory(t), "index")
		ids := []string{"a", "b", "c", "d", "b", "e"}
		err := Build(dir, func(s *Store) error {
			at := 0
			for _, n := range batches {
				var records []dataset.Record
				for _, id := range ids[at : at+n] {
					records = append(records, newRecord(vocab, id, at))
				}
				if _, _, err := s.Add(t.Context(), records, true, 1); err != nil {
					return err
				}
				at += n
			}
			return nil
		})
		var twice *DuplicateError
		if !errors.As(err, &twice) || !errors.Is(err, ErrExists) || twice.ID != "b" || twice.Slot != 1 || twice.Index != map[int]int{1: 4, 2: 0}[len(batches)] {
			t.Errorf("batches %v: %v", batches, err)
		}
		if Exists(dir) {
			t.Error("it was built")
		}
	}
}

// TestRemovalsAreTold: who knows a state learns of all that went and came.
func TestRemovalsAreTold(t *testing.T) {
	dir := filled(t, inMemory(t), 30)
	must(t, writeSegmentAt(t.Context(), dir, 1))
	use(t, dir, func(s *Store) {
		c, err := s.Load(t.Context())
		must(t, err)
		if d, err := s.Since(t.Context(), c.Known); d != nil || err != nil {
			t.Fatalf("nothing happened: %+v, error %v", d, err)
		}
		vocab := graph.NewVocabulary()
		_, err = addAt(t.Context(), dir, []dataset.Record{newRecord(vocab, "8", 100), newRecord(vocab, "x", 101), newRecord(vocab, "x", 102)}, 1)
		must(t, err)
		_, err = s.Delete(t.Context(), []string{"9"})
		must(t, err)
		d, err := s.Since(t.Context(), c.Known)
		must(t, err)
		slots := map[string]int{}
		for slot := range c.Segment.Len() {
			if !c.Segment.empty(slot) {
				slots[c.Segment.Record(slot).ID] = slot
			}
		}
		n := c.Segment.Len()
		if got, want := fmt.Sprint(d.Drop), fmt.Sprint([]int{n + 1, slots["8"], slots["9"]}); got != want {
			t.Errorf("dropped %s, want %s", got, want)
		}
		if len(d.Put) != 3 || d.Put[2].ID != "x" || len(d.Engines[0].Vectors) != 16*(n+3) {
			t.Errorf("%d records and %d values came", len(d.Put), len(d.Engines[0].Vectors))
		}
		must(t, d.Held.Release())

		// The first of the new slots becomes empty before it is told: it is dropped once.
		_, err = addAt(t.Context(), dir, []dataset.Record{newRecord(vocab, "y", 103), newRecord(vocab, "y", 104)}, 1)
		must(t, err)
		more, err := s.Since(t.Context(), d.Known)
		must(t, err)
		if got, want := fmt.Sprint(more.Drop), fmt.Sprint([]int{n + 3}); got != want || len(more.Put) != 2 {
			t.Errorf("dropped %s of %d new ones, want %s", got, len(more.Put), want)
		}
		must(t, more.Held.Release())
		for name, anew := range map[string]func() error{
			"segment":   func() error { return s.WriteSegment(t.Context(), 1) },
			"compacted": func() error { _, _, err := s.Compact(t.Context(), 2); return err },
		} {
			must(t, anew())
			if _, err := s.Since(t.Context(), c.Known); !errors.Is(err, ErrRewritten) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		must(t, c.Held.Release())
	})
}

// TestCompactWhileItChanges carries over what others do between the pieces.
func TestCompactWhileItChanges(t *testing.T) {
	dir := filled(t, inMemory(t), 3000)
	vocab := graph.NewVocabulary()
	s, err := Open(dir, Options{})
	must(t, err)
	s.piece = 1 // 64 records at a time
	over := make(chan error, 1)
	go func() {
		_, _, err := s.Compact(t.Context(), 2)
		over <- err
	}()
	rounds := 0
	for running := true; running; rounds++ {
		select {
		case err := <-over:
			must(t, err)
			running = false
		default:
			id := fmt.Sprint("more", rounds%40)
			_, err := addAt(t.Context(), dir, []dataset.Record{newRecord(vocab, id, 5000+rounds), newRecord(vocab, fmt.Sprint(10+rounds), 7000+rounds)}, 1)
			must(t, err)
			use(t, dir, func(s *Store) {
				_, err := s.Delete(t.Context(), []string{fmt.Sprint("more", (rounds+20)%40), fmt.Sprint(1000 + rounds)})
				must(t, err)
			})
		}
	}
	sound(t, dir)
	must(t, s.WriteSegment(t.Context(), 2))
	must(t, s.Close())
	sound(t, dir)
	c := load(t, dir)
	vectorsFit(t, c)
	placesFit(t, dir, c.Records)
	for _, rec := range c.Records {
		if strings.HasPrefix(rec.ID, "more") {
			same(t, rec, newRecord(vocab, rec.ID, int(rec.Attributes["version"].(float64))))
		}
	}
	t.Logf("%d rounds of changes meanwhile", rounds)
}

// TestBugsGoThrough: a panic of ours is no damage, and the lock does not stay.
func TestBugsGoThrough(t *testing.T) {
	dir := filled(t, inMemory(t), 20)
	use(t, dir, func(s *Store) {
		for name, bug := range map[string]func(){
			"text": func() { panic("a bug") }, "index": func() { _ = make([]int, 1)[len(dir)] }, "nil": func() { _ = (*Snapshot)(nil).m.Slots },
		} {
			for which, transact := range map[string]func(func(*Snapshot) error) error{
				"read":   func(use func(*Snapshot) error) error { return s.View(t.Context(), use) },
				"change": func(use func(*Snapshot) error) error { return s.update(t.Context(), use) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s: %s: swallowed", which, name)
						}
					}()
					err := transact(func(*Snapshot) error { bug(); return nil })
					t.Errorf("%s: %s: became error %v", which, name, err)
				}()
			}
		}
		_, err := s.Delete(t.Context(), []string{"1"})
		must(t, err)
	})
	sound(t, dir)
}

// TestMixedIsFound: an index that holds graphs of both kinds, as older programs
// wrote, is told by check.
func TestMixedIsFound(t *testing.T) {
	dir := filled(t, inMemory(t), 20)
	b := graph.NewBuilder(graph.NewVocabulary(), true)
	b.AddNode("C")
	g, err := b.Build()
	must(t, err)
	use(t, dir, func(s *Store) {
		must(t, s.update(t.Context(), func(snap *Snapshot) error {
			_, err := snap.put([]dataset.Record{{ID: "directed", Graph: g}}, noCentre, map[string][]float32{"ged": make([]float32, 16)}, false)
			return err
		}))
	})
	r, err := Check(t.Context(), dir)
	must(t, err)
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "directed") {
		t.Errorf("problems %v", r.Problems)
	}
}

// TestCutDatabase: a database file that lost its end is damaged, whatever is asked.
func TestCutDatabase(t *testing.T) {
	dir := filled(t, inMemory(t), 400)
	path := filepath.Join(dir, databaseFile)
	info, err := os.Stat(path)
	must(t, err)
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, os.Truncate(path, info.Size()/2/pageSize*pageSize))
	for name, use := range map[string]func() error{
		"load":   func() error { _, err := s.Load(t.Context()); return err },
		"delete": func() error { _, err := s.Delete(t.Context(), []string{"1"}); return err },
		"open":   func() error { _, err := Open(dir, Options{}); return err },
	} {
		if err := use(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	must(t, s.Close())
}

// TestModelsAreParsedOnce by a store, whatever is done with it.
func TestModelsAreParsedOnce(t *testing.T) {
	dir := filled(t, inMemory(t), 20)
	use(t, dir, func(s *Store) {
		c, err := s.Load(t.Context())
		must(t, err)
		_, _, err = s.Add(t.Context(), []dataset.Record{newRecord(graph.NewVocabulary(), "new", 3)}, false, 1)
		must(t, err)
		again, err := s.Load(t.Context())
		must(t, err)
		if c.Engines[0].Model != again.Engines[0].Model || c.Engines[0].Task != edit.GED {
			t.Error("another model")
		}
	})
}

// TestFailedChangeVerifiesNothing: rows that a change wrote, read and did not commit are no verified ones
// once others are in their place.
func TestFailedChangeVerifiesNothing(t *testing.T) {
	dir := filled(t, inMemory(t), 1)
	use(t, dir, func(s *Store) {
		c, err := s.Load(t.Context())
		must(t, err)
		defer c.Held.Release()
		must(t, s.View(t.Context(), func(snap *Snapshot) error {
			_, err := snap.rowsFrom(snap.m.Embeddings[0], 0) // which verifies them
			return err
		}))
		vocab := graph.NewVocabulary()
		block := func(version int) (list []dataset.Record) {
			per := s.files[c.Known.m.Embeddings[0].File].blockRows()
			for i := range per { // so many that a block is whole
				list = append(list, newRecord(vocab, fmt.Sprint("n", i), version))
			}
			return list
		}
		e, err := s.Embed(t.Context(), Change{Put: block(1)}, 1)
		must(t, err)
		fails := errors.New("the disk fails")
		err = s.update(t.Context(), func(snap *Snapshot) error {
			_, d, err := snap.apply(&c.Known, e.change, e.models, e.rows)
			must(t, err)
			must(t, d.Held.Release())
			return fails
		})
		if !errors.Is(err, fails) {
			t.Fatal(err)
		}
		_, _, err = s.Add(t.Context(), block(2), true, 1)
		must(t, err)
		var path string
		must(t, s.View(t.Context(), func(snap *Snapshot) error {
			f := s.files[snap.m.Embeddings[0].File]
			path = f.path
			return nil
		}))
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		must(t, err)
		defer file.Close()
		b := make([]byte, 1)
		at := int64(vectorsHeader + 4*16*3) // of the third record
		_, err = file.ReadAt(b, at)
		must(t, err)
		b[0] ^= 1
		_, err = file.WriteAt(b, at)
		must(t, err)
		if _, err := s.Since(t.Context(), c.Known); !errors.Is(err, ErrDamaged) {
			t.Errorf("damaged rows were taken for verified ones: error %v", err)
		}
	})
}
