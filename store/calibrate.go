package store

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/model"
)

// Calibrate keeps a model that the collection has once more, with a calibration. The error wraps [ErrNotFound] if the
// collection has no such model.
func (s *Store) Calibrate(ctx context.Context, m *model.Model) error {
	text, err := modelText(m)
	if err != nil {
		return err
	}
	key := m.Fingerprint()
	kept := parsedModel{model: m}
	err = s.update(ctx, func(snap *Snapshot) error {
		switch before, _, err := get(snap.tx, modelsBucket, []byte(key)); {
		case err != nil:
			return err
		case before == nil:
			return fmt.Errorf("model %s: %w", key, ErrNotFound)
		}
		snap.m.Calibrations++
		kept.sum, err = put(snap.tx, modelsBucket, []byte(key), text)
		return err
	})
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.models[key] = kept
	}
	return err
}
