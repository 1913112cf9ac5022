package store

import (
	"testing"

	"github.com/greedgraph/greed/lab/testing/sweep"
)

func TestMain(m *testing.M) { sweep.Main(m) }
