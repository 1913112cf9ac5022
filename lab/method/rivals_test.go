//go:build unix

package method

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// TestRivals gives the solver as much processor time as REFINE, IPFP and mIPFP take, and
// checks that its node maps cost no more, on random pairs of large graphs: so many of each
// collection, costs and class of sizes as GREED_RIVALS says.
func TestRivals(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("GREED_RIVALS"))
	if err != nil {
		t.Skip("takes minutes: set GREED_RIVALS to a number of pairs")
	}
	for _, name := range []string{"aids42k/aids42k.txt.gz", "aids/aids_all2000.txt", "protein/protein_all1113.txt.gz"} {
		records, err := dataset.ReadAll(filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name)), dataset.Options{Vocabulary: graph.NewVocabulary()})
		if err != nil {
			t.Fatal(err)
		}
		for costsName, costs := range map[string]edit.Costs{"unit": edit.Uniform(), "chem2": edit.Chem2()} {
			for least := 31; least < 100; least += 20 {
				r := rand.New(rand.NewPCG(18, uint64(least)))
				var fit []*graph.Graph
				for _, rec := range records {
					if n := rec.Graph.N(); least <= n && n < least+10 {
						fit = append(fit, rec.Graph)
					}
				}
				if len(fit) < 2 {
					continue
				}
				for range count {
					q, g := fit[r.IntN(len(fit))], fit[r.IntN(len(fit))]
					for _, method := range []string{"refine", "ipfp", "mipfp"} {
						theirs, ours, took := race(t, methodNamed(t, method), costs, q, g)
						verdict := ""
						if ours.Upper > theirs.Upper+1e-9 {
							verdict = ", worse"
							t.Errorf("%s %s %d: the solver is worse than %s", name, costsName, least, method)
						}
						t.Logf("%s %s %d: %s %v in %v, the solver %v%s", filepath.Base(name), costsName, least, method, theirs.Upper, took.Round(time.Microsecond), ours.Upper, verdict)
					}
				}
			}
		}
	}
}

// race computes the distance by the method, and by the solver in the same processor time.
func race(t *testing.T, m Method, costs edit.Costs, q, g *graph.Graph) (theirs, ours ged.Result, took time.Duration) {
	t.Helper()
	p, err := edit.Price(edit.GED, costs, q, g)
	if err != nil {
		t.Fatal(err)
	}
	start := processor.Time()
	if theirs, err = m.Compute(context.Background(), p, q, g, ged.Options{}); err != nil {
		t.Fatal(err)
	}
	took = processor.Time() - start
	s, err := ged.NewSolver(edit.GED, costs)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err = s.Distance(until{context.Background(), processor.Time() + took}, q, g, ged.Options{}); err != nil {
		t.Fatal(err)
	}
	return theirs, ours, took
}

// until is a context that ends when the process has used so much processor time.
type until struct {
	context.Context
	end time.Duration
}

func (u until) Err() error {
	if processor.Time() >= u.end {
		return context.DeadlineExceeded
	}
	return nil
}
