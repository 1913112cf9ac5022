package edit_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

func TestTaskText(t *testing.T) {
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		text, err := task.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back edit.Task
		if err := back.UnmarshalText(text); err != nil || back != task || string(text) != task.String() {
			t.Errorf("%s read back as %s, %v", task, back, err)
		}
	}
	if _, err := edit.Task(9).MarshalText(); err == nil || edit.Task(9).String() != "Task(9)" {
		t.Errorf("%v is a task", edit.Task(9))
	}
	var task edit.Task
	if err := task.UnmarshalText([]byte("mst")); err == nil || err.Error() != `edit: unknown task "mst", want ged, sed or mcs` {
		t.Errorf("error %v", err)
	}
}

func TestCostsJSONRoundTrip(t *testing.T) {
	tables := edit.Uniform()
	tables.Edges = &edit.Table{
		Insert:     map[string]float64{"-": 0.5},
		Delete:     map[string]float64{"-": 2},
		Substitute: map[string]map[string]float64{"-": {"=": 0.1}},
	}
	for name, costs := range map[string]edit.Costs{"uniform": edit.Uniform(), "chem1": edit.Chem1(), "tables": tables} {
		data, err := json.Marshal(costs)
		if err != nil {
			t.Fatal(err)
		}
		var back edit.Costs
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, costs) {
			t.Errorf("%s: %s read back as %+v, %v", name, data, back, err)
		}
		if strings.Contains(string(data), "null") {
			t.Errorf("%s: %s holds an empty table", name, data)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	table := func(insert, del, sub float64) *edit.Table {
		return &edit.Table{
			Insert:     map[string]float64{"C": insert},
			Delete:     map[string]float64{"C": del},
			Substitute: map[string]map[string]float64{"C": {"N": sub}},
		}
	}
	for want, damage := range map[string]func(*edit.Costs){
		"node_insert is -1":                   func(c *edit.Costs) { c.NodeInsert = -1 },
		"node_delete is NaN":                  func(c *edit.Costs) { c.NodeDelete = math.NaN() },
		"node_substitute is +Inf":             func(c *edit.Costs) { c.NodeSubstitute = math.Inf(1) },
		"edge_insert is -Inf":                 func(c *edit.Costs) { c.EdgeInsert = math.Inf(-1) },
		"edge_delete is -1":                   func(c *edit.Costs) { c.EdgeDelete = -1 },
		"edge_substitute is -1":               func(c *edit.Costs) { c.EdgeSubstitute = -1 },
		"node_insert is 1e+17, want at most":  func(c *edit.Costs) { c.NodeInsert = 1e17 },
		"edge_delete is 1e-300, want 0 or at": func(c *edit.Costs) { c.EdgeDelete = 1e-300 },
		"1e+09 and 1e-05 are too far apart":   func(c *edit.Costs) { c.NodeInsert, c.EdgeInsert = 1e9, 1e-5 },
		`nodes.delete of label "C" is 1e+308`: func(c *edit.Costs) { c.Nodes = table(1, 1e308, 1) },
		"edges.default.insert is 2e+09":       func(c *edit.Costs) { c.Edges = &edit.Table{Default: &edit.Default{Insert: 2e9}} },
		`nodes.insert of label "C" is -2`:     func(c *edit.Costs) { c.Nodes = table(-2, 1, 1) },
		`edges.delete of label "C" is NaN`:    func(c *edit.Costs) { c.Edges = table(1, math.NaN(), 1) },
		`nodes.substitute of C of label "N"`:  func(c *edit.Costs) { c.Nodes = table(1, 1, -1) },
	} {
		costs := edit.Uniform()
		damage(&costs)
		if err := costs.Check(); !errors.Is(err, edit.ErrCosts) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := edit.Price(edit.GED, costs); !errors.Is(err, edit.ErrCosts) {
			t.Errorf("%s: Price does not check: %v", want, err)
		}
	}
	for _, costs := range []edit.Costs{{}, edit.Uniform(), edit.Chem1()} {
		if err := costs.Check(); err != nil {
			t.Error(err)
		}
	}
}

// pair returns C-N and C=O over one vocabulary.
func pair() (q, t *graph.Graph) {
	vocab := graph.NewVocabulary()
	one := func(a, b, bond string) *graph.Graph {
		b1 := graph.NewBuilder(vocab, false)
		u, v := b1.AddNode(a), b1.AddNode(b)
		if err := b1.AddEdge(u, v, bond); err != nil {
			panic(err)
		}
		return graphtest.Must(b1.Build())
	}
	return one("C", "N", "-"), one("C", "O", "=")
}

func labels(g *graph.Graph) (c, n, o, single, double graph.Label) {
	v := g.Vocabulary()
	return v.Node("C"), v.Node("N"), v.Node("O"), v.Edge("-"), v.Edge("=")
}

func TestPricingOfWeights(t *testing.T) {
	q, g := pair()
	c, n, _, single, double := labels(q)
	costs := edit.Costs{NodeInsert: 1, NodeDelete: 2, NodeSubstitute: 3, EdgeInsert: 4, EdgeDelete: 5, EdgeSubstitute: 6}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		p, err := edit.Price(task, costs, q, g)
		if err != nil {
			t.Fatal(err)
		}
		nodeInsert, edgeInsert, wild, replaced := 1.0, 4.0, 3.0, 6.0
		if task == edit.SED {
			nodeInsert, edgeInsert, wild = 0, 0, 0
			replaced = 5 // deleted, and the other inserted for nothing
		}
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"node insert", p.NodeInsert(c), nodeInsert},
			{"node delete", p.NodeDelete(c), 2},
			{"node keep", p.NodeSubstitute(c, c), 0},
			{"node substitute", p.NodeSubstitute(c, n), 3},
			{"wildcard in the query", p.NodeSubstitute(graph.Wildcard, c), wild},
			{"wildcard in the target", p.NodeSubstitute(c, graph.Wildcard), 3},
			{"edge insert", p.EdgeInsert(single), edgeInsert},
			{"edge delete", p.EdgeDelete(single), 5},
			{"edge keep", p.EdgeSubstitute(double, double), 0},
			{"edge replaced", p.EdgeSubstitute(single, double), replaced},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s costs %v, want %v", task, c.what, c.got, c.want)
			}
		}
		if p.Task() != task || !reflect.DeepEqual(p.Costs(), costs) {
			t.Errorf("%s: task %s, costs %+v", task, p.Task(), p.Costs())
		}
	}
}

func bondTable() *edit.Table {
	return &edit.Table{
		Insert:     map[string]float64{"-": 1, "=": 2},
		Delete:     map[string]float64{"-": 3, "=": 4},
		Substitute: map[string]map[string]float64{"-": {"=": 5}, "=": {"-": 6, "=": 7}},
	}
}

func TestPricingOfTables(t *testing.T) {
	q, g := pair()
	_, _, _, single, double := labels(q)
	costs := edit.Uniform()
	costs.Edges = bondTable()
	for task, insert := range map[edit.Task]float64{edit.GED: 2, edit.SED: 0} {
		p, err := edit.Price(task, costs, q, g)
		if err != nil {
			t.Fatal(err)
		}
		if p.EdgeInsert(double) != insert || p.EdgeDelete(double) != 4 ||
			p.EdgeSubstitute(single, double) != 3+insert || p.EdgeSubstitute(double, single) != 4+insert/2 ||
			p.EdgeSubstitute(single, single) != 0 || p.EdgeSubstitute(double, double) != 4+insert {
			t.Errorf("%s: table was not followed", task)
		}
	}
}

func TestPriceNamesMissingLabel(t *testing.T) {
	q, g := pair()
	for want, damage := range map[string]func(*edit.Table){
		`edges.insert has no label "="`:           func(t *edit.Table) { delete(t.Insert, "=") },
		`edges.delete has no label "-"`:           func(t *edit.Table) { delete(t.Delete, "-") },
		`edges.substitute has no pair "=" to "-"`: func(t *edit.Table) { delete(t.Substitute["="], "-") },
		`edges.substitute has no pair "-" to "="`: func(t *edit.Table) { delete(t.Substitute, "-") },
		`edges.insert has no label "-"`:           func(t *edit.Table) { *t = edit.Table{} },
	} {
		costs := edit.Uniform()
		costs.Edges = bondTable()
		damage(costs.Edges)
		if _, err := edit.Price(edit.GED, costs, q, g); !errors.Is(err, edit.ErrCosts) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestIgnoreEdgeLabels(t *testing.T) {
	q, g := pair()
	_, _, _, single, double := labels(q)
	withTable := edit.Uniform()
	withTable.Edges = bondTable()
	for _, costs := range []edit.Costs{edit.Uniform(), withTable} {
		p, err := edit.Price(edit.GED, costs.IgnoreEdgeLabels(), q, g)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []graph.Label{single, double} {
			for _, b := range []graph.Label{single, double} {
				if cost := p.EdgeSubstitute(a, b); cost != 0 {
					t.Errorf("edge %d becomes %d for %v", a, b, cost)
				}
			}
		}
		if p.NodeSubstitute(1, 2) != 1 || p.EdgeDelete(single) == 0 {
			t.Error("other costs changed")
		}
	}
	if withTable.Edges.Substitute["="]["-"] != 6 {
		t.Error("the costs it was called on changed")
	}
}

// TestTableDefault: what a table does not name costs what its default says.
func TestTableDefault(t *testing.T) {
	q, g := pair()
	_, _, _, single, double := labels(q)
	var costs edit.Costs
	text := `{"edges": {"insert": {"-": 2}, "substitute": {"-": {"=": 0.5}}, "default": {"delete": 3, "equal": 0.25}}}`
	if err := json.Unmarshal([]byte(text), &costs); err != nil {
		t.Fatal(err)
	}
	p, err := edit.Price(edit.GED, costs, q, g)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"insertion named", p.EdgeInsert(single), 2},
		{"insertion not named, nor given", p.EdgeInsert(double), 1},
		{"deletion not named", p.EdgeDelete(double), 3},
		{"substitution named", p.EdgeSubstitute(single, double), 0.5},
		{"substitution not named, nor given", p.EdgeSubstitute(double, single), 1},
		{"equal labels", p.EdgeSubstitute(single, single), 0.25},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	free, err := edit.Price(edit.GED, costs.IgnoreEdgeLabels(), q, g)
	if err != nil {
		t.Fatal(err)
	}
	if free.EdgeSubstitute(single, single) != 0 || free.EdgeSubstitute(double, single) != 0 || free.EdgeDelete(double) != 3 {
		t.Error("substitution of edges is not free, or deletion is another")
	}
	for _, bad := range []string{`{"edges": {"default": {"insert": -1}}}`, `{"nodes": {"default": {"typo": 1}}}`} {
		var costs edit.Costs
		if err := json.Unmarshal([]byte(bad), &costs); err == nil && costs.Check() == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// TestUnused says that costs may be far apart if no label has those that are.
func TestUnused(t *testing.T) {
	c, err := edit.ParseCosts([]byte(`{"nodes": {"insert": {"C": 1e-5}, "delete": {"C": 1e-5}, "substitute": {"X": {"Y": 1e9}},
		"default": {"insert": 1e8, "delete": 1e8, "substitute": 1e8}}, "edges": {"default": {}}}`))
	if err != nil {
		t.Fatal(err)
	}
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
	carbon, other := one("C"), one("N")
	if _, err := edit.Price(edit.GED, c, carbon, carbon); err != nil {
		t.Error(err)
	}
	if _, err := edit.Price(edit.GED, c, carbon, other); !errors.Is(err, edit.ErrCosts) || !strings.Contains(err.Error(), "too far apart") {
		t.Error(err)
	}
	c.NodeInsert = 1e-9 // of weights that the table replaces
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

// TestSymmetric: tables, rings and parts whose edits cost the same both ways make a
// distance that does.
func TestSymmetric(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `{"node_insert": 2}`: false, `{"edge_delete": 2}`: false, `{"node_substitute": 3}`: true,
		`{"nodes": {"default": {}}}`:                                                                               true,
		`{"nodes": {"default": {}}, "node_insert": 2}`:                                                             true, // the table replaces it
		`{"nodes": {"default": {}}, "edge_insert": 2}`:                                                             false,
		`{"nodes": {"default": {"insert": 2}}}`:                                                                    false,
		`{"nodes": {"default": {"insert": 2, "delete": 2, "equal": 0.5}}}`:                                         true,
		`{"nodes": {"default": {}, "insert": {"C": 2}}}`:                                                           false,
		`{"nodes": {"default": {}, "delete": {"C": 2}}}`:                                                           false,
		`{"nodes": {"default": {}, "insert": {"C": 2}, "delete": {"C": 2}}}`:                                       true,
		`{"nodes": {"default": {}, "insert": {"C": 1}}}`:                                                           true,
		`{"nodes": {"default": {}, "substitute": {"C": {"N": 0.5}}}}`:                                              false,
		`{"nodes": {"default": {}, "substitute": {"C": {"N": 0.5}, "N": {"C": 0.5}}}}`:                             true,
		`{"nodes": {"default": {}, "substitute": {"C": {"N": 0.5}, "N": {"C": 0.25}}}}`:                            false,
		`{"nodes": {"default": {}, "substitute": {"C": {"N": 1}}}}`:                                                true,
		`{"nodes": {"default": {}, "substitute": {"C": {"C": 0.5}}}}`:                                              true,
		`{"edges": {"default": {}, "ring": 1}}`:                                                                    true,
		`{"nodes": {"default": {}, "parts": [{"attributes": ["x"], "weight": 1}]}}`:                                true,
		`{"nodes": {"default": {}, "parts": [{"attributes": ["x"], "weight": 1}], "substitute": {"1": {"2": 1}}}}`: false,
	} {
		c, err := edit.ParseCosts([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Symmetric(edit.GED); got != want {
			t.Errorf("%s: %v", text, got)
		}
		if c.Symmetric(edit.SED) || !c.Symmetric(edit.MCS) {
			t.Errorf("%s: SED is symmetric, or MCS is not", text)
		}
	}
	for _, name := range edit.Names() {
		if c, _ := edit.Named(name); !c.Symmetric(edit.GED) {
			t.Errorf("%s is not symmetric", name)
		}
	}
}
