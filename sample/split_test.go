package sample

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"pgregory.net/rapid"
)

func TestClassesAgainstAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		vocab := graph.NewVocabulary()
		var graphs []*graph.Graph
		for range 25 {
			graphs = append(graphs, graphtest.Random(rng, vocab, 1+rng.IntN(3), rng.Float64(), false))
		}
		class := Classes(graphs)
		for i := range graphs {
			for j := range i {
				if (class[i] == class[j]) != graph.Isomorphic(graphs[i], graphs[j]) {
					t.Fatalf("graphs %d and %d in classes %d and %d", j, i, class[j], class[i])
				}
			}
		}
		parts := Split(graphs, []float64{8, 1, 1}, 5)
		part := make(map[int]int)
		total := 0
		for p, members := range parts {
			total += len(members)
			for _, i := range members {
				if q, ok := part[class[i]]; ok && q != p {
					t.Fatalf("class %d is in parts %d and %d", class[i], q, p)
				}
				part[class[i]] = p
			}
		}
		if total != len(graphs) {
			t.Fatalf("%d of %d graphs handed out", total, len(graphs))
		}
	})
}

func TestSplitCount(t *testing.T) {
	parts := SplitCount(1000, []float64{0.8, 0.1, 0.1}, 1)
	if len(parts[0]) != 800 || len(parts[1]) != 100 || len(parts[2]) != 100 {
		t.Errorf("parts of %d, %d and %d", len(parts[0]), len(parts[1]), len(parts[2]))
	}
	all := slices.Concat(parts...)
	slices.Sort(all)
	for i, x := range all {
		if i != x {
			t.Fatalf("%d is missing or there twice", i)
		}
	}
	if cmp.Equal(parts, SplitCount(1000, []float64{0.8, 0.1, 0.1}, 2)) {
		t.Error("the seed does not matter")
	}
}

func TestPartitionRoundTrip(t *testing.T) {
	ids := []string{"a", `"b"`, "c,d", "", "ü"}
	for range 60 {
		ids = append(ids, strings.Repeat("x", len(ids)))
	}
	positions := SplitCount(len(ids), []float64{1, 1, 1}, 1)
	p := Partition{Collection: "c.txt", Together: "nothing", Seed: 1, Parts: NewParts(ids, positions, PartNames())}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPartition(&buf)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, got); diff != "" {
		t.Fatal(diff)
	}
	for i, name := range PartNames() {
		at, err := got.Positions(ids, name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(positions[i], at); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, err := got.Positions(ids, "exam"); !errors.Is(err, ErrPartition) {
		t.Errorf("a part that does not exist: %v", err)
	}
	if _, err := got.Positions(ids[1:], "train"); !errors.Is(err, ErrPartition) && slices.Contains(got.Parts[0].IDs, "a") {
		t.Errorf("an id that does not exist: %v", err)
	}
}

func TestReadPartitionRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":          "",
		"cut short":      `{"collection":"x","parts":[{"name":"train","ids":["1"`,
		"id twice":       `{"parts":[{"name":"train","ids":["1"]},{"name":"test","ids":["1"]}]}`,
		"name twice":     `{"parts":[{"name":"train","ids":["1"]},{"name":"train","ids":["2"]}]}`,
		"unknown field":  `{"graphs":[]}`,
		"ids as numbers": `{"parts":[{"name":"train","ids":[1]}]}`,
	} {
		if _, err := ReadPartition(strings.NewReader(text)); !errors.Is(err, ErrPartition) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
