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
	for _, want := range []dataset.Record{{ID: "directed", Graph: g, NodeIDs: []string{"x", "y"}}, newRecord(v, "a", 1), newRecord(v, "b", 2)} {
		text, err := encode(want, noCentre)
		must(t, err)
		got, centre, err := decode(text, v)
		must(t, err)
		same(t, got, want)
		if centre != noCentre {
			t.Errorf("centre %d", centre)
		}
	}
	text, err := encode(dataset.Record{ID: "c"}, 7)
	must(t, err)
	rec, centre, err := decode(text, v)
	must(t, err)
	if rec.ID != "c" || rec.Graph != nil || centre != 7 {
		t.Errorf("got %+v around %d", rec, centre)
	}
}

// FuzzDecode: no text makes it panic or take memory out of proportion, and a
// record that is read can be written and read again.
func FuzzDecode(f *testing.F) {
	for i := range 4 {
		text, err := encode(newRecord(fuzzVocabulary(), "seed", i), noCentre+i%2)
		must(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v := fuzzVocabulary()
		rec, centre, err := decode(text, v)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("error %v", err)
			}
			return
		}
		if rec.Graph != nil {
			must(t, rec.Graph.Check())
		}
		again, err := encode(rec, centre)
		must(t, err)
		got, c, err := decode(again, v)
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
