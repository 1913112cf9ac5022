package ged_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

func maker(opt ged.Options, quick ...int64) gedtest.Maker {
	return func(task edit.Task, costs edit.Costs) (gedtest.Solver, error) {
		s, err := ged.NewSolver(task, costs)
		if err != nil {
			return nil, err
		}
		for _, states := range quick {
			s.SetPatience(states)
		}
		return func(q, t *graph.Graph) (gedtest.Answer, error) {
			r, err := s.Distance(context.Background(), q, t, opt)
			if err == nil && opt.States == 0 && !r.Exact {
				err = fmt.Errorf("no exact distance without a limit: [%v, %v]", r.Lower, r.Upper)
			}
			return gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, err
		}, nil
	}
}

func TestConform(t *testing.T) { gedtest.Conform(t, maker(ged.Options{})) }

// TestConformStrong has the strong search do nearly everything.
func TestConformStrong(t *testing.T) { gedtest.Conform(t, maker(ged.Options{}, 0)) }

func TestConformStopped(t *testing.T) {
	for _, states := range []int64{3} {
		t.Run(fmt.Sprint(states), func(t *testing.T) {
			gedtest.Conform(t, maker(ged.Options{States: states}))
			gedtest.Conform(t, maker(ged.Options{States: states}, 0))
		})
	}
}

func TestConformMeasured(t *testing.T) {
	gedtest.ConformMeasured(t, maker(ged.Options{}))
	gedtest.ConformMeasured(t, maker(ged.Options{}, 0))
	gedtest.ConformMeasured(t, maker(ged.Options{States: 3}))
}
