package operation_test

import (
	"errors"
	"testing"

	"github.com/greedgraph/greed/operation"
)

// TestBoundaries: the least that a field takes is taken, and less is refused by its name.
func TestBoundaries(t *testing.T) {
	mcs := func(r operation.MCS) error { _, err := r.Resolve(operation.Limits{}); return err }
	settings := func(r operation.Neighbourhoods) error { _, err := r.Settings(); return err }
	for name, c := range map[string]struct {
		err   error
		field string
	}{
		"by nodes":              {mcs(operation.MCS{}), ""},
		"rings of edges":        {mcs(operation.MCS{Edges: true, Rings: true}), ""},
		"rings of nodes":        {mcs(operation.MCS{Rings: true}), "rings"},
		"one edge":              {mcs(operation.MCS{Edges: true, AtLeast: 1}), ""},
		"fewer edges than none": {mcs(operation.MCS{Edges: true, AtLeast: -1}), "at_least"},
		"two nodes":             {settings(operation.Neighbourhoods{Hops: 1, MaxNodes: 2}), ""},
		"one node":              {settings(operation.Neighbourhoods{Hops: 1, MaxNodes: 1}), "max_nodes"},
		"no hop":                {settings(operation.Neighbourhoods{MaxNodes: 2}), "hops"},
	} {
		var wrong *operation.Error
		if errors.As(c.err, &wrong) != (c.field != "") || wrong != nil && wrong.Field != c.field {
			t.Errorf("%s: %v, want what is wrong with %q", name, c.err, c.field)
		}
	}
}
