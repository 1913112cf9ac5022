package cliffs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/cliffs"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// weights of elements, any numbers: others weigh 100.
var weights = map[string]float64{"C": 1, "N": 2.5, "O": -3, "S": 7, "F": 11, "Cl": 0.5, "Br": 0.25, "I": 13, "H": 0, "P": 17}

// weight is a sum over the atoms, so that an exchange of fragments changes it by the same
// wherever it is made.
func weight(t *testing.T, smiles string) float64 {
	t.Helper()
	if smiles == "" {
		return 0
	}
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range m.Atoms {
		switch symbol := m.Atoms[i].Element.Symbol(); {
		case symbol == "*":
		default:
			w, ok := weights[symbol]
			if !ok {
				w = 100
			}
			sum += w
		}
	}
	return sum
}

// TestEffects: of an attribute that is a sum over atoms, every transformation changes it by
// what its fragments say, without error.
func TestEffects(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	least := 20 // effects of several pairs
	if records = records[:1500]; testing.Short() {
		records, least = records[:400], 5
	}
	for i := range records {
		records[i].Attributes = map[string]any{"weight": weight(t, records[i].SMILES)}
		if i%10 == 0 {
			records[i].Attributes["weight"] = "not measured"
		}
	}
	in := search.NewCollection(vocab, records)
	near := pairs(t, in, 2)
	done := 0
	job := cliffs.Job{Queries: in, Pairs: near, Attribute: "weight", Costs: edit.Uniform(), Progress: func(n int) { done = n }}
	found, err := job.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(found.Pairs) + len(found.Duplicates); n != len(near) || done != n {
		t.Errorf("%d pairs become %d, %d told", len(near), n, done)
	}
	several, pairs := 0, 0
	for _, e := range found.Effects {
		pairs += e.Pairs
		if e.Known == 0 {
			continue
		}
		want := weight(t, e.To) - weight(t, e.From)
		if e.Mean == nil || math.Abs(*e.Mean-want) > 1e-9 || e.Error != nil && *e.Error > 1e-9 || (e.Error != nil) != (e.Known > 1) {
			t.Errorf("%s: %+v, want a mean of %v", &e, e, want)
		}
		if up, down := want > 0, want < 0; e.Up > 0 != up || e.Down > 0 != down || e.Up+e.Down > e.Known {
			t.Errorf("%s: %d up and %d down of %d, by %v", &e, e.Up, e.Down, e.Known, want)
		}
		if e.Known > 1 {
			several++
		}
	}
	single := 0
	last := math.Inf(1)
	for _, p := range found.Pairs {
		if len(p.Transformations) == 1 {
			single++
		}
		known := p.Old != nil && p.New != nil
		if known != (p.Change != nil) || known && (*p.Change < 0 || math.Abs(*p.New-*p.Old-*p.Change) > 1e-9) {
			t.Fatalf("%+v", p)
		}
		if !known {
			last = min(last, -1)
			continue
		}
		if *p.Change > last {
			t.Fatalf("a change of %v behind %v", *p.Change, last)
		}
		last = *p.Change
		sum := 0.0
		for _, x := range p.Transformations {
			sum += weight(t, x.To) - weight(t, x.From)
		}
		if math.Abs(sum-*p.Change) > 1e-9 {
			t.Errorf("%s to %s changes by %v, its transformations by %v: %v", p.QuerySMILES, p.TargetSMILES, *p.Change, sum, p.Transformations)
		}
	}
	if single != pairs || several < least || len(found.Duplicates) == 0 && !testing.Short() {
		t.Errorf("%d pairs in effects, %d pairs of one transformation; %d effects of several pairs, %d duplicates", pairs, single, several, len(found.Duplicates))
	}
}

// TestStatistics compares the mean and its error with sums by hand.
func TestStatistics(t *testing.T) {
	vocab := graph.NewVocabulary()
	var records []dataset.Record
	add := func(smiles string, value any) {
		m, err := chem.ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Graph(vocab, chem.Options{})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, dataset.Record{ID: fmt.Sprint(len(records)), SMILES: smiles, Graph: g, Attributes: map[string]any{"y": value}})
	}
	for i, change := range []float64{1, 2, 6} { // Cl becomes OMe on three scaffolds
		scaffold := []string{"c1ccccc1", "c1ccccc1CCCCC=O", "C1CCCCC1CCN"}[i]
		add("Cl"+scaffold, 10.0*float64(i))
		add("CO"+scaffold, fmt.Sprint(10*float64(i)+change))
	}
	add("CCCCCCCCCCCCCCCC", math.Inf(1))
	add("C", nil)
	add("Clc1ccccc1CC#N", 1e300) // sums of its squares would overflow, so it is not compared
	add("COc1ccccc1CC#N", -1e300)
	in := search.NewCollection(vocab, records)
	near := pairs(t, in, 3)
	found, err := cliffs.Job{Queries: in, Pairs: near, Attribute: "y", Costs: edit.Uniform()}.Run(t.Context())
	if err != nil || len(found.Pairs) != 4 || found.Pairs[3].Change != nil || len(found.Effects) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	e := found.Effects[0]
	// The mean is 3, the squares 4+1+9 = 14, the error √(14/2/3).
	if e.From != "[*:1]Cl" || e.To != "[*:1]OC" || e.Known != 3 || *e.Mean != 3 || math.Abs(*e.Error-math.Sqrt(14.0/6)) > 1e-12 || e.Up != 3 {
		t.Errorf("%+v", e)
	}
	if p := found.Pairs[0]; *p.Change != 6 || p.Query != "4" || p.Target != "5" {
		t.Errorf("the first is %+v", p)
	}
	// Two graphs are compared once, whichever way they are given and however often.
	twice := slices.Concat([]truth.Pair{{Query: near[0].Target, Target: near[0].Query, Lower: near[0].Lower, Upper: near[0].Upper + 1}}, near, near)
	if again, err := (cliffs.Job{Queries: in, Pairs: twice, Attribute: "y", Costs: edit.Uniform()}).Run(t.Context()); err != nil || !reflect.DeepEqual(again, found) {
		t.Errorf("pairs given twice: %+v, %v", again, err)
	}
	// What the costs contradict is refused: a pair that is too near or too far, or may be anywhere.
	for _, change := range []func(*truth.Pair){
		func(p *truth.Pair) { p.Lower, p.Upper = 1, 1 },
		func(p *truth.Pair) { p.Lower, p.Upper = 200, 200 },
		func(p *truth.Pair) { p.Lower, p.Upper = 0, 0 },
		func(p *truth.Pair) { p.Upper = math.Inf(1) },
		func(p *truth.Pair) { p.Query = 999 },
		func(p *truth.Pair) { p.Target = -1 },
	} {
		wrong := slices.Clone(near)
		change(&wrong[1])
		if _, err := (cliffs.Job{Queries: in, Pairs: wrong, Costs: edit.Uniform()}).Run(t.Context()); !errors.Is(err, cliffs.ErrGiven) {
			t.Errorf("%+v is accepted: %v", wrong[1], err)
		}
	}
	rounded := slices.Clone(near)
	rounded[1].Lower, rounded[1].Upper = rounded[1].Lower+1e-9, rounded[1].Upper+1e-9
	if _, err := (cliffs.Job{Queries: in, Pairs: rounded, Costs: edit.Uniform()}).Run(t.Context()); err != nil {
		t.Errorf("a rounded distance is refused: %v", err)
	}
	// Between two collections a pair stays as it is, and effects do not depend on its order.
	back := near
	for i := range back {
		back[i].Query, back[i].Target = back[i].Target, back[i].Query
	}
	other, err := cliffs.Job{Queries: search.NewCollection(vocab, records), Targets: search.NewCollection(vocab, records), Pairs: back, Attribute: "y", Costs: edit.Uniform()}.Run(t.Context())
	if err != nil || len(other.Effects) != 1 {
		t.Fatalf("%+v, %v", other, err)
	}
	if f := other.Effects[0]; f.From != e.From || f.To != e.To || *f.Mean != *e.Mean || *f.Error != *e.Error || f.Up != 3 {
		t.Errorf("turned round: %+v", f)
	}
	if p := other.Pairs[0]; *p.Change != -6 || p.Query != "5" {
		t.Errorf("turned round, the first is %+v", p)
	}
	_, err = cliffs.Job{Queries: search.NewCollection(vocab, records), Attribute: "z", Costs: edit.Uniform()}.Run(t.Context())
	if !errors.Is(err, search.ErrAttribute) || !strings.Contains(err.Error(), `"z"; the attributes are id, y`) {
		t.Errorf("an attribute that there is not: %v", err)
	}
	texts := slices.Clone(records)
	for i := range texts {
		texts[i].Attributes = map[string]any{"y": []any{"high", math.Inf(1), nil}[i%3]}
	}
	worded := search.NewCollection(vocab, texts)
	for _, job := range []cliffs.Job{{Queries: worded}, {Queries: worded, Targets: worded}} {
		job.Attribute, job.Costs = "y", edit.Uniform()
		if _, err := job.Run(t.Context()); !errors.Is(err, search.ErrAttribute) || !strings.Contains(err.Error(), `"y" as a number`) {
			t.Errorf("an attribute that is no number: %v", err)
		}
	}
	for _, job := range []cliffs.Job{{Queries: worded, Targets: in}, {Queries: in, Targets: worded}, {Queries: search.NewCollection(vocab, nil)}} {
		job.Attribute, job.Costs = "y", edit.Uniform()
		if _, err := job.Run(t.Context()); err != nil {
			t.Errorf("an attribute that some graph has as a number: %v", err)
		}
	}
	// Graphs that are not molecules have no transformations.
	for i := range records {
		records[i].SMILES = ""
	}
	bare, err := cliffs.Job{Queries: search.NewCollection(vocab, records), Pairs: near, Costs: edit.Uniform()}.Run(t.Context())
	if err != nil || len(bare.Pairs) != 4 || len(bare.Effects) != 0 || slices.ContainsFunc(bare.Pairs, func(p cliffs.NearPair) bool { return p.Change != nil }) {
		t.Errorf("%+v, %v", bare, err)
	}
}

// unread is a segment whose graphs are not to be read.
type unread struct {
	search.Segment
	t       *testing.T
	records []dataset.Record
}

func (s *unread) Len() int { return len(s.records) }

func (s *unread) About(position int) dataset.Record {
	r := s.records[position]
	r.Graph = nil
	return r
}

func (s *unread) AttributeText(position int) []byte {
	text, err := json.Marshal(s.records[position].Attributes)
	if err != nil {
		s.t.Error(err)
	}
	return text
}

func (s *unread) Record(position int) dataset.Record {
	s.t.Errorf("the graph at %d is read", position)
	return s.records[position]
}

// TestAfterTheEnd: when time is over, no graph is read: 100,000 pairs may be left. What is known of
// them is told, and those of molecules are counted.
func TestAfterTheEnd(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	records = records[:4]
	for i := range records {
		records[i].Attributes = map[string]any{"y": i}
	}
	records[3].SMILES = ""
	in := search.NewSegmented(vocab, &unread{t: t, records: records}, nil)
	pairs := []truth.Pair{{Query: 0, Target: 1, Upper: 2}, {Query: 0, Target: 2}, {Query: 1, Target: 2, Upper: 1}, {Query: 2, Target: 3, Upper: 1}}
	found, err := cliffs.Job{Queries: in, Pairs: pairs, Costs: edit.Uniform(), End: time.Now().Add(-time.Second)}.Run(t.Context())
	if err != nil || found.Unexplained != 2 || len(found.Duplicates) != 1 || len(found.Pairs) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	if p := found.Pairs[2]; p.Query != records[0].ID || p.TargetSMILES != records[1].SMILES || p.Upper != 2 {
		t.Errorf("the farthest is %+v", p)
	}
}

// pairs returns those of a collection within a radius.
func pairs(t *testing.T, in *search.Collection, radius float64) (found []truth.Pair) {
	t.Helper()
	err := join.Search{
		Query: func(i int) int { return i }, Queries: in.Len(), Of: in, In: in, Self: true, Costs: edit.Uniform(), Radius: radius,
	}.Run(t.Context(), func(_ int, of []truth.Pair) error {
		found = append(found, of...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// series returns a collection of molecules with the values of an attribute y.
func series(t *testing.T, lines ...string) *search.Collection {
	t.Helper()
	vocab := graph.NewVocabulary()
	var records []dataset.Record
	for _, line := range lines {
		smiles, value, _ := strings.Cut(line, " ")
		m, err := chem.ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Graph(vocab, chem.Options{})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, dataset.Record{ID: fmt.Sprint(len(records)), SMILES: smiles, Graph: g, Attributes: map[string]any{"y": value}})
	}
	return search.NewCollection(vocab, records)
}

// TestDifferBesides: stereoisomers, salts and isotopes differ by transformations with words, and a pair that also
// differs by one of them does not count for an exchange of fragments.
func TestDifferBesides(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  []string // text, environment, pairs, mean
	}{
		{[]string{"C[C@H](N)C(=O)O 1", "C[C@@H](N)C(=O)O 3"}, []string{"R → S [C] 1 -2"}},
		{[]string{"C[C@@H](N)C(=O)O 1", "CC(N)C(=O)O 3"}, []string{"R → not stated [C] 1 2"}},
		{[]string{"C/C=C/C 1", "C/C=C\\C 3"}, []string{"E → Z [C C] 1 2"}},
		{[]string{"C/C=C/C 1", "CC=CC 3"}, []string{"E → not stated [C C] 1 2"}},
		{[]string{"C[C@H]1CC[C@H](O)CC1 1", "C[C@H]1CC[C@@H](O)CC1 3"}, []string{"inverted [C] 1 2"}},
		{[]string{"CC(=O)O 1", "CC(=O)[O-] 3"}, []string{"OH → O- [O] 1 2"}},
		{[]string{"CC(=O)O 1", "[13CH3]C(=O)O 3"}, []string{"CH3 → 13CH3 [C] 1 2"}},
		// Two centres: two transformations, so that none stands alone.
		{[]string{"C[C@H](N)[C@H](O)Cl 1", "C[C@@H](N)[C@@H](O)Cl 3"}, nil},
		// The same chlorine becomes OMe on both enantiomers: what differs besides is not counted for it. The descriptor
		// changes with the substituent.
		{[]string{"Cl[C@H](C)CC=C 1", "CO[C@H](C)CC=C 3", "CO[C@@H](C)CC=C 7"}, []string{
			"Cl → OMe [C] 1 2", "R → S [C] 1 4"}},
		// Inositols are the same in any spelling.
		{[]string{"Cl[C@H]1C[C@@H](Cl)C1 1", "C1[C@H](Cl)C[C@@H]1Cl 3"}, nil},
		// An amine and its salt, and a fragment exchanged.
		{[]string{"CCCN 1", "CCC[NH3+] 2", "CCCCl 5"}, []string{"Cl → NH2 [C] 1 -4", "NH2 → NH3+ [N] 1 1", "Cl → N in a chain [C] 1 -3"}},
	} {
		in := series(t, c.lines...)
		for way := range 2 {
			near := pairs(t, in, 3)
			if way == 1 {
				for i := range near {
					near[i].Query, near[i].Target = near[i].Target, near[i].Query
				}
			}
			found, err := cliffs.Job{Queries: in, Pairs: near, Attribute: "y", Environment: 1, Costs: edit.Uniform()}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range found.Effects {
				got = append(got, fmt.Sprintf("%s %v %d %v", e.Text, e.Environment, e.Pairs, *e.Mean))
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, way %d: %q, want %q", c.lines, way, got, c.want)
			}
			for _, p := range slices.Concat(found.Pairs, found.Duplicates) {
				if len(p.Transformations) == 0 && c.want != nil {
					t.Errorf("%q: %s and %s differ by nothing", c.lines, p.QuerySMILES, p.TargetSMILES)
				}
			}
		}
	}
}

// TestCensored: values out of range are bounds, of changes and of means.
func TestCensored(t *testing.T) {
	scaffold := []string{"c1ccccc1", "C1CCCCC1CCN", "c1ccccc1CCCCC=O", "N1CCCC1"}
	for _, c := range []struct {
		values [][2]string // of Cl and OMe on each scaffold
		first  string      // the first pair
		want   string      // known, censored, mean, bounds, up, down
	}{
		{[][2]string{{"1", "3"}, {"1", ">5"}}, "1 5> 4>", "1 1 2 [3 -] 2 0"},
		{[][2]string{{"1", "3"}, {"<1", "5"}}, "1< 5 4>", "1 1 2 [3 -] 2 0"},
		{[][2]string{{"1", "3"}, {"<1", " >= 5"}}, "1< 5> 4>", "1 1 2 [3 -] 2 0"},
		{[][2]string{{"1", "3"}, {"5", "≤1"}}, "1< 5 4>", "1 1 2 [- -1] 1 1"},
		{[][2]string{{"1", "3"}, {">1", "5"}}, "1 3 2", "1 1 2 [- 3] 1 0"},
		{[][2]string{{"1", "3"}, {">1", ">5"}}, "1 3 2", "1 1 2 [- -] 1 0"},
		{[][2]string{{"1", "<3"}, {">1", ">5"}}, "1 3< 2<", "0 2 - [- -] 0 0"},
		{[][2]string{{"0", ">0"}, {"1", ">5"}}, "1 5> 4>", "0 2 - [2 -] 2 0"},
	} {
		var lines []string
		for i, v := range c.values {
			lines = append(lines, "Cl"+scaffold[i]+" "+v[0], "CO"+scaffold[i]+" "+v[1])
		}
		in := series(t, lines...)
		found, err := cliffs.Job{Queries: in, Pairs: pairs(t, in, 3), Attribute: "y", Costs: edit.Uniform()}.Run(t.Context())
		if err != nil || len(found.Effects) != 1 {
			t.Fatalf("%v: %+v, %v", c.values, found, err)
		}
		show := func(x *float64) string {
			if x == nil {
				return "-"
			}
			return fmt.Sprint(*x)
		}
		e, p := &found.Effects[0], &found.Pairs[0]
		if got := fmt.Sprintf("%d %d %s [%s %s] %d %d", e.Known, e.Censored, show(e.Mean), show(e.AtLeast), show(e.AtMost), e.Up, e.Down); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
		if got := fmt.Sprintf("%s%s %s%s %s%s", show(p.Old), p.OldRelation, show(p.New), p.NewRelation, show(p.Change), p.ChangeRelation); got != c.first {
			t.Errorf("%v: the first pair is %s, want %s", c.values, got, c.first)
		}
	}
}
