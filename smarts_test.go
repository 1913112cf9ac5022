package greed_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestUndecidedSMARTS: molecules for which a pattern cannot be decided are missing, and named;
// the others are answered.
func TestUndecidedSMARTS(t *testing.T) {
	vocab := graph.NewVocabulary()
	records := []greed.Record{}
	add := func(id, smiles string) {
		g, err := parsed(smiles).Graph(vocab, chem.Options{})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, greed.Record{ID: id, SMILES: smiles, Graph: g})
	}
	add("ethanol", "CCO")
	add("water", "O")
	for i := range 5 {
		add(fmt.Sprint("large", i), "C1"+strings.Repeat("C", 2100+i)+"C1")
	}
	c, err := greed.FromRecords(vocab, records)
	if err != nil {
		t.Fatal(err)
	}
	pattern, err := greed.ParseSMARTS("[CH2;!R]~*")
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Search(t.Context(), nil, greed.Options{SMARTS: pattern, Time: greed.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Answers) != 1 || found.Answers[0].ID != "ethanol" || found.Status != greed.StatusOpen || found.Open.Missing != 5 || len(found.Open.Graphs) != 5 {
		t.Errorf("%s: answers %+v, open %+v", found.Verdict, found.Answers, found.Open)
	}
	if found.Open.Undecidable != 5 || found.Open.Timely() || found.Verdict != "open: not all can be decided; at most 5 more graphs could still be answers" {
		t.Errorf("%q, open %+v", found.Verdict, found.Open)
	}
	// As many as are named: there are no more.
	few, err := greed.FromRecords(vocab, records[:len(records)-2])
	if err != nil {
		t.Fatal(err)
	}
	three, err := few.Search(t.Context(), nil, greed.Options{SMARTS: pattern, Time: greed.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	if w := dataset.Texts(three.Notes); len(w) != 3 || !strings.HasPrefix(w[2], "graph large2: ") {
		t.Errorf("notes %q", w)
	}
	// One match was requested, and there is one: no more are known.
	one, err := c.Search(t.Context(), nil, greed.Options{SMARTS: pattern, K: 1, Time: greed.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Answers) != 1 || one.Tied != (greed.Tied{}) {
		t.Errorf("answers %+v, tied %+v", one.Answers, one.Tied)
	}
	if w := dataset.Texts(found.Notes); len(w) != 4 || !strings.HasPrefix(w[0], "graph large0: the SMARTS cannot be decided") || !strings.HasPrefix(w[3], "2 more graphs: ") {
		t.Errorf("notes %q", w)
	}
}

// TestSMARTSSearch compares searches by patterns with matching every molecule, whatever the
// labels of the graphs are.
func TestSMARTSSearch(t *testing.T) {
	ctx := context.Background()
	molecules := 300
	if testing.Short() {
		molecules = 100
	}
	var list []greed.Record
	for rec := range bundled(t).All() {
		if list = append(list, rec); len(list) == molecules {
			break
		}
	}
	for name, rules := range map[string]dataset.Rules{"plain": {}, "charges": {Charge: true, Hydrogens: true, Stereo: true}, "unlabelled": {NodeLabel: dataset.NoLabel, EdgeLabel: dataset.NoLabel}} {
		vocab := graph.NewVocabulary()
		var own []greed.Record
		for _, rec := range list {
			g, err := parsed(rec.SMILES).Graph(vocab, chem.Options{Charge: rules.Charge, Hydrogens: rules.Hydrogens, Stereo: rules.Stereo})
			if err != nil {
				t.Fatal(err)
			}
			if rules.NodeLabel == dataset.NoLabel {
				zero, edge := vocab.Node(dataset.Unlabelled), vocab.Edge(dataset.Unlabelled)
				g = g.Relabel(vocab, func(graph.Label) graph.Label { return zero }, func(graph.Label) graph.Label { return edge })
			}
			rec.Graph = g
			own = append(own, rec)
		}
		c, err := greed.Open(t.Context(), greed.Source{Records: own, As: &rules, Options: dataset.Options{Vocabulary: vocab}})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"[N;!H0]-C(=[O,S])", "c[OH]", "[Cl,Br,I]", "[R2]", "[+]", "*~*~*@*", "[$(C=O)]O", "[F].[F].[F]", "[#92]"} {
			pattern, err := greed.ParseSMARTS(text)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, rec := range own {
				if _, found, err := chem.NewSMARTSMatcher(pattern).Match(parsed(rec.SMILES)); err != nil {
					t.Fatal(err)
				} else if found {
					want = append(want, rec.ID)
				}
			}
			found, err := c.Search(ctx, nil, greed.Options{SMARTS: pattern, Time: greed.NoLimit, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range found.Answers {
				got = append(got, a.ID)
				if len(a.Map) != pattern.Len() || len(a.Edits) > 0 {
					t.Errorf("%s, %s: map %v, edits %v of %s", name, text, a.Map, a.Edits, a.ID)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) || found.Status != greed.StatusProven {
				t.Errorf("%s, %s: %d answers, want %d", name, text, len(got), len(want))
			}
			if len(want) < 3 {
				continue
			}
			if found, err = c.Search(ctx, nil, greed.Options{SMARTS: pattern, K: 2, Time: greed.NoLimit}); err != nil || len(found.Answers) != 2 || found.Tied.More != len(want)-2 {
				t.Errorf("%s, %s: %d answers of 2, %d more of %d; %v", name, text, len(found.Answers), found.Tied.More, len(want), err)
			}
		}
	}
	pattern, _ := greed.ParseSMARTS("C")
	c := greed.New()
	if found, err := c.Search(ctx, nil, greed.Options{SMARTS: pattern}); err != nil || len(found.Answers) > 0 {
		t.Errorf("of an empty collection: %v, %v", found, err)
	}
	// What time does not allow is not an answer.
	ethanol, err := c.ParseSMILES("CCO")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Put(ctx, greed.Record{ID: "ethanol", SMILES: "CCO", Graph: ethanol}); err != nil {
		t.Fatal(err)
	}
	if found, err := c.Search(ctx, nil, greed.Options{SMARTS: pattern, Time: 1}); err != nil || len(found.Answers) > 0 || found.Open.Missing != 1 || found.Status != greed.StatusOpen {
		t.Errorf("no time: %v, %+v", err, found)
	}
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNode("parse")
	g, _ := b.Build()
	if _, err := c.Put(ctx, greed.Record{ID: "call graph", Graph: g}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Search(ctx, nil, greed.Options{SMARTS: pattern}); err == nil {
		t.Error("graphs that are no molecules are searched by a SMARTS")
	}
}

func parsed(smiles string) *chem.Molecule {
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		panic(err)
	}
	return m
}
