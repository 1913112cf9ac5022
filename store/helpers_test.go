package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

// fatal is what helpers need of a test.
type fatal interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func must(t fatal, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inMemory returns a folder whose files need no disk, where there is such a
// place: flushing them is what takes the time of tests that do not care.
func inMemory(t *testing.T) string {
	t.Helper()
	const place = "/dev/shm"
	dir, err := os.MkdirTemp(place, "greed-store-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return dir
}

// empty returns the path of a new collection with nothing in it, in a folder.
func empty(t fatal, folder string) string {
	t.Helper()
	dir := filepath.Join(folder, "index")
	must(t, Build(dir, func(*Store) error { return nil }))
	return dir
}

// newModel returns a small model with numbers of its own for every seed.
func newModel(task edit.Task, seed uint64) *model.Model {
	vocab := graph.NewVocabulary()
	for _, label := range []string{"C", "N", "O"} {
		vocab.Node(label)
	}
	vocab.Edge("1")
	return model.New(model.Metadata{
		Task: task, Costs: edit.Uniform(), Vocabulary: vocab,
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Norm: norm.Single(norm.L2, 16, task == edit.SED)},
	}, rand.New(rand.NewPCG(seed, 1)))
}

// newRecord returns a record whose every field is a function of id and version.
func newRecord(vocab *graph.Vocabulary, id string, version int) dataset.Record {
	rng := rand.New(rand.NewPCG(uint64(version), uint64(len(id))))
	n := 2 + rng.IntN(5)
	b := graph.NewBuilder(vocab, false)
	var names []string
	for v := range n {
		b.AddNode([]string{"C", "N", "O", fmt.Sprint("new", version)}[rng.IntN(4)])
		names = append(names, fmt.Sprint("node", v))
	}
	for v := 1; v < n; v++ {
		if err := b.AddEdge(rng.IntN(v), v, fmt.Sprint(rng.IntN(3))); err != nil {
			panic(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	rec := dataset.Record{ID: id, Name: fmt.Sprint("version ", version), Graph: g, Attributes: map[string]any{"version": float64(version)}}
	if version%2 == 0 {
		rec.NodeIDs = names
	} else {
		rec.SMILES = "text"
	}
	return rec
}

// same fails unless got is want, in whatever vocabulary.
func same(t fatal, got, want dataset.Record) {
	t.Helper()
	if got.ID != want.ID || got.Name != want.Name || got.SMILES != want.SMILES || fmt.Sprint(got.Attributes, got.NodeIDs) != fmt.Sprint(want.Attributes, want.NodeIDs) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	g, w := got.Graph, graph.In(got.Graph.Vocabulary(), want.Graph)
	if g.Directed() != w.Directed() || fmt.Sprint(g.Labels()) != fmt.Sprint(w.Labels()) {
		t.Fatalf("graph %s: other nodes", got.ID)
	}
	edges := func(g *graph.Graph) (list []graph.Edge) {
		for e := range g.Edges() {
			list = append(list, e)
		}
		return list
	}
	if fmt.Sprint(edges(g)) != fmt.Sprint(edges(w)) {
		t.Fatalf("graph %s: edges %v, want %v", got.ID, edges(g), edges(w))
	}
}

// sound fails unless the collection is whole.
func sound(t fatal, dir string) {
	t.Helper()
	r, err := Check(context.Background(), dir)
	must(t, err)
	if len(r.Problems) > 0 {
		t.Fatalf("problems: %v", r.Problems)
	}
}

// loaded is what [Store.Load] gives without empty slots.
type loaded struct {
	Records []dataset.Record
	Engines []Engine
}

func load(t fatal, dir string) *loaded {
	t.Helper()
	c, err := tryLoad(dir)
	must(t, err)
	return c
}

func tryLoad(dir string) (*loaded, error) {
	c, err := loadAt(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	l := new(loaded)
	var scratch graph.Scratch
	inSegment := 0
	if c.Segment != nil {
		inSegment = c.Segment.Len()
	}
	for _, e := range c.Engines {
		if _, err := e.Open(); err != nil {
			return nil, err
		}
		l.Engines = append(l.Engines, Engine{Model: e.Model, Indexed: e.Indexed})
	}
	for slot := range inSegment + len(c.Records) {
		if slices.Contains(c.Empty, slot) {
			continue
		}
		if slot < inSegment {
			rec := c.Segment.Record(slot)
			if g := c.Segment.Graph(slot, &scratch); c.Segment.Err() == nil && !graph.Equal(g, rec.Graph) {
				return nil, fmt.Errorf("graph %s in memory that is used again is %s, want %s", rec.ID, describe(g), describe(rec.Graph))
			}
			if form := c.Segment.Form(slot); c.Segment.Err() == nil && describe(form) != describe(rec.Graph) {
				return nil, fmt.Errorf("the form of graph %s is %s, want %s", rec.ID, describe(form), describe(rec.Graph))
			}
			l.Records = append(l.Records, rec)
		} else {
			l.Records = append(l.Records, c.Records[slot-inSegment])
		}
		for i, e := range c.Engines {
			dim := e.Model.Norm().Dim()
			l.Engines[i].Vectors = append(l.Engines[i].Vectors, e.Vectors[slot*dim:(slot+1)*dim]...)
		}
	}
	if c.Segment != nil {
		c.Segment.Signatures()
		c.Segment.Sheet()
		c.Segment.ByID()
		err = c.Segment.Err()
	}
	return l, err
}

// describe says what a graph is made of.
func describe(g graph.Form) string {
	text := fmt.Sprint(g.Directed(), g.N(), g.M())
	for v := range g.N() {
		text += " " + g.LabelText(v)
	}
	for e := range g.Edges() {
		text += fmt.Sprint(" ", e.From, e.To, g.Vocabulary().EdgeText(e.Label))
	}
	return text
}

// with opens a collection for as long as use takes.
func with(dir string, opt Options, use func(*Store) error) error {
	s, err := Open(dir, opt)
	if err != nil {
		return err
	}
	return errors.Join(use(s), s.Close())
}

func addAt(ctx context.Context, dir string, records []dataset.Record, workers int) (replaced int, err error) {
	err = with(dir, Options{}, func(s *Store) error {
		_, replaced, err = s.Add(ctx, records, false, workers)
		return err
	})
	return replaced, err
}

func reembedAt(ctx context.Context, dir, name string, m *model.Model, keep bool, workers int, progress func(slots int)) error {
	return with(dir, Options{}, func(s *Store) error { return s.Reembed(ctx, name, m, keep, workers, progress) })
}

func compactAt(ctx context.Context, dir string, workers int) (before, after int64, err error) {
	err = with(dir, Options{}, func(s *Store) error {
		before, after, err = s.Compact(ctx, workers)
		return err
	})
	return before, after, err
}

func writeSegmentAt(ctx context.Context, dir string, workers int) error {
	return with(dir, Options{}, func(s *Store) error { return s.WriteSegment(ctx, workers) })
}

func writeSegmentIfDueAt(ctx context.Context, dir string, workers int) error {
	return with(dir, Options{}, func(s *Store) error { return s.WriteSegmentIfDue(ctx, workers) })
}

// loadAt loads a collection whose memory stays mapped.
func loadAt(ctx context.Context, dir string) (c *Contents, err error) {
	err = with(dir, Options{}, func(s *Store) error {
		c, err = s.Load(ctx)
		return err
	})
	return c, err
}

// use opens a collection for writing.
func use(t fatal, dir string, what func(*Store)) {
	t.Helper()
	must(t, with(dir, Options{}, func(s *Store) error { what(s); return nil }))
}

// vectorsFit fails unless every vector is that of the record beside it.
func vectorsFit(t testing.TB, c *loaded) {
	t.Helper()
	var graphs []*graph.Graph
	for _, rec := range c.Records {
		graphs = append(graphs, rec.Graph)
	}
	for _, e := range c.Engines {
		want, err := e.Model.Embed(t.Context(), graphs, 1)
		must(t, err)
		if fmt.Sprint(want) != fmt.Sprint(e.Vectors) {
			t.Fatalf("vectors for %v are not those of the graphs", e.Model.Metadata().Task)
		}
	}
}

// placesFit checks that slots lead to the records, in order, and ids to slots.
func placesFit(t fatal, dir string, records []dataset.Record) {
	t.Helper()
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, s.View(context.Background(), func(snap *Snapshot) error {
		filled, err := snap.Filled()
		must(t, err)
		next := 0
		for slot, full := range filled {
			rec, err := snap.At(slot)
			if !full {
				if !errors.Is(err, ErrNotFound) {
					t.Fatalf("slot %d is empty: %v", slot, err)
				}
				continue
			}
			must(t, err)
			if next == len(records) {
				t.Fatalf("%d records, slot %d is another", next, slot)
			}
			same(t, rec, records[next])
			at, err := snap.Slot(rec.ID)
			must(t, err)
			if at != slot {
				t.Fatalf("%q is in slot %d, want %d", rec.ID, at, slot)
			}
			next++
		}
		if next != len(records) || len(filled) != snap.Slots() {
			t.Fatalf("%d of %d records in %d of %d slots", next, len(records), len(filled), snap.Slots())
		}
		_, err = snap.Slot("nobody")
		if !errors.Is(err, ErrNotFound) {
			t.Fatalf("an id that is not there: %v", err)
		}
		return nil
	}))
	must(t, s.Close())
}
