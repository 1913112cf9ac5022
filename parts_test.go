package greed_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestParts compares with the SED of every graph to the query, which is 0 where the
// query contains it.
func TestParts(t *testing.T) {
	some := sweep.Trials(240)
	c := bundled(t)
	first := filter(t, "id in "+firstIDs(c, some))
	for _, smiles := range []string{"CC(=O)Oc1ccccc1C(=O)O", "CN1CCCC1c1cccnc1", "C", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "OC(=O)c1ccccc1.OC(=O)c1ccccc1"} {
		q, err := c.ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Parts(t.Context(), q, greed.PartsOptions{K: 1000, Filters: []greed.Filter{first}, Time: greed.NoLimit})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		seen := 0
		for rec := range c.All() {
			if seen++; seen > some {
				break
			}
			d, err := greed.Distance(t.Context(), greed.SED, rec.Graph, q, greed.DistanceOptions{Time: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if d.Upper == 0 {
				want = append(want, rec.ID)
			} else if d.Lower == 0 {
				t.Fatalf("the SED of %s is open", rec.ID)
			}
		}
		var ids []string
		size := math.MaxInt
		for _, p := range got.Parts {
			ids = append(ids, p.ID)
			if p.Nodes+p.Edges > size {
				t.Errorf("%s: %s is larger than the one before", smiles, p.ID)
			}
			size = p.Nodes + p.Edges
			checkPart(t, c, q, p)
		}
		slices.Sort(ids)
		slices.Sort(want)
		if !slices.Equal(ids, want) || got.Total != len(want) || got.Open != 0 || got.Searched != some {
			t.Errorf("%s: %v, want %v; %d in total, %d open of %d", smiles, ids, want, got.Total, got.Open, got.Searched)
		}
		if few, err := c.Parts(t.Context(), q, greed.PartsOptions{K: 1, Filters: []greed.Filter{first}}); err != nil || few.Total != len(want) || len(few.Parts) != min(1, len(want)) {
			t.Errorf("%s: one of %d: %+v, %v", smiles, len(want), few, err)
		} else if len(few.Parts) > 0 && few.Parts[0].ID != got.Parts[0].ID {
			t.Errorf("%s: the largest is %s, want %s", smiles, few.Parts[0].ID, got.Parts[0].ID)
		}
	}
}

func firstIDs(c *greed.Collection, n int) (list string) {
	for rec := range c.All() {
		if n--; n < 0 {
			break
		}
		list += "," + rec.ID
	}
	return list[1:]
}

// checkPart fails unless the map of a part keeps its labels and its edges.
func checkPart(t *testing.T, c *greed.Collection, q *greed.Graph, p greed.Part) {
	t.Helper()
	rec, _ := c.Get(p.ID)
	q = graph.In(rec.Graph.Vocabulary(), q)
	of := make(map[int]int) // query nodes by nodes of the part
	for v, x := range p.Map {
		if x >= 0 {
			of[x] = v
			if q.Label(v) != rec.Graph.Label(x) {
				t.Fatalf("%s: node %d is mapped to %d, which has another label", p.ID, v, x)
			}
		}
	}
	if len(of) != rec.Graph.N() || p.Nodes != len(of) || p.Edges != rec.Graph.M() {
		t.Fatalf("%s: %d of %d nodes are mapped", p.ID, len(of), rec.Graph.N())
	}
	for e := range rec.Graph.Edges() {
		if l, ok := q.Edge(of[e.From], of[e.To]); !ok || l != e.Label {
			t.Fatalf("%s: the edge %d–%d is not in the query", p.ID, e.From, e.To)
		}
	}
}

func TestPartsRefuses(t *testing.T) {
	c := bundled(t)
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNodeLabel(graph.Wildcard)
	wild, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Parts(t.Context(), wild, greed.PartsOptions{}); !errors.Is(err, greed.ErrWildcard) {
		t.Errorf("a wildcard: %v", err)
	}
	if _, err := c.Parts(t.Context(), nil, greed.PartsOptions{}); !errors.Is(err, greed.ErrNoGraph) {
		t.Errorf("no graph: %v", err)
	}
	q, err := c.ParseSMILES("CCO")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Parts(t.Context(), q, greed.PartsOptions{K: -1}); err == nil {
		t.Error("k of -1 is taken")
	}
	if p, err := c.Parts(t.Context(), q, greed.PartsOptions{Time: 1}); err != nil || p.Open == 0 {
		t.Errorf("without time: %+v, %v", p, err)
	}
}

func TestAttributes(t *testing.T) {
	v := graph.NewVocabulary()
	b := graph.NewBuilder(v, false)
	b.AddNode("C")
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var records []greed.Record
	for i := range 100 {
		a := map[string]any{"number": float64(i) - 3, "text": "abc"[i%3 : i%3+1], "mixed": i, "none": nil, "id": i}
		if i == 50 {
			a["mixed"] = "x"
			a["rare"] = true
		}
		records = append(records, greed.Record{ID: string(rune('a' + i)), Graph: g, Attributes: a})
	}
	c, err := greed.FromRecords(v, records)
	if err != nil {
		t.Fatal(err)
	}
	list, seen, err := c.Attributes(t.Context(), 1000)
	if err != nil || seen != 100 || len(list) != 5 {
		t.Fatalf("%d attributes of %d graphs: %v", len(list), seen, err)
	}
	by := make(map[string]greed.AttributeSummary)
	for _, a := range list {
		by[a.Name] = a
	}
	if a := by["number"]; a.Count != 100 || *a.Min != -3 || *a.Max != 96 || !a.More || len(a.Values) != 50 {
		t.Errorf("number: %+v", a)
	}
	if a := by["text"]; a.Min != nil || a.More || !slices.Equal(a.Values, []greed.ValueCount{{"a", 34}, {"b", 33}, {"c", 33}}) {
		t.Errorf("text: %+v", a)
	}
	if a := by["mixed"]; a.Min != nil || a.Max != nil || a.Count != 100 {
		t.Errorf("mixed: %+v", a)
	}
	if a := by["rare"]; a.Count != 1 || !slices.Equal(a.Values, []greed.ValueCount{{"true", 1}}) {
		t.Errorf("rare: %+v", a)
	}
	if list, seen, _ := c.Attributes(t.Context(), 7); seen != 7 || len(list) != 4 {
		t.Errorf("of the first 7: %d, %v", seen, list)
	}
}
