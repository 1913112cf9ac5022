package greed_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// oneBundled is the bundled collection that tests share: none changes it.
var oneBundled = sync.OnceValues(func() (*greed.Collection, error) { return greed.Bundled(context.Background()) })

func bundled(t *testing.T) *greed.Collection {
	t.Helper()
	c, err := oneBundled()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func parse(t *testing.T, c *greed.Collection, smiles string) *greed.Graph {
	t.Helper()
	g, err := c.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAnswers: similarity and normalised distance are what README defines.
func TestAnswers(t *testing.T) {
	c := bundled(t)
	q := parse(t, c, "OC(=O)c1ccccc1")
	for _, task := range []greed.Task{greed.GED, greed.SED} {
		found, err := c.Search(context.Background(), q, greed.Options{Task: task, K: 20, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Answers) != 20 || !found.Model {
			t.Fatalf("%d answers, by a model: %v", len(found.Answers), found.Model)
		}
		for _, a := range found.Answers {
			n := c.Record(a.Position).Graph.N()
			distance, exact := a.Distance()
			lower, upper := a.Bounds()
			named, other := a.GED, a.SED
			want := 0.0
			if task == greed.SED {
				named, other = a.SED, a.GED
				want = 1 - distance/float64(q.N()+q.M())
			} else {
				nged := distance / (float64(q.N()+n) / 2)
				want = math.Exp(-nged)
				if math.Abs(*a.NGED-nged) > 1e-12 {
					t.Errorf("%s: nged %v, want %v", a.ID, *a.NGED, nged)
				}
			}
			if !exact || lower != distance || upper != distance || named == nil || *named != distance || other != nil || math.Abs(a.Similarity-want) > 1e-12 {
				t.Errorf("%s: %+v, want similarity %v", a.ID, a, want)
			}
			cost := 0.0
			for _, op := range a.Edits {
				cost += op.Cost
			}
			if cost != upper {
				t.Errorf("%s: edits cost %v, distance %v", a.ID, cost, upper)
			}
		}
	}
}

// TestAromaticAndKekuleFormsAreOne: the bundled molecules are all written in
// Kekulé form; queries need not be.
func TestAromaticAndKekuleFormsAreOne(t *testing.T) {
	c := bundled(t)
	a, b := parse(t, c, "c1ccccc1C(=O)O"), parse(t, c, "C1=CC=CC=C1C(O)=O")
	if !graph.Isomorphic(a, b) {
		t.Error("benzoic acid differs from itself")
	}
	found, err := c.Search(context.Background(), a, greed.Options{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d, exact := found.Answers[0].Distance(); d != 0 || !exact {
		t.Errorf("benzoic acid is in the collection, the nearest is %+v", found.Answers[0])
	}
}

// TestJSON: names that other programs rely on.
func TestJSON(t *testing.T) {
	c := bundled(t)
	found, err := c.Search(context.Background(), parse(t, c, "CCO"), greed.Options{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"task", "mode", "status", "certified", "verdict", "k", "model", "costs", "answers", "stats", "graphs", "candidates", "excluded", "bound", "seconds", "solved", "id", "smiles", "position", "predicted", "lower", "upper", "exact", "ged", "nged", "similarity", "map"} {
		if !strings.Contains(string(text), `"`+name+`":`) {
			t.Errorf("no %q in %s", name, text)
		}
	}
}

// TestJSONOfGraphsWithoutNodes: two of them are as similar as can be, and JSON
// has no number for 0/0.
func TestJSONOfGraphsWithoutNodes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.txt")
	if err := os.WriteFile(path, []byte("t # none\nt # b\nv 0 C\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := greed.Open(context.Background(), greed.Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range []greed.Task{greed.GED, greed.SED} {
		found, err := c.Search(context.Background(), c.Record(0).Graph, greed.Options{Task: task, K: 2})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(found); err != nil {
			t.Errorf("%v: %v", task, err)
		}
		if best := found.Answers[0]; best.ID != "none" && task == greed.GED || best.Similarity != 1 {
			t.Errorf("%v: %+v", task, best)
		}
	}
}

func TestBadInput(t *testing.T) {
	c := bundled(t)
	for _, smiles := range []string{"", "C1CC", "not a molecule", "[#6]"} {
		if _, err := c.ParseSMILES(smiles); err == nil {
			t.Errorf("%q was accepted", smiles)
		}
	}
	if _, err := greed.Open(t.Context(), greed.Source{Path: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a file that does not exist was opened")
	}
	costs := edit.Chem1()
	if _, err := c.Search(context.Background(), parse(t, c, "CCO"), greed.Options{K: 1, Costs: &costs, Mode: greed.Predicted}); !errors.Is(err, greed.ErrCosts) {
		t.Errorf("other costs: error %v", err)
	}
	for _, opt := range []greed.Options{{Filters: []greed.Filter{filter(t, "wieght<300")}}, {Show: []string{"wieght"}}} {
		if _, err := c.Search(context.Background(), parse(t, c, "CCO"), opt); !errors.Is(err, greed.ErrAttribute) || !strings.Contains(err.Error(), "id, name") {
			t.Errorf("an attribute that no graph has: error %v", err)
		}
	}
}

// TestSaveAndOpen: an index answers as the collection it was made of.
func TestSaveAndOpen(t *testing.T) {
	ctx := context.Background()
	c := greed.New()
	for _, smiles := range []string{"CCO", "CCN", "c1ccccc1"} {
		if _, err := c.Put(ctx, greed.Record{ID: smiles, Graph: parse(t, c, smiles), SMILES: smiles}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.AttachBundled(ctx); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "index")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	if _, err := greed.Read(ctx, greed.Source{Path: path}); !errors.Is(err, greed.ErrIndex) {
		t.Errorf("an index read as a file: error %v", err)
	}
	opened, err := greed.Open(ctx, greed.Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if !greed.IsIndex(path) || opened.Len() != 3 || len(opened.Models()) != 2 {
		t.Fatalf("%d graphs, models %v", opened.Len(), opened.Models())
	}
	for _, task := range opened.Models() {
		opt := greed.Options{Task: task, K: 3, Mode: greed.Predicted}
		want, err := c.Search(ctx, parse(t, c, "CCCO"), opt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := opened.Search(ctx, parse(t, opened, "CCCO"), opt)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Answers {
			have, p := got.Answers[i].Predicted, want.Answers[i].Predicted
			if got.Answers[i].ID != want.Answers[i].ID || have == nil || p == nil || *have != *p {
				t.Errorf("%v: answer %d is %+v, want %+v", task, i, got.Answers[i], want.Answers[i])
			}
		}
	}
	twice, err := greed.FromRecords(c.Vocabulary(), []greed.Record{c.Record(0), c.Record(0)})
	if err != nil {
		t.Fatal(err)
	}
	if err := twice.Save(path + "2"); err == nil || greed.IsIndex(path+"2") {
		t.Errorf("two graphs with one id were saved: error %v", err)
	}
}
