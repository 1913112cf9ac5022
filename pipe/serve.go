package pipe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
)

// Options say how to serve.
type Options struct {
	Workers int // of one request; 0: one per core
}

// request is what a handler is given.
type request struct {
	ctx       context.Context
	args      json.RawMessage
	arrays    arrays
	molecules map[molecule]*graph.Graph // molecules read so far
	rules     dataset.Rules             // of the collection that graphs are compared with or put into
	// progress sends the value to the other side; it may be called at any time by
	// any goroutine.
	progress func(any)
}

// decode reads the arguments, each member into one of some structs. One that there is not is an error, too.
func (r *request) decode(into ...any) error {
	err := operation.Decode(r.args, into...)
	var field *operation.Error
	if err == nil || errors.As(err, &field) {
		return err
	}
	return wrongValue("arguments: %s", err)
}

type handler func(*request) (*answer, error)

type server struct {
	opt       Options
	out       *frameWriter
	handlers  map[string]handler
	comparers comparers

	collections registry[*greed.Collection]
	models      registry[*model.Model]

	mu      sync.Mutex
	running map[uint32]context.CancelFunc
}

// Serve answers the requests of in on out until in ends, and then returns at
// once, nil: requests that still run are given up. Frames that are not of this
// protocol are an error.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	s := &server{opt: opt, out: &frameWriter{w: out}, running: make(map[uint32]context.CancelFunc)}
	s.handlers = s.operations()
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		f, err := readFrame(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("pipe: %w", err)
		}
		if f.kind == kindCancel {
			s.mu.Lock()
			if stop := s.running[f.id]; stop != nil {
				stop()
			}
			s.mu.Unlock()
			continue
		}
		ctx, stop := context.WithCancel(ctx)
		s.mu.Lock()
		s.running[f.id] = stop
		s.mu.Unlock()
		go s.serve(ctx, f)
	}
}

// serve answers one request.
func (s *server) serve(ctx context.Context, f frame) {
	a, err := s.handle(ctx, f)
	s.mu.Lock()
	stop := s.running[f.id]
	delete(s.running, f.id)
	s.mu.Unlock()
	if ctx.Err() != nil && err != nil {
		err = &failure{Code: "cancelled", Message: "cancelled"}
	}
	stop()
	out := frame{id: f.id, kind: kindAnswer}
	if err == nil {
		out.data = a.data
		out.text, err = json.Marshal(struct {
			Result any         `json:"result"`
			Arrays []arrayInfo `json:"arrays,omitempty"`
		}{a.result, a.list})
	}
	if err != nil {
		out.data = nil
		out.text, _ = json.Marshal(struct {
			Error *failure `json:"error"`
		}{concise(describe(err))})
	}
	// An error of writing means that nobody listens: the end of the stream of
	// requests, which then follows, ends the server.
	_ = s.out.write(out)
}

func (s *server) handle(ctx context.Context, f frame) (a *answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log(slog.LevelError, fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
			err = &failure{Code: "internal", Message: fmt.Sprint(p)}
		}
	}()
	var head struct {
		Op     string          `json:"op"`
		Args   json.RawMessage `json:"args"`
		Arrays []arrayInfo     `json:"arrays"`
	}
	if err := json.Unmarshal(f.text, &head); err != nil {
		return nil, badRequest("request: %v", err)
	}
	h := s.handlers[head.Op]
	if h == nil {
		return nil, badRequest("unknown operation %q", head.Op)
	}
	all, err := cutArrays(head.Arrays, f.data)
	if err != nil {
		return nil, err
	}
	return h(&request{ctx: ctx, args: head.Args, arrays: all, progress: func(v any) {
		if text, err := json.Marshal(v); err == nil {
			_ = s.out.write(frame{id: f.id, kind: kindProgress, text: text})
		}
	}})
}

// log has the other side log a message.
func (s *server) log(level slog.Level, message string) {
	text, _ := json.Marshal(map[string]string{"level": level.String(), "message": message}) // which texts always have
	// That nobody listens any more is seen where requests are read.
	_ = s.out.write(frame{kind: kindLog, text: text})
}
