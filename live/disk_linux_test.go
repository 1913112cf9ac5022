package live_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// disk is a small file system that was made for a test.
type disk struct {
	t   *testing.T
	dir string
}

// newDisk mounts a file system with room for some megabytes. Not everybody may do that.
func newDisk(t *testing.T, megabytes int) disk {
	t.Helper()
	d := disk{t, t.TempDir()}
	if err := unix.Mount("tmpfs", d.dir, "tmpfs", 0, size(megabytes)); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(d.dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

func size(megabytes int) string { return fmt.Sprintf("size=%dm", megabytes) }

// again mounts the file system with other settings.
func (d disk) again(flags uintptr, megabytes int) {
	d.t.Helper()
	must(d.t, unix.Mount("tmpfs", d.dir, "tmpfs", unix.MS_REMOUNT|flags, size(megabytes)))
}

// disked is a collection on a disk, with the versions of its records that were
// acknowledged.
type disked struct {
	*live.Collection
	t     *testing.T
	dir   string
	acked map[string]int
}

func newDisked(t *testing.T, d disk) *disked {
	t.Helper()
	dir := filepath.Join(d.dir, "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(50))
	c := &disked{open(t, dir), t, dir, make(map[string]int)}
	for i := range 50 {
		c.acked[fmt.Sprint(i)] = i
	}
	return c
}

// put changes a record, or does not.
func (c *disked) put(id string, version int) error { return c.putAll(map[string]int{id: version}) }

// putAll changes records, or none.
func (c *disked) putAll(versions map[string]int) error {
	var change live.Change
	for id, version := range versions {
		change.Put = append(change.Put, record(id, version))
	}
	_, err := c.Apply(background(), change)
	if err == nil {
		maps.Copy(c.acked, versions)
	}
	return err
}

// holds fails unless the collection, and whoever opens it now, has all that was
// acknowledged and nothing else, and can be searched.
func (c *disked) holds(when string) {
	c.t.Helper()
	other, err := live.Open(background(), c.dir)
	if err != nil {
		c.t.Fatalf("%s: it cannot be opened: %v", when, err)
	}
	for who, in := range map[string]*live.Collection{"this process": c.Collection, "another": other} {
		s := in.Acquire()
		if s.Len() != len(c.acked) {
			c.t.Errorf("%s: for %s there are %d graphs, want %d", when, who, s.Len(), len(c.acked))
		}
		r, err := s.Search(background(), path(s.Vocabulary(), 3, "L1"), search.Options{Task: edit.GED, K: 3})
		if err != nil || len(r.Answers) != 3 {
			c.t.Errorf("%s: for %s a search gives %v", when, who, err)
		}
		must(c.t, s.Release())
		for id, want := range c.acked {
			if rec, ok, err := in.Get(id); !ok || err != nil || version(rec) != want {
				c.t.Fatalf("%s: for %s graph %s is %v (%v), want version %d", when, who, id, rec.Attributes, err, want)
			}
		}
	}
	must(c.t, other.Close())
}

// refused fails unless an error says what the disk says, and which file it concerns.
func (c *disked) refused(what string, err, cause error) {
	c.t.Helper()
	if !errors.Is(err, cause) || !strings.Contains(fmt.Sprint(err), c.dir) {
		c.t.Errorf("%s: %v, want %v of a file in %s", what, err, cause, c.dir)
	}
	if errors.Is(err, store.ErrDamaged) {
		c.t.Errorf("%s: it is called damaged: %v", what, err)
	}
}

// TestFullFileSystem: what finds no room is refused and named, all else stays and can be
// read, and with room again the same process goes on.
func TestFullFileSystem(t *testing.T) {
	d := newDisk(t, 1)
	c := newDisked(t, d)
	var err error
	for _, together := range []int{50, 1} { // one at a time at last, until not even that finds room
		for err = nil; err == nil; {
			versions := make(map[string]int)
			for i := range together {
				versions[fmt.Sprint("new", len(c.acked)+i)] = i
			}
			err = c.putAll(versions)
		}
	}
	c.refused("a change", err, unix.ENOSPC)
	c.holds("full")
	c.refused("compacting", rewriteIndex(c.dir, true), unix.ENOSPC)
	c.holds("after a compaction that found no room")
	c.refused("writing a segment", rewriteIndex(c.dir, false), unix.ENOSPC)
	c.holds("after a segment that found no room")
	left, err := filepath.Glob(filepath.Join(c.dir, "*.new"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left on the full disk: %v", left)
	}
	d.again(0, 16)
	for i := range 5 {
		must(t, c.put(fmt.Sprint("later", i), i))
	}
	must(t, rewriteIndex(c.dir, true))
	must(t, c.put("last", 1))
	c.holds("with room again")
}

// TestReadOnlyFileSystem: a service on a file system that turns read-only answers and
// refuses changes, and goes on once it can write.
func TestReadOnlyFileSystem(t *testing.T) {
	d := newDisk(t, 16)
	c := newDisked(t, d)
	must(t, c.put("before", 1))
	// A file that is open for writing keeps a file system from turning read-only. The
	// collection holds those of vectors to which it has added.
	if err := unix.Mount("tmpfs", d.dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, size(16)); err != nil {
		if !errors.Is(err, unix.EBUSY) {
			t.Fatal(err)
		}
		must(t, c.Close())
		d.again(unix.MS_RDONLY, 16)
		var err error
		c.Collection, err = live.Open(background(), c.dir)
		must(t, err)
		t.Cleanup(func() { must(t, c.Close()) })
	}
	c.refused("a change", c.put("no", 1), unix.EROFS)
	_, err := c.Apply(background(), live.Change{Delete: []string{"7"}})
	c.refused("a deletion", err, unix.EROFS)
	c.refused("compacting", rewriteIndex(c.dir, true), unix.EROFS)
	c.refused("writing a segment", rewriteIndex(c.dir, false), unix.EROFS)
	_, err = c.Refresh(background())
	must(t, err)
	c.holds("read-only")
	if err := os.WriteFile(filepath.Join(c.dir, "x"), nil, 0o666); !errors.Is(err, unix.EROFS) {
		t.Fatalf("it is not read-only: %v", err)
	}
	d.again(0, 16)
	must(t, c.put("after", 1))
	c.holds("writable again")
}
