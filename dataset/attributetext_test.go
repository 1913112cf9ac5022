package dataset_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestAttributesAsText: what files of text say of the attributes that JSON has.
func TestAttributesAsText(t *testing.T) {
	const record = `{"graph": {"id": "7", "cas": 1234567, "uid": 9007199254740993, "list": ["<a>", 2], "none": null, "yes": true, "long": [` + "%" + `]}, "nodes": [{"id": 0, "label": "C"}], "edges": []}`
	text := strings.Replace(record, "%", strings.Repeat("1,", 3000)+"1", 1)
	r, err := dataset.NewReader(strings.NewReader(text), "g.json", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if uid, err := json.Marshal(rec.Attributes["uid"]); err != nil || string(uid) != "9007199254740993" {
		t.Errorf("%s, %v", uid, err)
	}
	for _, format := range []string{"dot", "graphml", "sdf"} {
		var b bytes.Buffer
		w, err := dataset.NewWriter(&b, format)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"1234567", "9007199254740993", "true", "1,1,1"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s lacks %s:\n%.900s", format, want, b.String())
			}
		}
		if strings.Contains(b.String(), "nil") || strings.Contains(b.String(), "e+") {
			t.Errorf("%s:\n%.900s", format, b.String())
		}
	}
}
