package server

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// many is work of several parts, which are done one after the other under one permit. Each
// result is written when it is there, and then let go.
type many[R held] struct {
	*Server
	count   int
	format  string
	budget  time.Duration // for all; 0: they need none
	request string
	// do does a part within a time, which is 0 where there is no budget.
	do func(ctx context.Context, i int, limit time.Duration, account *account) R
	// skip is the result of a part for which no time is left.
	skip func(i int, why error) R
	// write writes a result as JSON, on one line.
	write func(w io.Writer, result R) error
}

// held is a result that takes so many bytes until it is closed.
type held interface {
	io.Closer
	bytes() int
}

// queued is a result that waits to be written.
type queued[R held] struct {
	result R
	end    func() // of counting it
}

func (k queued[R]) Close() {
	k.end()
	_ = k.result.Close()
}

// manyFormat chooses a media type for the results.
func manyFormat(accept string) (string, error) {
	format, err := negotiate(accept)
	if err == nil && format != typeNDJSON && format != typeJSON {
		err = problem(http.StatusNotAcceptable, "many answers come as %s or %s", typeJSON, typeNDJSON)
	}
	return format, err
}

func (m *many[R]) respond() *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		if err := m.carryOut(r, w); err != nil {
			m.fail(r, w, err)
		}
	}}
}

// carryOut does all parts.
func (m *many[R]) carryOut(r *http.Request, w http.ResponseWriter) error {
	results := make(chan queued[R], m.count) // so that work never waits for the client
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	account := m.account(m.budget)
	out := &lineWriter{w: w, control: http.NewResponseController(w)}
	send := func(k queued[R]) error {
		defer k.Close()
		return m.send(out, account, k.result)
	}
	deliver := func(result R) { results <- queued[R]{result, m.responses.begin(w, result.bytes())} }
	var told sync.WaitGroup
	var broken error
	told.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case result, more := <-results:
				if !more {
					return
				}
				if broken = send(result); broken != nil {
					cancel() // nobody takes the rest
					return
				}
			}
		}
	})
	work := func(ctx context.Context) (struct{}, error) {
		defer close(results)
		return struct{}{}, m.run(ctx, account, deliver)
	}
	var err error
	if m.budget > 0 {
		understood(r.Context())
		_, err = withPermit(ctx, m.Server, work)
	} else {
		_, err = work(ctx)
	}
	if err != nil {
		cancel()
	}
	told.Wait()
	go func() { // work may still run
		for result := range results {
			result.Close()
		}
	}()
	switch {
	case broken != nil:
		return begun(broken)
	case err != nil && out.begun && m.format == typeNDJSON:
		err = explain(err)
		_ = out.send(StreamLine{Error: err.Error(), Request: m.request})
		m.note(r, err)
		return nil
	case err != nil && out.begun:
		return begun(err)
	case err != nil || m.format == typeNDJSON:
		return err
	}
	_, err = io.WriteString(w, "]}\n")
	return begun(err)
}

// send writes a result: a line, or the next one of a JSON object.
func (m *many[R]) send(out *lineWriter, account *account, result R) error {
	before, after := "", "\n"
	if m.format == typeJSON {
		before, after = ",", ""
		if !out.begun {
			before = `{"results":[`
		}
	}
	out.begin(m.format)
	err := account.inPieces(out.w, func(w io.Writer) error {
		io.WriteString(w, before)
		if err := m.write(w, result); err != nil {
			return err
		}
		_, err := io.WriteString(w, after)
		return err
	})
	if err == nil && m.format == typeNDJSON {
		err = out.control.Flush()
	}
	return err
}

// run does the parts, as long as the client waits for them and there is time.
func (m *many[R]) run(ctx context.Context, account *account, deliver func(R)) error {
	end := account.now().Add(m.budget)
	for i := range m.count {
		var limit time.Duration
		if m.budget > 0 {
			left := end.Sub(account.now())
			if i > 0 && left <= 0 { // to prepare a large graph takes long, too
				deliver(m.skip(i, errNoTurn()))
				continue
			}
			// A share is never nothing: without time there would be no limit.
			limit = max(left/time.Duration(m.count-i), time.Millisecond)
		}
		result := m.do(ctx, i, limit, account)
		if ctx.Err() != nil {
			_ = result.Close()
			return ctx.Err()
		}
		deliver(result)
	}
	return nil
}

// errNoTurn says that the time of a request was up before the turn of one of its parts.
func errNoTurn() error {
	return problem(http.StatusServiceUnavailable, "the time of the request was up before this was looked at; give more, or send it again by itself")
}
