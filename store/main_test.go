package store

import (
	"testing"

	"github.com/greedgraph/greed/internal/sweep"
)

func TestMain(m *testing.M) { sweep.Main(m) }
