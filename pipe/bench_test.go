package pipe

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/graph"
)

// BenchmarkPairs answers one request of 10,000 pairs of small molecules. What is
// above the solver's own time is reported for each pair; on a machine with other
// work to do, look at a profile instead.
func BenchmarkPairs(b *testing.B) {
	all, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		b.Fatal(err)
	}
	var smiles []string
	for i := 0; len(smiles) < 10_000; i++ {
		if r := all[i%len(all)]; r.Graph.N() <= 10 {
			smiles = append(smiles, r.SMILES)
		}
	}
	set := map[string]any{"smiles": smiles}
	text, err := json.Marshal(map[string]any{"op": "distances", "args": map[string]any{
		"task": "ged", "mode": "pairs", "queries": set, "targets": set, "map": true, "workers": 1,
	}})
	if err != nil {
		b.Fatal(err)
	}
	s := &server{opt: Options{Workers: 1}, out: &frameWriter{w: bufio.NewWriter(os.Stderr)}}
	s.handlers = s.operations()
	var solving float64
	for b.Loop() {
		a, err := s.handle(context.Background(), frame{text: []byte(strings.Clone(string(text)))})
		if err != nil {
			b.Fatal(err)
		}
		solving += a.result.(map[string]float64)["solving"]
	}
	b.ReportMetric((b.Elapsed().Seconds()-solving)*1e9/float64(b.N)/float64(len(smiles)), "ns-above/pair")
}
