package store

import (
	"errors"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

func fuzzVocabulary() *graph.Vocabulary {
	v := graph.NewVocabulary()
	v.Node("C")
	v.Edge("1")
	return v
}

// fuzzLabels returns labels that know those of a vocabulary, and their numbering.
func fuzzLabels(v *graph.Vocabulary) (labels, *numbering) {
	l := labels{vocab: v, nodes: noLabels(), edges: noLabels()}
	for i := range v.Nodes() - 1 {
		l.nodes = l.nodes.add(graph.Label(i + 1))
	}
	for i := range v.Edges() - 1 {
		l.edges = l.edges.add(graph.Label(i + 1))
	}
	enter := func(byte, int, string) error { return nil }
	return l, &numbering{new(manifest), &l, enter}
}

// TestRecordsOfAllKinds: directed graphs, wildcards, records without a graph,
// centres.
func TestRecordsOfAllKinds(t *testing.T) {
	v := fuzzVocabulary()
	b := graph.NewBuilder(v, true)
	b.AddNodeLabel(graph.Wildcard)
	b.AddNode("C")
	must(t, b.AddEdge(1, 0, "1"))
	must(t, b.AddEdgeLabel(0, 1, graph.Wildcard))
	g, err := b.Build()
	must(t, err)
	for _, want := range []dataset.Record{{ID: "empty", Graph: noGraph(v)}, {ID: "directed", Graph: g, NodeIDs: []string{"x", "y"}}, newRecord(v, "a", 1), newRecord(v, "b", 2)} {
		l, of := fuzzLabels(v)
		text, err := encode(want, noCentre, of)
		must(t, err)
		got, centre, err := decode(text, l)
		must(t, err)
		same(t, got, want)
		if centre != noCentre {
			t.Errorf("centre %d", centre)
		}
	}
	l, of := fuzzLabels(v)
	text, err := encode(dataset.Record{ID: "c"}, 7, of)
	must(t, err)
	rec, centre, err := decode(text, l)
	must(t, err)
	if rec.ID != "c" || rec.Graph != nil || centre != 7 {
		t.Errorf("got %+v around %d", rec, centre)
	}
}

// FuzzDecode: no text makes it panic or take memory out of proportion, and a
// record that is read can be written and read again.
func FuzzDecode(f *testing.F) {
	for i := range 4 {
		v := fuzzVocabulary()
		rec := newRecord(v, "seed", i)
		_, of := fuzzLabels(v)
		text, err := encode(rec, noCentre+i%2, of)
		must(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, of := fuzzLabels(fuzzVocabulary())
		rec, centre, err := decode(text, l)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("error %v", err)
			}
			return
		}
		if rec.Graph != nil {
			must(t, rec.Graph.Check())
		}
		again, err := encode(rec, centre, of)
		must(t, err)
		got, c, err := decode(again, l)
		must(t, err)
		if c != centre || got.ID != rec.ID || (got.Graph == nil) != (rec.Graph == nil) {
			t.Errorf("%+v became %+v", rec, got)
		}
	})
}

// FuzzManifest: what is accepted can be relied on.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"slots":3,"records":2,"nextFile":1,"embeddings":[{"name":"x","task":"ged","norm":{"widths":[2],"kind":"l1","combine":"sum"},"rows":3}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		switch {
		case err == nil:
			for _, e := range m.Embeddings {
				if e.Norm.Dim() < 1 || e.Rows > m.Slots {
					t.Errorf("accepted %+v", e)
				}
			}
		case !errors.Is(err, ErrFormat) && !errors.Is(err, ErrVersion):
			t.Errorf("error %v", err)
		}
	})
}
