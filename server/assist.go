package server

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Assistants returns what answers assistants by the Model Context Protocol: tools
// that read graphs and collections, none that changes them. They have the limits
// of the service and wait in its queues.
func (s *Server) Assistants() *mcp.Server {
	to := mcp.NewServer(&mcp.Implementation{Name: "greed", Title: "greed, search by graph edit distance", Version: s.opt.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	s.addCollectionsTool(to)
	s.addSearchTool(to)
	s.addContainsTool(to)
	s.addDistanceTool(to)
	s.addParseTool(to)
	return to
}

const instructions = "Edit distances of graphs, such as molecules: the least cost of inserting, deleting and relabelling nodes and edges " +
	"that turns one graph into another (GED), or into a part of it (SED). A graph is given as SMILES, or as the text of a file of any format " +
	"that greed reads (MOL, MOL2, t/v/e lines, GraphML, GML, DOT, node-link JSON and others). Nodes are numbered from 0 in the order of the text; " +
	"hydrogens of molecules are no nodes. A distance is exact; where the time ended first there are bounds instead. " +
	"The verdict of a search says what its answers are worth."

// registerAssistants serves the tools over HTTP. Every request stands alone: the
// service keeps nothing of assistants between two.
func (s *Server) registerAssistants(mux *http.ServeMux) {
	if !s.opt.Assistants {
		return
	}
	tools := s.Assistants()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: s.opt.Limits.Body,
		DisableLocalhostProtection: true, // guard has looked at the name
	})
	const pattern = "POST /mcp"
	s.handle(mux, pattern, toRead, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What the library gives to tools outlives the request that called them.
		handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, r.Context())))
	}))
	to := s.routes[pattern]
	to.work, to.body = s.plain, s.opt.Limits.Body
	to.plain = func(*http.Request, []byte) error { return nil } // the tools know their arguments
	s.routes[pattern] = to
}

// callerKey is of the context of the request that called a tool.
type callerKey struct{}

// called returns the context in which a tool works: it ends when the client leaves,
// and has a trace of its own, since several tools may be called by one request. A
// call that did not come by a request waits for a place here.
func (s *Server) called(ctx context.Context) (context.Context, context.CancelFunc, error) {
	caller, ok := ctx.Value(callerKey{}).(context.Context)
	if !ok {
		leave, err := s.plain.enter(ctx)
		if err != nil {
			return nil, nil, err
		}
		leave = sync.OnceFunc(leave)
		return context.WithValue(ctx, traceKey{}, &trace{client: "assistant", understood: leave}), leave, nil
	}
	ctx, stop := context.WithCancel(ctx)
	stays := context.AfterFunc(caller, stop)
	of := traceOf(caller)
	t := &trace{id: of.id, client: of.client, route: of.route, understood: of.understood}
	return context.WithValue(ctx, traceKey{}, t), func() { stays(); stop() }, nil
}

// tool describes a tool: its name, its title, and what assistants are told of it.
type tool struct{ name, title, about string }

// addTool adds a tool. Its arguments are described by the JSON schema of In, which
// describe completes; the problems of the service are told as the tool's errors.
func addTool[In, Out any](s *Server, to *mcp.Server, t tool, describe func(property map[string]*jsonschema.Schema), work func(context.Context, *In) (*Out, error)) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic("server: " + err.Error()) // it is made of the program's own types
	}
	describe(schema.Properties)
	closed := false
	mcp.AddTool(to, &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (res *mcp.CallToolResult, out *Out, err error) {
		ctx, stop, err := s.called(ctx)
		if err != nil {
			return nil, nil, explain(err)
		}
		defer stop()
		defer func() { // the library would let it end the service
			if p := recover(); p != nil {
				s.opt.Log.Error("panic", "request", traceOf(ctx).id, "panic", p, "stack", string(debug.Stack()))
				err = fmt.Errorf("the service failed; its log has the reason")
			}
		}()
		out, err = work(ctx, &in)
		return nil, out, explain(err)
	})
}

// choice limits a property to some values, of which the first is the default.
func choice(property *jsonschema.Schema, values ...string) {
	for _, v := range values {
		property.Enum = append(property.Enum, v)
	}
	property.Default = fmt.Appendf(nil, "%q", values[0])
}

// between limits a property to a range of numbers.
func between(property *jsonschema.Schema, least, most float64) {
	property.Minimum, property.Maximum = &least, &most
}
