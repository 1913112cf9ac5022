package search_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/search"
)

// filterAndVerify is the plain search that package search has to agree with: the
// distances of the graphs that may be answers, least first, by a bound of each
// graph and the solver.
func filterAndVerify(t *testing.T, p *edit.Pricing, c *search.Collection, q *graph.Graph, opt search.Options) []float64 {
	t.Helper()
	s, err := ged.NewSolver(p.Task(), p.Costs())
	if err != nil {
		t.Fatal(err)
	}
	f, sign := bound.NewFilter(p), bound.Sign(q)
	var near []float64
	for position := range c.Live() {
		g := c.Record(position).Graph
		if position < opt.First || opt.Accept != nil && !opt.Accept(position) || opt.Radius != nil && f.Lower(sign, bound.Sign(g)) > *opt.Radius {
			continue
		}
		limit := ged.Options{}
		if opt.Radius != nil {
			limit.Upper = *opt.Radius + 1e-3
		}
		r, err := s.Distance(t.Context(), q, g, limit)
		if err != nil {
			t.Fatal(err)
		}
		if opt.Radius == nil || r.Upper <= *opt.Radius+1e-9 {
			near = append(near, r.Upper)
		}
	}
	slices.Sort(near)
	if opt.K > 0 {
		near = near[:min(opt.K, len(near))]
	}
	return near
}

// agree compares a proven search with the plain one.
func agree(t *testing.T, c *search.Collection, q *graph.Graph, opt search.Options, what string) {
	t.Helper()
	r, err := c.Search(t.Context(), q, opt)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !r.Proven() {
		t.Fatalf("%s: not proven: %+v", what, r.Stats)
	}
	want := filterAndVerify(t, r.Pricing, c, q, opt)
	if len(r.Answers) != len(want) {
		t.Fatalf("%s: %d answers, want %v", what, len(r.Answers), want)
	}
	seen := make(map[int]bool)
	for i, a := range r.Answers {
		if !a.Exact || a.Upper < want[i]-1e-6 || a.Upper > want[i]+1e-6 || seen[a.Position] || a.Position < opt.First || c.Deleted(a.Position) || opt.Accept != nil && !opt.Accept(a.Position) {
			t.Fatalf("%s: answer %d is %+v, want distance %v", what, i, a, want[i])
		}
		if r.Model && a.Predicted == nil {
			t.Fatalf("%s: answer %d has no prediction", what, i)
		}
		seen[a.Position] = true
		if cost := edit.InducedCost(r.Pricing, q, c.Record(a.Position).Graph, a.Map); cost < a.Upper-1e-9 || cost > a.Upper+1e-9 {
			t.Fatalf("%s: node map costs %v, upper bound %v", what, cost, a.Upper)
		}
	}
	total := r.Stats.Solved
	for _, e := range r.Stats.Excluded {
		total += e.Graphs
	}
	if r.Stats.Calls < r.Stats.Solved {
		t.Fatalf("%s: more graphs were solved than the solver was called: %+v", what, r.Stats)
	}
	graphs := 0
	for p := range c.Live() {
		if p >= opt.First && (opt.Accept == nil || opt.Accept(p)) {
			graphs++
		}
	}
	if graphs != r.Stats.Graphs {
		t.Fatalf("%s: a scope of %d graphs, want %d", what, r.Stats.Graphs, graphs)
	}
	if total > r.Stats.Graphs {
		t.Fatalf("%s: more graphs were looked at than there are: %+v", what, r.Stats)
	}
}

// TestGenerationAgrees: collections of all shapes and histories, costs of all kinds, both
// tasks, nearest and within a radius, with a model and without.
func TestGenerationAgrees(t *testing.T) {
	costs := []edit.Costs{
		edit.Uniform(), edit.Uniform().IgnoreEdgeLabels(), edit.Chem1(),
		{NodeInsert: 0.5, NodeDelete: 1.5, NodeSubstitute: 0.25, EdgeInsert: 1, EdgeDelete: 0.75, EdgeSubstitute: 1.5},
		{NodeInsert: 1, NodeDelete: 1, NodeSubstitute: 5, EdgeInsert: 0.1, EdgeDelete: 0.1, EdgeSubstitute: 0},
		edit.Chem2(), edit.Rings(),
	}
	shapes := []gedtest.Shape{
		{MaxNodes: 6, Density: 0.3, NodeLabels: 3, EdgeLabels: 2},
		{MaxNodes: 6, Density: 0.4, NodeLabels: 1, EdgeLabels: 1},
		{MaxNodes: 5, Density: 0.3, NodeLabels: 2, EdgeLabels: 2, Directed: true},
		{MaxNodes: 5, Density: 0.4, NodeLabels: 2, EdgeLabels: 2, Wildcards: 0.2},
	}
	for number, shape := range shapes {
		rng := rand.New(rand.NewPCG(21, uint64(number)))
		vocab := graph.NewVocabulary()
		var list []dataset.Record
		for i := range 160 {
			g := gedtest.Graph(rng, vocab, shape)
			switch {
			case i%9 == 5: // copies
				g = list[rng.IntN(i)].Graph
			case i%9 == 7:
				g = gedtest.Shuffle(rng, list[rng.IntN(i)].Graph)
			}
			list = append(list, dataset.Record{ID: fmt.Sprint("g", i), Graph: g})
		}
		c := search.NewCollection(vocab, list[:90])
		c, err := c.With(search.Step{Put: list[90:130], Drop: []int{3, 4, 17}})
		if err != nil {
			t.Fatal(err)
		}
		if c, err = c.With(search.Step{Put: list[130:], Drop: []int{0, 100, 101}}); err != nil {
			t.Fatal(err)
		}
		for trial := range 40 {
			q := gedtest.Graph(rng, vocab, shape)
			task := edit.Task(trial % 2)
			opt := search.Options{Task: task, Costs: &costs[trial%len(costs)], Workers: 1 + trial%3, Time: search.NoLimit}
			if trial%3 > 0 {
				opt.K = 1 + rng.IntN(12)
			}
			if trial%3 < 2 {
				opt.Radius = new(0.25 * float64(rng.IntN(16)))
			}
			if trial%4 == 3 {
				opt.Accept = func(p int) bool { return p%3 > 0 }
			}
			if trial%5 == 2 {
				opt.First = 40
			}
			agree(t, c, q, opt, fmt.Sprintf("shape %d, trial %d", number, trial))
		}
		if shape.Directed {
			continue
		}
		for task := range edit.Task(2) {
			if err := c.Attach(t.Context(), untrained(task, vocab), nil, nil); err != nil {
				t.Fatal(err)
			}
			for k := range 6 {
				q := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 3, MaxNodes: 6, Density: 0.3, NodeLabels: shape.NodeLabels, EdgeLabels: shape.EdgeLabels})
				opt := search.Options{Task: task, K: 2 * k, Time: search.NoLimit}
				if k%2 == 0 {
					opt.Radius = new(float64(k))
				}
				agree(t, c, q, opt, fmt.Sprintf("shape %d with a model, %v, k = %d", number, task, opt.K))
			}
		}
	}
}

// inOrder returns the positions of answers that are sorted by distance as ties are to be:
// those that contain the query by size, then by labels in common, then by position.
func inOrder(c *search.Collection, q *graph.Graph, task edit.Task, answers []search.Answer) []int {
	count := func(g *graph.Graph) map[string]int {
		labels := make(map[string]int)
		for v := range g.N() {
			labels["node "+g.LabelText(v)]++
		}
		for e := range g.Edges() {
			labels["edge "+g.Vocabulary().EdgeText(e.Label)]++
		}
		return labels
	}
	of := count(q)
	type placed struct {
		distance, share float64
		size, position  int
	}
	var list []placed
	for _, a := range answers {
		g, both, either := c.Record(a.Position).Graph, 0, 0
		labels := count(g)
		for l, n := range labels {
			both += min(n, of[l])
			either += max(n, of[l])
		}
		for l, n := range of {
			if labels[l] == 0 {
				either += n
			}
		}
		p := placed{distance: a.Upper, share: float64(both) / float64(either), position: a.Position}
		if task == edit.SED {
			p.size = g.N() + g.M()
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.size, b.size), cmp.Compare(b.share, a.share), cmp.Compare(a.position, b.position))
	})
	var positions []int
	for _, p := range list {
		positions = append(positions, p.position)
	}
	return positions
}

// TestWorkersAgree: the nearest graphs are the first of all that are as near, in the order
// of ties, whatever the number of workers, although far more are as near as the last of
// them; and these are counted.
func TestWorkersAgree(t *testing.T) {
	vocab := graph.NewVocabulary()
	molecules, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(17, 3))
	var small []dataset.Record
	for i := range 700 {
		small = append(small, dataset.Record{ID: fmt.Sprint(i), Graph: gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 4, MaxNodes: 7, Density: 0.3, NodeLabels: 2, EdgeLabels: 1})})
	}
	ties := 0
	for name, list := range map[string][]dataset.Record{"molecules": molecules[:2500], "small graphs": small} {
		c := search.NewCollection(vocab, list)
		for trial := range 12 {
			q := list[rng.IntN(len(list))].Graph
			opt := search.Options{Task: edit.Task(trial % 2), K: 1 + rng.IntN(15), Time: search.NoLimit}
			if opt.Task == edit.SED {
				q = q.Induced(rng.Perm(q.N())[:min(q.N(), 6)])
			}
			var want []int
			more := 0
			for _, workers := range []int{1, 2, 7, 7, 7} {
				opt.Workers = workers
				r, err := c.Search(t.Context(), q, opt)
				if err != nil || !r.Proven() {
					t.Fatal(err, r)
				}
				var got []int
				for _, a := range r.Answers {
					got = append(got, a.Position)
				}
				if want == nil {
					last := r.Answers[len(r.Answers)-1].Upper
					all, err := c.Search(t.Context(), q, search.Options{Task: opt.Task, Radius: &last, Time: search.NoLimit})
					if err != nil || !all.Proven() {
						t.Fatal(err, all)
					}
					want = inOrder(c, q, opt.Task, all.Answers)
					more = len(want) - opt.K
					if want = want[:opt.K]; more > 0 {
						ties++
					}
				}
				if d := r.Tied; d.Distance != r.Answers[opt.K-1].Upper || d.More > more || d.More < more && !d.Open {
					t.Errorf("%s, trial %d: %+v, want %d", name, trial, d, more)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, trial %d: %d workers find %v, want %v", name, trial, workers, got, want)
				}
			}
		}
	}
	if ties < 12 {
		t.Errorf("only %d searches left out graphs as near as the last answer", ties)
	}
}

// TestCopiesAreDecidedOnce: graphs that are equal cost one call of the solver, and all
// are answers.
func TestCopiesAreDecidedOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 5, MaxNodes: 6, Density: 0.4, NodeLabels: 2, EdgeLabels: 2}
	var list []dataset.Record
	for i := range 60 {
		g := gedtest.Graph(rng, vocab, shape)
		if i > 5 {
			g = list[i%6].Graph
		}
		list = append(list, dataset.Record{ID: fmt.Sprint(i), Graph: g})
	}
	c := search.NewCollection(vocab, list)
	radius := 20.0
	q := gedtest.Graph(rng, vocab, shape)
	r, err := c.Search(t.Context(), q, search.Options{Radius: &radius, Workers: 1, Time: search.NoLimit})
	if err != nil || !r.Proven() || len(r.Answers) != 60 {
		t.Fatal(err, r)
	}
	if r.Stats.Calls != 6 || r.Stats.Solved != 6 {
		t.Errorf("%d calls of the solver, %d graphs solved, of 60 graphs of which 6 differ", r.Stats.Calls, r.Stats.Solved)
	}
	for _, a := range r.Answers {
		if cost := edit.InducedCost(r.Pricing, q, list[a.Position].Graph, a.Map); cost != a.Upper {
			t.Errorf("the map of %d costs %v, not %v", a.Position, cost, a.Upper)
		}
	}
}

// TestGenerationAgreesOnMolecules does so with a part of the AIDS screen.
func TestGenerationAgreesOnMolecules(t *testing.T) {
	const path = "../../shared/data/aids42k/aids42k.txt.gz"
	if _, err := os.Stat(path); err != nil {
		t.Skip("there is no shared data: ", err)
	}
	if testing.Short() {
		t.Skip("it searches among 4,743 molecules")
	}
	vocab := graph.NewVocabulary()
	r, err := dataset.Open(path, dataset.Options{Vocabulary: vocab})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var list []dataset.Record
	for len(list) < 4743 { // more than the block of graphs that are not in a tree
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rec)
	}
	c := search.NewCollection(vocab, list)
	rng := rand.New(rand.NewPCG(31, 1))
	plain := edit.Uniform().IgnoreEdgeLabels()
	for range sweep.Trials(4) {
		q := list[rng.IntN(len(list))].Graph
		for _, radius := range []float64{1, 3, 6} {
			for _, costs := range []*edit.Costs{nil, &plain} {
				agree(t, c, q, search.Options{Radius: &radius, Costs: costs, Time: search.NoLimit}, fmt.Sprint("radius ", radius))
			}
		}
		radius := 7.0
		agree(t, c, q, search.Options{K: 4, Radius: &radius, Time: search.NoLimit}, "4 nearest")
		part := q.Induced(rng.Perm(q.N())[:min(q.N(), 10)])
		radius = 1
		agree(t, c, part, search.Options{Task: edit.SED, Radius: &radius, Time: search.NoLimit}, "subgraphs")
	}
}
