package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// hostile is a name that would break out of any place it is put to unescaped.
const hostile = `"><script>alert('x')</script>|*_[a](b) ]]> &amp; =1+1`

func sampleDocument() *Document {
	table := &Table{
		Title: "RMSE of " + hostile, Columns: []string{"system", "AIDS", hostile},
		Rows: [][]Cell{
			{Text("greed"), Number(0.6123, 3).Beside(0.796), Text(hostile)},
			{Text("=cmd()"), Number(0.7, 3), Number(math.NaN(), 3)},
		},
		Note: hostile,
	}
	table.Rows[0][1].Best = true
	return &Document{
		Title: "A report " + hostile, Lead: "First.\n\nSecond " + hostile, Facts: append(Machine(), Fact{hostile, hostile}),
		Sections: []Section{
			{Title: hostile, Text: hostile, Blocks: []Block{
				{Text: hostile}, {Table: table},
				{Plot: &Plot{Title: hostile, X: hostile, Y: hostile, Identity: true, Series: []Series{
					{Name: hostile, Points: []Point{{0, 1}, {2, 3}}}, {Name: "cloud", Cloud: true, Points: []Point{{1, 1}}},
				}}},
				{Plot: &Plot{Title: hostile, X: "d", Y: hostile, LogX: true, Note: hostile, Series: []Series{{Name: hostile, Dashed: true, Points: []Point{{1, 1}, {10, 2}}}}}},
			}, Facts: []Fact{{"seed", "7"}}},
			{Title: "Empty"}, {Title: "Third"},
		},
	}
}

// TestHTMLIsWholeAndEscaped: the page parses, has no element that it should not have,
// shows the hostile text as it is, and asks for nothing else.
func TestHTMLIsWholeAndEscaped(t *testing.T) {
	var b bytes.Buffer
	if err := sampleDocument().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&b)
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	seen := make(map[string]int)
	shown := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch n := token.(type) {
		case xml.CharData:
			if strings.Contains(string(n), hostile) {
				shown++
			}
		case xml.StartElement:
			seen[n.Name.Local]++
			for _, a := range n.Attr {
				if (a.Name.Local == "href" || a.Name.Local == "src") && !strings.HasPrefix(a.Value, "#") {
					t.Errorf("<%s %s=%q>: a page that stands alone has no such link", n.Name.Local, a.Name.Local, a.Value)
				}
				if strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("<%s> has %s", n.Name.Local, a.Name.Local)
				}
			}
		}
	}
	if seen["script"]+seen["img"]+seen["link"] > 0 {
		t.Errorf("elements %v", seen)
	}
	if seen["svg"] != 2 || seen["table"] != 1 || seen["section"] != 3 {
		t.Errorf("%d plots, %d tables and %d sections, want 2, 1 and 3", seen["svg"], seen["table"], seen["section"])
	}
	if shown < 15 {
		t.Errorf("the text is shown %d times, want it everywhere", shown)
	}
}

// TestForbiddenCharacters: XML 1.0 has no place for some characters, in drawings and pages
// alike. They are shown as what they are.
func TestForbiddenCharacters(t *testing.T) {
	var label string
	for r := range ' ' {
		label += string(r)
	}
	label += "\ufffe\uffff\xff\u009b\U0001f600"
	v := graph.NewVocabulary()
	g := pathIn(t, v, 2, label)
	scene := PairScene(label, g, g, edit.NodeMap{0, 1}, Mapping{EdgeLabels: true})
	scene.Panels[0].Name = label
	plot := &Plot{Title: label, X: label, Y: label, Series: []Series{{Name: label, Points: []Point{{0, 1}, {2, 3}}}, {Name: "other"}}}
	d := &Document{Title: label, Lead: label, Sections: []Section{{Title: label, Blocks: []Block{{Plot: plot}, {Scene: scene}}}}}
	var page bytes.Buffer
	if err := d.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	drawn := map[string]string{"scene": string(scene.SVG()), "plot": plot.draw().svg(label, true)}
	for name, text := range drawn {
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	drawn["page"] = page.String()
	for name, text := range drawn {
		for _, want := range []string{`\x07`, `\x1f`, `\ufffe`, `\uffff`, "\ufffd", "\u009b", "\U0001f600"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
		if i := strings.IndexAny(text, "\x00\a\x1f\ufffe\uffff"); i >= 0 {
			t.Errorf("%s has %q", name, text[i:min(i+9, len(text))])
		}
	}
}

func TestDocumentSurvivesJSON(t *testing.T) {
	want := sampleDocument()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := new(Document)
	if err := json.Unmarshal(data, got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWriteFile(t *testing.T) {
	if err := sampleDocument().WriteFile(filepath.Join(t.TempDir(), "a.html")); err != nil {
		t.Fatal(err)
	}
	if err := sampleDocument().WriteFile(filepath.Join(t.TempDir(), "c.pdf")); err == nil {
		t.Error("a PDF was written")
	}
}

func TestAxisHoldsItsValues(t *testing.T) {
	for _, values := range [][]float64{nil, {0}, {3}, {-1, 1}, {0.1, 0.11}, {1e-9, 1e9}, {math.NaN(), 2}, {math.Inf(1)}} {
		for _, log := range []bool{false, true} {
			a := newAxis(values, 0, 100, log)
			if len(a.ticks) < 2 || len(a.ticks) > 12 {
				t.Errorf("%v, log %v: ticks %v", values, log, a.ticks)
			}
			for _, v := range values {
				if at := a.at(v); a.fits(v) && (at < -1e-6 || at > 100+1e-6) {
					t.Errorf("%v, log %v: %v is at %v", values, log, v, at)
				}
			}
		}
	}
}

func TestShortNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1234.5: "1234", 0.12345: "0.123", 100: "100", 1.5: "1.5", 2e7: "2e+07", -0.5: "-0.5", 0.9999: "1"} {
		if got := short(x); got != want {
			t.Errorf("short(%v) = %s, want %s", x, got, want)
		}
	}
}

func pathIn(t *testing.T, v *graph.Vocabulary, n int, label string) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(v, false)
	for i := range n {
		b.AddNode(label)
		if i == 0 {
			continue
		}
		if err := b.AddEdge(i-1, i, "-"); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestPairSceneMarksTheEdits: what the drawing marks is what the node map costs.
func TestPairSceneMarksTheEdits(t *testing.T) {
	v := graph.NewVocabulary()
	q, target := pathIn(t, v, 4, "C"), pathIn(t, v, 3, "C")
	m := edit.NodeMap{0, 1, 2, edit.Deleted}
	s := PairScene("pair", q, target, m, Mapping{})
	count := make(map[Change]int)
	for _, p := range s.Panels {
		for _, n := range p.Nodes {
			count[n.Change]++
		}
		for _, e := range p.Edges {
			count[e.Change]++
		}
	}
	want := map[Change]int{Kept: 10, Removed: 2}
	if d := cmp.Diff(want, count); d != "" {
		t.Error(d)
	}
	for i := range 3 {
		a, b := s.Panels[0].Nodes[i], s.Panels[1].Nodes[i]
		if a.X != b.X || a.Y != b.Y || a.Number != b.Number {
			t.Errorf("node %d is at %v and %v", i, a, b)
		}
	}
}

// TestScenesOfAnyGraph: empty, single, large and disconnected graphs are drawn at finite
// places.
func TestScenesOfAnyGraph(t *testing.T) {
	v := graph.NewVocabulary()
	b := graph.NewBuilder(v, true)
	for range 7 {
		b.AddNode(hostile)
	}
	if err := b.AddEdge(0, 1, hostile); err != nil {
		t.Fatal(err)
	}
	apart, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*graph.Graph{pathIn(t, v, 0, ""), pathIn(t, v, 1, "0"), pathIn(t, v, 5000, hostile), apart} {
		drawn := near(g, nil, mostDrawn)
		kept := func(int) (int, Change) { return 0, Kept }
		s := &Scene{Title: "one", Panels: []Panel{panelOf("", g, drawn, nil, layOut(skeleton{len(drawn), edgesOf(g, drawn)}), kept, func(int, int, int) Change { return Kept })}}
		if got := len(s.Panels[0].Nodes) + s.Panels[0].More; got != g.N() {
			t.Errorf("%d nodes of %d", got, g.N())
		}
		if text := s.draw().svg("x", true); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "<script") {
			t.Errorf("a graph of %d nodes: %s", g.N(), text)
		}
	}
}

// TestLayoutKeepsNeighboursNear: a path comes out about as long as it is.
func TestLayoutKeepsNeighboursNear(t *testing.T) {
	s := skeleton{n: 8}
	for i := 1; i < s.n; i++ {
		s.edges = append(s.edges, [2]int{i - 1, i})
	}
	at := layOut(s)
	if e := stress(at, s.paths()); e > 0.05 {
		t.Errorf("the stress of a path is %v", e)
	}
	length := math.Hypot(at[0][0]-at[7][0], at[0][1]-at[7][1])
	if math.Abs(length-7) > 0.5 {
		t.Errorf("its ends are %v apart, want about 7", length)
	}
}
