package live_test

import (
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// TestLoadingInVain: what was loaded from a folder that is the collection's no more is not taken up, and
// the loading ends, so that another can begin.
func TestLoadingInVain(t *testing.T) {
	dir, other := filepath.Join(inMemory(t), "index"), filepath.Join(inMemory(t), "other")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(20))
	build(t, other, []*model.Model{small(edit.GED)}, numbered(30))
	c := open(t, dir)
	s, err := store.Open(other, store.Options{})
	must(t, err)
	defer s.Close()
	tag := c.Tag()
	for _, closed := range []bool{false, true} {
		if closed {
			must(t, c.Close())
		}
		loading, err := c.EndsLoadOf(background(), s)
		must(t, err)
		if loading {
			t.Errorf("closed %t: the loading did not end", closed)
		}
		if !closed && c.Tag() != tag {
			t.Error("the state of another folder was taken up")
		}
	}
}
