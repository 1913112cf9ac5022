package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

// rings returns graphs of n nodes and 3n edges that have nothing in common but labels.
func rings(t testing.TB, graphs, n int) *greed.Collection {
	t.Helper()
	c := greed.New()
	var records []greed.Record
	for i := range graphs {
		b := graph.NewBuilder(graph.NewVocabulary(), false)
		for v := range n {
			b.AddNode(fmt.Sprint("L", (v*v+i)%17))
		}
		for v := range n {
			for _, step := range []int{1, 2 + i%20, 30 + i%50} {
				if err := b.AddEdge(v, (v+step)%n, fmt.Sprint((v*i+step)%5)); err != nil {
					t.Fatal(err)
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, greed.Record{ID: fmt.Sprint("u", i), Graph: g})
	}
	if _, err := c.Put(t.Context(), records...); err != nil {
		t.Fatal(err)
	}
	return c
}

// largest notes the greatest size of what is written at once.
type largest struct {
	*httptest.ResponseRecorder
	most int
}

func (l *largest) Write(p []byte) (int, error) {
	l.most = max(l.most, len(p))
	return l.ResponseRecorder.Write(p)
}

// TestAnswersTakeLittleMemory: searches make no edits unless they are asked for.
func TestAnswersTakeLittleMemory(t *testing.T) {
	s, _ := bare(t, func(o *Options) { o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 60, 200)}} })
	ask := func() (allocated uint64, w *httptest.ResponseRecorder) {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/collections/rings/search?id=u0&k=60&time_limit=1ms", nil)
		r.Host = "localhost"
		w = httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return after.TotalAlloc - before.TotalAlloc, w
	}
	ask() // once for what is made once
	allocated, w := ask()
	t.Logf("%d bytes allocated for %d", allocated, w.Body.Len())
	// The edits of 60 answers take 14 MB.
	if allocated > 6<<20 {
		t.Errorf("%d bytes were allocated for %d bytes of answers", allocated, w.Body.Len())
	}
}

// TestAnswersAreStreamed: answers are written piece by piece.
func TestAnswersAreStreamed(t *testing.T) {
	s, ctx := bare(t, func(o *Options) { o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 60, 200)}} })
	for _, format := range []string{typeJSON, typeNDJSON} {
		j, err := s.understand(ctx, s.catalog.Load().by["rings"], format, &SearchRequest{Query: Query{ID: "u0"}, Search: operation.Search{K: new(60), Explain: true, Matching: operation.Matching{TimeLimit: "100ms"}}})
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.run(ctx, j, s.account(0))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Close()
		w := &largest{ResponseRecorder: httptest.NewRecorder()}
		lines := &lineWriter{w: w, control: http.NewResponseController(w)}
		if format == typeNDJSON {
			err = lines.last(res)
		} else {
			err = write(w, res)
		}
		if err != nil || w.Body.Len() < 1<<20 || w.most > 4*piece || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d bytes, %d of them at once, %v", format, w.Body.Len(), w.most, err)
		}
		if status := w.Header().Get(statusHeader); status != string(res.Found.Status) {
			t.Errorf("%s: the header says %q", format, status)
		}
	}
}

// stepping is a clock that goes on a millisecond at each look.
func stepping() func() time.Time {
	at := time.Unix(1e9, 0)
	return func() time.Time {
		at = at.Add(time.Millisecond)
		return at
	}
}

// TestWhatIsNotAfforded: edits are made as long as there is time and memory, and what is
// left out is counted.
func TestWhatIsNotAfforded(t *testing.T) {
	s, ctx := bare(t, func(o *Options) { o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 20, 100)}} })
	j, err := s.understand(ctx, s.catalog.Load().by["rings"], typeJSON, &SearchRequest{Query: Query{ID: "u0"}, Search: operation.Search{K: new(20), Explain: true, Matching: operation.Matching{TimeLimit: "200ms"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		looks     int // until time is up
		memory    int64
		explained int
	}{
		{"enough", 1000, 1 << 30, 20},
		{"the time of 7", 8, 1 << 30, 7},
		{"no time", 0, 1 << 30, 0},
		{"little memory", 1000, 1000 * editBytes / 2, 0},
	} {
		clock := stepping()
		account := &account{memory: c.memory, now: clock}
		account.end = clock().Add(time.Duration(c.looks) * time.Millisecond)
		res, err := s.run(ctx, j, account)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := res.writeJSON(&text); err != nil {
			t.Fatal(err)
		}
		_ = res.Close()
		var found greed.Found
		if err := json.Unmarshal(text.Bytes(), &found); err != nil {
			t.Fatalf("%v: %s", err, &text)
		}
		explained := 0
		for _, a := range found.Answers {
			if a.Map == nil || a.Lower == nil {
				t.Errorf("%s: %s lacks the map or the bounds", c.what, a.ID)
			}
			if a.Edits != nil {
				explained++
			}
		}
		if len(found.Answers) != 20 || explained != c.explained || found.Unexplained != 20-c.explained {
			t.Errorf("%s: %d answers, %d explained, %d said not to be; want %d explained", c.what, len(found.Answers), explained, found.Unexplained, c.explained)
		}
	}
}

// TestWaitingForClientsCostsNoTime: a request has its time for itself, however slowly the
// client takes the answer.
func TestWaitingForClientsCostsNoTime(t *testing.T) {
	at := time.Unix(1e9, 0)
	a := &account{end: at.Add(time.Second), memory: 1 << 20, now: func() time.Time { return at }}
	err := a.inPieces(writerFunc(func(p []byte) (int, error) {
		at = at.Add(time.Hour)
		return len(p), nil
	}), func(w io.Writer) error {
		_, err := w.Write(make([]byte, 10*piece))
		return err
	})
	if err != nil || a.over() {
		t.Errorf("the time is up after a slow client has taken its answer; %v", err)
	}
	at = at.Add(time.Second)
	if !a.over() {
		t.Error("time does not end")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestNothingAfterTheEnd: when the time for many parts is up, no other is worked on, and
// each says so.
func TestNothingAfterTheEnd(t *testing.T) {
	s, ctx := bare(t, func(*Options) {})
	at := time.Unix(1e9, 0)
	a := &account{memory: 1 << 20, now: func() time.Time { return at }}
	a.end = at.Add(10*time.Millisecond + late)
	did := 0
	m := &many{
		Server: s, count: 1000, budget: 10 * time.Millisecond,
		do: func(context.Context, int, time.Duration, *account) (held, error) {
			if did++; a.over() {
				t.Error("work after the end")
			}
			at = at.Add(time.Millisecond)
			return &pairResult{}, nil
		},
	}
	skipped := 0
	if err := m.run(ctx, a, func(p part) {
		if p.why != nil {
			skipped++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if did != 10 || did+skipped != 1000 { // each takes 1 ms of the 10
		t.Errorf("%d parts done, %d skipped", did, skipped)
	}
}

// TestLeavingEndsParts: of many parts none is begun after the client has left.
func TestLeavingEndsParts(t *testing.T) {
	s, ctx := bare(t, func(*Options) {})
	ctx, leave := context.WithCancel(ctx)
	did := 0
	m := &many{Server: s, count: 1000, budget: time.Hour, do: func(context.Context, int, time.Duration, *account) (held, error) {
		if did++; did == 3 {
			leave()
		}
		return &pairResult{}, nil
	}}
	if err := m.run(ctx, s.account(time.Hour), func(part) {}); !errors.Is(err, context.Canceled) || did != 3 {
		t.Errorf("%d parts done, %v", did, err)
	}
}

// TestDistancesAreExplainedInTime: distances that wait to be written get no edits once the
// time is up.
func TestDistancesAreExplainedInTime(t *testing.T) {
	s, ctx := bare(t, func(o *Options) { o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 2, 100)}} })
	sh, err := s.find("rings")
	if err != nil {
		t.Fatal(err)
	}
	query, err := sh.get("u0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := greed.NewComparer(greed.GED, greed.DistanceOptions{Time: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Compare(ctx, &query, &query)
	if err != nil {
		t.Fatal(err)
	}
	clock := stepping()
	a := &account{memory: 1 << 20, now: clock, end: clock().Add(3 * time.Millisecond)}
	for i, explained := range []bool{true, true, false, false} {
		of := *d
		r := &pairResult{&of, c, &query, &query, a}
		var text bytes.Buffer
		if err := r.writeJSON(&text); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text.Bytes(), []byte(`"edits":[`)) != explained || !bytes.Contains(text.Bytes(), []byte(`"map":[`)) {
			t.Errorf("result %d: %.200s", i, &text)
		}
	}
}

// TestLeavingEndsWriting: a client that leaves ends the making of its answer.
func TestLeavingEndsWriting(t *testing.T) {
	s, ctx := bare(t, func(o *Options) { o.Hosted = []Hosted{{Name: "rings", Collection: rings(t, 50, 160)}} })
	j, err := s.understand(ctx, s.catalog.Load().by["rings"], typeJSON, &SearchRequest{Query: Query{ID: "u0"}, Search: operation.Search{K: new(50), Explain: true, Matching: operation.Matching{TimeLimit: "500ms"}}})
	if err != nil {
		t.Fatal(err)
	}
	account := s.account(0)
	res, err := s.run(ctx, j, account)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	gone, read := errors.New("gone"), 0
	err = account.inPieces(writerFunc(func([]byte) (int, error) { return 0, gone }), func(w io.Writer) error {
		for a, err := range res.each() {
			if err != nil {
				return err
			}
			read++
			if err := compact(w, a); err != nil {
				return err
			}
		}
		return nil
	})
	var late *begunError
	if !errors.As(err, &late) || !errors.Is(err, gone) || read == 50 {
		t.Errorf("%d answers were made for a client that is gone, then %v", read, err)
	}
}
