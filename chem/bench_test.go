package chem

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// collection returns the SMILES and the identifiers of nci5k.
func collection(tb testing.TB) (smiles, ids []string) {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "bundle", "nci5k.smi.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		s, id, _ := strings.Cut(sc.Text(), "\t")
		smiles, ids = append(smiles, s), append(ids, id)
	}
	return smiles, ids
}

func BenchmarkParse(b *testing.B) {
	smiles, _ := collection(b)
	var p Parser
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := p.Parse(smiles[i%len(smiles)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "molecules/s")
}

func BenchmarkGraph(b *testing.B) {
	smiles, _ := collection(b)
	var p Parser
	c := NewConverter(graph.NewVocabulary(), Options{})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		m, err := p.Parse(smiles[i%len(smiles)])
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Graph(m); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "molecules/s")
}

func BenchmarkWriteSMILES(b *testing.B) {
	smiles, _ := collection(b)
	var p Parser
	c := NewConverter(graph.NewVocabulary(), Options{})
	graphs := make([]*graph.Graph, len(smiles))
	for i, s := range smiles {
		m, err := p.Parse(s)
		if err == nil {
			graphs[i], err = c.Graph(m)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := WriteSMILES(graphs[i%len(graphs)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
