package live_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// TestAfter begins behind an id, whether or not there is one.
func TestAfter(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, nil, numbered(12))
	c := open(t, dir)
	ids := func(after string) (list []string) {
		for rec, err := range c.After(after) {
			must(t, err)
			list = append(list, rec.ID)
		}
		return list
	}
	for after, want := range map[string][]string{
		"10": {"11", "2", "3", "4", "5", "6", "7", "8", "9"}, "7x": {"8", "9"}, "9": nil, "z": nil, "": {"0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"},
	} {
		if got := ids(after); !slices.Equal(got, want) {
			t.Errorf("after %q: %q, want %q", after, got, want)
		}
	}
}

// TestChangesOfOneState: a change that is for a state is refused in any other, also
// where another process has made it.
func TestChangesOfOneState(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(5))
	ours, theirs := open(t, dir), open(t, dir)
	tag := func(c *live.Collection) string {
		s := c.Acquire()
		defer s.Release()
		return s.Tag()
	}
	first := tag(ours)
	if first != tag(theirs) {
		t.Errorf("one state is %q and %q", first, tag(theirs))
	}
	put := func(c *live.Collection, version int, only string) (string, error) {
		_, tag, err := c.ApplyTo(background(), live.Change{Put: []live.Record{record("3", version)}, If: only})
		return tag, err
	}
	second, err := put(theirs, 7, first)
	must(t, err)
	if second == first || second != tag(theirs) {
		t.Errorf("tags %q, %q, %q", first, second, tag(theirs))
	}
	if _, err := put(ours, 8, first); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a change of a state that is no more: %v", err)
	}
	third, err := put(ours, 8, second)
	must(t, err)
	if rec, _, err := ours.Get("3"); err != nil || rec.Name != "8" {
		t.Errorf("%+v, %v", rec, err)
	}
	// What searches need is written without a change of the state.
	s, err := store.Open(dir, store.Options{})
	must(t, err)
	must(t, errors.Join(s.WriteSegment(background(), 1), s.Close()))
	_, err = ours.Refresh(background())
	must(t, err)
	if now := tag(ours); now != third {
		t.Errorf("with a segment, the state is %q, before %q", now, third)
	}
}
