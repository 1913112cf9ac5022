package truth

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/truth/parquetfile"
)

// drawTable draws a table and ids that try the formats.
func drawTable(t *rapid.T) (*Table, []string, []string) {
	id := rapid.StringOf(rapid.SampledFrom([]rune("ab,\"\t\n\\é 0'=@")))
	ids := rapid.SliceOfNDistinct(id, 1, 6, rapid.ID)
	queries, targets := ids.Draw(t, "queries"), ids.Draw(t, "targets")
	table := new(Table)
	maps := rapid.Bool().Draw(t, "maps")
	for range rapid.IntRange(1, 30).Draw(t, "pairs") {
		p := NewPair(rapid.IntRange(0, len(queries)-1).Draw(t, "query"), rapid.IntRange(0, len(targets)-1).Draw(t, "target"))
		p.Lower = rapid.Float64Range(0, 1e6).Draw(t, "lower")
		p.Upper = p.Lower + rapid.SampledFrom([]float64{0, 0.1, 7, math.Inf(1)}).Draw(t, "gap")
		table.Pairs = append(table.Pairs, p)
		if maps {
			m := rapid.SliceOfN(rapid.IntRange(edit.Deleted, 9), 0, 5).Draw(t, "map")
			table.Maps = append(table.Maps, append(edit.NodeMap{}, m...))
		}
	}
	return table, queries, targets
}

func TestRoundTrips(t *testing.T) {
	formats := map[string]struct {
		write func(Rows, io.Writer) error
		read  func([]byte, []string, []string) (*Table, error)
	}{
		"csv": {Rows.WriteCSV, readText}, "tsv": {Rows.WriteTSV, readText},
		"parquet": {Rows.WriteParquet, func(data []byte, queries, targets []string) (*Table, error) {
			return ReadParquet(bytes.NewReader(data), int64(len(data)), "test", queries, targets)
		}},
	}
	for name, f := range formats {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				table, queries, targets := drawTable(t)
				var first, second bytes.Buffer
				if err := f.write(table.Rows(queries, targets), &first); err != nil {
					t.Fatal(err)
				}
				if err := f.write(table.Rows(queries, targets), &second); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(first.Bytes(), second.Bytes()) {
					t.Fatal("the same table makes different files")
				}
				got, err := f.read(first.Bytes(), queries, targets)
				if err != nil {
					t.Fatalf("%v\n%s", err, first.Bytes())
				}
				if diff := cmp.Diff(table, got); diff != "" {
					t.Fatal(diff)
				}
			})
		})
	}
}

func readText(data []byte, queries, targets []string) (*Table, error) {
	return ReadText(bytes.NewReader(data), "test", queries, targets)
}

func TestWrittenText(t *testing.T) {
	table := &Table{
		Pairs: []Pair{{0, 0, 1, 1}, {0, 1, 0.5, 1e21}},
		Maps:  []edit.NodeMap{{3, edit.Deleted}, {}},
	}
	queries, targets := []string{"a\tb"}, []string{"x", "y,z"}
	var csv, tsv strings.Builder
	if err := table.Rows(queries, targets).WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	if err := table.Rows(queries, targets).WriteTSV(&tsv); err != nil {
		t.Fatal(err)
	}
	if want := "query,target,lower,upper,map\na\tb,x,1,1,\"0:3,1:-\"\na\tb,\"y,z\",0.5,1e+21,\n"; csv.String() != want {
		t.Errorf("CSV %q, want %q", csv.String(), want)
	}
	if want := "a\\tb\tx\t1\t1\t0:3,1:-\na\\tb\ty,z\t0.5\t1e+21\t\n"; tsv.String() != want {
		t.Errorf("TSV %q, want %q", tsv.String(), want)
	}
}

func TestReadTextAccepts(t *testing.T) {
	want := &Table{Pairs: []Pair{{0, 1, 2, 2}, {1, 0, 3, 3}}}
	for name, text := range map[string]string{
		"bounds":            "query,target,lower,upper\na,y,2,2\nb,x,3,3\n",
		"no header":         "a,y,2,2\nb,x,3,3\n",
		"distance":          "a,y,2\nb,x,3",
		"no upper bound":    "a,y,2,\nb,x,3,3\n",
		"header of anyone":  "from,to,GED\na,y,2\nb,x,3.0\n",
		"tabs":              "a\ty\t2\nb\tx\t3\n",
		"tabs and header":   "q\tt\tlb\tub\na\ty\t2\t2\n\nb\tx\t3\t3\n",
		"carriage returns":  "a,y,2\r\nb,x,3\r\n",
		"quoted and spaced": "\"a\",y,2e0\nb,x,+3\n",
	} {
		got, err := readText([]byte(text), []string{"a", "b"}, []string{"x", "y"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestReadTextRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"a,x,1\nc,x,1\n":              `pairs.csv:2: there is no query with id "c"`,
		"a,x,1\na,z,1\n":              `pairs.csv:2: there is no target with id "z"`,
		"a,x,1\nd,x,1\n":              `pairs.csv:2: several graphs have the query id "d"`,
		"a,x,1\na,x\n":                "pairs.csv:2: 2 columns",
		"a,x,1\na,x,one\n":            `pairs.csv:2: "one" is not a distance`,
		"a,x,1\na,x,-1\n":             `pairs.csv:2: "-1" is not a distance`,
		"a,x,1\na,x,NaN\n":            `pairs.csv:2: "NaN" is not a distance`,
		"a,x,1\na,x,Inf\n":            "pairs.csv:2: bounds +Inf",
		"a,x,1,2\na,x,3,2\n":          "pairs.csv:2: bounds 3 to 2",
		"a,x,1\na,\"x,1\n":            "pairs.csv:2: ",
		"a,x,1,1,0:0\na,x,1,1\n":      "pairs.csv:2: some lines have a node map",
		"a,x,1,1,\"0:0,2:1\"\n":       "pairs.csv:1: node map has \"2:1\" where \"1:target\"",
		"a,x,1,1,0:-2\n":              `pairs.csv:1: node map sends 0 to "-2"`,
		"a\tx\t1\na\tx\t1\t1\t1\t1\n": "pairs.csv:2: 6 columns",
	} {
		_, err := ReadText(strings.NewReader(text), "pairs.csv", []string{"a", "d", "d"}, []string{"x", "y"})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestReadPredictions(t *testing.T) {
	got, err := ReadPredictions(strings.NewReader("query,target,distance\nb,x,-0.25\na,y,3\n"), "p", []string{"a", "b"}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Prediction{{1, 0, -0.25}, {0, 1, 3}}, got); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"a,x,NaN", "h,h,h\na,x,inf", "a,x,1,1", "a,x"} {
		if _, err := ReadPredictions(strings.NewReader("a,x,1\n"+text), "p", []string{"a"}, []string{"x"}); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestReadFileRecognisesFormats(t *testing.T) {
	table := &Table{Pairs: []Pair{{0, 0, 1, 2}}}
	ids := []string{"a"}
	for name, write := range map[string]func(Rows, io.Writer) error{
		"p.csv": Rows.WriteCSV, "p.parquet": Rows.WriteParquet, "no extension": Rows.WriteParquet,
	} {
		path := filepath.Join(t.TempDir(), name)
		var buf bytes.Buffer
		if err := write(table.Rows(ids, ids), &buf); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ReadFile(path, ids, ids)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(table, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestRowGroups: a file of many rows has several groups of rows, of which one is in memory at a time.
func TestRowGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million rows")
	}
	const n = rowsInGroup + 5
	var buf bytes.Buffer
	err := Rows{All: func(yield func(int, Row) bool) {
		for i := range n {
			if !yield(i, Row{Query: "a", Target: "b", Upper: float64(i)}) {
				return
			}
		}
	}}.WriteParquet(&buf)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquetfile.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil || len(file.RowGroups()) != 2 {
		t.Fatalf("%v; %d groups", err, len(file.RowGroups()))
	}
	table, err := ReadParquet(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "test", []string{"a"}, []string{"b"})
	if err != nil || len(table.Pairs) != n || table.Pairs[n-1].Upper != n-1 {
		t.Errorf("%v; %d rows", err, len(table.Pairs))
	}
}

func TestDamagedParquet(t *testing.T) {
	table := &Table{Pairs: []Pair{{0, 0, 1, 2}, {0, 0, 3, 4}}, Maps: []edit.NodeMap{{0, 1}, {edit.Deleted}}}
	ids := []string{"a"}
	var buf bytes.Buffer
	if err := table.Rows(ids, ids).WriteParquet(&buf); err != nil {
		t.Fatal(err)
	}
	whole := buf.Bytes()
	for length := range whole {
		if _, err := ReadParquet(bytes.NewReader(whole[:length]), int64(length), "p", ids, ids); err == nil {
			t.Fatalf("read the first %d of %d bytes", length, len(whole))
		}
	}
	if _, err := ReadParquet(bytes.NewReader(whole), int64(len(whole)), "p", []string{"b"}, ids); err == nil {
		t.Error("read an unknown id")
	}
	path := filepath.Join(t.TempDir(), "p.parquet")
	for _, from := range []int{0, 1, len(whole) / 2, len(whole)} {
		if err := os.WriteFile(path, whole[from:], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path, ids, ids); (err == nil) != (from == 0) || err != nil && !strings.HasPrefix(err.Error(), path) {
			t.Errorf("without the first %d of %d bytes: %v", from, len(whole), err)
		}
	}
	for i := range whole {
		whole[i] ^= 1 << (i % 8)
		got, err := ReadParquet(bytes.NewReader(whole), int64(len(whole)), "p", ids, ids)
		if err == nil && !cmp.Equal(got, table) {
			t.Errorf("byte %d: %+v", i, got)
		}
		whole[i] ^= 1 << (i % 8)
	}
}

func FuzzReadText(f *testing.F) {
	f.Add("query,target,lower,upper\na,x,1,2\n")
	f.Add("a\tx\t1\t2\t0:1,1:-\n")
	f.Add("\"a\n,x,1")
	f.Fuzz(func(t *testing.T, text string) {
		ids := []string{"a", "x", ""}
		table, err := readText([]byte(text), ids, ids)
		if err != nil {
			return
		}
		var buf bytes.Buffer
		if err := table.Rows(ids, ids).WriteTSV(&buf); err != nil {
			t.Fatal(err)
		}
		again, err := readText(buf.Bytes(), ids, ids)
		if err != nil {
			t.Fatalf("%v\n%q", err, buf.String())
		}
		if diff := cmp.Diff(table, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzReadParquet(f *testing.F) {
	ids := []string{"a"}
	table := &Table{Pairs: []Pair{{0, 0, 1, 2}}}
	for _, maps := range [][]edit.NodeMap{nil, {{0, edit.Deleted}}} {
		table.Maps = maps
		var buf bytes.Buffer
		if err := table.Rows(ids, ids).WriteParquet(&buf); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := ReadParquet(bytes.NewReader(data), int64(len(data)), "p", ids, ids)
		if err == nil && table.Maps != nil && len(table.Maps) != len(table.Pairs) {
			t.Fatalf("%d maps of %d pairs", len(table.Maps), len(table.Pairs))
		}
	})
}
