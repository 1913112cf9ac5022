package server

import (
	"bytes"
	"context"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Assistants returns the tools for assistants that use the Model Context Protocol. They
// read graphs and collections and change none. They have the limits of the service and
// wait in its queues.
func (s *Server) Assistants() *mcp.Server {
	to := mcp.NewServer(&mcp.Implementation{Name: "greed", Title: "greed, search by graph edit distance",
		Version: s.opt.Version},
		// The tools never change. A client that could listen for changes would hold its
		// connection without end.
		&mcp.ServerOptions{Instructions: instructions,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	for _, t := range tools() {
		s.addTool(to, &t)
	}
	return to
}

const instructions = "Edit distances of graphs, such as molecules: the least cost of inserting, deleting and " +
	"relabelling nodes and edges that turns one graph into another (GED), or into a part of it (SED). A graph is " +
	"given as SMILES, or as the text of a file of any format that greed reads (MOL, t/v/e lines, GraphML, DOT, " +
	"node-link JSON and others). Nodes are numbered from 0 in the order of the text; hydrogens of molecules are not " +
	"nodes. A distance is exact; if time ran out first, there are bounds instead. The verdict of a search says what " +
	"its answers are worth."

// registerAssistants serves the tools over HTTP. The service keeps no state between two
// requests.
func (s *Server) registerAssistants(mux *http.ServeMux) {
	if !s.opt.Assistants {
		return
	}
	tools := s.Assistants()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools },
		&mcp.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, MaxRequestBodyBytes: s.opt.Limits.Body,
			DisableLocalhostProtection: true, // guard has looked at the name
		})
	const pattern = "POST /mcp"
	s.handle(mux, pattern, toRead, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The context that the library passes to tools outlives the request.
		handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, r.Context())))
	}))
	to := s.routes[pattern]
	to.work, to.body = s.plain, s.opt.Limits.Body
	to.plain = oneMessage
	s.routes[pattern] = to
}

// oneMessage refuses several messages in one body, which the protocol had until June
// 2025: they would do and hold the work of as many requests under one permit. The tools look
// at their arguments themselves.
func oneMessage(_ *http.Request, body []byte) error {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return problem(http.StatusBadRequest, "send one message in a request")
	}
	return nil
}

// assistant is the client of calls without a request.
const assistant = "assistant"

// callerKey is the key of the context of the request that called a tool.
type callerKey struct{}

// toolContext returns the context of a tool. It ends when the client leaves, and has a trace
// of its own, because one request may call several tools. A call without a request
// waits for a permit here.
func (s *Server) toolContext(ctx context.Context) (context.Context, context.CancelFunc, error) {
	caller, ok := ctx.Value(callerKey{}).(context.Context)
	if !ok {
		leave, err := s.plain.enter(ctx, assistant)
		if err != nil {
			return nil, nil, err
		}
		leave = sync.OnceFunc(leave)
		return context.WithValue(ctx, traceKey{}, &trace{client: assistant, understood: leave}), leave, nil
	}
	ctx, stop := context.WithCancel(ctx)
	stays := context.AfterFunc(caller, stop)
	of := traceOf(caller)
	t := &trace{id: of.id, client: of.client, route: of.route, understood: of.understood}
	return context.WithValue(ctx, traceKey{}, t), func() { stays(); stop() }, nil
}
