package greed_test

import (
	"os"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// BenchmarkSubstructures searches for the molecules that contain a fragment, of the 87 ring
// systems that are the most frequent in the bundled molecules.
func BenchmarkSubstructures(b *testing.B) {
	text, err := os.ReadFile("testdata/rings.smi")
	if err != nil {
		b.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		b.Fatal(err)
	}
	c, err := greed.FromRecords(vocab, records)
	if err != nil {
		b.Fatal(err)
	}
	var queries []*greed.Graph
	for _, smiles := range strings.Fields(string(text)) {
		m, err := chem.ParseSMILES(smiles)
		if err != nil {
			b.Fatal(err)
		}
		q, err := m.Graph(graph.NewVocabulary(), chem.Options{})
		if err != nil {
			b.Fatal(err)
		}
		queries = append(queries, q)
	}
	none := 0.0
	opt := greed.Options{Task: greed.SED, Radius: &none, NoModel: true, Workers: 1, Time: greed.NoLimit}
	answers, n := 0, 0
	for b.Loop() {
		answers, n = 0, n+1
		for _, q := range queries {
			found, err := c.Search(b.Context(), q, opt)
			if err != nil || !found.Certified {
				b.Fatal(err)
			}
			answers += len(found.Answers)
		}
	}
	b.ReportMetric(float64(answers), "answers")
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(n*len(queries)), "ms/query")
}
