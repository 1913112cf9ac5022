package dataset_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestRecipes follows what docs/inputs.md and errors say of formats that are not read: what comes of it is read as the
// molecule that it was.
func TestRecipes(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	const mol2 = "@<TRIPOS>MOLECULE\nw\n 3 2 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n" +
		" 1 C1 0.0 0.0 0.0 C.3\n 2 C2 1.5 0.0 0.0 C.3\n 3 O1 2.2 1.2 0.0 O.3\n@<TRIPOS>BOND\n 1 1 2 1\n 2 2 3 1\n"
	const ct = "w\n 3 2\n 0.0 0.0 0.0 C\n 1.5 0.0 0.0 C\n 2.2 1.2 0.0 O\n 1 2 1 1\n 2 3 1 1\n"
	for _, c := range []struct{ file, text, recipe, out string }{
		{"a.mol2", mol2, "obabel a.mol2 -O a.sdf", "a.sdf"},
		{"a.ct", ct, "obabel *.ct -O all.sdf", "all.sdf"},
		{"a.inchi", "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3", "Chem.MolToSmiles(Chem.MolFromInchi(text))", "a.smi"},
	} {
		if !strings.Contains(string(page), "`"+c.recipe+"`") {
			t.Errorf("docs/inputs.md has no recipe %s", c.recipe)
			continue
		}
		t.Run(c.file, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			command := exec.Command("sh", "-c", c.recipe)
			if !strings.HasPrefix(c.recipe, "obabel") {
				if exec.Command("python3", "-c", "import rdkit").Run() != nil {
					t.Skip("needs RDKit")
				}
				command = exec.Command("python3", "-c", "from rdkit import Chem; text = open('a.inchi').read(); open('a.smi', 'w').write("+c.recipe+")")
			} else if _, err := exec.LookPath("obabel"); err != nil {
				t.Skip("needs Open Babel")
			}
			command.Dir = dir
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			list, err := dataset.ReadAll(filepath.Join(dir, c.out), dataset.Options{})
			if err != nil || len(list) != 1 || drawing(list[0].Graph) != "C C O; 0-1:1 1-2:1" {
				t.Errorf("read %+v, error %v", list, err)
			}
		})
	}
}

// TestSimGNNRecipes: the lines of docs/inputs.md make graphs and pairs of a folder of SimGNN's, and of one of its
// successors'.
func TestSimGNNRecipes(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs Python")
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", "inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		begins, folder string
		files          map[string]string
		distances      string
		graphs, pairs  string
	}{
		{"glob, json\n", "pairs",
			map[string]string{"7.json": `{"labels_1": ["C", "O"], "labels_2": ["C"], "graph_1": [[0, 1]], "graph_2": [], "ged": 2}`},
			"", "C O; 0-1:0|C; |", "pairs/7.json1,pairs/7.json2,2\n"},
		{"glob, json, pathlib\n", "graphs",
			map[string]string{"7.json": `{"n": 2, "m": 1, "labels": ["C", "O"], "graph": [[0, 1]]}`, "8.json": `{"n": 2, "graph": []}`},
			`[[7, 8, 3.0, 2, 1, [[0, 1]]], [8, 8, 0]]`, "C O; 0-1:0| ; |", "7,8,3.0\n8,8,0\n"},
	} {
		_, script, found := strings.Cut(string(page), "```python\nimport "+c.begins)
		script, _, _ = strings.Cut(script, "```")
		if !found {
			t.Fatalf("docs/inputs.md has no lines that import %s", c.begins)
		}
		dir := t.TempDir()
		if err := os.Rename(writeFiles(t, c.files), filepath.Join(dir, c.folder)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "distances.json"), []byte(c.distances), 0o666); err != nil {
			t.Fatal(err)
		}
		command := exec.Command("python3", "-c", "import "+c.begins+script)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		list, err := dataset.ReadAll(filepath.Join(dir, "graphs.ndjson"), dataset.Options{})
		drawn := ""
		for _, rec := range list {
			drawn += drawing(rec.Graph) + "|"
		}
		if err != nil || drawn != c.graphs {
			t.Errorf("%s: %q, %v, want %q", c.folder, drawn, err, c.graphs)
		}
		if lines, err := os.ReadFile(filepath.Join(dir, "pairs.csv")); err != nil || string(lines) != c.pairs {
			t.Errorf("%s: pairs %q, %v, want %q", c.folder, lines, err, c.pairs)
		}
	}
}
