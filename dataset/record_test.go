package dataset_test

import (
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestNumber: numbers are neither ids that are there nor ids of the other records.
func TestNumber(t *testing.T) {
	records := []dataset.Record{{}, {ID: "1"}, {}, {ID: "a"}, {}}
	next := dataset.Number(records, 0, func(id string) bool { return id == "0" || id == "3" })
	if got := dataset.IDs(records); !slices.Equal(got, []string{"2", "1", "4", "a", "5"}) || next != 6 {
		t.Errorf("ids %q, next %d", got, next)
	}
}
