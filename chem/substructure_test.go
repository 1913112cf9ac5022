package chem

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// contains reports whether target has a subgraph, induced or not, that equals the
// query: the subgraph edit distance is 0. Query nodes must be numbered so that
// each but the first has a neighbour before it.
func contains(query, target *graph.Graph) bool {
	image := make([]int, 0, query.N())
	taken := make([]bool, target.N())
	var place func() bool
	place = func() bool {
		v := len(image)
		if v == query.N() {
			return true
		}
		fits := func(w int) bool {
			if taken[w] || query.Label(v) != graph.Wildcard && query.Label(v) != target.Label(w) {
				return false
			}
			for _, a := range query.Out(v) {
				if int(a.To) >= v {
					continue
				}
				if l, ok := target.Edge(image[a.To], w); !ok || a.Label != graph.Wildcard && a.Label != l {
					return false
				}
			}
			return true
		}
		try := func(w int) bool {
			if !fits(w) {
				return false
			}
			image = append(image, w)
			taken[w] = true
			if place() {
				return true
			}
			image = image[:v]
			taken[w] = false
			return false
		}
		for _, a := range query.Out(v) {
			if int(a.To) < v {
				for _, b := range target.Out(image[a.To]) {
					if try(int(b.To)) {
						return true
					}
				}
				return false
			}
		}
		for w := range target.N() {
			if try(w) {
				return true
			}
		}
		return false
	}
	return place()
}

// TestSubstructures compares which molecules of the collection contain a query
// with RDKit's substructure matches, and with package mcs.
func TestSubstructures(t *testing.T) {
	smiles, ids := collection(t)
	_, queries := fixture(t)
	if len(queries) != 20 {
		t.Fatalf("%d queries", len(queries))
	}
	vocab := graph.NewVocabulary()
	c := NewConverter(vocab, Options{})
	var p Parser
	graphs := make([]*graph.Graph, len(smiles))
	for i, s := range smiles {
		m, err := p.Parse(s)
		if err == nil {
			graphs[i], err = c.Graph(m)
		}
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	var matcher mcs.Matcher
	for _, q := range queries {
		m, err := p.Parse(q[0])
		if err != nil {
			t.Errorf("%s: %v", q[0], err)
			continue
		}
		query, err := c.Graph(m)
		if err != nil {
			t.Errorf("%s: %v", q[0], err)
			continue
		}
		var found []string
		for i, g := range graphs {
			in := contains(query, g)
			if in {
				found = append(found, ids[i])
			}
			_, matched, err := matcher.Find(t.Context(), query, g, mcs.Kind{}, 0)
			if err != nil || matched != in {
				t.Errorf("%s in %s: %v, package mcs says %v, %v", q[0], smiles[i], in, matched, err)
			}
		}
		sum := sha256.Sum256([]byte(strings.Join(found, ",")))
		digest := hex.EncodeToString(sum[:])[:16]
		if fmt.Sprint(len(found)) != q[1] || digest != q[2] {
			t.Errorf("%s: in %d molecules (%s), RDKit finds it in %s (%s)", q[0], len(found), digest, q[1], q[2])
		}
	}
}
