// Package planted makes pairs of versions of a call graph whose edits are known.
package planted

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

// Shape says what a call graph is like, and what changes in its next version.
type Shape struct {
	Nodes  int
	Degree float64 // calls of a function, on average
	Kinds  bool    // labels are one of five kinds, not names
}

// The shares of functions renamed and added, and of calls removed. An added function has one caller and, every other
// one, a callee.
const (
	Renamed = .01
	Added   = .007
	Removed = .017
)

// Pair is two versions of a call graph, the nodes of both in an order of their own, and the edits from one to
// the other at unit costs.
type Pair struct {
	Old, New *graph.Graph
	Edits    int
}

// New returns the pair of a seed. Functions belong to packages of about 40. Half of the calls stay in the package, a
// quarter go to functions in proportion to the calls that these have already, which makes hubs, and the rest anywhere.
func New(seed uint64, shape Shape) Pair {
	r := rand.New(rand.NewPCG(seed, uint64(shape.Nodes)))
	n := shape.Nodes
	type call struct{ from, to int }
	var calls []call
	known := make(map[call]bool)
	const size = 40
	for len(calls) < int(shape.Degree*float64(n)) {
		c := call{r.IntN(n), r.IntN(n)}
		switch x := r.IntN(4); {
		case x < 2:
			c.to = min(n-1, c.from-c.from%size+r.IntN(size))
		case x == 2 && len(calls) > 0:
			c.to = calls[r.IntN(len(calls))].to
		}
		if c.from != c.to && !known[c] {
			known[c] = true
			calls = append(calls, c)
		}
	}
	names := make([]string, n)
	kinds := []string{"func", "method", "init", "closure", "test"}
	for v := range names {
		if names[v] = fmt.Sprintf("pkg%d.Func%d", v/size, v); shape.Kinds {
			names[v] = kinds[r.IntN(len(kinds))]
		}
	}
	vocab := graph.NewVocabulary()
	p := Pair{}
	p.Old = build(r, vocab, names, func(add func(from, to int)) {
		for _, c := range calls {
			add(c.from, c.to)
		}
	})
	fresh := append([]string(nil), names...)
	for range int(Renamed * float64(n)) {
		if v := r.IntN(n); !shape.Kinds && fresh[v] == names[v] {
			fresh[v] = fmt.Sprintf("%sV%d", names[v], r.IntN(1000))
			p.Edits++
		}
	}
	var kept []call
	for _, c := range calls {
		if r.Float64() < Removed {
			p.Edits++
		} else {
			kept = append(kept, c)
		}
	}
	for i := range int(Added * float64(n)) {
		v := len(fresh)
		name := fmt.Sprintf("pkg%d.New%d", r.IntN(n)/size, i)
		if shape.Kinds {
			name = kinds[r.IntN(len(kinds))]
		}
		fresh = append(fresh, name)
		kept = append(kept, call{r.IntN(n), v})
		p.Edits += 2
		if i%2 == 0 {
			kept = append(kept, call{v, r.IntN(n)})
			p.Edits++
		}
	}
	p.New = build(r, vocab, fresh, func(add func(from, to int)) {
		for _, c := range kept {
			add(c.from, c.to)
		}
	})
	return p
}

// build returns the graph of the edges, its nodes in a random order.
func build(r *rand.Rand, vocab *graph.Vocabulary, labels []string, edges func(add func(from, to int))) *graph.Graph {
	b := graph.NewBuilder(vocab, true)
	at := make([]int, len(labels))
	for _, v := range r.Perm(len(labels)) {
		at[v] = b.AddNode(labels[v])
	}
	call := vocab.Edge("0")
	edges(func(from, to int) { b.MustAdd(at[from], at[to], call) })
	return b.MustBuild()
}
