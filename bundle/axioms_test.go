package bundle_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestAxiomsOfPredictions: predictions of the bundled models for three bundled molecules each keep the triangle
// inequality, are not negative and are 0 from a molecule to itself, however its nodes are numbered; under GED they are
// symmetric. Coordinates are subtracted in float32, so a millionth is left to rounding.
func TestAxiomsOfPredictions(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m, err := bundle.Model(task)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 7))
		graphs := make([]*graph.Graph, 0, 2*len(records))
		for _, r := range records {
			graphs = append(graphs, r.Graph, r.Graph.Permute(rng.Perm(r.Graph.N())))
		}
		z, err := m.Embed(t.Context(), graphs, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := m.Norm()
		vector := func(i int) []float32 { return z[i*n.Dim():][:n.Dim()] }
		trials, wrong := sweep.Trials(10_000_000), 0
		if trials < 10_000_000 {
			trials /= 20
		}
		for range trials {
			i := rng.IntN(len(graphs))
			a, same, b, c := vector(i), vector(i^1), vector(rng.IntN(len(graphs))), vector(rng.IntN(len(graphs)))
			ab, bc, ac := n.Distance(a, b), n.Distance(b, c), n.Distance(a, c)
			if ac > (ab+bc)*(1+1e-6) || ac < 0 || n.Distance(a, same) != 0 || task.Symmetric() && n.Distance(b, a) != ab {
				wrong++
			}
		}
		if t.Logf("%v: %d violations in %d trials", task, wrong, trials); wrong > 0 {
			t.Errorf("%v: %d violations in %d trials", task, wrong, trials)
		}
	}
}
