package dataset_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// asFlag spells a setting as the command line does.
func asFlag(s dataset.Setting) string {
	return strings.TrimSpace(strings.TrimSuffix("--"+strings.ReplaceAll(s.Option, "_", "-")+" "+s.Value, " true"))
}

// yesOrNo reports whether a cell only says whether something is so.
func yesOrNo(cell string) bool { return slices.Contains([]string{"yes", ""}, strings.TrimSpace(cell)) }

// TestInputsPage holds docs/inputs.md to the code: its table of formats and its
// examples of errors.
func TestInputsPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]string)
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 && yesOrNo(cells[3]) && yesOrNo(cells[4]) {
			rows[strings.Trim(cells[1], " `")] = strings.TrimSpace(cells[3]) + "," + strings.TrimSpace(cells[4])
		}
	}
	for _, f := range dataset.Formats() {
		want := map[bool]string{true: "yes"}[f.Reads] + "," + map[bool]string{true: "yes"}[f.Writes]
		if rows[f.Name] != want {
			t.Errorf("format %s: the page says %q, the code %q", f.Name, rows[f.Name], want)
		}
	}
	known := make(map[string]bool)
	for _, c := range badInputs() {
		_, _, err := readText(c.text, c.name, c.opt)
		known[dataset.Spell(err, asFlag)] = true // as the command line has it
	}
	examples := 0
	for line := range bytes.Lines(page) {
		if text := strings.TrimSpace(string(line)); strings.Contains(text, ": record ") {
			examples++
			if !known[text] {
				t.Errorf("no test gives the error %s", text)
			}
		}
	}
	if examples == 0 {
		t.Error("the page has no examples of errors")
	}
}

// TestKeptAndRefused: docs/inputs.md says of every format what is kept and what is refused, and for each there is a
// text that is read as it says and one that is refused.
func TestKeptAndRefused(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	stated := make(map[string]bool)
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 && !yesOrNo(cells[3]) {
			for name := range strings.SplitSeq(cells[1], ",") {
				stated[strings.Trim(name, " `")] = true
			}
		}
	}
	for _, f := range dataset.Formats() {
		if !f.Reads {
			continue
		}
		if !stated[f.Name] {
			t.Errorf("%s: the page does not say what is kept", f.Name)
		}
		c, ok := keptAndRefused[f.Name]
		if !ok {
			t.Errorf("%s: no text shows what is kept and refused", f.Name)
			continue
		}
		if c.folder != nil {
			continue // its own tests read folders
		}
		list, _, err := readText(c.text, "x", dataset.Options{Format: f.Name})
		if err != nil || len(list) != 1 || drawing(list[0].Graph) != c.want {
			t.Errorf("%s: %d graphs, error %v; want %s", f.Name, len(list), err, c.want)
		}
		if _, _, err := readText(c.bad, "x", dataset.Options{Format: f.Name}); err == nil || !strings.Contains(err.Error(), c.refusal) {
			t.Errorf("%s: error %v, want %q", f.Name, err, c.refusal)
		}
	}
}

// keptAndRefused has, by format, a text with what is kept of it and one that is refused with the reason.
var keptAndRefused = map[string]struct {
	text, want, bad, refusal string
	folder                   func(*testing.T)
}{
	"tve":    {text: "t # 1\nv 0 C\nv 1 O\ne 0 1 2\n", want: "C O; 0-1:2", bad: "t # 1\nv 1 C\n", refusal: "expected node 0"},
	"ndjson": {text: `{"directed":true,"nodes":[{"id":"a","label":"x"}],"links":[{"source":"a","target":"a","label":"l"}]}`, want: "x; 0>0:l", bad: `{"nodes":[{"id":"a"}],"links":[{"source":"a","target":"b"}]}`, refusal: `"b"`},
	"json":   {text: `{"directed":true,"nodes":[{"id":"a","label":"x"}],"links":[{"source":"a","target":"a","label":"l"}]}`, want: "x; 0>0:l", bad: `{"nodes":[{"id":"a"}],"links":[{"source":"a","target":"b"}]}`, refusal: `"b"`},
	"dot":    {text: "digraph { node [label=x]; a -> b, c [label=l] }", want: "x x x; 0>1:l 0>2:l", bad: "graph { a -> b }", refusal: "expected --"},
	"gml":    {text: `graph [ directed 1 node [ id 1 label "x" graphics [ x 1 ] ] edge [ source 1 target 1 label "l" ] ]`, want: "x; 0>0:l", bad: `graph [ edge [ source 1 target 2 ] ]`, refusal: "node does not exist"},
	"graphml": {text: `<graphml><key id="l" for="node" attr.name="label"><default>x</default></key><graph edgedefault="directed"><node id="a"><graph edgedefault="directed"><node id="b"/></graph></node><edge source="a" target="b"/></graph></graphml>`, want: "x x; 0>1:0",
		bad: `<graphml><graph edgedefault="directed"><hyperedge/></graph></graphml>`, refusal: "hyperedge"},
	"gexf": {text: `<gexf><graph defaultedgetype="mutual"><nodes><node id="a" label="x"/><node id="b" label="y"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`, want: "x y; 0>1:0 1>0:0",
		bad: `<gexf><graph><nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`, refusal: "node does not exist"},
	"gxl": {text: `<gxl><graph id="g"><node id="a"><attr name="label"><string>x</string></attr></node></graph></gxl>`, want: "x; ",
		bad: `<gxl><graph id="g"><node id="a"/><edge from="a" to="a" isdirected="false"/></graph></gxl>`, refusal: "contrary to"},
	"cxl": {folder: TestGXLCollection},
	"bpmn": {text: `<definitions><process id="p"><task id="a" name="n"/><endEvent id="b"/><sequenceFlow sourceRef="a" targetRef="b"/></process></definitions>`, want: "task endEvent; 0>1:sequenceFlow",
		bad: `<definitions><process id="p"><task id="a"/><task id="a"/></process></definitions>`, refusal: "given twice"},
	"pnml": {text: `<pnml><net id="n"><place id="a"/><transition id="b"/><arc source="a" target="b"><inscription><text>2</text></inscription></arc></net></pnml>`, want: "place transition; 0>1:2",
		bad: `<pnml><net id="n"><referencePlace id="a" ref="z"/></net></pnml>`, refusal: "neither a place nor"},
	"xes":   {text: `<log><trace><event><string key="concept:name" value="a"/></event></trace></log>`, want: "(start) (end) a; 0>2:0 2>1:0", bad: `<log><trace>`, refusal: "XML"},
	"pajek": {text: "*Vertices 2\n1 x 0.5 0.5\n2 y\n*Arcs :1 r\n1 2 1\n", want: "x y; 0>1:r", bad: "*Vertices 1\n*Edges\n1 2\n", refusal: "from 1 to 1"},
	"mtx": {text: "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", want: "0 0; 0-1:0",
		bad: "%%MatrixMarket matrix coordinate real skew-symmetric\n", refusal: "skew-symmetric"},
	"onnx":      {text: aNetwork, want: "Conv Relu Input Output; 0>1:Nx4 1>3:Nx4 2>0:Nx3", bad: onnxModel(operator("", nil, nil)), refusal: "without an operator"},
	"edgelist":  {text: "a b x\n", want: "0 0; 0-1:x", bad: "a b c d\n", refusal: "4 fields"},
	"rd":        {text: "$RDFILE 1\n$DATM 1\n$MFMT\nx\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 O   0  0\nM  END\n", want: "O; ", bad: "$RDFILE 1\n$DATM 1\n$RFMT\n$RXN\n", refusal: "reaction"},
	"sdf":       {text: "x\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 O   0  0\nM  END\n$$$$\n", want: "O; ", bad: "$RXN\n\n\n\n  1  1\n", refusal: "reaction"},
	"smiles":    {text: "C=O a\n", want: "C O; 0-1:2", bad: "CCO>>CC=O\n", refusal: "reaction"},
	"tudataset": {folder: TestTUDataset},
}
