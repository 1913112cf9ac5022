package dataset_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestInterchange: what GML, GEXF, Pajek, MatrixMarket, nested GraphML and tables of edges say is what is read.
func TestInterchange(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        dataset.Options
		want       string   // the drawing
		ids        []string // of nodes; nil if they are 0, 1, ...
		notes      []string // parts of notes
	}{
		{name: "ids and labels.gml", text: `graph [ node [ id 7 label "a" ] node [ id -1 label "b" ] edge [ source -1 target 7 value 2.5 ] ]`,
			want: "a b; 0-1:0", ids: []string{"7", "-1"}, notes: []string{"none of their attributes (value) is text"}},
		{name: "text.gml", text: `graph [ node [ id 0 label "1" ] node [ id 1 label "&quot;x&quot; &#228; &lt;" ] ]`, want: `1 "x" ä <; `},
		{name: "latin.gml", text: "graph [ node [ id 0 label \"\xe4\" ] ]", want: "ä; ", notes: []string{"Latin-1"}},
		{name: "types.gml", text: `graph [ directed 1 node [ id 0 type "x" w 3 ] node [ id 1 type "y" w 4 ] edge [ source 0 target 1 key 0 label "k" ] edge [ source 0 target 1 key 1 label "l" ] ]`,
			want: "x y; 0>1:k 0>1:l", notes: []string{"node label: attribute type (other attributes: w;"}},
		{name: "lists.gml", text: `graph [ node [ id 0 label "a" graphics [ w 1 ] att [ x 1 ] ] ]`, want: "a; ", notes: []string{"1 list of a node"}},
		{name: "group.gml", text: `graph [ node [ id 0 label "g" isGroup 1 ] node [ id 1 label "a" gid 0 ] ]`, want: "g a; "},
		{name: "order.gml", text: `graph [ edge [ source 1 target 0 ] node [ id 0 ] node [ id 1 ] ]`, want: "0 0; 0-1:0"},

		{name: "labels.gexf", text: `<gexf><graph defaultedgetype="directed"><nodes><node id="a" label="x"/><node id="b" label="y"/></nodes>
			<edges><edge source="a" target="b" label="l" weight="2.0"/><edge source="a" target="b" weight="1.0"/></edges></graph></gexf>`,
			want: "x y; 0>1:l 0>1:0", ids: []string{"a", "b"}},
		{name: "nested.gexf", text: `<gexf><graph><nodes><node id="a" label="x"><nodes><node id="b" label="y"/></nodes></node></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`,
			want: "x y; 0-1:0", ids: []string{"a", "b"}},
		{name: "own type.gexf", text: `<gexf><graph><nodes><node id="0"/><node id="1"/></nodes><edges><edge source="0" target="1" type="directed"/><edge source="1" target="0" type="mutual"/></edges></graph></gexf>`,
			want: "0 0; 0>1:0 0>1:0 1>0:0"},
		{name: "times.gexf", text: `<gexf><graph mode="dynamic"><nodes><node id="0" start="1"/></nodes></graph></gexf>`, want: "0; ", notes: []string{"times of nodes"}},
		{name: "kinds.gexf", text: `<gexf><graph><attributes class="node"><attribute id="k" title="kind" type="string"/><attribute id="n" title="n" type="integer"/></attributes>
			<nodes><node id="0"><attvalues><attvalue for="k" value="A"/><attvalue for="n" value="3"/></attvalues></node><node id="1"><attvalues><attvalue id="k" value="B"/></attvalues></node></nodes></graph></gexf>`,
			want: "A B; ", notes: []string{"node label: attribute kind (other attributes: n;"}},
		{name: "undeclared.gexf", text: `<gexf><graph><nodes><node id="0"><attvalues><attvalue for="z" value="A"/></attvalues></node></nodes></graph></gexf>`,
			want: "A; ", notes: []string{`"z" is not declared`}},

		{name: "names.net", text: "*Vertices 3\n2 \"a b\"\n1 x 0.1 0.2\n*Arcs\n1 2 1\n2 1 3.5\n*Edges\n2 3\n", want: "x a b 0; 0>1:0 1>0:0 1>2:0 2>1:0",
			ids: []string{"1", "2", "3"}, notes: []string{"1 edge beside arcs"}},
		{name: "relations.net", text: "*Vertices 2\n*Arcs :1 \"knows\"\n1 2 1\n*Arcs :2 \"pays\"\n1 2 1\n", want: "0 0; 0>1:knows 0>1:pays", ids: []string{"1", "2"}},
		{name: "lists.net", text: "*vertices 3\n*edgeslist\n1 2 3\n", want: "0 0 0; 0-1:0 0-2:0", ids: []string{"1", "2", "3"}},
		{name: "matrix.net", text: "*Vertices 2\n*Matrix\n0 1\n0.0 2\n", want: "0 0; 0>1:0 1>1:0", ids: []string{"1", "2"}},
		{name: "project.paj", text: "*Network a\n*Vertices 1\n1 x\n*Vector v\n*Vertices 1\n0.5\n", want: "x; ", ids: []string{"1"}, notes: []string{"*vector is no network"}},

		{name: "square.mtx", text: "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 .5\n2 1 .5\n", want: "0 0 0; 0>1:0 1>0:0"},
		{name: "symmetric.mtx", text: "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", want: "0 0 0; 0-1:0 2-2:0"},
		{name: "integer.mtx", text: "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 5\n", opt: dataset.Options{Rules: dataset.Rules{EdgeLabel: "weight"}}, want: "0 0; 0-1:5"},
		{name: "rectangle.mtx", text: "%%MatrixMarket matrix coordinate complex general\n1 2 1\n1 2 1 -1\n", want: "row column column; 0-2:0", notes: []string{"1 rows and 2 columns"}},

		{name: "groups.graphml", text: `<graphml><key for="node" id="d6" yfiles.type="nodegraphics"/><graph edgedefault="directed">
			<node id="n0" yfiles.foldertype="group"><data key="d6"><ProxyAutoBoundsNode><Realizers active="0"><GroupNode><NodeLabel>G</NodeLabel></GroupNode></Realizers></ProxyAutoBoundsNode></data>
			<graph edgedefault="directed" id="n0:"><node id="n0::n0"><data key="d6"><ShapeNode><NodeLabel>a</NodeLabel></ShapeNode></data></node><node id="n0::n1"/><edge source="n0::n0" target="n0::n1"/></graph></node>
			<edge source="n0" target="n0::n1"/></graph></graphml>`,
			want: "G a 0; 0>2:0 1>2:0", ids: []string{"n0", "n0::n0", "n0::n1"}},
		{name: "own label.graphml", text: `<graphml><key for="node" id="d6" yfiles.type="nodegraphics"/><key for="node" id="l" attr.name="label"/><graph edgedefault="directed">
			<node id="0"><data key="l">mine</data><data key="d6"><ShapeNode><NodeLabel>drawn</NodeLabel></ShapeNode></data></node></graph></graphml>`, want: "mine; "},

		{name: "edges.csv", text: "source,target,label\na,\"b, c\",x\n\"b, c\",d,y\n", want: "0 0 0; 0-1:x 1-2:y", ids: []string{"a", "b, c", "d"},
			notes: []string{`from column "source" to column "target"`}},
		{name: "gephi.csv", text: "Source;Target;Type;Id;Label;Weight\n1;0;Directed;0;;1.0\n0;1;Directed;1;q;2\n", want: "0 0; 0>1:q 1>0:0", notes: []string{"read as directed, as the file says"}},
		{name: "tabs.tsv", text: "caller\tcallee\nmain main\tf\n", opt: dataset.Options{Rules: dataset.Rules{Directed: true}}, want: "0 0; 0>1:0", ids: []string{"main main", "f"}},
		{name: "molecules.csv", text: "smiles,source,target\nCO,a,b\n", want: "C O; 0-1:1"},
	} {
		list, notes := mustRead(t, c.text, c.name, c.opt)
		if len(list) != 1 || drawing(list[0].Graph) != c.want || !slices.Equal(list[0].NodeIDs, c.ids) {
			t.Errorf("%s: %d graphs, %s, nodes %q; want %s, %q; notes %q", c.name, len(list), drawing(list[0].Graph), list[0].NodeIDs, c.want, c.ids, notes)
		}
		for _, part := range c.notes {
			if !contains(notes, part) {
				t.Errorf("%s: notes %q, want %q", c.name, notes, part)
			}
		}
	}
}

// TestInterchangeCases reads files that programs read wrongly.
func TestInterchangeCases(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "cases", "other")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("there are no cases beside the repository")
	}
	for name, want := range map[string]string{
		"w1.gml": "web db; 0-1:sql", "w2.gml": "web cache; 0-1:sql",
		"w1.net": "web db log; 0>1:0 0>2:0", "w2.net": "log web db; 1>0:0 1>2:0",
		"r2.mtx": "row row row row column column column column column column; 0-5:0 1-7:0 2-4:0",
	} {
		r, err := dataset.Open(filepath.Join(dir, name), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := drawing(rec.Graph); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		r.Close()
	}
}
