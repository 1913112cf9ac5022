package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestTypedAttributes: what formats say of the type of an attribute decides
// whether it can be a label.
func TestTypedAttributes(t *testing.T) {
	graphML := func(kind, value string) string {
		return `<graphml><key id="k" for="node" attr.name="type" attr.type="` + kind + `"/>` +
			`<graph edgedefault="undirected"><node id="0"><data key="k">` + value + `</data></node></graph></graphml>`
	}
	gxl := func(kind, value string) string {
		return `<gxl><graph edgemode="undirected"><node id="0"><attr name="type"><` + kind + `>` + value + `</` + kind + `></attr></node></graph></gxl>`
	}
	json := func(_, value string) string { return `{"nodes": [{"id": 0, "type": ` + value + `}], "edges": []}` }
	for _, c := range []struct{ text, want string }{
		{graphML("string", "1.5"), "1.5"}, {graphML("int", " 7\n"), "7"}, {graphML("long", "7"), "7"}, {graphML("boolean", "true"), "true"},
		{graphML("double", "7.5"), "0"}, {graphML("float", "7"), "0"},
		{gxl("string", " C "), "C"}, {gxl("int", " 7 "), "7"}, {gxl("Bool", "true"), "true"}, {gxl("float", "7"), "0"}, {gxl("seq", ""), "0"}, {gxl("Integer", "7"), "7"}, {gxl("int", "SMLS"), "SMLS"},
		{json("", `"1.5"`), "1.5"}, {json("", `7`), "7"}, {json("", `true`), "true"}, {json("", `7.0`), "0"}, {json("", `[1]`), "0"}, {json("", `null`), "0"},
	} {
		list, notes := mustRead(t, c.text, "x", dataset.Options{})
		if got := list[0].Graph.LabelText(0); got != c.want {
			t.Errorf("%s: label %s, want %s; %q", c.text, got, c.want, notes)
		}
	}
}

func TestMissingAttributes(t *testing.T) {
	text := `graph { a [label=x]; b; c; a -- b [label=1]; b -- c }`
	list, notes := mustRead(t, text, "x.dot", dataset.Options{})
	if got := drawing(list[0].Graph); got != "x 0 0; 0-1:1 1-2:0" {
		t.Errorf("graph %s", got)
	}
	if !contains(notes, "2 nodes have no attribute label: their label is 0") || !contains(notes, "1 edge has no attribute label: its label is 0") {
		t.Errorf("notes %q", notes)
	}
}

// TestGraphvizOwnName: "\N", which Graphviz writes for nodes without a label, is none, and takes
// back a default. With another backslash, and of edges, it is text.
func TestGraphvizOwnName(t *testing.T) {
	for text, want := range map[string]string{
		`digraph { node [label="\N"]; main -> parse }`:                        "main parse; 0>1:0",
		`digraph { node [label="\N"]; main [label=start]; main -> parse }`:    "start 0; 0>1:0",
		`digraph { node [label=f]; main; parse [label="\N"]; main -> parse }`: "f 0; 0>1:0",
		`digraph { node [label="\\N"]; a -> b [label="\N"] }`:                 `\N \N; 0>1:\N`,
		`digraph { node [label="\"\N"]; a }`:                                  `"\N; `,
	} {
		list, _ := mustRead(t, text, "x.dot", dataset.Options{Named: true})
		if got := drawing(list[0].Graph); got != want {
			t.Errorf("%s: graph %s, want %s", text, got, want)
		}
	}
}

// TestGraphvizNames: what Graphviz draws as a name within a label is said, since nodes with other
// names have the same label.
func TestGraphvizNames(t *testing.T) {
	for text, want := range map[string]bool{
		`digraph { node [label="\N:80"]; a -> b }`:     true,
		`digraph { a -> b [label="\E"] }`:              true,
		`digraph { a -> b [label="a" + "\E"] }`:        true,
		`digraph { node [label="\N" + "x"]; a -> b }`:  true,
		`digraph { node [label="a" + "\\N"]; a -> b }`: false,
		`digraph { node [label="\\N \n\l"]; a -> b }`:  false,
		`digraph { node [label="\N"]; a -> b }`:        false,
	} {
		_, notes := mustRead(t, text, "x.dot", dataset.Options{})
		if contains(notes, "for which Graphviz draws") != want {
			t.Errorf("%s: notes %q", text, notes)
		}
	}
}

// TestManyAttributes: notes and errors name some of them.
func TestManyAttributes(t *testing.T) {
	text := `{"nodes": [{"id": 0`
	for _, name := range "abcdefghijklm" {
		text += `, "` + string(name) + `": 1.5`
	}
	text += `}], "edges": []}`
	_, notes := mustRead(t, text, "x", dataset.Options{})
	if !contains(notes, "(a, b, c, d, e, f, g, h, 5 more)") {
		t.Errorf("notes %q", notes)
	}
	_, _, err := readText(text, "x", dataset.Options{Rules: dataset.Rules{NodeLabel: "z"}})
	if err == nil || !strings.HasSuffix(err.Error(), "it has a, b, c, d, e, f, g, h, 5 more") {
		t.Errorf("error %v", err)
	}
}

// TestYEd reads the labels that yEd keeps in the drawing.
func TestYEd(t *testing.T) {
	text := `<graphml xmlns:y="http://www.yworks.com/xml/graphml"><key for="node" id="d6" yfiles.type="nodegraphics"/><key for="edge" id="d10" yfiles.type="edgegraphics"/>
<key for="graph" id="d0" attr.name="name" attr.type="string"/><key for="graph" id="d1" attr.name="note" attr.type="string"/>
<graph edgedefault="directed" id="G"><data key="d0">drawing</data><data key="d1">mine</data>
<node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30.0"/><y:NodeLabel>Start<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d6"><y:ShapeNode><y:NodeLabel>End</y:NodeLabel><y:NodeLabel>more</y:NodeLabel></y:ShapeNode></data></node>
<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge><y:EdgeLabel>yes</y:EdgeLabel></y:PolyLineEdge></data></edge>
</graph></graphml>`
	list, _ := mustRead(t, text, "x", dataset.Options{})
	if got := drawing(list[0].Graph); got != "Start End; 0>1:yes" {
		t.Errorf("graph %s", got)
	}
	if list[0].Name != "drawing" || list[0].Attributes["note"] != "mine" {
		t.Errorf("%+v", list[0])
	}
}

// TestGraphAttributes: what is said of the whole graph is kept.
func TestGraphAttributes(t *testing.T) {
	for name, text := range map[string]string{
		"dot":  `graph { graph [name=n, smiles=s]; colour=red; subgraph { colour=blue; a } }`,
		"gxl":  `<gxl><graph><attr name="name"><string>n</string></attr><attr name="smiles"><string>s</string></attr><attr name="colour"><string>red</string></attr><node id="a"/></graph></gxl>`,
		"json": `{"id": 3, "graph": {"name": "n", "smiles": "s", "colour": "red"}, "nodes": [{"id": "a"}], "edges": []}`,
	} {
		list, _ := mustRead(t, text, "x", dataset.Options{})
		if rec := list[0]; rec.Name != "n" || rec.SMILES != "s" || rec.Attributes["colour"] != "red" || len(rec.Attributes) != 1 {
			t.Errorf("%s: %+v", name, rec)
		}
	}
}

// TestSeveralAttributes make one label, by name or by bins.
func TestSeveralAttributes(t *testing.T) {
	text := `{"nodes": [{"id": 0, "x": 0.7, "y": -0.2, "chem": 6, "a,b": "c"}, {"id": 1, "x": 2.5, "y": 1, "chem": 7, "a,b": "d"}], "edges": []}`
	for _, c := range []struct {
		opt  dataset.Options
		want string
	}{
		{dataset.Options{Rules: dataset.Rules{NodeLabel: "chem,a,b"}}, ""},
		{dataset.Options{Rules: dataset.Rules{NodeLabel: "a,b"}}, "c d; "},
		{dataset.Options{Rules: dataset.Rules{NodeLabel: "chem,x", Bin: map[string]float64{"x": 0.5}}}, "6|0.5 7|2.5; "},
		{dataset.Options{Rules: dataset.Rules{Bin: map[string]float64{"y": 1, "x": 0.5}}}, "0.5|-1 2.5|1; "},
	} {
		list, _, err := readText(text, "x", c.opt)
		if c.want == "" {
			if err == nil {
				t.Errorf("%+v: no error", c.opt)
			}
			continue
		}
		if err != nil || drawing(list[0].Graph) != c.want {
			t.Errorf("%+v: %v, %v, want %s", c.opt, list, err, c.want)
		}
	}
}
