package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// mostAnswers is how many answers an assistant gets at most, mostEdits how many edits
// of each.
const (
	mostAnswers = 100
	mostEdits   = 100
)

// Arguments that several tools share. Most have a default, so that an assistant can
// call a tool with a graph alone.
type (
	collectionArg struct {
		Collection string `json:"collection,omitempty" jsonschema:"The collection; not needed where there is one only"`
	}
	timeArg struct {
		Seconds float64 `json:"seconds,omitempty" jsonschema:"Time for the exact solver; where it is not enough the answer has bounds"`
	}
	findArgs struct {
		K       int      `json:"k,omitempty" jsonschema:"How many answers at most; without it 10"`
		Filters []string `json:"filters,omitempty" jsonschema:"Conditions on attributes, all of which hold: ATTR=VALUE, ATTR in A,B, ATTR>=X, ATTR exists"`
		Show    []string `json:"show,omitempty" jsonschema:"Attributes that answers are to have"`
	}
)

type searchArgs struct {
	collectionArg
	Query  string   `json:"query,omitempty" jsonschema:"The graph to look for: a SMILES, or the text of a file"`
	ID     string   `json:"id,omitempty" jsonschema:"Or the id of a graph of the collection"`
	Task   string   `json:"task,omitempty" jsonschema:"ged: the nearest graphs; sed: the graphs that contain the query most nearly"`
	Radius *float64 `json:"radius,omitempty" jsonschema:"Only answers within this distance"`
	Mode   string   `json:"mode,omitempty" jsonschema:"proven: complete and exact; checked: quicker, may miss some; predicted: a model's guesses, at once"`
	Edits  bool     `json:"edits,omitempty" jsonschema:"Say for every answer what differs"`
	findArgs
	timeArg
}

type containsArgs struct {
	collectionArg
	Fragment string  `json:"fragment" jsonschema:"The graph that is to be contained: a SMILES, or the text of a file"`
	Missing  float64 `json:"missing,omitempty" jsonschema:"How much of the fragment may be missing or other, as the cost of edits; 0: it is contained whole"`
	findArgs
	timeArg
}

type distanceArgs struct {
	collectionArg
	Query    string `json:"query,omitempty" jsonschema:"The first graph: a SMILES, or the text of a file"`
	QueryID  string `json:"query_id,omitempty" jsonschema:"Or the id of a graph of the collection"`
	Target   string `json:"target,omitempty" jsonschema:"The second graph: a SMILES, or the text of a file"`
	TargetID string `json:"target_id,omitempty" jsonschema:"Or the id of a graph of the collection"`
	Task     string `json:"task,omitempty" jsonschema:"ged: turn the query into the target; sed: into a part of the target"`
	Costs    string `json:"costs,omitempty" jsonschema:"What edits cost; uniform: 1 each"`
	timeArg
}

type parseArgs struct {
	Graph string `json:"graph" jsonschema:"A SMILES, or the text of a file with one graph"`
}

func (s *Server) addCollectionsTool(to *mcp.Server) {
	type output struct {
		Collections []shownCollection `json:"collections"`
	}
	addTool(s, to, tool{"collections", "List the collections", "Lists the collections of graphs that can be searched, with their sizes and models."},
		func(map[string]*jsonschema.Schema) {},
		func(context.Context, *struct{}) (*output, error) {
			out := &output{Collections: []shownCollection{}}
			for _, name := range s.catalog.Load().names {
				i := s.describe(s.catalog.Load().by[name])
				shown := shownCollection{Name: i.Name, About: i.About, Graphs: i.Graphs, Molecules: i.Molecules, Models: []string{}}
				for _, m := range i.Models {
					shown.Models = append(shown.Models, m.Task.String())
				}
				out.Collections = append(out.Collections, shown)
			}
			return out, nil
		})
}

func (s *Server) addSearchTool(to *mcp.Server) {
	addTool(s, to, tool{"search", "Search a collection", "Finds the graphs of a collection nearest to a graph, by edit distance, nearest first. Answers are proven unless mode says otherwise."},
		func(p map[string]*jsonschema.Schema) {
			choice(p["task"], "ged", "sed")
			choice(p["mode"], "proven", "checked", "predicted")
			s.boundSearch(p)
			between(p["radius"], 0, greatest)
		},
		func(ctx context.Context, in *searchArgs) (*shownSearch, error) {
			if err := either("query", in.Query, "id", in.ID); err != nil {
				return nil, err
			}
			return s.assistSearch(ctx, in.Collection, &SearchRequest{
				Query: Query{Text: in.Query, ID: in.ID}, Radius: in.Radius,
				Wanted: Wanted{Task: in.Task, K: in.K, Filter: in.Filters, Mode: in.Mode, Explain: in.Edits, Budget: in.budget()},
			}, in.Show)
		})
}

func (s *Server) addContainsTool(to *mcp.Server) {
	addTool(s, to, tool{"contains", "Find graphs that contain a fragment", "Finds the graphs of a collection that contain a fragment, whole or up to some edits. " +
		"The map says which node of a graph each node of the fragment is, -1 where it is missing."},
		func(p map[string]*jsonschema.Schema) {
			s.boundSearch(p)
			between(p["missing"], 0, greatest)
		},
		func(ctx context.Context, in *containsArgs) (*shownSearch, error) {
			return s.assistSearch(ctx, in.Collection, &SearchRequest{
				Query: Query{Text: in.Fragment}, Radius: &in.Missing,
				Wanted: Wanted{Task: "sed", K: in.K, Filter: in.Filters, Explain: true, Budget: in.budget()},
			}, in.Show)
		})
}

func (s *Server) addDistanceTool(to *mcp.Server) {
	addTool(s, to, tool{"distance", "Distance of two graphs", "Computes the edit distance of two graphs, and the edits that turn the first into the second. " +
		"The map says which node of the target each node of the query becomes, -1 where it is deleted."},
		func(p map[string]*jsonschema.Schema) {
			choice(p["task"], "ged", "sed")
			choice(p["costs"], edit.Names()...)
			s.boundTime(p)
		}, s.assistDistance)
}

func (s *Server) addParseTool(to *mcp.Server) {
	addTool(s, to, tool{"parse", "Read a graph", "Reads a graph and says what was understood: its nodes, which are numbered from 0, and its edges, with their labels."},
		func(map[string]*jsonschema.Schema) {},
		func(ctx context.Context, in *parseArgs) (*shownGraph, error) {
			rec, err := s.read(ctx, &Query{Text: in.Graph}, nil)
			if err != nil {
				return nil, err
			}
			return showGraph(rec), nil
		})
}

// greatest is the greatest distance that an assistant may ask for.
const greatest = 1e9

func (s *Server) boundSearch(p map[string]*jsonschema.Schema) {
	between(p["k"], 1, float64(min(mostAnswers, s.opt.Limits.Answers)))
	most := 20
	p["filters"].MaxItems, p["show"].MaxItems = &most, &most
	s.boundTime(p)
}

func (s *Server) boundTime(p map[string]*jsonschema.Schema) {
	between(p["seconds"], 0.001, s.opt.Limits.Time.Seconds())
}

// budget parses the time of a request; "" is the default.
func (a timeArg) budget() string {
	if a.Seconds == 0 {
		return ""
	}
	return time.Duration(a.Seconds * float64(time.Second)).String()
}

// chosen returns the collection with a name, which may be omitted if there is only one.
func (s *Server) chosen(name string) (*hosted, error) {
	if name != "" || len(s.catalog.Load().names) == 0 {
		return s.find(name)
	}
	if len(s.catalog.Load().names) > 1 {
		return nil, problem(http.StatusUnprocessableEntity, "name a collection; there are: %s", strings.Join(s.catalog.Load().names, ", "))
	}
	return s.catalog.Load().by[s.catalog.Load().names[0]], nil
}

func (s *Server) assistSearch(ctx context.Context, name string, in *SearchRequest, show []string) (*shownSearch, error) {
	sh, err := s.chosen(name)
	if err != nil {
		return nil, err
	}
	if in.K == 0 {
		in.K = 10
	}
	j, err := s.understand(ctx, sh.Name, typeJSON, in)
	if err != nil {
		return nil, err
	}
	j.opt.Show = show
	var out *shownSearch
	err = s.answer(ctx, j, func(res *result) (err error) {
		out, err = showSearch(res)
		return err
	})
	return out, err
}

// either returns an error unless exactly one graph is given.
func either(text, given, id, named string) error {
	if (given == "") == (named == "") {
		return problem(http.StatusUnprocessableEntity, "give %s or %s", text, id)
	}
	return nil
}

func (s *Server) assistDistance(ctx context.Context, in *distanceArgs) (*shownDistance, error) {
	if err := cmp.Or(either("query", in.Query, "query_id", in.QueryID), either("target", in.Target, "target_id", in.TargetID)); err != nil {
		return nil, err
	}
	var sh *hosted
	if in.QueryID != "" || in.TargetID != "" || in.Collection != "" {
		var err error
		if sh, err = s.chosen(in.Collection); err != nil {
			return nil, err
		}
	}
	query, err := s.read(ctx, &Query{Text: in.Query, ID: in.QueryID}, sh)
	if err != nil {
		return nil, err
	}
	target, err := s.read(ctx, &Query{Text: in.Target, ID: in.TargetID}, sh)
	if err != nil {
		return nil, err
	}
	costs, known := edit.Named(orElse(in.Costs, "uniform"))
	if !known {
		return nil, problem(http.StatusUnprocessableEntity, "there are no costs named %q", in.Costs)
	}
	out, err := s.compare(ctx, costs, query, target, &Measured{Task: in.Task, Budget: in.budget()})
	if err != nil {
		return nil, err
	}
	return showDistance(out, query, target), nil
}

// The shapes of what tools return. Assistants read all of it, so it is shorter than the
// JSON of the API, and edits are in words.
type (
	shownCollection struct {
		Name      string   `json:"name"`
		About     string   `json:"about,omitempty"`
		Graphs    int      `json:"graphs"`
		Molecules bool     `json:"molecules" jsonschema:"All graphs are of molecules"`
		Models    []string `json:"models" jsonschema:"The tasks for which there is a model: ged, sed"`
	}
	// bounds says what is known of a distance.
	bounds struct {
		Distance *float64 `json:"distance,omitempty" jsonschema:"The distance, where it is known exactly"`
		Lower    *float64 `json:"lower,omitempty" jsonschema:"Elsewhere the distance is this or more"`
		Upper    *float64 `json:"upper,omitempty" jsonschema:"And this or less"`
	}
	// changes says what differs.
	changes struct {
		Map   []int    `json:"map,omitempty" jsonschema:"For every query node the target node, or -1"`
		Edits []string `json:"edits,omitempty" jsonschema:"What turns the query into the target, or into a part of it"`
		More  int      `json:"more_edits,omitempty" jsonschema:"How many more edits there are, which are not listed"`
	}
	shownAnswer struct {
		ID     string `json:"id"`
		Name   string `json:"name,omitempty"`
		SMILES string `json:"smiles,omitempty"`
		bounds
		Predicted  *float64       `json:"predicted,omitempty" jsonschema:"What a model predicts; no distance"`
		Similarity float64        `json:"similarity" jsonschema:"From 0 to 1"`
		Attributes map[string]any `json:"attributes,omitempty"`
		changes
	}
	shownSearch struct {
		Task    string        `json:"task"`
		Status  string        `json:"status"`
		Verdict string        `json:"verdict" jsonschema:"What the answers are worth"`
		Notes   []string      `json:"notes,omitempty"`
		Answers []shownAnswer `json:"answers" jsonschema:"Nearest first"`
	}
	shownDistance struct {
		Task string `json:"task"`
		bounds
		changes
		Query  *shownGraph `json:"query"`
		Target *shownGraph `json:"target"`
	}
	shownGraph struct {
		SMILES   string      `json:"smiles,omitempty"`
		Directed bool        `json:"directed"`
		Nodes    []string    `json:"nodes" jsonschema:"The label of every node"`
		Names    []string    `json:"names,omitempty" jsonschema:"The name of every node, which edits use, if nodes have names"`
		Edges    []shownEdge `json:"edges"`
	}
	shownEdge struct {
		Source int    `json:"source"`
		Target int    `json:"target"`
		Label  string `json:"label,omitempty"`
	}
)

func showSearch(res *result) (*shownSearch, error) {
	found := res.Found
	out := &shownSearch{
		Task: found.Task.String(), Status: string(found.Status), Verdict: found.Verdict(), Notes: found.Warnings, Answers: []shownAnswer{},
	}
	for a, err := range res.each() {
		if err != nil {
			return nil, err
		}
		j := a.JSON()
		shown := shownAnswer{
			ID: a.ID, Name: a.Name, SMILES: a.SMILES, Predicted: j.Predicted, Similarity: a.Similarity, Attributes: a.Attributes,
			changes: showChanges(a.Map, a.Edits),
		}
		if j.Lower != nil {
			shown.bounds = showBounds(*j.Lower, *j.Upper)
		}
		out.Answers = append(out.Answers, shown)
	}
	if n := found.Unexplained; n > 0 {
		out.Notes = append(slices.Clone(out.Notes), fmt.Sprintf("the time or the memory did not suffice for the edits of %d answers", n))
	}
	return out, nil
}

func showDistance(d *Distance, query, target dataset.Record) *shownDistance {
	return &shownDistance{
		Task: d.Task.String(), bounds: showBounds(d.Lower, d.Upper), changes: showChanges(d.Map, d.Edits),
		Query: showGraph(query), Target: showGraph(target),
	}
}

func showBounds(lower, upper float64) bounds {
	if lower == upper {
		return bounds{Distance: &upper}
	}
	return bounds{Lower: &lower, Upper: &upper}
}

func showChanges(m edit.NodeMap, edits []edit.Operation) changes {
	c := changes{Map: slices.Clone([]int(m))}
	listed := edits[:min(len(edits), mostEdits)]
	c.More = len(edits) - len(listed)
	for _, e := range listed {
		c.Edits = append(c.Edits, e.String())
	}
	return c
}

func showGraph(rec dataset.Record) *shownGraph {
	g := rec.Graph
	out := &shownGraph{SMILES: rec.SMILES, Directed: g.Directed(), Names: rec.NodeIDs, Nodes: []string{}, Edges: []shownEdge{}}
	for v := range g.N() {
		out.Nodes = append(out.Nodes, g.LabelText(v))
	}
	for e := range g.Edges() {
		out.Edges = append(out.Edges, shownEdge{e.From, e.To, g.Vocabulary().EdgeText(e.Label)})
	}
	return out
}
