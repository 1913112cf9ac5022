package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// many is work of several parts, which are done one after the other in one place.
type many[R any] struct {
	*Server
	count   int
	format  string
	budget  time.Duration // for all; 0: they need none
	request string
	// do does a part within a time, which is 0 where there is no budget.
	do    func(ctx context.Context, i int, limit time.Duration) R
	whole func([]R) any // all results as one JSON object
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
	results := make(chan R, m.count) // so that work never waits for the client
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := &lineWriter{w: w, control: http.NewResponseController(w)}
	var told sync.WaitGroup
	if m.format == typeNDJSON {
		told.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case result, more := <-results:
					if !more || out.send(result) != nil {
						return
					}
				}
			}
		})
	}
	work := func(ctx context.Context) (struct{}, error) {
		defer close(results)
		return struct{}{}, m.run(ctx, results)
	}
	var err error
	if m.budget > 0 {
		understood(r.Context())
		_, err = withPlace(r.Context(), m.Server, work)
	} else {
		_, err = work(r.Context())
	}
	if err != nil {
		cancel()
	}
	told.Wait()
	switch {
	case err != nil && out.begun:
		_ = out.send(StreamLine{Error: explain(err).Error(), Request: m.request})
		return begun(err)
	case err != nil || m.format == typeNDJSON:
		return err
	}
	all := []R{}
	for result := range results {
		all = append(all, result)
	}
	w.Header().Set("Content-Type", typeJSON)
	return begun(json.NewEncoder(w).Encode(m.whole(all)))
}

// run does the parts, as long as the client waits for them.
func (m *many[R]) run(ctx context.Context, results chan<- R) error {
	end := time.Now().Add(m.budget)
	for i := range m.count {
		var limit time.Duration
		if m.budget > 0 {
			// A share is never nothing: without time there would be no limit.
			limit = max(time.Until(end)/time.Duration(m.count-i), time.Millisecond)
		}
		result := m.do(ctx, i, limit)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		results <- result
	}
	return nil
}
