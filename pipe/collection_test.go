package pipe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
)

func records(smiles ...string) map[string]any {
	about := make([]map[string]any, len(smiles))
	for i, s := range smiles {
		about[i] = map[string]any{"id": s}
	}
	return map[string]any{"smiles": smiles, "about": about}
}

func TestCollectionIsKept(t *testing.T) {
	c := newClient(t)
	c.ask("collection.open", map[string]any{"key": "k", "graphs": records("CCO", "CCN", "C1CC1")})
	c.ask("collection.change", map[string]any{"key": "k", "graphs": records("CCCC")})
	for _, empty := range []map[string]any{{"graphs": records("CCF")}, {"delete": []string{"CCO"}}} {
		empty["key"], empty["state"] = "k", "" // which would change any state
		if r := c.try("collection.change", empty); r.Error == nil || r.Error.Code != "value" || !strings.Contains(r.Error.Message, "state: it is empty") {
			t.Errorf("an empty state: %s, %+v", r.Result, r.Error)
		}
	}
	c.ask("collection.change", map[string]any{"key": "k", "state": nil, "delete": []string{"C1CC1"}})
	r := c.ask("collection.search", map[string]any{
		"key": "k", "k": 2, "mode": "proven", "explain": true, "queries": molecules("CCO", "CCC"),
	})
	var found []greed.Found
	if err := json.Unmarshal(r.Result, &found); err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || !found[1].Certified || found[0].Answers[0].ID != "CCO" || *found[0].Answers[1].GED != 1 || len(found[0].Answers[1].Edits) != 1 {
		t.Errorf("found %s", r.Result)
	}
	c.ask("free", map[string]any{"keys": []string{"k"}})
	if r := c.try("collection.info", map[string]any{"key": "k"}); r.Error == nil || r.Error.Code != "gone" {
		t.Errorf("a collection that was freed: %+v", r.Error)
	}
}

// TestRepeatedIDsOfAFile: a collection of a file in which an id comes twice is refused, as one of such graphs is.
func TestRepeatedIDsOfAFile(t *testing.T) {
	for text, want := range map[string]string{"CCO a\nCCN a\n": "is the id of both graph 0 and graph 1", "CCO a\nCCN b\n": ""} {
		path := filepath.Join(t.TempDir(), "mols.smi")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r := newClient(t).try("collection.open", map[string]any{"key": "k", "path": path})
		if (r.Error == nil) != (want == "") || r.Error != nil && !strings.Contains(r.Error.Message, want) {
			t.Errorf("%q: %+v, want %q", text, r.Error, want)
		}
	}
}

// TestMOLBlocks: an index that a collection of a file is saved as has the molecules as they were.
func TestMOLBlocks(t *testing.T) {
	const block = "drawn\n  test  2D\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    1.5000   -2.2500    0.1250 O   0  0\n    0.0000    0.7500    0.0000 C   0  0\n  1  2  1  0\nM  END\n"
	c, dir := newClient(t), t.TempDir()
	path := filepath.Join(dir, "a.sdf")
	if err := os.WriteFile(path, []byte(block+">  <pKa>\n15.5\n\n$$$$\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.ask("collection.open", map[string]any{"key": "k", "path": path})
	c.ask("collection.save", map[string]any{"key": "k", "path": path + ".index"})
	c.ask("collection.open", map[string]any{"key": "saved", "path": path + ".index"})
	for _, key := range []string{"k", "saved"} {
		r := c.ask("collection.get", map[string]any{"key": key, "ids": []string{"drawn"}})
		if text := string(r.Result); !strings.Contains(text, "15.5") || strings.Contains(text, "1.5000") {
			t.Errorf("%s: %s", key, text)
		}
	}
	index, err := greed.Open(t.Context(), greed.Source{Path: path + ".index"})
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	rec, _ := index.Get("drawn")
	list := []greed.Record{rec}
	if err := index.Blocks(t.Context(), list); err != nil || list[0].Block != block {
		t.Errorf("the block is %q: %v", list[0].Block, err)
	}
}

func TestTrainedModelIsKept(t *testing.T) {
	c := newClient(t)
	smiles := []string{"CCO", "CCN", "CCCC", "C1CC1O", "CC(C)C", "CCOC", "CNC", "OCCO", "CCS", "C#N", "CC=O", "CCF"}
	set := map[string]any{"smiles": smiles}
	id := c.send("train", map[string]any{
		"key": "m", "task": "ged", "graphs": set, "steps": 5, "max_pairs": 50, "hidden": 16, "layers": 1, "no_trials": true,
	})
	progress := 0
	var answered reply
	for {
		f, r := c.receive()
		if f.id == id && f.kind == kindAnswer {
			answered = r
			break
		}
		progress++
	}
	if answered.Error != nil || progress == 0 {
		t.Fatalf("training: %+v after %d reports", answered.Error, progress)
	}
	var out trained
	if err := json.Unmarshal(answered.Result, &out); err != nil || len(out.Curve) == 0 || out.Model.Dim == 0 {
		t.Errorf("trained %s: %v", answered.Result, err)
	}
	file := answered.arrays["model"].data
	again := c.ask("model.load", map[string]any{"key": "n"}, numbers{"model", file, []int{len(file)}})
	var info modelJSON
	if err := json.Unmarshal(again.Result, &info); err != nil || info.Fingerprint != out.Model.Fingerprint {
		t.Errorf("loaded %s, trained %s", again.Result, answered.Result)
	}
	p := c.ask("model.predict", map[string]any{"key": "m", "mode": "matrix", "queries": set, "targets": set}).floats(t, "predicted")
	if len(p) != len(smiles)*len(smiles) || p[0] != 0 || p[1] != p[len(smiles)] {
		t.Errorf("predicted %v", p)
	}
	if r := c.try("train", map[string]any{"key": "m", "task": "ged", "graphs": set, "rate": -1}); r.Error == nil || r.Error.Code != "model" {
		t.Errorf("a rate of -1: %+v", r.Error)
	}
}

// TestSearchBySMARTS: a pattern takes the place of the queries.
func TestSearchBySMARTS(t *testing.T) {
	c := newClient(t)
	c.ask("collection.open", map[string]any{"key": "k", "graphs": records("CCO", "COC", "CCS", "c1ccccc1O")})
	r := c.ask("collection.search", map[string]any{"key": "k", "smarts": "[O,S;H1]-C", "explain": true})
	var found []greed.Found
	if err := json.Unmarshal(r.Result, &found); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !found[0].Certified || len(found[0].Answers) != 2 || found[0].Answers[1].ID != "CCS" || len(found[0].Answers[1].Map) != 2 {
		t.Errorf("found %s", r.Result)
	}
	for _, args := range []map[string]any{{"smarts": "[C"}, {"smarts": "C", "queries": molecules("CCO")}, {"smarts": "C", "radius": 2}, {"smarts": "C", "task": "ged"}} {
		args["key"] = "k"
		if r := c.try("collection.search", args); r.Error == nil || r.Error.Code != "value" {
			t.Errorf("%v: %s, %v", args, r.Result, r.Error)
		}
	}
}
