package dataset_test

import (
	"testing"

	"github.com/greedgraph/greed/lab/testing/sweep"
)

func TestMain(m *testing.M) {
	sweep.LazyGC()
	m.Run()
}
