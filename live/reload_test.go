package live_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// cutSegment takes a byte off the file of the segment.
func cutSegment(t *testing.T, dir string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "settled-*"))
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("segments: %v", list)
	}
	info, err := os.Stat(list[0])
	must(t, err)
	must(t, os.Truncate(list[0], info.Size()-1))
}

// TestChangesDoNotWaitForLoading: a change after a compaction by another process is
// acknowledged though the compacted files cannot be read, so it did not read them. Nobody
// gets a state without the change, and no further change is acknowledged until the files
// can be read.
func TestChangesDoNotWaitForLoading(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(500))
	c := open(t, dir)
	must(t, rewriteIndex(dir, true))
	cutSegment(t, dir)
	put := func(version int) (string, error) {
		_, tag, err := c.ApplyTo(background(), live.Change{Put: []live.Record{record("ours", version)}})
		return tag, err
	}
	tag, err := put(1)
	must(t, err)
	if tag == "" || c.Tag() != tag {
		t.Errorf("the state is %q, and after the change it was %q", c.Tag(), tag)
	}
	damaged := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v, want damage", what, err)
		}
	}
	read := func() error {
		s := c.Acquire()
		defer s.Release()
		return s.Read(func() error { return nil })
	}
	damaged("a reader", read())
	if c.Tag() != tag { // now that loading has failed
		t.Errorf("the state is %q, and after the change it was %q", c.Tag(), tag)
	}
	_, _, err = c.Get("ours")
	damaged("a look at a record", err)
	_, err = put(2)
	damaged("another change", err)
	must(t, rewriteIndex(dir, true)) // from the database, which is whole
	if _, err := put(3); err != nil {
		// It waited for a loading that began before the compaction.
		damaged("a change during the compaction", err)
		_, err = c.Refresh(background())
		must(t, err)
		_, err = put(3)
		must(t, err)
	}
	must(t, read())
	rec, ok, err := c.Get("ours")
	must(t, err)
	if !ok || version(rec) != 3 {
		t.Errorf("there is %v, want the third version", rec)
	}
}

// TestChangesBesideCompactions: while another process compacts again and again, each
// change is there for all who read after it was acknowledged, and states are as the
// index has them.
func TestChangesBesideCompactions(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(300))
	c := open(t, dir)
	stop := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := rewriteIndex(dir, true); err != nil {
					t.Error(err)
				}
			}
		}
	})
	others.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := c.Refresh(background()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for i := range 200 {
		change := live.Change{Put: []live.Record{record(fmt.Sprint("ours", i%7), i)}}
		if i%3 == 2 {
			change.Delete = []string{fmt.Sprint(i)}
		}
		_, err := c.Apply(background(), change)
		must(t, err)
		rec, ok, err := c.Get(fmt.Sprint("ours", i%7))
		must(t, err)
		if !ok || version(rec) != i {
			t.Fatalf("after change %d there is %v", i, rec)
		}
		if _, ok, err := c.Get(fmt.Sprint(i)); ok && i%3 == 2 || err != nil {
			t.Fatalf("graph %d was deleted and is there: %v", i, err)
		}
		s := c.Acquire()
		if want := 300 - (i+1)/3 + min(i+1, 7); s.Len() != want {
			t.Errorf("after change %d there are %d graphs, want %d", i, s.Len(), want)
		}
		_ = s.Release()
	}
	close(stop)
	others.Wait()
	r, err := store.Check(background(), dir)
	must(t, err)
	if len(r.Problems) > 0 {
		t.Error(r.Problems)
	}
}
