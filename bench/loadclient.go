package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

func (l *load) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := l.sample(ctx); err != nil {
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
				l.ask(ctx, body, due)
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
func (l *load) ask(ctx context.Context, body []byte, due time.Time) {
	begin := time.Now()
	status, proven, err := l.exchange(ctx, body)
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

func (l *load) exchange(ctx context.Context, body []byte) (status int, proven bool, err error) {
	path := l.base + "/v1/collections/" + url.PathEscape(l.Collection) + "/search"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	r.Header.Set("Content-Type", "application/json")
	if l.Token != "" {
		r.Header.Set("Authorization", "Bearer "+l.Token)
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return 0, false, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header.Get("X-Greed-Status") == "proven", errors.Join(err, answer.Body.Close())
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
			l.sample(ctx) // one that is missing is no matter
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
func (l *load) sample(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.base+"/metrics", nil)
	if err != nil {
		return err
	}
	if l.Token != "" {
		r.Header.Set("Authorization", "Bearer "+l.Token)
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "process_resident_memory_bytes "); ok {
			bytes, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			l.memory = append(l.memory, bytes)
		}
	}
	return lines.Err()
}
