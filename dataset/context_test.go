package dataset_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// countdown is a context that is done once it was asked some times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestContextEndsReading in the middle of a record, and not as a bad record.
func TestContextEndsReading(t *testing.T) {
	texts := graphtest.HostileTexts(1 << 18)
	for format, name := range map[string]string{"dot": "chain", "graphml": "nodes", "gxl": "attributes", "json": "edges", "edgelist": "numbers", "tve": "slow"} {
		ctx := &countdown{context.Background(), 6}
		r, err := dataset.NewReader(strings.NewReader(texts[format][name]()), "x", dataset.Options{Format: format, Context: ctx})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err = r.Next(); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %s: error %v", format, name, err)
			}
		}
		if ctx.left < -10 {
			t.Errorf("%s, %s: %d looks at a context that was done", format, name, -ctx.left)
		}
	}
}
