package dataset_test

import (
	"encoding/json"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// labelsOf are the labels of the nodes of one graph.
func labelsOf(t *testing.T, text, name string, rules dataset.Rules) string {
	t.Helper()
	list, _ := mustRead(t, text, name, dataset.Options{Rules: rules})
	s := ""
	for v := range list[0].Graph.N() {
		if v > 0 {
			s += " "
		}
		s += list[0].Graph.Vocabulary().NodeText(list[0].Graph.Label(v))
	}
	return s
}

// Every format that names its nodes makes labels of the names.
func TestNodeNames(t *testing.T) {
	for name, text := range map[string]string{
		"g.json":    `{"nodes": [{"id": "parse", "label": "f"}, {"id": "lex", "label": "f"}], "links": [{"source": "parse", "target": "lex"}]}`,
		"g.dot":     `digraph { parse [label=f]; lex [label=f]; parse -> lex }`,
		"bare.dot":  `digraph { parse -> lex }`,
		"g.graphml": `<graphml><graph edgedefault="directed"><node id="parse"/><node id="lex"/><edge source="parse" target="lex"/></graph></graphml>`,
		"g.gxl":     `<gxl><graph id="g" edgemode="directed"><node id="parse"/><node id="lex"/><edge from="parse" to="lex"/></graph></gxl>`,
		"g.bpmn":    `<definitions><process id="p"><task id="parse"/><task id="lex"/><sequenceFlow id="f" sourceRef="parse" targetRef="lex"/></process></definitions>`,
		"g.edges":   "parse lex\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := labelsOf(t, text, name, dataset.Rules{NodeLabel: dataset.NodeName}); got != "parse lex" {
				t.Errorf("labels %q", got)
			}
			if got := labelsOf(t, text, name, dataset.Rules{NodeLabel: "id", StripNames: "^pa|x$"}); got != "rse le" {
				t.Errorf("stripped labels %q", got)
			}
		})
	}
	if got := labelsOf(t, `digraph { parse [label=f]; lex [label=g] }`, "g.dot", dataset.Rules{NodeLabel: "id,label"}); got != "parse|f lex|g" {
		t.Errorf("name and label: %q", got)
	}
	if got := labelsOf(t, `{"nodes": [{"key": "a", "attributes": {"id": "x"}}, {"key": "b", "attributes": {"id": "y"}}], "edges": []}`, "g.json", dataset.Rules{NodeLabel: "id"}); got != "x y" {
		t.Errorf("an attribute called id: %q", got)
	}
	if got := labelsOf(t, `graph { "1.0"; a }`, "g.dot", dataset.Rules{NodeLabel: "id", StripNames: `[0-9.]+`}); got != "0 a" {
		t.Errorf("nothing is left: %q", got)
	}
	for name, text := range map[string]string{
		"g.txt": "t # 0\nv 0 a\n", "g.smi": "CCO\n", "g.json": `{"n": 2, "graph": [[0, 1]]}`,
	} {
		if list, _, err := readText(text, name, dataset.Options{Rules: dataset.Rules{NodeLabel: "id"}}); err == nil {
			t.Errorf("%s has no names, and was read as %v", name, list)
		}
	}
}

// What Graphviz draws with is no label unless it is asked for.
func TestDrawnAttributes(t *testing.T) {
	const text = `graph {
		node [shape=box, fontname="Arial"]; edge [style=dashed]
		a [color=red, pos="1,2!", _draw_="c 7"]; b [color=blue]; a -- b [arrowhead=none] }`
	list, notes := mustRead(t, text, "g.dot", dataset.Options{})
	if got := drawing(list[0].Graph); got != "0 0; 0-1:0" || len(notes) > 0 {
		t.Errorf("read as %q, notes %q", got, notes)
	}
	list, _ = mustRead(t, text, "g.dot", dataset.Options{Rules: dataset.Rules{NodeLabel: "color", EdgeLabel: "style"}})
	if got := drawing(list[0].Graph); got != "red blue; 0-1:dashed" {
		t.Errorf("asked for: read as %q", got)
	}
	// A first graph with hints alone leaves the choice to the next.
	list, _ = mustRead(t, `graph { a [color=red] } graph { a [color=red, op=plus] }`, "g.dot", dataset.Options{})
	if got := drawing(list[1].Graph); got != "plus; " {
		t.Errorf("the second graph is %q", got)
	}
}

// The rules that a reader chose read one record alone as it was read among others,
// and survive JSON.
func TestResolvedRules(t *testing.T) {
	texts := []string{
		`{"nodes": [{"id": 0, "symbol": "a"}, {"id": 1, "symbol": "b"}], "edges": []}`,
		`{"nodes": [{"id": 0, "label": "x", "symbol": "c"}, {"id": 1}], "edges": []}`,
		`{"nodes": [{"id": 0, "m": 1}], "edges": [], "graph": {"id": "last"}}`,
	}
	vocab := graph.NewVocabulary()
	r, err := dataset.Open(writeFiles(t, map[string]string{"g.ndjson": texts[0] + "\n" + texts[1] + "\n" + texts[2] + "\n"})+"/g.ndjson", dataset.Options{Vocabulary: vocab})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var list []dataset.Record
	for rec, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rec)
	}
	text, err := json.Marshal(r.Rules())
	if want := `{"node_label":"symbol","node_chosen":true}`; err != nil || string(text) != want {
		t.Fatalf("rules are %s, error %v, want %s", text, err, want)
	}
	var rules dataset.Rules
	if err := json.Unmarshal(text, &rules); err != nil || !rules.Equal(r.Rules()) || rules.Equal(dataset.Rules{}) {
		t.Fatalf("rules come back as %+v, error %v", rules, err)
	}
	for i, text := range texts {
		rec, err := dataset.ReadOne(text, dataset.Options{Vocabulary: vocab, Rules: rules})
		if err != nil || !graph.Equal(rec.Graph, list[i].Graph) {
			t.Errorf("record %d alone: %v, error %v, want %v", i, drawing(rec.Graph), err, drawing(list[i].Graph))
		}
	}
}

func TestRulesInWords(t *testing.T) {
	for _, c := range []struct {
		rules dataset.Rules
		want  string
	}{
		{dataset.Rules{}, ""},
		{dataset.Rules{NodeLabel: "type,name", EdgeLabel: "-", Simplify: true}, "node label type,name; edges without labels; self-loops and parallel edges folded"},
		{dataset.Rules{NodeParts: []string{"x", "y"}, Bin: map[string]float64{"y": 0, "x": 0.5}}, "node label x,y where present; x in bins of 0.5; y as numbers"},
		{dataset.Rules{StripNames: "v[0-9]+", Directed: true, Charge: true, LargestFragment: true}, "names without /v[0-9]+/; edge lists directed; atoms with charges; largest fragments only"},
		{dataset.Rules{Tautomers: true, Neutralise: true}, "charges taken up by hydrogens; tautomers as one molecule"},
	} {
		if got := c.rules.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.rules, got, c.want)
		}
	}
	if err := (dataset.Rules{StripNames: "("}).Check(); err == nil {
		t.Error("an open parenthesis is taken as an expression")
	}
}
