package server

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
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
)

type searchArgs struct {
	collectionArg
	Query string `json:"query,omitempty" jsonschema:"The graph to look for: a SMILES, or the text of a file"`
	ID    string `json:"id,omitempty" jsonschema:"Or the id of a graph of the collection"`
	operation.Search
}

type containsArgs struct {
	collectionArg
	Fragment string  `json:"fragment" jsonschema:"The graph that is to be contained: a SMILES, or the text of a file"`
	Missing  float64 `json:"missing,omitempty" jsonschema:"How much of the fragment may be missing or other, as the cost of edits; 0: it is contained whole"`
	K        *int    `json:"k,omitempty" jsonschema:"Maximum number of answers; by default 10"`
	operation.Matching
}

type parseArgs struct {
	Graph string `json:"graph" jsonschema:"A SMILES, or the text of a file with one graph"`
	operation.Parse
}

func (s *Server) addCollectionsTool(to *mcp.Server) {
	type output struct {
		Collections []shownCollection `json:"collections"`
	}
	addTool(s, to, tool{"collections", "List the collections", "Lists the collections of graphs that can be searched, with their sizes and models."},
		func(map[string]*jsonschema.Schema) {},
		func(context.Context, *struct{}) (*output, error) {
			out := &output{Collections: []shownCollection{}}
			now := s.catalog.Load()
			for _, name := range now.names {
				i := s.describe(now.by[name])
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
			s.describeArgs(p, operation.Search{})
			between(p["radius"], 0, greatest)
		},
		func(ctx context.Context, in *searchArgs) (*shownSearch, error) {
			if err := either("query", in.Query, "id", in.ID); err != nil && in.SMARTS == "" {
				return nil, err
			}
			return s.assistSearch(ctx, in.Collection, &SearchRequest{
				Query: Query{Text: in.Query, ID: in.ID}, Search: in.Search,
			})
		})
}

func (s *Server) addContainsTool(to *mcp.Server) {
	addTool(s, to, tool{"contains", "Find graphs that contain a fragment", "Finds the graphs of a collection that contain a fragment, whole or up to some edits. " +
		"The map says which node of a graph each node of the fragment is, -1 where it is missing."},
		func(p map[string]*jsonschema.Schema) {
			s.describeArgs(p, operation.Matching{})
			between(p["missing"], 0, greatest)
		},
		func(ctx context.Context, in *containsArgs) (*shownSearch, error) {
			return s.assistSearch(ctx, in.Collection, &SearchRequest{
				Query:  Query{Text: in.Fragment},
				Search: operation.Search{Task: "sed", K: in.K, Radius: &in.Missing, Explain: true, Matching: in.Matching},
			})
		})
}

func (s *Server) addParseTool(to *mcp.Server) {
	addTool(s, to, tool{"parse", "Read a graph", "Reads a graph and says what was understood: its nodes, which are numbered from 0, and its edges, with their labels."},
		func(p map[string]*jsonschema.Schema) { s.describeArgs(p, operation.Parse{}) },
		func(ctx context.Context, in *parseArgs) (*shownGraph, error) {
			sh, err := s.readFor(in.Collection)
			if err != nil {
				return nil, err
			}
			rec, err := s.read(ctx, &Query{Text: in.Graph}, sh)
			if err != nil {
				return nil, err
			}
			return showGraph(rec), nil
		})
}

// greatest is the greatest distance that an assistant may ask for.
const greatest = 1e9

// describeArgs completes the schema of arguments that are fields of an operation.
func (s *Server) describeArgs(p map[string]*jsonschema.Schema, described any) {
	for _, f := range operation.Fields(described) {
		property := p[f.Name]
		if f.Type == reflect.TypeFor[operation.Costs]() {
			*property = jsonschema.Schema{Description: f.Doc, Enum: anys(edit.Names())}
			continue
		}
		property.Description = f.Doc
		if len(f.Values) > 0 {
			choice(property, f.Values...)
		}
		if most, err := strconv.Atoi(f.Most); err == nil {
			property.MaxItems = &most
		}
	}
	if k := p["k"]; k != nil {
		between(k, 1, float64(min(mostAnswers, s.opt.Limits.Answers)))
	}
}

func anys(texts []string) (list []any) {
	for _, t := range texts {
		list = append(list, t)
	}
	return list
}

// chosen returns the collection with a name, which may be omitted if there is only one.
func (s *Server) chosen(name string) (*hosted, error) {
	now := s.catalog.Load()
	switch {
	case name != "" || len(now.names) == 0:
		return s.find(name)
	case len(now.names) > 1:
		return nil, problem(http.StatusUnprocessableEntity, "name a collection; there are: %s", strings.Join(now.names, ", "))
	}
	return now.by[now.names[0]], nil
}

func (s *Server) assistSearch(ctx context.Context, name string, in *SearchRequest) (*shownSearch, error) {
	sh, err := s.chosen(name)
	if err != nil {
		return nil, err
	}
	in.K = atMost(in.K) // all within a radius may be many
	j, err := s.understand(ctx, sh.Name, typeJSON, in)
	if err != nil {
		return nil, err
	}
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
		Map             []int    `json:"map,omitempty" jsonschema:"For every query node the target node, or -1"`
		Edits           []string `json:"edits,omitempty" jsonschema:"What turns the query into the target, or into a part of it"`
		Transformations []string `json:"transformations,omitempty" jsonschema:"Of molecules, the fragments that are exchanged: in words and as SMIRKS"`
		More            int      `json:"more_edits,omitempty" jsonschema:"How many more edits there are, which are not listed"`
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
		Asked   string        `json:"asked" jsonschema:"How the question was understood"`
		Notes   []string      `json:"notes,omitempty"`
		Answers []shownAnswer `json:"answers" jsonschema:"Nearest first"`
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
		Task: found.Task.String(), Status: string(found.Status), Verdict: found.Verdict, Asked: found.Question.Text,
		Notes: found.Warnings, Answers: []shownAnswer{},
	}
	if found.Unmatched != nil {
		out.Notes = append([]string{found.Unmatched.String()}, out.Notes...)
	}
	for a, err := range res.each() {
		if err != nil {
			return nil, err
		}
		shown := shownAnswer{
			ID: a.ID, Name: a.Name, SMILES: a.SMILES, Predicted: a.Predicted, Similarity: a.Similarity, Attributes: a.Attributes,
			changes: showChanges(a.Map, a.Edits, a.Transformations),
		}
		if a.Lower != nil {
			shown.bounds = showBounds(*a.Lower, *a.Upper)
		}
		out.Answers = append(out.Answers, shown)
	}
	if n := found.Unexplained; n > 0 {
		out.Notes = append(slices.Clone(out.Notes), fmt.Sprintf("the time or the memory did not suffice for the edits of %d answers", n))
	}
	return out, nil
}

func showBounds(lower, upper float64) bounds {
	if lower == upper {
		return bounds{Distance: &upper}
	}
	return bounds{Lower: &lower, Upper: &upper}
}

func showChanges(m edit.NodeMap, edits []edit.Operation, list []transform.Transformation) changes {
	c := changes{Map: slices.Clone([]int(m))}
	listed := edits[:min(len(edits), mostEdits)]
	c.More = len(edits) - len(listed)
	for _, e := range listed {
		c.Edits = append(c.Edits, e.String())
	}
	for _, t := range list[:min(len(list), mostEdits)] {
		c.Transformations = append(c.Transformations, t.String())
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
