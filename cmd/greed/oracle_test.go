package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/server"
)

// TestOracleOfDistances asks random questions by every surface, some with a microsecond, and
// compares what is said with all node maps. GREED_ORACLE=3h asks for three hours.
func TestOracleOfDistances(t *testing.T) {
	s, err := server.New(server.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p := newPiped(t)
	dir := t.TempDir()
	gedtest.Trials(t, time.Second, func(r *rand.Rand) error {
		x := gedtest.Ask(r)
		if r.IntN(3) == 0 {
			x = gedtest.AskMulti(r)
		}
		if x.Q.N() == 0 || x.T.N() == 0 { // files have no graphs without nodes
			return nil
		}
		limit := []time.Duration{0, time.Microsecond, 20 * time.Microsecond}[r.IntN(3)]
		asks := map[string]func() (gedtest.Claim, *gedtest.Question, error){
			"pipe": func() (gedtest.Claim, *gedtest.Question, error) { return pipedDistance(p, x, limit) },
		}
		if x.Kind != "measured" { // files and bodies have attributes in place of such labels
			asks["command line"] = func() (gedtest.Claim, *gedtest.Question, error) { return distanceByFlags(t, dir, x, limit) }
			asks["body"] = func() (gedtest.Claim, *gedtest.Question, error) { return postedDistance(t, s, x, limit) }
		}
		for surface, ask := range asks {
			claim, asked, err := ask()
			if err == nil {
				err = asked.Judge(claim, limit == 0)
			}
			if err != nil {
				return fmt.Errorf("%s, limit %v: %w\n%v", surface, limit, err, x)
			}
		}
		return nil
	})
}

// said is the JSON of a distance.
type said struct {
	Lower   float64      `json:"lower"`
	Upper   float64      `json:"upper"`
	Exact   bool         `json:"exact"`
	Stopped string       `json:"stopped"`
	Within  string       `json:"within"`
	Map     edit.NodeMap `json:"map"`
}

func (s *said) claim(text []byte) (gedtest.Claim, error) {
	err := json.Unmarshal(text, s)
	return gedtest.Claim{Answer: gedtest.Answer{Lower: s.Lower, Upper: s.Upper, Map: s.Map, Exact: s.Exact}, Stopped: s.Stopped != ""}, err
}

// distanceByFlags asks the command line, which takes no limit of the distance.
func distanceByFlags(t *testing.T, dir string, x *gedtest.Question, limit time.Duration) (c gedtest.Claim, _ *gedtest.Question, err error) {
	var files []string
	for i, g := range []*graph.Graph{x.Q, x.T} {
		n, err := dataset.NewNodeLink(dataset.Record{ID: "g", Graph: g})
		if err != nil {
			return c, nil, err
		}
		files = append(files, filepath.Join(dir, strconv.Itoa(i)+".json"))
		if err := writeJSON(files[i], n); err != nil {
			return c, nil, err
		}
	}
	costs := filepath.Join(dir, "costs.json")
	if err := writeJSON(costs, x.Costs); err != nil {
		return c, nil, err
	}
	asked := *x
	asked.Upper = 0
	x = &asked
	args := []string{x.Task.String(), files[0], files[1], "--json", "--workers=1", "--costs", costs}
	if limit > 0 {
		args = append(args, "--time-limit", limit.String())
	}
	if len(x.Fixed) > 0 {
		args = append(args, "--fix", fixText(x.Fixed))
	}
	if !math.IsInf(x.Within, -1) {
		args = append(args, "--within", number(x.Within))
	}
	text, err := printedBy(t, args)
	if err != nil {
		return c, nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	var s said
	c, err = s.claim(text)
	if tau := x.Within; err == nil && !math.IsInf(tau, -1) {
		if far := x.Truth > tau*(1+1e-11); s.Within == "yes" && far || s.Within == "no" && x.Truth <= tau {
			err = fmt.Errorf("within %v: %s", tau, s.Within)
		}
	}
	return c, x, err
}

func writeJSON(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// printedBy returns what a command line prints.
func printedBy(t *testing.T, args []string) ([]byte, error) {
	var cli commands
	command, err := newParser(&cli).Parse(args)
	if err != nil {
		return nil, err
	}
	return commanded(t, func(s *session) error { return command.Run(s) })
}

func fixText(fixed [][2]int) string {
	node := func(v int) string {
		if v == edit.Deleted {
			return "-"
		}
		return strconv.Itoa(v)
	}
	var parts []string
	for _, f := range fixed {
		parts = append(parts, node(f[0])+":"+node(f[1]))
	}
	return strings.Join(parts, ",")
}

// postedDistance asks a service, which takes no fixed pairs and no limits.
func postedDistance(t *testing.T, s *server.Server, x *gedtest.Question, limit time.Duration) (c gedtest.Claim, _ *gedtest.Question, err error) {
	x = x.Plain()
	body := object{"task": x.Task.String(), "costs": x.Costs}
	for name, g := range map[string]*graph.Graph{"query": x.Q, "target": x.T} {
		n, err := dataset.NewNodeLink(dataset.Record{ID: "g", Graph: g})
		if err != nil {
			return c, nil, err
		}
		body[name] = object{"graph": n}
	}
	if limit > 0 {
		body["time_limit"] = limit.String()
	}
	text, err := posted(t, s, "/v1/distance", body)
	if err != nil {
		return c, nil, err
	}
	c, err = new(said).claim(text)
	return c, x, err
}

// pipedDistance asks the program behind Python, which takes no fixed pairs.
func pipedDistance(p *piped, x *gedtest.Question, limit time.Duration) (c gedtest.Claim, _ *gedtest.Question, err error) {
	tau := x.Within
	x = x.Plain()
	args := object{"task": x.Task.String(), "costs": x.Costs, "mode": "pairs", "map": true, "workers": 1}
	if limit > 0 {
		args["time_limit"] = limit.String()
	}
	if !math.IsInf(tau, -1) {
		args["within"], x.Within = tau, tau
	}
	queries, qs := arraysOf("queries", x.Q)
	targets, ts := arraysOf("targets", x.T)
	args["queries"], args["targets"] = queries, targets
	_, data, err := p.ask("distances", args, append(qs, ts...)...)
	if err != nil {
		return c, nil, err
	}
	item := func(name string) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(data[name])) }
	c.Lower, c.Upper, c.Stopped = item("lower"), item("upper"), data["stopped"][0] != 0
	c.Exact = c.Lower == c.Upper
	c.Map = edit.NodeMap{}
	for b := data["maps"]; len(b) > 0; b = b[4:] {
		c.Map = append(c.Map, int(int32(binary.LittleEndian.Uint32(b))))
	}
	if is := data["within"]; is != nil && (is[0] == 1 && x.Truth > tau*(1+1e-11) || is[0] == 0 && x.Truth <= tau) {
		err = fmt.Errorf("within %v: %d", tau, is[0])
	}
	return c, x, err
}

// arraysOf returns a graph as a request has it.
func arraysOf(name string, g *graph.Graph) (set object, arrays []numbers) {
	directed := int32(0)
	if g.Directed() {
		directed = 1
	}
	sizes, kinds := []int32{int32(g.N()), int32(g.M()), directed}, []int32{1}
	var labels, ends, edges []int32
	nodeTexts, edgeTexts := []string{}, []string{}
	for v, l := range g.Labels() {
		if labels = append(labels, -1); l != graph.Wildcard {
			labels[v] = int32(v)
		}
		nodeTexts = append(nodeTexts, g.LabelText(v))
	}
	for e := range g.Edges() {
		i := len(edges)
		if edges = append(edges, -1); e.Label != graph.Wildcard {
			edges[i] = int32(i)
		}
		ends = append(ends, int32(e.From), int32(e.To))
		edgeTexts = append(edgeTexts, g.Vocabulary().EdgeText(e.Label))
	}
	set = object{"smiles": []string{}, "nodes": nodeTexts, "edges": edgeTexts}
	return set, []numbers{
		{name + ".kinds", "u1", []int{1}, kinds}, {name + ".sizes", "i4", []int{1, 3}, sizes},
		{name + ".labels", "i4", []int{len(labels)}, labels}, {name + ".ends", "i4", []int{len(edges), 2}, ends}, {name + ".edges", "i4", []int{len(edges)}, edges},
	}
}

// TestOracleOfSearches asks every surface for the graphs nearest to a query, often with too
// little time, and counts what is said against true distances.
func TestOracleOfSearches(t *testing.T) {
	kinds := gedtest.Costs()
	p := newPiped(t)
	dir := t.TempDir()
	open, certified := 0, 0
	gedtest.Trials(t, time.Second, func(r *rand.Rand) (err error) {
		shape := gedtest.Shape{MinNodes: 1, MaxNodes: 5, Density: r.Float64(), NodeLabels: 1 + r.IntN(3), EdgeLabels: 1 + r.IntN(2), Directed: r.IntN(3) == 0}
		if r.IntN(3) == 0 {
			shape.Multi, shape.MaxNodes = 0.3, 4
		}
		vocab := graph.NewVocabulary()
		var list []greed.Record
		for i := range 3 + r.IntN(30) {
			list = append(list, greed.Record{ID: "g" + strconv.Itoa(i), Graph: gedtest.Graph(r, vocab, shape)})
		}
		q := gedtest.Graph(r, vocab, shape)
		if q.M() == 0 { // it could be of either direction
			return nil
		}
		c, err := greed.FromRecords(vocab, list)
		if err != nil {
			return err
		}
		index := filepath.Join(dir, "index")
		if err := os.RemoveAll(index); err != nil {
			return err
		}
		if err := c.Save(index); err != nil {
			return err
		}
		names := []string{"uniform", "decimal weights", "integer weights", "incommensurable", "chem1", "tables", "node table", "tables without unit", "rings", "dear labels"}
		costs := kinds[names[r.IntN(len(names))]](r)
		request := object{"costs": costs, "task": edit.Task(r.IntN(2)).String(), "explain": true}
		if r.IntN(3) > 0 {
			request["k"] = 1 + r.IntN(6)
		}
		request["time_limit"] = []string{"1us", "20us", "300us", "30s"}[r.IntN(4)]
		task := edit.GED
		if request["task"] == "sed" {
			task = edit.SED
		}
		price, err := edit.Price(task, costs, append(graphsIn(list), q)...)
		if err != nil {
			return err
		}
		truth := make(map[string]float64)
		var all []float64
		for _, rec := range list {
			d, _ := gedtest.BruteForce(price, q, rec.Graph)
			truth[rec.ID], all = d, append(all, d)
		}
		if r.IntN(2) == 0 || request["k"] == nil {
			request["radius"] = all[r.IntN(len(all))] * []float64{1, 1, 0.5, 1.5}[r.IntN(4)]
		}
		for surface, ask := range map[string]func() ([]byte, error){
			"command line": func() ([]byte, error) { return searchByFlags(t, dir, index, q, request) },
			"body":         func() ([]byte, error) { return postedSearch(t, c, q, request) },
			"pipe":         func() ([]byte, error) { return pipedSearch(p, index, q, request) },
		} {
			text, err := ask()
			var f greed.Found
			if err == nil {
				err = json.Unmarshal(text, &f)
			}
			if err == nil {
				err = judgeFound(&f, price, q, list, truth)
			}
			if f.Status == greed.StatusOpen {
				open++
			} else if err == nil && surface == "command line" && price.Unit(0).Exact() && request["time_limit"] == "30s" {
				certified++
				err = acceptsAnswers(filepath.Join(dir, "proof.json"), &f, len(list))
			}
			if err != nil {
				asked, _ := json.Marshal(request)
				return fmt.Errorf("%s, %s: %w\n%s\nquery %s\ntruth %v", surface, asked, err, text, gedtest.Text(q), truth)
			}
		}
		return nil
	})
	t.Logf("%d answers were open, %d certificates were accepted", open, certified)
}

func graphsIn(list []greed.Record) (graphs []*graph.Graph) {
	for _, rec := range list {
		graphs = append(graphs, rec.Graph)
	}
	return graphs
}

func searchByFlags(t *testing.T, dir, index string, q *graph.Graph, request object) ([]byte, error) {
	n, err := dataset.NewNodeLink(dataset.Record{ID: "q", Graph: q})
	if err != nil {
		return nil, err
	}
	query, costs := filepath.Join(dir, "query.json"), filepath.Join(dir, "costs.json")
	if err := writeJSON(query, n); err != nil {
		return nil, err
	}
	if err := writeJSON(costs, request["costs"]); err != nil {
		return nil, err
	}
	args := []string{"search", query, index, "--json", "--workers=1", "--costs", costs}
	if p, err := edit.Price(edit.GED, request["costs"].(edit.Costs)); err == nil && p.Unit(0).Exact() && request["time_limit"] == "30s" {
		args = append(args, "--certificate", filepath.Join(dir, "proof.json"))
	}
	for name, value := range request {
		switch value := value.(type) {
		case bool:
			args = append(args, "--"+name)
		case float64:
			args = append(args, "--"+name, number(value))
		case int, string:
			args = append(args, "--"+strings.ReplaceAll(name, "_", "-"), fmt.Sprint(value))
		}
	}
	return printedBy(t, args)
}

// acceptsAnswers returns an error unless a certificate of answers is accepted.
func acceptsAnswers(file string, f *greed.Found, graphs int) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	h, pairs, err := verify.Read(bytes.NewReader(text), func() {})
	if err != nil {
		return err
	}
	answers := 0
	for _, p := range pairs {
		if p.Answer {
			answers++
		}
	}
	if h.Pairs != graphs || answers != len(f.Answers) {
		return fmt.Errorf("the certificate has %d graphs and %d answers, want %d and %d", h.Pairs, answers, graphs, len(f.Answers))
	}
	return nil
}

func postedSearch(t *testing.T, c *greed.Collection, q *graph.Graph, request object) ([]byte, error) {
	opt := server.Defaults()
	opt.Hosted = []server.Hosted{{Name: "c", Collection: c}}
	s, err := server.New(opt)
	if err != nil {
		return nil, err
	}
	n, err := dataset.NewNodeLink(dataset.Record{ID: "q", Graph: q})
	if err != nil {
		return nil, err
	}
	body := maps.Clone(request)
	body["query"] = object{"graph": n}
	return posted(t, s, "/v1/collections/c/search", body)
}

func pipedSearch(p *piped, index string, q *graph.Graph, request object) ([]byte, error) {
	if _, _, err := p.ask("collection.open", object{"key": "c", "path": index}); err != nil {
		return nil, err
	}
	args := maps.Clone(request)
	set, arrays := arraysOf("queries", q)
	args["key"], args["queries"], args["workers"] = "c", set, 1
	list, _, err := p.ask("collection.search", args, arrays...)
	return bytes.TrimSuffix(bytes.TrimPrefix(list, []byte("[")), []byte("]")), err
}

// judgeFound returns what is not true of what was found.
func judgeFound(f *greed.Found, p *edit.Pricing, q *graph.Graph, list []greed.Record, truth map[string]float64) error {
	const near = 1e-13
	told, farthest, inexact := make(map[string]bool), 0.0, 0
	radius := math.Inf(1)
	if f.Radius != nil {
		radius = *f.Radius
	}
	for _, a := range f.Answers {
		lower, upper := a.Bounds()
		d := truth[a.ID]
		farthest = max(farthest, upper)
		if lower != upper {
			inexact++
		}
		if cost := edit.InducedCost(p, q, list[a.Position].Graph, a.Map); math.Abs(cost-upper) > near*upper {
			return fmt.Errorf("the map of %s costs %v, not %v", a.ID, cost, upper)
		}
		exceeds := near * d
		if lower == upper && !p.Unit(0).Exact() {
			exceeds = 1e-9 * d
		}
		if told[a.ID] || list[a.Position].ID != a.ID || lower > d+exceeds || upper < d*(1-near) || upper > radius*(1+1e-11) {
			return fmt.Errorf("%s: [%v, %v], the distance is %v", a.ID, lower, upper, d)
		}
		told[a.ID] = true
	}
	tied := 0
	for id, d := range truth {
		if !told[id] && math.Abs(d-farthest) <= 1e-9*d {
			tied++
		}
	}
	full := f.K > 0 && len(f.Answers) == f.K
	if f.Tied.More > tied || full && f.Certified && !f.Tied.Open && f.Tied.More != tied {
		return fmt.Errorf("tied are %+v, in truth %d", f.Tied, tied)
	}
	if full {
		farthest *= 1 - 1e-9 // who is as far may be left out
	} else {
		farthest = radius
	}
	nearer := 0
	for id, d := range truth {
		if !told[id] && d < farthest {
			nearer++
		}
	}
	excluded := 0
	for _, e := range f.Stats.Excluded {
		excluded += e.Graphs
	}
	switch {
	case nearer > f.Open.Missing:
		return fmt.Errorf("%d graphs are said to be nearer at most, %d are", f.Open.Missing, nearer)
	case inexact != f.Open.Inexact:
		return fmt.Errorf("%d answers are said to be inexact, %d are", f.Open.Inexact, inexact)
	case f.Certified != (f.Open.Missing == 0 && f.Open.Inexact == 0):
		return fmt.Errorf("%s, and %+v is open", f.Status, f.Open)
	case excluded+f.Open.Missing+len(f.Answers) > len(list) || f.Stats.Graphs != len(list):
		return fmt.Errorf("%d excluded, %d open and %d answers of %d graphs, said to be %d", excluded, f.Open.Missing, len(f.Answers), len(list), f.Stats.Graphs)
	}
	for _, g := range f.Open.Graphs {
		if told[g.ID] || g.Lower > truth[g.ID]*(1+near) {
			return fmt.Errorf("%s is open from %v on, the distance is %v", g.ID, g.Lower, truth[g.ID])
		}
	}
	return nil
}
