package diff

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/internal/assign"
	"github.com/greedgraph/greed/internal/ordered"
)

// Together is a graph of each of two collections, by position; -1 where there is none.
type Together struct{ Old, New int }

// TwiceError says that two graphs of a collection, the old one or the new, have the same id.
type TwiceError struct {
	New bool
	ID  string
}

func (e *TwiceError) Error() string { return fmt.Sprintf("diff: two graphs have the id %q", e.ID) }

// Namesakes pairs the graphs of two collections that have the same id: the old ones in their
// order, then those that are new. An id that occurs twice in one of them is a [*TwiceError].
func Namesakes(old, fresh []string) ([]Together, error) {
	at := make(map[string]int, len(fresh))
	for side, ids := range [][]string{old, fresh} {
		clear(at)
		for i, id := range ids {
			if _, twice := at[id]; twice {
				return nil, &TwiceError{side == 1, id}
			}
			at[id] = i
		}
	}
	mate := make([]int, len(old))
	for i, id := range old {
		mate[i] = -1
		if j, ok := at[id]; ok {
			mate[i] = j
		}
	}
	return together(mate, len(fresh)), nil
}

// Nearest pairs the graphs of two collections so that all distances together are least; a graph
// without a mate is at its distance to none. distance returns that of old graph i and new graph j,
// where i or j is as large as the collection for none; worker tells goroutines apart. The error is
// that of distance, or the context's.
func Nearest(ctx context.Context, old, fresh, workers int, distance func(ctx context.Context, worker, i,
	j int) (float64, error)) ([]Together, error) {
	cost := make([]float64, 0, (old+1)*(fresh+1))
	err := ordered.Map(ctx, cap(cost), workers,
		func(ctx context.Context, worker, k int) (float64, error) {
			return distance(ctx, worker, k/(fresh+1), k%(fresh+1))
		},
		func(_ int, x float64) error {
			cost = append(cost, x)
			return nil
		})
	if err != nil {
		return nil, err
	}
	var between, without []float64
	for i := range old {
		between = append(between, cost[i*(fresh+1):i*(fresh+1)+fresh]...)
		without = append(without, cost[i*(fresh+1)+fresh])
	}
	var solver assign.Solver
	solver.Solve(between, without, cost[old*(fresh+1):old*(fresh+1)+fresh])
	mate := make([]int, old)
	for i, j := range solver.Row {
		mate[i] = int(j) // assign.None is -1, too
	}
	// Where being alone costs nothing, as for empty graphs, the same graphs are mates.
	for j, i := range solver.Col {
		for r := 0; i == assign.None && r < old; r++ {
			if mate[r] < 0 && between[r*fresh+j] == 0 {
				mate[r], i = j, int32(r)
			}
		}
	}
	return together(mate, fresh), nil
}

// together lists the old graphs with their mates, then the new ones without.
func together(mate []int, fresh int) []Together {
	list := make([]Together, 0, len(mate))
	paired := make([]bool, fresh)
	for i, j := range mate {
		list = append(list, Together{i, j})
		if j >= 0 {
			paired[j] = true
		}
	}
	for j, is := range paired {
		if !is {
			list = append(list, Together{-1, j})
		}
	}
	return list
}
