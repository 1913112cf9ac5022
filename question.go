package greed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
)

// unmatched returns the labels of a query that a collection lacks, or nil if it has all.
func unmatched(q *Graph, lacksNode, lacksEdge func(graph.Label) bool) *Unmatched {
	var u Unmatched
	for v := range q.N() {
		if lacksNode(q.Label(v)) {
			u.QueryNodes++
			if text := q.LabelText(v); !slices.Contains(u.Nodes, text) {
				u.Nodes = append(u.Nodes, text)
			}
		}
	}
	for e := range q.Edges() {
		if l := e.Label &^ graph.InRing; lacksEdge(l) {
			u.QueryEdges++
			if text := q.Vocabulary().EdgeText(l); !slices.Contains(u.Edges, text) {
				u.Edges = append(u.Edges, text)
			}
		}
	}
	if u.QueryNodes+u.QueryEdges == 0 {
		return nil
	}
	u.NoNode, u.NoEdge = q.N() > 0 && u.QueryNodes == q.N(), q.M() > 0 && u.QueryEdges == q.M()
	return &u
}

// mostNamed is how many labels are named in a sentence.
const mostNamed = 5

// String says in a sentence which labels do not occur.
func (u *Unmatched) String() string {
	var parts []string
	add := func(none bool, count int, noun string, labels []string) {
		if count == 0 {
			return
		}
		quoted := make([]string, 0, mostNamed+1)
		for i, l := range labels {
			if i == mostNamed {
				quoted = append(quoted, "…")
				break
			}
			quoted = append(quoted, fmt.Sprintf("%q", l))
		}
		text := counted(count, noun) + " of the query"
		if none {
			text = "every " + noun + " of the query"
		}
		verb := " have labels"
		if none || count == 1 {
			verb = " has a label"
		}
		parts = append(parts, text+verb+" that no graph of the collection has: "+strings.Join(quoted, ", "))
	}
	add(u.NoNode, u.QueryNodes, "node", u.Nodes)
	add(u.NoEdge, u.QueryEdges, "edge", u.Edges)
	text := strings.Join(parts, "; ")
	if u.NoNode || u.NoEdge {
		text += "; was the query read as the collection was?"
	}
	return text
}

// CostsName returns the name of edit costs, or "own" if they have none.
func CostsName(c edit.Costs) string {
	for _, name := range edit.Names() {
		named, _ := edit.Named(name)
		if reflect.DeepEqual(named, c) {
			return name
		}
		if reflect.DeepEqual(named.IgnoreEdgeLabels(), c) {
			return name + " without edge labels"
		}
	}
	return ownCosts
}

// understood returns the question that a search answered.
func understood(f *Found, opt Options, in *live.State) Question {
	limit := ""
	if f.Mode != Predicted {
		limit = timeText(opt)
	}
	q := newQuestion(f.Task, f.Costs, opt.Filters, limit, in, opt.SMARTS != nil, opt.Unread)
	q.Text = q.sentence(f)
	return q
}

// newQuestion returns a question of a state without its text. Patterns say themselves what of
// molecules they compare.
func newQuestion(task Task, costs edit.Costs, filters []Filter, limit string, in *live.State, pattern bool,
	unread dataset.Unread) Question {
	q := Question{Task: task, Costs: CostsName(costs), TimeLimit: limit, State: in.Tag()}
	for _, filter := range filters {
		q.Filter = append(q.Filter, filter.String())
	}
	var rules dataset.Rules // of programs, which read nothing
	if in.Rules != nil {
		rules = *in.Rules
	}
	rules.Unread = rules.Unread.Or(unread)
	q.Compared, q.NotCompared = Compared(rules, in.SomeMolecules(), costs)
	if in.SomeMolecules() && !pattern {
		q.Forms, q.forms = rules.Forms()
	}
	if in.Molecules() {
		q.ofMolecules(rules, costs, pattern)
	}
	return q
}

// ofMolecules says what is compared of molecules.
func (q *Question) ofMolecules(rules dataset.Rules, costs edit.Costs, pattern bool) {
	q.Labels = "elements and bond orders"
	if q.Compared, q.NotCompared = Compared(rules, true, costs); pattern {
		q.Compared, q.NotCompared = nil, []string{"chirality", "cis/trans marks"}
	}
}

// unreadIn returns what of the graphs of a state has attributes but no labels, as far as that is known.
func unreadIn(in *live.State) (u dataset.Unread) {
	if in.Rules != nil {
		u = in.Rules.Unread
	}
	return u
}

// Compared returns what is compared of molecules besides elements and bond orders, and what of graphs is not, by
// distances under these costs of graphs that were read by these rules, and of these.
func Compared(rules dataset.Rules, molecules bool, costs edit.Costs,
	graphs ...*dataset.Record) (compared, not []string) {
	for _, rec := range graphs {
		rules.Unread = rules.Unread.Or(rec.Unread)
	}
	if molecules {
		compared, not = rules.Compared()
	}
	nodes, edges := rules.Unlabelled()
	for _, part := range []struct {
		name string
		left bool
	}{
		{"conditions on atoms and bonds", rules.Unread.Conditions}, {"CXSMILES extensions", rules.Unread.Extensions},
		{"node labels", nodes}, {"node attributes", rules.Unread.Nodes},
		{"edge labels", edges || reflect.DeepEqual(costs, costs.IgnoreEdgeLabels())},
		{"edge attributes", rules.Unread.Edges},
		{"single self-loops and parallel edges", rules.Simplify}, {"tautomers", molecules && rules.Tautomers},
	} {
		if part.left {
			not = append(not, part.name)
		}
	}
	return compared, not
}

// timeText says the time of a search.
func timeText(opt Options) string {
	usual := DefaultTime
	if opt.Mode == Checked {
		usual = DefaultCheckedTime
	}
	return limitText(cmp.Or(opt.Time, usual))
}

// limitText says a time limit.
func limitText(limit time.Duration) string {
	if limit == NoLimit {
		return "none"
	}
	return limit.Round(time.Microsecond).String()
}

// sentence says the question in plain words.
func (q *Question) sentence(f *Found) string {
	var b strings.Builder
	if f.K > 0 {
		fmt.Fprintf(&b, "the %d nearest", f.K)
	} else {
		b.WriteString("all")
	}
	if f.Radius != nil {
		fmt.Fprintf(&b, " within %v", *f.Radius)
	}
	fmt.Fprintf(&b, " by %s; %s", strings.ToUpper(f.Task.String()), q.Terms())
	return b.String()
}

// Terms says on which terms graphs were compared: costs, what does not count, and which
// records.
func (q *Question) Terms() string {
	var b strings.Builder
	switch q.Costs {
	case "uniform":
		b.WriteString("every edit costs 1")
	case ownCosts:
		b.WriteString("edit costs of your own")
	default:
		fmt.Fprintf(&b, "edit costs %s", q.Costs)
	}
	if len(q.Compared) > 0 {
		fmt.Fprintf(&b, "; %s compared", subject(q.Compared))
	}
	if len(q.NotCompared) > 0 {
		fmt.Fprintf(&b, "; %s not compared", subject(q.NotCompared))
	}
	if len(q.forms) > 0 {
		fmt.Fprintf(&b, "; molecules in standard forms: %s", strings.Join(q.forms, ", "))
	}
	if len(q.Filter) > 0 {
		fmt.Fprintf(&b, "; only where %s", strings.Join(q.Filter, " and "))
	}
	return b.String()
}

// ownCosts is the name of costs that have none.
const ownCosts = "own"

// subject joins words to the subject of a sentence, with its verb: a, b and c are.
func subject(words []string) string {
	last, verb := len(words)-1, " are"
	if last == 0 && words[0] == "stereochemistry" {
		verb = " is"
	}
	return strings.TrimPrefix(strings.Join(words[:last], ", ")+" and "+words[last], " and ") + verb
}

// SameGraph says what an answer at distance 0 is.
func (f *Found) SameGraph() string { return SameGraph(f.Task, f.Costs, f.Question.NotCompared) }

// SameGraph says what a graph at distance 0 is under these costs, where some things were not
// compared.
func SameGraph(task Task, costs edit.Costs, notCompared []string) string {
	text := cmp.Or(map[Task]string{SED: "contains the query"}[task], "the same graph")
	if costs.Free(task) {
		text += " but for edits that cost nothing"
	}
	if len(notCompared) > 0 {
		text += "; " + subject(notCompared) + " not compared"
	}
	return text
}
