package dataset_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

func BenchmarkReadSMILES(b *testing.B) {
	data, err := os.ReadFile("../../shared/data/nci/nci5k.smi")
	if err != nil {
		b.Skip(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r, err := dataset.NewReader(bytes.NewReader(data), "nci5k.smi", dataset.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range r.All() {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "molecules/s")
}
