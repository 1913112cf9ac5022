package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/graph"
)

// LoadOptions say what [Load] asks of a service.
type LoadOptions struct {
	URL, Collection string // of a running service, and of what to search there
	Task            string
	Mode            string // of the searches: proven, checked or predicted
	K               int
	Budget          time.Duration // for a search that computes distances
	Rate            float64       // requests a second
	Time            time.Duration
	Connections     int // at most, so many requests at once
	Token           string
	Progress        func(Step)
}

// Load sends searches to a service at a fixed rate, whether or not it keeps up. A
// request leaves when it is due, beside those that are not answered yet, so that a
// service that stalls is not asked less (no coordinated omission), and its time
// counts from when it leaves. Where all connections are waiting for an answer the request is
// not sent, and counted as such: what the client cannot do is no time of the
// service. The client is fasthttp's, where the goroutine that sends a request reads
// its answer: what net/http's own goroutines take to get a turn would count as time
// of the service. Queries are bundled molecules with some atoms more, all different, and
// are made before.
func Load(ctx context.Context, opt LoadOptions) (*Table, error) {
	base, err := url.Parse(opt.URL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("bench: %q is not the address of a service, such as http://127.0.0.1:8080", opt.URL)
	}
	if !(opt.Rate > 0) || opt.Time <= 0 || opt.Connections < 1 {
		return nil, errors.New("bench: rate, time and connections must be positive")
	}
	l := &load{LoadOptions: opt, base: strings.TrimRight(opt.URL, "/"), total: max(1, int(opt.Rate*opt.Time.Seconds()))}
	var leave func()
	l.client, leave = newClient(ctx, base, opt.Connections)
	defer leave()
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
	base   string
	client *fasthttp.HostClient
	total  int
	bodies [][]byte

	mu       sync.Mutex
	begin    time.Time
	end      time.Time
	done     int // requests that were due
	answered []time.Duration
	proven   int // of those answered
	refused  []time.Duration
	late     []time.Duration // after they were due, by which requests left
	unsent   int
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
	for tries := 0; len(l.bodies) < l.total; tries++ {
		if tries > 10*l.total {
			return fmt.Errorf("bench: there are not %d different queries; ask for less time or a lower rate", l.total)
		}
		smiles := records[rng.IntN(len(records))].SMILES
		for range 1 + rng.IntN(5) {
			smiles += string("CNOS"[rng.IntN(4)])
		}
		if !seen[smiles] {
			seen[smiles] = true
			l.bodies = append(l.bodies, l.body(smiles))
		}
	}
	return nil
}

func (l *load) body(smiles string) []byte {
	body := map[string]any{"query": map[string]string{"smiles": smiles}, "task": l.Task, "k": l.K, "mode": l.Mode}
	if l.Mode != "predicted" {
		body["time_limit"] = l.Budget.String()
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // it is texts and numbers
	}
	return text
}
