package space

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// screened are the elements behind the labels of aids42k, by their frequencies and valences.
var screened = map[string]string{"1": "C", "2": "O", "4": "N", "5": "S", "6": "P", "7": "Cl", "10": "Br", "21": "I", "22": "F"}

// cutFragments returns the fragments of aids42k with one and with two attachment points: what is left of a molecule
// of these elements when one or two of its single bonds are cut, each between atoms with other neighbours, if it has 4
// to 18 atoms. They are in a random order.
func cutFragments(t testing.TB) (ends, middles []string) {
	const file = "../../shared/data/aids42k/aids42k.txt.gz"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the molecules are not here")
	}
	records, err := dataset.ReadAll(file, dataset.Options{Vocabulary: graph.NewVocabulary()})
	if err != nil {
		t.Fatal(err)
	}
	sets := [3]map[string]bool{{}, {}, {}}
	for _, r := range records {
		g := r.Graph
		if g.N() > 60 || slices.ContainsFunc(g.Labels(), func(l graph.Label) bool { return screened[g.Vocabulary().NodeText(l)] == "" }) {
			continue
		}
		var cuts []graph.Edge
		ringed := g.Ringed()
		for e := range g.Edges() {
			if g.Vocabulary().EdgeText(e.Label) == "1" && !ringed(e.From, e.To) && g.Degree(e.From) > 1 && g.Degree(e.To) > 1 {
				cuts = append(cuts, e)
			}
		}
		for i, first := range cuts {
			addPiece(sets[1], g, first.From, first)
			addPiece(sets[1], g, first.To, first)
			for _, second := range cuts[i+1:] {
				addPiece(sets[2], g, first.From, first, second)
				addPiece(sets[2], g, first.To, first, second)
			}
		}
	}
	rng := rand.New(rand.NewPCG(65, 10))
	list := [3][]string{}
	for i, set := range sets {
		list[i] = slices.Sorted(maps.Keys(set))
		rng.Shuffle(len(list[i]), func(a, b int) { list[i][a], list[i][b] = list[i][b], list[i][a] })
	}
	return list[1], list[2]
}

// addPiece adds the piece of a graph with a node, if all cuts are at it.
func addPiece(to map[string]bool, g *graph.Graph, start int, cuts ...graph.Edge) {
	number := map[int]int{start: 0}
	list := []int{start}
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	isCut := func(u, v int) bool {
		return slices.ContainsFunc(cuts, func(e graph.Edge) bool { return e.From == min(u, v) && e.To == max(u, v) })
	}
	for i := 0; i < len(list); i++ {
		for _, a := range g.Out(list[i]) {
			if _, seen := number[int(a.To)]; !seen && !isCut(list[i], int(a.To)) {
				number[int(a.To)] = len(list)
				list = append(list, int(a.To))
			}
		}
		if len(list) > 18 {
			return
		}
	}
	if len(list) < 4 {
		return
	}
	for _, v := range list {
		b.AddNode(screened[g.LabelText(v)])
	}
	for _, v := range list {
		for _, a := range g.Out(v) {
			if w, inside := number[int(a.To)]; inside && int(a.To) > v {
				b.MustAdd(number[v], w, b.Vocabulary().Edge(g.Vocabulary().EdgeText(a.Label)))
			}
		}
	}
	points := 0
	for _, e := range cuts {
		for _, v := range [2]int{e.From, e.To} {
			if at, inside := number[v]; inside {
				points++
				b.MustAdd(at, b.AddNodeLabel(graph.Wildcard), b.Vocabulary().Edge("1"))
			}
		}
	}
	if points != len(cuts) {
		return
	}
	text, err := chem.WriteSMILES(b.MustBuild())
	if err == nil && !strings.Contains(text, ".") {
		for i := range points {
			star := strings.Replace(text, "[*]", "*", 1)
			text = strings.Replace(star, "*", fmt.Sprintf("[%d#]", i+1), 1)
		}
		to[strings.ReplaceAll(text, "#]", "*]")] = true
	}
}

// madeSpace returns a space of about so many products: half of two components, as far as there are fragments, and the
// rest of three.
func madeSpace(t testing.TB, ends, middles []string, products float64) *Space {
	text := new(strings.Builder)
	text.WriteString("SMILES\tsynton_id\tsynton#\treaction_id\n")
	add := func(reaction string, component int, list []string, points ...string) {
		for i, s := range list {
			for k, p := range points {
				s = strings.Replace(s, fmt.Sprintf("[%d*]", k+1), "["+p+"*]", 1)
			}
			fmt.Fprintf(text, "%s\t%s-%d-%d\t%d\t%s\n", s, reaction, component, i, component, reaction)
		}
	}
	two := min(int(math.Sqrt(products/2)), len(ends))
	three := int(math.Cbrt(products - float64(two)*float64(two)))
	add("two", 1, ends[:two])
	add("two", 2, ends[len(ends)-two:])
	add("three", 1, ends[:three])
	add("three", 2, middles[:three])
	add("three", 3, ends[len(ends)-three:], "2")
	s, err := Read(t.Context(), strings.NewReader(text.String()), "made")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// madeQueries returns ten products of a made space with up to two edits.
func madeQueries(t testing.TB, s *Space) (queries []*graph.Graph) {
	e := &enumerated{Space: s}
	m := NewMaker(s.vocab)
	rng := rand.New(rand.NewPCG(65, 11))
	for i := range 10 {
		r := &s.Reactions[i%2]
		var p []*Synthon
		for _, c := range r.Components {
			p = append(p, &c.Synthons[rng.IntN(len(c.Synthons))])
		}
		queries = append(queries, edited(rng, e.query(t, m.Text(p)), rng.IntN(3)))
	}
	return queries
}

// BenchmarkMade searches made spaces of 10⁸ to 10¹² products with some of their products, edited.
func BenchmarkMade(b *testing.B) {
	ends, middles := cutFragments(b)
	b.Logf("%d fragments with one point, %d with two", len(ends), len(middles))
	for _, products := range []float64{1e8, 1e9, 1e10, 1e11, 1e12} {
		s := madeSpace(b, ends, middles, products)
		queries := madeQueries(b, s)
		for radius := 1; radius <= 3; radius++ {
			b.Run(fmt.Sprintf("products=%.0e/radius=%d", products, radius), func(b *testing.B) {
				answers, made, synthons, n := 0, 0, 0, 0
				begin := processor.Time()
				for i := 0; b.Loop(); i++ {
					limit := float64(radius)
					r, err := s.Search(b.Context(), queries[i%len(queries)], Options{Task: edit.GED, Radius: &limit, Workers: 1})
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
}

// BenchmarkNearest searches for the ten products nearest to six queries each, in the public space of 990,829 products and
// in a made one of 10¹⁰, for a minute at most.
func BenchmarkNearest(b *testing.B) {
	ends, middles := cutFragments(b)
	public := public(b, "synthon_space_1M.tsv.gz")
	var queries []*graph.Graph
	for _, text := range publicQueries(public)[:6] {
		queries = append(queries, (&enumerated{Space: public}).query(b, text))
	}
	made := madeSpace(b, ends, middles, 1e10)
	for _, of := range []struct {
		name    string
		space   *Space
		queries []*graph.Graph
	}{{"990829", public, queries}, {"1e+10", made, madeQueries(b, made)[:6]}} {
		for i, q := range of.queries {
			b.Run(fmt.Sprintf("products=%s/query=%d", of.name, i), func(b *testing.B) {
				n := 0
				begin := processor.Time()
				for b.Loop() {
					n++
					r, err := of.space.Search(b.Context(), q, Options{Task: edit.GED, K: 10, Workers: 1, Time: time.Minute})
					if err != nil {
						b.Fatal(err)
					}
					proven := 0.0
					if r.Complete {
						proven = 1
					}
					b.ReportMetric(proven, "proven")
					b.ReportMetric(float64(len(r.Answers)), "answers")
					if len(r.Answers) > 0 {
						b.ReportMetric(r.Answers[len(r.Answers)-1].Distance, "last")
					}
					b.ReportMetric(float64(r.Stats.Made), "compared")
				}
				b.ReportMetric((processor.Time()-begin).Seconds()*1000/float64(n), "cpu-ms")
			})
		}
	}
}

// BenchmarkContain looks for fragments and patterns in a made space of 10¹⁰ products: the first 1,000 answers and the
// number of all.
func BenchmarkContain(b *testing.B) {
	ends, middles := cutFragments(b)
	s := madeSpace(b, ends, middles, 1e10)
	e := &enumerated{Space: s}
	for _, query := range []string{"c1ccccc1CNC(=O)C", "c1ccc(cc1)S(=O)(=O)N", "O=C(NCc1ccccc1)c1ccccn1", "CC(=O)Oc1ccccc1C(=O)O"} {
		for _, smarts := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/smarts=%v", query, smarts), func(b *testing.B) {
				opt, zero, q := Options{Task: edit.SED, K: 1000, Workers: 1}, 0.0, e.query(b, query)
				if smarts {
					pattern, err := chem.ParseSMARTS(query)
					if err != nil {
						b.Fatal(err)
					}
					if q, err = pattern.Graph(s.vocab.Extend(), true); err != nil {
						b.Fatal(err)
					}
					opt.SMARTS, opt.Radius = pattern, &zero
				}
				n := 0
				begin := processor.Time()
				for b.Loop() {
					n++
					r, err := s.Search(b.Context(), q, opt)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(r.Answers)), "answers")
					b.ReportMetric(float64(r.Contain[0]), "least")
					b.ReportMetric(float64(r.Contain[1]), "most")
				}
				b.ReportMetric((processor.Time()-begin).Seconds()*1000/float64(n), "cpu-ms")
			})
		}
	}
}
