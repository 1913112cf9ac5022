package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Versions is what changed between two versions of a graph, as one page that needs no server: a drawing of both laid
// on each other, and a list of the changes.
type Versions struct {
	Title string
	Facts []string // lines below the title
	Old   *graph.Graph
	New   *graph.Graph
	// OldNames and NewNames, if not nil, are the names of the nodes; else their labels are.
	OldNames, NewNames []string
	Map                edit.NodeMap
	Groups             []diff.Group
	Headings           []string // of the groups
	// Text says what a change is.
	Text func(diff.Change) string
}

//go:embed versions.html
var versionsSource string

//go:embed versions.css
var versionsStyle string

//go:embed versions.js
var versionsScript string

// Sizes of the drawing. More nodes than mostWhole are not drawn together, only what changed with what is near it.
const (
	mostWhole   = 3000
	fewNodes    = 40 // are all drawn at first
	mostNear    = 6  // unchanged neighbours of a changed node that are drawn with it
	mostLabel   = 34 // characters of a name
	letterWidth = 7.2
)

// overlay is what the script draws. Nodes are those of the old version and then those that were added.
type overlay struct {
	Names  []string       `json:"names"`
	Short  []string       `json:"short"`
	States []int          `json:"states"` // of nodes; see states
	Edges  [][3]int       `json:"edges"`  // from, to, state
	Whole  [][2]int       `json:"whole"`  // places, or null
	Near   map[int][2]int `json:"near"`   // places of what changed and what is near
	Hidden map[int]int    `json:"hidden"` // how many neighbours of a node are not among these
	Widths []int          `json:"widths"`
	Steps  [][]int        `json:"steps"` // the nodes of each change
	Arrows bool           `json:"arrows"`
}

// The states of nodes and edges, by number.
const (
	stateKept = iota
	stateRemoved
	stateRenamed
	stateAdded
)

// page is what the template shows.
type page struct {
	*Versions
	Style  template.CSS
	Script template.JS
	Data   template.JS
	Groups []pageGroup
	Count  int
}

type pageGroup struct {
	Heading string
	Changes []pageChange
}

type pageChange struct {
	Step int
	Sign string
	Kind diff.Kind
	Text string
}

var signs = map[diff.Kind]string{diff.Removed: "−", diff.Renamed: "~", diff.Moved: "→", diff.Added: "+"}

// WriteHTML writes the page.
func (v *Versions) WriteHTML(w io.Writer) error {
	source, err := template.New("versions").Parse(versionsSource)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	drawn := v.draw()
	data, err := json.Marshal(drawn)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p := page{Versions: v, Style: template.CSS(versionsStyle), Script: template.JS(versionsScript),
		Data: template.JS(data)}
	for i, g := range v.Groups {
		list := pageGroup{Heading: v.Headings[i]}
		for _, c := range g.Changes {
			list.Changes = append(list.Changes, pageChange{p.Count, signs[c.Kind], c.Kind, v.Text(c)})
			p.Count++
		}
		p.Groups = append(p.Groups, list)
	}
	var b strings.Builder
	if err := source.Execute(&b, p); err != nil {
		return err
	}
	_, err = io.WriteString(w, allowed(b.String()))
	return err
}

// draw lays the versions on each other.
func (v *Versions) draw() *overlay {
	n := v.Old.N()
	inverse := v.Map.Inverse(v.New)
	d := &overlay{States: make([]int, n), Near: make(map[int][2]int), Hidden: make(map[int]int),
		Arrows: v.Old.Directed()}
	at := make([]int, v.New.N()) // the place of each new node among the nodes
	for w, old := range inverse {
		if at[w] = old; old == edit.Deleted {
			at[w] = n
			n++
			d.States = append(d.States, stateAdded)
		}
	}
	d.Names = make([]string, n)
	for old := range v.Old.N() {
		d.Names[old] = nameOf(v.Old, v.OldNames, old)
		w := v.Map[old]
		if w == edit.Deleted {
			d.States[old] = stateRemoved
			continue
		}
		before, after := v.Old.LabelText(old), v.New.LabelText(w)
		switch name := nameOf(v.New, v.NewNames, w); {
		case name != d.Names[old]:
			d.Names[old] += " → " + name
		case before != after:
			d.Names[old] += " (" + before + " → " + after + ")"
		}
	}
	for w, old := range inverse {
		if old == edit.Deleted {
			d.Names[at[w]] = nameOf(v.New, v.NewNames, w)
		}
	}
	v.mark(d, at)
	common := commonBeginning(d.Names)
	for _, name := range d.Names {
		short := strings.TrimPrefix(name, common)
		if old, fresh, renamed := strings.Cut(short, " → "); renamed {
			fresh = strings.TrimPrefix(fresh, common)
			short = shorten(old) + " → " + shorten(strings.TrimPrefix(fresh, commonBeginning([]string{old, fresh})))
		} else {
			short = shorten(short)
		}
		d.Short = append(d.Short, short)
		d.Widths = append(d.Widths, int(letterWidth*float64(utf8.RuneCountInString(short)))+18)
	}
	d.lay()
	return d
}

// mark gives nodes and edges their states, and says which nodes each change is about.
func (v *Versions) mark(d *overlay, at []int) {
	type ends struct{ from, to int }
	state := make(map[ends]int)
	for _, g := range v.Groups {
		for _, c := range g.Changes {
			var nodes []int
			for _, op := range c.Edits {
				here := op.Query
				if here == nil {
					for _, w := range op.Target {
						here = append(here, at[w])
					}
				}
				nodes = append(nodes, here...)
				switch {
				case op.Kind == edit.NodeSubstitution:
					d.States[here[0]] = stateRenamed
				case len(here) == 2:
					state[ends{here[0], here[1]}] = map[edit.Kind]int{
						edit.EdgeDeletion: stateRemoved, edit.EdgeSubstitution: stateRenamed,
						edit.EdgeInsertion: stateAdded,
					}[op.Kind]
				}
			}
			d.Steps = append(d.Steps, nodes)
		}
	}
	drawn := make(map[ends]bool)
	add := func(e ends, usual int) {
		if drawn[e] {
			return // of parallel edges one is drawn
		}
		drawn[e] = true
		s, changed := state[e]
		if !changed {
			s = usual
		}
		d.Edges = append(d.Edges, [3]int{e.from, e.to, s})
	}
	for e := range v.Old.Edges() {
		add(ends{e.From, e.To}, stateKept)
	}
	for e := range v.New.Edges() {
		x := ends{at[e.From], at[e.To]}
		if !v.New.Directed() && drawn[ends{x.to, x.from}] {
			continue
		}
		add(x, stateAdded)
	}
}

// lay gives nodes places: all of them, and those that changed with what is near them.
func (d *overlay) lay() {
	n := len(d.Names)
	near := make([][]int, n)
	for _, e := range d.Edges {
		near[e[0]], near[e[1]] = append(near[e[0]], e[1]), append(near[e[1]], e[0])
	}
	changed := make([]bool, n)
	for _, nodes := range d.Steps {
		for _, v := range nodes {
			changed[v] = true
		}
	}
	shown := make([]bool, n)
	for v, is := range changed {
		shown[v] = shown[v] || is
		if !is || len(near[v]) > mostNear {
			continue
		}
		for _, w := range near[v] {
			shown[w] = true
		}
	}
	all := make([]bool, n)
	for v := range all {
		all[v] = true
	}
	if n <= mostWhole {
		d.Whole = make([][2]int, n)
		for v, at := range d.places(all) {
			d.Whole[v] = at
		}
	}
	if n <= fewNodes {
		shown = all
	}
	d.Near = d.places(shown)
	for v := range d.Near {
		hidden := make(map[int]bool)
		for _, w := range near[v] {
			if !shown[w] {
				hidden[w] = true
			}
		}
		if len(hidden) > 0 {
			d.Hidden[v] = len(hidden)
		}
	}
}

// places lays out some of the nodes.
func (d *overlay) places(shown []bool) map[int][2]int {
	number := make([]int, len(shown))
	var list []int
	var width []float64
	for v, is := range shown {
		if is {
			number[v] = len(list)
			list, width = append(list, v), append(width, float64(d.Widths[v]))
		}
	}
	var edges [][2]int
	for _, e := range d.Edges {
		if shown[e[0]] && shown[e[1]] {
			edges = append(edges, [2]int{number[e[0]], number[e[1]]})
		}
	}
	places := make(map[int][2]int, len(list))
	for i, at := range layered(edges, width) {
		places[list[i]] = [2]int{int(math.Round(at[0])), int(math.Round(at[1]))}
	}
	return places
}

func nameOf(g *graph.Graph, names []string, v int) string {
	if names != nil {
		return names[v]
	}
	return g.LabelText(v)
}

// commonBeginning returns the modules with which all names begin, or "".
func commonBeginning(names []string) string {
	if len(names) < 2 {
		return ""
	}
	common := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	return common[:strings.LastIndexAny(common, "./:#\\")+1]
}

// shorten leaves out the middle of a long name.
func shorten(name string) string {
	letters := []rune(name)
	if len(letters) <= mostLabel {
		return name
	}
	return string(letters[:mostLabel/2-1]) + "…" + string(letters[len(letters)-mostLabel/2:])
}
