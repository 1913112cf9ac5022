package truth

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// BenchmarkBoundAll bounds AIDS700nef test × train. Twice the speed of one
// worker with two is what two independent processes would reach.
func BenchmarkBoundAll(b *testing.B) {
	vocab := graph.NewVocabulary()
	parts := make([][]*graph.Graph, 2)
	for i, name := range []string{"test.txt", "train.txt"} {
		records, err := dataset.ReadAll(filepath.Join("..", "..", "shared", "data", "aids700nef", name), dataset.Options{Vocabulary: vocab})
		if err != nil {
			b.Skip("needs the data folder: ", err)
		}
		for _, r := range records {
			parts[i] = append(parts[i], r.Graph)
		}
	}
	all := AllPairs(len(parts[0]), len(parts[1]))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			l := Bounder{Task: edit.GED, Costs: edit.Uniform(), Workers: workers}
			pairs := make([]Pair, b.N)
			for i := range pairs {
				pairs[i] = all[i%len(all)]
			}
			b.ResetTimer()
			if err := l.BoundAll(context.Background(), parts[0], parts[1], pairs); err != nil {
				b.Fatal(err)
			}
		})
	}
}
