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

// Rules returns the rules by which the records were read, or nil if they are not known:
// of collections that older versions made, or whose records came from a program.
func (s *Snapshot) Rules() *dataset.Rules { return s.m.Rules }
