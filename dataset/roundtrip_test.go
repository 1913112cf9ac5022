package dataset_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// drawRecords draws what a format must bring back. Texts are as odd as the
// format allows.
func drawRecords(t *rapid.T, text *rapid.Generator[string], directed, wildcards bool) []dataset.Record {
	vocab := graph.NewVocabulary()
	var list []dataset.Record
	for i := range rapid.IntRange(1, 4).Draw(t, "records") {
		b := graph.NewBuilder(vocab, directed && rapid.Bool().Draw(t, "directed"))
		wild := func(what string) bool { return wildcards && rapid.IntRange(0, 4).Draw(t, what+" is wild") == 4 }
		n := rapid.IntRange(1, 6).Draw(t, "nodes")
		for range n {
			if wild("node") {
				b.AddNodeLabel(graph.Wildcard)
			} else {
				b.AddNode(text.Draw(t, "label"))
			}
		}
		for u := range n {
			for v := range n {
				if !rapid.Bool().Draw(t, "edge") {
					continue
				}
				l := vocab.Edge(text.Draw(t, "label"))
				if wild("edge") {
					l = graph.Wildcard
				}
				if err := b.AddEdgeLabel(u, v, l); err != nil {
					t.Fatal(err)
				}
			}
		}
		g, err := b.Build()
		for err != nil { // an edge in both directions of an undirected graph
			b = graph.NewBuilder(vocab, false)
			b.AddNode("x")
			g, err = b.Build()
		}
		list = append(list, dataset.Record{ID: fmt.Sprint(text.Draw(t, "id"), i), Graph: g})
	}
	return list
}

var (
	tokens  = rapid.StringMatching(`[!-~]{1,8}`)
	unicode = rapid.StringOf(rapid.RuneFrom([]rune("ab \"\\'<>&;\n\t\r{}[]-=→é𝄞#%,0.5*]]>"))).Filter(func(s string) bool { return s != "" })
)

func TestRoundTrips(t *testing.T) {
	for _, c := range []struct {
		format              string
		text                *rapid.Generator[string]
		directed, wildcards bool
		names, nodeIDs      bool
		attributes          bool
	}{
		{format: "tve", text: tokens.Filter(func(s string) bool { return s[0] != '#' })},
		{format: "json", text: unicode, directed: true, wildcards: true, names: true, nodeIDs: true, attributes: true},
		{format: "ndjson", text: unicode, directed: true, wildcards: true, names: true, nodeIDs: true, attributes: true},
		{format: "graphml", text: unicode, directed: true, wildcards: true, names: true, nodeIDs: true},
		{format: "dot", text: unicode, directed: true, wildcards: true, names: true, nodeIDs: true, attributes: true},
	} {
		t.Run(c.format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list := drawRecords(t, c.text, c.directed, c.wildcards)
				for i := range list {
					decorate(t, &list[i], c.text, c.names, c.nodeIDs, c.attributes)
				}
				var buf bytes.Buffer
				w, err := dataset.NewWriter(&buf, c.format)
				if err != nil {
					t.Fatal(err)
				}
				for _, rec := range list {
					if err := w.Write(rec); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				back, notes, err := readText(buf.String(), "written", dataset.Options{Mixed: true})
				if err != nil {
					t.Fatalf("%v\n%s", err, buf.String())
				}
				if len(back) != len(list) {
					t.Fatalf("%d records, want %d", len(back), len(list))
				}
				for i, rec := range back {
					want := list[i]
					if rec.ID != want.ID || rec.Name != want.Name || rec.SMILES != want.SMILES || !equalGraphs(want.Graph, rec.Graph) {
						t.Fatalf("record %q %q %s, want %q %q %s\n%s%q", rec.ID, rec.Name, drawing(rec.Graph), want.ID, want.Name, drawing(want.Graph), buf.String(), notes)
					}
					if diff := cmp.Diff(want.NodeIDs, rec.NodeIDs); diff != "" {
						t.Fatal(diff)
					}
					if !maps.EqualFunc(want.Attributes, rec.Attributes, func(a, b any) bool { return cmp.Equal(a, b) }) {
						t.Fatal(cmp.Diff(want.Attributes, rec.Attributes))
					}
				}
			})
		})
	}
}

// decorate adds what else a format keeps.
func decorate(t *rapid.T, rec *dataset.Record, text *rapid.Generator[string], names, nodeIDs, attributes bool) {
	if names && rapid.Bool().Draw(t, "has a name") {
		rec.Name, rec.SMILES = text.Draw(t, "name"), text.Draw(t, "SMILES")
	}
	if nodeIDs && rapid.Bool().Draw(t, "has node ids") {
		for v := range rec.Graph.N() {
			rec.NodeIDs = append(rec.NodeIDs, fmt.Sprint(text.Draw(t, "node id"), v))
		}
		if rec.Graph.N() == 1 && rec.NodeIDs[0] == "0" {
			rec.NodeIDs = nil
		}
	}
	if attributes && rapid.Bool().Draw(t, "has a property") {
		rec.Attributes = map[string]any{"x" + text.Draw(t, "key"): text.Draw(t, "value")}
	}
}

// TestWritersRefuse holds the messages about what a format cannot hold.
func TestWritersRefuse(t *testing.T) {
	vocab := graph.NewVocabulary()
	one := func(label string) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		b.AddNode(label)
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	b := graph.NewBuilder(vocab, true)
	b.AddNode("C")
	directed, _ := b.Build()
	b = graph.NewBuilder(vocab, false)
	b.AddNodeLabel(graph.Wildcard)
	wild, _ := b.Build()
	for _, c := range []struct {
		format, id string
		g          *graph.Graph
		want       string
	}{
		{"tve", "1", one("two words"), `graph 1: node 0: t/v/e text cannot hold the label "two words", which has blanks: write json, graphml or dot`},
		{"tve", "1", one(""), `graph 1: node 0: t/v/e text cannot hold an empty label: write json, graphml or dot`},
		{"tve", " 1", one("C"), `graph  1: t/v/e text cannot hold the id " 1": it is empty, starts with # or has blanks that would be lost`},
		{"tve", "1", directed, "graph 1: t/v/e text holds undirected graphs only: write json, graphml or dot"},
		{"tve", "1", wild, "graph 1: node 0: t/v/e text has no wildcard: write json or smiles"},
		{"json", "1", one("\xff"), `graph 1: node 0: the label "\xff" is not UTF-8, which JSON needs`},
		{"json", "caf\xe9", one("C"), "graph \"caf\\xe9\": the id \"caf\\xe9\" is not UTF-8, which JSON needs"},
		{"graphml", "1", one("\x01"), `graph 1: XML cannot hold the text "\x01": it is not UTF-8 or has control characters`},
	} {
		var buf bytes.Buffer
		w, err := dataset.NewWriter(&buf, c.format)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(dataset.Record{ID: c.id, Graph: c.g}); err == nil || err.Error() != c.want {
			t.Errorf("%s: error  %v\nwanted %s", c.format, err, c.want)
		}
	}
	if _, err := dataset.NewWriter(nil, "gxl"); err == nil || !strings.Contains(err.Error(), "gxl can be read but not written; formats that can be written: tve, ndjson, json, dot, graphml, sdf, smiles") {
		t.Errorf("error %v", err)
	}
}

func TestCreate(t *testing.T) {
	list, _ := mustRead(t, water["tve"], "w", dataset.Options{})
	fill := func(w *dataset.Writer) error { return w.Write(list[0]) }
	for _, name := range []string{"a.txt", "a.txt.gz", "a.json.zst", "a.ndjson", "a.graphml.gz", "a.dot"} {
		path := filepath.Join(t.TempDir(), name)
		if err := dataset.Create(path, "", fill); err != nil {
			t.Fatal(err)
		}
		back, err := dataset.ReadAll(path, dataset.Options{})
		if err != nil || len(back) != 1 || drawing(back[0].Graph) != drawing(list[0].Graph) {
			t.Errorf("%s: read back %v, %v", name, back, err)
		}
	}
	for _, ending := range []string{".xyz", ".csv"} {
		path := filepath.Join(t.TempDir(), "a"+ending)
		if err := dataset.Create(path, "", fill); err == nil || !strings.Contains(err.Error(), "no format is written to files ending in "+strconv.Quote(ending)) {
			t.Errorf("error %v", err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.xyz")
	if err := dataset.Create(path, "tve", func(*dataset.Writer) error { return fmt.Errorf("stop") }); err == nil || err.Error() != "stop" {
		t.Errorf("error %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}
