package dataset_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestGraphsWithoutNodes: they are graphs in every format that can say so, and
// come back as they were written; Strict refuses them.
func TestGraphsWithoutNodes(t *testing.T) {
	for name, text := range map[string]string{
		"tve":     "t # a\nt # b\nv 0 C\nt # -1\n",
		"ndjson":  `{"graph": {"id": "a"}, "nodes": [], "edges": []}` + "\n" + `{"graph": {"id": "b"}, "nodes": [{"id": 0, "label": "C"}], "edges": []}` + "\n",
		"json":    `[{"graph": {"id": "a"}, "nodes": [], "edges": []}, {"graph": {"id": "b"}, "nodes": [{"id": 0, "label": "C"}], "edges": []}]`,
		"dot":     "graph a {} graph b { 0 [label=C] }",
		"graphml": `<graphml><key id="l" for="node"/><graph id="a" edgedefault="undirected"/><graph id="b" edgedefault="undirected"><node id="0"><data key="l">C</data></node></graph></graphml>`,
		"gxl":     `<gxl><graph id="a" edgemode="undirected"/><graph id="b" edgemode="undirected"><node id="0"><attr name="label"><string>C</string></attr></node></graph></gxl>`,
		"gml":     `graph [ id "a" ] graph [ id "b" node [ id 0 label "C" ] ]`,
		"gexf":    `<gexf><graph id="a"/><graph id="b"><nodes><node id="0" label="C"/></nodes></graph></gexf>`,
		"pajek":   "*Network a\n*Vertices 0\n*Network b\n*Vertices 1\n1 C\n",
		"sdf":     "a\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\nb\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n$$$$\n",
	} {
		list, _ := mustRead(t, text, "x", dataset.Options{Format: name})
		if len(list) != 2 || list[0].ID != "a" || drawing(list[0].Graph) != "; " || drawing(list[1].Graph) != "C; " {
			t.Errorf("%s: %+v", name, list)
			continue
		}
		if _, _, err := readText(text, "x", dataset.Options{Format: name, Strict: true}); !errors.Is(err, dataset.ErrNoNodes) {
			t.Errorf("%s: strictly, error %v", name, err)
		}
		var buf bytes.Buffer
		w, err := dataset.NewWriter(&buf, name)
		if err != nil {
			continue // it is not written
		}
		for _, rec := range list {
			if err := w.Write(rec); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		back, _ := mustRead(t, buf.String(), "x", dataset.Options{Format: name})
		if len(back) != 2 || back[0].ID != "a" || !equalGraphs(list[0].Graph, back[0].Graph) || !equalGraphs(list[1].Graph, back[1].Graph) {
			t.Errorf("%s: came back as %+v; written as %q", name, back, buf.String())
		}
	}
	list, _ := mustRead(t, "graph \"-1\" {}", "x", dataset.Options{})
	w, err := dataset.NewWriter(new(bytes.Buffer), "tve")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(list[0]); !errors.Is(err, dataset.ErrNoNodes) {
		t.Errorf("the mark of the end was written: %v", err)
	}
}

// TestUndeclaredNodes are added, in the order in which edges name them.
func TestUndeclaredNodes(t *testing.T) {
	for name, text := range map[string]string{
		"graphml": `<graphml><key id="l" for="node" attr.name="label"/><graph edgedefault="directed"><edge source="a" target="b"/><node id="b"><data key="l">B</data></node><edge source="b" target="c"/></graph></graphml>`,
		"gxl":     `<gxl><graph edgemode="directed"><edge from="a" to="b"/><node id="b"><attr name="label"><string>B</string></attr></node><edge from="b" to="c"/></graph></gxl>`,
	} {
		list, notes := mustRead(t, text, "x", dataset.Options{Format: name})
		if got := drawing(list[0].Graph); got != "B 0 0; 0>2:0 1>0:0" || list[0].NodeIDs[1] != "a" {
			t.Errorf("%s: %s, nodes %q", name, got, list[0].NodeIDs)
		}
		if !contains(notes, "2 nodes occur only in edges: they were added") {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

func TestUndeclaredKeys(t *testing.T) {
	for name, text := range map[string]string{
		"graphml": `<graphml><graph edgedefault="directed"><node id="a"><data key="colour"> red</data><data key="w">1.5</data></node></graph></graphml>`,
	} {
		list, notes := mustRead(t, text, "x", dataset.Options{})
		if got := list[0].Graph.LabelText(0); got != " red" {
			t.Errorf("%s: label %q", name, got)
		}
		if !contains(notes, `"colour" is not declared`) || !contains(notes, `"w" is not declared`) {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

// TestLimitsWhileReading: a graph over the limits is refused before it is whole.
func TestLimitsWhileReading(t *testing.T) {
	for name, e := range map[string]*endless{
		"tve":      {start: "t # 0\nv  0 C\nv 1 C\n", repeat: "e 0 1 x\n"},
		"dot":      {start: "graph { a", repeat: "--a"},
		"graphml":  {start: `<graphml><graph edgedefault="directed"><node id="a"/>`, repeat: `<edge source="a" target="a"/>`},
		"gxl":      {start: `<gxl><graph>`, repeat: `<edge from="a" to="b"/>`},
		"json":     {start: `{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 0}`, repeat: `,{"source": 0, "target": 0}`},
		"edgelist": {start: "0 1\n", repeat: "0 1\n"},
		"gml":      {start: `graph [ node [ id 0 ]`, repeat: ` edge [ source 0 target 0 ]`},
		"gexf":     {start: `<gexf><graph><nodes><node id="a"/></nodes><edges>`, repeat: `<edge source="a" target="a"/>`},
		"pajek":    {start: "*Vertices 2\n*Edges\n", repeat: "1 2\n"},
		"mtx":      {start: "%%MatrixMarket matrix coordinate pattern general\n2 2 65536\n", repeat: "1 2\n"},
	} {
		const limit = 1000
		e.limit = 1 << 16
		text := make([]byte, e.limit)
		n, _ := e.Read(text)
		closing := map[string]string{"dot": "}", "graphml": "</graph></graphml>", "gxl": "</graph></gxl>", "json": "]}", "gml": "]", "gexf": "</edges></graph></gexf>"}
		cut := n - (n-len(e.start))%len(e.repeat)
		_, _, err := readText(string(text[:cut])+closing[name], "x", dataset.Options{Format: name, MaxEdges: limit})
		if !errors.Is(err, dataset.ErrRecordTooLarge) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, _, err := readText(string(text[:cut])+closing[name], "x", dataset.Options{Format: name, MaxNodes: 1, Strict: false}); !slices.Contains([]string{"dot", "graphml", "json", "gml", "gexf", "mtx"}, name) && !errors.Is(err, dataset.ErrRecordTooLarge) {
			t.Errorf("%s: nodes: error %v", name, err)
		}
	}
	if _, _, err := readText("t # 0\nv 0 C\nv 1 C\ne 0 1 x\n", "x", dataset.Options{MaxNodes: 1}); !errors.Is(err, dataset.ErrRecordTooLarge) {
		t.Errorf("plain t/v/e: %v", err)
	}
	if _, _, err := readText("CCC a\n", "x.smi", dataset.Options{MaxNodes: 2}); !errors.Is(err, dataset.ErrRecordTooLarge) {
		t.Errorf("SMILES: %v", err)
	}
}
