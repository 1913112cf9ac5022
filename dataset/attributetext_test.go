package dataset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// TestAttributesBesideMembers: attributes called as what every graph has are written, too.
func TestAttributesBesideMembers(t *testing.T) {
	table := "smiles,id,name,attribute name\nCCO,7,ethanol,other\n"
	list, _ := mustRead(t, table, "x.csv", dataset.Options{})
	for _, format := range []string{"json", "dot", "graphml"} {
		var b bytes.Buffer
		if err := dataset.WriteTo(&b, format, func(w *dataset.Writer) error { return w.Write(list[0]) }); err != nil {
			t.Fatal(err)
		}
		back, _ := mustRead(t, b.String(), "x", dataset.Options{})
		if rec := back[0]; rec.ID != "7" || rec.Name != list[0].Name || rec.SMILES != "CCO" || fmt.Sprint(rec.Attributes) != "map[attribute attribute name:ethanol attribute name:other]" {
			t.Errorf("%s: %+v", format, rec)
		}
	}
}

// TestGraphMLKeys: igraph reads the attributes of nodes and edges only if their keys are for
// one of these.
func TestGraphMLKeys(t *testing.T) {
	list, _ := mustRead(t, "C*", "x.smi", dataset.Options{})
	var b bytes.Buffer
	if err := dataset.WriteTo(&b, "graphml", func(w *dataset.Writer) error { return w.Write(list[0]) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<key id="node-label" for="node" attr.name="label"`, `<key id="edge-label" for="edge" attr.name="label"`,
		`<data key="node-label">C</data>`, `<data key="node-wildcard">true</data>`, `<data key="edge-label">1</data>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %s:\n%s", want, b.String())
		}
	}
}

// TestRepeatedNames: of columns and data items with the same name the last counts, and a note
// says so.
func TestRepeatedNames(t *testing.T) {
	block := "\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"
	for text, note := range map[string]string{
		"smiles,id,x,x,y\nC,1,first,last,z\n":                       `several columns are named "x": of each row the last value counts`,
		block + "> <x>\nfirst\n\n> <x>\nlast\n\n> <y>\nz\n\n$$$$\n": "1 data item was dropped: a later one has its name",
	} {
		list, notes := mustRead(t, text, "x", dataset.Options{})
		if list[0].Attributes["x"] != "last" || !contains(notes, note) {
			t.Errorf("%+v, notes %q", list[0], notes)
		}
	}
}
