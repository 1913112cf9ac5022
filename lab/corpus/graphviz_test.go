package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/greedgraph/greed/dataset"
)

// drawing is what Graphviz writes of a graph with -Tjson0.
type drawing struct {
	Directed  bool
	Subgraphs int `json:"_subgraph_cnt"`
	Objects   []object
	Edges     []struct {
		Tail, Head int
		Label      *string
	}
}

// object is a node or a subgraph.
type object struct {
	ID    int `json:"_gvid"`
	Name  firstString
	Label *string
}

// firstString is the first value of a member that occurs twice: an attribute called name follows the name.
type firstString struct {
	text string
	has  bool
}

func (f *firstString) UnmarshalJSON(text []byte) error {
	if f.has {
		return nil
	}
	f.has = true
	return json.Unmarshal(text, &f.text)
}

// graphviz returns the graphs that Graphviz reads of a file. ok is false if it does not read it.
func graphviz(path string) (list []drawing, ok bool, err error) {
	const patience = 20 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, failed := exec.CommandContext(ctx, "dot", "-Tjson0", path).Output()
	if !utf8.Valid(out) { // it is no JSON
		return nil, false, failed
	}
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var g drawing
		err := d.Decode(&g)
		if err == io.EOF {
			return list, failed == nil && len(list) > 0, nil
		}
		if err != nil {
			return nil, false, err
		}
		list = append(list, g)
	}
}

// text is a label as both sides have it: 0 if there is none, and a backslash for two.
func text(label *string) string {
	if label == nil || *label == "" || *label == `\N` {
		return dataset.Unlabelled
	}
	return strings.ReplaceAll(*label, `\\`, `\`)
}

// lines lists the nodes and edges as Graphviz has them, loops and parallel edges folded as
// [dataset.Rules.Simplify] does.
func (g drawing) lines() []string {
	names, labels := make(map[int]string), make(map[int]string)
	for _, o := range g.Objects[min(g.Subgraphs, len(g.Objects)):] {
		names[o.ID] = text(&o.Name.text)
		labels[o.ID] = text(o.Label)
	}
	bundles := make(map[[2]int][]string)
	for _, e := range g.Edges {
		ends := [2]int{e.Tail, e.Head}
		if !g.Directed && names[e.Tail] > names[e.Head] {
			ends = [2]int{e.Head, e.Tail}
		}
		bundles[ends] = append(bundles[ends], text(e.Label))
	}
	var list []string
	for ends, all := range bundles {
		slices.Sort(all)
		joined := strings.Join(all, "+")
		if ends[0] == ends[1] {
			labels[ends[0]] += "@" + joined
		} else {
			list = append(list, fmt.Sprintf("edge %q %q %q", names[ends[0]], names[ends[1]], joined))
		}
	}
	for v, name := range names {
		list = append(list, fmt.Sprintf("node %q %q", name, labels[v]))
	}
	slices.Sort(list)
	return list
}

// linesOf is lines for a graph that was read here.
func linesOf(rec dataset.Record) []string {
	g := rec.Graph
	name := func(v int) string {
		if rec.NodeIDs == nil {
			return fmt.Sprint(v)
		}
		return rec.NodeIDs[v]
	}
	var list []string
	vocab := g.Vocabulary()
	for v, l := range g.Labels() {
		label := vocab.NodeText(l)
		if label == "" {
			label = dataset.Unlabelled
		}
		list = append(list, fmt.Sprintf("node %q %q", name(v), label))
	}
	for e := range g.Edges() {
		ends := [2]string{name(e.From), name(e.To)}
		if !g.Directed() && ends[0] > ends[1] {
			ends[0], ends[1] = ends[1], ends[0]
		}
		label := vocab.EdgeText(e.Label)
		if label == "" {
			label = dataset.Unlabelled
		}
		list = append(list, fmt.Sprintf("edge %q %q %q", ends[0], ends[1], label))
	}
	slices.Sort(list)
	return list
}

// TestGraphviz reads every DOT file of the corpus as Graphviz does: the same nodes, edges and labels.
func TestGraphviz(t *testing.T) {
	dir := folder(t)
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("Graphviz is not installed")
	}
	compared, refused, differ := 0, 0, 0
	for _, name := range files(t, dir) {
		if ext := filepath.Ext(name); ext != ".dot" && ext != ".gv" {
			continue
		}
		path := filepath.Join(dir, name)
		want, ok, err := graphviz(path)
		if !ok || err != nil {
			refused++
			continue
		}
		got, err := read(path)
		compared++
		for i := range max(len(got), len(want)) {
			switch {
			case i >= len(got) || i >= len(want):
				t.Errorf("%s: %d graphs, Graphviz reads %d (%v)", name, len(got), len(want), err)
			case got[i].Graph.Directed() != want[i].Directed:
				t.Errorf("%s: directed %v, Graphviz reads %v", name, got[i].Graph.Directed(), want[i].Directed)
			case !slices.Equal(linesOf(got[i]), want[i].lines()):
				t.Errorf("%s: graph %d differs from Graphviz's: %s", name, i, difference(linesOf(got[i]), want[i].lines()))
			default:
				continue
			}
			differ++
			break
		}
	}
	t.Logf("%d files compared, %d differ, %d not read by Graphviz", compared, differ, refused)
}

func read(path string) (list []dataset.Record, err error) {
	rules := dataset.Rules{Simplify: true, NodeLabel: "label", NodeChosen: true, EdgeLabel: "label", EdgeChosen: true}
	r, err := dataset.Open(path, dataset.Options{Format: "dot", Mixed: true, Rules: rules})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, rec)
	}
}

// difference shows the first lines that only one of the lists has.
func difference(got, want []string) string {
	only := func(a, b []string) string {
		for _, line := range a {
			if !slices.Contains(b, line) {
				return line
			}
		}
		return "nothing"
	}
	return fmt.Sprintf("%d lines, %d with Graphviz; here alone %s, there alone %s", len(got), len(want), only(got, want), only(want, got))
}
