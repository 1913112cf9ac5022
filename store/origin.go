package store

import (
	"context"

	"github.com/greedgraph/greed/dataset"
)

// SetRules keeps the rules by which the records were read.
func (s *Store) SetRules(ctx context.Context, rules dataset.Rules) error {
	return s.update(ctx, func(snap *Snapshot) error {
		snap.m.Rules = &rules
		return nil
	})
}

// Source is the collection of a database that an index follows, and the generation of it
// that the index has. The zero value is of an index that follows none.
type Source struct {
	ID         string `json:"id,omitempty"`
	Generation int64  `json:"generation,omitempty"`
}

// SetSource keeps what the index follows.
func (s *Store) SetSource(ctx context.Context, source Source) error {
	return s.update(ctx, func(snap *Snapshot) error {
		snap.m.Source = source
		return nil
	})
}

// Source returns what the index follows.
func (s *Snapshot) Source() Source { return s.m.Source }
