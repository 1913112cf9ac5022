package dataset_test

import (
	"errors"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

func TestReadOne(t *testing.T) {
	for _, c := range []struct {
		text, format string
		nodes        int
		err          error
	}{
		{"CCO", "smiles", 3, nil},
		{"CCO ethanol\n", "smiles", 3, nil},
		{"t # 0\nv 0 C\n", "", 1, nil},
		{"", "smiles", 0, dataset.ErrEmpty},
		{"CCO\nCC", "smiles", 0, dataset.ErrSeveral},
		{"CCO\nC1C", "smiles", 0, dataset.ErrSeveral},
		{"t # 0\nv 0 C\nt # 1\nv 0 C\n", "tve", 0, dataset.ErrSeveral},
	} {
		rec, err := dataset.ReadOne(c.text, dataset.Options{Format: c.format})
		if !errors.Is(err, c.err) || c.err == nil && err != nil {
			t.Errorf("%q: %v, want %v", c.text, err, c.err)
			continue
		}
		if err == nil && rec.Graph.N() != c.nodes {
			t.Errorf("%q: %d nodes, want %d", c.text, rec.Graph.N(), c.nodes)
		}
	}
	var bad *dataset.BadRecord
	if _, err := dataset.ReadOne("C1CC", dataset.Options{Format: "smiles"}); !errors.As(err, &bad) {
		t.Errorf("error %v, want a bad record", err)
	}
}
