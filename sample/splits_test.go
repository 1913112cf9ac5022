package sample

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
)

var update = flag.Bool("update", false, "write the splits in ../lab/splits anew")

// byClass splits a collection into train, validation and test as [Split] does.
func byClass(collection string, ids []string, graphs []*graph.Graph, seed uint64) Partition {
	return Partition{collection, "isomorphic graphs", seed, NewParts(ids, Split(graphs, shares(), seed), PartNames())}
}

// byCentre splits the nodes of one large graph, whose ids are their numbers.
func byCentre(collection string, nodes int, seed uint64) Partition {
	ids := make([]string, nodes)
	for v := range ids {
		ids[v] = strconv.Itoa(v)
	}
	return Partition{collection, "nothing: centres of neighbourhoods", seed, NewParts(ids, SplitCount(nodes, shares(), seed), PartNames())}
}

// shares are the shares of the parts named by [PartNames].
func shares() []float64 { return []float64{0.8, 0.1, 0.1} }

// TestCommittedSplits makes the splits in ../lab/splits from the data again.
func TestCommittedSplits(t *testing.T) {
	const seed = 1
	for _, c := range []struct {
		name, file string
		centres    bool
	}{
		{"aids", "aids/aids.txt", false},
		{"protein", "protein/protein.txt.gz", false},
		{"cora_ml", "cora_ml/cora_ml.txt", true},
		{"citeseer", "citeseer/citeseer.txt", true},
		{"pubmed", "pubmed/pubmed.txt", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ids, graphs := load(t, c.file)
			made := byClass(c.file, ids, graphs, seed)
			if c.centres {
				made = byCentre(c.file, graphs[0].N(), seed)
			}
			path := filepath.Join("..", "lab", "splits", c.name+".json")
			if *update {
				if err := atomicfile.Write(path, made.Write); err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got, err := ReadPartition(f); err != nil || !cmp.Equal(got, made) {
				t.Error("the committed split is another; go test ./sample -run CommittedSplits -update writes it anew")
			}
		})
	}
}

// TestSplitsAreApart reads the committed splits alone.
func TestSplitsAreApart(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "lab", "splits", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no splits: ", err)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p, err := ReadPartition(f)
		if err != nil {
			t.Fatal(path, err)
		}
		total := 0
		for _, part := range p.Parts {
			total += len(part.IDs)
		}
		for i, part := range p.Parts {
			if share := float64(len(part.IDs)) / float64(total); share < shares()[i]-0.002 || share > shares()[i]+0.002 {
				t.Errorf("%s: %s has %d of %d graphs", path, part.Name, len(part.IDs), total)
			}
		}
	}
}
