package model_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
)

// TestContainmentIsPredicted: by direct coordinates a graph is at distance 0 of all graphs
// that contain it, whose labels the model may not know, and not of others.
func TestContainmentIsPredicted(t *testing.T) {
	for _, directed := range []bool{false, true} {
		m := variants()["sed/counts/direct/directed="+map[bool]string{false: "false", true: "true"}[directed]]
		rng := rand.New(rand.NewPCG(4, 4))
		vocab := newVocabulary()
		vocab.Node("strange")
		apart := 0
		for range 100 {
			big := graphtest.Random(rng, vocab, 4+rng.IntN(20), 0.3, directed)
			b := graph.NewBuilder(vocab, directed)
			for v := range big.N() {
				text := big.LabelText(v)
				if v%7 == 6 {
					text = "strange"
				}
				b.AddNode(text)
			}
			for e := range big.Edges() {
				if err := b.AddEdge(e.From, e.To, vocab.EdgeText(e.Label)); err != nil {
					t.Fatal(err)
				}
			}
			big = graphtest.Must(b.Build())
			part := big.Induced(rng.Perm(big.N())[:1+rng.IntN(big.N())])
			if d := predict(t, m, part, big); d != 0 {
				t.Fatalf("%v nodes in %v: predicted %v", part.N(), big.N(), d)
			}
			if predict(t, m, big, part) > 0 {
				apart++
			}
		}
		if apart < 50 {
			t.Errorf("only %d graphs are not in a part of themselves", apart)
		}
	}
}

// TestNegativeWeights: neither a file nor a scale makes a direct coordinate fall.
func TestNegativeWeights(t *testing.T) {
	m := variants()["sed/counts/direct/directed=false"]
	for _, p := range m.Params().All() {
		if !strings.HasSuffix(p.Name, "direct.weight") {
			continue
		}
		m.Params().Value(p)[5] = -1
		if err := errorsOf(t, m); !errors.Is(err, model.ErrFormat) || !strings.Contains(err.Error(), "direct.weight") {
			t.Errorf("a file with a negative weight: error %v", err)
		}
		m.Params().Clamp(0, len(m.Params().Flat()))
		if m.Params().Value(p)[5] != 0 {
			t.Error("settled, and still negative")
		}
	}
	if err := errorsOf(t, m); err != nil {
		t.Error(err)
	}
}

func errorsOf(t *testing.T, m *model.Model) error {
	t.Helper()
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	_, err := model.Parse(file.Bytes())
	return err
}

// TestCountsAreChecked: tallies that the model's tables cannot serve are refused.
func TestCountsAreChecked(t *testing.T) {
	meta := variants()["sed/shallow/counts/directed=false"].Metadata()
	for name, change := range map[string]func(c *model.Config){
		"label":            func(c *model.Config) { c.Counts = []nn.Tally{{Statistic: nn.StatNode, Label: 9, Caps: []int32{1}}} },
		"direct":           func(c *model.Config) { c.Direct = 8 },
		"more than all":    func(c *model.Config) { c.Direct = 48 },
		"without a count":  func(c *model.Config) { c.Counts, c.Direct = nil, 16 },
		"unknown":          func(c *model.Config) { c.Counts = []nn.Tally{{Statistic: "fame", Caps: []int32{1}}} },
		"thresholds swell": func(c *model.Config) { c.Counts = []nn.Tally{{Statistic: nn.StatNode, Caps: []int32{1, 2}}} },
	} {
		bad := meta
		change(&bad.Config)
		if bad.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := variants()["sed/shallow/counts/directed=false"].Embed(context.Background(), []*graph.Graph{graphtest.Random(rand.New(rand.NewPCG(1, 1)), newVocabulary(), 0, 0.3, false)}, 1); err != nil {
		t.Errorf("the empty graph: %v", err)
	}
}
