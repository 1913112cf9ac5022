package dataset_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

func TestSMILESTables(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  dataset.Options
		want []string // id, SMILES, properties
	}{
		"names":        {"CCO ethanol, pure\nC methane\n", dataset.Options{}, []string{"ethanol, pure|CCO", "methane|C"}},
		"no names":     {"CCO\nC\n", dataset.Options{}, []string{"0|CCO", "1|C"}},
		"tabs":         {"CCO\t17\t3.5\nC\t18\t1\n", dataset.Options{}, []string{"17|CCO", "18|C"}},
		"comments":     {"# RDKit\n\nCCO 1\n", dataset.Options{}, []string{"1|CCO"}},
		"CRLF":         {"CCO 1\r\nC 2\r\n", dataset.Options{}, []string{"1|CCO", "2|C"}},
		"CXSMILES":     {"CCO |$a;b;c$| 1\n", dataset.Options{}, []string{"1|CCO"}},
		"csv":          {"id,SMILES,logP\n7,CCO,0.1\n8,\"C\",\n", dataset.Options{}, []string{"7|CCO|logP=0.1", "8|C"}},
		"csv quotes":   {"name;canonical_smiles;note\n\"a;b\";CCO;\"x \"\"y\"\"\"\n", dataset.Options{}, []string{`a;b|CCO|note=x "y"`}},
		"header blank": {"SMILES Name\nCCO a\n", dataset.Options{}, []string{"a|CCO"}},
		"columns by name": {"a,b,smi\n1,x,CCO\n", dataset.Options{SMILESColumn: "smi", IDColumn: "b"},
			[]string{"x|CCO|a=1"}},
		"columns by number":        {"1,x,CCO\n", dataset.Options{SMILESColumn: "2", IDColumn: "0", Delimiter: "comma"}, []string{"1|CCO"}},
		"header absent":            {"C,N\n", dataset.Options{Header: dataset.HeaderAbsent}, []string{"N|C"}},
		"header present":           {"C N\nO 1\n", dataset.Options{Header: dataset.HeaderPresent}, []string{"0|O|N=1"}},
		"delimiter":                {"C!7\n", dataset.Options{Delimiter: "!"}, []string{"7|C"}},
		"blanks in names":          {"a b,smiles\nx y,CCO\n", dataset.Options{}, []string{"0|CCO|a b=x y"}},
		"blanks in names and tabs": {"Compound ID\tSMILES, canonical\n7\tCCO\n", dataset.Options{}, []string{"7|CCO"}},
		"a comma in a quoted name": {`"x, y, z";smiles` + "\n1;CCO\n", dataset.Options{}, []string{"0|CCO|x, y, z=1"}},
		"no id column":             {"smiles,activity,HIV_active\nCCO,CI,0\nC,CI,0\n", dataset.Options{}, []string{"0|CCO|HIV_active=0|activity=CI", "1|C|HIV_active=0|activity=CI"}},
		"mol_id":                   {"NR-AR,mol_id,smiles\n0,T1,CCO\n", dataset.Options{}, []string{"T1|CCO|NR-AR=0"}},
		"CHEMBLID":                 {"CMPD_CHEMBLID,exp,smiles\nC1,3.5,CCO\n", dataset.Options{}, []string{"C1|CCO|exp=3.5"}},
		"a name":                   {"num,name,p_np,smiles\n1,Propanolol,1,CCO\n", dataset.Options{}, []string{"Propanolol|CCO|num=1|p_np=1"}},
		"not an id":                {"smiles,target_id,acid\nCCO,7,y\n", dataset.Options{}, []string{"0|CCO|acid=y|target_id=7"}},
		"no ids wanted":            {"smiles,id\nCCO,7\n", dataset.Options{IDColumn: "-"}, []string{"0|CCO|id=7"}},
		"SMILES second":            {"7,CCO\n", dataset.Options{SMILESColumn: "1"}, []string{"7|CCO"}},
		"a blank after":            {"CCO ,7\nC , 8\n", dataset.Options{}, []string{"7|CCO", "8|C"}},
		"blanks in a header table": {"id,smiles\n7, CCO \n", dataset.Options{}, []string{"7|CCO"}},
		"CXSMILES in a table":      {"id,smiles\n7,CCO |$a;b;c$|\n", dataset.Options{}, []string{"7|CCO"}},
		"CXSMILES and blanks":      {"smiles id\nCCO |$a b;;$| 7\nC 8\n", dataset.Options{}, []string{"7|CCO", "8|C"}},
		"quoted name":              {"C\t\"7\"\n", dataset.Options{}, []string{`"7"|C`}},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Format = "smiles"
			list, _ := mustRead(t, c.text, "stream", c.opt)
			var got []string
			for _, rec := range list {
				s := rec.ID + "|" + rec.SMILES
				for _, key := range slices.Sorted(maps.Keys(rec.Attributes)) {
					s += "|" + key + "=" + rec.Attributes[key].(string)
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSniffMolecules(t *testing.T) {
	for text, want := range map[string]string{
		"CCO\n":                               "C C O; 0-1:1 1-2:1",
		"[Na+].[Cl-] salt\n":                  "Na Cl; ",
		"smiles\nCC\n":                        "C C; 0-1:1",
		"c1ccccc1C(=O benzaldehyde\nCN amine": "",
	} {
		list, _, err := readText(text, "stream", dataset.Options{SkipBad: true})
		if want == "" {
			if err != nil || len(list) != 1 {
				t.Errorf("%q: %v, %v", text, list, err)
			}
			continue
		}
		if err != nil || drawing(list[0].Graph) != want {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
	if _, _, err := readText("In accordance with the licence\nOf this\n", "stream", dataset.Options{}); err == nil {
		t.Error("prose is read as SMILES")
	}
}

func TestMoleculeOptions(t *testing.T) {
	text := "C[N+](C)(C)C.[Cl-] a\n"
	for want, opt := range map[string]dataset.Options{
		"C N C C C Cl; 0-1:1 1-2:1 1-3:1 1-4:1":   {},
		"C N+ C C C Cl-; 0-1:1 1-2:1 1-3:1 1-4:1": {Rules: dataset.Rules{Charge: true}},
		"C N C C C; 0-1:1 1-2:1 1-3:1 1-4:1":      {Rules: dataset.Rules{LargestFragment: true}},
	} {
		list, _ := mustRead(t, text, "a.smi", opt)
		if got := drawing(list[0].Graph); got != want {
			t.Errorf("graph %s, want %s", got, want)
		}
	}
	_, notes := mustRead(t, "C[C@H](N)O a\nF/C=C/F b\nC/C=C\\[C@H](N)O c\n", "a.smi", dataset.Options{})
	if diff := cmp.Diff([]string{"2 molecules: chirality dropped", "2 molecules: cis/trans marks dropped"}, notes); diff != "" {
		t.Error(diff)
	}
}

const ethanolSDF = `ethanol
  by hand

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 O   0  0
  1  2  1  0
  2  3  1  0
M  END
> <CAS>
64-17-5

> <code>
E1

$$$$
`

func TestSDF(t *testing.T) {
	bad := strings.Replace(ethanolSDF, "  2  3  1  0", "  2  9  1  0", 1)
	list, _ := mustRead(t, ethanolSDF+bad+ethanolSDF, "a", dataset.Options{SkipBad: true})
	if len(list) != 2 || list[0].ID != "ethanol" || list[1].Line != 35 || drawing(list[0].Graph) != "C C O; 0-1:1 1-2:1" {
		t.Fatalf("read %+v", list)
	}
	if diff := cmp.Diff(map[string]any{"CAS": "64-17-5", "code": "E1"}, list[0].Attributes); diff != "" {
		t.Error(diff)
	}
	list, _ = mustRead(t, ethanolSDF, "a", dataset.Options{IDColumn: "code"})
	if list[0].ID != "E1" || list[0].Name != "ethanol" {
		t.Errorf("read %+v", list[0])
	}
	_, _, err := readText(bad, "a.sdf", dataset.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "a.sdf:9: record 0") {
		t.Errorf("error %v", err)
	}
	_, _, err = readText(ethanolSDF, "a.sdf", dataset.Options{IDColumn: "none"})
	const want = `a.sdf:1: record 0: expected a property "none", which id_column names; found none or an empty one`
	if err == nil || err.Error() != want {
		t.Errorf("error  %v\nwanted %s", err, want)
	}
}

// TestMoleculeRoundTrips: written and read, a part of the bundled collection is
// the same, from its own SMILES and from the graphs alone.
func TestMoleculeRoundTrips(t *testing.T) {
	path := bundled
	vocab := graph.NewVocabulary()
	list, err := dataset.ReadAll(path, dataset.Options{Vocabulary: vocab})
	if err != nil {
		t.Fatal(err)
	}
	const part = 4 // a quarter, for time; package chem tests all of it
	for i := range len(list) / part {
		list[i] = list[i*part]
	}
	list = list[:len(list)/part]
	for _, format := range []string{"smiles", "sdf", "tve", "json"} {
		for _, keep := range []bool{true, false} {
			var buf bytes.Buffer
			w, err := dataset.NewWriter(&buf, format)
			if err != nil {
				t.Fatal(err)
			}
			for _, rec := range list {
				if !keep {
					rec.SMILES = ""
				}
				if err := w.Write(rec); err != nil {
					t.Errorf("%s: %v", format, err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			back, _, err := readText(buf.String(), "written", dataset.Options{Vocabulary: vocab})
			if err != nil || len(back) != len(list) {
				t.Fatalf("%s: %d records, %v", format, len(back), err)
			}
			for i, rec := range back {
				if rec.ID != list[i].ID || !graph.Isomorphic(rec.Graph, list[i].Graph) {
					t.Errorf("%s: %s is not the same", format, list[i].ID)
				}
				if format == "smiles" && keep && rec.SMILES != list[i].SMILES {
					t.Errorf("SMILES %s, was %s", rec.SMILES, list[i].SMILES)
				}
			}
		}
	}
}

func TestSharedData(t *testing.T) {
	for name, want := range map[string]int{
		"aids/aids.txt": 1811, "aids/aids_all2000.txt": 2000, "aids700nef/train.txt": 560, "linux/test.txt": 200,
		"imdb/test.txt": 300, "protein/protein.txt.gz": 1071, "citeseer/citeseer.txt": 1, "wordnet/wordnet.txt.gz": 1,
		"debian/debian_bookworm.txt.gz": 1, "aids/functional_groups.txt": 16, "wordnet": 1, "imdb": 1500,
	} {
		t.Run(name, func(t *testing.T) {
			list, err := dataset.ReadAll(sharedData(t, name), dataset.Options{})
			if err != nil || len(list) != want {
				t.Errorf("%d records, want %d; %v", len(list), want, err)
			}
		})
	}
}

func BenchmarkReadSMILES(b *testing.B) {
	zipped, err := os.Open(bundled)
	if err != nil {
		b.Fatal(err)
	}
	defer zipped.Close()
	unzipped, err := gzip.NewReader(zipped)
	if err != nil {
		b.Fatal(err)
	}
	data, err := io.ReadAll(unzipped)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r, err := dataset.NewReader(bytes.NewReader(data), "nci5k.smi", dataset.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range r.All() {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "molecules/s")
}

// TestSMILESFollowTheGraph: the SMILES of a record is written only as long as it
// is that of its graph.
func TestSMILESFollowTheGraph(t *testing.T) {
	salt, largest := "[Cl-].C[N+](C)(C)C", dataset.Rules{LargestFragment: true}
	stereo := largest
	stereo.Stereo, stereo.Charge, stereo.Hydrogens = true, true, true
	for _, c := range []struct {
		text  string
		rules dataset.Rules
		want  string
	}{
		{salt, dataset.Rules{}, salt},
		{salt, dataset.Rules{Charge: true}, salt},
		{salt, largest, "C[N+](C)(C)C"},
		{`[Na+].O=C([O-])[C@H](N)/C=C/F.[Na+]`, stereo, `O=C([O-])[C@H](N)/C=C/F`},
		{"C1CC.C1.C(CC)[CH2-]", largest, "C(CC)C"}, // not the last, whose graph is the same
		{"C1CC.O1.F", largest, "C(CC)O"},
	} {
		list, _ := mustRead(t, c.text+" a\n", "a.smi", dataset.Options{Rules: c.rules})
		var buf bytes.Buffer
		w, err := dataset.NewWriter(&buf, "smiles")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(list[0]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if buf.String() != c.want+"\ta\n" {
			t.Errorf("wrote %q, want %q", buf.String(), c.want)
		}
	}
}

// TestTableHints: where the first row cannot be read, the message says what may be
// meant, and notes say what was taken for what.
func TestTableHints(t *testing.T) {
	for text, want := range map[string]string{
		"x1,CCO\nx2,C\n":                        "column 1 looks like SMILES: smiles_column=1",
		"x1;7;c1ccccc1\n":                       "column 2 looks like SMILES: smiles_column=2",
		"structure,name\nC,a\n":                 "if this line names the columns: header=yes",
		"smiles,id\nCCO,a,,\nCCN,b, or 1,2-b\n": "a.csv:3: record 1 (id b): found 4 columns, expected 2 as the header has (a field may contain ',' if it is quoted)",
	} {
		_, _, err := readText(text, "a.csv", dataset.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"smiles,activity\nCCO,7\n": `no column is named like an id, so ids are positions from 0`,
		"smiles,id\nCCO,7\n":       `ids in column "id"`,
		"CCO,7,8\n":                "the other columns have no names and were dropped",
		"CCO,7\nC,8,9\nN,10,\n":    "1 row has more columns than the first one: these were dropped",
	} {
		if _, notes := mustRead(t, text, "a.csv", dataset.Options{}); !contains(notes, want) {
			t.Errorf("%q: notes %q, want %s", text, notes, want)
		}
	}
	// A name may have several words where it ends the row, under a header too.
	if list, _ := mustRead(t, "SMILES Name\nCCO ethyl alcohol\n", "a.smi", dataset.Options{}); list[0].ID != "ethyl alcohol" {
		t.Errorf("id %q", list[0].ID)
	}
}
