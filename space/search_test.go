package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/search"
)

// enumerated is a space with an ordinary collection of all its products.
type enumerated struct {
	*Space
	all   *search.Collection
	texts []string // their keys, as of answers
}

// enumerate makes all products of a space, of which at most limit are kept for each reaction.
func enumerate(t testing.TB, s *Space) *enumerated {
	t.Helper()
	e := &enumerated{Space: s}
	m := NewMaker(s.vocab)
	var records []dataset.Record
	for i := range s.Reactions {
		for p := range products(&s.Reactions[i]) {
			g, err := m.Graph(p)
			if err != nil {
				continue
			}
			records = append(records, dataset.Record{ID: fmt.Sprint(len(records)), Graph: g})
			e.texts = append(e.texts, m.Text(p))
		}
	}
	e.all = search.NewCollection(s.vocab, records)
	return e
}

// check compares the products within a radius, with distances, with those of an ordinary search.
func (e *enumerated) check(t *testing.T, query string, task edit.Task, radius float64) (answers int) {
	t.Helper()
	return e.checkGraph(t, e.query(t, query), task, radius)
}

func (e *enumerated) checkGraph(t *testing.T, q *graph.Graph, task edit.Task, radius float64) (answers int) {
	t.Helper()
	query, _ := chem.WriteSMILES(q)
	got, err := e.Search(t.Context(), q, Options{Task: task, Radius: &radius})
	if err != nil {
		t.Fatal(err)
	}
	if !got.Complete || got.Open != 0 {
		t.Fatalf("%s within %v: not complete, %d open", query, radius, got.Open)
	}
	want, err := e.all.Search(t.Context(), q, search.Options{Task: task, Radius: &radius, Time: search.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	e.checkMaps(t, q, task, got.Answers)
	gets, wants := map[string]float64{}, map[string]float64{}
	m := NewMaker(e.vocab)
	for _, a := range got.Answers {
		for _, o := range a.Origins {
			gets[m.Text(o.Synthons)] = a.Distance
		}
	}
	for _, a := range want.Answers {
		wants[e.texts[a.Position]] = a.Upper
	}
	if !maps.Equal(gets, wants) {
		for text, d := range wants {
			if g, found := gets[text]; !found || g != d {
				t.Errorf("%v %s within %v: %s at %v, got %v %v", task, query, radius, text, d, found, g)
			}
		}
		for text := range gets {
			if _, found := wants[text]; !found {
				t.Errorf("%v %s within %v: %s is no answer", task, query, radius, text)
			}
		}
		t.FailNow()
	}
	return len(want.Answers)
}

func (e *enumerated) query(t testing.TB, smiles string) *graph.Graph {
	t.Helper()
	mol, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	g, err := mol.Graph(e.vocab.Extend(), chem.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// some keeps at most so many synthons of each component, at random.
func some(t testing.TB, s *Space, most int, rng *rand.Rand) *Space {
	t.Helper()
	text := "SMILES\tsynton_id\tsynton#\treaction_id\n"
	for _, r := range s.Reactions {
		for _, c := range r.Components {
			for _, i := range rng.Perm(len(c.Synthons))[:min(most, len(c.Synthons))] {
				x := c.Synthons[i]
				text += fmt.Sprintf("%s\t%s\t%d\t%s\n", x.SMILES, x.ID, c.Number, r.ID)
			}
		}
	}
	return parse(t, text)
}

// TestSearchIsThatOfAllProducts compares with an ordinary search of all products.
func TestSearchIsThatOfAllProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 0))
	for _, c := range []struct {
		name       string
		most, long int // synthons of a component
	}{
		{"amide_space.txt", 99, 99}, {"triazole_space.txt", 99, 99}, {"urea_space.txt", 99, 99},
		{"amino_acid.txt", 99, 99}, {"map_numbers.txt", 99, 99}, {"missing_hit.txt", 99, 99},
		{"idorsia_toy_space_a.txt", 6, 99}, {"synthon_space_1M.tsv.gz", 8, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			most := c.most
			if sweep.Trials(100) == 100 {
				most = c.long
			}
			e := enumerate(t, some(t, public(t, c.name), most, rng))
			answers := 0
			for range 8 {
				product := e.query(t, e.texts[rng.IntN(len(e.texts))])
				q, part := edited(rng, product, rng.IntN(4)), fragmentOf(rng, product)
				for radius := range 5 {
					answers += e.checkGraph(t, q, edit.GED, float64(radius))
				}
				for radius := range 3 {
					answers += e.checkGraph(t, q, edit.SED, float64(radius))
				}
				answers += e.checkGraph(t, part, edit.SED, 0)
			}
			t.Logf("%d products, %d answers", len(e.texts), answers)
		})
	}
}

// publicQueries returns twenty products of a space.
func publicQueries(s *Space) (queries []string) {
	rng := rand.New(rand.NewPCG(1, 1))
	m := NewMaker(s.vocab)
	for range 20 {
		r := &s.Reactions[rng.IntN(len(s.Reactions))]
		var p []*Synthon
		for _, c := range r.Components {
			p = append(p, &c.Synthons[rng.IntN(len(c.Synthons))])
		}
		queries = append(queries, m.Text(p))
	}
	return queries
}

// BenchmarkSearch searches the public space of 990,829 products with some of them.
func BenchmarkSearch(b *testing.B) {
	s := public(b, "synthon_space_1M.tsv.gz")
	e := &enumerated{Space: s}
	queries := publicQueries(s)
	for radius := range 5 {
		b.Run(fmt.Sprintf("radius=%d", radius), func(b *testing.B) {
			answers, made, synthons, n := 0, 0, 0, 0
			begin := processor.Time()
			for i := 0; b.Loop(); i++ {
				limit := float64(radius)
				r, err := s.Search(b.Context(), e.query(b, queries[i%len(queries)]), Options{Radius: &limit, Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				answers, made, synthons, n = answers+len(r.Answers), made+r.Stats.Made, synthons+r.Stats.Synthons, n+1
			}
			b.ReportMetric((processor.Time()-begin).Seconds()*1000/float64(n), "cpu-ms")
			b.ReportMetric(float64(answers)/float64(n), "answers")
			b.ReportMetric(float64(made)/float64(n), "made")
			b.ReportMetric(float64(synthons)/float64(n), "synthons")
		})
	}
}

// TestNearestAreThoseOfAllProducts compares the k nearest with the distances of an ordinary search.
func TestNearestAreThoseOfAllProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 3))
	for range sweep.Trials(60) {
		e := enumerate(t, randomSpace(t, rng))
		if len(e.texts) == 0 {
			continue
		}
		q := edited(rng, e.query(t, e.texts[rng.IntN(len(e.texts))]), rng.IntN(4))
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			k := 1 + rng.IntN(20)
			opt := Options{Task: task, K: k}
			got, err := e.Search(t.Context(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			e.checkOrder(t, got.Answers)
			e.checkMaps(t, q, task, got.Answers)
			// Those of one worker, and where few are kept from level to level.
			for _, opt.Workers = range []int{1, 3} {
				x, err := newSearcher(t.Context(), e.Space, q, opt)
				if err != nil {
					t.Fatal(err)
				}
				if opt.Workers == 3 {
					x.keep = rng.IntN(50)
				}
				again, err := x.search()
				if err != nil {
					t.Fatal(err)
				}
				if opt.Workers == 1 && !reflect.DeepEqual(got.Answers, again.Answers) || got.Radius != again.Radius ||
					!slices.EqualFunc(got.Answers, again.Answers, func(a, b Answer) bool { return a.Distance == b.Distance }) {
					t.Fatalf("%v, %d nearest: %v within %v, with %d workers %v within %v", task, k, got.Answers, got.Radius,
						opt.Workers, again.Answers, again.Radius)
				}
			}
			want, err := e.all.Search(t.Context(), q, search.Options{Task: task, K: len(e.texts), Time: search.NoLimit})
			if err != nil {
				t.Fatal(err)
			}
			// Equal products are one answer here.
			m := NewMaker(e.vocab)
			of := map[string]Answer{}
			for _, a := range got.Answers {
				for _, o := range a.Origins {
					of[m.Text(o.Synthons)] = a
				}
			}
			last := 0.0
			if n := len(got.Answers); n > 0 {
				last = got.Answers[n-1].Distance
			}
			if !got.Complete || len(got.Answers) > k {
				t.Fatalf("complete %v, %d answers", got.Complete, len(got.Answers))
			}
			for _, w := range want.Answers {
				a, found := of[e.texts[w.Position]]
				switch {
				case found && a.Distance != w.Upper:
					t.Fatalf("%s at %v, want %v", a.SMILES, a.Distance, w.Upper)
				case !found && (w.Upper < last || len(got.Answers) < k):
					t.Fatalf("%v: %s at %v is missing among %d of %d nearest, the last at %v", task, e.texts[w.Position], w.Upper, len(got.Answers), k, last)
				case !found && w.Upper == last && !got.Tied:
					t.Fatalf("%s is as near as the last", e.texts[w.Position])
				}
			}
		}
	}
}

// TestTimeEnds: a search that is stopped says so and keeps what it has found.
func TestTimeEnds(t *testing.T) {
	s := public(t, "synthon_space_1M.tsv.gz")
	e := &enumerated{Space: s}
	q := e.query(t, "CCCN(C(C)C(=O)Nc1ccccc1C)C(=O)c1ccccc1")
	for limit := time.Microsecond; limit < time.Second; limit *= 8 {
		begin := processor.Time()
		r, err := s.Search(t.Context(), q, Options{K: 300, Time: limit, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if used := processor.Time() - begin; used > limit+2*time.Second {
			t.Errorf("%v took %v", limit, used)
		}
		if !r.Complete && r.Radius >= 0 {
			near, err := s.Search(t.Context(), q, Options{Radius: &r.Radius})
			if err != nil {
				t.Fatal(err)
			}
			if len(near.Answers) > len(r.Answers) {
				t.Errorf("%d answers within %v after %v, want %d", len(r.Answers), r.Radius, limit, len(near.Answers))
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r, err := s.Search(ctx, q, Options{K: 3})
	if !errors.Is(err, context.Canceled) || r == nil || r.Complete {
		t.Errorf("cancelled: %v, %v", r, err)
	}
}

// checkMaps checks that the maps of answers cost their distances, and that their numbers are those of their origins.
func (e *enumerated) checkMaps(t *testing.T, q *graph.Graph, task edit.Task, answers []Answer) {
	t.Helper()
	p, err := edit.Price(task, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		mol, err := chem.ParseSMILES(a.SMILES)
		if err != nil {
			t.Fatal(err)
		}
		g, err := mol.Graph(q.Vocabulary(), chem.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if cost := edit.InducedCost(p, q, g, a.Map); a.Map.Check(q, g) != nil || cost != a.Distance {
			t.Fatalf("%s: the map costs %v, want %v", a.SMILES, cost, a.Distance)
		}
		if g.N() != a.Nodes || g.M() != a.Edges {
			t.Fatalf("%s: %d nodes, %d edges, want %d and %d", a.SMILES, a.Nodes, a.Edges, g.N(), g.M())
		}
		for _, o := range a.Origins {
			same, found := e.Product(o.Number)
			if !found || same.Reaction != o.Reaction || !slices.Equal(same.Synthons, o.Synthons) {
				t.Fatalf("%s: product %d is another one", a.SMILES, o.Number)
			}
		}
	}
}

// checkOrder checks that answers are in order: the nearer first, then those of which the first origin comes first.
func (e *enumerated) checkOrder(t *testing.T, answers []Answer) {
	t.Helper()
	if !slices.IsSortedFunc(answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Origins[0].Number, b.Origins[0].Number))
	}) {
		t.Fatal("answers are not in order")
	}
}
