package greed

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/search"
)

// Database is a collection in PostgreSQL, on one server or divided over several, which
// greed index export --to makes. It may be used concurrently. Close it.
type Database struct{ db *postgres.DB }

// IsDatabase reports whether a name is the address of a database:
// postgres://user@host/database?schema=greed.
func IsDatabase(name string) bool { return postgres.IsAddress(name) }

// OpenDatabase opens the collection at an address.
func OpenDatabase(ctx context.Context, address string) (*Database, error) {
	db, err := postgres.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	return &Database{db}, nil
}

// Close closes all connections.
func (d *Database) Close() { d.db.Close() }

// Search finds the graphs nearest to q, as [Collection.Search] does. It sees the collection
// as it was when the search began, on all servers. Positions of answers are numbers of
// rows. Options with Accept are an error; use Filters.
func (d *Database) Search(ctx context.Context, q *Graph, opt Options) (found *Found, err error) {
	if q == nil {
		return nil, fmt.Errorf("search: the query: %w", ErrNoGraph)
	}
	if opt.Accept != nil {
		return nil, errors.New("search: a database has no positions to keep: use filters")
	}
	var cut error
	err = d.db.View(ctx, func(s *postgres.Snapshot) error {
		if err := checkAttributes(ctx, s, opt); err != nil {
			return err
		}
		r, err := s.Search(ctx, q, opt.inner())
		if r == nil {
			return err
		}
		found, cut = newFound(r.In, opt, r.Result), err
		adopted := graph.Adopt(r.In.Vocabulary(), q)
		for i := range r.Answers {
			a := newAnswer(r.In, adopted, opt, &r.Answers[i])
			if opt.Explain {
				a.explain(r.In, adopted, opt, r.Result, &r.Answers[i])
			}
			a.Position = int(r.Slots[a.Position])
			found.Answers = append(found.Answers, a)
		}
		found.Question = understood(found, opt, molecules(found.Answers), s.Rules, "")
		lacking, known, failed := s.Lacks(ctx, q)
		if failed != nil && ctx.Err() == nil {
			return failed
		}
		if known {
			found.Unmatched = unmatched(q, func(l graph.Label) bool { return lacking[0][l] }, func(l graph.Label) bool { return lacking[1][l] })
		}
		for i := range found.Open.Graphs {
			found.Open.Graphs[i].Position = int(r.Slots[found.Open.Graphs[i].Position])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, cut
}

// checkAttributes returns an error that wraps [ErrAttribute] if filters or answers are to
// have an attribute that no graph has.
func checkAttributes(ctx context.Context, s *postgres.Snapshot, opt Options) error {
	asked := slices.Clone(opt.Show)
	for _, f := range opt.Filters {
		asked = append(asked, f.Attribute)
	}
	asked = slices.DeleteFunc(asked, func(name string) bool { return name == "id" || name == "name" })
	if len(asked) == 0 || s.Len() == 0 {
		return nil
	}
	there, err := s.Attributes(ctx)
	if err != nil {
		return err
	}
	for _, name := range asked {
		if !slices.Contains(there, name) {
			return search.NoAttribute(name, append([]string{"id", "name"}, there...))
		}
	}
	return nil
}

var errNoStates = errors.New("greed: a database takes changes of any state, to new ids and others: leave New and If out")

// Apply carries out a change, all of it or nothing, on all servers. [Change.New] and
// [Change.If] are errors, and [Outcome.State] is empty.
func (d *Database) Apply(ctx context.Context, change Change) (Outcome, error) {
	if err := checkGraphs(change.Put); err != nil {
		return Outcome{}, err
	}
	if change.New || change.If != "" {
		return Outcome{}, errNoStates
	}
	out, err := d.db.Apply(ctx, postgres.Change{Put: change.Put, Delete: change.Delete})
	return Outcome{Replaced: out.Replaced, Deleted: out.Deleted}, err
}

// Add keeps graphs, of which those without an id get numbers that are no ids so far.
func (d *Database) Add(ctx context.Context, records []Record) (Outcome, error) {
	out, err := d.db.Apply(ctx, postgres.Change{Put: records, Number: true})
	return Outcome{Replaced: out.Replaced}, err
}

// Rules returns the rules by which the graphs were read, and whether they are known, as
// [Collection.Rules] does.
func (d *Database) Rules(ctx context.Context) (rules dataset.Rules, known bool, err error) {
	err = d.db.View(ctx, func(s *postgres.Snapshot) error {
		if known = s.Rules != nil; known {
			rules = *s.Rules
		}
		return nil
	})
	return rules, known, err
}

// Len returns the number of graphs.
func (d *Database) Len(ctx context.Context) (int, error) {
	n := 0
	err := d.db.View(ctx, func(s *postgres.Snapshot) error {
		n = s.Len()
		return nil
	})
	return n, err
}

// Attributes returns the names of all attributes, in order.
func (d *Database) Attributes(ctx context.Context) (names []string, err error) {
	err = d.db.View(ctx, func(s *postgres.Snapshot) error {
		names, err = s.Attributes(ctx)
		return err
	})
	return names, err
}
