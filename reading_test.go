package greed_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// TestOpenEverySource: a file, a text, records, an index and the bundled molecules are opened by one function, with the
// rules by which their graphs were read.
func TestOpenEverySource(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	file, index := filepath.Join(dir, "a.json"), filepath.Join(dir, "index")
	const text = `{"nodes":[{"id":0,"kind":"a","colour":"red"}],"edges":[]}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rules := dataset.Rules{NodeLabel: "kind", NodeChosen: true}
	rec, err := dataset.ReadOne(text, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]greed.Source{
		"file": {Path: file}, "text": {Text: text}, "records": {Records: []greed.Record{rec}, As: &rules}, "index": {Path: index},
	} {
		if name == "index" {
			c, err := greed.Open(ctx, greed.Source{Path: file})
			if err == nil {
				err = c.Save(index)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		c, err := greed.Open(ctx, src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, known := c.Rules(); c.Len() != 1 || !known || !got.Equal(rules) {
			t.Errorf("%s: %d graphs by the rules %v, known: %v", name, c.Len(), got, known)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	molecules, err := greed.Open(ctx, greed.Source{Bundled: true})
	if err != nil || molecules.Len() != 4999 || len(molecules.Models()) != 0 {
		t.Errorf("bundled: %d graphs, %v", molecules.Len(), err)
	}
}

// TestNotesAreInResults: what is said of a collection and of a query when they are read is in every result.
func TestNotesAreInResults(t *testing.T) {
	ctx := t.Context()
	c, err := greed.Open(ctx, greed.Source{Text: "C[13CH3] a\nCCO b\n", Options: dataset.Options{Format: "smiles"}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := dataset.ReadOne("C[C@H](N)O", dataset.Options{Format: "smiles"})
	if err != nil {
		t.Fatal(err)
	}
	var opt greed.Options
	opt.For(&q)
	found, err := c.Search(ctx, q.Graph, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 molecule: isotopes dropped", "1 molecule: chirality dropped"} {
		if !strings.Contains(strings.Join(dataset.Texts(found.Notes), "\n"), want) {
			t.Errorf("notes %q lack %q", found.Notes, want)
		}
	}
	joined, err := c.Join(ctx, greed.JoinOptions{Near: greed.Near{Radius: 1}})
	if err != nil || len(joined.Notes) != 1 {
		t.Errorf("notes of pairs: %q, %v", joined.Notes, err)
	}
}

// TestReadSteps: graphs can be taken one by one; what the caller makes of one ends the reading; a bad record says
// whether there are others.
func TestReadSteps(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	src := greed.Source{Text: "CCO a\nC1 b\nCCN c\n", Options: dataset.Options{Format: "smiles"}}
	ids := ""
	_, err := src.Each(ctx, func(rec greed.Record) error { ids += rec.ID; return nil })
	var skippable *greed.SkippableError
	if !errors.As(err, &skippable) || ids != "a" {
		t.Errorf("%q, %v", ids, err)
	}
	src.SkipBad = true
	r, err := greed.Read(ctx, src)
	if err != nil || len(r.Records) != 2 || len(r.Notes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	own := errors.New("enough")
	if _, err := src.Each(ctx, func(greed.Record) error { return own }); err != own {
		t.Errorf("%v", err)
	}
	last := greed.Source{Text: "CCO a\nC1 b\n", Options: dataset.Options{Format: "smiles"}}
	if _, err := greed.Read(ctx, last); err == nil || errors.As(err, &skippable) {
		t.Errorf("nothing follows, but it could be skipped: %v", err)
	}
	stop()
	if _, err := src.Each(ctx, func(greed.Record) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestFollow: what is compared with graphs is read as they were; options that ask for other rules are refused, and
// so are two models that were trained on graphs of different rules.
func TestFollow(t *testing.T) {
	const text = `{"nodes":[{"id":0,"kind":"a","label":"b","x":1.5}],"edges":[]}`
	read := func(src greed.Source) string {
		src.Text = text
		r, err := greed.Read(t.Context(), src)
		if err != nil {
			return err.Error()
		}
		return r.Records[0].Graph.LabelText(0)
	}
	var src greed.Source
	if got := read(src); got != "b" {
		t.Errorf("label %q", got)
	}
	if err := src.Follow("others", &dataset.Rules{NodeLabel: "kind"}); err != nil || read(src) != "a" {
		t.Errorf("label %q, %v", read(src), err)
	}
	asks := greed.Source{Options: dataset.Options{Rules: dataset.Rules{NodeLabel: "label"}}}
	if err := asks.Follow("others", &dataset.Rules{NodeLabel: "kind"}); !errors.Is(err, greed.ErrReadAs) {
		t.Errorf("%v", err)
	}
	var priced greed.Source
	priced.Compare(edit.Uniform()) // compares none
	var costs edit.Costs
	if err := json.Unmarshal([]byte(`{"nodes": {"default": {}, "parts": [{"attributes": ["x"], "weight": 1}]}}`), &costs); err != nil {
		t.Fatal(err)
	}
	priced.Compare(costs)
	priced.Compare(edit.Chem1())
	if got := read(priced); got != "1.5" {
		t.Errorf("label %q, want the number that the costs compare", got)
	}
}
