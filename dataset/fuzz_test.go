package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// fuzzOptions makes options of a number, so that the fuzzer can choose them.
func fuzzOptions(format string, bits uint16) dataset.Options {
	opt := dataset.Options{
		Rules: dataset.Rules{
			Simplify:        bits&1 != 0,
			Directed:        bits&2 != 0,
			Charge:          bits&4 != 0,
			LargestFragment: bits&8 != 0,
		},
		Format:    format,
		MaxRecord: 1 << 14,
		SkipBad:   true,
		Mixed:     bits&512 != 0,
		Strict:    bits&1024 != 0,
		Header:    dataset.Header((bits >> 4 & 3) % 3),
	}
	if bits&64 != 0 {
		opt.NodeLabel, opt.EdgeLabel = "x", "weight"
	}
	if bits&128 != 0 {
		opt.Bin = map[string]float64{"x": 0.5, "weight": 3}
	}
	if bits&2048 != 0 {
		opt.NodeLabel = "x,id"
	}
	if bits&4096 != 0 {
		opt.StripNames = `^[a-c]|\d+$`
	}
	if bits&256 != 0 {
		opt.SMILESColumn, opt.IDColumn = "1", "0"
	}
	return opt
}

// fuzzReader reads arbitrary bytes. No input may panic, or cost more memory than
// its length allows; every graph must keep the promises of package graph; and
// what a format wrote must come back.
func fuzzReader(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), uint16(0))
		f.Add([]byte(s), uint16(0xffff))
	}
	writes := slices.ContainsFunc(dataset.Formats(), func(k dataset.Format) bool { return k.Name == format && k.Writes })
	f.Fuzz(func(t *testing.T, data []byte, bits uint16) {
		opt := fuzzOptions(format, bits)
		c := measure(len(data), func() (*dataset.Reader, error) { return dataset.NewReader(bytes.NewReader(data), "fuzz", opt) })
		if c.tooMuch() {
			t.Fatalf("%d bytes allocated: %v", c.allocated, c)
		}
		r, err := dataset.NewReader(bytes.NewReader(data), "fuzz", opt)
		if err != nil {
			return
		}
		defer r.Close()
		var list []dataset.Record
		defer func() { checkRules(t, r, data, opt, list) }()
		for rec, err := range r.All() {
			if err != nil {
				return
			}
			list = append(list, rec)
			checkRecord(t, rec)
			if writes {
				checkWritten(t, format, opt, rec)
			}
		}
	})
}

func checkRecord(t *testing.T, rec dataset.Record) {
	if err := rec.Graph.Check(); err != nil {
		t.Fatal(err)
	}
	if rec.NodeIDs != nil && len(rec.NodeIDs) != rec.Graph.N() {
		t.Fatalf("%d nodes, ids %q", rec.Graph.N(), rec.NodeIDs)
	}
}

// checkWritten writes a record, if the format holds it, and reads it back.
func checkWritten(t *testing.T, format string, opt dataset.Options, rec dataset.Record) {
	var buf bytes.Buffer
	w, err := dataset.NewWriter(&buf, format)
	if err != nil {
		t.Fatal(err)
	}
	if w.Write(rec) != nil {
		return
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	back, _, err := readText(buf.String(), "written", dataset.Options{Rules: dataset.Rules{Charge: opt.Charge}, Format: format, Header: dataset.HeaderAbsent})
	if err != nil || len(back) != 1 {
		t.Fatalf("%v; written as %q", err, buf.String())
	}
	molecule := format == "smiles" || format == "sdf"
	if !molecule && (back[0].ID != rec.ID || !equalGraphs(rec.Graph, back[0].Graph)) ||
		molecule && !graph.Isomorphic(rec.Graph, graph.In(rec.Graph.Vocabulary(), back[0].Graph)) {
		t.Fatalf("%s %s came back as %s %s; written as %q", rec.ID, drawing(rec.Graph), back[0].ID, drawing(back[0].Graph), buf.String())
	}
}

func FuzzTVE(f *testing.F) {
	fuzzReader(f, "tve", water["tve"], "t # 1\nv 0 C\ne 0 0 1\n", "# x\nt # a b\r\nv 0\tC\nt # -1\n")
}

func FuzzJSON(f *testing.F) {
	fuzzReader(f, "json", water["json"], `[{"nodes": [{"id": [1], "x": 1.5, "label": null}], "links": [], "id": 3},{}]`)
}

func FuzzNDJSON(f *testing.F) {
	fuzzReader(f, "ndjson", water["ndjson"], `{"graph": {"smiles": "C", "a": [1]}, "nodes": [{"id": "\u0061", "wildcard": true}], "edges": []}`)
}

func FuzzDOT(f *testing.F) {
	fuzzReader(f, "dot", water["dot"], `strict digraph "a" + "b" { subgraph s { a; b } -> {c:n d} -> a [weight=1.5]; x = <b<c>> # d`+"\n}", "graph{a--a}")
}

func FuzzGraphML(f *testing.F) {
	fuzzReader(f, "graphml", water["graphml"],
		`<graphml><key id="d" for="node" yfiles.type="nodegraphics"/><graph edgedefault="directed"><node id="a"><data key="d"><y:ShapeNode><y:NodeLabel>A</y:NodeLabel></y:ShapeNode></data></node></graph></graphml>`)
}

func FuzzGXL(f *testing.F) { fuzzReader(f, "gxl", water["gxl"]) }

func FuzzGML(f *testing.F) {
	fuzzReader(f, "gml", water["gml"], `graph [ directed 1 node [ id -1 a [ b 1 ] x 1.5 ] edge [ source -1 target -1 w "&quot;" ] ]`)
}

func FuzzGEXF(f *testing.F) {
	fuzzReader(f, "gexf", water["gexf"], `<gexf><graph mode="dynamic" defaultedgetype="mutual"><nodes><node id="a" start="1"><nodes><node id="b"/></nodes></node></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`)
}

func FuzzPajek(f *testing.F) {
	fuzzReader(f, "pajek", water["pajek"], "*Vertices 3\n*Arcs :1 \"knows\"\n1 2 1.5 l \"x\"\n*Edges\n1 3\n*Arcslist\n3 1 2\n",
		"*Network a\n*Vertices 2\n*Matrix\n0 1\n1 0\n*Partition p\n*Vertices 2\n1\n1\n")
}

func FuzzMatrixMarket(f *testing.F) {
	fuzzReader(f, "mtx", "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 1.5\n3 3 2\n", "%%MatrixMarket matrix coordinate complex general\n2 3 1\n1 3 1 -1\n")
}

func FuzzONNX(f *testing.F) {
	fuzzReader(f, "onnx", aNetwork, onnxModel(operator("If", []string{"c"}, []string{"o"}, bodies(2))))
}

func FuzzBPMN(f *testing.F) { fuzzReader(f, "bpmn", claimBPMN) }

func FuzzPNML(f *testing.F) { fuzzReader(f, "pnml", twoPages) }

func FuzzXES(f *testing.F) { fuzzReader(f, "xes", threeTraces) }

func FuzzEdgeList(f *testing.F) {
	fuzzReader(f, "edgelist", "# Directed graph: x\n0 1\n1 2 x\n", "a,b\nb,a\n", "5 3 1.5\n3 3 2\n", "0 1 {}\n1 2 {'weight': 3, 'label': 'x'}\n",
		"source,target,label\na,\"b\",x\n", "Source;Target;Type;Id;Weight\na;b;Directed;0;1.0\n")
}

func FuzzSMILES(f *testing.F) {
	fuzzReader(f, "smiles", "CCO a\nc1ccccc1 b\n", "id,smiles,x\n1,\"C\",2\n", "C[N+](C)(C)C.[Cl-]\tx\n", "CC |$a$| b\n*~* c\n")
}

func FuzzSDF(f *testing.F) { fuzzReader(f, "sdf", ethanolSDF, ethanolSDF+ethanolSDF) }

// FuzzOpen reads bytes as whatever they look like, compressed or not.
func FuzzOpen(f *testing.F) {
	seeds := []string{"\x1f\x8b\x08", "\x28\xb5\x2f\xfd", "\xef\xbb\xbf0 1\n", ethanolSDF, "CC a\n",
		`<?xml version="1.0" encoding="ISO-8859-1"?><GraphCollection><print file="x.gxl" class="` + "\xe9" + `"/></GraphCollection>`}
	for _, text := range water {
		seeds = append(seeds, text)
	}
	fuzzReader(f, "", seeds...)
}

// FuzzTUDataset cuts its bytes into the files of a folder.
func FuzzTUDataset(f *testing.F) {
	f.Add("1, 2\n2, 1\n3, 4\n", "1\n1\n2\n2\n", "1\n2\n", "0\n1\n", uint16(0))
	f.Add("1, 1\n", "1\n", "1\n", "0.5, 1\n", uint16(0xffff))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, edges, indicator, nodes, attributes string, bits uint16) {
		files := map[string]string{"X_A.txt": edges, "X_graph_indicator.txt": indicator, "X_node_labels.txt": nodes, "X_edge_attributes.txt": attributes}
		for name, text := range files {
			path := filepath.Join(dir, name)
			if text == "" || strings.HasPrefix(text, "\x1f\x8b") {
				os.Remove(path)
			} else if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r, err := dataset.Open(dir, fuzzOptions("", bits))
		if err != nil {
			return
		}
		defer r.Close()
		for rec, err := range r.All() {
			if err != nil {
				return
			}
			checkRecord(t, rec)
		}
	})
}

// checkRules reads the same bytes by the rules that a reader chose, which must give
// the same graphs.
func checkRules(t *testing.T, r *dataset.Reader, data []byte, opt dataset.Options, list []dataset.Record) {
	t.Helper()
	opt.Rules, opt.Vocabulary = r.Rules(), r.Vocabulary()
	again, err := dataset.NewReader(bytes.NewReader(data), "fuzz", opt)
	if err != nil {
		t.Fatalf("rules %+v: %v", opt.Rules, err)
	}
	for i, want := range list {
		if got, err := again.Next(); err != nil || !graph.Equal(got.Graph, want.Graph) {
			t.Fatalf("rules %+v: record %d: %v, error %v, want %v", opt.Rules, i, got.Graph, err, want.Graph)
		}
	}
}
