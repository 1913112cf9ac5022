package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
)

// versionsOf returns a page of two versions of a graph with n nodes of hostile names: every tenth node is renamed, the
// last one removed, one added, and the first edge removed.
func versionsOf(t *testing.T, n int, directed bool) *Versions {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), 60))
	vocab := graph.NewVocabulary()
	old, fresh := graph.NewBuilder(vocab, directed), graph.NewBuilder(vocab, directed)
	name := func(v int) string { return fmt.Sprintf("pkg%d.</script><b>&\"'Function%d\u2028", v/40, v) }
	for v := range n {
		old.AddNode(name(v))
		switch {
		case v == n-1:
			fresh.AddNode("fresh")
		case v%10 == 9:
			fresh.AddNode(name(v) + " anew")
		default:
			fresh.AddNode(name(v))
		}
	}
	call := vocab.Edge("0")
	for v := 1; v < n; v++ {
		u := r.IntN(v)
		old.MustAdd(u, v, call)
		if v > 1 {
			fresh.MustAdd(u, v, call)
		}
	}
	q, g := old.MustBuild(), fresh.MustBuild()
	m := make(edit.NodeMap, n)
	for v := range m {
		m[v] = v
	}
	m[n-1] = edit.Deleted
	p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
	if err != nil {
		t.Fatal(err)
	}
	v := &Versions{
		Title: "a → b", Facts: []string{"what is known"}, Old: q, New: g, Map: m,
		Groups: diff.Groups(edit.Edits(p, q, g, m), q, g, m), Text: func(c diff.Change) string { return c.Edits[0].String() },
	}
	for i := range v.Groups {
		v.Headings = append(v.Headings, fmt.Sprintf("change %d", i+1))
	}
	return v
}

// TestVersionsPage: the page needs nothing else, has at most 400 KB for 1,000 nodes, and hostile names stay texts.
// Every node, edge and change is in it, in the state it has.
func TestVersionsPage(t *testing.T) {
	for _, n := range []int{2, 20, 150, 1000} {
		for _, directed := range []bool{false, true} {
			v := versionsOf(t, n, directed)
			var b bytes.Buffer
			if err := v.WriteHTML(&b); err != nil {
				t.Fatal(err)
			}
			page := b.String()
			if len(page) > 400_000 {
				t.Errorf("%d nodes take %d bytes", n, len(page))
			}
			if outside := regexp.MustCompile(`(?i)(src|href)\s*=|@import|url\([^#]|https?://`).FindString(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", "")); outside != "" {
				t.Errorf("the page fetches: %s", outside)
			}
			if ends := strings.Count(page, "</script>"); ends != 2 {
				t.Errorf("%d scripts end", ends)
			}
			data := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(page)
			var d overlay
			if data == nil || json.Unmarshal([]byte(data[1]), &d) != nil {
				t.Fatalf("no data: %.100s", page)
			}
			states := make(map[int]int)
			for _, s := range d.States {
				states[s]++
			}
			renamed := 0
			for v := range n - 1 {
				if v%10 == 9 {
					renamed++
				}
			}
			if len(d.Names) != n+1 || states[stateRemoved] != 1 || states[stateAdded] != 1 || states[stateRenamed] != renamed || len(d.Whole) != n+1 {
				t.Errorf("%d nodes: %d drawn, states %v", n, len(d.Names), states)
			}
			lines := regexp.MustCompile(`data-step="\d`).FindAllString(page, -1)
			changes := 0
			for _, g := range v.Groups {
				changes += len(g.Changes)
			}
			if len(d.Steps) != changes || len(lines) != changes {
				t.Errorf("%d changes, %d steps, %d lines", changes, len(d.Steps), len(lines))
			}
			for _, nodes := range d.Steps {
				for _, v := range nodes {
					if _, drawn := d.Near[v]; !drawn {
						t.Fatalf("node %d changed and is not drawn", v)
					}
				}
			}
		}
	}
}

// TestLayered: boxes do not overlap, edges of a graph without cycles lead to the right or to a row below, and what is
// long goes on below.
func TestLayered(t *testing.T) {
	for _, n := range []int{1, 2, 30, 400} {
		r := rand.New(rand.NewPCG(uint64(n), 61))
		var edges [][2]int
		width := make([]float64, n)
		for v := range n {
			width[v] = 20 + 100*r.Float64()
			for range 2 {
				if v > 0 {
					edges = append(edges, [2]int{r.IntN(v), v})
				}
			}
		}
		at := layered(edges, width)
		for i := range n {
			for j := range i {
				across := at[i][0] < at[j][0]+width[j] && at[j][0] < at[i][0]+width[i]
				if down := at[i][1] - at[j][1]; across && down < rowHeight-1 && down > 1-rowHeight {
					t.Fatalf("%d nodes: boxes %d and %d overlap: %v, %v", n, i, j, at[i], at[j])
				}
			}
		}
		for _, e := range edges {
			if at[e[0]][0] >= at[e[1]][0] && at[e[0]][1] >= at[e[1]][1] {
				t.Fatalf("%d nodes: edge %v leads from %v to %v", n, e, at[e[0]], at[e[1]])
			}
		}
	}
	var chain [][2]int
	for v := range 99 {
		chain = append(chain, [2]int{v, v + 1})
	}
	right, bottom := 0.0, 0.0
	for _, at := range layered(chain, slices.Repeat([]float64{60}, 100)) {
		right, bottom = max(right, at[0]+60), max(bottom, at[1])
	}
	if right > 3*bottom || bottom > right {
		t.Errorf("a chain of 100 is %v wide and %v high", right, bottom)
	}
	if at := layered([][2]int{{0, 1}, {1, 2}, {2, 0}, {1, 1}}, []float64{10, 10, 10}); len(at) != 3 {
		t.Errorf("a cycle is at %v", at)
	}
}

// TestVersionsInABrowser: a browser draws what changed, hides the rest, and says how much that is.
func TestVersionsInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium-headless-shell")
	if err != nil || testing.Short() {
		t.Skip("a browser, chromium-headless-shell")
	}
	name := filepath.Join(t.TempDir(), "page.html")
	if err := atomicfile.Write(name, versionsOf(t, 150, true).WriteHTML); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), browser, "--no-sandbox", "--disable-gpu", "--dump-dom", "file://"+name).Output()
	if err != nil {
		t.Fatal(err)
	}
	page := string(out)
	for kind, want := range map[string]int{`<g class="s1"`: 1, `<g class="s2"`: 14, `<g class="s3"`: 1, `class="s1" marker-end`: 2, `class="s3" marker-end`: 1} {
		if got := strings.Count(page, kind); got != want {
			t.Errorf("%s %d times, want %d", kind, got, want)
		}
	}
	if !regexp.MustCompile(`>\d+ of 151 nodes are unchanged and hidden<`).MatchString(page) || strings.Contains(page, "<b>&amp;") {
		t.Errorf("the page says %s", regexp.MustCompile(`id="told"[^<]*<`).FindString(page))
	}
}
