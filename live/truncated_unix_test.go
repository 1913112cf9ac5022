//go:build unix

package live_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// TestTruncatedFiles cuts each file of an index short while it is searched. That
// index answers with errors then, and no other is affected.
func TestTruncatedFiles(t *testing.T) {
	place := inMemory(t)
	build(t, filepath.Join(place, "sound"), []*model.Model{small(edit.GED)}, numbered(3000))
	sound := open(t, filepath.Join(place, "sound"))
	files, err := filepath.Glob(filepath.Join(place, "sound", "*"))
	must(t, err)
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(place, "cut "+name)
			must(t, os.CopyFS(dir, os.DirFS(filepath.Join(place, "sound"))))
			c, err := live.Open(background(), dir)
			must(t, err)
			must(t, os.Truncate(filepath.Join(dir, name), 100))
			proven := search.Proven
			search := func(mode search.Mode) error {
				s := c.Acquire()
				defer s.Release()
				return s.Read(func() error {
					q := graph.Adopt(s.Vocabulary(), path(graph.NewVocabulary(), 5, "C"))
					_, err := s.Search(background(), q, search.Options{Task: edit.GED, K: 3, Mode: mode, Workers: 2})
					return err
				})
			}
			for _, mode := range modes() {
				// The database is not read by searches, nor vectors by those that prove few answers.
				unread := strings.HasPrefix(name, "collection") || mode == proven && strings.HasPrefix(name, "vectors")
				if err := search(mode); !errors.Is(err, store.ErrDamaged) && !unread {
					t.Errorf("search in mode %v: error %v", mode, err)
				}
			}
			if _, err := c.Refresh(background()); !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrFormat) {
				t.Errorf("refresh: error %v", err)
			}
			_, err = c.Apply(background(), live.Change{Put: []live.Record{record("new", 1)}})
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrFormat) {
				t.Errorf("change: error %v", err)
			}
			if _, _, err := c.Get("17"); err != nil && !errors.Is(err, store.ErrDamaged) {
				t.Errorf("get: error %v", err)
			}
			must(t, c.Close())
			if rec, ok, err := sound.Get("17"); !ok || err != nil || rec.ID != "17" {
				t.Errorf("another index: %+v, error %v", rec, err)
			}
		})
	}
}

func modes() []search.Mode { return []search.Mode{search.Proven, search.Checked, search.Predicted} }
