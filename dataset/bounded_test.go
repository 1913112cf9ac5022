package dataset_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// endless repeats a text after a start, and counts what was taken.
type endless struct {
	start, repeat string
	at, taken     int
	limit         int // io.EOF after so many bytes; 0: never
}

func (e *endless) Read(p []byte) (int, error) {
	if e.limit > 0 && e.taken >= e.limit {
		return 0, io.EOF
	}
	for i := range p {
		if e.at < len(e.start) {
			p[i] = e.start[e.at]
		} else {
			p[i] = e.repeat[(e.at-len(e.start))%len(e.repeat)]
		}
		e.at++
	}
	e.taken += len(p)
	return len(p), nil
}

// TestEndlessRecords: a record without end is an error after MaxRecord bytes,
// in every format.
func TestEndlessRecords(t *testing.T) {
	const limit = 1 << 18
	for name, e := range map[string]*endless{
		"tve nodes":         {start: "t # 0\n", repeat: "v 0 C\n"},
		"tve label":         {start: "t # 0\nv 0 ", repeat: "C"},
		"ndjson line":       {start: `{"nodes": [{}], "edges": []}` + "\n", repeat: `{"a": `},
		"json":              {start: `{"nodes": [{"id": 0}`, repeat: `, {"id": "0"}`},
		"json string":       {start: `{"`, repeat: `a`},
		"json blanks":       {start: `{"a": 0,`, repeat: " \n"},
		"dot":               {start: "graph {", repeat: "a--b;\n"},
		"dot string":        {start: `graph {"`, repeat: "a\n"},
		"dot comment":       {start: `graph { /*`, repeat: "a\n"},
		"dot depth":         {start: `graph {`, repeat: "{"},
		"graphml":           {start: `<graphml><graph edgedefault="directed">`, repeat: `<node id="a"/>`},
		"graphml attribute": {start: `<graphml><graph edgedefault="`, repeat: `d`},
		"graphml text":      {start: `<graphml><key id="a"><default>`, repeat: `d`},
		"graphml comment":   {start: `<graphml><!--`, repeat: `d`},
		"gxl":               {start: `<gxl><graph>`, repeat: `<node id="a"><attr name="x"><int>7</int></attr></node>`},
		"gml":               {start: `graph [ node [ id 0 ]`, repeat: ` edge [ source 0 target 0 ]`},
		"gml text":          {start: `graph [ label "`, repeat: `a`},
		"gml comment":       {start: `graph [ #`, repeat: `a`},
		"gexf":              {start: `<gexf><graph><nodes>`, repeat: `<node id="a"/>`},
		"pajek":             {start: "*Vertices 2\n*Edges\n", repeat: "1 2\n"},
		"pajek line":        {start: "*Vertices 2\n*Edgeslist\n", repeat: "1 "},
		"mtx":               {start: "%%MatrixMarket matrix coordinate pattern general\n2 2 1000000000\n", repeat: "1 2\n"},
		"onnx":              {start: "\x08\x08\x3a\xff\xff\xff\xff\x7f", repeat: "\x0a\x03\x22\x01A"},
		"mtx line":          {start: "%%MatrixMarket matrix coordinate pattern general\n", repeat: "1 "},
		"edge table":        {start: "source,target\n", repeat: "1,2\n"},
		"cxl":               {start: `<GraphCollection><print file="`, repeat: `a`},
		"edges":             {start: "0 1\n", repeat: "1 2\n"},
		"edges line":        {start: "0 1\n", repeat: "1 "},
		"smiles":            {start: "CCO a\nCC b\n", repeat: "C"},
		"sdf":               {start: "\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n", repeat: "M  \n", limit: 4 * limit}, // it looks for the end first
	} {
		t.Run(name, func(t *testing.T) {
			r, err := dataset.NewReader(e, "stream", dataset.Options{MaxRecord: limit})
			for err == nil {
				_, err = r.Next()
				var bad *dataset.BadRecord
				if errors.As(err, &bad) && !errors.Is(err, dataset.ErrRecordTooLarge) && !strings.Contains(err.Error(), "longer than") {
					err = nil
				}
				if e.taken > 8*limit {
					break
				}
			}
			if !errors.Is(err, dataset.ErrRecordTooLarge) && (err == nil || !strings.Contains(err.Error(), "longer than")) {
				t.Errorf("error %v after %d bytes", err, e.taken)
			}
		})
	}
}

// TestMemoryIsThatOfARecord reads 16 MiB of small records.
func TestMemoryIsThatOfARecord(t *testing.T) {
	const size = 16 << 20
	for name, repeat := range map[string]string{
		"tve":     "t # 1\nv 0 C\nv 1 C\ne 0 1 1\n",
		"ndjson":  `{"nodes": [{"id": 0}], "edges": []}` + "\n",
		"graphml": `<graph edgedefault="directed"><node id="a"/></graph>` + "\n",
		"smiles":  "CCCCCCCCOOO 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			limit := size
			if name != "tve" {
				limit /= 4 // they are slower
			}
			start := map[string]string{"graphml": "<graphml>\n"}[name]
			stream := &endless{start: start, repeat: repeat, limit: limit / len(repeat) * len(repeat)}
			r, err := dataset.NewReader(stream, "stream", dataset.Options{SkipBad: true})
			if err != nil {
				t.Fatal(err)
			}
			before := heap()
			for stream.taken < limit/2 {
				if _, err := r.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if grown := heap() - before; grown > 1<<20 {
				t.Errorf("%d bytes are held after %d", grown, stream.taken)
			}
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestOversizedRecordIsSkipped: the records around it are read.
func TestOversizedRecordIsSkipped(t *testing.T) {
	big := bytes.Repeat([]byte("v 0 C\n"), 100_000)
	text := "t # a\nv 0 C\nt # b\n" + string(big) + "t # c\nv 0 C\n"
	var bad []int
	list, _, err := readText(text, "a.txt", dataset.Options{MaxRecord: 1000, SkipBad: true, Rejects: func(b dataset.BadRecord) { bad = append(bad, b.Line) }})
	if err != nil || len(list) != 2 || list[1].ID != "c" || list[1].Line != 100_004 || len(bad) != 1 || bad[0] != 3 {
		t.Errorf("read %+v, bad at lines %v, %v", list, bad, err)
	}
}
