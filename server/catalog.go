package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/atomicfile"
)

// catalog is the set of collections. It never changes; another replaces it.
type catalog struct {
	names []string // in the order given
	by    map[string]*hosted
}

// with returns a catalog with one more collection.
func (c *catalog) with(sh *hosted) *catalog {
	next := &catalog{append(slices.Clone(c.names), sh.Name), maps.Clone(c.by)}
	next.by[sh.Name] = sh
	return next
}

// without returns a catalog without one of its collections.
func (c *catalog) without(name string) *catalog {
	next := &catalog{slices.Clone(c.names), maps.Clone(c.by)}
	next.names = slices.DeleteFunc(next.names, func(n string) bool { return n == name })
	delete(next.by, name)
	return next
}

const (
	// indexEnding is that of folders in the root.
	indexEnding = ".index"
	// droppedPrefix is that of folders that are being deleted.
	droppedPrefix = ".dropped-"
	// mostCollections is the number of collections from which on none can be created.
	mostCollections = 1000
)

// nameForm matches names of collections that clients create: valid folder names on
// every system that no address needs to quote.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// devices are names that mean devices on Windows.
var devices = regexp.MustCompile(`^(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

func checkName(name string) error {
	if !nameForm.MatchString(name) || devices.MatchString(name) {
		return problem(http.StatusUnprocessableEntity, "%q cannot be the name of a collection: use up to 64 letters "+
			"a to z, "+
			"digits, - and _, beginning with a letter or digit", name)
	}
	return nil
}

// OpenRoot opens the collections in a folder, whose names are those of their folders
// without .index, and removes what was being deleted when a service ended. Collections that cannot be
// opened are left out; unopened has an error for each.
func OpenRoot(ctx context.Context, root string) (list []Hosted, unopened []error, err error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if strings.HasPrefix(e.Name(), droppedPrefix) {
			if err := os.RemoveAll(path); err != nil {
				return nil, nil, err
			}
			continue
		}
		name, ok := strings.CutSuffix(e.Name(), indexEnding)
		if !ok || !greed.IsIndex(path) {
			continue
		}
		if within := greed.Indexes(path); len(within) > 0 && within[0] != path {
			continue // a folder of indexes may be a link to anywhere, and is served where it is named
		}
		c, err := greed.Open(ctx, greed.Source{Path: path, Options: dataset.Options{Format: greed.FormatIndex}})
		if err != nil {
			unopened = append(unopened, err)
			continue
		}
		list = append(list, Hosted{Name: name, About: e.Name(), Collection: c, Writable: c.Space() == nil, root: root})
	}
	return list, unopened, ctx.Err()
}

// create makes an empty collection in the root.
func (s *Server) create(ctx context.Context, name string, params CreateRequest) (*hosted, error) {
	if s.opt.Root == "" {
		return nil, problem(http.StatusForbidden, "this service has no folder for new collections")
	}
	if err := checkName(name); err != nil {
		return nil, err
	}
	s.cataloging.Lock()
	defer s.cataloging.Unlock()
	now := s.catalog.Load()
	if len(now.names) >= mostCollections {
		return nil, problem(http.StatusInsufficientStorage, "there are already %d collections, the most allowed",
			len(now.names))
	}
	for _, other := range now.names {
		if strings.EqualFold(other, name) { // some disks take them for one
			return nil, problem(http.StatusConflict, "there is a collection %q already", other)
		}
	}
	if len(params.Compared) > 0 && params.Models == "molecules" {
		return nil, problem(http.StatusUnprocessableEntity, "the models that come with the program were not trained "+
			"on %s: "+
			"set models to none", strings.Join(params.Compared, ", "))
	}
	var rules dataset.Rules
	rules.Compare(params.Compared)
	if rules.Form(params.Forms); rules.Tautomers && params.Models == "molecules" {
		return nil, problem(http.StatusUnprocessableEntity,
			"the models that come with the program were not trained on tautomers: set models to none")
	}
	made, err := greed.Open(ctx, greed.Source{Records: []greed.Record{}, As: &rules})
	if err != nil {
		return nil, explain(err)
	}
	if params.Models == "molecules" {
		if err := made.AttachBundled(ctx); err != nil {
			return nil, explain(err)
		}
	}
	path := filepath.Join(s.opt.Root, name+indexEnding)
	err = made.Save(path)
	err = errors.Join(err, made.Close())
	if err != nil {
		return nil, explain(err)
	}
	// it is there for good
	c, err := greed.Open(context.WithoutCancel(ctx), greed.Source{Path: path,
		Options: dataset.Options{Format: greed.FormatIndex}})
	if err != nil {
		return nil, explain(err)
	}
	sh := s.newHosted(Hosted{Name: name, About: name + indexEnding, Collection: c, Writable: true, root: s.opt.Root})
	s.catalog.Store(now.with(sh))
	return sh, nil
}

// drop deletes a collection in the root. Requests that use it finish as usual.
func (s *Server) drop(ctx context.Context, sh *hosted, only WriteCondition) error {
	name := sh.Name
	if sh.root == "" {
		return problem(http.StatusForbidden, "the collection %q is not in the folder for new collections; only the "+
			"operator "+
			"of the service can remove it", name)
	}
	leave, err := sh.change(ctx) // so no change is cut off, and none comes after
	if err != nil {
		return err
	}
	defer leave()
	if state, err := sh.expect(only, func() bool { return true }); err != nil {
		return err
	} else if state != "" {
		if _, err := sh.apply(ctx, greed.Change{If: state}); err != nil {
			return err
		}
	}
	s.cataloging.Lock()
	defer s.cataloging.Unlock()
	now := s.catalog.Load()
	gone, err := os.MkdirTemp(sh.root, droppedPrefix)
	if err == nil {
		err = os.Rename(filepath.Join(sh.root, name+indexEnding), filepath.Join(gone, name))
	}
	if err == nil {
		err = atomicfile.SyncDir(sh.root)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explain(fmt.Errorf("%s cannot be removed: %w", name, err))
	}
	sh.dropped = true
	s.catalog.Store(now.without(name))
	s.flights.after(func() {
		if err := errors.Join(sh.Collection.Close(), os.RemoveAll(gone)); err != nil {
			s.opt.Log.Warn("leftovers of a collection stay until the service starts again", "collection", name, "error",
				err)
		}
	})
	return nil
}

// flights are the requests and other uses of collections in progress.
type flights struct {
	mu     sync.Mutex
	now    *flight
	before []*flight // those that something waits for, the first in front
}

// flight is the uses that began between two calls of after.
type flight struct {
	open int
	then func() // when they, and those before, have ended
}

// begin notes a use, which end ends.
func (f *flights) begin() (end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	use := cmp.Or(f.now, new(flight))
	f.now = use
	use.open++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		use.open--
		f.land()
	}
}

// after calls then when all uses in progress have ended.
func (f *flights) after(then func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := cmp.Or(f.now, new(flight))
	last.then = then
	f.before, f.now = append(f.before, last), nil
	f.land()
}

// land calls what waited for uses that have ended. The caller holds mu.
func (f *flights) land() {
	for len(f.before) > 0 && f.before[0].open == 0 {
		go f.before[0].then()
		f.before = f.before[1:]
	}
}
