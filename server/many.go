package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// many is work of several parts, which are done one after the other under one permit. The result
// of each is written as soon as it is known, and then released.
type many struct {
	*Server
	count   int
	format  string
	budget  time.Duration // for all; 0: they need none
	request string
	// number and value are the members of a result: the number of the part, and its result.
	number, value string
	// do does a part within a time, which is 0 where there is no budget.
	do func(ctx context.Context, i int, limit time.Duration, account *account) (held, error)
}

// held takes so many bytes until it is closed, and becomes JSON when it is written.
type held interface {
	io.Closer
	bytes() int
	writeJSON(io.Writer) error
}

// part is the result of a part, or what is wrong with it.
type part struct {
	number int
	value  held // nil: there is a problem
	why    error
	end    func() // of counting it
}

// Close releases it.
func (p *part) Close() {
	if p.value != nil {
		_ = p.value.Close()
	}
	if p.end != nil {
		p.end()
	}
}

// carryOut does all parts.
func (m *many) carryOut(r *http.Request, w http.ResponseWriter) error {
	results := make(chan part, m.count) // so that work never waits for the client
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	account := m.accountOf(ctx)
	account.limit(m.budget)
	out := &lineWriter{w: w, control: http.NewResponseController(w)}
	deliver := func(p part) {
		if p.value != nil {
			p.end = m.responses.begin(w, p.value.bytes())
		}
		results <- p
	}
	var writing sync.WaitGroup
	var broken error
	writing.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case result, more := <-results:
				if !more {
					return
				}
				if broken = m.send(out, account, result); broken != nil {
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
		_, err = withPermit(ctx, m.Server, work)
	} else {
		_, err = work(ctx)
	}
	if err != nil {
		cancel()
	}
	writing.Wait()
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

// send writes a result, as a line or as the next of a JSON object, and releases it.
func (m *many) send(out *lineWriter, account *account, p part) error {
	defer p.Close()
	before, after := "", "\n"
	if m.format == typeJSON {
		before, after = ",", ""
		if !out.begun {
			before = `{"results":[`
		}
	}
	out.begin(m.format)
	err := account.inPieces(out.w, func(w io.Writer) error {
		write, member := func(w io.Writer) error { return compact(w, problemOf(explain(p.why), m.request)) }, "problem"
		if p.value != nil {
			write, member = p.value.writeJSON, m.value
		}
		fmt.Fprintf(w, `%s{"%s":%d,"%s":`, before, m.number, p.number, member)
		if err := write(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "}"+after)
		return err
	})
	if err == nil && m.format == typeNDJSON {
		err = out.control.Flush()
	}
	return err
}

// run does the parts, as long as the client waits for them and there is time.
func (m *many) run(ctx context.Context, account *account, deliver func(part)) error {
	end := account.end.Add(-late)
	for i := range m.count {
		var limit time.Duration
		if m.budget > 0 {
			left := end.Sub(account.now())
			if i > 0 && left <= 0 { // to prepare a large graph takes long, too
				deliver(part{number: i, why: errNoTurn()})
				continue
			}
			// A share is never 0, which would mean no limit.
			limit = max(left/time.Duration(m.count-i), shortest)
		}
		value, err := m.do(ctx, i, limit, account)
		p := part{number: i, why: err}
		if err == nil {
			p.value = value
		}
		if ctx.Err() != nil {
			p.Close()
			return context.Cause(ctx)
		}
		deliver(p)
	}
	return nil
}

// errNoTurn says that the time of a request was up before the turn of one of its parts.
func errNoTurn() error {
	return problem(http.StatusServiceUnavailable, "the time limit of the request was reached before this one's turn; "+
		"allow more time, or send it again by itself")
}
