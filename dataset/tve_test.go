package dataset_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

func BenchmarkReadTVE(b *testing.B) {
	for _, name := range []string{"aids/aids.txt", "aids700nef/train.txt", "imdb/train.txt", "pubmed/pubmed.txt"} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile("../../shared/data/" + name)
			if err != nil {
				b.Skip(err)
			}
			data = bytes.Repeat(data, 1+(8<<20)/len(data))
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := dataset.NewReader(bytes.NewReader(data), name, dataset.Options{})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range r.All() {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
