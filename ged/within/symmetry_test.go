package within

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestOrbit: symmetries lead a node only where some automorphism does that leaves what is fixed in its
// place, and nearly everywhere.
func TestOrbit(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	images, found := 0, 0
	for trial := range 300 {
		shape := gedtest.Shape{MinNodes: 4, MaxNodes: 7, Density: 0.35, NodeLabels: 1 + trial%2, EdgeLabels: 1 + trial/2%2}
		g := gedtest.Graph(rng, graph.NewVocabulary(), shape)
		var s side
		s.read(g, true, false)
		s.findTwins()
		s.findExchanges()
		for range 4 {
			var fixed set
			for v := range g.N() {
				if rng.IntN(4) == 0 {
					fixed.add(v)
				}
			}
			for v := range g.N() {
				if fixed.has(v) {
					continue
				}
				want := imagesOf(&s, v, &fixed)
				got := s.orbit(v, &fixed)
				for w := range g.N() {
					if got.has(w) && !want.has(w) {
						t.Fatalf("trial %d: %d is no image of %d of %s where %b is fixed", trial, w, v, gedtest.Text(g), fixed)
					}
				}
				images += want.len() - 1
				found += got.len() - 1
			}
		}
	}
	if found < images*9/10 {
		t.Errorf("%d of %d images are known", found, images)
	}
}

// TestManyExchanges: of many equal parts, whose exchanges are thousands, a few hundred are known.
func TestManyExchanges(t *testing.T) {
	vocab := graph.NewVocabulary()
	for _, edges := range []int{0, MaxNodes / 2} {
		b := graph.NewBuilder(vocab, false)
		for range MaxNodes {
			b.AddNode("C")
		}
		for i := range edges {
			b.MustAdd(2*i, 2*i+1, graph.Label(0))
		}
		var s side
		s.read(b.MustBuild(), true, false)
		s.findTwins()
		s.findExchanges()
		if n := len(s.exchanges); n < 100 || n > 500 {
			t.Errorf("%d exchanges of a graph of %d edges", n, edges)
		}
	}
}

// imagesOf returns where automorphisms lead to from v that leave what is fixed in its place.
func imagesOf(s *side, v int, fixed *set) (images set) {
	var to [MaxNodes]int8
	var used set
	var place func(u int)
	place = func(u int) {
		if u == s.n {
			images.add(int(to[v]))
			return
		}
		for w := range s.n {
			if used.has(w) || fixed.has(u) && u != w || s.label[u] != s.label[w] || len(s.of(u)) != len(s.of(w)) {
				continue
			}
			ok := true
			for _, a := range s.of(u) {
				ok = ok && (int(a.to) >= u || s.joined(w, int(to[a.to]), a.label))
			}
			if !ok {
				continue
			}
			to[u] = int8(w)
			used.add(w)
			place(u + 1)
			used.remove(w)
		}
	}
	place(0)
	return images
}
