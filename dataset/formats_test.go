package dataset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
)

// water is one graph in every format of one file.
var water = map[string]string{
	"tve":    "t # w\nv 0 O\nv 1 H\nv 2 H\ne 0 1 single\ne 0 2 single\n",
	"ndjson": `{"directed": false, "graph": {"id": "w"}, "nodes": [{"id": 0, "label": "O"}, {"id": 1, "label": "H"}, {"id": 2, "label": "H"}], "links": [{"source": 0, "target": 1, "label": "single"}, {"source": 2, "target": 0, "label": "single"}]}` + "\n",
	"json": `{"directed": false, "multigraph": false, "graph": {"id": "w"},
 "nodes": [{"id": "a", "label": "O"}, {"id": "b", "label": "H"}, {"id": "c", "label": "H"}],
 "edges": [{"source": "a", "target": "b", "label": "single"}, {"source": "a", "target": "c", "label": "single"}]}`,
	"dot": `/* water */ graph w {
  node [label=H]; edge [label="single"];
  a [label=O, color=red];
  a -- b;
  a -- c
}`,
	"graphml": `<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="d0" for="node" attr.name="symbol" attr.type="string"><default>H</default></key>
 <key id="d1" for="edge" attr.name="bond" attr.type="string"/>
 <graph id="w" edgedefault="undirected">
  <node id="a"><data key="d0">O</data></node><node id="b"/><node id="c"/>
  <edge source="a" target="b"><data key="d1">single</data></edge>
  <edge source="a" target="c"><data key="d1">single</data></edge>
 </graph></graphml>`,
	"gxl": `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">
<gxl><graph id="w" edgeids="false" edgemode="undirected">
<node id="_1"><attr name="symbol"><string>O </string></attr><attr name="x"><float>1.5</float></attr></node>
<node id="_2"><attr name="symbol"><string>H </string></attr><attr name="x"><float>2.5</float></attr></node>
<node id="_3"><attr name="symbol"><string>H </string></attr><attr name="x"><float>0.5</float></attr></node>
<edge from="_1" to="_2"><attr name="valence"><string>single</string></attr></edge>
<edge from="_1" to="_3"><attr name="valence"><string>single</string></attr></edge>
</graph></gxl>`,
	"gml": `# water
Creator "igraph version 0.10"
Version 1
graph
[
  directed 0
  id "w"
  node [ id 10 label "O" graphics [ x 1.5 y 2 fill "#FF0000" ] ]
  node [ id 11 label "H" ]
  node [ id 12 label "H" ]
  edge [ source 10 target 11 label "single" ]
  edge [ source 12 target 10 label "single" id 2 ]
]
`,
	"gexf": `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3"><meta><creator>me</creator></meta>
<graph id="w" defaultedgetype="undirected" mode="static">
 <attributes class="node"><attribute id="0" title="symbol" type="string"><default>H</default></attribute></attributes>
 <attributes class="edge"><attribute id="0" title="bond" type="string"><default>single</default></attribute></attributes>
 <nodes><node id="a"><viz:color r="1" g="2" b="3"/><attvalues><attvalue for="0" value="O"/></attvalues></node>
  <node id="b"/><node id="c"/></nodes>
 <edges><edge id="0" source="a" target="b" weight="2.5"/><edge id="1" source="a" target="c"/></edges>
</graph></gexf>`,
	"pajek": "% water\r\n*Network w\r\n*Vertices 3\r\n1 \"O\" 0.1 0.2 0.5 ellipse ic Red\r\n2 H\r\n3 \"H\"\r\n" +
		"*Edges\r\n1 2 1 l \"single\" c Blue\r\n3 1 1 l single\r\n",
}

func TestEveryFormat(t *testing.T) {
	for name, text := range water {
		t.Run(name, func(t *testing.T) {
			list, notes := mustRead(t, text, "stream", dataset.Options{})
			if len(list) != 1 || list[0].ID != "w" {
				t.Fatalf("read %+v", list)
			}
			const want = "O H H; 0-1:single 0-2:single"
			if got := drawing(list[0].Graph); got != want {
				t.Errorf("graph %s, want %s; notes %q", got, want, notes)
			}
			again, _ := mustRead(t, text, "stream", dataset.Options{Format: name})
			if got := drawing(again[0].Graph); got != want {
				t.Errorf("graph %s with the format named, want %s", got, want)
			}
		})
	}
}

func TestDirectionIsKept(t *testing.T) {
	for name, text := range map[string]string{
		"json":    `{"directed": true, "nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 1, "target": 0}, {"source": 0, "target": 1}]}`,
		"dot":     `digraph { 0; 1; 1 -> 0 -> 1 }`,
		"graphml": `<graphml><graph edgedefault="directed"><node id="0"/><node id="1"/><edge source="1" target="0"/><edge source="0" target="1"/></graph></graphml>`,
		"gxl":     `<gxl><graph id="" edgemode="directed"><node id="0"/><node id="1"/><edge from="1" to="0"/><edge from="0" to="1"/></graph></gxl>`,
		"edges":   "# Directed graph: x\n1 0\n0 1\n",
		"gml":     "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 1 target 0 ] edge [ source 0 target 1 ] ]",
		"gexf": `<gexf><graph defaultedgetype="directed"><nodes><node id="0"/><node id="1"/></nodes>` +
			`<edges><edge source="1" target="0"/><edge source="0" target="1"/></edges></graph></gexf>`,
		"mutual": `<gexf><graph defaultedgetype="mutual"><nodes><node id="0"/><node id="1"/></nodes>` +
			`<edges><edge source="1" target="0"/></edges></graph></gexf>`,
		"table": "from,to,type\n1,0,Directed\n0,1,directed\n",
	} {
		list, _ := mustRead(t, text, "stream", dataset.Options{})
		if got, want := drawing(list[0].Graph), "0 0; 0>1:0 1>0:0"; got != want {
			t.Errorf("%s: graph %s, want %s", name, got, want)
		}
		if list[0].NodeIDs != nil {
			t.Errorf("%s: node ids %q for nodes named by their numbers", name, list[0].NodeIDs)
		}
	}
}

func TestDOT(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`graph { a -- b -- c -- a }`, "0 0 0; 0-1:0 0-2:0 1-2:0"},
		{`graph { a -- {b c} -- d }`, "0 0 0 0; 0-1:0 0-2:0 1-3:0 2-3:0"},
		{`digraph "x y" { node [label=A]; subgraph cluster { node [label=B]; b }; a -> b [label=<i<b>x</b>>] }`, "B A; 1>0:i<b>x</b>"},
		{`strict graph { a -- b; b -- a; a -- b }`, "0 0; 0-1:0"},
		{"graph {\n# comment\n \"a\\\"b\" [label=\"x\\\\\" + \"y\"]; // other\n b:port:ne }", `x\y 0; `},
		{`graph { a [label=1]; b [label=2] a--b [label=-.5] }`, "1 2; 0-1:-.5"},
		{`graph{edge[label=7]a--b;edge[label=8]b--c}`, "0 0 0; 0-1:7 1-2:8"},
	} {
		list, _, err := readText(c.text, "x.dot", dataset.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := drawing(list[0].Graph); got != c.want {
			t.Errorf("%s: graph %s, want %s", c.text, got, c.want)
		}
	}
}

func TestSeveralGraphsAFile(t *testing.T) {
	texts := map[string]string{
		"dot":     "graph a { x }\n\ngraph b { x }\n// end\n",
		"list":    `[{"nodes": [{"id": 0}], "edges": [], "graph": {"id": "a"}},` + "\n" + `{"nodes": [{"id": 0}], "edges": [], "graph": {"id": "b"}}]`,
		"graphml": `<graphml><graph id="a" edgedefault="directed"><node id="x"/></graph><graph id="b" edgedefault="directed"><node id="x"/></graph></graphml>`,
		"gxl":     `<gxl><graph id="a"><node id="x"/></graph><graph id="b"><node id="x"/></graph></gxl>`,
		"gml":     "graph [ id \"a\" node [ id 0 ] ]\nCreator \"x\"\ngraph [ id \"b\" node [ id 0 ] ]\nVersion 1\n",
		"gexf":    `<gexf><graph id="a"><nodes><node id="x"/></nodes></graph><graph id="b"><nodes><node id="x"/></nodes></graph></gexf>`,
		"pajek":   "*Network a\n*Vertices 1\n*Partition p\n*Vertices 1\n1\n*Network b\n*Vertices 1\n1 \"x\"\n",
		"tve":     "# a comment\n\nt # a\r\nv 0 x\r\n\r\nt #b\nv  0\tx\n# c\nt # -1\n",
	}
	for name, text := range texts {
		list, _ := mustRead(t, text, "stream", dataset.Options{})
		if len(list) != 2 || list[0].ID != "a" || list[1].ID != "b" {
			t.Errorf("%s: read %+v", name, list)
		}
	}
}

func TestLabelChoice(t *testing.T) {
	const text = `graph {
  a [colour=red, mass=1.5, type=3]; b [colour=blue, mass=2.25, type=4]
  a -- b [weight=0.5]
}`
	for _, c := range []struct {
		opt  dataset.Options
		want string
		note string
	}{
		{dataset.Options{}, "3 4; 0-1:0", "node label: attribute type (other attributes: colour, mass; node_label chooses one)"},
		{dataset.Options{Rules: dataset.Rules{NodeLabel: "colour"}}, "red blue; 0-1:0", ""},
		{dataset.Options{Rules: dataset.Rules{NodeLabel: dataset.NoLabel}}, "0 0; 0-1:0", ""},
		{dataset.Options{Rules: dataset.Rules{Bin: map[string]float64{"mass": 0.5}}}, "1.5 2; 0-1:0", "node label: attribute mass (other attributes: colour, type; node_label chooses one)"},
		{dataset.Options{Rules: dataset.Rules{NodeLabel: "mass", Bin: map[string]float64{"mass": 2, "weight": 0.2}}}, "0 2; 0-1:0.4", "edge label: attribute weight"},
		{dataset.Options{Rules: dataset.Rules{Bin: map[string]float64{"mass": 0.5, "Weight": 1}}}, "1.5 2; 0-1:0", "bin=Weight does not count: this attribute is no part of a label"},
		{dataset.Options{Rules: dataset.Rules{EdgeLabel: dataset.NoLabel}}, "3 4; 0-1:0", ""},
	} {
		list, notes := mustRead(t, text, "x.dot", c.opt)
		if got := drawing(list[0].Graph); got != c.want {
			t.Errorf("%+v: graph %s, want %s", c.opt, got, c.want)
		}
		if c.note != "" && !contains(notes, c.note) {
			t.Errorf("%+v: notes %q lack %q", c.opt, notes, c.note)
		}
	}
	_, notes := mustRead(t, text, "x.dot", dataset.Options{})
	const unlabelled = "edges are read without labels, because none of their attributes (weight) is text; edge_label chooses one, bin=ATTR=WIDTH makes labels of numbers"
	if !contains(notes, unlabelled) {
		t.Errorf("notes %q lack %q", notes, unlabelled)
	}
}

// TestMultigraphs: self-loops and parallel edges are read in every format that a line or an
// element gives them in.
func TestMultigraphs(t *testing.T) {
	for name, text := range map[string]string{
		"x.txt":     "t # 0\nv 0 C\nv 1 C\ne 0 1 y\ne 1 1 z\ne 1 0 x\ne 1 1 z\n",
		"x.edges":   "0 1 y\n1 1 z\n1 0 x\n1 1 z\n",
		"x.dot":     "graph {0 [label=C]; 1 [label=C]; 0--1 [label=y]; 1--1 [label=z]; 1--0 [label=x]; 1--1 [label=z]}",
		"x.json":    `{"multigraph": true, "nodes": [{"id": 0, "label": "C"}, {"id": 1, "label": "C"}], "links": [{"source": 0, "target": 1, "label": "y"}, {"source": 1, "target": 1, "label": "z"}, {"source": 1, "target": 0, "label": "x"}, {"source": 1, "target": 1, "label": "z"}]}`,
		"x.graphml": `<graphml><key id="l" for="all" attr.name="label"/><graph edgedefault="undirected"><node id="0"><data key="l">C</data></node><node id="1"><data key="l">C</data></node><edge source="0" target="1"><data key="l">y</data></edge><edge source="1" target="1"><data key="l">z</data></edge><edge source="1" target="0"><data key="l">x</data></edge><edge source="1" target="1"><data key="l">z</data></edge></graph></graphml>`,
	} {
		list, notes := mustRead(t, text, name, dataset.Options{})
		got := strings.ReplaceAll(drawing(list[0].Graph), "0 0;", "C C;") // edge lists have no labels of nodes
		if want := "C C; 0-1:y 0-1:x 1-1:z 1-1:z"; got != want {
			t.Errorf("%s: graph %s, want %s; notes %q", name, got, want, notes)
		}
	}
}

func TestSimplify(t *testing.T) {
	text := "t # 0\nv 0 C\nv 1 C\ne 0 1 y\ne 1 1 z\ne 1 0 x\ne 1 1 a\n"
	list, notes := mustRead(t, text, "x.txt", dataset.Options{Rules: dataset.Rules{Simplify: true}})
	if got, want := drawing(list[0].Graph), "C C@a+z; 0-1:x+y"; got != want {
		t.Errorf("graph %s, want %s", got, want)
	}
	want := []string{"2 self-loops were folded into node labels", "1 parallel edge was folded into the label of another"}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
}

func TestWildcard(t *testing.T) {
	text := `{"nodes": [{"id": 0, "wildcard": true}, {"id": 1, "label": "*"}], "edges": [{"source": 0, "target": 1, "wildcard": true}]}`
	list, _ := mustRead(t, text, "x.json", dataset.Options{})
	g := list[0].Graph
	if l, _ := g.Edge(0, 1); g.Label(0) != 0 || g.Label(1) == 0 || l != 0 {
		t.Errorf("labels %v, edge %d: want the wildcard at node 0 and the edge only", g.Labels(), l)
	}
}

func TestEdgeList(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ids        []string
	}{
		{"0 1\n1 2\n", "0 0 0; 0-1:0 1-2:0", nil},
		{"# FromNodeId\tToNodeId\n30\t10\n10\t20\n", "0 0 0; 0-1:0 0-2:0", []string{"10", "20", "30"}},
		{"% konect\n0,1,x\n1,0,x\n", "0 0; 0-1:x", nil},
		{"a b {'weight': 4, 'label': 'x'}\nb c {'label': 'y'}\n", "0 0 0; 0-1:x 1-2:y", []string{"a", "b", "c"}},
		{"# Undirected graph: a\n7 8 2\n", "0 0; 0-1:2", []string{"7", "8"}},
	} {
		list, _ := mustRead(t, c.text, "x.edgelist", dataset.Options{})
		if got := drawing(list[0].Graph); got != c.want {
			t.Errorf("%q: graph %s, want %s", c.text, got, c.want)
		}
		if diff := cmp.Diff(c.ids, list[0].NodeIDs); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
	dir := writeFiles(t, map[string]string{"g.edges": "ann bob\nbob cyd\n", "g.labels": "ann 1\nbob 2\ncyd 1\ndan 3\n"})
	list, err := dataset.ReadAll(dir+"/g.edges", dataset.Options{LabelFile: dir + "/g.labels"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := drawing(list[0].Graph), "1 2 1 3; 0-1:0 1-2:0"; got != want {
		t.Errorf("graph %s, want %s", got, want)
	}
}

func contains(notes []string, text string) bool {
	for _, n := range notes {
		if strings.Contains(n, text) {
			return true
		}
	}
	return false
}

// TestNamedEdges: edges between names, by the ending of the file.
func TestNamedEdges(t *testing.T) {
	for _, name := range []string{"x.ncol", "x.edges"} {
		list, _ := mustRead(t, "ann bob 1.5\nbob cyd 2\n", name, dataset.Options{})
		if got := drawing(list[0].Graph); got != "0 0 0; 0-1:0 1-2:0" || list[0].NodeIDs[2] != "cyd" {
			t.Errorf("%s: %s, nodes %q", name, got, list[0].NodeIDs)
		}
	}
}
