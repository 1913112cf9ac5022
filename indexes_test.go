package greed_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// saveParts keeps records in so many indexes of one folder, which each number labels in an order of their own, some
// with records that came after their segment.
func saveParts(t *testing.T, folder string, records []greed.Record, parts int, modelled bool) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(folder, 0o777))
	for i := range parts {
		share := records[i*len(records)/parts : (i+1)*len(records)/parts]
		kept := share
		if parts > 1 && i%3 == 1 {
			kept = share[:len(share)*2/3]
		}
		c, err := greed.FromRecords(nil, slices.Clone(kept))
		must(err)
		if modelled {
			must(c.AttachBundled(t.Context()))
		}
		path := filepath.Join(folder, fmt.Sprintf("part-%d.index", i+1))
		must(c.Save(path))
		if len(kept) < len(share) {
			c, err := greed.Open(t.Context(), greed.Source{Path: path})
			must(err)
			_, err = c.Put(t.Context(), share[len(kept):]...)
			must(errors.Join(err, c.Close()))
		}
	}
}

func openIndexes(t *testing.T, path string) *greed.Collection {
	t.Helper()
	c, err := greed.Open(t.Context(), greed.Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestSeveralIndexes: random requests get from several indexes, byte for byte but for times, the name of the state and
// how many graphs each bound excluded and the solver worked on, what they get from one index of all graphs.
func TestSeveralIndexes(t *testing.T) {
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(64, 1))
	rng.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	small := slices.DeleteFunc(records, func(r greed.Record) bool { return r.Graph.N() > 30 }) // others take long
	records = small[:600]
	for i := range records {
		records[i].Attributes = map[string]any{"group": i % 5, "text": fmt.Sprint("t", i%3)}
	}
	requests := sweep.Trials(300)
	for _, modelled := range []bool{true, false} {
		dir := t.TempDir()
		var all []*greed.Collection
		for _, parts := range []int{1, 2, 7, 30} {
			folder := filepath.Join(dir, fmt.Sprint(parts))
			saveParts(t, folder, records, parts, modelled)
			all = append(all, openIndexes(t, folder))
		}
		for i := range requests {
			ask, what := randomRequest(t, rng, records, modelled)
			want := answerOf(t, all[0], ask)
			for _, c := range all[1:] {
				if got := answerOf(t, c, ask); got != want {
					t.Fatalf("request %d: %s: of several indexes\n%s\nof one\n%s", i, what, got, want)
				}
			}
		}
	}
}

// answerOf returns a result as JSON, or the error, without what differs by itself.
func answerOf(t *testing.T, c *greed.Collection, ask func(*greed.Collection) (any, error)) string {
	t.Helper()
	result, err := ask(c)
	if err != nil {
		return err.Error()
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return differing().ReplaceAllString(string(text), "")
}

func differing() *regexp.Regexp {
	return regexp.MustCompile(`"state":"[^"]*",?|"seconds":(\{[^}]*\}|[0-9.e-]+),?|(,"excluded":\[[^\]]*\])?,"solved":[0-9]+`)
}

// randomRequest returns a request and what it is.
func randomRequest(t *testing.T, rng *rand.Rand, records []greed.Record,
	modelled bool) (ask func(*greed.Collection) (any, error), what string) {
	t.Helper()
	q := records[rng.IntN(len(records))]
	opt := greed.Options{Task: greed.GED, Time: greed.NoLimit, Workers: 1, Explain: rng.IntN(3) == 0}
	if rng.IntN(3) == 0 {
		opt.Task = greed.SED
	}
	if rng.IntN(3) > 0 {
		opt.K = 1 + rng.IntN(12)
	}
	if opt.K == 0 || rng.IntN(3) == 0 {
		opt.Radius = new(float64(rng.IntN(4)))
	}
	if modelled {
		opt.Mode = []greed.Mode{greed.Proven, greed.Proven, greed.Checked, greed.Predicted}[rng.IntN(4)]
		opt.NoModel = opt.Mode == greed.Proven && rng.IntN(4) == 0
	}
	if rng.IntN(4) == 0 {
		f, err := greed.ParseFilter([]string{"group<3", "text=t1", "group=9", "nothing=1"}[rng.IntN(4)])
		if err != nil {
			t.Fatal(err)
		}
		opt.Filters = []greed.Filter{f}
	}
	if opt.Mode == greed.Proven && rng.IntN(5) == 0 {
		costs := edit.Uniform()
		costs.NodeSubstitute, costs.EdgeSubstitute = 2, 0.5
		opt.Costs = &costs
	}
	switch rng.IntN(10) {
	case 0:
		return func(c *greed.Collection) (any, error) {
			rec, ok := c.Get(q.ID)
			_, none := c.Get(q.ID + "x")
			return []any{rec.ID, rec.SMILES, rec.Attributes, ok, none, c.Has(q.ID)}, nil
		}, "get"
	case 1:
		return func(c *greed.Collection) (any, error) {
			var ids []string
			for rec, err := range c.After(q.ID) {
				if err != nil {
					return nil, err
				}
				ids = append(ids, rec.ID)
			}
			return ids, nil
		}, "after " + q.ID
	case 2:
		return func(c *greed.Collection) (any, error) {
			return c.Parts(t.Context(), q.Graph, greed.PartsOptions{Time: greed.NoLimit})
		}, "parts of " + q.SMILES
	case 3:
		if modelled {
			return func(c *greed.Collection) (any, error) {
				return c.Nearest(t.Context(), greed.VectorOptions{Like: []string{q.ID}, Embedding: "ged", K: 1 + opt.K})
			}, "vectors near " + q.ID
		}
		return func(c *greed.Collection) (any, error) {
			return c.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Radius: 1, Workers: 1}, Task: opt.Task})
		}, "join"
	}
	return func(c *greed.Collection) (any, error) { return c.Search(t.Context(), q.Graph, opt) },
		fmt.Sprintf("search for %s: %+v", q.SMILES, opt)
}

// nodes returns a graph without edges.
func nodes(n int) *greed.Graph {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for range n {
		b.AddNode("C")
	}
	return b.MustBuild()
}

// TestPathsOfIndexes: several indexes are named by a folder, a pattern, a list in a file or between commas, in the
// order of the numbers in their names.
func TestPathsOfIndexes(t *testing.T) {
	dir := t.TempDir()
	records := []greed.Record{{ID: "0", Graph: nodes(3)}, {ID: "1", Graph: nodes(4)}, {ID: "2", Graph: nodes(5)}}
	saveParts(t, filepath.Join(dir, "all"), records, 3, false)
	if err := os.Rename(filepath.Join(dir, "all", "part-2.index"), filepath.Join(dir, "all", "part-10.index")); err != nil {
		t.Fatal(err)
	}
	part := func(n int) string { return filepath.Join(dir, "all", fmt.Sprintf("part-%d.index", n)) }
	want := []string{part(1), part(3), part(10)}
	list := filepath.Join(dir, "these.indexes")
	if err := os.WriteFile(list, []byte("# parts\nall/part-1.index\n\nall/part-3.index\n"+part(10)+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "all"), filepath.Join(dir, "all", "part-*.index"), list, strings.Join(want, ",")} {
		if got := greed.Indexes(path); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		c := openIndexes(t, path)
		if c.Len() != 3 || c.Record(2).ID != "1" {
			t.Errorf("%s: %d graphs, the last is %q", path, c.Len(), c.Record(2).ID)
		}
		_, err := c.Put(t.Context(), records[0])
		if !errors.Is(err, greed.ErrParts) || !strings.Contains(err.Error(), "part-1.index, part-3.index, part-10.index") {
			t.Errorf("a change: %v", err)
		}
	}
	for _, path := range []string{"C[C@H](N)*", part(4), filepath.Join(dir, "none-*.index"), part(4) + "," + part(5), dir, list + "x"} {
		if got := greed.Indexes(path); got != nil {
			t.Errorf("%s: %q", path, got)
		}
	}
	if got := greed.Indexes(part(1) + "," + part(4)); !slices.Equal(got, []string{part(1), part(4)}) {
		t.Errorf("one that is missing: %q", got)
	}
	_, err := greed.Open(t.Context(), greed.Source{Path: part(1) + "," + part(3) + "," + part(1)})
	if err == nil || !strings.Contains(err.Error(), "the same index") {
		t.Errorf("an index twice: %v", err)
	}
}

// TestPartsAgree: indexes that cannot be one collection are refused, and said why.
func TestPartsAgree(t *testing.T) {
	dir := t.TempDir()
	save := func(name string, rules dataset.Rules, directed bool, model greed.Task) {
		b := graph.NewBuilder(graph.NewVocabulary(), directed)
		b.AddNode("C")
		c, err := greed.Open(t.Context(), greed.Source{Records: []greed.Record{{ID: name, Graph: b.MustBuild()}}, As: &rules})
		if err == nil && model != greed.GED {
			err = c.AttachBundled(t.Context(), model)
		}
		if err == nil {
			err = c.Save(filepath.Join(dir, name+".index"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	charged := dataset.Rules{}
	charged.Compare([]string{"charges"})
	save("plain", dataset.Rules{}, false, greed.GED)
	save("rules", charged, false, greed.GED)
	save("directed", dataset.Rules{}, true, greed.GED)
	save("model", dataset.Rules{}, false, greed.SED)
	refused := func(path string, says ...string) {
		t.Helper()
		_, err := greed.Open(t.Context(), greed.Source{Path: path})
		for _, text := range says {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, want %q", path, err, text)
			}
		}
	}
	pair := func(name string) string {
		return filepath.Join(dir, "plain.index") + "," + filepath.Join(dir, name+".index")
	}
	refused(pair("rules"), "rules.index", "different rules", "charges")
	refused(pair("directed"), "directed.index", "directed and undirected")
	refused(pair("model"), "model.index", "models for sed differ", "none")
}

// TestLackingIndexes: of several indexes, any that are missing or damaged are named. Searches answer what the others
// answer without them, but prove nothing; what needs all graphs is refused.
func TestLackingIndexes(t *testing.T) {
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	small := slices.DeleteFunc(records, func(r greed.Record) bool { return r.Graph.N() > 12 })[:60]
	dir := t.TempDir()
	saveParts(t, dir, small, 5, true)
	part := func(n int) string { return filepath.Join(dir, fmt.Sprintf("part-%d.index", n)) }
	rng := rand.New(rand.NewPCG(64, 2))
	segment, err := filepath.Glob(filepath.Join(part(2), "settled-*"))
	if err != nil || len(segment) == 0 {
		t.Fatal(segment, err)
	}
	for _, err := range []error{os.RemoveAll(part(1)), os.Remove(segment[0]),
		os.Truncate(filepath.Join(part(4), "collection.db"), 5000)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	whole := openIndexes(t, part(3)+","+part(5))
	for range 40 {
		harmed := []int{1, 2, 4}
		rng.Shuffle(3, func(i, j int) { harmed[i], harmed[j] = harmed[j], harmed[i] })
		harmed = harmed[:1+rng.IntN(3)]
		numbers := append([]int{3, 5}, harmed...)
		slices.Sort(numbers)
		var paths []string
		for _, n := range numbers {
			paths = append(paths, part(n))
		}
		c, err := greed.Open(t.Context(), greed.Source{Path: strings.Join(paths, ",")})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(harmed)
		for i, u := range c.Unsearched() {
			if len(c.Unsearched()) != len(harmed) || u.Path != part(harmed[i]) || u.Index != filepath.Base(u.Path) ||
				(u.Reason == "it is missing") != (harmed[i] == 1) {
				t.Fatalf("%v are missing or damaged: %v", harmed, c.Unsearched())
			}
		}
		named := filepath.Base(part(harmed[0]))
		opt := greed.Options{Task: []greed.Task{greed.GED, greed.SED}[rng.IntN(2)], Mode: greed.Proven, K: 1 + rng.IntN(4),
			Time: greed.NoLimit}
		q := small[rng.IntN(len(small))]
		got, err := c.Search(t.Context(), q.Graph, opt)
		if err != nil {
			t.Fatal(err)
		}
		want, err := whole.Search(t.Context(), q.Graph, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !want.Certified || got.Certified || got.Status != greed.StatusOpen || len(got.Open.Unsearched) != len(harmed) ||
			!strings.Contains(got.Verdict, named) || !reflect.DeepEqual(got.Answers, want.Answers) {
			t.Errorf("%s without %v: %s, %+v, want %+v", q.SMILES, harmed, got.Verdict, got.Answers, want.Answers)
		}
		if text, err := json.Marshal([]any{got, c.Info()}); err != nil || strings.Contains(string(text), dir) {
			t.Errorf("an answer says where the indexes are: %s, %v", text, err)
		}
		_, join := c.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Radius: 1}})
		_, other := whole.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Radius: 1, Other: c}})
		_, cliffs := c.Cliffs(t.Context(), greed.CliffOptions{Near: greed.Near{Radius: 1}, Attribute: "mass"})
		_, parts := c.Parts(t.Context(), q.Graph, greed.PartsOptions{})
		_, near := c.Nearest(t.Context(), greed.VectorOptions{Like: []string{small[20].ID}, Embedding: "ged", K: 1})
		for _, err := range []error{join, other, cliffs, parts, near} {
			if !errors.Is(err, greed.ErrLacking) || !strings.Contains(err.Error(), named) {
				t.Errorf("without %v: %v", harmed, err)
			}
		}
		proof := c.CertifyFound(t.Context(), io.Discard, &q, got, nil, 1)
		if !errors.Is(proof, greed.ErrNotProven) || !strings.Contains(proof.Error(), named) {
			t.Errorf("a certificate: %v", proof)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = greed.Open(t.Context(), greed.Source{Path: part(2) + "," + part(4)})
	if err == nil || !strings.Contains(err.Error(), part(2)) || !strings.Contains(err.Error(), part(4)) {
		t.Errorf("indexes none of which can be read: %v", err)
	}
}
