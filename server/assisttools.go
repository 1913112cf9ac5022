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
	"github.com/greedgraph/greed/operation"
)

// tool is an operation of the API as assistants use it. Its arguments are the members of the
// request, except that a graph is a text or an id, and that a collection need not be named if
// there is only one. Its answer is that of the API, made [terse].
type tool struct {
	operation.Tool
	route string // method and path
}

// otherTools are of operations that are not in the table.
var otherTools = []tool{
	{operation.Tool{Name: "collections", Title: "List the collections",
		About: "Lists the collections of graphs that can be searched, with their sizes and models."},
		"GET /v1/collections"},
}

// tools returns all tools. There may be many answers within a radius, so each k has a default.
func tools() []tool {
	list := slices.Clone(otherTools)
	for _, o := range operation.Table {
		for _, t := range o.Tools {
			list = append(list, tool{t, o.Route})
		}
	}
	return list
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
		Name: t.Name, Title: t.Title, Description: t.About, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{Title: t.Title, ReadOnlyHint: true, IdempotentHint: true,
			OpenWorldHint: &closed},
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
		if slices.Contains(t.Hidden, name) {
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
		if usual, ok := t.Usual[name]; ok {
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
	ctx, stop, err := s.toolContext(ctx)
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
		v = object{t.Name: list}
	}
	short := terse{left: mostWords}
	return short.value(v).(object), nil
}

// requestOf returns the request of the API that the arguments of a tool stand for.
func (s *Server) requestOf(ctx context.Context, t *tool, graphs []string,
	args map[string]json.RawMessage) (*http.Request, error) {
	method, path, _ := strings.Cut(t.route, " ")
	for _, name := range t.Hidden {
		if args[name] != nil {
			return nil, problem(http.StatusUnprocessableEntity, "%s: %s has no such argument", name, t.Name)
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
	for name, usual := range t.Usual {
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
		return nil, problem(http.StatusUnprocessableEntity, "%s takes no arguments", t.Name)
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
		return nil, problem(http.StatusUnprocessableEntity, "name a collection; there are: %s",
			strings.Join(now.names, ", "))
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
	"certified": true, "costs": true, "edge_labels": true, "fingerprint": true, "generation": true,
	"max_time_limit": true,
	"metrics":        true, "model": true,
	"nged": true, "node_labels": true, "norm": true, "position": true, "seconds": true, "state": true, "stats": true,
	"writable": true,
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
			case spared[name], isObject && (name == "query_graph" || name == "target_graph"):
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

// heldAnswer keeps an answer.
type heldAnswer struct {
	header http.Header
	status int
	body   strings.Builder
}

func (w *heldAnswer) Header() http.Header         { return w.header }
func (w *heldAnswer) WriteHeader(status int)      { w.status = status }
func (w *heldAnswer) Write(p []byte) (int, error) { return w.body.Write(p) }
