package dataset_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
)

// drawings reads a collection and renders it by id.
func drawings(t *testing.T, path string, opt dataset.Options) (map[string]string, []string) {
	t.Helper()
	r, err := dataset.Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := make(map[string]string)
	for rec, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		text := drawing(rec.Graph)
		if class, ok := rec.Attributes["class"]; ok {
			text += " class " + class.(string)
		}
		out[rec.ID] = text
	}
	return out, dataset.Texts(r.Notes())
}

func TestTUDataset(t *testing.T) {
	files := map[string]string{
		"DS_A.txt":               "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
		"DS_graph_indicator.txt": "1\n1\n1\n2\n2\n3\n",
		"DS_graph_labels.txt":    "1\n-1\n1\n",
		"DS_node_labels.txt":     "7\n8\n7\n9\n9\n5\n",
		"DS_edge_labels.txt":     "0\n0\n1\n1\n2\n2\n",
		"DS_node_attributes.txt": "0.5, 1\n1.5, 1\n2.5, 1\n3.5, 1\n4.5, 1\n5.5, 1\n",
		"README.txt":             "about DS",
	}
	got, _ := drawings(t, writeFiles(t, files), dataset.Options{})
	want := map[string]string{
		"1": "7 8 7; 0-1:0 1-2:1 class 1",
		"2": "9 9; 0-1:2 class -1",
		"3": "5;  class 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, _ = drawings(t, writeFiles(t, files), dataset.Options{Rules: dataset.Rules{Directed: true, NodeLabel: "attribute0", Bin: map[string]float64{"attribute0": 2}}})
	if got["1"] != "0 0 2; 0>1:0 1>0:0 1>2:1 2>1:1 class 1" {
		t.Errorf("directed: %s", got["1"])
	}

	for name, c := range map[string]struct{ file, text, want string }{
		"order": {"DS_A.txt", "4, 5\n1, 2\n",
			"DS_A.txt:2: record 1 (id 2): edge 1-2 is not inside graph 2, which has the nodes 4 to 5: edges must join nodes of one graph and be in the order of the graphs"},
		"range":            {"DS_A.txt", "1, 2\n9, 9\n", "DS_A.txt:2: record 2 (id 3): node 9 does not exist: DIR/DS_graph_indicator.txt has 6 lines"},
		"no number first":  {"DS_A.txt", "x, 2\n", "DS_A.txt:1: record 0 (id 1): expected \"NODE, NODE\" with nodes numbered from 1, found \"x, 2\""},
		"no number second": {"DS_A.txt", "1, x\n", "DS_A.txt:1: record 0 (id 1): expected \"NODE, NODE\" with nodes numbered from 1, found \"1, x\""},
		"from 0":           {"DS_A.txt", "0, 2\n", "DS_A.txt:1: record 0 (id 1): expected \"NODE, NODE\" with nodes numbered from 1, found \"0, 2\""},
		"to 0":             {"DS_A.txt", "1, 0\n", "DS_A.txt:1: record 0 (id 1): expected \"NODE, NODE\" with nodes numbered from 1, found \"1, 0\""},
		"short":            {"DS_node_labels.txt", "7\n", "DS_node_labels.txt:1: record 0 (id 1): the file ends here, with fewer lines than the files beside it need"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := make(map[string]string)
			for k, v := range files {
				bad[k] = v
			}
			bad[c.file] = c.text
			dir := writeFiles(t, bad)
			_, err := dataset.ReadAll(dir, dataset.Options{})
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.TrimPrefix(strings.ReplaceAll(err.Error(), dir, "DIR"), "DIR/")
			if got != c.want {
				t.Errorf("error  %s\nwanted %s", got, c.want)
			}
		})
	}
}

func TestGXLCollection(t *testing.T) {
	graph := func(id, label string) string {
		return `<gxl><graph id="` + id + `" edgemode="undirected"><node id="_0"><attr name="chem"><int> ` + label + ` </int></attr></node></graph></gxl>`
	}
	dir := writeFiles(t, map[string]string{
		"train.cxl": `<?xml version="1.0"?><GraphCollection><fingerprints base="/x"><print file="a.gxl" class="L"/><print file="b.gxl" class="R"/></fingerprints></GraphCollection>`,
		"valid.cxl": `<GraphCollection><p><print file="c.gxl" class="L"/><print file="a.gxl" class="L"/></p></GraphCollection>`,
		"a.gxl":     graph("1", "6"),
		"b.gxl":     graph("", "7"),
		"c.gxl":     graph("3", "8"),
		"other.gxl": graph("4", "9"),
	})
	got, notes := drawings(t, dir, dataset.Options{})
	want := map[string]string{"1": "6;  class L", "b": "7;  class R", "3": "8;  class L"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !contains(notes, "1 graph is listed again in an index; the repetition was left out") {
		t.Errorf("notes %q", notes)
	}
	got, _ = drawings(t, filepath.Join(dir, "train.cxl"), dataset.Options{})
	if len(got) != 2 {
		t.Errorf("one index gives %v", got)
	}

	dir = writeFiles(t, map[string]string{
		"x.xml": `<?xml version="1.0"?><GraphCollection><graph file="a.gxl" class="0"/></GraphCollection>`,
		"y.xml": "<other/>",
		"a.gxl": graph("1", "6"),
	})
	got, _ = drawings(t, dir, dataset.Options{})
	if diff := cmp.Diff(map[string]string{"1": "6;  class 0"}, got); diff != "" {
		t.Error(diff)
	}

	dir = writeFiles(t, map[string]string{
		"x.cxl": "<GraphCollection>\n<print file=\"no.gxl\"/>\n<print file=\"a.gxl\"/></GraphCollection>",
		"a.gxl": graph("1", "6"),
	})
	r, err := dataset.Open(dir, dataset.Options{SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if rec, err := r.Next(); err != nil || rec.ID != "1" {
		t.Errorf("after a missing file: %v, %v", rec, err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestFolderIDs: graphs of a folder are named by file where ids inside do not tell
// them apart.
func TestFolderIDs(t *testing.T) {
	dot := func(id string) string { return "graph " + id + " { a -- b }" }
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"different":   {map[string]string{"1.dot": dot("x"), "2.dot": dot("y")}, []string{"x", "y"}},
		"the same":    {map[string]string{"1.dot": dot("G"), "2.dot": dot("G"), "3.dot": dot("x")}, []string{"1", "2", "3"}},
		"missing":     {map[string]string{"1.dot": dot(""), "2.dot": dot("y"), "3.dot": dot("z")}, []string{"1", "2", "3"}},
		"repeated":    {map[string]string{"1.dot": dot("x"), "2.dot": dot("y"), "3.dot": dot("x")}, []string{"x", "y", "3"}},
		"one file":    {map[string]string{"1.dot": dot(""), "readme": "Nothing."}, []string{"1"}},
		"one missing": {map[string]string{"1.dot": dot("x"), "2.dot": dot("y"), "3.dot": dot("")}, []string{"x", "y", "3"}},
		"several": {map[string]string{"a.txt": "t # 0\nv 0 C\nt # 1\nv 0 C\n", "b.txt.gz": "t # 0\nv 0 C\n"},
			[]string{"a-0", "a-1", "b"}},
		"several without": {map[string]string{"a.smi": "C\nCC\n", "b.smi": "O\n"}, []string{"a-0", "a-1", "b"}},
		"same stems":      {map[string]string{"a.dot": dot("G"), "a.gv": dot("G"), "b.dot": dot("G")}, []string{"a.dot", "a.gv", "b"}},
		"a bad one":       {map[string]string{"a.smi": "C\nC(\nCC\n", "b.smi": "N\n"}, []string{"a-0", "a-1", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := dataset.ReadAll(writeFiles(t, c.files), dataset.Options{SkipBad: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, rec := range list {
				got = append(got, rec.ID)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFolderOfFiles(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"1.dot":     "graph one { a }",
		"2.txt":     "t # two\nv 0 a\n",
		"3.json":    `{"nodes": [{"id": 0, "label": "x"}], "edges": []}`,
		"README":    "This is not a graph.",
		"empty.txt": "",
		".hidden":   "graph no { a }",
	})
	got, notes := drawings(t, dir, dataset.Options{})
	want := map[string]string{"one": "0; ", "two": "a; ", "3": "x; "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !contains(notes, "README was left out") || !contains(notes, "empty.txt was left out") || !contains(notes, "1 hidden file was left out: its name begins with a dot") {
		t.Errorf("notes %q", notes)
	}
	if _, err := dataset.ReadAll(writeFiles(t, map[string]string{"x": "Not at all."}), dataset.Options{}); !errors.Is(err, dataset.ErrEmpty) {
		t.Errorf("folder without graphs: %v", err)
	}
	if _, err := dataset.Open(t.TempDir(), dataset.Options{}); !errors.Is(err, dataset.ErrEmpty) {
		t.Errorf("empty folder: %v", err)
	}
}

// TestClassesByNumber: a class belongs to the graph of its line, and a graph that
// has a class but no nodes is read as such.
func TestClassesByNumber(t *testing.T) {
	files := map[string]string{
		"DS_A_sparse.txt":        "1, 2\n3, 4\n",
		"DS_graph_indicator.txt": "1\n1\n3\n3\n",
		"DS_graph_labels.txt":    "7\n8\n9\n10\n",
	}
	got, _ := drawings(t, writeFiles(t, files), dataset.Options{})
	want := map[string]string{"1": "0 0; 0-1:0 class 7", "2": ";  class 8", "3": "0 0; 0-1:0 class 9", "4": ";  class 10"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, err := dataset.ReadAll(writeFiles(t, files), dataset.Options{Strict: true})
	if !errors.Is(err, dataset.ErrNoNodes) {
		t.Errorf("strictly: %v", err)
	}
	delete(files, "DS_graph_labels.txt")
	got, _ = drawings(t, writeFiles(t, files), dataset.Options{})
	if diff := cmp.Diff(map[string]string{"1": "0 0; 0-1:0", "3": "0 0; 0-1:0"}, got); diff != "" {
		t.Errorf("without classes: %s", diff)
	}
}

// TestDataDir: the files of an index lie in a folder of their own.
func TestDataDir(t *testing.T) {
	const text = `<gxl><graph id="a" edgemode="undirected"><node id="0"/></graph></gxl>`
	index := writeFiles(t, map[string]string{"x.xml": `<GraphCollection><graph file="a.gxl" class="0"/></GraphCollection>`})
	data := writeFiles(t, map[string]string{"a.gxl": text})
	path := filepath.Join(index, "x.xml")
	if _, err := dataset.ReadAll(path, dataset.Options{}); err == nil || !strings.Contains(err.Error(), "data_dir") {
		t.Errorf("without it: %v", err)
	}
	if list, err := dataset.ReadAll(path, dataset.Options{DataDir: data}); err != nil || len(list) != 1 {
		t.Errorf("with it: %v, %v", list, err)
	}
	if err := os.Mkdir(filepath.Join(index, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(index, "data", "a.gxl"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if list, err := dataset.ReadAll(path, dataset.Options{}); err != nil || len(list) != 1 {
		t.Errorf("in a folder beside the index: %v, %v", list, err)
	}
}
