package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/greedgraph/greed/server"
)

// assistant connects a client to the tools of a service.
func assistant(t testing.TB, s *service) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	serving, err := s.Assistants().Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, here, func() { serving.Wait() })
}

func connect(t testing.TB, over mcp.Transport, closed func()) *mcp.ClientSession {
	t.Helper()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		closed()
	})
	return client
}

// use calls a tool and returns its answer, or what it says is wrong.
func use(t testing.TB, client *mcp.ClientSession, tool string, args map[string]any) (answer map[string]any, wrong string) {
	t.Helper()
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		return nil, text
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s: %v in %s", tool, err, text)
	}
	if !reflect.DeepEqual(r.StructuredContent, any(answer)) {
		t.Errorf("%s: structured content %v, text %s", tool, r.StructuredContent, text)
	}
	return answer, ""
}

func answers(t testing.TB, found map[string]any) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, a := range found["answers"].([]any) {
		list = append(list, a.(map[string]any))
	}
	return list
}

func TestToolsHaveSchemas(t *testing.T) {
	list, err := assistant(t, start(t, nil)).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(list); err != nil || strings.Contains(string(text), "${") {
		t.Errorf("a tool has the name of a text in place of the text: %s, %v", text, err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schema := tool.InputSchema.(map[string]any)
		if tool.Description == "" || tool.Title == "" || schema["additionalProperties"] != false {
			t.Errorf("%s: %q, title %q, schema %v", tool.Name, tool.Description, tool.Title, schema)
		}
		properties, _ := schema["properties"].(map[string]any)
		for name, p := range properties {
			if p.(map[string]any)["description"] == nil {
				t.Errorf("%s: nothing is said of %s", tool.Name, name)
			}
		}
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint {
			t.Errorf("%s does not say that it changes nothing", tool.Name)
		}
	}
	if got := strings.Join(names, " "); got != "cliffs collections common contains diff distance join parse sar search" {
		t.Errorf("tools %s", got)
	}
}

func TestTools(t *testing.T) {
	client := assistant(t, start(t, nil))
	got, _ := use(t, client, "collections", nil)
	if list := got["collections"].([]any); len(list) != 2 || list[0].(map[string]any)["name"] != "mols" || list[0].(map[string]any)["graphs"] != 10.0 {
		t.Errorf("collections %v", got)
	}

	got, _ = use(t, client, "search", map[string]any{"collection": "mols", "query": "CCO", "k": 2, "explain": true, "show": []string{"number"}})
	list := answers(t, got)
	if got["status"] != "proven" || len(list) != 2 || list[0]["id"] != "m0" || list[0]["ged"] != 0.0 || list[1]["ged"] != 1.0 {
		t.Errorf("search %v", got)
	}
	if a := list[1]; !strings.HasPrefix(a["edits"].([]any)[0].(string), "substitute node 2 (O) by 2 (") || a["attributes"].(map[string]any)["number"] == nil {
		t.Errorf("answer %v", a)
	}
	got, _ = use(t, client, "search", map[string]any{"collection": "mols", "query_id": "m6", "radius": 0, "task": "ged"})
	if list := answers(t, got); len(list) != 1 || list[0]["id"] != "m6" || list[0]["edits"] != nil {
		t.Errorf("search by id %v", got)
	}
	got, _ = use(t, client, "search", map[string]any{"collection": "mols", "query": "CCO", "mode": "predicted", "k": 1})
	if list := answers(t, got); got["status"] != "predicted" || list[0]["ged"] != nil || list[0]["predicted"] == nil {
		t.Errorf("predicted %v", got)
	}

	got, _ = use(t, client, "contains", map[string]any{"collection": "mols", "query": "c1ccccc1"})
	var ids []string
	for _, a := range answers(t, got) {
		ids = append(ids, a["id"].(string))
		if len(a["map"].([]any)) != 6 || a["sed"] != 0.0 {
			t.Errorf("contained %v", a)
		}
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"m3", "m4", "m6"}) {
		t.Errorf("benzene is contained in %v", ids)
	}
	got, _ = use(t, client, "contains", map[string]any{"collection": "mols", "query": "C1CCCC1", "radius": 1, "k": 1})
	if list := answers(t, got); len(list) != 1 || list[0]["sed"] != 1.0 || len(list[0]["edits"].([]any)) != 1 {
		t.Errorf("nearly contained %v", got)
	}

	got, _ = use(t, client, "distance", map[string]any{"query": "CCO", "collection": "mols", "target_id": "m3", "task": "sed"})
	if got["upper"] != 3.0 || got["exact"] != true || len(got["edits"].([]any)) != 3 || got["target_graph"] != nil || got["common"].(map[string]any)["nodes"] == nil {
		t.Errorf("distance %v", got)
	}
	got, _ = use(t, client, "diff", map[string]any{"query": "OCCCCN", "target": "SCCCCF"})
	if groups := got["groups"].([]any); len(groups) != 2 || got["upper"] != 2.0 || !reflect.DeepEqual(groups[0].(map[string]any)["changes"].([]any)[0], map[string]any{"change": "renamed", "cost": 1.0, "edits": []any{"substitute node 0 (O) by 0 (S)"}}) {
		t.Errorf("diff %v", got)
	}
	got, _ = use(t, client, "diff", map[string]any{"query": "digraph { main -> parse }", "target": "digraph { main -> parser }"})
	if groups := got["groups"].([]any); len(groups) != 1 || fmt.Sprint(groups[0].(map[string]any)["changes"].([]any)[0]) != "map[change:renamed cost:1 edits:[substitute node parse by parser] why:same 1 predecessor]" {
		t.Errorf("diff of graphs whose nodes have only names %v", got)
	}
	got, _ = use(t, client, "common", map[string]any{"query": "CC(=O)Oc1ccccc1C(=O)O", "target": "CC(=O)Nc1ccccc1C(=O)O", "edges": true})
	if got["size"] != 11.0 || got["upper"] != 11.0 || len(got["map"].([]any)) != 13 {
		t.Errorf("common %v", got)
	}
	long := strings.Repeat("C", 40)
	if got, _ = use(t, client, "distance", map[string]any{"query": long, "target": "O" + long[1:]}); len(fmt.Sprint(got)) > 600 {
		t.Errorf("two of 40 nodes that differ in one are answered with %d letters: %v", len(fmt.Sprint(got)), got)
	}
	got, _ = use(t, client, "distance", map[string]any{"query": "CCO", "target": "CCN", "costs": "chem1"})
	if got["upper"] != 2.0 {
		t.Errorf("distance with other costs %v", got)
	}

	got, _ = use(t, client, "distance", map[string]any{"query": "C", "target": strings.Repeat("C", 201)})
	if len(got["edits"].([]any)) != 100 || got["more_edits"] != 300.0 || got["upper"] != 400.0 {
		t.Errorf("a long list of edits: %v", got)
	}

	got, _ = use(t, client, "parse", map[string]any{"text": "t # 0\nv 0 red\nv 1 blue\ne 0 1 near\n"})
	g, _ := got["graph"].(map[string]any)
	if nodes, _ := g["nodes"].([]any); len(nodes) != 2 || fmt.Sprint(nodes[1], g["edges"]) != "map[id:1 label:blue] [map[label:near source:0 target:1]]" {
		t.Errorf("parsed %v", got)
	}
}

// TestToolsRefuse: what is wrong is said in words that an assistant can act on, and
// the next call works.
func TestToolsRefuse(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Nodes, o.Limits.Time = 50, 2*time.Second })
	client := assistant(t, s)
	for _, test := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"search", map[string]any{"query": "CCO"}, "name a collection; there are: mols, own"},
		{"search", map[string]any{"query": "CCO", "collection": "none"}, `there is no collection "none"`},
		{"search", map[string]any{"collection": "mols"}, "give query or query_id"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "query_id": "m0"}, "give query or query_id"},
		{"search", map[string]any{"collection": "mols", "query": ""}, "query: want one text"},
		{"distance", map[string]any{"query": "CCO", "target": []string{"CCN"}}, "target: want one text"},
		{"search", map[string]any{"collection": "mols", "query_id": "m99"}, `there is no graph "m99"`},
		{"search", map[string]any{"collection": "mols", "query": "C1CC"}, "cannot be read"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "k": 101}, "k"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "radius": -1}, "radius"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "task": "mcs"}, "task"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "time_limit": "3h"}, "time_limit"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "kk": 3}, "kk"},
		{"search", map[string]any{"collection": "mols", "query": "CCO", "filter": []string{"number~3"}}, "number~3"},
		{"search", map[string]any{"collection": "mols", "query": strings.Repeat("C", 51)}, "51 nodes"},
		{"contains", map[string]any{"collection": "mols"}, "give query"},
		{"contains", map[string]any{"collection": "mols", "query": 3}, "query"},
		{"contains", map[string]any{"collection": "mols", "query": "C", "task": "ged"}, "task: contains has no such argument"},
		{"search", map[string]any{"collection": "mols", "smarts": "C", "task": "ged"}, "task: does not apply to a SMARTS"},
		{"join", map[string]any{"collection": "mols"}, "radius"},
		{"join", map[string]any{"collection": "mols", "radius": 1, "k": 101}, "101"},
		{"join", map[string]any{"radius": 1}, "mols, own"},
		{"join", map[string]any{"radius": 1, "collection": 3}, "collection"},
		{"collections", map[string]any{"k": 3}, "no arguments"},
		{"cliffs", map[string]any{"collection": "mols", "attribute": "wieght"}, "the attributes are"},
		{"cliffs", map[string]any{"collection": "mols", "other": "none"}, "no collection"},
		{"distance", map[string]any{"query": "CCO"}, "give target or target_id"},
		{"distance", map[string]any{"query": "CCO", "target_id": "m0"}, "name a collection"},
		{"distance", map[string]any{"query": "digraph{a->b}", "target": "CCO"}, "directed"},
		{"distance", map[string]any{"query": "CCO", "target": "CCN", "costs": "free"}, "costs"},
		{"parse", map[string]any{"text": "CCO\nCCN\n"}, "more than one graph"},
		{"parse", map[string]any{"text": ""}, "give"},
		{"parse", nil, "give"},
	} {
		if got, wrong := use(t, client, test.tool, test.args); !strings.Contains(wrong, test.want) {
			t.Errorf("%s %v: %q, %v, want %q", test.tool, test.args, wrong, got, test.want)
		}
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete"}); err == nil {
		t.Error("a tool that there is not answers")
	}
	if got, _ := use(t, client, "parse", map[string]any{"text": "CCO"}); got["nodes"] != 3.0 {
		t.Errorf("parsed %v", got)
	}
}

// TestAssistantsOverHTTP: /mcp is there if it is wanted, for those who may read.
func TestAssistantsOverHTTP(t *testing.T) {
	start(t, nil).ask(t, "POST", "/mcp", "{}").want(t, 404)
	s := start(t, func(o *server.Options) { o.Assistants, o.Access.Read = true, tokens("reader") })
	s.ask(t, "POST", "/mcp", "{}").want(t, 401)
	s.ask(t, "GET", "/mcp", "", "Authorization", "Bearer reader").want(t, 405)
	s.ask(t, "POST", "/mcp", "{}", "Authorization", "Bearer reader", "Host", "evil.example").want(t, 421)
	s.ask(t, "POST", "/mcp", "{}", "Authorization", "Bearer reader", "Origin", "https://evil.example").want(t, 403)
	s.ask(t, "POST", "/mcp", strings.Repeat(" ", 2<<20), "Authorization", "Bearer reader").want(t, 413)
	s.ask(t, "POST", "/mcp", " \n["+strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 900)+"{}]", "Authorization", "Bearer reader").want(t, 400, "one message")
	// No one can listen for changes, of which there are none.
	const listen = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`
	if r := s.whole(t, "POST", "/mcp", listen, "Authorization", "Bearer reader", "Accept", "application/json, text/event-stream"); !strings.Contains(r.body, `"result"`) {
		t.Errorf("a client that listens gets %d %s", r.status, r.body)
	}
	client := connect(t, &mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{"reader"}}}, http.DefaultClient.CloseIdleConnections)
	// Ids of requests have no parentheses.
	got, _ := use(t, client, "search", map[string]any{"collection": "own", "query": "C(C)O", "k": 3})
	if len(answers(t, got)) != 3 {
		t.Errorf("search %v", got)
	}
	if _, wrong := use(t, client, "distance", map[string]any{"query": "(", "target": "C"}); !strings.Contains(wrong, "cannot be read") {
		t.Errorf("a wrong graph: %q", wrong)
	}
	if log := s.log.String(); !strings.Contains(log, `"route":"POST /mcp"`) || strings.Contains(log, "C(C)O") {
		t.Errorf("the log says %s", log)
	}
}

// TestAssistantsThatLeave: a tool whose caller has left ends.
func TestAssistantsThatLeave(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Assistants = true; o.Limits.Solver, o.Limits.SolverQueue = 1, 0 })
	slow := map[string]any{"query": hard[0], "target": hard[1], "time_limit": "30s"}
	ctx, leave := context.WithCancel(t.Context())
	client := connect(t, &mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp"}, http.DefaultClient.CloseIdleConnections)
	left := make(chan error)
	const busy = "the service is busy"
	go func() {
		for { // The one that asks whether the permit is taken may have it.
			r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "distance", Arguments: slow})
			if err != nil || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, busy) {
				left <- err
				return
			}
		}
	}()
	// Its permit is taken, and free again soon after it has left. Once says little: the permit
	// of an answer is free a little after the answer.
	for refused := 0; refused < 5; {
		if _, wrong := use(t, client, "distance", map[string]any{"query": "C", "target": "N"}); strings.Contains(wrong, busy) {
			refused++
			time.Sleep(5 * time.Millisecond)
		} else {
			refused = 0
		}
	}
	leave()
	if err := <-left; err == nil {
		t.Error("the call that was given up answers")
	}
	for wrong := busy; wrong != ""; { // until the solver works no longer for the client that has left
		_, wrong = use(t, client, "distance", map[string]any{"query": "C", "target": "N"})
	}
}

// bearer sends a token.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}
