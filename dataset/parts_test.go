package dataset_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// TestCheckCosts: costs compare the attributes of which labels are made, in their order, if that is known.
func TestCheckCosts(t *testing.T) {
	costs := edit.Uniform()
	costs.Nodes = &edit.Table{Default: &edit.Default{}, Parts: []edit.Difference{{Attributes: []string{"x", "y"}, Weight: 1}}}
	parts := []string{"x", "y"}
	for name, of := range map[string]struct {
		rules *dataset.Rules
		fit   bool
	}{
		"unknown":           {nil, true},
		"left open":         {&dataset.Rules{}, true},
		"the same":          {&dataset.Rules{NodeLabel: "x,y"}, true},
		"any values":        {&dataset.Rules{NodeLabel: "label"}, true},
		"some lack them":    {&dataset.Rules{NodeLabel: "kind", NodeChosen: true, NodeParts: parts}, true},
		"other order":       {&dataset.Rules{NodeLabel: "y,x"}, false},
		"others":            {&dataset.Rules{NodeLabel: "kind", NodeChosen: true}, false},
		"the user's choice": {&dataset.Rules{NodeLabel: "y,x", NodeParts: parts}, false},
	} {
		if err := of.rules.CheckCosts(costs); (err == nil) != of.fit || err != nil && !errors.Is(err, edit.ErrCosts) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestParts: what costs compare makes the label in every format that has attributes,
// numbers as they are written.
func TestParts(t *testing.T) {
	for name, text := range map[string]string{
		"g.json": `{"nodes": [{"id": 0, "kind": "A", "x": 0.50, "y": 2, "label": "n"}, {"id": 1, "kind": "B", "x": -1e-3, "y": 3}],
			"edges": [{"source": 0, "target": 1, "orient": 1.25}]}`,
		"g.dot": `graph { a [kind=A, x="0.50", y=2, label=n]; b [kind=B, x="-1e-3", y=3]; a -- b [orient="1.25"] }`,
		"g.graphml": `<graphml><key id="k" for="node" attr.name="kind" attr.type="string"/><key id="x" for="node" attr.name="x" attr.type="double"/>
			<key id="y" for="node" attr.name="y" attr.type="int"/><key id="o" for="edge" attr.name="orient" attr.type="double"/>
			<graph edgedefault="undirected"><node id="a"><data key="k">A</data><data key="x">0.50</data><data key="y">2</data></node>
			<node id="b"><data key="k">B</data><data key="x">-1e-3</data><data key="y">3</data></node>
			<edge source="a" target="b"><data key="o">1.25</data></edge></graph></graphml>`,
		"g.gxl": `<gxl><graph id="g" edgemode="undirected"><node id="a"><attr name="kind"><string>A</string></attr><attr name="x"><float>0.50</float></attr>
			<attr name="y"><int>2</int></attr></node><node id="b"><attr name="kind"><string>B</string></attr><attr name="x"><float>-1e-3</float></attr>
			<attr name="y"><int>3</int></attr></node><edge from="a" to="b"><attr name="orient"><float>1.25</float></attr></edge></graph></gxl>`,
	} {
		parts := dataset.Options{Rules: dataset.Rules{NodeParts: []string{"kind", "x", "y"}, EdgeParts: []string{"orient"}}}
		kept := dataset.Options{Rules: dataset.Rules{NodeLabel: "kind,x,y", EdgeLabel: "orient", Bin: map[string]float64{"x": 0, "orient": 0}}}
		for how, opt := range map[string]dataset.Options{"parts": parts, "width 0": kept} {
			r, err := dataset.NewReader(strings.NewReader(text), name, opt)
			if err != nil {
				t.Fatal(err)
			}
			rec, err := r.Next()
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			l, _ := rec.Graph.Edge(0, 1)
			if a, b, e := rec.Graph.LabelText(0), rec.Graph.LabelText(1), rec.Graph.Vocabulary().EdgeText(l); a != "A|0.50|2" || b != "B|-1e-3|3" || e != "1.25" {
				t.Errorf("%s, %s: labels %q, %q, %q", name, how, a, b, e)
			}
		}
		// Without all of them, and where the user says otherwise, the usual rules hold.
		for how, opt := range map[string]dataset.Options{
			"lacking": {Rules: dataset.Rules{NodeParts: []string{"kind", "z"}}}, "chosen": {Rules: dataset.Rules{NodeParts: []string{"x"}, NodeLabel: "kind"}},
		} {
			r, err := dataset.NewReader(strings.NewReader(text), name, opt)
			if err != nil {
				t.Fatal(err)
			}
			rec, err := r.Next()
			if err != nil {
				t.Fatalf("%s, %s: %v", name, how, err)
			}
			if l := rec.Graph.LabelText(0); how == "chosen" && l != "A" || strings.Contains(l, "|") {
				t.Errorf("%s, %s: label %q", name, how, l)
			}
		}
	}
}
