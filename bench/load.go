package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/graph"
)

// LoadOptions say what [Load] asks of a service.
type LoadOptions struct {
	URL, Collection string // of a running service, and of what to search there
	Task            string
	K               int
	Certify         bool
	Budget          time.Duration // of the exact solver for a certified search
	Rate            float64       // requests a second
	Time            time.Duration
	Connections     int
	Token           string
	Progress        func(Step)
}

// Load sends searches to a service at a fixed rate, whether or not it keeps up:
// the time of an answer counts from the moment when its request was due, so that
// a service that stalls is not asked less (no coordinated omission). Queries are
// bundled molecules with some atoms more, all different, and are made before.
func Load(ctx context.Context, opt LoadOptions) (*Table, error) {
	base, err := url.Parse(opt.URL)
	if err != nil || base.Scheme != "http" || base.Host == "" {
		return nil, fmt.Errorf("bench: %q is not the address of a service, such as http://127.0.0.1:8080", opt.URL)
	}
	if !(opt.Rate > 0) || opt.Time <= 0 || opt.Connections < 1 {
		return nil, errors.New("bench: rate, time and connections must be positive")
	}
	l := &load{LoadOptions: opt, host: base.Host, total: max(1, int(opt.Rate*opt.Time.Seconds()))}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	table := &Table{Scale: 1, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, counted: "requests", Interrupted: ctx.Err() != nil}
	table.Rows = []Row{l.row()}
	return table, nil
}

// load is one run.
type load struct {
	LoadOptions
	host     string
	total    int
	requests [][]byte

	mu       sync.Mutex
	next     int
	begin    time.Time
	end      time.Time
	answered []time.Duration
	refused  []time.Duration
	sent     []time.Duration // of refusals, since they were sent rather than due
	failed   int
	failure  error
	memory   []float64 // bytes, now and then
}

// prepare makes the requests: a bundled molecule with a chain of one to five
// atoms at its end, each chain and molecule once.
func (l *load) prepare() error {
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		return err
	}
	rng := newRand(30)
	seen := make(map[string]bool)
	for tries := 0; len(l.requests) < l.total; tries++ {
		if tries > 10*l.total {
			return fmt.Errorf("bench: there are not %d different queries; ask for less time or a lower rate", l.total)
		}
		smiles := records[rng.IntN(len(records))].SMILES
		for range 1 + rng.IntN(5) {
			smiles += string("CNOS"[rng.IntN(4)])
		}
		if !seen[smiles] {
			seen[smiles] = true
			l.requests = append(l.requests, l.request(smiles))
		}
	}
	return nil
}

func (l *load) request(smiles string) []byte {
	body := map[string]any{"query": map[string]string{"smiles": smiles}, "task": l.Task, "k": l.K}
	if l.Certify {
		body["budget"] = l.Budget.String()
	} else {
		body["mode"] = "predicted"
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // it is texts and numbers
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /v1/collections/%s/search HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
		url.PathEscape(l.Collection), l.host, len(text))
	if l.Token != "" {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", l.Token)
	}
	b.WriteString("\r\n")
	b.Write(text)
	return b.Bytes()
}

func (l *load) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := l.sample(ctx); err != nil {
		return err
	}
	var watch, senders sync.WaitGroup
	watch.Go(func() { l.watch(ctx) })
	l.begin = time.Now()
	for range min(l.Connections, l.total) {
		senders.Go(func() { l.send(ctx) })
	}
	senders.Wait()
	l.end = time.Now()
	cancel()
	watch.Wait()
	if len(l.answered) == 0 {
		return errors.Join(errors.New("bench: no request was answered"), l.failure, ctx.Err())
	}
	return nil
}

// take returns the next request and when it is due.
func (l *load) take() (request []byte, due time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == l.total {
		return nil, due, false
	}
	i := l.next
	l.next++
	return l.requests[i], l.begin.Add(time.Duration(float64(i) / l.Rate * float64(time.Second))), true
}

// send sends requests over a connection of its own.
func (l *load) send(ctx context.Context) {
	var conn net.Conn
	var answers *bufio.Reader
	defer func() {
		if conn != nil {
			conn.Close()
		}
	}()
	for {
		request, due, ok := l.take()
		if !ok || ctx.Err() != nil {
			return
		}
		if wait := time.Until(due); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
		status, err, begin := 0, error(nil), time.Now()
		if conn == nil {
			if conn, err = net.DialTimeout("tcp", l.host, 10*time.Second); err == nil {
				answers = bufio.NewReader(conn)
			}
		}
		if err == nil {
			status, err = exchange(conn, answers, request)
		}
		if err != nil && conn != nil {
			conn.Close()
			conn = nil
		}
		l.note(status, err, time.Since(due), time.Since(begin))
	}
}

// exchange sends a request and reads the answer.
func exchange(conn net.Conn, answers *bufio.Reader, request []byte) (status int, err error) {
	conn.SetDeadline(time.Now().Add(2 * time.Minute))
	if _, err := conn.Write(request); err != nil {
		return 0, err
	}
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, errors.Join(err, answer.Body.Close())
}

func (l *load) note(status int, err error, took, sent time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil && status == http.StatusOK:
		l.answered = append(l.answered, took)
	case err == nil && (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests):
		l.refused = append(l.refused, took)
		l.sent = append(l.sent, sent)
	default:
		l.failed++
		if err == nil {
			err = fmt.Errorf("status %d", status)
		}
		l.failure = err
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
			l.sample(ctx) // one that is missing is no matter
		}
		if l.Progress != nil {
			l.mu.Lock()
			done := l.next
			l.mu.Unlock()
			l.Progress(Step{"requests", 1, done, l.total})
		}
	}
}

// sample reads the memory of the service from its metrics.
func (l *load) sample(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+l.host+"/metrics", nil)
	if err != nil {
		return err
	}
	if l.Token != "" {
		r.Header.Set("Authorization", "Bearer "+l.Token)
	}
	answer, err := http.DefaultClient.Do(r)
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

// middle returns the median.
func middle(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

func (l *load) row() Row {
	kind := "plain"
	if l.Certify {
		kind = "certified"
	}
	row := Row{
		Name: "load/" + kind, Pairs: l.total, Runs: 1,
		About: fmt.Sprintf("%s search for the %d nearest in %s, %.4g requests a second for %v over %d connections", kind, l.K, l.Collection, l.Rate, l.Time, l.Connections),
	}
	add := func(name, unit string, value float64) {
		row.Figures = append(row.Figures, Figure{Name: name, Unit: unit, Value: value})
	}
	millis := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
	add("asked a second", "", l.Rate)
	add("answered a second", "", float64(len(l.answered))/l.end.Sub(l.begin).Seconds())
	for _, q := range []struct {
		name  string
		share float64
	}{{"median", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"greatest", 1}} {
		add("answers, "+q.name, unitMillis, millis(quantile(l.answered, q.share)))
	}
	add("refused", unitShare, float64(len(l.refused))/float64(l.total))
	if len(l.refused) > 0 {
		add("refusals, p99", unitMillis, millis(quantile(l.refused, 0.99)))
		add("refusals, p99 since sent", unitMillis, millis(quantile(l.sent, 0.99)))
	}
	add("failed", unitShare, float64(l.failed)/float64(l.total))
	if len(l.memory) > 0 {
		n := len(l.memory)
		add("memory at the start", "MB", l.memory[0]/1e6)
		add("memory, median of the second quarter", "MB", middle(l.memory[n/4:n/2+1])/1e6)
		add("memory, median of the last quarter", "MB", middle(l.memory[n-1-n/4:])/1e6)
		add("memory, greatest", "MB", slices.Max(l.memory)/1e6)
	}
	return row
}
