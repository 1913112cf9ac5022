package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

func (l *load) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := l.sample(); err != nil {
		return err
	}
	var watch sync.WaitGroup
	watch.Go(func() { l.watch(ctx) })
	l.begin = time.Now()
	l.send(ctx)
	l.end = time.Now()
	cancel()
	watch.Wait()
	if len(l.answered) == 0 {
		return errors.Join(errors.New("bench: no request was answered"), l.failure, ctx.Err())
	}
	return nil
}

// send sends every request when it is due, and waits for the answers.
func (l *load) send(ctx context.Context) {
	var open sync.WaitGroup
	defer open.Wait()
	slots := make(chan struct{}, l.Connections)
	for i, body := range l.bodies {
		due := l.begin.Add(time.Duration(float64(i) / l.Rate * float64(time.Second)))
		if wait := time.Until(due); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		} else if ctx.Err() != nil {
			return
		}
		sent := false
		select {
		case slots <- struct{}{}:
			sent = true
			open.Go(func() {
				defer func() { <-slots }()
				l.ask(body, due)
			})
		default:
		}
		l.mu.Lock()
		l.done++
		if !sent {
			l.unsent++
		}
		l.mu.Unlock()
	}
}

// ask sends a request and notes how it was answered.
func (l *load) ask(body []byte, due time.Time) {
	begin := time.Now()
	status, proven, err := l.exchange(body)
	took := time.Since(begin)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = append(l.late, begin.Sub(due))
	switch {
	case err == nil && status == http.StatusOK:
		l.answered = append(l.answered, took)
		if proven {
			l.proven++
		}
	case err == nil && (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests):
		l.refused = append(l.refused, took)
	default:
		l.failed++
		if err == nil {
			err = fmt.Errorf("status %d", status)
		}
		l.failure = err
	}
}

// exchange sends a search and receives the answer.
func (l *load) exchange(body []byte) (status int, proven bool, err error) {
	r, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(r)
	defer fasthttp.ReleaseResponse(answer)
	r.SetRequestURI(l.base + "/v1/collections/" + url.PathEscape(l.Collection) + "/search")
	r.Header.SetMethod(http.MethodPost)
	r.Header.SetContentType("application/json")
	l.authorize(r)
	r.SetBodyRaw(body)
	err = l.client.Do(r, answer)
	return answer.StatusCode(), string(answer.Header.Peek("X-Greed-Status")) == "proven", err
}

// authorize adds the token, where there is one.
func (l *load) authorize(r *fasthttp.Request) {
	if l.Token != "" {
		r.Header.Set("Authorization", "Bearer "+l.Token)
	}
}

// watch samples the memory of the service now and then.
func (l *load) watch(ctx context.Context) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.sample() // one that is missing is no matter
		}
		if l.Progress != nil {
			l.mu.Lock()
			done := l.done
			l.mu.Unlock()
			l.Progress(Step{"requests", 1, done, l.total})
		}
	}
}

// sample reads the memory of the service from its metrics.
func (l *load) sample() error {
	r, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(r)
	defer fasthttp.ReleaseResponse(answer)
	r.SetRequestURI(l.base + "/metrics")
	l.authorize(r)
	if err := l.client.Do(r, answer); err != nil {
		return err
	}
	for line := range strings.Lines(string(answer.Body())) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "process_resident_memory_bytes "); ok {
			bytes, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			l.memory = append(l.memory, bytes)
		}
	}
	return nil
}
