package dataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/greedgraph/greed/dataset"
)

func gzipped(t *testing.T, text string) string {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func zstandard(t *testing.T, text string) string {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

// TestCompressionIsToldByContent: the name says nothing.
func TestCompressionIsToldByContent(t *testing.T) {
	text := water["tve"]
	for how, data := range map[string]string{
		"plain": text, "gzip": gzipped(t, text), "zstd": zstandard(t, text),
		"gzip of two parts": gzipped(t, text[:10]) + gzipped(t, text[10:]),
		"byte order mark":   "\xef\xbb\xbf" + text, "gzip of a mark": gzipped(t, "\xef\xbb\xbf"+text),
	} {
		list, _ := mustRead(t, data, "stream", dataset.Options{})
		if len(list) != 1 || list[0].Graph.N() != 3 {
			t.Errorf("%s: %+v", how, list)
		}
	}
}

// TestCutStreams: what is cut short is not taken for the end.
func TestCutStreams(t *testing.T) {
	long := strings.Repeat(water["tve"], 10_000)
	for how, data := range map[string]string{"gzip": gzipped(t, long), "zstd": zstandard(t, long)} {
		_, _, err := readText(data[:len(data)*2/3], "x", dataset.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "x: "+how) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error %v", how, err)
		}
	}
	if _, _, err := readText("\x1f\x8b\x08", "x", dataset.Options{}); err == nil {
		t.Error("three bytes of gzip are read")
	}
}

// TestStreamErrors: an error of the stream is final and is not a bad record.
func TestStreamErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	for name, text := range water {
		stream := io.MultiReader(strings.NewReader(text[:len(text)-3]), failing{broken})
		r, err := dataset.NewReader(stream, "x", dataset.Options{Format: name, SkipBad: true})
		if err == nil {
			_, err = r.Next()
			if _, again := r.Next(); again != err {
				t.Errorf("%s: error %v, then %v", name, err, again)
			}
		}
		var bad *dataset.BadRecord
		if !errors.Is(err, broken) || errors.As(err, &bad) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestMissingFile(t *testing.T) {
	if _, err := dataset.Open(filepath.Join(t.TempDir(), "none"), dataset.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := dataset.ReadAll(writeFiles(t, map[string]string{"a.txt": water["tve"]}), dataset.Options{Format: "none"}); !errors.Is(err, dataset.ErrUnknownFormat) {
		t.Errorf("error %v", err)
	}
}

func TestLatin1(t *testing.T) {
	text := `<?xml version="1.0" encoding="ISO-8859-1"?><gxl><graph edgemode="undirected"><node id="a"><attr name="symbol"><string>` + "\xe9" + `</string></attr></node></graph></gxl>`
	list, _ := mustRead(t, text, "x.gxl", dataset.Options{})
	if got := drawing(list[0].Graph); got != "é; " {
		t.Errorf("graph %s", got)
	}
	_, _, err := readText(strings.Replace(text, "ISO-8859-1", "KOI8-R", 1), "x.gxl", dataset.Options{})
	if err == nil || !strings.Contains(err.Error(), `the encoding "KOI8-R" is not known: convert the file to UTF-8`) {
		t.Errorf("error %v", err)
	}
}

// TestNodeLink: a graph can be a member of a larger document.
func TestNodeLink(t *testing.T) {
	list, _ := mustRead(t, water["json"], "x", dataset.Options{})
	link, err := dataset.NewNodeLink(list[0])
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Distance float64          `json:"distance"`
		Graph    dataset.NodeLink `json:"graph"`
	}
	text, err := json.Marshal(answer{2, link})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"distance":2,"graph":{"directed":false,"multigraph":false,"graph":{"id":"w"},` +
		`"nodes":[{"id":"a","label":"O"},{"id":"b","label":"H"},{"id":"c","label":"H"}],` +
		`"edges":[{"source":"a","target":"b","label":"single"},{"source":"a","target":"c","label":"single"}]}}`
	if string(text) != want {
		t.Errorf("JSON   %s\nwanted %s", text, want)
	}
	var back answer
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	rec, err := back.Graph.Record(dataset.Options{})
	if err != nil || rec.ID != "w" || !equalGraphs(rec.Graph, list[0].Graph) {
		t.Errorf("%+v, %v", rec, err)
	}
	if err := json.Unmarshal([]byte(`{"graph": {"nodes": []}}`), &back); err != nil {
		t.Fatal(err)
	}
	var bad *dataset.BadRecord
	if _, err := back.Graph.Record(dataset.Options{}); !errors.As(err, &bad) {
		t.Errorf("error %v", err)
	}
	if _, err := (dataset.NodeLink{}).MarshalJSON(); err == nil {
		t.Error("a NodeLink without a graph is marshalled")
	}
	if _, err := (dataset.NodeLink{}).Record(dataset.Options{}); err == nil {
		t.Error("a NodeLink without a graph is decoded")
	}
}

// TestStandardInput reads from a file in its place.
func TestStandardInput(t *testing.T) {
	f, err := os.Open(filepath.Join(writeFiles(t, map[string]string{"x": water["dot"]}), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdin := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = stdin }()
	list, err := dataset.ReadAll("-", dataset.Options{})
	if err != nil || len(list) != 1 || list[0].File != "standard input" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestCutPackedFile: the error names the file and the cause once.
func TestCutPackedFile(t *testing.T) {
	packed := gzipped(t, "CCO\n")
	_, _, err := readText(packed[:len(packed)-9], "a.smi", dataset.Options{})
	if want := "a.smi: gzip: unexpected EOF"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for _, wrong := range []string{packed[:3] + "\xff" + packed[4:], packed[:len(packed)-8] + "sums" + packed[len(packed)-4:], packed + strings.Repeat("\x00", 20)} {
		if _, _, err := readText(wrong, "a.smi", dataset.Options{}); err == nil || strings.Count(err.Error(), "gzip") != 1 {
			t.Errorf("%v", err)
		}
	}
}

// TestUnpackingIsBounded: a small file that unpacks to a huge one ends with an
// error, after at most the bytes that the limit allows.
func TestUnpackingIsBounded(t *testing.T) {
	const lines = 65 << 20 / 64
	line := "# " + strings.Repeat("x", 61) + "\n"
	for how, z := range map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser { e, _ := zstd.NewWriter(w); return e },
	} {
		var packed bytes.Buffer
		w := z(&packed)
		for range lines {
			if _, err := io.WriteString(w, line); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, _, err := readText(packed.String(), "a.smi", dataset.Options{Format: "smiles"})
		if err == nil || !strings.Contains(err.Error(), "a.smi: "+how+": it unpacks to more than 64 MiB and 200 times its size") {
			t.Errorf("%s of %d bytes: %v", how, packed.Len(), err)
		}
	}
}
