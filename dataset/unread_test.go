package dataset_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestUnread: records, and the rules of their reader, say which attributes are not read because
// none could be a label.
func TestUnread(t *testing.T) {
	const plain, label, drawn = `{"nodes":[{"id":0}],"edges":[]}`, `{"nodes":[{"id":0,"label":"C","w":1.5}],"edges":[]}`, `graph { a [pos="1,2"]; }`
	const numbers = `{"nodes":[{"id":0,"w":1.5},{"id":1}],"edges":[{"source":0,"target":1,"f":0.5}]}`
	const queryAtom = "\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" +
		"    0.0000    0.0000    0.0000 C   0  0\n    1.0000    0.0000    0.0000 Q   0  0\n  1  2  1  0\nM  END\n"
	for _, c := range []struct {
		text string
		opt  dataset.Options
		want dataset.Unread
	}{
		{plain, dataset.Options{}, dataset.Unread{}},
		{label, dataset.Options{}, dataset.Unread{}},
		{drawn, dataset.Options{}, dataset.Unread{}},
		{numbers, dataset.Options{}, dataset.Unread{Nodes: true, Edges: true}},
		{queryAtom, dataset.Options{}, dataset.Unread{Conditions: true, Asks: true}},
		{strings.Replace(queryAtom, " Q ", " N ", 1), dataset.Options{}, dataset.Unread{}},
		{"CCO |$;;R1$|", dataset.Options{Format: "smiles"}, dataset.Unread{Extensions: true}},
		{"CC* name", dataset.Options{Format: "smiles"}, dataset.Unread{}}, // as it says
		{numbers, dataset.Options{Rules: dataset.Rules{EdgeLabel: dataset.NoLabel}}, dataset.Unread{Nodes: true}},
		{numbers, dataset.Options{Rules: dataset.Rules{Bin: map[string]float64{"w": 1, "f": 1}}}, dataset.Unread{}},
	} {
		rec, err := dataset.ReadOne(c.text, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Unread != c.want || c.want.Nodes != strings.Contains(strings.Join(dataset.Texts(rec.Notes), "\n"), "nodes are read without labels") {
			t.Errorf("%s: unread %v, want %v; notes %q", c.text, rec.Unread, c.want, rec.Notes)
		}
		if !strings.HasPrefix(c.text, "{") {
			continue
		}
		var link dataset.NodeLink
		if err := json.Unmarshal([]byte(c.text), &link); err != nil {
			t.Fatal(err)
		}
		again, err := link.Record(c.opt)
		if err != nil || again.Unread != c.want || len(again.Notes) != len(rec.Notes) {
			t.Errorf("%s as node-link: unread %v, want %v; notes %q: %v", c.text, again.Unread, c.want, again.Notes, err)
		}
	}
	r, err := dataset.NewReader(strings.NewReader(numbers+"\n"+plain), "text", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
	}
	rules := r.Rules()
	if rules.Unread != (dataset.Unread{Nodes: true, Edges: true}) || !rules.Equal(dataset.Rules{}) {
		t.Errorf("rules %+v", rules)
	}
}
