package live_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/store"
)

// TestRepeated compares the walk through sorted ids with counting all.
func TestRepeated(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 64))
	var paths []string
	in := make(map[string][]string)
	for part := range 4 {
		var records []live.Record
		for _, n := range rng.Perm(60)[:25] {
			id := fmt.Sprint("id ", n)
			records = append(records, record(id, 1))
			in[id] = append(in[id], fmt.Sprint(part, ".index"))
		}
		path := filepath.Join(t.TempDir(), fmt.Sprint(part, ".index"))
		build(t, path, nil, records)
		paths = append(paths, path)
	}
	c, err := live.OpenSeveral(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var want []live.Repeated
	for id, parts := range in {
		switch rec, ok, err := c.Get(id); {
		case err != nil || ok != (len(parts) == 1) || ok && rec.ID != id:
			t.Errorf("%s of %v: %v, %v, %v", id, parts, rec.ID, ok, err)
		case len(parts) > 1:
			want = append(want, live.Repeated{ID: id, Indexes: parts})
			if err := c.Unfound(id); !errors.Is(err, live.ErrRepeated) || !strings.HasSuffix(err.Error(), strings.Join(parts, ", ")) {
				t.Errorf("%s of %v: %v", id, parts, err)
			}
		}
	}
	if err := c.Unfound("id 100"); c.Has("id 100") || !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	slices.SortFunc(want, func(a, b live.Repeated) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	got, count, err := c.Repeated(t.Context(), 10)
	if err != nil || count != len(want) || !reflect.DeepEqual(got, want[:10]) {
		t.Fatalf("%d ids are repeated, %v: %v\nwant %d: %v", count, err, got, len(want), want[:10])
	}
}
