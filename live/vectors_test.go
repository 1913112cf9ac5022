package live_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// askIn searches in a mode and returns the answers.
func askIn(c *live.Collection, mode search.Mode) (text string, err error) {
	s := c.Acquire()
	defer s.Release()
	err = s.Read(func() error {
		q := graph.Adopt(s.Vocabulary(), path(graph.NewVocabulary(), 5, "C"))
		r, err := s.Search(background(), q, search.Options{Task: edit.GED, K: 5, Mode: mode, Workers: 1})
		if err != nil {
			return err
		}
		for _, a := range r.Answers {
			text += fmt.Sprint(s.About(a.Position).ID, " ", a.Upper, ";")
			if mode == search.Predicted {
				text += fmt.Sprint(*a.Predicted, ";")
			}
		}
		return nil
	})
	return text, err
}

// TestVectorsAreReadWhenNeeded: opening an index, changing it and proofs of ranges read no
// vectors and no vector index, so they do as ever where these are damaged. A search by the model
// finds the damage.
func TestVectorsAreReadWhenNeeded(t *testing.T) {
	place := inMemory(t)
	sound := filepath.Join(place, "sound")
	build(t, sound, []*model.Model{small(edit.GED)}, numbered(1500))
	must(t, rewriteIndex(sound, true))
	whole := open(t, sound)
	change := live.Change{Put: []live.Record{record("new", 1)}, Delete: []string{"3"}}
	for _, name := range []string{"vectors", "settled"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(place, name)
			must(t, os.CopyFS(dir, os.DirFS(sound)))
			files, err := filepath.Glob(filepath.Join(dir, name+"-*"))
			must(t, err)
			text, err := os.ReadFile(files[0])
			must(t, err)
			at := 1000 // not in the block of the last vectors, to which a change adds
			if name == "settled" {
				at = len(text) - 1000 // the vector index
			}
			text[at] ^= 1
			must(t, os.WriteFile(files[0], text, 0o666))
			c := open(t, dir)
			for range 2 {
				want, err := askIn(whole, search.Proven)
				must(t, err)
				if got, err := askIn(c, search.Proven); err != nil || got != want {
					t.Errorf("proven: %q, want %q; error %v", got, want, err)
				}
				_, err = c.Apply(background(), change)
				must(t, err)
				_, err = whole.Apply(background(), change)
				must(t, err)
			}
			for _, mode := range []search.Mode{search.Checked, search.Predicted} {
				if _, err := askIn(c, mode); !errors.Is(err, store.ErrDamaged) {
					t.Errorf("mode %v: error %v", mode, err)
				}
			}
		})
	}
}

// TestSegmentWithoutModels: a collection that grows gets a segment, though it has no vectors.
func TestSegmentWithoutModels(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, nil, numbered(10))
	c := open(t, dir)
	for i := range 2 {
		var list []live.Record
		for j := range 2500 {
			list = append(list, record(fmt.Sprint(i, "-", j), j))
		}
		_, err := c.Apply(background(), live.Change{Put: list})
		must(t, err)
		must(t, c.Maintained())
	}
	s, err := store.Open(dir, store.Options{})
	must(t, err)
	defer s.Close()
	contents, err := s.Load(background())
	must(t, err)
	if n := contents.Segment.Len(); n != 5010 {
		t.Errorf("the segment has %d of 5010 graphs", n)
	}
	must(t, contents.Held.Release())
	if _, ok, err := c.Get("1-7"); !ok || err != nil {
		t.Errorf("found: %v, error %v", ok, err)
	}
}

// TestVectorsReadLate: searches by a model find the same whether its vectors were read before
// changes, between them or after them.
func TestVectorsReadLate(t *testing.T) {
	place := inMemory(t)
	var want []string
	for first := range 5 {
		dir := filepath.Join(place, fmt.Sprint(first))
		build(t, dir, []*model.Model{small(edit.GED)}, numbered(300))
		must(t, rewriteIndex(dir, true))
		c := open(t, dir)
		for i := range 5 {
			if i == 4 { // others may write, too
				must(t, putMany(dir, 3, false))
				_, err := c.Refresh(background())
				must(t, err)
			}
			if i >= first {
				got, err := askIn(c, search.Predicted)
				must(t, err)
				if first == 0 {
					want = append(want, got)
				} else if got != want[i] {
					t.Errorf("read after %d changes, after %d: %s, want %s", first, i, got, want[i])
				}
			}
			_, err := c.Apply(background(), live.Change{Put: []live.Record{record(fmt.Sprint("new", i), i)}, Delete: []string{fmt.Sprint(i)}})
			must(t, err)
		}
	}
}

// TestProofsReadVectors: a proof of the nearest reads stored vectors the first time, so that what
// it finds does not depend on the searches before. One of a range reads none.
func TestProofsReadVectors(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(300))
	c := open(t, dir)
	s := c.Acquire()
	defer s.Release()
	must(t, s.Read(func() error {
		q := graph.Adopt(s.Vocabulary(), path(graph.NewVocabulary(), 5, "C"))
		_, err := s.Search(background(), q, search.Options{Task: edit.GED, Radius: new(1.0), Mode: search.Proven, Workers: 1})
		return err
	}))
	if s.Embedded(edit.GED) != nil {
		t.Error("a proof of a range reads the vectors")
	}
	_, err := askIn(c, search.Proven)
	must(t, err)
	if s.Embedded(edit.GED) == nil {
		t.Error("a proof of the nearest does without stored vectors")
	}
}
