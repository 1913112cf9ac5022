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
	loading, err := c.EndsLoadOf(background(), s, false)
	must(t, err)
	if loading || c.Tag() != tag {
		t.Errorf("loading goes on: %t; the state %s became %s", loading, tag, c.Tag())
	}
	must(t, c.Close())
	if loading, err := c.EndsLoadOf(background(), s, true); loading || err != nil {
		t.Errorf("of a closed collection loading goes on: %t, %v", loading, err)
	}
}
