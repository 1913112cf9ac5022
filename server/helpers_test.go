package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/server"
)

func TestMain(m *testing.M) {
	sweep.LazyGC()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(shared)
		os.Exit(code)
	}))
}

// shared is the folder of the index that folder copies: to build one takes longer than most tests.
var (
	shared string
	save   struct {
		sync.Once
		err error
	}
)

var molecules = []string{"CCO", "CCN", "CCC", "c1ccccc1", "c1ccccc1O", "CC(=O)O", "CC(=O)Oc1ccccc1C(=O)O", "OCCO", "CCOCC", "C1CCCCC1"}

// collection returns the molecules, with two models.
func collection(t testing.TB) *greed.Collection {
	t.Helper()
	c, err := molecular(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func molecular(ctx context.Context) (*greed.Collection, error) {
	c := greed.New()
	var records []greed.Record
	for i, smiles := range molecules {
		g, err := c.ParseSMILES(smiles)
		if err != nil {
			return nil, err
		}
		records = append(records, greed.Record{
			ID: "m" + string(rune('0'+i)), Name: "molecule", SMILES: smiles, Graph: g, Attributes: map[string]any{"number": float64(i)},
		})
	}
	if _, err := c.Put(ctx, records...); err != nil {
		return nil, err
	}
	var err error
	for _, m := range models() {
		err = errors.Join(err, c.AttachModel(ctx, m))
	}
	return c, err
}

// models returns a model of GED and one of SED, which all tests share. They are small, as
// each index is opened with its models.
var models = sync.OnceValue(func() (list []*model.Model) {
	vocab := graph.NewVocabulary()
	for _, label := range []string{"C", "N", "O"} {
		vocab.Node(label)
	}
	for _, bond := range []string{"1", "ar", "2"} {
		vocab.Edge(bond)
	}
	for _, task := range []greed.Task{greed.GED, greed.SED} {
		list = append(list, model.New(model.Metadata{
			Task: task, Costs: edit.Uniform(), Vocabulary: vocab,
			Config: model.Config{Conv: model.GINE, Layers: 2, Hidden: 16, Norm: norm.Single(norm.L1, 16, task == greed.SED)},
		}, rand.New(rand.NewPCG(1, 1))))
	}
	return list
})

// folder returns an index of the molecules.
func folder(t testing.TB) string {
	t.Helper()
	save.Do(func() {
		if shared, save.err = os.MkdirTemp("", "server"); save.err == nil {
			save.err = collection(t).Save(filepath.Join(shared, "mols.index"))
		}
	})
	if save.err != nil {
		t.Fatal(save.err)
	}
	dir := filepath.Join(t.TempDir(), "mols.index")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(shared, "mols.index"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t testing.TB, dir string) *greed.Collection {
	t.Helper()
	c, err := greed.Open(t.Context(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// service is a running service and what it logs.
type service struct {
	*server.Server
	URL string
	log *logBuffer
}

type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start serves the molecules, read-only as "mols" and writable as "own".
func start(t testing.TB, change func(*server.Options)) *service {
	t.Helper()
	s := &service{log: new(logBuffer)}
	opt := server.Defaults()
	opt.Log = slog.New(slog.NewJSONHandler(s.log, nil))
	opt.Hosted = []server.Hosted{
		{Name: "mols", Collection: collection(t)},
		{Name: "own", Collection: open(t, folder(t)), Writable: true},
	}
	if change != nil {
		change(&opt)
	}
	var err error
	if s.Server, err = server.New(opt); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Server)
	t.Cleanup(web.Close)
	s.URL = web.URL
	return s
}

// reply is an answer, read whole.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a request; headers come as pairs. It fails unless the description has
// the answer.
func (s *service) ask(t testing.TB, method, path, body string, headers ...string) reply {
	t.Helper()
	r := s.whole(t, method, path, body, headers...)
	s.documented(t, method, path, r)
	return r
}

// whole sends a request and reads the answer.
func (s *service) whole(t testing.TB, method, path, body string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		kind := "application/json"
		if method == "POST" && strings.HasSuffix(path, "/graphs") {
			kind = "application/x-ndjson"
		}
		r.Header.Set("Content-Type", kind)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(text)}
}

// want fails unless the answer has the status, and a problem says what is asked.
func (r reply) want(t testing.TB, status int, saying ...string) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	if status >= 400 {
		if kind := r.header.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("a problem comes as %q: %s", kind, r.body)
		}
		var p struct {
			Status        int
			Title, Detail string
		}
		if err := json.Unmarshal([]byte(r.body), &p); err != nil || p.Status != status || p.Title == "" || p.Detail == "" {
			t.Errorf("problem %s: %v", r.body, err)
		}
	}
	for _, text := range saying {
		if !strings.Contains(r.body, text) {
			t.Errorf("the answer does not say %q: %s", text, r.body)
		}
	}
	return r
}

// into decodes the answer.
func into[T any](t testing.TB, r reply) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(r.body))
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	return v
}
