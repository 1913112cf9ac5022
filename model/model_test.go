package model_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
)

const nodeLabels, edgeLabels = 3, 2

func newVocabulary() *graph.Vocabulary {
	vocab := graph.NewVocabulary()
	for i := range nodeLabels {
		vocab.Node(fmt.Sprint("n", i))
	}
	for i := range edgeLabels {
		vocab.Edge(fmt.Sprint("e", i))
	}
	return vocab
}

// tallies are some of each kind.
func tallies(directed bool) []nn.Tally {
	list := []nn.Tally{{Statistic: nn.StatEdge, Caps: []int32{20}}, {Statistic: nn.StatTowards, Label: 1, Other: 2, Caps: []int32{5, 3, 1}}}
	for _, s := range nn.Statistics()[:8] {
		list = append(list, nn.Tally{Statistic: s, Caps: []int32{9, 8, 4}}, nn.Tally{Statistic: s, Label: 2, Caps: []int32{6, 2}})
	}
	if directed {
		list = append(list, nn.Tally{Statistic: nn.StatEdge, Label: 3, Other: 1, Edge: 1, Caps: []int32{4}})
	}
	return append(list, nn.Tally{Statistic: nn.StatEdge, Label: 1, Other: 1, Caps: []int32{4}})
}

// variants are small models of every kind, with random numbers.
func variants() map[string]*model.Model {
	all := make(map[string]*model.Model)
	add := func(name string, task edit.Task, directed bool, c model.Config) {
		c.Layers, c.Hidden = 3, 32
		if strings.Contains(name, "shallow") {
			c.Layers = 0
		}
		c.Norm = norm.Norm{Widths: []int{8, 8, 16}, Kind: norm.L1, Combine: norm.Max, Hinge: task == edit.SED}
		meta := model.Metadata{
			Task: task, Costs: edit.Uniform(), Vocabulary: newVocabulary(), Config: c, Training: model.Training{Directed: directed},
		}
		m := model.New(meta, rand.New(rand.NewPCG(1, 2)))
		for _, p := range m.Params().All() {
			if strings.HasSuffix(p.Name, "eps") { // which starts at 0
				m.Params().Value(p)[0] = 0.3
			}
		}
		all[fmt.Sprintf("%v/%s/directed=%v", task, name, directed)] = m
	}
	for _, directed := range []bool{false, true} {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			add("gin", task, directed, model.Config{Conv: model.GIN, Skip: !directed})
			add("gine", task, directed, model.Config{Conv: model.GINE, Skip: !directed})
		}
		add("apart", edit.GED, directed, model.Config{Conv: model.GINE, Apart: directed})
		add("features", edit.GED, directed, model.Config{Conv: model.GIN, Skip: true, Features: true})
		add("gine/features", edit.SED, directed, model.Config{Conv: model.GINE, Features: true, Apart: directed})
		counts := tallies(directed)
		add("shallow/counts", edit.SED, directed, model.Config{Conv: model.GIN, Skip: true, Counts: counts})
		add("gine/counts", edit.SED, directed, model.Config{Conv: model.GINE, Skip: true, Counts: tallies(true)[:len(counts)-1], Direct: 16})
		add("counts/direct", edit.SED, directed, model.Config{Conv: model.GIN, Counts: counts, Direct: 32})
		add("gin/counts", edit.SED, directed, model.Config{Conv: model.GIN, Counts: counts, Direct: 16, Apart: directed})
		add("gin/apart", edit.SED, directed, model.Config{Conv: model.GIN, Apart: directed})
	}
	return all
}

func eachVariant(t *testing.T, f func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph)) {
	for name, m := range variants() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 5))
			vocab := newVocabulary()
			f(t, m, rng, func() *graph.Graph {
				return graphtest.Random(rng, vocab, 1+rng.IntN(14), 0.3, m.Metadata().Training.Directed)
			})
		})
	}
}

func predict(t *testing.T, m *model.Model, q, x *graph.Graph) float64 {
	t.Helper()
	d, err := m.Predict(q, x)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func embed(t *testing.T, m *model.Model, graphs ...*graph.Graph) []float32 {
	t.Helper()
	z, err := m.Embed(context.Background(), graphs, 1)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestAxioms: the predicted distance is what the paper proves of it, whatever
// the network has learnt. Sums of float32 coordinates leave room for rounding
// in the triangle inequality alone.
func TestAxioms(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		for range 60 {
			a, b, c := draw(), draw(), draw()
			ab, bc, ac := predict(t, m, a, b), predict(t, m, b, c), predict(t, m, a, c)
			if ab < 0 {
				t.Fatalf("distance %v", ab)
			}
			if ac > (ab+bc)*(1+1e-5)+1e-5 {
				t.Fatalf("triangle: %v > %v + %v", ac, ab, bc)
			}
			if d := predict(t, m, a, a); d != 0 {
				t.Fatalf("distance %v to itself", d)
			}
			if m.Metadata().Task == edit.GED && ab != predict(t, m, b, a) {
				t.Fatalf("not symmetric: %v, %v", ab, predict(t, m, b, a))
			}
		}
	})
}

// TestRenumbering: a renumbered graph has the same vector, bit for bit, at
// every level of instructions.
func TestRenumbering(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		for _, level := range kernel.Levels() {
			m := m.WithLevel(level)
			for range 40 {
				g := draw()
				h := g.Permute(rng.Perm(g.N()))
				if !slices.Equal(embed(t, m, g), embed(t, m, h)) {
					t.Fatalf("%v: a renumbered copy has another vector", level)
				}
			}
		}
	})
}

// TestBatchMates: a vector depends on its graph alone.
func TestBatchMates(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		var graphs []*graph.Graph
		for range 100 {
			graphs = append(graphs, draw())
		}
		ctx := context.Background()
		all, err := m.Embed(ctx, graphs, 3)
		if err != nil {
			t.Fatal(err)
		}
		dim := m.Norm().Dim()
		for i, j := range rng.Perm(len(graphs))[:20] {
			z, err := m.Embed(ctx, graphs[j:j+1+rng.IntN(len(graphs)-j)], 1+i%2)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(z[:dim], all[j*dim:][:dim]) {
				t.Fatalf("graph %d has another vector in another batch", j)
			}
		}
	})
}

// TestLevels: the levels agree up to rounding.
func TestLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("compares kernels, in one goroutine")
	}
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		for range sweep.Trials(48) {
			q, x := draw(), draw()
			want := predict(t, m.WithLevel(kernel.Generic), q, x)
			for _, level := range kernel.Levels() {
				if level == kernel.Generic {
					continue
				}
				if got := predict(t, m.WithLevel(level), q, x); got < want-1e-3*(1+want) || got > want+1e-3*(1+want) {
					t.Errorf("%v: %v, plain Go says %v", level, got, want)
				}
			}
		}
	})
}

func TestFileRoundTrip(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		path := filepath.Join(t.TempDir(), "m.safetensors")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if again.Fingerprint() != m.Fingerprint() {
			t.Error("another fingerprint after loading")
		}
		q, x := draw(), draw()
		if a, b := predict(t, m, q, x), predict(t, again, q, x); a != b {
			t.Errorf("predicts %v before and %v after", a, b)
		}
	})
}

func TestRefusesOtherFiles(t *testing.T) {
	m := variants()["ged/gine/directed=false"]
	var buf bytes.Buffer
	if err := m.Write(&buf); err != nil {
		t.Fatal(err)
	}
	whole := buf.Bytes()
	for _, n := range []int{0, 7, 100, len(whole) / 2, len(whole) - 1} {
		if _, err := model.Parse(whole[:n]); !errors.Is(err, model.ErrFormat) {
			t.Errorf("cut to %d bytes: error %v", n, err)
		}
	}
	newer := bytes.Replace(whole, []byte(`"greed.model.version":"4"`), []byte(`"greed.model.version":"9"`), 1)
	if _, err := model.Parse(newer); !errors.Is(err, model.ErrVersion) || !strings.Contains(err.Error(), "newer greed") {
		t.Errorf("newer version: error %v", err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-3] ^= 1
	if _, err := model.Parse(flipped); !errors.Is(err, model.ErrFormat) {
		t.Errorf("a bit flipped: error %v", err)
	}
	nan := bytes.Clone(whole)
	copy(nan[len(nan)-4:], []byte{0, 0, 0xc0, 0x7f})
	if _, err := model.Parse(nan); !errors.Is(err, model.ErrFormat) {
		t.Errorf("not a number: error %v", err)
	}
}

func TestRefusesOtherDirection(t *testing.T) {
	m := variants()["ged/gin/directed=false"]
	g := graphtest.Random(rand.New(rand.NewPCG(1, 1)), newVocabulary(), 5, 0.3, true)
	if _, err := m.Embed(context.Background(), []*graph.Graph{g}, 1); !errors.Is(err, model.ErrMismatch) {
		t.Errorf("error %v", err)
	}
}

// TestDirections: a model sees which way edges go exactly if it keeps in- and
// out-edges apart, or by GINE's table.
func TestDirections(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		meta := m.Metadata()
		if !meta.Training.Directed {
			t.Skip("undirected")
		}
		vocab := newVocabulary()
		star := func(inward bool) *graph.Graph {
			b := graph.NewBuilder(vocab, true)
			b.AddNode("n0")
			for range 3 {
				b.AddNode("n1")
			}
			for leaf := 1; leaf < 4; leaf++ {
				from, to := 0, leaf
				if inward {
					from, to = leaf, 0
				}
				if err := b.AddEdge(from, to, "e0"); err != nil {
					t.Fatal(err)
				}
			}
			g, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
		sees := meta.Config.Apart || meta.Config.Conv == model.GINE
		if same := slices.Equal(embed(t, m, star(true)), embed(t, m, star(false))); same == sees {
			t.Errorf("stars inward and outward have the same vector: %v", same)
		}
	})
}

// TestCommonSubgraphsAreNotSearched: predictions of other than edit distances cannot be searched.
func TestCommonSubgraphsAreNotSearched(t *testing.T) {
	meta := variants()["ged/gin/directed=false"].Metadata()
	for _, task := range []edit.Task{edit.GED, edit.SED, edit.MCS} {
		meta.Task = task
		err := model.New(meta, rand.New(rand.NewPCG(1, 2))).CheckIndexable()
		if refused := task == edit.MCS; errors.Is(err, model.ErrNotIndexable) != refused || (err != nil) != refused {
			t.Errorf("%v: error %v", task, err)
		}
	}
}

// TestUnknownIsTheMean: a label that was not in training is what the labels seen are on
// average. Pooled sums of states before the first round show it: with layers that give zero
// they are all there is.
func TestUnknownIsTheMean(t *testing.T) {
	meta := model.Metadata{
		Costs: edit.Uniform(), Vocabulary: newVocabulary(),
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Skip: true, Norm: norm.Single(norm.L1, 16, false)},
	}
	m := model.New(meta, rand.New(rand.NewPCG(1, 2)))
	for _, p := range m.Params().All() {
		if p.Name == "layers.0.mlp.2.weight" || strings.HasPrefix(p.Name, "post.") {
			clear(m.Params().Value(p))
		}
	}
	node := func(label string) *graph.Graph {
		b := graph.NewBuilder(graph.NewVocabulary(), false)
		b.AddNode(label)
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	vocab := newVocabulary()
	var seen []*graph.Graph
	for _, label := range []string{"n0", "n1", "n1", "n1"} {
		seen = append(seen, graph.In(vocab, node(label)))
	}
	m.AverageUnknown(seen)
	zero, one, unknown := embed(t, m, node("n0")), embed(t, m, node("n1")), embed(t, m, node("new"))
	for i, x := range unknown {
		if want := (zero[i] + 3*one[i]) / 4; x < want-1e-5 || x > want+1e-5 {
			t.Fatalf("coordinate %d is %v, want %v", i, x, want)
		}
	}
}

// TestUnknownDegree: a degree that no graph has counts as the next lower one.
func TestUnknownDegree(t *testing.T) {
	meta := model.Metadata{
		Costs: edit.Uniform(), Vocabulary: newVocabulary(),
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Features: true, Norm: norm.Single(norm.L1, 16, false)},
	}
	m := model.New(meta, rand.New(rand.NewPCG(1, 2)))
	star := func(leaves int) *graph.Graph {
		b := graph.NewBuilder(newVocabulary(), false)
		b.AddNode("n0")
		for v := range leaves {
			b.AddNode("n0")
			if err := b.AddEdge(0, v+1, "e0"); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	var table []float32
	for _, p := range m.Params().All() {
		if p.Name == "pre.degree.weight" {
			table = m.Params().Value(p)
		}
	}
	three := slices.Clone(table[3*16:][:16])
	m.AverageUnknown([]*graph.Graph{star(3)})
	for row, want := range [][]float32{1: table[16:32], 0: table[16:32], 2: table[16:32], 3: three, 4: three, 23: three} {
		if want != nil && !slices.Equal(table[row*16:][:16], want) {
			t.Errorf("row %d is %v, want %v", row, table[row*16:][:16], want)
		}
	}
	if slices.Equal(three, table[16:32]) {
		t.Error("rows that occur are the same")
	}
}

func TestRefusesShapes(t *testing.T) {
	good := model.Metadata{
		Costs: edit.Uniform(), Vocabulary: newVocabulary(),
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Norm: norm.Single(norm.L1, 16, false)},
	}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*model.Metadata){
		"convolution":   func(m *model.Metadata) { m.Config.Conv = "gru" },
		"width 24":      func(m *model.Metadata) { m.Config.Hidden = 24 },
		"-1 layers":     func(m *model.Metadata) { m.Config.Layers = -1 },
		"no vocabulary": func(m *model.Metadata) { m.Vocabulary = nil },
		"undirected":    func(m *model.Metadata) { m.Config.Apart = true },
	} {
		meta := good
		if change(&meta); meta.Check() == nil || !strings.Contains(meta.Check().Error(), want) {
			t.Errorf("want an error about %q, got %v", want, meta.Check())
		}
	}
}

// TestAblationsAreRefused: a model of a kind that greed had once is refused.
func TestAblationsAreRefused(t *testing.T) {
	if _, err := model.Load("testdata/v2-sage-apart.safetensors"); !errors.Is(err, model.ErrVersion) {
		t.Errorf("a file of that time: error %v", err)
	}
	var buf bytes.Buffer
	if err := variants()["sed/gin/apart/directed=true"].Write(&buf); err != nil {
		t.Fatal(err)
	}
	for want, member := range map[string]string{
		`convolution "gcn"`: `\"conv\":\"gcn\"`, `unknown field "pool"`: `\"conv\":\"gin\",\"pool\":\"attention\"`,
		`unknown field "no_pre"`: `\"conv\":\"gin\",\"no_pre\":true`, `unknown field "head"`: `\"conv\":\"gin\",\"head\":\"mlp\"`,
	} {
		data := bytes.Replace(buf.Bytes(), []byte(`\"conv\":\"gin\"`), []byte(member), 1)
		grown := len(data) - buf.Len()
		binary.LittleEndian.PutUint64(data, binary.LittleEndian.Uint64(data)+uint64(grown)) // of the header
		_, err := model.Parse(data)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, model.ErrVersion) != strings.HasPrefix(want, "unknown") {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// TestFilesOfAllVersions: files kept from each version embed to the bits that they were saved with.
func TestFilesOfAllVersions(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round products and sums at once")
	}
	rng := rand.New(rand.NewPCG(9, 9))
	vocab := newVocabulary()
	for _, c := range []struct{ name, sum string }{ // in this order, because the graphs are drawn from one source
		{"v1-gin-directed=false", "9f87b17a6fdb84af"},
		{"v1-gine-directed=false", "c0496f95cee7fde7"},
		{"v1-gin-directed=true", "f785c2704b3c98bf"},
		{"v1-gine-directed=true", "cee852a0f0eef258"},
		{"v2-gine-apart", "385c46970452323d"},
		{"v3-gine-features", "0dee75e0ef42cda9"},
		{"v4-gine-counts", "0cda12828fc819c4"},
	} {
		file := "testdata/" + c.name + ".safetensors"
		m, err := model.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, fmt.Appendf(nil, `"greed.model.version":"%c"`, c.name[1])) {
			t.Errorf("%s: %v, or another version", c.name, err)
		}
		h := fnv.New64a()
		for range 20 {
			g := graphtest.Random(rng, vocab, 1+rng.IntN(14), 0.3, m.Metadata().Training.Directed)
			for _, x := range embed(t, m.WithLevel(kernel.Generic), g) {
				fmt.Fprintf(h, "%08x", math.Float32bits(x))
			}
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != c.sum {
			t.Errorf("%s: vectors have the checksum %s, want %s", c.name, got, c.sum)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range []model.Config{
		{Conv: model.GINE},
		{Conv: model.GIN, Skip: true},
		{Conv: model.GIN, Apart: true},
		{Conv: model.GIN, Features: true},
	} {
		c.Layers, c.Hidden, c.Norm = 1, 16, norm.Single(norm.L2, 16, false)
		meta := model.Metadata{Costs: edit.Uniform(), Vocabulary: newVocabulary(), Config: c, Training: model.Training{Directed: c.Apart}}
		var buf bytes.Buffer
		if err := model.New(meta, rand.New(rand.NewPCG(1, 2))).Write(&buf); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := model.Parse(data); err == nil {
			m.Fingerprint()
		}
	})
}

// TestGraphsWithoutNodes: the embedding of one is the pool over nothing, the same
// beside whatever other graphs, and its distances are finite.
func TestGraphsWithoutNodes(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		empty, err := graph.NewBuilder(newVocabulary(), m.Metadata().Training.Directed).Build()
		if err != nil {
			t.Fatal(err)
		}
		x := draw()
		for _, d := range []float64{predict(t, m, empty, x), predict(t, m, x, empty), predict(t, m, empty, empty)} {
			if math.IsNaN(d) || math.IsInf(d, 0) || d < 0 {
				t.Errorf("distance %v", d)
			}
		}
		alone, among := embed(t, m, empty), embed(t, m, x, empty, draw())
		if !slices.Equal(alone, among[len(alone):2*len(alone)]) {
			t.Errorf("embedding %v alone, %v among others", alone, among[len(alone):2*len(alone)])
		}
	})
}

// TestRowsOfAGrowingVocabulary: readers add labels while graphs that were read before are embedded.
func TestRowsOfAGrowingVocabulary(t *testing.T) {
	m := variants()["ged/gine/directed=true"]
	vocab, over := newVocabulary(), make(chan struct{})
	go func() {
		defer close(over)
		for i := range 20000 {
			vocab.Node(fmt.Sprint("m", i))
			vocab.Edge(fmt.Sprint("f", i))
		}
	}()
	for grown := false; !grown; {
		select {
		case <-over:
			grown = true
		default:
		}
		m.Rows(vocab)
	}
}
