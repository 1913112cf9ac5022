package screen_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// BenchmarkRange bounds the distances from copies of the bundled molecules after 0
// to 9 random edits to 10⁴ to 10⁷ of them. The last takes 2 GB. The time of the scan, the
// comparison of counts, is the median.
func BenchmarkRange(b *testing.B) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		b.Fatal(err)
	}
	var all []*graph.Graph
	for _, r := range records {
		all = append(all, r.Graph)
	}
	editor := sample.NewEditor(all, 50)
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		b.Fatal(err)
	}
	var sheet screen.Sheet
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func() *graph.Graph {
		g, _ := editor.Edit(rng, all[rng.IntN(len(all))], rng.IntN(10))
		return g
	}
	queries := make([]*graph.Graph, 50)
	for i := range queries {
		queries[i] = draw()
	}
	for _, n := range []int{10_000, 100_000, 1_000_000, 1_660_000, 10_000_000} {
		for sheet.Len() < n {
			var batch []*graph.Graph
			for range min(10_000, n-sheet.Len()) {
				batch = append(batch, draw())
			}
			sheet.Extend(batch...)
		}
		sheet.Build()
		for _, radius := range []float64{2, 4, 6} {
			b.Run(fmt.Sprintf("n=%d/radius=%v", n, radius), func(b *testing.B) {
				touched, counts, branches, runs := 0, 0, 0, 0
				var scans []time.Duration
				for b.Loop() {
					x := sheet.Query(p, queries[runs%len(queries)])
					begin := time.Now()
					x.Range(radius, func(int, float64) {})
					scans = append(scans, time.Since(begin))
					x = sheet.Query(p, queries[runs%len(queries)])
					x.Range(radius, func(position int, _ float64) {
						counts++
						if x.Branches(position, radius) <= radius {
							branches++
						}
					})
					touched += x.Touched()
					runs++
				}
				slices.Sort(scans)
				b.ReportMetric(float64(scans[len(scans)/2].Microseconds()), "µs-scan")
				b.ReportMetric(float64(touched)/float64(runs), "touched/op")
				b.ReportMetric(float64(counts)/float64(runs), "counts/op")
				b.ReportMetric(float64(branches)/float64(runs), "branches/op")
			})
		}
	}
}
