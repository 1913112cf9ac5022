package live

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// ErrSeveral is wrapped if a collection of several indexes is to be changed.
var ErrSeveral = errors.New("a collection of several indexes is not changed as one")

// ErrRepeated is wrapped if an id is to name a graph that several indexes of a collection have.
var ErrRepeated = errors.New("several indexes have the id, and it names none of their graphs")

// OpenSeveral opens indexes as one collection, whose positions are those of one index after the other. Their rules,
// models and direction must agree. It cannot be changed, but follows changes of its parts. Graphs that have the id of
// one in another part are searched, but found by no id. Those parts that are missing or damaged are
// [search.Collection.Unsearched], unless all are.
func OpenSeveral(ctx context.Context, paths []string) (*Collection, error) {
	c := &Collection{attached: make(map[edit.Task]*model.Model), vocab: graph.NewVocabulary(),
		parts: make([]*Collection, 0, len(paths))}
	var lost []error
	names := Ends(paths)
	for i, path := range paths {
		part, err := openIn(ctx, path, c.vocab)
		switch {
		case err == nil:
			c.parts = append(c.parts, part)
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrFormat):
			c.lacking = append(c.lacking, search.Unsearched{Path: path, Index: names[i], Reason: reason(path, err)})
			lost = append(lost, err)
		default:
			return nil, errors.Join(fmt.Errorf("of %d indexes: %w", len(paths), err), c.Close())
		}
	}
	if len(c.parts) == 0 {
		return nil, errors.Join(fmt.Errorf("of %d indexes none can be read: %w", len(paths), errors.Join(lost...)),
			c.Close())
	}
	now := c.Acquire()
	err := errors.Join(now.Err(), now.Release())
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Several reports whether the collection has several indexes as one.
func (c *Collection) Several() bool { return c.parts != nil }

// Paths returns where the indexes of the collection are, in their order; none of one in memory.
func (c *Collection) Paths() (paths []string) {
	if c.path != "" {
		return []string{c.path}
	}
	for _, p := range c.parts {
		paths = append(paths, p.path)
	}
	return paths
}

// Lacking returns the indexes that could not be read when the collection was opened.
func (c *Collection) Lacking() []search.Unsearched { return c.lacking }

// severalAcquire returns the state of the states that the parts have now. c.mu must be held.
func (c *Collection) severalAcquire() *State {
	if c.closed {
		return closedState()
	}
	var states []*State
	for _, p := range c.parts {
		states = append(states, p.Acquire())
	}
	if now := c.current; now != nil && slices.Equal(now.parts, states) {
		for _, s := range states {
			_ = s.Release() // current has it, too
		}
		now.users.Add(1)
		return now
	}
	next := c.joined(states)
	if c.current != nil {
		_ = c.current.Release()
	}
	c.current = next
	next.users.Add(1)
	return next
}

// joined returns the state that has several as one, with one user. It takes over their uses.
func (c *Collection) joined(states []*State) *State {
	var of []*search.Collection
	for _, s := range states {
		of = append(of, s.Collection)
	}
	s := &State{Collection: search.Join(of), prints: make(map[*model.Model]string), parts: states}
	s.Unsearched = c.lacking
	s.users.Store(1)
	hash := sha256.New()
	from := 0
	for i, part := range states {
		s.plain += part.plain
		s.starts = append(s.starts, from)
		from += part.Positions()
		fmt.Fprintln(hash, c.parts[i].path, part.Tag())
		if part.lost != nil && s.lost == nil {
			s.lost = part.lost
		}
	}
	s.born = fmt.Sprintf("%x", hash.Sum(nil)[:12])
	s.lostTag = s.born
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		if m := s.Model(task); m != nil {
			s.prints[m] = states[0].Fingerprint(task)
		}
	}
	if s.lost == nil {
		s.lost = c.disagreement(states)
	}
	for _, m := range c.attached {
		if err := s.Collection.AttachLazily(m); err != nil && s.lost == nil {
			s.lost = err
		}
		s.prints[m] = m.Fingerprint()
	}
	return s
}

// attachToSeveral attaches a model, for which the graphs are embedded when that is first needed. c.change must be held.
func (c *Collection) attachToSeveral(m *model.Model) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.attached = maps.Clone(c.attached)
	c.attached[m.Metadata().Task] = m
	last := c.current
	c.current = nil // the next state has it
	if last != nil {
		return last.Release()
	}
	return nil
}

// disagreement returns an error that names what two parts do not have in common.
func (c *Collection) disagreement(states []*State) error {
	var direction dataset.Direction
	of := 0 // the part that has it
	for i, s := range states {
		differ := func(what, first, own string) error {
			return fmt.Errorf("%s and %s cannot be one collection: %s: %s, and %s",
				c.parts[of].path, c.parts[i].path, what, first, own)
		}
		first := states[0]
		if a, b := first.Rules, s.Rules; (a == nil) != (b == nil) || a != nil && !a.Equal(*b) {
			return differ("their graphs were read by different rules", rulesText(a), rulesText(b))
		}
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			if a, b := first.Fingerprint(task), s.Fingerprint(task); a != b {
				return differ(fmt.Sprintf("their models for %v differ", task), printText(a), printText(b))
			}
		}
		own := dataset.Direction{}
		if err := s.Read(func() error {
			own = s.Direction()
			return nil
		}); err != nil {
			return err
		}
		if direction.Known() && own.Known() && own.Directed() != direction.Directed() {
			return differ("directed and undirected graphs have no distance", directionText(direction),
				directionText(own))
		}
		if !direction.Known() {
			direction, of = own, i
		}
	}
	return nil
}

func rulesText(r *dataset.Rules) string {
	if r == nil {
		return "not known"
	}
	if text := r.String(); text != "" {
		return text
	}
	return "the usual ones"
}

func printText(print string) string {
	if print == "" {
		return "none"
	}
	return print
}

func directionText(d dataset.Direction) string {
	if d.Directed() {
		return "directed"
	}
	return "undirected"
}

// severalFind is [Collection.Find].
func (c *Collection) severalFind(id string) (*State, int, bool) {
	for {
		s := c.Acquire()
		position, having, same := 0, 0, true
		for i, p := range c.parts {
			at, own, found := p.Find(id)
			same = same && i < len(s.parts) && at == s.parts[i]
			if found && same {
				position = s.starts[i] + own
				having++
			}
			_ = at.Release()
		}
		if same || s.lost != nil {
			return s, position, having == 1
		}
		_ = s.Release() // a part changed meanwhile
	}
}

// Having returns the names of the parts that have an id.
func (c *Collection) Having(id string) (names []string) {
	all := Ends(c.Paths())
	for i, p := range c.parts {
		if p.Has(id) {
			names = append(names, all[i])
		}
	}
	return names
}

// Unfound returns why [Collection.Find] found no graph: the error wraps [ErrRepeated] or [store.ErrNotFound].
func (c *Collection) Unfound(id string) error {
	if names := c.Having(id); len(names) > 1 {
		return fmt.Errorf("graph %q: %w: %s", id, ErrRepeated, strings.Join(names, ", "))
	}
	return fmt.Errorf("graph %q: %w", id, store.ErrNotFound)
}

// Place returns the number of the part that has a position, among those that were searched, and the position in it.
func (s *State) Place(position int) (part, at int) {
	if s.parts == nil {
		return 0, position
	}
	part = sort.SearchInts(s.starts, position+1) - 1
	return part, position - s.starts[part]
}

// refreshSeveral is [Collection.Refresh] of each part.
func (c *Collection) refreshSeveral(ctx context.Context) (changed bool, err error) {
	var errs []error
	for _, p := range c.parts {
		own, err := p.Refresh(ctx)
		changed, errs = changed || own, append(errs, err)
	}
	now := c.Acquire()
	errs = append(errs, now.Err(), now.Release())
	return changed, errors.Join(errs...)
}

// closeSeveral closes the parts.
func (c *Collection) closeSeveral() error {
	c.mu.Lock()
	last := c.current
	c.current, c.closed = nil, true
	c.mu.Unlock()
	var errs []error
	if last != nil {
		errs = append(errs, last.Release())
	}
	for _, p := range c.parts {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// errSeveral says which parts can be changed instead.
func (c *Collection) errSeveral() error {
	return fmt.Errorf("%w: change one of them: %s", ErrSeveral, strings.Join(Ends(c.Paths()), ", "))
}

// Ends returns the shortest ends of paths, of as many names each, that differ: where the indexes are is no concern of
// those who get answers from a service.
func Ends(paths []string) []string {
	short := make([]string, len(paths))
	for names, longer := 1, true; longer; names++ {
		longer = false
		seen := make(map[string]bool)
		for i, path := range paths {
			all := strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
			short[i] = strings.Join(all[max(0, len(all)-names):], "/")
			longer = longer || names < len(all)
			seen[short[i]] = true
		}
		if len(seen) == len(paths) {
			break
		}
	}
	return short
}

// reason says without its path why an index cannot be read.
func reason(path string, err error) string {
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrDamaged) {
		return "it is missing"
	}
	text := err.Error()
	for _, p := range []string{path, resolved(path)} {
		text = strings.TrimPrefix(text, p+": ")
		if folder := filepath.Dir(p); folder != "." {
			text = strings.ReplaceAll(text, folder+string(filepath.Separator), "")
		}
	}
	return text
}

// resolved returns where a path leads to, as far as that is known.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
