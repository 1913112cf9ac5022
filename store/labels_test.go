package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// strange returns a record whose n nodes and whose edges have labels that no other version
// has.
func strange(id string, version, n int) dataset.Record {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for v := range n {
		b.AddNode(fmt.Sprintf("node %d of %d", v, version))
		if v > 0 {
			if err := b.AddEdge(v-1, v, fmt.Sprintf("edge %d of %d", v, version)); err != nil {
				panic(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return dataset.Record{ID: id, Graph: g}
}

// labelsOf returns the numbers of labels that a collection has.
func labelsOf(t fatal, s *Store) (nodes, edges int) {
	t.Helper()
	must(t, s.View(context.Background(), func(snap *Snapshot) error {
		nodes, edges = snap.m.NodeLabels, snap.m.EdgeLabels
		if snap.labels.nodes.len() != nodes || snap.labels.edges.len() != edges {
			t.Fatalf("%d and %d labels are known of %d and %d", snap.labels.nodes.len(), snap.labels.edges.len(), nodes, edges)
		}
		stats := snap.tx.Bucket(labelsBucket).Stats()
		if stats.KeyN != nodes+edges {
			t.Fatalf("%d labels are on the disk, want %d and %d", stats.KeyN, nodes, edges)
		}
		return nil
	}))
	return nodes, edges
}

// TestCompactFreesLabels: compacting keeps the labels that records use and no others. Who
// had the collection open reads and writes the right ones after it, and who reads an old
// state reads that to its end.
func TestCompactFreesLabels(t *testing.T) {
	ctx := context.Background()
	dir := empty(t, inMemory(t))
	other, err := Open(dir, Options{}) // as another process: it knows the labels by the old numbers
	must(t, err)
	defer other.Close()
	s, err := Open(dir, Options{})
	must(t, err)
	defer s.Close()
	must(t, s.AddEmbedding(ctx, "ged", newModel(edit.GED, 1)))
	const ids, rounds, nodes = 5, 20, 4
	var want []dataset.Record
	for i := range ids * rounds {
		rec := strange(fmt.Sprint("u", i%ids), i, nodes)
		_, _, err := s.Add(ctx, []dataset.Record{rec}, false, 1)
		must(t, err)
		if i >= ids*(rounds-1) {
			want = append(want, rec)
		}
	}
	before, err := other.Load(ctx)
	must(t, err)
	defer before.Held.Release()
	if n, e := labelsOf(t, other); n != ids*rounds*nodes || e != ids*rounds*(nodes-1) {
		t.Fatalf("%d node and %d edge labels before", n, e)
	}
	err = other.Hold(ctx, func(old *Snapshot) error {
		if _, _, err := s.Compact(ctx, 1); err != nil {
			return err
		}
		if n, e := labelsOf(t, s); n != ids*nodes || e != ids*(nodes-1) {
			t.Errorf("%d node and %d edge labels after, %d and %d are used", n, e, ids*nodes, ids*(nodes-1))
		}
		labelsOf(t, other)
		for _, rec := range want { // the state before
			got, err := old.Get(rec.ID)
			must(t, err)
			same(t, got, rec)
		}
		return nil
	})
	must(t, err)
	if _, err := other.Since(ctx, before.Known); !errors.Is(err, ErrRewritten) {
		t.Errorf("from the state before: %v", err)
	}
	placesFit(t, dir, want)
	// Each store continues with the new numbers.
	for i, s := range []*Store{other, s, other} {
		rec := strange("late", 1000+i, nodes)
		_, _, err := s.Add(ctx, []dataset.Record{rec}, false, 1)
		must(t, err)
		for _, s := range []*Store{s, other} {
			must(t, s.View(ctx, func(snap *Snapshot) error {
				got, err := snap.Get("late")
				same(t, got, rec)
				return err
			}))
		}
		want = append(want[:ids], rec)
	}
	for i, rec := range before.Records { // its graphs are those of the state before
		if !slices.Contains(before.Empty, i) {
			same(t, rec, want[slices.IndexFunc(want, func(r dataset.Record) bool { return r.ID == rec.ID })])
		}
	}
	placesFit(t, dir, want)
	vectorsFit(t, load(t, dir))
	sound(t, dir)
	_, _, err = other.Compact(ctx, 2)
	must(t, err)
	placesFit(t, dir, want)
	if n, e := labelsOf(t, s); n != (ids+1)*nodes || e != (ids+1)*(nodes-1) {
		t.Errorf("%d node and %d edge labels at the end", n, e)
	}
	sound(t, dir)
}

// TestCompactKeepsLabelsOfTheLargeGraph: a collection of neighbourhoods has its labels in
// one graph.
func TestCompactKeepsLabelsOfTheLargeGraph(t *testing.T) {
	ctx := context.Background()
	dir := empty(t, inMemory(t))
	rec := strange("large", 1, 9)
	use(t, dir, func(s *Store) {
		must(t, s.PutNeighbourhoods(ctx, LargeGraph{Record: rec, Hops: 1}, nil, nil))
		for range 2 {
			_, _, err := s.Compact(ctx, 1)
			must(t, err)
		}
		if n, e := labelsOf(t, s); n != 9 || e != 8 {
			t.Errorf("%d node and %d edge labels", n, e)
		}
		must(t, s.View(ctx, func(snap *Snapshot) error {
			large, err := snap.Whole()
			must(t, err)
			same(t, dataset.Record{ID: "large", Graph: large}, rec)
			got, err := snap.Get("3")
			must(t, err)
			nodes, _ := rec.Graph.Neighbourhood(3, 1, 0)
			same(t, got, dataset.Record{ID: "3", Graph: rec.Graph.Induced(nodes)})
			return nil
		}))
	})
	sound(t, dir)
}

// TestFailedChangesLeaveNoLabels: a change that is refused adds no labels, neither on the
// disk nor in memory.
func TestFailedChangesLeaveNoLabels(t *testing.T) {
	ctx := context.Background()
	dir := empty(t, inMemory(t))
	use(t, dir, func(s *Store) {
		_, _, err := s.Add(ctx, []dataset.Record{strange("a", 1, 3)}, true, 1)
		must(t, err)
		for i := range 10 {
			err := s.PutNew(ctx, []dataset.Record{strange("b", 10+i, 3), strange("a", 20+i, 3)}, nil)
			if d := (*DuplicateError)(nil); !errors.As(err, &d) || d.ID != "a" || d.Index != 1 || d.Slot != 0 {
				t.Errorf("a second a: %v", err)
			}
			err = s.PutNew(ctx, []dataset.Record{strange("b", 30+i, 3), strange("b", 40+i, 3)}, nil)
			if d := (*DuplicateError)(nil); !errors.As(err, &d) || d.ID != "b" || d.Index != 1 || d.Slot != 1 {
				t.Errorf("b twice: %v", err)
			}
		}
		must(t, s.View(ctx, func(snap *Snapshot) error {
			if n, e := snap.labels.vocab.Nodes()-1, snap.labels.vocab.Edges()-1; n != 3 || e != 2 {
				t.Errorf("%d node and %d edge labels in memory", n, e)
			}
			return nil
		}))
		if n, e := labelsOf(t, s); n != 3 || e != 2 {
			t.Errorf("%d node and %d edge labels", n, e)
		}
	})
}

// TestNumbered: lists that continue one another, and those that fork, hold what was added
// to them and nothing else.
func TestNumbered(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	type pair struct {
		n    numbered
		want []graph.Label
	}
	all := []pair{{noLabels(), []graph.Label{graph.Wildcard}}}
	for range 2000 {
		p := all[rng.IntN(len(all))]
		if rng.IntN(4) > 0 {
			p = all[len(all)-1]
		}
		l := graph.Label(1 + rng.IntN(30))
		if i, ok := p.n.number(l); ok != slices.Contains(p.want, l) || ok && p.want[i] != l {
			t.Fatalf("label %d is number %d of %v: %v", l, i, p.want, ok)
		} else if ok {
			k := rng.IntN(len(p.want))
			all = append(all, pair{p.n.first(k), p.want[:k+1]})
			continue
		}
		all = append(all, pair{p.n.add(l), append(slices.Clone(p.want), l)})
	}
	for _, p := range all {
		if !slices.Equal(p.n.labels, p.want) || p.n.len() != len(p.want)-1 {
			t.Fatalf("list %v, want %v", p.n.labels, p.want)
		}
	}
}
