package dataset_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// badInput is a text, the message it must give, which users act on, and what
// the error must wrap.
type badInput struct {
	name, text string
	opt        dataset.Options
	want       string
	is         error
}

func badInputs() []badInput {
	return []badInput{
		{name: "empty.txt", text: "",
			want: "empty.txt: no graphs: the file is empty; expected one of tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset",
			is:   dataset.ErrEmpty},
		{name: "comments.txt", text: "# nothing\n", opt: dataset.Options{Format: "tve"},
			want: "comments.txt: no graphs: it holds only blanks or comments", is: dataset.ErrEmpty},
		{name: "prose", text: "Once upon a time",
			want: `prose: unknown format: it starts with "Once upon a time"; expected one of tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset (if it is one of these, name it with format)`,
			is:   dataset.ErrUnknownFormat},
		{name: "x", text: "t # 1\nv 0 C\n", opt: dataset.Options{Format: "xyz"},
			want: `unknown format "xyz": known are tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset`,
			is:   dataset.ErrUnknownFormat},
		{name: "go.txt", text: "a.b/c d.e/f\na.b/c g.h/i@v1\n", is: dataset.ErrUnknownFormat,
			want: `go.txt: unknown format: it starts with "a.b/c d.e/f"; expected one of tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset (if its lines are edges, read them with format=edgelist)`},
		{name: "m.mmd", text: "flowchart LR\n  a --> b\n", is: dataset.ErrUnknownFormat,
			want: `m.mmd: unknown format: it starts with "flowchart LR"; expected one of tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset (Mermaid is not read: write its edges as lines NODE NODE, and read them with format=edgelist)`},
		{name: "d.txt", text: "graph a b {\n a -- b\n}\n", is: dataset.ErrUnknownFormat,
			want: `d.txt: unknown format: it starts with "graph a b {"; expected one of tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset (if it is one of these, name it with format)`},
		{name: "t.txt", text: "app v0.1.0\n├── serde v1\n└── log v0.4\n", is: dataset.ErrUnknownFormat,
			want: `t.txt: unknown format: it starts with "app v0.1.0"; expected one of tve, ndjson, json, dot, gml, graphml, gexf, gxl, cxl, bpmn, pnml, xes, pajek, mtx, onnx, edgelist, rd, sdf, smiles, tudataset (a tree drawn with lines is not read: most tools that draw one also write DOT or JSON)`},
		{name: "g.gml", text: "graph [ node [ id 1 ]\n edge [ source 1 target 2 ] ]",
			want: `g.gml:2: record 0: edge 1-2: node "2": node does not exist: the graph has 1 nodes, from "1" to "1"`, is: graph.ErrNodeRange},
		{name: "g.gml", text: "graph [\n node [ label \"a\" ] ]", want: `g.gml:2: record 0: node 0 has no id`},
		{name: "g.gml", text: "graph [ node [ id 1 ] ]\ngraph [\n node [ id 1 ] node [ id 1 ] ]", want: `g.gml:3: record 1: node "1" is given twice: every node needs an id of its own`},
		{name: "g.gml", text: "graph [\n edge [ source 1 ] ]", want: `g.gml:2: record 0: edge 0 has no source or no target`},
		{name: "g.gml", text: "graph [ node [ id 1\n ]", want: `g.gml:2: record 0: the text ends within a list: the file is cut short`},
		{name: "g.gml", text: "graph [ node [ id 1\n label \"a ] ]", want: `g.gml:2: record 0: a quotation mark is not closed`},
		{name: "g.gml", text: "graph [ node [ id ] ]", want: `g.gml:1: record 0: the key "id" has no value`},
		{name: "g.gml", text: "graph [ " + strings.Repeat("a [ ", 300), want: `g.gml:1: record 0: lists are nested deeper than 256`},
		{name: "g.gexf", text: `<gexf><graph><nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`,
			want: `g.gexf:1: record 0: edge a-b: node "b": node does not exist: the graph has 1 nodes, from "a" to "a"`, is: graph.ErrNodeRange},
		{name: "g.gexf", text: `<gexf><graph><nodes><node id="a"/></nodes><edges><edge source="a" target="a"/><edge source="a" target="a" type="directed"/></edges></graph></gexf>`,
			want: `g.gexf:1: record 0: 1 edges are directed and 1 are not: all edges of a graph must agree`},
		{name: "g.gexf", text: `<gexf><graph><nodes><node id="a"/></nodes><edges><edge source="a" target="a" type="dir"/></edges></graph></gexf>`,
			want: `g.gexf:1: record 0: the type of an edge is "dir", expected "directed", "undirected" or "mutual"`},
		{name: "g.gexf", text: `<gexf><graph><attributes class="node"><attribute id="0" title="a"/><attribute id="0" title="b"/></attributes></graph></gexf>`,
			want: `g.gexf:1: record 0: the attribute "0" of a node is declared twice`},
		{name: "g.graphml", text: `<graphml><key id="a" for="node" attr.name="x"/><key id="b" for="all" attr.name="x"/><graph edgedefault="directed"/></graphml>`,
			want: `g.graphml:1: record 0: the keys "a" and "b" have the same attr.name, "x": rename one, or their values cannot be told apart`},
		{name: "g.graphml", text: `<graphml><graph edgedefault="directed"><node id="a"><graph edgedefault="undirected"/></node></graph></graphml>`,
			want: `g.graphml:1: record 0: a graph inside a node is directed and the one around it is not, or the other way round`},
		{name: "g.net", text: "*Vertices 2\n1 a\n3 b\n", want: `g.net:3: record 0: found vertex "3", expected a number from 1 to 2`},
		{name: "g.net", text: "*Vertices 2\n*Arcs\n1 4\n",
			want: `g.net:3: record 0: found vertex "4", expected a number from 1 to 2`},
		{name: "g.net", text: "*Vertices 1000000000\n", want: `g.net:1: record 0: found 1000000000 vertices in 21 bytes: more than are read of those that have no line of their own`},
		{name: "g.net", text: "*Vertices\n", want: `g.net:1: record 0: *Vertices states no number`},
		{name: "g.net", text: "*Network a\n*Arcs\n", want: `g.net:2: record 0 (id a): found *arcs, expected *Vertices first`},
		{name: "g.net", text: "*Vertices 1\n*Edges\n1\n", want: `g.net:3: record 0: expected two vertices, found "1"`},
		{name: "m.mtx", text: "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n", want: `m.mtx:4: record 0: 2 entries are missing: the file is cut short`},
		{name: "m.mtx", text: "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n",
			want: `m.mtx:3: record 0: found the entry 1 3, expected a row from 1 to 2 and a column from 1 to 2`},
		{name: "m.mtx", text: "%%MatrixMarket matrix array real general\n2 2\n1\n",
			want: `m.mtx:1: record 0: found a matrix of form array, expected a matrix in coordinates: write it as a sparse one`},
		{name: "m.mtx", text: "%%MatrixMarket matrix coordinate real skew-symmetric\n", want: `m.mtx:1: record 0: found the symmetry "skew-symmetric", expected general, symmetric or hermitian`},
		{name: "m.mtx", text: "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", want: `m.mtx:3: record 0: found 2 fields, expected ROW COLUMN and 1 values, as the banner says`},
		{name: "m.mtx", text: "%%MatrixMarket matrix coordinate pattern general\n1000000000 1000000000 0\n",
			want: `m.mtx:1: record 0: found 1000000000 rows and columns in 73 bytes: more nodes without an edge than are read`},
		{name: "e.csv", text: "source,target\na\n", want: `e.csv:2: record 0: found 1 columns, expected source and target among them`},
		{name: "e.csv", text: "source,target\na,\n", want: `e.csv:2: record 0: the column target is empty, expected a node`},
		{name: "e.csv", text: "source,target\na,b,c\n", want: `e.csv:2: record 0: found 3 columns, expected 2 as the header has`},
		{name: "e.csv", text: "source,target,type\na,b,Directed\na,b,Undirected\n", want: `e.csv:3: record 0: the edge is undirected, but edges before are directed: all edges of a graph must agree`},
		{name: "m.ct", text: "x\n1 0\n0 0 0 C\n",
			want: "m.ct: unknown format: convert ChemDraw tables to SDF with Open Babel: obabel *.ct -O all.sdf", is: dataset.ErrUnknownFormat},
		{name: "m.inchi", text: "InChI=1S/CH4/h1H4\n",
			want: "m.inchi: unknown format: InChI does not state bond orders: give the SMILES (in RDKit, MolToSmiles(MolFromInchi(text)))", is: dataset.ErrUnknownFormat},
		{name: "utf16.txt", text: "\xff\xfet\x00", want: "utf16.txt: the text is UTF-16: convert it to UTF-8"},
		{name: "b.zip", text: "PK\x03\x04\x14\x00\x00\x00\x00\x00CCO a\n", want: "b.zip: the file is a ZIP archive: unpack it (gzip and zstd are read as they are)"},
		{name: "b.bz2", text: "BZh91AY&SY", want: "b.bz2: the file is compressed with bzip2: unpack it (gzip and zstd are read as they are)"},
		{name: "p.parquet", text: "PAR1\x15\x04 smiles", want: "p.parquet: the file is a Parquet table: write its SMILES and ids as CSV"},
		{name: "b.xz", text: "\xfd7zXZ\x00\x00", want: "b.xz: the file is compressed with xz: unpack it (gzip and zstd are read as they are)"},
		{name: "cr.smi", text: "CCO\ta\rCCN\tb\r", want: "cr.smi:1: record 0: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "cr.txt", text: "t # 1\rv 0 C\rt # 2\rv 0 C\r", want: "cr.txt:1: record 0: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "cr.csv", text: "id,smiles\ra,CCO\r", want: "cr.csv:1: record 0: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "mixed.smi", text: "C,a\r\nCC,b\r\r\nO,\"c\r\"\nO,d\rN,e\n", want: "mixed.smi:4: record 3: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "mixed.txt", text: "t # 1\nv 0 C\nv 1\rC\n", want: "mixed.txt:3: record 0: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "cr.edges", text: "1 2\r2 3\r", want: "cr.edges: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "mixed.edges", text: "1 2\n2 3\r3 1\n", want: "mixed.edges:2: record 0: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},
		{name: "cr.sdf", text: "a\r\r\r  1  0  0  0  0  0  0  0  0  0999 V2000\r", want: "cr.sdf: lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\\r' '\\n'"},

		{name: "a.txt", text: "t # 7\nt # 8\nv 0 C\n", opt: dataset.Options{Strict: true},
			want: `a.txt:1: record 0 (id 7): the graph has no nodes: expected at least one`, is: dataset.ErrNoNodes},
		{name: "a.txt", text: "t # 6\nv 0 C\nt # 7\nv 0 C\nv 1 C\ne 0 5 1\n",
			want: "a.txt:6: record 1 (id 7): edge 0-5: node 5: node does not exist: the graph has nodes 0 to 1", is: graph.ErrNodeRange},
		{name: "a.txt", text: "t # 7\nv 1 C\n",
			want: `a.txt:2: record 0 (id 7): found node "1", expected node 0: nodes are numbered 0, 1, 2, ... in order`},
		{name: "a.txt", text: "t # 7\nv 0 C x\n",
			want: `a.txt:2: record 0 (id 7): expected "v NODE LABEL" (three fields; labels have no blanks), found 4 fields`},
		{name: "a.txt", text: "t # 7\nv 0 C\nv 1 C\ne 0 x 1\n",
			want: `a.txt:4: record 0 (id 7): expected the number of a node, found "x"`},
		{name: "a.txt", text: "t # 7\nv 0 C\ne 0 1 1\nv 1 C\n",
			want: `a.txt:3: record 0 (id 7): edge 0-1: node 1: node does not exist: the graph has nodes 0 to 0`},
		{name: "a.txt", text: "t # 7\nv 0 C\nv 1 C\ne 0 1 1\nv 2 C\n",
			want: `a.txt:5: record 0 (id 7): node 2 comes after an edge: all v lines of a graph come first`},
		{name: "a.txt", text: "t # 7\nx 0 C\n",
			want: `a.txt:2: record 0 (id 7): expected a line starting with t, v or e, found "x 0 C"`},
		{name: "a.txt", text: "t #\n", want: `a.txt:1: record 0: expected "t # ID", found "t #"`},
		{name: "a.txt", text: "t # 7\n" + strings.Repeat("v 0 C\n", 100), opt: dataset.Options{MaxRecord: 200},
			want: "a.txt:1: record 0: record too large: more than 200 bytes (max_record raises the limit)", is: dataset.ErrRecordTooLarge},

		{name: "p.bpmn", text: "<definitions>\n<process id=\"p\">\n<task/></process></definitions>", want: `p.bpmn:3: record 0 (id p): element <task> has no attribute "id"`},
		{name: "p.bpmn", text: "<definitions><process id=\"p\"><task id=\"a\"/><sequenceFlow sourceRef=\"a\"/></process></definitions>", want: `p.bpmn:1: record 0 (id p): element <sequenceFlow> has no attribute "targetRef"`},
		{name: "g.dot", text: "graph a { x -- y }\ndigraph b { x -> y }\n",
			want: "g.dot:2: record 1 (id b): graph b is directed, but graph a (g.dot:1) is undirected: the graphs of a collection must all be directed or all be undirected", is: dataset.ErrMixed},

		{name: "m.smi", text: "CCO a\nC1CC b\n",
			want: `m.smi:2: record 1 (id b): SMILES "C1CC": column 2: ring bond 1 is not closed`},
		{name: "m.csv", text: "smiles,id\n\"CC\n", want: "m.csv:2: record 0: found a quote that is not closed"},
		{name: "m.csv", text: "smiles,id\n,7\n", want: "m.csv:2: record 0 (id 7): expected a SMILES in column 0, found 2 columns and nothing there"},
		{name: "m.csv", text: "smiles,id\nCC,7\n", opt: dataset.Options{IDColumn: "nr"},
			want: "m.csv:1: id_column=nr: no such column; the header has smiles, id"},
		{name: "m.smi", text: "CC 7\n", opt: dataset.Options{SMILESColumn: "2x", Header: dataset.HeaderAbsent},
			want: "m.smi:1: smiles_column=2x: expected a number from 0, since the table has no header"},

		{name: "g.json", text: "{\n \"nodes\": [\n  {\"id\": 0}\n ],\n \"edges\": [\n  {\"source\": 0, \"target\": 1}\n ]\n}", opt: dataset.Options{Strict: true},
			want: `g.json:6: record 0: edge 0-1: node "1": node does not exist: the graph has 1 nodes, from "0" to "0"`, is: graph.ErrNodeRange},
		{name: "g.json", text: `{"nodes": [], "links": []}`, opt: dataset.Options{Strict: true}, want: "g.json:1: record 0: the graph has no nodes: expected at least one", is: dataset.ErrNoNodes},
		{name: "g.json", text: `{"vertices": []}`,
			want: `g.json:1: record 0: expected an object with "nodes" and "edges" (or "links"), as NetworkX writes; found no "nodes"`},
		{name: "g.json", text: `{"nodes": [{"id": 0}]}`, want: `g.json:1: record 0: expected a list "edges" or "links"; found neither`},
		{name: "g.json", text: `{"nodes": [{"label": 0}], "edges": []}`, opt: dataset.Options{Strict: true}, want: `g.json:1: record 0: node 0 of the list has no "id"`},
		{name: "g.json", text: `{"nodes": [{"id": 0}], "edges": [{"source": 0}]}`, want: `g.json:1: record 0: edge 0 of the list needs "source" and "target"`},
		{name: "g.json", text: `{"nodes": 3, "edges": []}`,
			want: `g.json:1: record 0: JSON: "nodes" is a number, expected a list of objects`},
		{name: "g.json", text: "{\"nodes\": [{\"id\": 0}],\n \"edges\": [}", want: "g.json:2: record 0: JSON: invalid character '}' looking for beginning of value"},
		{name: "g.json", text: `{"nodes": [{"id": 0}, {"id": 0}], "edges": []}`,
			want: `g.json:1: record 0: node "0" is given twice: every node needs an id of its own`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "m": 1.5}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeLabel: "m"}},
			want: `g.json:1: record 0: node "0": attribute m is a number, 1.5, which cannot be a label (bin=m=WIDTH makes labels of its values, node_label chooses another)`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "m": 1.5}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeLabel: "x"}},
			want: `g.json:1: record 0: node "0": no attribute "x", which node_label asks for; it has m`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "label": "a"}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeLabel: "lable"}},
			want: `g.json:1: record 0: node "0": no attribute "lable" (is it label?), which node_label asks for; it has label`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "x": 1.5}, {"id": 1}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeParts: []string{"x"}}},
			want: `g.json:1: record 0: node "1": no attribute "x", which the costs compare; it has none`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "m": [1]}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeLabel: "m"}},
			want: `g.json:1: record 0: node "0": attribute m is a list or an object, which cannot be a label (node_label chooses another)`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "m": "red"}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeLabel: "m", Bin: map[string]float64{"m": 1}}},
			want: `g.json:1: record 0: node "0": attribute m is "red", not a number that bin can group`},
		{name: "g.json", text: `{"nodes": [{"id": 0, "m": 1}], "edges": []}`, opt: dataset.Options{Rules: dataset.Rules{NodeLabel: "m", Bin: map[string]float64{"m": -1}}},
			want: `bins of attribute m have the width -1: want a width above 0, or 0 to keep numbers as they are`},

		{name: "g.dot", text: "graph g {\n a -> b\n}", want: `g.dot:2: record 0 (id g): found "->", expected --, since this is a graph and not a digraph`},
		{name: "g.dot", text: "digraph {\n a -> \"b\n}", want: "g.dot:2: record 0: found an opening quote without the one that closes it"},
		{name: "g.dot", text: "graph g { a -- b", want: "g.dot:1: record 0 (id g): found the end of the file, expected } that closes the graph"},
		{name: "g.dot", text: "graph g { a - b }", want: `g.dot:1: record 0 (id g): found "-", expected a name, a brace, a bracket or an edge operator; names with other characters need quotes`},
		{name: "g.dot", text: "graph g { }", opt: dataset.Options{Strict: true}, want: "g.dot:1: record 0 (id g): the graph has no nodes: expected at least one", is: dataset.ErrNoNodes},

		{name: "g.graphml", text: "<graphml>\n<graph id=\"g\" edgedefault=\"directed\"><node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/></graph></graphml>", opt: dataset.Options{Strict: true},
			want: `g.graphml:3: record 0 (id g): edge a-b: node "b": node does not exist: the graph has 1 nodes, from "a" to "a"`, is: graph.ErrNodeRange},
		{name: "g.graphml", text: "<graphml><graph id=\"g\">", want: `g.graphml:1: record 0 (id g): edgedefault is "", expected "directed" or "undirected"`},
		{name: "g.graphml", text: "<graphml><graph id=\"g\" edgedefault=\"directed\">\n<node id=\"a\">", want: "g.graphml:2: record 0 (id g): XML: unexpected EOF"},
		{name: "g.graphml", text: "<graphml><graph id=\"g\" edgedefault=\"directed\">\n<node id=\"a\"><data key=\"k\">1</data></node></graph></graphml>", opt: dataset.Options{Strict: true},
			want: `g.graphml:2: record 0 (id g): data has the key "k", which no <key> before the graph declares for a node`},
		{name: "g.graphml", text: "<graphml><graph id=\"g\" edgedefault=\"directed\"><hyperedge/>",
			want: "g.graphml:1: record 0 (id g): found a hyperedge: graphs here have edges between two nodes only"},
		{name: "g.graphml", text: "<graphml><graph id=\"g\" edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><edge directed=\"false\" source=\"a\" target=\"b\"/>",
			want: `g.graphml:1: record 0 (id g): edge a-b has directed="false", contrary to the edgedefault of its graph: all edges of a graph must agree`},
		{name: "g.gxl", text: "<gxl>\n<graph id=\"g\" edgemode=\"undirected\"><node/></graph></gxl>", want: `g.gxl:2: record 0 (id g): element <node> has no attribute "id"`},

		{name: "g.json", text: `[1, 2]`, opt: dataset.Options{Format: "json"}, want: "g.json:1: record 0: JSON: invalid character ',' after top-level value"},
		{name: "g.json", text: "1", opt: dataset.Options{Format: "json"}, want: `g.json:1: record 0: JSON: found a number, expected an object with lists "nodes" and "edges"`},
		{name: "g.json", text: "{\"nodes\":\n[{\"id\": 0}, true], \"edges\": []}", want: `g.json:2: record 0: JSON: element 1 of "nodes" is a boolean, expected an object`},
		{name: "g.json", text: `{"nodes": null, "edges": []}`, want: `g.json:1: record 0: JSON: "nodes" is null, expected a list of objects`},

		{name: "g.dot", text: "graph { node = 3 }", want: `g.dot:1: record 0: found "=", expected [ after node`},
		{name: "g.dot", text: "graph { a [b=] }", want: `g.dot:1: record 0: found "]", expected a name`},
		{name: "g.dot", text: "graph { a; subgraph x y }", want: `g.dot:1: record 0: found "y", expected { after subgraph`},
		{name: "g.dot", text: "graph { \"a\" + b }", want: `g.dot:1: record 0: found "b", expected a string after +`},
		{name: "g.dot", text: "graph { a -- }", want: `g.dot:1: record 0: found "}", expected a name`},
		{name: "g.dot", text: "graph { a /* b }", want: `g.dot:1: record 0: found /* without the */ that ends the comment`},
		{name: "g.dot", text: "graph { <a }", want: `g.dot:1: record 0: found < without the > that closes it`},
		{name: "g.dot", text: "graph { " + strings.Repeat("{", 2000) + strings.Repeat("}", 2001), want: `g.dot:1: record 0: subgraphs are nested more than 1000 deep`},

		{name: "g.gxl", text: "<gxl><graph edgemode=\"both\"/></gxl>", want: `g.gxl:1: record 0: edgemode is "both", expected "directed" or "undirected"`},
		{name: "g.gxl", text: "<gxl><graph><node id=\"a\"/><node id=\"b\"/><edge from=\"a\" to=\"b\" isdirected=\"false\"/></graph></gxl>",
			want: `g.gxl:1: record 0: edge a-b has isdirected="false", contrary to the edgemode of its graph: all edges of a graph must agree`},
		{name: "g.gxl", text: "<gxl>" + strings.Repeat("<a>", 300), want: "g.gxl:1: record 0: elements are nested more than 256 deep"},

		{name: "m.csv", text: "C;1\n", opt: dataset.Options{Delimiter: ";;"}, want: `m.csv:1: delimiter=";;": expected one character, or tab, comma, semicolon or blank`},
		{name: "m.csv", text: "mol,nr\nC,1\n", want: `m.csv:1: record 0 (id nr): SMILES "mol": column 1: found 'm', expected an atom, a bond, a ring bond, a parenthesis or a dot (if this line names the columns: header=yes)`},
		{name: "m.csv", text: "\"C\"1,2\n", want: `m.csv:1: found "1,2" after a closing quote, expected ','`},

		{name: "g.edges", text: "0 1\n1 2 3 4\n", want: `g.edges:2: record 0: expected "NODE NODE [LABEL]", found 4 fields`},
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range badInputs() {
		_, _, err := readText(c.text, c.name, c.opt)
		if err == nil {
			t.Errorf("%s %q: no error", c.name, c.text)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s %q\nerror  %s\nwanted %s", c.name, c.text, err, c.want)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s %q: error %v does not wrap %v", c.name, c.text, err, c.is)
		}
	}
}
