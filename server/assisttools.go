package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/search"
)

// tool is an operation of the API as assistants use it. Its arguments are the members of the
// request, except that a graph is a text or an id, and that a collection need not be named if
// there is only one. Its answer is that of the API, made [terse].
type tool struct {
	name, title, about string
	route              string         // method and path
	usual              map[string]any // arguments that are not given
	hidden             []string       // members of the request that it does not offer
}

const searchRoute = "POST /v1/collections/{name}/search"

// tools are all tools. There may be many answers within a radius, so each k has a default.
var tools = []tool{
	{"collections", "List the collections", "Lists the collections of graphs that can be searched, with their sizes and models.",
		"GET /v1/collections", nil, nil},
	{"search", "Search a collection", "Finds the graphs of a collection nearest to a graph, by edit distance, nearest first. Answers are proven unless mode says otherwise.",
		searchRoute, object{"k": search.DefaultK}, []string{"limit", "cursor"}},
	{"contains", "Find graphs that contain a fragment", "Finds the graphs of a collection that contain a fragment, the query, whole or up to edits of a cost within the radius. " +
		"The map says which node of a graph each node of the fragment is, -1 where it is missing.",
		searchRoute, object{"task": "sed", "radius": 0, "k": search.DefaultK, "explain": true}, []string{"limit", "cursor", "smarts", "task", "mode", "no_model", "explain"}},
	{"distance", "Distance of two graphs", "Computes the edit distance of two graphs, their similarity, and the edits that turn the first into the second. " +
		"The map says which node of the target each node of the query becomes, -1 where it is deleted.",
		"POST /v1/distance", nil, nil},
	{"diff", "What differs between two graphs", "Says what was removed, renamed, moved and added between two graphs, or two versions of one, in groups of connected changes. Nodes without labels are compared by their names.",
		"POST /v1/diff", nil, nil},
	{"common", "What two graphs have in common", "Finds the largest subgraph that two graphs have in common: by nodes, or by edges as chemists compare molecules.",
		"POST /v1/mcs", nil, nil},
	{"join", "Find near pairs", "Finds all pairs of graphs of a collection within a distance, nearest first: duplicates (radius 0) and near duplicates. Pairs are proven unless the status is open.",
		"POST /v1/collections/{name}/join", object{"k": search.DefaultK}, nil},
	{"cliffs", "Find activity cliffs", "Finds the pairs of graphs of a collection within a distance and says what they mean for an attribute: activity cliffs (near in structure, far in the attribute), " +
		"the mean change by each exchange of fragments of molecules, and duplicates.",
		"POST /v1/collections/{name}/cliffs", object{"k": search.DefaultK}, nil},
	{"parse", "Read a graph", "Reads a graph and says what was understood: its nodes, which are numbered from 0, and its edges, with their labels.",
		"POST /v1/parse", nil, []string{"smiles", "mol", "tve", "graph", "id"}},
}

// mostAnswers is how many answers an assistant gets at most, mostEdits how many edits of
// each, and mostWords how many in all.
const (
	mostAnswers = 100
	mostEdits   = 100
	mostWords   = 2000
)

// addTool adds a tool. Problems of the service become errors of the tool.
func (s *Server) addTool(to *mcp.Server, t *tool) {
	schema, graphs := s.argumentsOf(t)
	closed := false
	to.AddTool(&mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		out := &mcp.CallToolResult{}
		answer, err := s.use(ctx, t, graphs, call.Params.Arguments)
		if err != nil {
			out.SetError(errors.New(sayProblem(err)))
			return out, nil
		}
		text, err := json.Marshal(answer)
		out.Content, out.StructuredContent = []mcp.Content{&mcp.TextContent{Text: string(text)}}, json.RawMessage(text)
		return out, err
	})
}

// argumentsOf returns the schema of a tool's arguments and the names of those that are graphs.
func (s *Server) argumentsOf(t *tool) (args *huma.Schema, graphs []string) {
	method, path, _ := strings.Cut(t.route, " ")
	schemas := s.api.OpenAPI().Components.Schemas
	args = &huma.Schema{Type: huma.TypeObject, Properties: make(map[string]*huma.Schema), AdditionalProperties: false}
	text := func(about string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: about} }
	if strings.Contains(path, "{name}") {
		args.Properties["collection"] = text("The collection; not needed where there is one only")
	}
	body, _, _, _ := contentOf(s.api, &huma.Operation{Method: method, Path: path})
	if body == nil {
		return args, nil
	}
	body = schemas.SchemaFromRef(body.Ref)
	for name, member := range body.Properties {
		if slices.Contains(t.hidden, name) {
			continue
		}
		if member.Ref != "" {
			member = schemas.SchemaFromRef(member.Ref)
		}
		own := *member
		if args.Properties[name] = &own; own.Properties["smiles"] != nil {
			graphs = append(graphs, name)
			args.Properties[name] = text("The " + name + ": a SMILES, or the text of a file")
			args.Properties[name+"_id"] = text("Or the id of a graph of the collection")
		} else if slices.Contains(body.Required, name) {
			args.Required = append(args.Required, name)
		}
		if usual, ok := t.usual[name]; ok {
			own.Default = usual
		}
		if name == "k" {
			most := float64(s.mostAnswers())
			own.Maximum = &most
		}
	}
	return args, graphs
}

// mostAnswers is how many answers a tool may give.
func (s *Server) mostAnswers() int { return min(mostAnswers, s.opt.Limits.Answers) }

// use carries out the operation of a tool and returns its answer, a JSON object.
func (s *Server) use(ctx context.Context, t *tool, graphs []string, text json.RawMessage) (answer object, err error) {
	ctx, stop, err := s.called(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	defer func() { // the library would let it end the service
		if p := recover(); p != nil {
			s.opt.Log.Error("panic", "request", traceOf(ctx).id, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("the service failed; its log has the reason")
		}
	}()
	if err := plainBody(text, nil, nil); err != nil {
		return nil, err
	}
	var args map[string]json.RawMessage
	if err := json.Unmarshal(text, &args); len(text) > 0 && err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "the arguments are no object: %v", err)
	}
	if args == nil {
		args = make(map[string]json.RawMessage)
	}
	r, err := s.requestOf(ctx, t, graphs, args)
	if err != nil {
		return nil, err
	}
	w := &heldAnswer{header: make(http.Header), status: http.StatusOK}
	s.mux.ServeHTTP(w, r)
	if w.status >= http.StatusBadRequest {
		failure := &huma.ErrorModel{Status: w.status}
		return nil, cmp.Or(json.Unmarshal([]byte(w.body.String()), failure), error(failure))
	}
	var v any
	if err := json.Unmarshal([]byte(w.body.String()), &v); err != nil {
		return nil, err
	}
	if list, ok := v.([]any); ok { // answers of tools are objects
		v = object{t.name: list}
	}
	short := terse{left: mostWords}
	return short.value(v).(object), nil
}

// requestOf returns the request of the API that the arguments of a tool stand for.
func (s *Server) requestOf(ctx context.Context, t *tool, graphs []string, args map[string]json.RawMessage) (*http.Request, error) {
	method, path, _ := strings.Cut(t.route, " ")
	for _, name := range t.hidden {
		if args[name] != nil {
			return nil, problem(http.StatusUnprocessableEntity, "%s: %s has no such argument", name, t.name)
		}
	}
	byID := false
	for _, name := range graphs {
		text, id := args[name], args[name+"_id"]
		if text != nil && id != nil || text == nil && id == nil && args["smarts"] == nil {
			return nil, problem(http.StatusUnprocessableEntity, "give %s or %s_id", name, name)
		}
		switch {
		case id != nil:
			byID = true
			args[name] = fmt.Appendf(nil, `{"id":%s}`, id)
		case string(text) == `""`, strings.HasPrefix(string(text), "["):
			return nil, problem(http.StatusUnprocessableEntity, "%s: want one text, such as a SMILES", name)
		case strings.HasPrefix(string(text), `"`):
			args[name] = fmt.Appendf(nil, `{"text":%s}`, text)
		}
		delete(args, name+"_id")
	}
	if named := strings.Contains(path, "{name}"); named || byID {
		sh, err := s.chosen(args["collection"])
		if err != nil {
			return nil, err
		}
		if args["collection"] = fmt.Appendf(nil, "%q", sh.Name); named {
			delete(args, "collection")
			path = strings.Replace(path, "{name}", url.PathEscape(sh.Name), 1)
		}
	}
	for name, usual := range t.usual {
		if args[name] == nil {
			args[name], _ = json.Marshal(usual) // a number, a text or a truth value
		}
	}
	var k int
	if most := s.mostAnswers(); json.Unmarshal(args["k"], &k) == nil && k > most {
		return nil, problem(http.StatusUnprocessableEntity, "k: %d: want 1 to %d answers", k, most)
	}
	var body []byte
	if method == http.MethodPost {
		body, _ = json.Marshal(args) // it was read as JSON
	} else if len(args) > 0 {
		return nil, problem(http.StatusUnprocessableEntity, "%s takes no arguments", t.name)
	}
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", typeJSON)
	return r, s.routes[t.route].plain(r, body)
}

// chosen returns the collection with a name, a JSON string, which may be omitted if there is
// only one.
func (s *Server) chosen(text json.RawMessage) (*hosted, error) {
	var name string
	if err := json.Unmarshal(text, &name); text != nil && err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "collection: want a name")
	}
	now := s.catalog.Load()
	switch {
	case name != "" || len(now.names) == 0:
		return s.find(name)
	case len(now.names) > 1:
		return nil, problem(http.StatusUnprocessableEntity, "name a collection; there are: %s", strings.Join(now.names, ", "))
	}
	return now.by[now.names[0]], nil
}

// sayProblem returns a problem as a sentence.
func sayProblem(err error) string {
	p := problemOf(explain(err), "")
	text := p.Detail
	for _, e := range p.Errors {
		text += fmt.Sprintf("; %s: %s", strings.TrimPrefix(e.Location, "body."), e.Message)
	}
	return text
}

// terse makes answers of the API short for assistants, who read all of them: edits and
// transformations are in words, and so is how the question was understood; long lists of
// these are cut; what the caller already has is left out, and what only programs need.
type terse struct{ left int } // so many words may follow

// spared are members of answers that are left out.
var spared = map[string]bool{
	"certified": true, "costs": true, "edge_labels": true, "fingerprint": true, "generation": true, "max_time_limit": true, "metrics": true, "model": true,
	"nged": true, "node_labels": true, "position": true, "seconds": true, "state": true, "stats": true, "writable": true,
}

func (t *terse) value(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = t.value(v[i])
		}
	case object:
		for name, inner := range v {
			_, isObject := inner.(object)
			list, isList := inner.([]any)
			switch {
			case spared[name], isObject && (name == "query" || name == "target"): // graphs
				delete(v, name)
			case isObject && name == "question":
				v[name] = inner.(object)["text"]
			case isList && (name == "edits" || name == "transformations" || name == "changes" || name == "groups"):
				listed := list[:min(len(list), mostEdits, t.left)]
				t.left -= len(listed)
				for i := range listed {
					listed[i] = t.say(listed[i])
				}
				if v[name] = listed; len(listed) < len(list) {
					v["more_"+name] = len(list) - len(listed)
				}
			default:
				v[name] = t.value(inner)
			}
		}
	}
	return v
}

// say returns an edit or a transformation in words, and another value made terse.
func (t *terse) say(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return v
	}
	var e edit.Operation
	var exchange transform.Transformation
	members, _ := v.(object)
	switch {
	case members["op"] != nil && json.Unmarshal(text, &e) == nil:
		return e.String()
	case members["at"] != nil && json.Unmarshal(text, &exchange) == nil:
		return exchange.String()
	}
	return t.value(v)
}
