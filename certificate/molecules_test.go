package certificate_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// TestMolecules proves distances of bundled molecules, drawn at random, and has the proofs
// accepted.
func TestMolecules(t *testing.T) {
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(6, 37))
	for _, of := range []struct {
		name  string
		task  edit.Task
		costs edit.Costs
		atoms int // at most
	}{{"ged", edit.GED, edit.Uniform(), 30}, {"sed", edit.SED, edit.Uniform(), 30}, {"ged chem2", edit.GED, edit.Chem2(), 13}} {
		s, err := ged.NewSolver(of.task, of.costs)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			q, g := records[r.IntN(len(records))], records[r.IntN(len(records))]
			if max(q.Graph.N(), g.Graph.N()) > of.atoms {
				continue
			}
			res, err := s.Distance(context.Background(), q.Graph, g.Graph, ged.Options{})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			x := question{task: of.task, costs: of.costs, claims: []certificate.Claim{
				{ID: g.ID, QueryID: q.ID, Query: q.Graph, Target: g.Graph, Lower: res.Lower, Map: res.Map},
			}}
			text := x.write(t, nil)
			proved := time.Since(start)
			h, pairs := accepted(t, text)
			if got := float64(pairs[0].Lower*h.Unit) / float64(h.Scale); got < res.Upper-1e-9 || pairs[0].Lower != pairs[0].Upper {
				t.Fatalf("[%d, %d] of %v", pairs[0].Lower, pairs[0].Upper, res.Upper)
			}
			t.Logf("%s of %s and %s, %d and %d atoms, is %v: proven in %v, checked in %v, %d bytes",
				of.name, q.ID, g.ID, q.Graph.N(), g.Graph.N(), res.Upper, proved, time.Since(start)-proved, len(text))
		}
	}
}
