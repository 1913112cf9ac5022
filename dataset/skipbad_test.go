package dataset_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

func TestSkipBad(t *testing.T) {
	for name, c := range map[string]struct {
		text, ids string
		bad       []string // texts
	}{
		"a.txt": {"t # 0\nv 0 C\nt # 1\nv 1 C\nt # 2\nv 0 C\n", "0 2", []string{"t # 1\nv 1 C\n"}},
		"a.smi": {"CC a\nC(C b\nCO\n", "a 2", []string{"C(C b\n"}},
		"a.ndjson": {`{"nodes": [{"id": 0}], "edges": []}` + "\n" + `{"nodes"` + "\n" + `{"nodes": [{"id": 0}], "edges": []}` + "\n", "0 2",
			[]string{`{"nodes"`}},
		"a.dot":     {"graph a { x } graph b { x - y } graph c { x }", "a c", []string{" graph b { x - y }"}},
		"a.graphml": {`<graphml><graph id="a"/> <graph id="b" edgedefault="directed"><node id="x"/></graph></graphml>`, "b", []string{`<graph id="a"/>`}},
		"a.gxl":     {`<gxl><graph id="a"><node/></graph><graph id="b"><node id="x"/></graph><graph`, "b", []string{`<graph id="a"><node/></graph>`, `<graph`}},
	} {
		var rejected []string
		opt := dataset.Options{SkipBad: true, Rejects: func(b dataset.BadRecord) { rejected = append(rejected, string(b.Text)) }}
		list, notes, err := readText(c.text, name, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var ids []string
		for _, rec := range list {
			ids = append(ids, rec.ID)
		}
		if got := strings.Join(ids, " "); got != c.ids {
			t.Errorf("%s: read %s, want %s", name, got, c.ids)
		}
		if strings.Join(rejected, "|") != strings.Join(c.bad, "|") {
			t.Errorf("%s: rejected %q, want %q", name, rejected, c.bad)
		}
		if !contains(notes, "records are bad and were skipped") {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
}

func TestNothingButBadRecords(t *testing.T) {
	_, _, err := readText("t # 0\n", "a.txt", dataset.Options{SkipBad: true, Strict: true})
	const want = `a.txt: no graphs: all 1 records are bad, the first: a.txt:1: record 0 (id 0): the graph has no nodes: expected at least one`
	if err == nil || err.Error() != want || !errors.Is(err, dataset.ErrEmpty) {
		t.Errorf("error %v\nwanted %s", err, want)
	}
}

// TestNextAfterBadRecord: without SkipBad a caller may go on by itself.
func TestNextAfterBadRecord(t *testing.T) {
	r, err := dataset.NewReader(strings.NewReader("CC a\nC1 b\nCO c\n"), "a.smi", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		var bad *dataset.BadRecord
		if errors.As(err, &bad) {
			got = append(got, "bad "+bad.ID)
			continue
		}
		got = append(got, rec.ID)
	}
	if s := strings.Join(got, ", "); s != "a, bad b, c" {
		t.Errorf("read %s", s)
	}
}
